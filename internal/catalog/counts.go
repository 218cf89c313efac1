package catalog

// Counts says how much the catalogue holds.
type Counts struct {
	SKUs    int // in lists: without those of low confidence
	Figures int // claims about specifications, each with its source
	Sources int
}
