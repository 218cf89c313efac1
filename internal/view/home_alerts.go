package view

import (
	"strconv"

	"rackwright/internal/company"
	"rackwright/internal/inventory"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// HomeAlertData is what the alerts of the first page are made of; what does not concern the
// person is left empty.
type HomeAlertData struct {
	Company  company.Profile
	Profile  bool                    // the person keeps the company's profile
	NoRate   []money.Currency        // without a recent exchange rate
	Aged     []quote.AgedPrices      // own prices that are marked as old
	Short    []quote.OpenShortage    // accepted with too little stock
	Reserved []inventory.Reservation // that end soon, the earliest first

	NamesCustomers bool // the person may read customers
	OpensQuotes    bool // and quotes
}

// NewHomeAlerts says what wants attention: the company's own profile, stock, then prices.
func NewHomeAlerts(p Page, in HomeAlertData) []HomeAlert {
	var alerts []HomeAlert
	if in.Profile && len(in.Company.Missing()) > 0 {
		alerts = append(alerts, HomeAlert{Text: p.T("home.profile_incomplete"), Sub: p.T("home.profile_why"), Href: "/admin/company"})
	}
	for _, s := range in.Short {
		alerts = append(alerts, shortageAlert(p, in, s))
	}
	alerts = append(alerts, reservationAlerts(p, in)...)
	for _, a := range in.Aged {
		alerts = append(alerts, HomeAlert{
			Text:  p.N("home.aged_prices", a.Items, "list", a.List, "days", quote.StaleDays),
			Sub:   p.T("home.oldest_price", "date", DateShort(a.Oldest)),
			Href:  priceListHref(a.ListID),
			Badge: "stale", State: p.T("price.stale_price"),
		})
	}
	for _, c := range in.NoRate {
		alerts = append(alerts, HomeAlert{
			Text: p.T("home.no_rate", "from", string(in.Company.Currency), "to", string(c)),
			Sub:  p.T("home.no_rate_why", "n", quote.RateDays),
			Href: "/price-list/rates", Badge: "stale", State: p.T("price.exchange_rate"),
		})
	}
	return alerts
}

func shortageAlert(p Page, in HomeAlertData, s quote.OpenShortage) HomeAlert {
	var pieces []string
	for _, part := range s.Shortages {
		pieces = append(pieces, p.T("home.pieces", "n", Int(p.L.Lang(), part.Quantity), "sku", part.SKU))
	}
	return HomeAlert{
		Text:  p.T("home.shortage_of", "quote", s.Number),
		Sub:   in.withCustomer(p.T("home.missing_pieces", "pieces", List(p.L.Lang(), pieces)), s.Customer),
		Href:  in.quoteHref(s.QuoteID),
		Badge: "bad", State: p.T("inventory.shortage"),
	}
}

// reservationAlerts gathers the reservations of a quote that end at the same moment.
func reservationAlerts(p Page, in HomeAlertData) []HomeAlert {
	var alerts []HomeAlert
	for i := 0; i < len(in.Reserved); {
		first := in.Reserved[i]
		var pieces []string
		for ; i < len(in.Reserved) && in.Reserved[i].QuoteID == first.QuoteID && in.Reserved[i].Until.Equal(first.Until); i++ {
			r := in.Reserved[i]
			pieces = append(pieces, p.T("home.pieces", "n", Int(p.L.Lang(), r.Quantity), "sku", r.SKU))
		}
		alerts = append(alerts, HomeAlert{
			Text:  p.T("home.reservation_ends", "quote", first.Quote, "when", DateTime(p.L.Lang(), first.Until.In(in.Company.Location()))),
			Sub:   in.withCustomer(List(p.L.Lang(), pieces), first.Customer),
			Href:  in.quoteHref(first.QuoteID),
			Badge: "wait", State: p.T("inventory.reservation"),
		})
	}
	return alerts
}

// withCustomer adds the name of the customer for people who may read it.
func (in HomeAlertData) withCustomer(text, customer string) string {
	if !in.NamesCustomers || customer == "" {
		return text
	}
	return text + " · " + customer
}

// quoteHref leads to the quote, or to the stock for people who read no quotes.
func (in HomeAlertData) quoteHref(id int64) string {
	if !in.OpensQuotes {
		return "/inventory"
	}
	return "/quotes/" + strconv.FormatInt(id, 10)
}
