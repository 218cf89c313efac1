package main

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"rackwright/internal/testdb"
)

func (p *program) body(path string) string {
	p.t.Helper()
	resp, err := http.Get(p.url + path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(b)
}

const demoNote = "Customers, quotes, stock and own prices are invented."

// The demo is added once, every page says that it is there, and goes on saying so without DEMO.
func TestServeDemo(t *testing.T) {
	t.Parallel()
	env := map[string]string{"DATABASE_URL": testdb.URLWithCatalog(t), "DEMO": "true"}
	first := startProgram(t, env)
	if !regexp.MustCompile(`Sign in as admin with the one-time password \S+ `).MatchString(first.out.String()) {
		t.Errorf("no password shown:\n%s", first.out.String())
	}
	if !strings.Contains(first.err.String(), "Added demo data") {
		t.Errorf("progress:\n%s", first.err.String())
	}
	if home := first.body("/"); !strings.Contains(home, demoNote) || !strings.Contains(home, "Example Rack Systems (demo)") {
		t.Error("the first page does not say that the data is invented")
	}
	first.end()

	delete(env, "DEMO")
	second := startProgram(t, env)
	if strings.Contains(second.err.String(), "Added demo data") || !strings.Contains(second.body("/"), demoNote) {
		t.Error("without DEMO the note on pages is gone, though the data is not")
	}
	second.end()
}

// A database that somebody has worked with stays as it is, and nothing calls it a demo.
func TestServeDemoOnAUsedDatabase(t *testing.T) {
	t.Parallel()
	url := testdb.URLWithCatalog(t)
	if _, err := testdb.Connect(t, url).Exec(t.Context(), "UPDATE company SET name = 'Somebody'"); err != nil {
		t.Fatal(err)
	}
	p := startProgram(t, map[string]string{"DATABASE_URL": url, "DEMO": "true"})
	if home := p.body("/"); strings.Contains(home, demoNote) || !strings.Contains(home, "Somebody") {
		t.Error("the first page calls the data of somebody a demo")
	}
	p.end()
}
