package quote

import (
	"fmt"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
)

// MaxLines is the most lines a quote can have. A SuperPOD spelled out takes some hundreds.
const MaxLines = 2000

// The bounds of figures are those of the database: numeric(18,6) and numeric(9,6).
const (
	maxPlaces = 6
)

var (
	maxFigure = money.MustDecimal("999999999999.999999") // price or quantity
	maxTotal  = money.MustDecimal("999999999999999")     // sum of a quote
	hundred   = money.FromInt(100)
)

// LineField returns the path of a field of line i, as error messages and forms name it.
func LineField(i int, field string) string { return fmt.Sprintf("lines[%d].%s", i, field) }

// Names of fields in messages are messages themselves.
var (
	labelQuantity  = apperr.Msg("quote.quantity")
	labelUnitPrice = apperr.Msg("price.unit_price")
	labelDiscount  = apperr.Msg("quote.discount")
	labelTaxRate   = apperr.Msg("quote.tax_rate")
)

// validate returns all faults of the figures at once.
func (in Input) validate() error {
	var f apperr.Faults
	if !in.Currency.Valid() {
		f.Add("currency", "errors.form_choose")
	}
	if in.TaxMode != Exclusive && in.TaxMode != Inclusive {
		f.Add("tax_mode", "errors.form_choose")
	}
	if len(in.Lines) > MaxLines {
		f.Add("lines", "quote.too_many_lines", "n", MaxLines)
		return f.Err()
	}
	bundle := -1 // the line that parts would belong to
	for i, l := range in.Lines {
		validateLine(&f, i, l)
		if l.Off.Trim().Places() > in.Currency.Decimals() && in.Currency.Valid() {
			f.Add(LineField(i, "discount"), "errors.form_decimals", "field", labelDiscount, "n", in.Currency.Decimals())
		}
		switch {
		case !l.Part && l.Kind.Priced():
			bundle = i
		case !l.Part:
			bundle = -1
		default:
			validatePart(&f, i, bundle, in.Lines)
		}
	}
	in.Discount.validate(&f, in.Currency)
	return f.Err()
}

func validateLine(f *apperr.Faults, i int, l Line) {
	switch l.Kind {
	case Section, Note:
		return // text only; figures that a form left behind do not count
	case Item, Option, Alternative:
	default:
		f.Add(LineField(i, "kind"), "errors.form_choose")
		return
	}
	checkFigure(f, LineField(i, "quantity"), labelQuantity, l.Quantity, true)
	if l.UnitPrice != nil {
		checkFigure(f, LineField(i, "unit_price"), labelUnitPrice, *l.UnitPrice, false)
	}
	checkPercent(f, LineField(i, "discount"), labelDiscount, l.Discount)
	validateOff(f, i, l)
	validateTerm(f, i, l.Term)
	checkPercent(f, LineField(i, "tax_rate"), labelTaxRate, l.TaxRate)
	if l.UnitPrice != nil && !f.Has(LineField(i, "quantity")) && !f.Has(LineField(i, "unit_price")) {
		if maxTotal.Less(l.Quantity.Mul(*l.UnitPrice).Mul(l.Term.Factor()).Abs()) {
			f.Add(LineField(i, "unit_price"), "quote.too_large", "max", maxTotal.String())
		}
	}
}

// validateOff checks a discount that is an amount; whether it fits the line is known later.
func validateOff(f *apperr.Faults, i int, l Line) {
	switch {
	case l.Off.IsZero():
	case !l.Discount.IsZero():
		f.Add(LineField(i, "discount"), "quote.discount_twice")
	case l.Off.Sign() < 0 || maxTotal.Less(l.Off):
		f.Add(LineField(i, "discount"), "errors.form_range", "field", labelDiscount, "min", 0, "max", maxTotal.String())
	}
}

func validateTerm(f *apperr.Faults, i int, t Term) {
	if (t.Periods == 0) != (t.Unit == Once) || (t.Unit != Once && t.Unit != Monthly && t.Unit != Yearly) {
		f.Add(LineField(i, "term"), "errors.form_choose")
		return
	}
	if t.Periods < 0 || t.Periods > MaxPeriods {
		f.Add(LineField(i, "term"), "errors.form_range", "field", apperr.Msg("quote.term"), "min", 1, "max", MaxPeriods)
	}
}

// validatePart checks what the bundle above allows.
func validatePart(f *apperr.Faults, i, bundle int, lines []Line) {
	l := lines[i]
	if bundle < 0 {
		f.Add(LineField(i, "part"), "quote.part_without_bundle")
		return
	}
	if l.Kind != Item {
		f.Add(LineField(i, "kind"), "quote.part_is_item")
	}
	if !l.Discount.IsZero() || !l.Off.IsZero() {
		f.Add(LineField(i, "discount"), "quote.part_discount")
	}
	if l.UnitPrice != nil && lines[bundle].UnitPrice != nil {
		f.Add(LineField(i, "unit_price"), "quote.part_price")
	}
}

// checkFigure checks the range and the places of a price or a quantity.
func checkFigure(f *apperr.Faults, field string, label apperr.Message, v money.Decimal, positive bool) {
	lowest := maxFigure.Neg()
	if positive {
		lowest = money.Decimal{}
	}
	if v.Less(lowest) || maxFigure.Less(v) {
		f.Add(field, "errors.form_range", "field", label, "min", lowest.String(), "max", maxFigure.String())
		return
	}
	if v.Trim().Places() > maxPlaces {
		f.Add(field, "errors.form_decimals", "field", label, "n", maxPlaces)
	}
}

// checkPercent accepts 0 to 100 %.
func checkPercent(f *apperr.Faults, field string, label apperr.Message, p money.Percent) {
	if p.Sign() < 0 || hundred.Less(p.Decimal()) {
		f.Add(field, "errors.form_range", "field", label, "min", 0, "max", 100)
		return
	}
	if p.Decimal().Trim().Places() > maxPlaces {
		f.Add(field, "errors.form_decimals", "field", label, "n", maxPlaces)
	}
}
