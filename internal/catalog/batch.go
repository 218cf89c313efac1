package catalog

// Batch is what one import brings: rows that were read and checked, in the order of the files.
type Batch struct {
	Sources        []Source
	SKUs           []SKU // without names
	Names          []Name
	Aliases        []Alias
	Definitions    []SpecDefinition
	Claims         []Claim
	ClaimLines     []int // line of each claim in its file, for messages
	ResellerClaims []ResellerClaim
	Components     []Component
	Compatible     []Compatibility
	Substitutes    []Substitute
	Controls       []ControlClass
	Destinations   []ControlDestination
	Subjects       []PriceSubject
	Observations   []PriceObservation
	Offers         []CloudOffer
	ColoCosts      []ColoCost
	CostDefaults   []CostDefault
}

// Products joins SKUs with their claims and parts, for whoever needs the shipped catalogue
// without a database. Names stay apart.
func (b *Batch) Products() []Product {
	claims, parts := map[string][]Claim{}, map[string][]Component{}
	for _, c := range b.Claims {
		claims[c.SKU] = append(claims[c.SKU], c)
	}
	for _, c := range b.Components {
		parts[c.Parent] = append(parts[c.Parent], c)
	}
	out := make([]Product, 0, len(b.SKUs))
	for _, s := range b.SKUs {
		out = append(out, Product{SKU: s, Claims: claims[s.Code], Components: parts[s.Code]})
	}
	return out
}

// Name is the display name of a SKU in one language.
type Name struct {
	SKU  string
	Lang string
	Name string
}

// Changes counts what an import did, by file.
type Changes struct {
	File     string
	Inserted int
	Updated  int
}

// Keys are the codes that rows of an import may refer to and that are stored already.
type Keys struct {
	Sources      map[string]bool
	SourceTitles map[string]bool
	SKUs         map[string]bool
	Definitions  map[string]SpecDefinition
	Subjects     map[string]bool
	Parts        []HeldPart
}

// HeldPart says that a bill of materials holds another product.
type HeldPart struct{ Parent, Child string }

// Detail is everything that the page of one product shows.
type Detail struct {
	Product
	Definitions    map[string]SpecDefinition
	Sources        map[string]Source
	ResellerClaims []ResellerClaim
	UsedIn         []Component // bills of materials that hold it
	Compatible     []Compatibility
	Substitutes    []Substitute // what may replace it
	Replaces       []Substitute // what it may replace
	Control        *ControlClass
	Others         map[string]Row // other SKUs named on the page
	Parts          map[string]Product
	Subjects       map[string]PriceSubject
	Observations   []PriceObservation // newest first
	Offers         []CloudOffer
	Buying         map[string][]PriceObservation // newest usable prices of plain series by SKU
}

// Lookup finds the product itself and its parts, for Derive.
func (d Detail) Lookup(code string) (Product, bool) {
	if code == d.SKU.Code {
		return d.Product, true
	}
	p, ok := d.Parts[code]
	return p, ok
}
