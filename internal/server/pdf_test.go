package server

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// pdfText returns the text of a PDF answer in reading order, its white space folded.
func pdfText(t *testing.T, pdf []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file.pdf")
	if err := os.WriteFile(name, pdf, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "pdftotext", "-raw", name, "-").Output()
	if err != nil {
		t.Fatalf("pdftotext (package poppler-utils): %v", err)
	}
	return strings.Join(strings.Fields(string(out)), " ")
}

// pdfInfo returns the metadata of a PDF answer.
func pdfInfo(t *testing.T, pdf []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file.pdf")
	if err := os.WriteFile(name, pdf, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "pdfinfo", "-meta", "-struct-text", name).Output()
	if err != nil {
		t.Fatalf("pdfinfo (package poppler-utils): %v", err)
	}
	plain, err := exec.CommandContext(t.Context(), "pdfinfo", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out) + string(plain)
}

// pdf returns the bytes of a PDF answer, which is for the person who asked and no cache.
func (a *answer) pdf() []byte {
	a.t.Helper()
	a.status(http.StatusOK)
	if got := a.Header().Get("Cache-Control"); got != "private, no-store" {
		a.t.Errorf("%s: Cache-Control %q", a.what, got)
	}
	return a.Body.Bytes()
}
