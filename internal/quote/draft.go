package quote

import (
	"strings"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
)

// Merge turns what somebody typed into the content of a draft: it keeps what stored lines remember of their
// list price (R10), looks up prices and facts of new lines, marks prices that differ from the list
// with who set them, and adds the bill of materials of new bundles.
//
// A stored line keeps its price when only a date changes. It is priced again when its quantity changes
// while it stands at list price, when the currency or the tax mode changes, or with Reprice; an empty
// price takes the list's. A price set by hand is converted when the currency changes, and blank where
// there is no rate. stored is nil for a new quote. Faults are named by the index of the typed line.
func Merge(stored *Content, typed Edit, book Book, now time.Time) (Content, error) {
	m := merger{book: book, edit: typed, now: now, out: typed.Content, repriced: typed.Reprice}
	if stored != nil {
		m.old = *stored
		m.recall()
	}
	if len(typed.Content.Lines) > MaxLines {
		m.faults.Add("lines", "quote.too_many_lines", "n", MaxLines)
		return Content{}, m.faults.Err()
	}
	m.out.validateTexts(&m.faults)
	m.out.Lines = nil
	m.mergeLines(typed.Content.Lines)
	m.convertDiscount()
	m.checkReplaces()
	m.out.LicenceRef = m.licence()
	checkLength(&m.faults, "licence_ref", "quote.licence_reference", m.out.LicenceRef, MaxShort)
	if err := m.faults.Err(); err != nil {
		return Content{}, err
	}
	return m.out, nil
}

// merger holds the two contents while one becomes the other.
type merger struct {
	book     Book
	edit     Edit
	now      time.Time
	old      Content // zero for a new quote
	out      Content
	byID     map[int64]Line  // stored lines that were not taken yet
	bundleID map[int64]int64 // of a stored part: the line it belongs to
	nextID   int64
	repriced bool
	faults   apperr.Faults
}

// recall indexes the stored lines.
func (m *merger) recall() {
	m.byID, m.bundleID = map[int64]Line{}, map[int64]int64{}
	var bundle int64
	for _, l := range m.old.Lines {
		m.byID[l.ID] = l
		m.nextID = max(m.nextID, l.ID)
		if l.Part {
			m.bundleID[l.ID] = bundle
		} else {
			bundle = l.ID
		}
	}
	if m.old.Currency != m.out.Currency || m.old.TaxMode != m.out.TaxMode {
		m.repriced = true
	}
}

func (m *merger) mergeLines(lines []Line) {
	for i := 0; i < len(lines); {
		if lines[i].Part && i == 0 {
			m.faults.Add(LineField(i, "part"), "quote.part_without_bundle")
		}
		from, to := partsOf(lines, i)
		head, isNew := m.mergeLine(lines[i], i)
		m.out.Lines = append(m.out.Lines, head)
		parts := lines[from:to]
		if isNew && head.Kind.Priced() {
			parts = m.bill(head.SKU, parts)
		}
		for n, p := range parts {
			if b, stored := m.bundleID[p.ID]; stored && b != head.ID {
				continue // its bundle was removed, and parts go with it
			}
			m.out.Lines = append(m.out.Lines, m.mergePart(head, p, from+n))
		}
		i = to
	}
}

// bill returns the parts of a new bundle: those that came with it, or else its bill of materials. Stored
// parts that stand below belong to what was here before.
func (m *merger) bill(sku string, given []Line) []Line {
	for _, p := range given {
		if _, stored := m.bundleID[p.ID]; !stored {
			return given
		}
	}
	var parts []Line
	for _, p := range m.book.Products[sku].Parts {
		parts = append(parts, Line{Kind: Item, Part: true, SKU: p.SKU, Quantity: money.FromInt(p.Quantity)})
	}
	return parts
}

// mergeLine merges one line, and reports whether it or its SKU is new.
func (m *merger) mergeLine(typed Line, i int) (Line, bool) {
	stored, known := m.byID[typed.ID]
	delete(m.byID, typed.ID) // a copied id is a new line
	typed.SKU = NormalSKU(typed.SKU)
	validateLine(&m.faults, i, typed)

	l := Line{ID: stored.ID, Kind: typed.Kind, Part: typed.Part, Description: strings.TrimSpace(typed.Description)}
	if !known {
		m.nextID++
		l.ID = m.nextID
	}
	isNew := !known || stored.SKU != typed.SKU
	if l.Kind.Priced() {
		l.SKU, l.Assembled = typed.SKU, typed.Assembled
		l.Quantity, l.Discount, l.Off, l.Term = typed.Quantity, typed.Discount, typed.Off, typed.Term
		l.TaxRate, l.TaxName = m.tax(typed)
		l.Lump, l.Promise, l.Config = typed.Lump, typed.Promise, strings.TrimSpace(typed.Config)
		if l.Kind == Alternative {
			l.Replaces = typed.Replaces
		}
		m.addFacts(&l, i)
		if isNew {
			m.priceNew(&l, typed)
		} else {
			m.priceStored(&l, typed, stored)
		}
	}
	validateDescription(&m.faults, i, l)
	return l, isNew
}

// mergePart merges a part. It has a price of its own only where the bundle has none.
func (m *merger) mergePart(head, typed Line, i int) Line {
	typed.Part, typed.Kind, typed.Discount, typed.Off = true, Item, money.Percent{}, money.Decimal{}
	typed.Term, typed.Lump = Term{}, false
	l, _ := m.mergeLine(typed, i)
	l.TaxRate, l.TaxName = head.TaxRate, head.TaxName
	if head.UnitPrice != nil {
		l.UnitPrice, l.Override = nil, nil
	}
	return l
}

// addFacts takes what the catalogue and the limits say of the line's SKU today.
func (m *merger) addFacts(l *Line, i int) {
	if l.SKU == "" {
		return
	}
	product, ok := m.book.Products[l.SKU]
	if !ok {
		m.faults.Add(LineField(i, "sku"), "errors.form_not_found", "value", l.SKU)
		return
	}
	l.ControlTo, l.Stocked = product.Control, product.Stocked
	l.Floor, l.Cost = m.book.limit(l.SKU, m.out.Currency, m.out.Day)
	if l.Description == "" || (m.old.Lang != m.out.Lang && l.Description == product.NameIn(m.old.Lang)) {
		l.Description = product.NameIn(m.out.Lang)
	}
}

// tax returns the rate of a line as typed, and none where the whole quote is without tax.
func (m *merger) tax(typed Line) (money.Percent, string) {
	if m.out.TaxRule != Taxed {
		return money.Percent{}, ""
	}
	return typed.TaxRate, typed.TaxName
}

// ask returns what the list price of a line depends on.
func (m *merger) ask(l *Line) Ask {
	return Ask{SKU: l.SKU, Quantity: l.Quantity, Day: m.out.Day, Currency: m.out.Currency,
		TaxMode: m.out.TaxMode, Group: m.out.Customer.Group}
}

// priceNew prices a line that was not here before.
func (m *merger) priceNew(l *Line, typed Line) {
	l.List = ListPrice{Origin: Manual}
	if l.SKU != "" {
		l.List = m.book.Price(m.ask(l))
	}
	l.UnitPrice = typed.UnitPrice
	if l.UnitPrice == nil {
		l.UnitPrice = l.List.Price
	}
	m.mark(l, nil, typed)
}

// priceStored prices a line that was here before.
func (m *merger) priceStored(l *Line, typed, stored Line) {
	onList := !stored.OffList()
	untouched := same(typed.UnitPrice, stored.UnitPrice)
	l.List = stored.List
	again := m.repriced || (onList && !typed.Quantity.Equal(stored.Quantity)) || (typed.UnitPrice == nil && stored.List.Price == nil)
	if again && l.SKU != "" {
		l.List = m.book.Price(m.ask(l))
	}
	switch {
	case typed.UnitPrice == nil, untouched && onList:
		l.UnitPrice = l.List.Price
		m.mark(l, nil, typed)
	case untouched:
		l.UnitPrice = m.convert(stored.UnitPrice)
		m.mark(l, stored.Override, typed)
	default:
		l.UnitPrice = typed.UnitPrice
		m.mark(l, nil, typed)
	}
}

// mark records who set a price that is not the list's. before is the mark of an untouched price.
func (m *merger) mark(l *Line, before *Override, typed Line) {
	if l.SKU == "" || l.UnitPrice == nil || !l.OffList() {
		return
	}
	o := Override{UserID: m.edit.Actor.ID, User: m.edit.Actor.Name, At: m.now}
	if before != nil {
		o = *before
	}
	if typed.Override != nil && strings.TrimSpace(typed.Override.Reason) != "" {
		o.Reason = strings.TrimSpace(typed.Override.Reason)
	}
	l.Override = &o
}

// convert turns a price set by hand into the new currency, if the currency changed.
func (m *merger) convert(price *money.Decimal) *money.Decimal {
	if m.old.Currency == m.out.Currency || price == nil {
		return price
	}
	rate, ok := FindRate(m.book.Rates, m.old.Currency, m.out.Currency, m.out.Day)
	if !ok {
		return nil
	}
	converted := rate.Convert(*price, m.old.Currency, m.out.Currency.Decimals())
	return &converted
}

// convertDiscount takes a discount amount along into another currency.
func (m *merger) convertDiscount() {
	amount := m.out.Discount.Amount
	if m.old.Currency == "" || m.old.Currency == m.out.Currency || amount.IsZero() || !amount.Equal(m.old.Discount.Amount) {
		return
	}
	converted := m.convert(&amount)
	if converted == nil {
		m.faults.Add("discount", "quote.discount_without_rate", "from", string(m.old.Currency), "to", string(m.out.Currency))
		return
	}
	m.out.Discount.Amount = *converted
}

// same reports whether two prices are equal or both unknown.
func same(a, b *money.Decimal) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(*b)
}
