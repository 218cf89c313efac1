// Package basis holds what an estimate rests on: assumptions and constants with their
// source and date, error bands, and messages that a person will read later in a language
// of their choice. Everything in it is plain data that is stored with a report. It knows
// no model, hardware or price.
package basis

import "strconv"

// Kind says what sort of ground an assumption stands on.
type Kind string

// The kinds of ground.
const (
	Measured  Kind = "measured"  // a published measurement
	Datasheet Kind = "datasheet" // a catalogue claim
	Published Kind = "published" // another published figure
	Default   Kind = "default"   // a documented default of a format or tool
	Judgement Kind = "judgement" // no published figure exists
	Input     Kind = "input"     // typed by the user
	Derived   Kind = "derived"   // arithmetic on other rows
)

// Format says how a page writes a message argument. The engine never formats.
type Format string

// The formats of arguments.
const (
	Text    Format = "text"    // as it is: names, codes, field names
	Number  Format = "number"  // a plain decimal, written in the reader's style
	Bytes   Format = "bytes"   // a number of bytes
	Millis  Format = "ms"      // milliseconds
	Percent Format = "percent" // 12.5 is 12.5 %
	Date    Format = "date"    // ISO date
	Ref     Format = "message" // the id of another message
)

// Arg is one named value of a message.
type Arg struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Format Format `json:"format"`
}

// Message is a text to be translated: an id of internal/i18n and its named values.
type Message struct {
	ID   string `json:"id"`
	Args []Arg  `json:"args,omitempty"`
}

// Msg returns a message.
func Msg(id string, args ...Arg) Message { return Message{ID: id, Args: args} }

// T returns a text argument.
func T(name, value string) Arg { return Arg{name, value, Text} }

// Int returns a whole-number argument.
func Int[N ~int | ~int64](name string, n N) Arg {
	return Arg{name, strconv.FormatInt(int64(n), 10), Number}
}

// Num returns a number argument, with at most four significant digits: more would claim a
// precision that no estimate has.
func Num[F ~float64](name string, f F) Arg {
	return Arg{name, formatFloat(float64(f), 4), Number}
}

// In returns an argument of the given format.
func In[F ~float64 | ~int64](format Format, name string, f F) Arg {
	return Arg{name, formatFloat(float64(f), 15), format}
}

// Pointer returns an argument that is itself a message without arguments.
func Pointer(name, id string) Arg { return Arg{name, id, Ref} }

func formatFloat(f float64, digits int) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', digits, 64), 64)
	if err != nil {
		rounded = f
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// Assumption is one figure that an answer rests on, with where it comes from.
type Assumption struct {
	Key       string `json:"key"`                  // stable, for overrides and comparison
	MessageID string `json:"message_id"`           // the label
	Args      []Arg  `json:"args,omitempty"`       // of the label
	Value     string `json:"value"`                // plain decimal or text; empty is unknown
	Low       string `json:"low,omitempty"`        // range where one is published
	High      string `json:"high,omitempty"`       //
	Unit      string `json:"unit,omitempty"`       //
	Region    string `json:"region,omitempty"`     //
	SourceID  string `json:"source_id,omitempty"`  // of the catalogue's sources
	Source    string `json:"source,omitempty"`     // where the catalogue has no such source: file, page, equation
	AsOf      string `json:"as_of,omitempty"`      // ISO date
	Kind      Kind   `json:"kind"`                 //
	Stale     bool   `json:"stale,omitempty"`      // a price older than 45 days (R15)
	Confident string `json:"confidence,omitempty"` // high, medium, low
}

// Band is an estimate with its error band: low and high are the p10 and p90 of the
// published errors of comparable rows.
type Band struct {
	Low  float64 `json:"low"`
	Mid  float64 `json:"mid"`
	High float64 `json:"high"`
}

// Around returns the band mid × [1-below, 1+above].
func Around(mid, below, above float64) Band {
	return Band{Low: mid * (1 - below), Mid: mid, High: mid * (1 + above)}
}

// Scale returns the band times a positive factor.
func (b Band) Scale(f float64) Band { return Band{b.Low * f, b.Mid * f, b.High * f} }
