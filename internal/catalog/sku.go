// Package catalog holds what is sold and what is known about it: SKUs, sourced claims
// about them, bills of materials, compatibility, prices and export-control classes. It is
// pure: no SQL, no HTTP, no clock. Entry points: Winner and Conflicts (which claim
// counts), Derive (what follows from parts), Filter (what a list shows), BuyingPrice and
// ComparisonOffer (which price counts).
package catalog

import "time"

// Confidence says how far a source is trusted.
type Confidence string

// The confidences, best first.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// rank orders confidences, best first; an unknown word counts as the worst.
func (c Confidence) rank() int {
	switch c {
	case High:
		return 0
	case Medium:
		return 1
	}
	return 2
}

// Kind is the kind of a SKU.
type Kind string

// The kinds, in the order in which menus show them.
const (
	GPU           Kind = "gpu"
	Baseboard     Kind = "baseboard"
	System        Kind = "system"
	Cluster       Kind = "cluster"
	Network       Kind = "network"
	Accessory     Kind = "accessory"
	CloudInstance Kind = "cloud_instance"
)

// Status is where a SKU stands in its life.
type Status string

// The states of a SKU. Unverified parts have no public datasheet.
const (
	Shipping   Status = "shipping"
	Superseded Status = "superseded"
	Announced  Status = "announced"
	Unverified Status = "unverified"
)

// SKU is one catalogue item. Empty strings and zero times are unknown, never zero.
type SKU struct {
	Code          string
	Kind          Kind
	Family        string
	Name          string // short English name; Names has the display names
	Vendor        string
	FormFactor    string
	GPUs          int    // GPUs inside; 0 where there is none
	GPUSKU        string // code of the GPU inside, empty for a GPU itself
	Launch        string // ISO date of the first announcement; empty is unknown
	Status        Status
	Description   string
	SourceID      string
	SourceDetail  string
	AlsoSourceIDs []string
	Confidence    Confidence
	Names         map[string]string // by language tag: en, zh-Hans, zh-Hant
}

// NameIn returns the display name in a language, else the English one, else the code.
func (s SKU) NameIn(lang string) string {
	for _, n := range []string{s.Names[lang], s.Names["en"], s.Name} {
		if n != "" {
			return n
		}
	}
	return s.Code
}

// Source is where a fact comes from.
type Source struct {
	ID          string
	Kind        string
	Title       string
	Publisher   string
	URL         string // an address, or a reference where there is none
	Published   string // ISO date, may stop at year or month; empty is unknown
	Retrieved   time.Time
	Licence     string
	LicenceNote string
}

// Component is one line of a bill of materials, one level deep.
type Component struct {
	Parent     string
	Child      string
	Quantity   int
	Role       string
	SourceID   string
	Confidence Confidence
	Remark     string
}

// Relation is how two SKUs go together.
type Relation string

// The relations. Requires: one SKU needs Quantity of the other in the same system; rows
// with the same AnyOf are alternatives. Max: at most Quantity of SKU per other. Fits: SKU
// goes into the other, which takes Quantity. Excludes: not together.
const (
	Requires Relation = "requires"
	Excludes Relation = "excludes"
	Fits     Relation = "fits"
	Max      Relation = "max"
)

// Compatibility is one sourced statement of how two SKUs go together.
type Compatibility struct {
	SKU      string
	Relation Relation
	Other    string
	Quantity int // 0 is unknown or does not apply
	AnyOf    string
	SourceID string
	Remark   string
}

// Substitute is a SKU that may stand in for another, and what to watch for.
type Substitute struct {
	SKU      string
	With     string
	Reason   string
	Caveat   string
	SourceID string
}

// Alias is another spelling of a GPU's SKU, as measurements and drivers write it.
type Alias struct {
	Alias  string
	SKU    string // empty where no SKU matches
	Match  string // exact, nearest, none
	UsedIn string
	Note   string
}
