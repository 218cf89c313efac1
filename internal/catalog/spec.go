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

// Kinds of the source of a claim, the most trusted first.
const (
	VendorDatasheet = "vendor_datasheet" // also guides and the vendor's own repositories
	Whitepaper      = "whitepaper"
	OEM             = "oem" // submissions and papers of system makers and cloud operators
	ThirdParty      = "third_party"
	Reseller        = "reseller_claim"
)

// Qualifiers that matter to a rule; the others only tell claims apart.
const (
	Dense             = "dense"
	Sparse            = "sparse"
	Aggregate         = "aggregate" // whole board or system
	FullDie           = "full_die"  // the whole chip, not the product
	DensePreliminary  = "dense_preliminary"
	SparsePreliminary = "sparse_preliminary"
)

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

// Identity is what a claim is about. Claims of one identity compete.
type Identity struct {
	SKU       string
	Key       string
	Qualifier string
}

// Identity returns what the claim is about.
func (c Claim) Identity() Identity { return Identity{c.SKU, c.Key, c.Qualifier} }

// ResellerClaim is one statement of a reseller's text, restated in English, with a verdict.
type ResellerClaim struct {
	ID            string
	Source        string // title of the text's source
	Topic         string
	Text          string
	Value         string
	Unit          string
	Verdict       string // confirmed, contradicted, garbled, unverifiable
	Correct       string // what the better source says, in words
	SourceID      string // of the better source; empty where there is none
	SourceDetail  string
	AlsoSourceIDs []string
	SKU           string // empty where the text is about no single SKU
	Key           string
	Qualifier     string
}

// Product is a SKU with all that is known about it, as the product page and the sizing
// engine need it.
type Product struct {
	SKU        SKU
	Claims     []Claim
	Components []Component // its direct parts
}
