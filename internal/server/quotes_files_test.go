package server

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"rackwright/internal/auth"
	"rackwright/internal/quote"
)

// upload is a multipart form with one file.
func upload(b *browser, path string, f url.Values, name string, content []byte) *answer {
	b.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for key, values := range f {
		for _, v := range values {
			if err := w.WriteField(key, v); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	if name != "" {
		part, err := w.CreateFormFile("file", name)
		if err != nil {
			b.t.Fatal(err)
		}
		if _, err := part.Write(content); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.t.Fatal(err)
	}
	return b.do(http.MethodPost, path, body.String(), w.FormDataContentType())
}

var aPDF = []byte("%PDF-1.7\nnot much of one\n%%EOF\n")

// PR154: attaching a file to a draft keeps the lines that were not saved yet.
func TestPR154AttachKeepsUnsavedLines(t *testing.T) {
	s := newShop(t)
	at := s.draft(s.sales)
	for _, text := range []string{"First", "Second"} {
		edit(s.sales, at, "add", map[string]string{"add": text}).status(http.StatusSeeOther)
	}
	f := s.sales.get(at).form(at)
	f.Set("lines[0].quantity", "3") // typed, not saved
	f.Set("lines[1].quantity", "4")
	upload(s.sales, at+"/files", f, "datasheet.pdf", aPDF).leads(at + "#files")
	q, err := s.db.Quote(t.Context(), quoteID(t, at))
	if err != nil {
		t.Fatal(err)
	}
	if len(q.Revision.Content.Lines) != 2 || q.Revision.Content.Lines[0].Quantity.String() != "3" || q.Revision.Content.Lines[1].Quantity.String() != "4" {
		t.Errorf("lines %+v", q.Revision.Content.Lines)
	}
	if len(q.Revision.Files) != 1 || q.Revision.Files[0].Name != "datasheet.pdf" || q.Revision.Files[0].Size != len(aPDF) {
		t.Errorf("files %+v", q.Revision.Files)
	}
	page := s.sales.get(at).says("datasheet.pdf").says("Saved and attached: datasheet.pdf")
	href, _ := page.page().Find("#files a").Attr("href")
	a := s.sales.get(href).status(http.StatusOK)
	for name, want := range map[string]string{
		"Content-Type": "application/pdf", "Content-Disposition": `attachment; filename=datasheet.pdf`, "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "private, no-store",
	} {
		if got := a.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if !bytes.Equal(a.Body.Bytes(), aPDF) {
		t.Error("other bytes come back")
	}
}

// A file that is refused is named with its reason, and what was typed stays in the form.
func TestRefusedFiles(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	cases := []struct {
		name, file string
		content    []byte
		says       string
	}{
		{"a page", "page.html", []byte("<script>alert(1)</script>"), "cannot be attached"},
		{"a drawing that can run", "logo.svg", []byte("<svg/>"), "cannot be attached"},
		{"a program", "setup.exe", []byte("MZ"), "cannot be attached"},
		{"no ending", "README", []byte("text"), "cannot be attached"},
		{"a page called PDF", "page.pdf", []byte("<html>"), "is not what its name says"},
		{"binary called text", "notes.txt", []byte{0, 1, 2}, "is not what its name says"},
		{"empty", "empty.txt", nil, "is empty"},
		{"too large", "large.txt", bytes.Repeat([]byte("x"), quote.MaxFileBytes+1), "at most 10 MB"},
		{"none chosen", "", nil, "Choose a file first"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := s.sales.get(at).form(at)
			f.Set("title", "Typed and not saved")
			a := upload(s.sales, at+"/files", f, c.file, c.content).status(http.StatusUnprocessableEntity).says(c.says)
			if v, _ := a.page().Find("[name=title]").Attr("value"); v != "Typed and not saved" {
				t.Errorf("the title in the form is %q", v)
			}
		})
	}
	if q, err := s.db.Quote(t.Context(), quoteID(t, at)); err != nil || len(q.Revision.Files) != 0 {
		t.Errorf("files %+v, %v", q.Revision.Files, err)
	}
}

// What was sent keeps its files; the next revision starts with them and may lose them; the customer reads those of the
// revision behind the link and no others.
func TestFilesAreFrozenWithTheRevision(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	upload(s.sales, at+"/files", s.sales.get(at).form(at), "one.txt", []byte("first")).leads(at + "#files")
	upload(s.sales, at+"/files", s.sales.get(at).form(at), "one.txt", []byte("second")).leads(at + "#files")
	link := s.send(s.sales, at)
	page := s.visitor().get(link).says("one.txt").says("one (2).txt")
	href, _ := page.page().Find("#files a").First().Attr("href")
	if !strings.HasPrefix(href, link+"/files/") {
		t.Fatalf("leads to %q", href)
	}
	a := s.visitor().get(href).status(http.StatusOK)
	if a.Body.String() != "first" || !strings.HasPrefix(a.Header().Get("Content-Disposition"), "attachment") || a.Header().Get("X-Robots-Tag") == "" {
		t.Errorf("%q, %v", a.Body.String(), a.Header())
	}
	if text := pdfText(t, s.sales.get(at+"/pdf").pdf()); !strings.Contains(text, "one (2).txt") {
		t.Error("the document does not name its attachments")
	}
	upload(s.sales, at+"/files", url.Values{"key": {newKey()}, "version": {"9"}}, "late.txt", []byte("late")).status(http.StatusUnprocessableEntity)

	s.sales.post(at+"/revise", s.sales.get(at).form(at+"/revise")).leads(at)
	form := s.sales.get(at).says("one.txt")
	remove, _ := form.page().Find("#files button[formaction*='/remove']").First().Attr("formaction")
	f := form.form(at)
	f.Set("title", "Typed before removing")
	s.sales.post(remove, f).leads(at + "#files")
	q, err := s.db.Quote(t.Context(), quoteID(t, at))
	if err != nil || len(q.Revision.Files) != 1 || q.Revision.Files[0].Name != "one (2).txt" || q.Revision.Content.Title != "Typed before removing" {
		t.Errorf("%+v %q, %v", q.Revision.Files, q.Revision.Content.Title, err)
	}
	if s.visitor().get(href).status(http.StatusOK).Body.String() != "first" {
		t.Error("the customer's file changed")
	}
	other := strings.TrimPrefix(link, "/q/")
	s.visitor().get("/q/" + other + "/files/" + itoa(q.Revision.Files[0].ID)).status(http.StatusNotFound) // of a draft
	s.visitor().get("/q/abcdefghijklmnopqrst/files/1").status(http.StatusNotFound)
	s.visitor().get(at + "/files/1").status(http.StatusSeeOther)
	s.as("jonas", auth.Stock).get(at + "/files/1").status(http.StatusForbidden)
	if _, err := s.db.QuoteFile(t.Context(), quoteID(t, at)+1, q.Revision.Files[0].ID); err == nil {
		t.Error("a file is served under another quote")
	}
}
