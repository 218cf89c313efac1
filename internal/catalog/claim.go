package catalog

import (
	"cmp"
	"slices"
	"strings"

	"rackwright/internal/money"
)

// sourceRank orders kinds of sources, the most trusted first.
var sourceRank = map[string]int{VendorDatasheet: 0, Whitepaper: 1, OEM: 2, ThirdParty: 3, Reseller: 4}

// conflictShare is the part of the larger value by which two figures may differ before
// they disagree: 0.5 %. Rounding in datasheets stays below it.
var conflictShare = money.MustDecimal("0.005")

// Describes reports whether a claim is about the product as it is sold: not about the
// whole die, and not a figure announced before the product was final.
func (c Claim) Describes() bool {
	switch c.Qualifier {
	case FullDie, DensePreliminary, SparsePreliminary:
		return false
	}
	return true
}

// Number returns the value as a number, and whether it is one.
func (c Claim) Number() (money.Decimal, bool) {
	d, err := money.ParseDecimal(c.Value)
	return d, err == nil
}

// Compare orders claims of one identity, the one that counts first: kind of source,
// confidence, newer date, then source and detail so that the order is total.
func Compare(a, b Claim) int {
	return cmp.Or(
		cmp.Compare(rankOf(a.SourceKind), rankOf(b.SourceKind)),
		cmp.Compare(a.Confidence.rank(), b.Confidence.rank()),
		b.AsOf.Compare(a.AsOf),
		cmp.Compare(a.SourceID, b.SourceID),
		cmp.Compare(a.SourceDetail, b.SourceDetail),
	)
}

func rankOf(sourceKind string) int {
	if r, ok := sourceRank[sourceKind]; ok {
		return r
	}
	return len(sourceRank)
}

// Winner returns the claim that counts among those of one identity, and false for none.
func Winner(claims []Claim) (Claim, bool) {
	if len(claims) == 0 {
		return Claim{}, false
	}
	return slices.MinFunc(claims, Compare), true
}

// Conflicts returns the claims of one identity that disagree with the winner: numbers by
// more than 0.5 % of the larger, texts after trimming and without regard to case.
func Conflicts(claims []Claim) []Claim {
	w, ok := Winner(claims)
	if !ok {
		return nil
	}
	var out []Claim
	for _, c := range claims {
		if disagree(w, c) {
			out = append(out, c)
		}
	}
	return out
}

func disagree(w, c Claim) bool {
	a, okA := w.Number()
	b, okB := c.Number()
	if !okA || !okB {
		return !strings.EqualFold(strings.TrimSpace(w.Value), strings.TrimSpace(c.Value))
	}
	larger := a.Abs()
	if larger.Less(b.Abs()) {
		larger = b.Abs()
	}
	return larger.Mul(conflictShare).Less(a.Sub(b).Abs())
}

// Resolved is what is known under one identity: the claim in use, all claims in order,
// and those that disagree.
type Resolved struct {
	Identity
	Winner    Claim
	Claims    []Claim // the winner first
	Conflicts []Claim
}

// Resolve groups claims by identity, in the order in which the identities first appear.
func Resolve(claims []Claim) []Resolved {
	groups := map[Identity][]Claim{}
	var order []Identity
	for _, c := range claims {
		id := c.Identity()
		if _, ok := groups[id]; !ok {
			order = append(order, id)
		}
		groups[id] = append(groups[id], c)
	}
	out := make([]Resolved, 0, len(order))
	for _, id := range order {
		all := groups[id]
		slices.SortStableFunc(all, Compare)
		out = append(out, Resolved{Identity: id, Winner: all[0], Claims: all, Conflicts: Conflicts(all)})
	}
	return out
}

// Figure returns the claim in use for a key under the first qualifier that has one, or
// under no qualifier where none is named. Claims of low confidence and claims that do not
// describe the product never count here: they are shown, not used.
func (p Product) Figure(key string, qualifiers ...string) (Claim, bool) {
	if len(qualifiers) == 0 {
		qualifiers = []string{""}
	}
	for _, q := range qualifiers {
		var usable []Claim
		for _, c := range p.Claims {
			if c.Key == key && c.Qualifier == q && c.Confidence != Low && c.Describes() {
				usable = append(usable, c)
			}
		}
		if w, ok := Winner(usable); ok {
			return w, true
		}
	}
	return Claim{}, false
}
