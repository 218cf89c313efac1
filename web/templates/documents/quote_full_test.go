package documents_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"rackwright/internal/i18n"
	"rackwright/internal/money"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/documents"
)

// fullWords are the texts of a quote that uses everything.
type fullWords struct {
	support, storage, storage1, storage2, tradeIn, option, config, deposit, shipment, rest, site, address, person, taxNote string
}

var fullTexts = map[i18n.Lang]fullWords{
	i18n.English: {
		support: "Next business day support, per server", storage: "Storage set", storage1: "Storage set, double capacity", storage2: "Storage set, all NVMe",
		tradeIn: "Trade-in of two A100 servers", option: "Spare power supply",
		config:  "BIOS 2.1 with NUMA per socket 2\nSerial numbers S1234567A to S1234570A",
		deposit: "Deposit", shipment: "Before shipment", rest: "Rest",
		site: "Meridian data hall B", address: "7 Sample Avenue, gate 3\nJohor Bahru 81100, Malaysia", person: "Lim Hui Min, +60 5550 0123",
		taxNote: "Zero-rated export under the law of the seller.\nGoods leave Singapore by road.",
	},
	i18n.Simplified: {
		support: "次工作日上门支持，每台", storage: "存储套件", storage1: "存储套件，双倍容量", storage2: "存储套件，全 NVMe",
		tradeIn: "两台 A100 服务器折价回收", option: "备用电源",
		config:  "BIOS 2.1，每路两个 NUMA 节点\n序列号 S1234567A 至 S1234570A",
		deposit: "预付款", shipment: "发货前", rest: "尾款",
		site: "星河智算 B 座机房", address: "示例大道 7 号 3 号门\n江苏省苏州市 215000", person: "林慧敏，+86 5550 0123",
		taxNote: "依据相关规定适用零税率。\n货物经公路出境。",
	},
	i18n.Traditional: {
		support: "次工作日到場支援，每台", storage: "儲存套件", storage1: "儲存套件，雙倍容量", storage2: "儲存套件，全 NVMe",
		tradeIn: "兩台 A100 伺服器折價回收", option: "備用電源",
		config:  "BIOS 2.1，每路兩個 NUMA 節點\n序號 S1234567A 至 S1234570A",
		deposit: "訂金", shipment: "出貨前", rest: "尾款",
		site: "銀河智算 B 棟機房", address: "範例大道 7 號 3 號門\n新竹市東區 300", person: "林慧敏，+886 5550 0123",
		taxNote: "依相關規定適用零稅率。\n貨物經公路出境。",
	},
}

// fullSample is sample with everything that a quote can say.
func fullSample(t *testing.T, lang i18n.Lang, layout quote.Layout) quote.Quote {
	t.Helper()
	w, q := fullTexts[lang], sample(t, lang, quote.Exclusive)
	c := &q.Revision.Content
	c.Layout = layout
	c.Lines[1].Config, c.Lines[1].Promise = w.config, time.Date(2027, 1, 4, 0, 0, 0, 0, time.UTC)
	c.Lines[7].Term = quote.Term{Periods: 3, Unit: quote.Yearly}
	support := item(quote.Item, "", w.support, "2", "420.505", "")
	support.Term, support.Off = quote.Term{Periods: 36, Unit: quote.Monthly}, *dec("1000")
	tradeIn := item(quote.Item, "", w.tradeIn, "2", "-18500", "")
	storage := item(quote.Item, "STO-1", w.storage, "1", "3000", "")
	storage.Lump = true
	storage1, storage2 := item(quote.Alternative, "STO-2", w.storage1, "1", "4000", ""), item(quote.Alternative, "STO-3", w.storage2, "1", "5000", "")
	c.Lines = append(c.Lines, support, storage, part("NVMe 7.68 TB SECRETPART", "4"), storage1, storage2, tradeIn, item(quote.Option, "PSU-3000", w.option, "2", "1250", ""))
	for i := range c.Lines {
		c.Lines[i].ID = int64(i + 1)
		c.Lines[i].TaxRate, c.Lines[i].TaxName = money.Percent{}, "GST"
	}
	c.TaxRule, c.TaxNote = quote.ExportZero, w.taxNote
	c.Delivery = quote.Delivery{Name: w.site, Address: w.address, Contact: w.person}
	thirty := percent("30")
	c.Payments = []quote.Instalment{
		{Label: w.deposit, Percent: &thirty, Due: quote.OnOrder}, {Label: w.shipment, Amount: dec("250000"), Due: quote.OnDelivery},
		{Label: w.rest, Due: quote.OnInvoice, Days: 30},
	}
	q.Revision.Frozen.Rate = &quote.Rate{Base: "USD", Quote: "SGD", Day: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), Rate: *dec("1.3512"), Source: "invented"}
	recalculate(t, &q)
	return q
}

func recalculate(t *testing.T, q *quote.Quote) {
	t.Helper()
	totals, err := quote.Calculate(q.Revision.Content.Input())
	if err != nil {
		t.Fatal(err)
	}
	q.Revision.Totals = totals
}

// unprinted are the fields of a document that are not its text.
var unprinted = []string{".Lang", ".Title", ".Totals.Class", ".Foot.Page"}

func TestFullQuotePrintsEveryString(t *testing.T) {
	for _, lang := range i18n.Langs {
		for _, layout := range []quote.Layout{quote.Detailed, quote.LumpSum} {
			t.Run(string(lang)+" "+string(layout), func(t *testing.T) {
				d := view.NewQuoteDocument(fullSample(t, lang, layout), seller)
				b := render(t, "full-"+string(layout), documents.Quote(d), lang)
				findAll(t, b, d, unprinted...)
				if m := missingMessage.FindString(fmt.Sprint(d)); m != "" || d.Lang != string(lang) {
					t.Errorf("language %s, message %s is missing", d.Lang, m)
				}
				got := pdfText(t, b)
				if strings.Contains(got, "SECRETPART") {
					t.Error("a lump sum bundle shows its parts")
				}
				for _, want := range []string{"1.3512", "+1,000.00", "+2,000.00", "250,000.00"} {
					if !strings.Contains(got, want) {
						t.Errorf("%s is not printed", want)
					}
				}
				if detailed := strings.Contains(got, "420.505"); detailed != (layout == quote.Detailed) {
					t.Errorf("prices of lines printed: %v", detailed)
				}
			})
		}
	}
}
