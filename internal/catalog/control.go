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

// severity orders effects, the strictest last.
var severity = map[Effect]int{NoEffect: 0, Check: 1, LicenceRequired: 2, PresumptionOfDenial: 3}

// EffectOf returns what the rules ask of a shipment of a control group to a country on a
// day, and the rules that say so: of the rows for the country and group those of the
// latest date that is not in the future; of several the strictest counts. Without a row
// the default row "*" answers. The headquarters rule is about the buyer's parent, not the
// destination, and never counts here.
func EffectOf(rules []ControlDestination, country, group string, day time.Time) (Effect, []ControlDestination) {
	for _, c := range []string{country, "*"} {
		if latest := latestRules(rules, c, group, day); len(latest) > 0 {
			strictest := latest[0].Effect
			for _, r := range latest {
				if severity[r.Effect] > severity[strictest] {
					strictest = r.Effect
				}
			}
			return strictest, latest
		}
	}
	return Check, nil // no rule at all is not a permission
}

func latestRules(rules []ControlDestination, country, group string, day time.Time) []ControlDestination {
	var latest []ControlDestination
	for _, r := range rules {
		if r.CountryCode != country || r.Rule == "headquarters" || !r.covers(group) || r.EffectiveOn.After(day) {
			continue
		}
		if len(latest) > 0 && r.EffectiveOn.Before(latest[0].EffectiveOn) {
			continue
		}
		if len(latest) > 0 && r.EffectiveOn.After(latest[0].EffectiveOn) {
			latest = latest[:0]
		}
		latest = append(latest, r)
	}
	return latest
}

// covers reports whether a rule is about a control group.
func (r ControlDestination) covers(group string) bool {
	switch r.AppliesTo {
	case "any", group:
		return true
	case "advanced_all":
		return group == "advanced_ic" || group == "advanced_ic_cn" || group == "advanced_ic_high"
	}
	return false
}
