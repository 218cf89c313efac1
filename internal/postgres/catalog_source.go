package postgres

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/catalog"
)

const sqlSources = `
SELECT id, kind, title, publisher, url, published, retrieved, licence, licence_note
FROM source
WHERE @ids::text[] IS NULL OR id = ANY(@ids::text[])
ORDER BY lower(publisher), lower(title), id`

type sourceRow struct {
	ID          string
	Kind        string
	Title       string
	Publisher   string
	URL         string
	Published   string
	Retrieved   time.Time
	Licence     string
	LicenceNote string
}

func (r sourceRow) domain() catalog.Source {
	return catalog.Source{
		ID: r.ID, Kind: r.Kind, Title: r.Title, Publisher: r.Publisher, URL: r.URL, Published: r.Published,
		Retrieved: r.Retrieved, Licence: r.Licence, LicenceNote: r.LicenceNote,
	}
}

// Sources returns every source in the order of publishers and titles.
func (db *DB) Sources(ctx context.Context) ([]catalog.Source, error) {
	out, err := collect[sourceRow](ctx, db.pool, sqlSources, pgx.NamedArgs{"ids": nil})
	return out, interpretError(err)
}

// readSources reads the sources that the page of a product names.
func readSources(ctx context.Context, q querier, d *catalog.Detail) error {
	ids := map[string]bool{d.SKU.SourceID: true}
	for _, id := range d.SKU.AlsoSourceIDs {
		ids[id] = true
	}
	claims := slices.Clone(d.Claims)
	for _, p := range d.Parts {
		claims = append(claims, p.Claims...)
	}
	for _, c := range claims {
		ids[c.SourceID] = true
	}
	for _, c := range slices.Concat(d.Components, d.UsedIn) {
		ids[c.SourceID] = true
	}
	for _, c := range d.Compatible {
		ids[c.SourceID] = true
	}
	for _, s := range slices.Concat(d.Substitutes, d.Replaces) {
		ids[s.SourceID] = true
	}
	for _, c := range d.ResellerClaims {
		ids[c.SourceID] = true
	}
	for _, o := range d.Observations {
		ids[o.SourceID] = true
	}
	for _, o := range d.Offers {
		ids[o.SourceID] = true
	}
	if d.Control != nil {
		ids[d.Control.SourceID] = true
	}
	delete(ids, "")
	found, err := collect[sourceRow](ctx, q, sqlSources, pgx.NamedArgs{"ids": slices.Sorted(maps.Keys(ids))})
	d.Sources = make(map[string]catalog.Source, len(found))
	for _, s := range found {
		d.Sources[s.ID] = s
	}
	return err
}
