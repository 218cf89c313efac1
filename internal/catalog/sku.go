// Package catalog holds what is sold and what is known about it: SKUs, sourced claims
// about them, bills of materials, compatibility and prices. It is pure: no SQL, no HTTP,
// no clock. Entry points: Winner and Conflicts (which claim counts), Derive (what follows
// from parts), Filter (what a list shows).
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

// Kind is the kind of a SKU, for example "gpu", "baseboard", "system".
type Kind string

// SKU is one catalogue item. Empty strings and zero times are unknown, never zero.
type SKU struct {
	Code        string
	Kind        Kind
	Family      string
	Vendor      string
	FormFactor  string
	GPUs        int    // GPUs inside; 0 where there is none
	GPUSKU      string // code of the GPU inside, empty for a GPU itself
	Launch      string // ISO date, may stop at year or month
	Status      string
	Description string
	SourceID    string
	Confidence  Confidence
	Names       map[string]string // by language tag: en, zh-Hans, zh-Hant
}

// Source is where a fact comes from.
type Source struct {
	ID        string
	Kind      string
	Title     string
	Publisher string
	URL       string
	Published string // ISO date, may stop at year or month; empty is unknown
	Retrieved time.Time
	Licence   string
}

// Component is one line of a bill of materials, one level deep.
type Component struct {
	Parent   string
	Child    string
	Quantity int
	Role     string
	SourceID string
	Remark   string
}
