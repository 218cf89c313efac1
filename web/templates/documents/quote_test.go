package documents_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"rackwright/internal/company"
	"rackwright/internal/i18n"
	"rackwright/internal/money"
	"rackwright/internal/pdf"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/documents"
)

func dec(s string) *money.Decimal {
	d := money.MustDecimal(s)
	return &d
}

func percent(s string) money.Percent {
	p, err := money.ParsePercent(s)
	if err != nil {
		panic(err)
	}
	return p
}

// seller and the customers are invented.
var seller = company.Profile{
	Name: "Harbourline Systems Pte Ltd", Address: "8 Example Quay, #11-04\nSingapore 049999", Country: "SG",
	TaxNumber: "200012345X", Email: "ines@harbourline.example", Phone: "+65 5550 0142",
	Bank: "Example Bank, Singapore\nAccount 000-123456-7, SWIFT EXAMSGSG", Currency: "USD", TimeZone: "Asia/Singapore",
	Terms: map[string]string{"en": "Prices are firm to the end of the validity.\nOwnership passes with full payment."},
}

func item(kind quote.LineKind, sku, text, quantity, price, discount string) quote.Line {
	l := quote.Line{Kind: kind, SKU: sku, Description: text, Quantity: *dec(quantity), TaxRate: percent("9"), TaxName: "GST"}
	if price != "" {
		l.UnitPrice = dec(price)
	}
	if discount != "" {
		l.Discount = percent(discount)
	}
	return l
}

func part(text, quantity string) quote.Line {
	return quote.Line{Kind: quote.Item, Part: true, Description: text, Quantity: *dec(quantity), TaxRate: percent("9")}
}

type words struct {
	customer, address, title, compute, server, kit1, kit2, software, network, switches, cables, install, work string
	option, spare, note, remark, terms                                                                        string
}

var texts = map[i18n.Lang]words{
	i18n.English: {
		customer: "Meridian Robotics Pte Ltd", address: "21 Sample Road\nSingapore 118200",
		title:   "Two H100 servers with network and installation for a 70B chat service",
		compute: "Compute", server: "Supermicro SYS-821GE-TNHR, 8 × H100 SXM5 80GB", kit1: "HGX H100 8-GPU baseboard, four NVSwitch, 900 GB/s", kit2: "Intel Xeon Platinum 8568Y+, 48 cores",
		software: "NVIDIA AI Enterprise subscription, per GPU, 1 year", network: "Network",
		switches: "NVIDIA Quantum-2 QM9700 InfiniBand switch, 64 × 400 Gb/s, 1U", cables: "Transceivers and fibre, 32 links, lump sum",
		install: "Installation", work: "On-site installation and 72 h burn-in, per server",
		option: "H200 SXM 141GB instead of H100 in both servers", spare: "Cold spare, HGX H100 8-GPU baseboard",
		note:   "The rack must feed 10.2 kW per server.",
		remark: "Installation “as built”, in the week of 4 January 2027.\nPower and cooling are yours.",
		terms:  "Prices are firm to the end of the validity. Delivery dates hold for an order by that day.\nWarranty three years by the maker, next business day parts. Burn-in of 72 hours before hand-over.\nOwnership passes with full payment.",
	},
	i18n.Simplified: {
		customer: "星河智算（上海）科技有限公司", address: "上海市浦东新区示例路 21 号\n邮编 200120",
		title:   "两台 H100 服务器（含网络与安装），用于 70B 对话服务",
		compute: "算力", server: "超微 SYS-821GE-TNHR 服务器，8 × H100 SXM5 80GB", kit1: "HGX H100 8-GPU 基板，四颗 NVSwitch，900 GB/s", kit2: "Intel Xeon Platinum 8568Y+，48 核",
		software: "NVIDIA AI Enterprise 订阅，每 GPU，1 年", network: "网络",
		switches: "NVIDIA Quantum-2 QM9700 InfiniBand 交换机，64 × 400 Gb/s，1U", cables: "光模块与光纤，32 条链路，一口价",
		install: "安装", work: "现场安装与 72 小时老化测试，每台",
		option: "两台服务器均改用 H200 SXM 141GB", spare: "冷备件：HGX H100 8-GPU 基板",
		note:   "机柜须为每台服务器供电 10.2 kW。",
		remark: "安装安排在 2027年1月4日 当周。\n电力与制冷由贵方负责。",
		terms:  "价格在有效期结束前保持不变。交货日期以有效期内下单为准。\n原厂质保三年，备件次工作日到货。交付前完成 72 小时老化测试。\n货款付清后所有权转移。",
	},
	i18n.Traditional: {
		customer: "銀河智算股份有限公司", address: "臺北市內湖區範例路 21 號\n郵遞區號 114",
		title:   "兩台 H100 伺服器（含網路與安裝），用於 70B 對話服務",
		compute: "運算", server: "Supermicro SYS-821GE-TNHR 伺服器，8 × H100 SXM5 80GB", kit1: "HGX H100 8-GPU 基板，四顆 NVSwitch，900 GB/s", kit2: "Intel Xeon Platinum 8568Y+，48 核心",
		software: "NVIDIA AI Enterprise 訂閱，每 GPU，1 年", network: "網路",
		switches: "NVIDIA Quantum-2 QM9700 InfiniBand 交換器，64 × 400 Gb/s，1U", cables: "光收發模組與光纖，32 條鏈路，一式",
		install: "安裝", work: "現場安裝與 72 小時燒機測試，每台",
		option: "兩台伺服器均改用 H200 SXM 141GB", spare: "冷備品：HGX H100 8-GPU 基板",
		note:   "機櫃須為每台伺服器供電 10.2 kW。",
		remark: "安裝預定於 2027年1月4日 當週。\n電力與冷卻由貴方負責。",
		terms:  "價格於有效期限結束前不變。交貨日期以期限內下單為準。\n原廠保固三年，備品次工作日到貨。交付前完成 72 小時燒機測試。\n貨款付清後所有權移轉。",
	},
}

// sample is a sent quote with every kind of line.
func sample(t *testing.T, lang i18n.Lang, mode quote.TaxMode) quote.Quote {
	t.Helper()
	w := texts[lang]
	c := quote.Content{
		Title: w.title, Lang: string(lang), Currency: "USD", TaxMode: mode,
		Customer: quote.Party{Name: w.customer, Address: w.address, Country: "SG", TaxNumber: "201912345K", Contact: "Tan Wei Ling", Email: "wl.tan@meridian.example", Phone: "+65 5550 0199"},
		Day:      time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), ValidTo: time.Date(2026, 12, 14, 0, 0, 0, 0, time.UTC),
		Reference: "RFQ-2026-118", Note: w.remark, Terms: w.terms, ShipTo: "SG", EndUser: "SG", Incoterm: "DAP", Place: "Singapore",
		Discount: quote.Discount{Percent: percent("1")},
		Lines: []quote.Line{
			{Kind: quote.Section, Description: w.compute},
			item(quote.Item, "SYS-821GE-TNHR", w.server, "2", "285000", "3"), part(w.kit1, "1"), part(w.kit2, "2"), part("64 GB DDR5", "32"), part("7.68 TB NVMe", "8"), part("ConnectX-7 400 Gb/s NDR", "8"),
			item(quote.Item, "NVAIE-1Y", w.software, "16", "4500", ""),
			item(quote.Option, "HGX-H200-8", w.option, "2", "55150.03", ""),
			{Kind: quote.Note, Description: w.note},
			{Kind: quote.Section, Description: w.network},
			item(quote.Item, "QM9700", w.switches, "2", "38500", ""), item(quote.Item, "", w.cables, "1", "18640", ""),
			{Kind: quote.Section, Description: w.install},
			item(quote.Item, "", w.work, "2", "22300", ""),
			item(quote.Alternative, "HGX-H100-8", w.spare, "1", "259380", ""),
		},
	}
	totals, err := quote.Calculate(c.Input())
	if err != nil {
		t.Fatal(err)
	}
	return quote.Quote{Number: "Q-2026-0187", Owner: "Ines Okafor", Revision: quote.Revision{
		Number: 2, State: quote.Sent, SentAt: created, Content: c, Totals: totals,
	}}
}

func TestQuotePrintsEveryString(t *testing.T) {
	for _, lang := range i18n.Langs {
		for _, mode := range []quote.TaxMode{quote.Exclusive, quote.Inclusive} {
			t.Run(string(lang)+" "+string(mode), func(t *testing.T) {
				d := view.NewQuoteDocument(sample(t, lang, mode), seller)
				b := render(t, "quote-"+string(mode), documents.Quote(d), lang)
				findAll(t, b, d, ".Lang", ".Title", ".Totals.Class", ".Foot.Page")
				if m := missingMessage.FindString(fmt.Sprint(d)); m != "" || d.Lang != string(lang) {
					t.Errorf("language %s, message %s is missing", d.Lang, m)
				}
			})
		}
	}
}

func TestQuoteTotalsAreThoseOfCalculate(t *testing.T) {
	q := sample(t, i18n.English, quote.Exclusive)
	got := pdfText(t, render(t, "quote-totals", documents.Quote(view.NewQuoteDocument(q, seller)), i18n.English))
	for _, want := range []string{"765,140.00", "−7,651.40", "757,488.60", "68,173.97", "825,662.57"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not printed", want)
		}
	}
}

// R12: nothing of cost, floor or the inside of the house may reach the customer.
func TestQuoteHidesWhatIsInternal(t *testing.T) {
	q := sample(t, i18n.English, quote.Exclusive)
	c := &q.Revision.Content
	c.InternalNote = "SECRETNOTE"
	c.Lines[1].Cost, c.Lines[1].Floor = dec("199999.17"), dec("255555.25")
	c.Lines[1].List = quote.ListPrice{Origin: quote.FromPriceList, List: "SECRETLIST", Price: dec("299999.31")}
	c.Lines[1].Override = &quote.Override{User: "SECRETUSER", Reason: "SECRETREASON"}
	got := pdfText(t, render(t, "quote-secret", documents.Quote(view.NewQuoteDocument(q, seller)), i18n.English))
	for _, secret := range []string{"SECRET", "199,999", "255,555", "299,999"} {
		if strings.Contains(got, secret) {
			t.Errorf("%s is printed", secret)
		}
	}
}

func TestDraftSaysSo(t *testing.T) {
	q := sample(t, i18n.Simplified, quote.Exclusive)
	q.Number, q.Revision.State, q.Revision.SentAt = "", quote.Draft, time.Time{}
	d := view.NewQuoteDocument(q, seller)
	b := render(t, "quote-draft", documents.Quote(d), i18n.Simplified)
	findAll(t, b, d, ".Lang", ".Title", ".Totals.Class", ".Foot.Page")
	if d.Draft == "" {
		t.Error("a draft does not say that it is no offer")
	}
}

func TestQuoteOfUnknownPrice(t *testing.T) {
	q := sample(t, i18n.English, quote.Exclusive)
	q.Number, q.Revision.State, q.Revision.SentAt = "", quote.Draft, time.Time{}
	q.Revision.Content.Lines[7].UnitPrice = nil
	totals, err := quote.Calculate(q.Revision.Content.Input())
	if err != nil {
		t.Fatal(err)
	}
	q.Revision.Totals = totals
	got := pdfText(t, render(t, "quote-unknown", documents.Quote(view.NewQuoteDocument(q, seller)), i18n.English))
	if !strings.Contains(got, view.Unknown(i18n.English)) {
		t.Error("an unknown price is not shown as unknown")
	}
}

func TestLongNamesAndManyLines(t *testing.T) {
	q := sample(t, i18n.English, quote.Exclusive)
	c := &q.Revision.Content
	c.Customer.Name = strings.Repeat("Consolidated Robotics ", 6) + "Ltd"
	c.Customer.Address = strings.Repeat("Line of an address\n", 8)
	c.Title = strings.Repeat("Server and network ", 12)
	for i := range 120 {
		c.Lines = append(c.Lines, item(quote.Item, fmt.Sprintf("SKU-%03d-%s", i, strings.Repeat("X", 30)), fmt.Sprintf("Item %d %s", i, strings.Repeat("long name ", 12)), "1", "9999999999.99", ""))
	}
	totals, err := quote.Calculate(c.Input())
	if err != nil {
		t.Fatal(err)
	}
	q.Revision.Totals = totals
	big := seller
	big.Name = strings.Repeat("Harbourline Systems ", 8)
	d := view.NewQuoteDocument(q, big)
	findAll(t, render(t, "quote-long", documents.Quote(d), i18n.English), d, ".Lang", ".Title", ".Totals.Class", ".Foot.Page", ".Foot.Left")
}

func TestQuoteSameBytes(t *testing.T) {
	d := view.NewQuoteDocument(sample(t, i18n.Traditional, quote.Exclusive), seller)
	a, b := render(t, "same", documents.Quote(d), i18n.Traditional), render(t, "same", documents.Quote(d), i18n.Traditional)
	if !bytes.Equal(a, b) {
		t.Error("two runs differ")
	}
}

func BenchmarkQuotePDF(b *testing.B) {
	for _, lang := range i18n.Langs {
		b.Run(string(lang), func(b *testing.B) {
			d := view.NewQuoteDocument(sample(&testing.T{}, lang, quote.Exclusive), seller)
			for b.Loop() {
				if _, err := pdf.Render(b.Context(), documents.Quote(d), pdf.Options{Created: created}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What a person typed anywhere is checked before sending, not only what stands in lines.
func TestTypedTextsAreChecked(t *testing.T) {
	places := map[string]func(*quote.Content){
		"title":    func(c *quote.Content) { c.Title = "🚀" },
		"customer": func(c *quote.Content) { c.Customer.Name = "🚀" },
		"contact":  func(c *quote.Content) { c.Customer.Contact = "🚀" },
		"line":     func(c *quote.Content) { c.Lines[1].Description = "🚀" },
		"part":     func(c *quote.Content) { c.Lines[2].Description = "🚀" },
		"option":   func(c *quote.Content) { c.Lines[8].Description = "🚀" },
		"section":  func(c *quote.Content) { c.Lines[0].Description = "🚀" },
		"note":     func(c *quote.Content) { c.Note = "🚀" },
		"terms":    func(c *quote.Content) { c.Terms = "🚀" },
		"place":    func(c *quote.Content) { c.Place = "🚀" },
	}
	for name, set := range places {
		t.Run(name, func(t *testing.T) {
			q := sample(t, i18n.English, quote.Exclusive)
			set(&q.Revision.Content)
			if got := pdf.Uncovered(view.NewQuoteDocument(q, seller).Typed()); string(got) != "🚀" {
				t.Errorf("Uncovered = %q", string(got))
			}
		})
	}
	if got := pdf.Uncovered(view.NewQuoteDocument(sample(t, i18n.Traditional, quote.Exclusive), seller).Typed()); len(got) > 0 {
		t.Errorf("a plain quote lacks %q", string(got))
	}
}

// The seller's logo is on the document, and not only in its data.
func TestLogoIsPrinted(t *testing.T) {
	var logo, none, with bytes.Buffer
	if err := png.Encode(&logo, image.NewGray(image.Rect(0, 0, 120, 40))); err != nil {
		t.Fatal(err)
	}
	profile, q := seller, sample(t, i18n.English, quote.Exclusive)
	profile.Logo = nil
	if err := documents.Quote(view.NewQuoteDocument(q, profile)).Render(t.Context(), &none); err != nil {
		t.Fatal(err)
	}
	profile.Logo = logo.Bytes()
	d := documents.Quote(view.NewQuoteDocument(q, profile))
	if err := d.Render(t.Context(), &with); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(none.String(), "<img") || !strings.Contains(with.String(), `src="data:image/png;base64,`) {
		t.Error("the picture is not in the document")
	}
	if b := render(t, "quote-logo", d, i18n.English); !bytes.Contains(b, []byte("/Subtype /Image")) {
		t.Error("the picture is not in the PDF")
	}
}
