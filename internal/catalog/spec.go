package catalog

import "time"

// SpecDefinition says what a spec key means. One unit per key.
type SpecDefinition struct {
	Key         string
	Label       string // English, as in the glossary (group spec)
	Unit        string
	Type        string // "number", "text", "bool"
	Better      string // "higher", "lower", "none"
	Group       string
	Sort        int
	Description string
}

// Claim is one sourced statement about a SKU. Several per (SKU, Key, Qualifier) are intended.
type Claim struct {
	SKU          string
	Key          string
	Qualifier    string // dense, sparse, full_die …; part of the identity
	Value        string // as stored: plain decimal, "true"/"false", or text
	Unit         string
	SourceKind   string // vendor_datasheet, whitepaper, oem, third_party, reseller_claim
	SourceID     string
	SourceDetail string
	AsOf         time.Time
	Confidence   Confidence
	Verdict      string // of reseller claims: confirmed, contradicted, garbled, unverifiable
	Remark       string
}

// Product is a SKU with all that is known about it, as the product page and the sizing
// engine need it.
type Product struct {
	SKU        SKU
	Claims     []Claim
	Components []Component // its direct parts
}
