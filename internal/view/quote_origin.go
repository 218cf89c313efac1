package view

import (
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// origins says where the price of a line comes from, and who changed it when and why (R10).
func (b lineBuilder) origins(i int, l quote.Line) []QuoteOrigin {
	var out []QuoteOrigin
	switch {
	case l.SKU == "":
		return []QuoteOrigin{{Text: b.p.T("quote.origin_free")}}
	case l.List.Price == nil && l.Quantity.Less(l.List.MinQty):
		out = append(out, QuoteOrigin{Text: b.p.T("quote.origin_from", "n", NumberTrim(b.p.L.Lang(), l.List.MinQty))})
	case l.List.Price == nil:
		out = append(out, QuoteOrigin{Text: b.p.T("quote.origin_none", "currency", string(b.currency))})
	default:
		out = append(out, QuoteOrigin{Text: b.listText(l.List), Stale: b.stale[i]})
	}
	if l.Override == nil || !l.OffList() {
		return out
	}
	if l.List.Price != nil {
		out[0].Struck = MoneyDigits(money.New(*l.List.Price, b.currency))
		out[0].Text = b.listOnly(l.List)
	}
	return append(out, QuoteOrigin{Text: b.overrideText(*l.Override)})
}

// listText names a list price, its list and its date; a converted one also its rate.
func (b lineBuilder) listText(o quote.ListPrice) string {
	price := MoneyDigits(money.New(*o.Price, b.currency))
	if o.Source == nil || o.Rate == nil {
		return b.p.T("quote.origin_list", "price", price, "list", o.List, "date", DateShort(o.AsOf))
	}
	return b.p.T("quote.origin_converted", "price", price, "original", MoneyTable(*o.Source),
		"from", string(o.Rate.Base), "rate", o.Rate.Rate.Trim().String(), "to", string(o.Rate.Quote),
		"list", o.List, "date", DateShort(o.AsOf))
}

// listOnly names the list and its date beside a price that is struck out.
func (b lineBuilder) listOnly(o quote.ListPrice) string {
	return b.p.T("quote.origin_list_only", "list", o.List, "date", DateShort(o.AsOf))
}

func (b lineBuilder) overrideText(o quote.Override) string {
	reason := o.Reason
	if reason == "" {
		reason = b.p.T("quote.no_reason")
	}
	if o.User == "" {
		return b.p.T("quote.origin_set", "reason", reason)
	}
	return b.p.T("quote.origin_set_by", "name", o.User, "date", DateShort(o.At), "reason", reason)
}
