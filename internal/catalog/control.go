package catalog

import "time"

// ControlClass is the export-control class of a SKU under US rules.
type ControlClass struct {
	SKU         string
	Class       string // ECCN or another class, as published
	Group       string // advanced_ic, advanced_ic_cn, advanced_ic_high, h20_class, service, not_classified
	Rule        string
	EffectiveOn time.Time // zero counts as always
	SourceID    string
	Confidence  Confidence
	Remark      string
}

// Effect is what a rule asks of a shipment.
type Effect string

// The effects. Check is not a permission: ask before an offer.
const (
	NoEffect            Effect = "none"
	Check               Effect = "check"
	LicenceRequired     Effect = "licence_required"
	PresumptionOfDenial Effect = "presumption_of_denial"
)

// ControlDestination is one rule for a country and a control group.
type ControlDestination struct {
	CountryCode string // ISO 3166-1 alpha-2; "*" is every other country
	Country     string
	AppliesTo   string // a control group, advanced_all or any
	Rule        string
	Effect      Effect
	EffectiveOn time.Time // zero counts as always
	SourceID    string
	Confidence  Confidence
	Remark      string
}
