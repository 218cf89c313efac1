package quote

import (
	"testing"

	"rackwright/internal/money"
)

// R14: only an edit by somebody with the right brings a reference; one that was recorded holds for the same customer
// and countries and for no more of any product.
func TestMergeLicence(t *testing.T) {
	line := item("2 100")
	line.ID, line.SKU = 1, "SRV"
	stored := aContent(line)
	stored.Customer = Party{CustomerID: 1, Name: "Example"}
	stored.ShipTo, stored.EndUser, stored.LicenceRef = "VN", "VN", "L-1"
	book := Book{Company: "USD", Products: map[string]Product{"SRV": {Names: map[string]string{"en": "Server"}}}}
	ref := func(s string) *string { return &s }
	tests := map[string]struct {
		change  func(*Content)
		licence *string
		want    string
	}{
		"nothing changed":        {func(*Content) {}, nil, "L-1"},
		"a note":                 {func(c *Content) { c.Note = "x" }, nil, "L-1"},
		"fewer":                  {func(c *Content) { c.Lines[0].Quantity = money.FromInt(1) }, nil, "L-1"},
		"more":                   {func(c *Content) { c.Lines[0].Quantity = money.FromInt(3) }, nil, ""},
		"as an option":           {func(c *Content) { c.Lines[0].Kind = Option }, nil, "L-1"},
		"another line of it":     {func(c *Content) { c.Lines = append(c.Lines, as(Option, line)) }, nil, ""},
		"a free line":            {func(c *Content) { c.Lines = append(c.Lines, Line{Kind: Item, Description: "x", Quantity: dec("1")}) }, nil, "L-1"},
		"another end user":       {func(c *Content) { c.EndUser = "CN" }, nil, ""},
		"another country":        {func(c *Content) { c.ShipTo = "CN" }, nil, ""},
		"another customer":       {func(c *Content) { c.Customer.CustomerID = 2 }, nil, ""},
		"typed without right":    {func(c *Content) { c.LicenceRef = "L-9" }, nil, "L-1"},
		"typed with right":       {func(*Content) {}, ref(" L-2 "), "L-2"},
		"taken back":             {func(*Content) {}, ref(""), ""},
		"left in the form":       {func(c *Content) { c.EndUser = "CN" }, ref("L-1"), ""},
		"typed for what changed": {func(c *Content) { c.EndUser = "CN" }, ref("L-3"), "L-3"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := stored
			c.Lines = []Line{line}
			tt.change(&c)
			got, err := Merge(&stored, Edit{Content: c, Licence: tt.licence}, book, noon)
			if err != nil {
				t.Fatal(err)
			}
			if got.LicenceRef != tt.want {
				t.Errorf("licence %q, want %q", got.LicenceRef, tt.want)
			}
		})
	}
}
