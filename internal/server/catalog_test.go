package server

import (
	"encoding/csv"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/PuerkitoBio/goquery"

	"rackwright/internal/auth"
	"rackwright/internal/importer"
	"rackwright/internal/inventory"
)

// squeezed returns the text of a selection without runs of space.
func squeezed(s *goquery.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") }

func TestCatalogListFiltersSortsAndPages(t *testing.T) {
	t.Parallel()
	b := newSiteWithCatalog(t).visitor()
	page := b.get("/catalog").status(http.StatusOK).page()
	if got := squeezed(page.Find(".toolbar p strong")); got != "87 products" {
		t.Errorf("count = %q", got)
	}
	if n := page.Find("table.catalog tbody tr").Length(); n != 25 {
		t.Errorf("%d rows on the first page, want 25", n)
	}
	next, _ := page.Find(`.pager a[rel="next"]`).Attr("href")
	second := b.get(next).status(http.StatusOK).page()
	if got := squeezed(second.Find(".pager > span").First()); got != "26–50 of 87" {
		t.Errorf("second page says %q", got)
	}
	if prev, ok := second.Find(`.pager a[rel="prev"]`).Attr("href"); !ok || !strings.HasPrefix(prev, "/catalog?before=") {
		t.Errorf("previous page = %q", prev)
	}

	dell := b.get("/catalog?kind=system&vendor=Dell&sort=name").status(http.StatusOK).page()
	if got := squeezed(dell.Find(".toolbar p strong")); got != "5 products" {
		t.Errorf("Dell systems: %q", got)
	}
	var chips []string
	dell.Find(".chip").Each(func(_ int, c *goquery.Selection) { chips = append(chips, squeezed(c)) })
	if !slices.Equal(chips, []string{"Remove System", "Remove Dell"}) {
		t.Errorf("chips = %q", chips)
	}
	if href, _ := dell.Find(".chip").First().Attr("href"); href != "/catalog?sort=name&vendor=Dell" {
		t.Errorf("first chip leads to %q", href)
	}
	if got, _ := dell.Find(`input[name="vendor"][value="Dell"]`).Attr("checked"); got != "" || dell.Find(`input[name="vendor"][checked]`).Length() != 1 {
		t.Error("the vendor is not ticked")
	}
	if b.get("/catalog?low=1").page().Find(".chip").Length() != 1 {
		t.Error("the list with low confidence has no chip")
	}
}

func TestCatalogListTakesAnyAddress(t *testing.T) {
	t.Parallel()
	b := newSiteWithCatalog(t).visitor()
	for _, tt := range []struct {
		query  string
		status int
		says   string
	}{
		{"q=toaster", http.StatusOK, "No product matches these filters."},
		{"q=%EF%BC%A8100+sxm5+80gb&kind=gpu", http.StatusOK, "H100-SXM5-80GB"},
		{"kind=toaster", http.StatusUnprocessableEntity, "An unknown filter value was left out."},
		{"sort=price%3B+DROP+TABLE+sku", http.StatusUnprocessableEntity, "87 products"},
		{"q=" + strings.Repeat("x", 101), http.StatusUnprocessableEntity, "longer than 100 characters"},
		{"after=NO-SUCH-SKU", http.StatusOK, "1–25 of 87"},
		{"vendor=%00&q=%00", http.StatusUnprocessableEntity, "87 products"},
		{"q=%FF%FE", http.StatusUnprocessableEntity, "87 products"},
		{"q='%22%3E%3Cscript%3Ealert(1)%3C/script%3E", http.StatusOK, "&lt;script&gt;"},
		{"vendor=" + strings.Repeat("a&vendor=b", 100), http.StatusOK, "No product matches"},
	} {
		a := b.get("/catalog?" + tt.query).status(tt.status).says(tt.says)
		if strings.Contains(a.Body.String(), "<script>alert") {
			t.Errorf("%s: script on the page", tt.query)
		}
	}
}

func TestProductShowsConflictsBesideTheFigureInUse(t *testing.T) {
	t.Parallel()
	b := newSiteWithCatalog(t).visitor()
	page := b.get("/catalog/H100-SXM5-80GB").status(http.StatusOK).page()
	for _, tt := range []struct{ spec, used, wrong, verdict string }{
		{"CUDA cores", "16,896", "8,192", "Contradicted"},
		{"PCIe generation", "5", "4", "Contradicted"},
		{"Base clock", "1,665", "1,410", "Contradicted"},
		{"GPU memory type", "HBM3", "HMB3", "Garbled"},
	} {
		row := page.Find("table.spec tr").FilterFunction(func(_ int, r *goquery.Selection) bool {
			return squeezed(r.Find(`th[scope="row"]`)) == tt.spec
		})
		if got := squeezed(row.Find(".val")); got != tt.used {
			t.Errorf("%s in use = %q, want %q", tt.spec, got, tt.used)
		}
		if row.Find(".badge-conflict").Length() != 1 || row.Find(".src").Length() == 0 || squeezed(row.Find(".c-date")) == "" {
			t.Errorf("%s lacks its badge, source or date", tt.spec)
		}
		claims := row.Next().Find(".claims li")
		if got := squeezed(claims.First().Find(".v")); got != tt.used {
			t.Errorf("%s: the first claim is %q", tt.spec, got)
		}
		wrong := claims.FilterFunction(func(_ int, c *goquery.Selection) bool { return c.HasClass("is-wrong") }).First()
		if got := squeezed(wrong.Find(".v")) + " " + squeezed(wrong.Find(".badge")); got != tt.wrong+" "+tt.verdict {
			t.Errorf("%s: wrong claim %q, want %q", tt.spec, got, tt.wrong+" "+tt.verdict)
		}
	}
	page.Find("a.src").Each(func(_ int, a *goquery.Selection) {
		if href, _ := a.Attr("href"); page.Find(href).Length() != 1 {
			t.Errorf("source mark leads to %q, which is not on the page", href)
		}
	})
	if n := page.Find("#prices svg").Length(); n == 0 {
		t.Error("no price chart")
	}
	if n := page.Find("#mig tbody tr").Length(); n != 7 {
		t.Errorf("%d MIG profiles, want 7", n)
	}
	all := b.get("/catalog/H100-SXM5-80GB?claims=all").status(http.StatusOK).page()
	if a, n := all.Find(".claims-row").Length(), page.Find(".claims-row").Length(); a <= n {
		t.Errorf("all claims show %d rows with claims, the plain page %d", a, n)
	}
}

func TestDerivedFiguresShowTheirArithmetic(t *testing.T) {
	t.Parallel()
	b := newSiteWithCatalog(t).visitor()
	for sku, wants := range map[string][]string{
		"HGX-H100-8GPU":  {"8 × 80 GB = 640 GB", "8 × 700 W = 5,600 W"},
		"DGX-H100":       {"= 640 GB", "= 15,832 TFLOPS", "32,000"},
		"H200-SXM-141GB": {"÷ 2"},
	} {
		a := b.get("/catalog/" + sku).status(http.StatusOK)
		for _, want := range wants {
			a.says(want)
		}
	}
}

func TestEveryProductHasAPageInEveryLanguage(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	codes, err := s.db.SKUCodes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range []string{"en", "zh-Hans", "zh-Hant"} {
		b := s.visitor()
		b.cookies["lang"] = lang
		for _, path := range []string{"/catalog", "/sources", "/catalog?low=1&sort=name"} {
			b.get(path).status(http.StatusOK)
		}
		for _, code := range codes {
			page := b.get("/catalog/" + code).status(http.StatusOK).page()
			if got, _ := page.Find("html").Attr("lang"); got != lang {
				t.Fatalf("language of %s = %q, want %s", code, got, lang)
			}
			page.Find("main").Each(func(_ int, m *goquery.Selection) {
				if i := strings.Index(m.Text(), "[catalog"); i >= 0 {
					t.Errorf("%s in %s: message without text %q", code, lang, m.Text()[i:i+30])
				}
			})
		}
	}
}

func TestUnknownSKUNamesTheLikelyOnes(t *testing.T) {
	t.Parallel()
	b := newSiteWithCatalog(t).visitor()
	page := b.get("/catalog/h100-smx5-80gb").status(http.StatusNotFound).page()
	if got := squeezed(page.Find("#near a.main").First()); got != "NVIDIA H100 SXM5 80GB" {
		t.Errorf("first suggestion = %q", got)
	}
	for _, path := range []string{"/catalog/" + strings.Repeat("A", 5000), "/catalog/%00", "/catalog/%FF%FE", "/catalog/..%2F..%2Fetc", "/catalog/NO-SUCH/prices.csv"} {
		b.get(path).status(http.StatusNotFound)
	}
}

func TestVisitorsSeeNoCounts(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	stockSKU(t, s, "H100-PCIE-80GB", 22)
	const path = "/catalog?q=H100-PCIE-80GB"
	visitor := squeezed(s.visitor().get(path).page().Find(".avail .badge-stock"))
	if visitor != "In stock" {
		t.Errorf("visitor reads %q", visitor)
	}
	if staff := squeezed(s.as("sal", auth.Sales).get(path).page().Find(".avail .badge-stock")); staff != "22 in stock" {
		t.Errorf("staff reads %q", staff)
	}
}

func TestPriceFileCanBeImportedAndRunsNothing(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	a := s.visitor().get("/catalog/H100-SXM5-80GB/prices.csv").status(http.StatusOK)
	if got := a.Header().Get("Content-Type"); got != "text/csv; charset=utf-8" {
		t.Errorf("type = %q", got)
	}
	if got := a.Header().Get("Content-Disposition"); got != `attachment; filename="H100-SXM5-80GB-prices.csv"` {
		t.Errorf("disposition = %q", got)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(a.Body.String(), "\ufeff"))).ReadAll()
	if err != nil || len(rows) < 300 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				t.Errorf("cell %q would run as a formula", cell)
			}
		}
	}
	report, err := importer.Catalogue(t.Context(), fstest.MapFS{"price_history.csv": {Data: a.Body.Bytes()}}, s.db)
	if err != nil || report.Changed() != 0 {
		t.Errorf("import of the exported file: %+v, %v; want no change", report, err)
	}
}

func TestSourcesAreCredited(t *testing.T) {
	t.Parallel()
	page := newSiteWithCatalog(t).visitor().get("/sources").status(http.StatusOK).page()
	if n := page.Find("main tbody tr").Length(); n != 165 {
		t.Errorf("%d sources, want 165", n)
	}
	page.Find("main tbody a").Each(func(_ int, a *goquery.Selection) {
		if href, _ := a.Attr("href"); !strings.HasPrefix(href, "http") {
			t.Errorf("link to %q", href)
		}
	})
}

// stockSKU receives pieces of a SKU at a place of its own.
func stockSKU(t *testing.T, s *site, sku string, pieces int64) {
	t.Helper()
	actor := s.person("keeper", aHash, false, auth.Stock)
	place, err := s.db.SaveLocation(t.Context(), actor, inventory.Location{Code: "T1", Name: "Test place"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.db.MoveStock(t.Context(), inventory.NewMove{
		Key: "receive-" + sku + "-0123456789", Kind: inventory.Receive, SKU: sku, To: place, Quantity: pieces, ActorID: actor,
	})
	if err != nil {
		t.Fatal(err)
	}
}
