package documents_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"rackwright/internal/chart"
	"rackwright/internal/i18n"
	"rackwright/internal/pdf"
)

var created = time.Date(2026, 12, 1, 9, 30, 0, 0, time.UTC)

// keepPDF, set in the environment, is a folder where the tests leave the documents to be looked at.
const keepPDF = "KEEP_PDF"

func render(t *testing.T, name string, c pdf.Component, lang i18n.Lang) []byte {
	t.Helper()
	b, err := pdf.Render(t.Context(), c, pdf.Options{Created: created})
	if err != nil {
		t.Fatalf("render %s: %v", name, err)
	}
	if dir := os.Getenv(keepPDF); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+"."+string(lang)+".pdf"), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// pdfText returns what pdftotext reads from a document.
func pdfText(t *testing.T, b []byte) string {
	t.Helper()
	return extract(t, b)
}

// rawText is pdfText in the order in which the document is painted, which no version of a reader guesses at.
func rawText(t *testing.T, b []byte) string {
	t.Helper()
	wide := regexp.MustCompile(` {2,}`)
	var out []string
	for _, line := range strings.Split(strings.ReplaceAll(extract(t, b, "-raw"), "\f", "-- page --\n"), "\n") {
		if line = strings.TrimSpace(wide.ReplaceAllString(line, " ")); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n") + "\n"
}

func extract(t *testing.T, b []byte, how ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "doc.pdf")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "pdftotext", append(how, "-enc", "UTF-8", file, "-")...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Fatalf("pdftotext: %v %s", err, errs.String())
	}
	return out.String()
}

// missingMessage is how the localizer shows an id that it does not know.
var missingMessage = regexp.MustCompile(`\[[a-z]+\.[a-z_0-9]+\]`)

// squeeze drops what line breaking may change.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, norm.NFKC.String(s))
}

// stringsOf walks a view struct and returns every string in it by its path. Drawings are left
// out: their texts are outlines, and the document repeats their figures in words.
func stringsOf(v reflect.Value, path string, out map[string]string) {
	switch v.Kind() {
	case reflect.String:
		out[path] = v.String()
	case reflect.Struct:
		if v.Type().PkgPath() == reflect.TypeFor[chart.Stack]().PkgPath() {
			return
		}
		for i := range v.NumField() {
			stringsOf(v.Field(i), path+"."+v.Type().Field(i).Name, out)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			stringsOf(v.Index(i), fmt.Sprintf("%s[%d]", path, i), out)
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			stringsOf(v.Elem(), path, out)
		}
	}
}

var indexes = regexp.MustCompile(`\[\d+\]`)

// findAll reports every string of a view struct that the document does not print. Fields that
// are not meant to be printed are named without indexes.
func findAll(t *testing.T, b []byte, view any, unprinted ...string) {
	t.Helper()
	got := squeeze(pdfText(t, b))
	all := map[string]string{}
	stringsOf(reflect.ValueOf(view), "", all)
	for path, s := range all {
		if slices.Contains(unprinted, indexes.ReplaceAllString(path, "")) {
			continue
		}
		for _, line := range strings.Split(s, "\n") {
			if !strings.Contains(got, squeeze(line)) {
				t.Errorf("%s: %q is not printed", path, line)
			}
		}
	}
}
