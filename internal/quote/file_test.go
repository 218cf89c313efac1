package quote

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"rackwright/internal/apperr"
)

func TestCheckFile(t *testing.T) {
	text := []byte("plain text\n")
	cases := []struct {
		name, file string
		content    []byte
		want       string // name that it is kept under, or the message
	}{
		{"text", "notes.txt", text, "notes.txt"},
		{"Chinese name", "规格书.txt", text, "规格书.txt"},
		{"upper case ending", "NOTES.TXT", text, "NOTES.TXT"},
		{"PDF", "a.pdf", []byte("%PDF-1.7"), "a.pdf"},
		{"folders", `C:\temp\..\notes.txt`, text, "notes.txt"},
		{"folders of another system", "../../etc/notes.txt", text, "notes.txt"},
		{"direction override hides the ending", "txt.exe\u202egnp.txt", text, "txt.exegnp.txt"},
		{"control characters", "a\x00b\nc.txt", text, "abc.txt"},
		{"long", strings.Repeat("长", 300) + ".txt", text, strings.Repeat("长", 146) + ".txt"},
		{"empty", "a.txt", nil, "files.empty"},
		{"too large", "a.txt", bytes.Repeat([]byte("x"), MaxFileBytes+1), "files.too_large"},
		{"as large as it may be", "a.txt", bytes.Repeat([]byte("x"), MaxFileBytes), "a.txt"},
		{"page", "a.html", text, "files.kind"},
		{"two endings", "a.pdf.html", text, "files.kind"},
		{"ending only", ".txt", text, "files.kind"},
		{"nothing", "", text, "files.kind"},
		{"page called PDF", "a.pdf", []byte("<html>"), "files.not_what_it_says"},
		{"program called picture", "a.png", []byte("MZ"), "files.not_what_it_says"},
		{"binary called text", "a.csv", []byte("a,b\x00"), "files.not_what_it_says"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			name, err := CheckFile(c.file, c.content)
			if e, ok := errors.AsType[*apperr.Error](err); ok {
				name = e.Fields["file"].ID
			}
			if name != c.want {
				t.Errorf("%q, want %q", name, c.want)
			}
		})
	}
}

func TestUniqueName(t *testing.T) {
	files := []File{{Name: "a.txt"}, {Name: "A (2).txt"}}
	for name, want := range map[string]string{"b.txt": "b.txt", "a.txt": "a (3).txt", "A.TXT": "A (3).TXT"} {
		if got := UniqueName(name, files); got != want {
			t.Errorf("%s becomes %s, want %s", name, got, want)
		}
	}
	long := strings.Repeat("x", 146) + ".txt"
	if got := UniqueName(long, []File{{Name: long}}); len(got) != 150 || !strings.HasSuffix(got, " (2).txt") {
		t.Errorf("%d characters: %s", len(got), got)
	}
}

func TestFileTypesDoNotRun(t *testing.T) {
	for _, ending := range FileEndings() {
		if kind := FileType("a" + ending); strings.Contains(kind, "html") || strings.Contains(kind, "svg") || strings.Contains(kind, "script") || kind == "" {
			t.Errorf("%s is served as %q", ending, kind)
		}
	}
	if got := FileType("a.html"); got != "application/octet-stream" {
		t.Error(got)
	}
}

func FuzzFileName(f *testing.F) {
	for _, s := range []string{"a.txt", "../a", "\u202e.txt", "a\xff.txt", ".", "..", "/", strings.Repeat("é", 400) + ".longending"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name, err := CheckFile(s, []byte("text"))
		if err != nil {
			return
		}
		if !utf8.ValidString(name) || strings.ContainsAny(name, "/\\\x00\r\n\"") || utf8.RuneCountInString(name) > maxFileName || name == "" {
			t.Errorf("%q becomes %q", s, name)
		}
		if again, err := CheckFile(name, []byte("text")); err != nil || again != name {
			t.Errorf("%q becomes %q, %v", name, again, err)
		}
	})
}

func TestPaperRules(t *testing.T) {
	for _, s := range States {
		for _, p := range Papers {
			err := MakePaper{Paper: p}.Check(Revision{State: s})
			if (err == nil) != (s == Accepted) {
				t.Errorf("%s of a quote that is %s: %v", p, s, err)
			}
		}
	}
	if err := (MakePaper{Paper: "receipt"}).Check(Revision{State: Accepted}); !apperr.Is(err, apperr.NotFound) {
		t.Errorf("an unknown paper: %v", err)
	}
	if got := DeliveryNote.FileName("Q-2026-0187-r2.pdf"); got != "Q-2026-0187-r2-delivery-note.pdf" {
		t.Error(got)
	}
}
