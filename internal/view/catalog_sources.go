package view

import (
	"strings"

	"rackwright/internal/catalog"
)

// SourcesPage is the page of attribution: every source with its licence.
type SourcesPage struct {
	Page
	Lead   string
	Groups []SourceGroup
}

// SourceGroup is the sources that may be used in one way.
type SourceGroup struct {
	ID    string
	Title string
	Note  string
	Rows  []AttributionRow
}

// AttributionRow is one source with its licence.
type AttributionRow struct {
	Title     string
	Href      string
	Reference string // where there is no address
	Publisher string
	Kind      string
	Published string
	Read      string
	Licence   string
	Note      string // in English
}

// licenceGroups say how sources of a licence are used.
var licenceGroups = []struct {
	id       string
	licences []string
}{
	{"open", []string{"CC-BY", "CC-BY-4.0", "MIT", "MIT/GPL-2.0", "Apache-2.0", "MPL-2.0", "BSD-3-Clause", "BSD-3-Clause/GPL-2.0", "UPL-1.0", "public-domain", "public-filing", "own"}},
	{"share_alike", []string{"CC-BY-SA", "CC-BY-SA-4.0", "GPL-3.0"}},
	{"quoted", nil}, // all others
}

// NewSourcesPage returns the page of attribution, grouped by what the licences allow.
func NewSourcesPage(p Page, sources []catalog.Source) SourcesPage {
	v := SourcesPage{Page: p, Lead: p.T("catalog.sources_lead", "n", len(sources))}
	for _, g := range licenceGroups {
		group := SourceGroup{ID: g.id, Title: p.T("catalog.licence_" + g.id), Note: p.T("catalog.licence_" + g.id + "_note")}
		for _, s := range sources {
			if licenceGroup(s.Licence) == g.id {
				group.Rows = append(group.Rows, attribution(p, s))
			}
		}
		if len(group.Rows) > 0 {
			v.Groups = append(v.Groups, group)
		}
	}
	return v
}

func licenceGroup(licence string) string {
	for _, g := range licenceGroups {
		for _, l := range g.licences {
			if l == licence {
				return g.id
			}
		}
	}
	return "quoted"
}

// licenceNote leaves out the word by which the data says that rows may be shipped: the group says it.
func licenceNote(note string) string {
	if rest, ok := strings.CutPrefix(note, "ship"); ok {
		return strings.TrimLeft(rest, "; ")
	}
	return note
}

func attribution(p Page, s catalog.Source) AttributionRow {
	row := AttributionRow{
		Title: s.Title, Href: webAddress(s.URL), Publisher: s.Publisher, Kind: sourceSort(p.L, s.Kind), Published: s.Published,
		Read: DateShort(s.Retrieved), Licence: known(p.L, "catalog.licence_is_", s.Licence), Note: licenceNote(s.LicenceNote),
	}
	if row.Href == "" {
		row.Reference = s.URL
	}
	return row
}
