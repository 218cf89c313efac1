package view

import (
	"strconv"

	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// manyLines is the length from which a quote's alternatives stand for the item above them only.
const manyLines = 200

// more makes the fields that few lines need. They stand in the part of a row that opens.
func (b lineBuilder) more(i int, l quote.Line) []Field {
	off := ""
	if !l.Off.IsZero() {
		off = MoneyDigits(money.New(l.Off, b.currency))
	}
	term := ""
	if l.Term.Periods > 0 {
		term = strconv.Itoa(l.Term.Periods)
	}
	fields := []Field{
		b.number(i, "off", "quote.off", off),
		b.number(i, "term", "quote.term", term),
		b.choice(i, "term_unit", "quote.term_unit", string(l.Term.Unit), []Option{
			{Value: string(quote.Once), Label: b.p.T("quote.term_once")}, {Value: string(quote.Monthly), Label: b.p.T("quote.term_months")},
			{Value: string(quote.Yearly), Label: b.p.T("quote.term_years")},
		}),
	}
	promise := b.field(i, "promise", "quote.promise_day", isoDay(l.Promise))
	promise.Type = "date"
	if promise.Value == isoDay(quote.Line{}.Promise) {
		promise.Value = ""
	}
	fields = append(fields, promise)
	fields[0].Note, fields[1].Note = "", "" // the label says it; cells of the table have none
	if l.Kind == quote.Alternative {
		fields = append(fields, b.choice(i, "replaces", "quote.instead_of", strconv.FormatInt(l.Replaces, 10), b.replaceable()))
	}
	if from := i + 1; from < len(b.in.Content.Lines) && b.in.Content.Lines[from].Part {
		print := "parts"
		if l.Lump {
			print = "lump"
		}
		fields = append(fields, b.choice(i, "print", "quote.bundle_print", print, []Option{
			{Value: "parts", Label: b.p.T("quote.bundle_print_parts")}, {Value: "lump", Label: b.p.T("quote.bundle_print_lump")},
		}))
	}
	config := b.field(i, "config", "quote.line_config", l.Config)
	config.Type, config.Rows, config.Max = "textarea", 2, quote.MaxDescription
	return append(fields, config)
}

func (b lineBuilder) choice(i int, name, label, stored string, options []Option) Field {
	f := b.field(i, name, label, stored)
	f.Type = "select"
	for n := range options {
		options[n].Selected = options[n].Value == f.Value
	}
	f.Options = options
	return f
}

// replaceable lists the items that an alternative can stand for.
func (b lineBuilder) replaceable() []Option {
	options := []Option{{Value: "0", Label: b.p.T("quote.instead_of_above")}}
	if len(b.in.Content.Lines) > manyLines {
		return options // a menu of hundreds in each of hundreds of rows helps nobody
	}
	for n, l := range b.in.Content.Lines {
		if l.Kind == quote.Item && !l.Part && l.ID != 0 {
			options = append(options, Option{Value: strconv.FormatInt(l.ID, 10), Label: b.pos[n] + " " + l.Description})
		}
	}
	return options
}

// says tells what a line has of all that, so that it is seen without opening anything.
func (b lineBuilder) says(l quote.Line) []string {
	var says []string
	if term := TermText(b.p, l.Term); term != "" {
		says = append(says, "× "+term)
	}
	if !l.Off.IsZero() {
		says = append(says, b.p.T("quote.off")+": "+MoneyDigits(money.New(l.Off, b.currency)))
	}
	if !l.Promise.IsZero() {
		says = append(says, b.p.T("public.promised", "date", Date(b.p.L.Lang(), l.Promise)))
	}
	if l.Lump {
		says = append(says, b.p.T("quote.bundle_print_lump"))
	}
	if l.Config != "" {
		says = append(says, l.Config)
	}
	return says
}
