package server

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/catalog"
	"rackwright/internal/inventory"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// CatalogStore is what the catalogue pages ask of the database.
type CatalogStore interface {
	// SKUs returns one page of the list with the counts of its facets.
	SKUs(ctx context.Context, f catalog.Filter) (catalog.Listing, error)
	// SKU returns everything about one product, or NotFound.
	SKU(ctx context.Context, code string) (catalog.Detail, error)
	// SKURows returns the rows of codes, in the order of the codes; unknown ones are left out.
	SKURows(ctx context.Context, codes []string) ([]catalog.Row, error)
	// SKUCodes returns every code.
	SKUCodes(ctx context.Context) ([]string, error)
	// PriceHistory returns the observations of a product, newest first.
	PriceHistory(ctx context.Context, sku string) ([]catalog.PriceObservation, error)
	// Sources returns every source.
	Sources(ctx context.Context) ([]catalog.Source, error)
	// LatestImport returns the hash and time of the newest import, or NotFound.
	LatestImport(ctx context.Context) (hash string, at time.Time, err error)
	// Availability returns what can be had of the SKUs.
	Availability(ctx context.Context, skus []string) (map[string]inventory.Availability, error)
}

// nearCodes is how many likely codes the page of an unknown one names.
const nearCodes = 5

// catalogRoutes lists the addresses of the catalogue.
func (s *Server) catalogRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Pattern: "/catalog", Perm: auth.Public, Handler: s.catalogList},
		{Method: http.MethodGet, Pattern: "/catalog/{sku}", Perm: auth.Public, Handler: s.catalogProduct},
		{Method: http.MethodGet, Pattern: "/catalog/{sku}/prices.csv", Perm: auth.Public, Handler: s.catalogPrices},
		{Method: http.MethodGet, Pattern: "/sources", Perm: auth.Public, Handler: s.catalogSources},
	}
}

// catalogList answers GET /catalog.
func (s *Server) catalogList(w http.ResponseWriter, r *http.Request) error {
	p := s.pageT(r, "navigation.catalogue")
	f, invalid := parseCatalogFilter(r.URL.Query(), p.Tag())
	listing, err := s.store.SKUs(r.Context(), f)
	if err != nil {
		return err
	}
	codes := make([]string, len(listing.Rows))
	for i, row := range listing.Rows {
		codes[i] = row.SKU.Code
	}
	stock, err := s.store.Availability(r.Context(), codes)
	if err != nil {
		return err
	}
	p.Search = f.Search
	v := view.NewCatalogPage(p, view.CatalogInput{
		Filter: f, Listing: listing, Stock: stock, Staff: s.can(r, auth.SeeInternalData), Now: s.now(), Faults: faultTexts(p, invalid),
	})
	return s.render(w, r, statusOf(invalid), pages.CatalogList(v))
}

// parseCatalogFilter reads a filter from an address. The filter is usable even where the
// error names faulty parts.
func parseCatalogFilter(q url.Values, lang string) (catalog.Filter, error) {
	return catalog.NewFilter(catalog.Filter{
		Search: q.Get("q"), Kinds: q["kind"], Families: q["family"], Vendors: q["vendor"], FormFactors: q["form"],
		WithLow: q.Get("low") == "1", Sort: catalog.Sort(q.Get("sort")), After: q.Get("after"), Before: q.Get("before"), Lang: lang,
	})
}

// faultTexts returns the messages of an Invalid error, in the order of the fields.
func faultTexts(p view.Page, err error) []string {
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok {
		return nil
	}
	var out []string
	for _, name := range e.FieldNames() {
		out = append(out, view.Text(p.L, e.Fields[name]))
	}
	return out
}

// catalogProduct answers GET /catalog/{sku}.
func (s *Server) catalogProduct(w http.ResponseWriter, r *http.Request) error {
	code := r.PathValue("sku")
	d, err := s.productDetail(r.Context(), code)
	if apperr.Is(err, apperr.NotFound) {
		return s.catalogMissing(w, r, code)
	}
	if err != nil {
		return err
	}
	codes := []string{d.SKU.Code}
	for other := range d.Others {
		codes = append(codes, other)
	}
	stock, err := s.store.Availability(r.Context(), codes)
	if err != nil {
		return err
	}
	_, imported, err := s.store.LatestImport(r.Context())
	if err != nil && !apperr.Is(err, apperr.NotFound) {
		return err
	}
	p := s.page(r, "")
	p.Title = d.SKU.NameIn(p.Tag())
	v := view.NewProductPage(p, view.ProductInput{
		Detail: d, Stock: stock, Staff: s.can(r, auth.SeeInternalData), MayQuote: s.can(r, auth.EditQuotes),
		AllClaims: r.URL.Query().Get("claims") == "all", Imported: imported, Now: s.now(),
	})
	return s.render(w, r, http.StatusOK, pages.CatalogProduct(v))
}

// productDetail is SKU of the store; a code that no SKU can have is not asked for.
func (s *Server) productDetail(ctx context.Context, code string) (catalog.Detail, error) {
	if !storable(code) {
		return catalog.Detail{}, apperr.New(apperr.NotFound, "catalog.no_such_sku", "sku", "")
	}
	return s.store.SKU(ctx, code)
}

// catalogMissing answers 404 for a code that is not in the catalogue, with the likely ones.
func (s *Server) catalogMissing(w http.ResponseWriter, r *http.Request, code string) error {
	codes, err := s.store.SKUCodes(r.Context())
	if err != nil {
		return err
	}
	near, err := s.store.SKURows(r.Context(), catalog.Near(code, codes, nearCodes))
	if err != nil {
		return err
	}
	const shown = 64
	if len(code) > shown || !storable(code) {
		code = strings.ToValidUTF8(code[:min(len(code), shown)], "") + "…"
	}
	p := s.pageT(r, "catalog.missing_title")
	return s.render(w, r, http.StatusNotFound, pages.CatalogMissing(view.NewMissingSKUPage(p, code, near)))
}

// catalogSources answers GET /sources.
func (s *Server) catalogSources(w http.ResponseWriter, r *http.Request) error {
	sources, err := s.store.Sources(r.Context())
	if err != nil {
		return err
	}
	p := s.pageT(r, "navigation.attribution")
	return s.render(w, r, http.StatusOK, pages.CatalogSources(view.NewSourcesPage(p, sources)))
}

// priceColumns are the columns of a price history as a file: those of price_history.csv, so
// that what was exported can be imported.
var priceColumns = []string{
	"subject", "price_kind", "currency", "price", "unit", "observed_on", "date_precision", "region", "source_id", "source_detail",
	"confidence", "gpu_sku", "licence", "note",
}

// catalogPrices answers GET /catalog/{sku}/prices.csv.
func (s *Server) catalogPrices(w http.ResponseWriter, r *http.Request) error {
	code := r.PathValue("sku")
	if !storable(code) {
		return apperr.New(apperr.NotFound, "catalog.no_such_sku", "sku", "")
	}
	if found, err := s.store.SKURows(r.Context(), []string{code}); err != nil {
		return err
	} else if len(found) == 0 {
		return apperr.New(apperr.NotFound, "catalog.no_such_sku", "sku", code)
	}
	observations, err := s.store.PriceHistory(r.Context(), code)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", code+"-prices.csv"))
	_, _ = w.Write(priceFile(observations)) // the client has gone; nobody is left to tell
	return nil
}

// priceFile writes observations as CSV.
func priceFile(observations []catalog.PriceObservation) []byte {
	var buf bytes.Buffer
	buf.WriteString("\ufeff") // spreadsheets read UTF-8 only where it says so
	c := csv.NewWriter(&buf)
	_ = c.Write(priceColumns) // a buffer never fails to write
	for _, o := range observations {
		cells := []string{
			o.Subject, string(o.Kind), string(o.Price.Currency), o.Price.Value.String(), string(o.Unit), o.Day.Format(time.DateOnly),
			o.DatePrecision, o.Region, o.SourceID, o.SourceDetail, string(o.Confidence), o.GPUSKU, o.Licence, o.Note,
		}
		for i := range cells {
			cells[i] = safeCell(cells[i])
		}
		_ = c.Write(cells)
	}
	c.Flush()
	return buf.Bytes()
}

// safeCell puts an apostrophe before what a spreadsheet would run as a formula. The importer
// takes it off again.
func safeCell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
