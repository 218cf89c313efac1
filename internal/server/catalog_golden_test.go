package server

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestProductPageIsAsReviewed compares the page of a board with what was reviewed: a page
// with derived figures, a conflict-free table, parts, prices and relations.
func TestProductPageIsAsReviewed(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	for _, lang := range []string{"en", "zh-Hans"} {
		b := s.visitor()
		b.cookies["lang"] = lang
		page := b.get("/catalog/HGX-H100-4GPU").status(200).page()
		html, err := page.Find("main").Html()
		if err != nil {
			t.Fatal(err)
		}
		// One element a line, so that a change shows where it is.
		got := strings.ReplaceAll(html, "><", ">\n<") + "\n"
		name := filepath.Join("testdata", "product."+lang+".html")
		if *update {
			if err := os.MkdirAll("testdata", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s (run with -update after a review):\n%s", name, diff)
		}
	}
}
