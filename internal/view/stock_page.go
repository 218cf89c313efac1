package view

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"rackwright/internal/inventory"
	"rackwright/internal/quote"
)

// StockData is what the stock page shows.
type StockData struct {
	Levels   []inventory.Level
	Places   []inventory.Location
	Reserved []inventory.Reservation // that have not ended, the earliest end first
	Moves    []inventory.Move        // the latest first
	Names    map[string]string       // of products, by SKU
	Search   string
	MayMove  bool
	MayQuote bool
	Zone     *time.Location

	Form  string // id of the form that is shown again, "receive" or "move"
	Typed Typed
	Err   error
	Key   string
}

// barWidth is the width of the drawing of a row, in its own units.
const barWidth = 132

// NewStockPage lays out stock by place, reservations and the latest moves.
func NewStockPage(p Page, in StockData) StockPage {
	v := StockPage{
		Page: p, Filtered: in.Search != "", MayQuote: in.MayQuote,
		Search: Field{
			Name: "q", Label: p.T("stock.search"), Placeholder: p.T("stock.search_hint"), Type: "search", Value: in.Search, Max: quote.MaxShort,
		},
		Groups: stockGroups(p, in),
	}
	for _, r := range in.Reserved {
		v.Reserved = append(v.Reserved, stockReservation(p, in, r))
	}
	for _, m := range in.Moves {
		v.Moves = append(v.Moves, stockMove(p, in, m))
	}
	if in.MayMove {
		v.Receive, v.Move, v.NewPlace = receiveForm(p, in), moveForm(p, in), placeForm(p, in)
	}
	return v
}

// stockGroups sorts the rows by place, then by SKU.
func stockGroups(p Page, in StockData) []StockGroup {
	var most int64
	byPlace := map[int64][]inventory.Level{}
	for _, l := range in.Levels {
		if l.OnHand == 0 && l.Reserved == 0 || !stockMatches(in, l) {
			continue
		}
		most = max(most, l.OnHand)
		byPlace[l.Place] = append(byPlace[l.Place], l)
	}
	var groups []StockGroup
	for _, place := range in.Places {
		levels := byPlace[place.ID]
		if len(levels) == 0 {
			continue
		}
		slices.SortFunc(levels, func(a, b inventory.Level) int { return strings.Compare(a.SKU, b.SKU) })
		g := StockGroup{Title: place.Name}
		for _, l := range levels {
			g.Rows = append(g.Rows, stockRow(p, in, l, most))
		}
		groups = append(groups, g)
	}
	return groups
}

// stockMatches reports whether a row has the search in its SKU, name or place.
func stockMatches(in StockData, l inventory.Level) bool {
	if in.Search == "" {
		return true
	}
	search := strings.ToLower(in.Search)
	for _, s := range []string{l.SKU, in.Names[l.SKU], placeName(in.Places, l.Place)} {
		if strings.Contains(strings.ToLower(s), search) {
			return true
		}
	}
	return false
}

func placeName(places []inventory.Location, id int64) string {
	for _, pl := range places {
		if pl.ID == id {
			return pl.Name
		}
	}
	return ""
}

func stockRow(p Page, in StockData, l inventory.Level, most int64) StockRow {
	lang := p.L.Lang()
	name := in.Names[l.SKU]
	if name == "" {
		name = l.SKU
	}
	free := l.Available()
	return StockRow{
		SKU: l.SKU, Href: "/catalog/" + l.SKU, Name: name,
		OnHand: Int(lang, l.OnHand), Reserved: Int(lang, l.Reserved), Available: Int(lang, free),
		Bar: StockBar{
			Title:        p.T("stock.picture_title", "available", Int(lang, free), "reserved", Int(lang, l.Reserved)),
			HasAvailable: free > 0, AvailableW: barPart(free, most),
			HasReserved: l.Reserved > 0, ReservedX: barPart(free, most), ReservedW: barPart(l.Reserved, most),
		},
	}
}

// barPart returns a quantity in the units of the drawing, where most fills it.
func barPart(n, most int64) string {
	if most == 0 {
		return "0"
	}
	return strconv.FormatFloat(barWidth*float64(n)/float64(most), 'f', 1, 64)
}

func stockReservation(p Page, in StockData, r inventory.Reservation) StockReservation {
	v := StockReservation{
		Quote: r.Quote, Revision: "r" + itoa(r.Revision), SKU: r.SKU, Place: r.Place.Name,
		Quantity: Int(p.L.Lang(), r.Quantity), Until: untilText(p, r.Until, in.Zone),
	}
	if in.MayQuote {
		v.Href = "/quotes/" + strconv.FormatInt(r.QuoteID, 10)
	}
	return v
}

func stockMove(p Page, in StockData, m inventory.Move) StockMove {
	at := m.At.In(in.Zone)
	v := StockMove{
		When: DateShort(at) + " " + Clock(at), ISO: Machine(m.At), Kind: p.T("stock.kind_" + string(m.Kind)), SKU: m.SKU,
		Note: m.Note, Who: m.Actor, Quantity: Int(p.L.Lang(), m.Quantity),
	}
	switch {
	case m.From != nil && m.To != nil:
		v.Place = m.From.Name + " → " + m.To.Name
	case m.To != nil:
		v.Place, v.Quantity = m.To.Name, "+"+v.Quantity
	case m.From != nil:
		v.Place, v.Quantity = m.From.Name, minus+v.Quantity
	}
	if v.Who == "" {
		v.Who = p.T("audit.actor_system")
	}
	return v
}

// stockFields makes the fields of one of the two forms.
type stockFields struct {
	p    Page
	in   StockData
	form string
}

func (f stockFields) field(name, label string) Field {
	v := Field{Name: name, Label: f.p.T(label)}
	if f.in.Form == f.form {
		v.Value, v.Error = f.in.Typed.or(name, ""), FieldError(f.p.L, f.in.Err, name)
	}
	return v
}

func (f stockFields) sku() Field {
	v := f.field("sku", "catalogue.sku_code")
	v.Required, v.Max = true, 64
	for code := range f.in.Names {
		v.Suggest = append(v.Suggest, code)
	}
	slices.Sort(v.Suggest)
	return v
}

func (f stockFields) place(name, label string) Field {
	v := f.field(name, label)
	v.Type, v.Required = "select", true
	v.Options = append(v.Options, Option{Label: f.p.T("quote.choose_country")})
	for _, pl := range f.in.Places {
		id := strconv.FormatInt(pl.ID, 10)
		v.Options = append(v.Options, Option{Value: id, Label: pl.Name, Selected: id == v.Value})
	}
	return v
}

func (f stockFields) quantity() Field {
	v := f.field("quantity", "quote.quantity")
	v.Type, v.Required = "number", true
	return v
}

func (f stockFields) note() Field {
	v := f.field("note", "stock.note")
	v.Help, v.Max = f.p.T("stock.note_help"), 200
	return v
}

func (f stockFields) build(title, action, submit string, fields ...Field) *StockForm {
	v := &StockForm{ID: f.form, Title: f.p.T(title), Action: action, Key: f.in.Key + f.form, Submit: f.p.T(submit), Fields: fields}
	if f.in.Form == f.form && f.in.Err != nil {
		pointers := make([]*Field, len(v.Fields))
		for i := range v.Fields {
			pointers[i] = &v.Fields[i]
		}
		v.Faults = formFaults(f.p, f.in.Err, pointers...)
	}
	return v
}

func receiveForm(p Page, in StockData) *StockForm {
	f := stockFields{p, in, "receive"}
	return f.build("stock.receive_title", "/inventory/receive", "stock.receive_do",
		f.sku(), f.place("to", "stock.place"), f.quantity(), f.note())
}

func moveForm(p Page, in StockData) *StockForm {
	f := stockFields{p, in, "move"}
	return f.build("stock.move_title", "/inventory/move", "stock.move_do",
		f.sku(), f.place("from", "stock.from_place"), f.place("to", "stock.to_place"), f.quantity(), f.note())
}

func placeForm(p Page, in StockData) *StockForm {
	f := stockFields{p, in, "places"}
	code := f.field("code", "stock.code")
	code.Help, code.Max, code.Required = p.T("stock.place_code"), 20, true
	name := f.field("name", "stock.place_name")
	name.Max, name.Required = quote.MaxShort, true
	return f.build("stock.add_place", "/inventory/places", "stock.add_place", code, name)
}
