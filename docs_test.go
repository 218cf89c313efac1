package rackwright_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

var (
	docLink = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	docPath = regexp.MustCompile("`((?:cmd|docs|internal|migrations|scripts|static|web)/[\\w./*-]*)`")
)

// TestDocsPoint checks that the places which the documents name are there.
func TestDocsPoint(t *testing.T) {
	err := filepath.WalkDir(".", func(doc string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "bin", "data", "tmp"}, doc):
			return fs.SkipDir
		case d.IsDir() || path.Ext(doc) != ".md":
			return nil
		}
		text, err := os.ReadFile(doc)
		if err != nil {
			return err
		}
		for _, m := range docLink.FindAllStringSubmatch(string(text), -1) {
			if target := path.Join(path.Dir(doc), m[1]); !there(t, target) {
				t.Errorf("%s links to %s, which is not there", doc, target)
			}
		}
		for _, m := range docPath.FindAllStringSubmatch(string(text), -1) {
			if !there(t, m[1]) {
				t.Errorf("%s names %s, which is not there", doc, m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func there(t *testing.T, pattern string) bool {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return len(found) > 0
}

var faultRow = regexp.MustCompile(`(?m)^\| (PR\d{3}) \|.*$`)

// TestFaultCasesAreTested checks that the tests which the list of fault cases names have the case's number.
func TestFaultCasesAreTested(t *testing.T) {
	text, err := os.ReadFile("docs/fault_cases.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := faultRow.FindAllStringSubmatch(string(text), -1)
	if len(rows) < 90 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		for _, m := range docPath.FindAllStringSubmatch(row[0], -1) {
			if filepath.Ext(m[1]) != ".go" {
				continue
			}
			code, err := os.ReadFile(m[1])
			if err != nil {
				t.Fatal(err)
			}
			if !regexp.MustCompile("PR ?" + row[1][2:]).Match(code) {
				t.Errorf("%s does not speak of %s", m[1], row[1])
			}
		}
	}
}
