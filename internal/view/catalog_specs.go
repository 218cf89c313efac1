package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"rackwright/internal/catalog"
	"rackwright/internal/i18n"
)

// SpecGroup is one part of the table of specifications.
type SpecGroup struct {
	ID    string
	Title string
	Rows  []SpecRow
}

// SpecRow is one specification: the value in use and who says so.
type SpecRow struct {
	Label      string
	Hint       string // what the key means
	Cond       string
	Value      string // "" is unknown
	Text       bool   // words rather than a figure
	Unit       string
	Marks      []Mark
	Conflict   bool
	Derived    string // "derived", or "" for a figure of a source
	Arithmetic string // "8 × 80 GB = 640 GB"
	Level      int    // of confidence; 0 for none
	Trust      string // words for it
	AsOf       string
	Claims     []ClaimRow
	Summary    string // "3 claims"
	Open       bool
}

// Mark is a numbered balloon that leads to a source on the page.
type Mark struct {
	Number  int
	Href    string
	Foreign bool // not the vendor's own
}

// ClaimRow is one claim of several about the same thing.
type ClaimRow struct {
	Value string
	Badge string // kind of components.Badge
	Text  string // in use, differs, contradicted …
	Wrong bool
	Mark  Mark
	Who   string
	Why   string // remark of the claim, in English
}

// SourceRow is one source on a page, with the number of its balloon.
type SourceRow struct {
	Number  int
	ID      string
	Title   string
	Href    string // "" where the source has no address
	Kind    string
	Date    string
	Level   int
	Trust   string
	Foreign bool
}

// sourceList numbers sources in the order in which a page first names them.
type sourceList struct {
	l     i18n.Localizer
	known map[string]catalog.Source
	place map[string]int
	rows  []SourceRow
}

func (s *sourceList) mark(c catalog.Claim) Mark {
	foreign := c.SourceKind != catalog.VendorDatasheet && c.SourceKind != catalog.Whitepaper
	i, ok := s.place[c.SourceID]
	if !ok {
		i = s.add(c.SourceID, SourceKind(s.l, c.SourceKind), foreign)
		s.rows[i].Level, s.rows[i].Trust = ConfidenceLevel(s.l, c.Confidence)
	}
	return s.markOf(i)
}

// markID is mark for a source without a claim, of a part or a price.
func (s *sourceList) markID(id string) Mark {
	if id == "" {
		return Mark{}
	}
	i, ok := s.place[id]
	if !ok {
		i = s.add(id, sourceSort(s.l, s.known[id].Kind), true)
	}
	return s.markOf(i)
}

func (s *sourceList) markOf(i int) Mark {
	return Mark{Number: s.rows[i].Number, Href: "#" + s.rows[i].ID, Foreign: s.rows[i].Foreign}
}

func (s *sourceList) add(id, kind string, foreign bool) int {
	src := s.known[id]
	i := len(s.rows)
	s.rows = append(s.rows, SourceRow{
		Number: i + 1, ID: "s" + strconv.Itoa(i+1), Title: Or(s.l.Lang(), src.Title), Href: webAddress(src.URL), Kind: kind,
		Date: sourceDate(s.l, src), Foreign: foreign,
	})
	s.place[id] = i
	return i
}

// webAddress returns an address that a link may lead to, or "".
func webAddress(url string) string {
	if strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://") {
		return url
	}
	if strings.HasPrefix(url, "github.com/") {
		return "https://" + strings.Fields(url)[0]
	}
	return ""
}

// sourceDate returns the day a source was published, else the day it was read.
func sourceDate(l i18n.Localizer, s catalog.Source) string {
	switch {
	case s.Published != "":
		return s.Published
	case s.Retrieved.IsZero():
		return ""
	}
	return l.T("catalog.read_on", "date", DateShort(s.Retrieved))
}

// sourceSort returns the sort of a source in words.
func sourceSort(l i18n.Localizer, kind string) string { return known(l, "catalog.source_", kind) }

// specGroups is the order of the groups and what they are called.
var specGroups = []struct{ group, id string }{
	{"compute", "catalogue.spec_group_compute"}, {"memory", "catalogue.spec_group_memory"},
	{"interconnect", "catalogue.spec_group_interconnect"}, {"power", "catalogue.spec_group_power"},
	{"form", "catalogue.spec_group_physical"}, {"system", "catalogue.kind_system"}, {"network", "catalogue.network_word"},
	{"storage", "catalogue.storage_device"}, {"chip", "catalogue.chip"},
}

// specTable builds the rows of the table of specifications.
type specTable struct {
	l       i18n.Localizer
	d       catalog.Detail
	sources *sourceList
	all     bool // every row shows its claims
	names   func(code string) string
}

// row is a spec row with what it is sorted by.
type sortedRow struct {
	def  catalog.SpecDefinition
	qual string
	row  SpecRow
}

// groups returns the table by groups, without the MIG profiles, which have a table of their own.
func (t specTable) groups() []SpecGroup {
	rows := append(t.stated(), t.derived()...)
	slices.SortStableFunc(rows, func(a, b sortedRow) int {
		return cmp.Or(cmp.Compare(a.def.Sort, b.def.Sort), cmp.Compare(a.def.Key, b.def.Key), cmp.Compare(qualifierOrder(a.qual), qualifierOrder(b.qual)))
	})
	var out []SpecGroup
	for _, g := range specGroups {
		group := SpecGroup{ID: g.group, Title: t.l.T(g.id)}
		for _, r := range rows {
			if r.def.Group == g.group {
				group.Rows = append(group.Rows, r.row)
			}
		}
		if len(group.Rows) > 0 {
			out = append(out, group)
		}
	}
	return out
}

// qualifiersInOrder come first, the others after them by name.
var qualifiersInOrder = []string{"", catalog.Dense, catalog.Sparse, "bidirectional", "per_direction", catalog.Aggregate}

func qualifierOrder(q string) int {
	if i := slices.Index(qualifiersInOrder, q); i >= 0 {
		return i
	}
	return len(qualifiersInOrder)
}

// beside is the qualifier beside whose claims the claims of another are listed: what is said
// of the whole die or was announced before the product was final.
var beside = map[string]string{catalog.FullDie: "", catalog.DensePreliminary: catalog.Dense, catalog.SparsePreliminary: catalog.Sparse}

// stated returns the rows of what sources say, each with all claims about it.
func (t specTable) stated() []sortedRow {
	resolved := catalog.Resolve(t.d.Claims)
	aside := map[catalog.Identity][]catalog.Claim{}
	rows := map[catalog.Identity]bool{}
	var order []catalog.Resolved
	for _, r := range resolved {
		if t.d.Definitions[r.Key].Group == "mig" && r.Qualifier != "" {
			continue
		}
		base, isAside := beside[r.Qualifier]
		if !isAside {
			order = append(order, r)
			rows[r.Identity] = true
			continue
		}
		id := catalog.Identity{SKU: r.SKU, Key: r.Key, Qualifier: base}
		aside[id] = append(aside[id], r.Claims...)
	}
	for id := range aside { // nothing is said of the product itself: a row whose value is unknown
		if !rows[id] {
			order = append(order, catalog.Resolved{Identity: id})
		}
	}
	out := make([]sortedRow, len(order))
	for i, r := range order {
		out[i] = sortedRow{t.d.Definitions[r.Key], r.Qualifier, t.statedRow(r, aside[r.Identity])}
	}
	slices.SortStableFunc(out, func(a, b sortedRow) int { return cmp.Compare(a.def.Key+a.qual, b.def.Key+b.qual) })
	return out
}

func (t specTable) statedRow(r catalog.Resolved, aside []catalog.Claim) SpecRow {
	def := t.d.Definitions[r.Key]
	row := SpecRow{Label: SpecLabel(t.l, def), Hint: def.Description, Cond: Qualifier(t.l, r.Qualifier), Conflict: len(r.Conflicts) > 0}
	if len(r.Claims) > 0 {
		row.Value, row.Unit = SpecValue(t.l, def, r.Winner.Value)
		row.Text = def.Type == "text"
		row.Level, row.Trust = ConfidenceLevel(t.l, r.Winner.Confidence)
		row.AsOf = DateShort(r.Winner.AsOf)
	}
	for _, c := range r.Claims {
		if m := t.sources.mark(c); !slices.Contains(r.Conflicts, c) && !slices.Contains(row.Marks, m) {
			row.Marks = append(row.Marks, m)
		}
	}
	if len(r.Conflicts) == 0 && len(r.Claims) > 0 && !t.all {
		return row
	}
	for i, c := range r.Claims {
		row.Claims = append(row.Claims, t.claim(def, c, i == 0, slices.Contains(r.Conflicts, c)))
		row.Open = row.Open || c.Verdict == "contradicted"
	}
	for _, c := range aside {
		claim := t.claim(def, c, false, false)
		claim.Badge, claim.Text = "out", Qualifier(t.l, c.Qualifier)
		row.Claims = append(row.Claims, claim)
	}
	row.Open = row.Open || len(r.Claims) == 0 || t.all
	row.Summary = t.l.N("catalog.claims", len(row.Claims))
	return row
}

// claim returns one claim of a list, with how it stands to the one in use.
func (t specTable) claim(def catalog.SpecDefinition, c catalog.Claim, used, differs bool) ClaimRow {
	value, _ := SpecValue(t.l, def, c.Value)
	row := ClaimRow{Value: value, Mark: t.sources.mark(c), Who: SourceKind(t.l, c.SourceKind), Why: c.Remark}
	if c.SourceKind == catalog.Reseller || c.SourceKind == catalog.ThirdParty || c.SourceKind == catalog.OEM {
		if name := shortTitle(t.d.Sources[c.SourceID].Title); name != "" {
			row.Who = name
		}
	}
	if c.SourceKind == catalog.Reseller {
		row.Who = Or(t.l.Lang(), t.d.Sources[c.SourceID].Title)
		row.Why = cmp.Or(t.correction(c), row.Why)
	}
	switch {
	case used:
		row.Badge, row.Text = "used", t.l.T("catalog.in_use")
	case c.Verdict == "contradicted" || differs && c.Verdict == "garbled":
		row.Badge, row.Text, row.Wrong = "wrong", t.l.T("catalogue.verdict_"+c.Verdict), true
	case differs:
		row.Badge, row.Text = "out", t.l.T("catalog.differs")
	default:
		row.Badge, row.Text = "out", t.l.T("catalog.agrees")
	}
	return row
}

// shortTitle returns the part of a title that names the source: what stands before the first
// colon, comma or bracket.
func shortTitle(title string) string {
	if i := strings.IndexAny(title, ":,("); i > 0 {
		title = title[:i]
	}
	return strings.TrimSpace(title)
}

// correction returns what the better source says of a reseller's claim.
func (t specTable) correction(c catalog.Claim) string {
	for _, r := range t.d.ResellerClaims {
		if r.Source == t.d.Sources[c.SourceID].Title && r.Key == c.Key && r.Qualifier == c.Qualifier {
			return r.Correct
		}
	}
	return ""
}

// derived returns the rows of what follows from other figures, with the arithmetic.
func (t specTable) derived() []sortedRow {
	var out []sortedRow
	for _, x := range catalog.Derive(t.d.Product, t.d.Lookup) {
		def := t.d.Definitions[x.Key]
		row := SpecRow{Label: SpecLabel(t.l, def), Hint: def.Description, Cond: Qualifier(t.l, x.Qualifier), Derived: t.l.T("catalog.derived")}
		if x.Key == "tdp" {
			row.Cond = t.l.T("catalog.q_gpus_alone")
		}
		row.Value, row.Unit = SpecValue(t.l, def, x.Value.Trim().String())
		row.Arithmetic = t.arithmetic(def, x)
		for _, term := range x.Terms {
			if m := t.sources.mark(term.Claim); !slices.Contains(row.Marks, m) {
				row.Marks = append(row.Marks, m)
			}
			if level, trust := ConfidenceLevel(t.l, term.Claim.Confidence); row.Level == 0 || level < row.Level {
				row.Level, row.Trust = level, trust
			}
			if day := DateShort(term.Claim.AsOf); row.AsOf == "" || day < row.AsOf {
				row.AsOf = day
			}
		}
		out = append(out, sortedRow{def, x.Qualifier, row})
	}
	return out
}

// arithmetic writes a derivation out: "8 × 80 GB = 640 GB", "3,958 ÷ 2 = 1,979 TFLOPS".
func (t specTable) arithmetic(def catalog.SpecDefinition, x catalog.Derived) string {
	terms := make([]string, len(x.Terms))
	for i, term := range x.Terms {
		value, unit := SpecValue(t.l, def, term.Claim.Value)
		if term.Halved {
			value += " ÷ 2"
		}
		if unit != "" {
			value += nbsp + unit
		}
		if term.Count > 1 || len(x.Terms) > 1 {
			value = strconv.Itoa(term.Count) + " × " + value
		}
		if len(x.Terms) > 1 { // of one kind of part it needs no saying
			value += " (" + t.names(term.Claim.SKU) + ")"
		}
		terms[i] = value
	}
	value, unit := SpecValue(t.l, def, x.Value.Trim().String())
	if unit != "" {
		value += nbsp + unit
	}
	return strings.Join(terms, " + ") + " = " + value
}

// MIGRow is one way to cut a GPU.
type MIGRow struct {
	Profile   string
	Instances string
	Memory    string // GB
	Slices    string
	Mark      Mark
}

// migRows returns the MIG profiles, the smallest first.
func (t specTable) migRows() []MIGRow {
	rows := map[string]*MIGRow{}
	var order []string
	for _, r := range catalog.Resolve(t.d.Claims) {
		def := t.d.Definitions[r.Key]
		if def.Group != "mig" || r.Qualifier == "" {
			continue
		}
		row := rows[r.Qualifier]
		if row == nil {
			row = &MIGRow{Profile: r.Qualifier, Mark: t.sources.mark(r.Winner)}
			rows[r.Qualifier] = row
			order = append(order, r.Qualifier)
		}
		value, _ := SpecValue(t.l, def, r.Winner.Value)
		switch r.Key {
		case "mig_instances":
			row.Instances = value
		case "mig_memory":
			row.Memory = value
		case "mig_compute_slices":
			row.Slices = value
		}
	}
	slices.Sort(order)
	out := make([]MIGRow, len(order))
	for i, profile := range order {
		out[i] = *rows[profile]
	}
	return out
}
