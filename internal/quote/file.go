package quote

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"rackwright/internal/apperr"
)

// The limits of files attached to a revision. The schema has the same for one file.
const (
	MaxFileBytes = 10 << 20
	MaxFiles     = 20
	maxFileName  = 150 // characters
)

// The entries of the history about files.
const (
	FileAdded   EventKind = "file_added"
	FileRemoved EventKind = "file_removed"
)

// File is a file attached to a revision. It is frozen with it, and a new revision starts with the same files.
type File struct {
	ID     int64
	Name   string
	SHA256 string // hex
	Size   int    // bytes
	At     time.Time
	By     string // display name
}

// fileKind is a kind of file that may be attached: how its content begins, and what a browser is told that it is.
type fileKind struct {
	mime  string
	magic string // empty is text
}

// fileKinds are the kinds by the ending of the name. Nothing in the list can run in a browser.
var fileKinds = map[string]fileKind{
	".pdf": {"application/pdf", "%PDF-"}, ".png": {"image/png", "\x89PNG\r\n\x1a\n"},
	".jpg": {"image/jpeg", "\xff\xd8\xff"}, ".jpeg": {"image/jpeg", "\xff\xd8\xff"},
	".txt": {"text/plain; charset=utf-8", ""}, ".csv": {"text/csv; charset=utf-8", ""},
	".docx": {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "PK\x03\x04"},
	".xlsx": {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "PK\x03\x04"},
	".pptx": {"application/vnd.openxmlformats-officedocument.presentationml.presentation", "PK\x03\x04"},
}

// FileEndings lists the endings of files that may be attached, sorted, with their dots.
func FileEndings() []string {
	var out []string
	for ending := range fileKinds {
		out = append(out, ending)
	}
	slices.Sort(out)
	return out
}

// FileType returns the media type of an attached file by its name.
func FileType(name string) string {
	if kind, ok := fileKinds[strings.ToLower(path.Ext(name))]; ok {
		return kind.mime
	}
	return "application/octet-stream"
}

// AddFile attaches a file to the draft.
type AddFile struct {
	QuoteID int64
	Version int64
	Key     string
	Actor   Actor
	Name    string // as FileName returns it
	Bytes   []byte
}

// RemoveFile takes a file off the draft.
type RemoveFile struct {
	QuoteID int64
	Version int64
	Key     string
	Actor   Actor
	FileID  int64
}

// CheckFile returns the name that a file is kept under, or why it is refused; faults are at "file". The name loses folders
// and what is invisible; the content has to be what the ending says.
func CheckFile(name string, content []byte) (string, error) {
	var f apperr.Faults
	name = fileName(name)
	kind, known := fileKinds[strings.ToLower(path.Ext(name))]
	switch {
	case len(content) == 0:
		f.Add("file", "files.empty")
	case len(content) > MaxFileBytes:
		f.Add("file", "files.too_large", "max", MaxFileBytes>>20)
	case !known || name == path.Ext(name):
		f.Add("file", "files.kind", "kinds", strings.Join(FileEndings(), " "))
	case kind.magic != "" && !bytes.HasPrefix(content, []byte(kind.magic)), kind.magic == "" && !isText(content):
		f.Add("file", "files.not_what_it_says", "name", name)
	}
	return name, f.Err()
}

// fileName drops folders and everything invisible from a name, and keeps its ending when it is too long.
func fileName(name string) string {
	name = path.Base(strings.ReplaceAll(name, "\\", "/"))
	name = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(`<>:"|?*/`, r) {
			return -1
		}
		return r
	}, name))
	ending := path.Ext(name)
	if stem := []rune(strings.TrimSuffix(name, ending)); len(stem)+len([]rune(ending)) > maxFileName && len(ending) < 10 {
		name = string(stem[:maxFileName-len(ending)]) + ending
	}
	return name
}

// isText reports whether content is text in UTF-8 without control characters but white space.
func isText(content []byte) bool {
	return utf8.Valid(content) && bytes.IndexFunc(content, func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }) < 0
}

// UniqueName returns name, or name with a number before its ending where a file of that name is attached already.
func UniqueName(name string, files []File) string {
	taken := func(n string) bool {
		return slices.ContainsFunc(files, func(f File) bool { return strings.EqualFold(f.Name, n) })
	}
	ending := path.Ext(name)
	stem := strings.TrimSuffix(name, ending)
	for n := 2; taken(name); n++ {
		number := " (" + strconv.Itoa(n) + ")"
		short := []rune(stem)
		short = short[:min(len(short), maxFileName-len(number)-len([]rune(ending)))]
		name = string(short) + number + ending
	}
	return name
}
