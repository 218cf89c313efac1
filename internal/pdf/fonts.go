package pdf

import (
	"bytes"
	"embed"
	"io/fs"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"
)

//go:embed fonts/*.ttf
var fontFiles embed.FS

// family is one typeface of the documents. The layout library picks no glyphs from a second
// face by itself, so every run of text is marked with the family that has its characters.
type family struct {
	name    string // in the style sheet
	class   string // of a run set in it
	regular string
	bold    string // "" where the regular weight serves for bold, too
}

// families in the order in which a character is looked for after the document's own.
var families = []family{
	{"Noto Sans SC", "f-sc", "NotoSansSC-Regular.ttf", "NotoSansSC-Bold.ttf"},
	{"Noto Sans TC", "f-tc", "NotoSansTC-Regular.ttf", "NotoSansTC-Bold.ttf"},
	{"Noto Sans", "f-la", "NotoSans-Regular.ttf", "NotoSans-Bold.ttf"},
	{"Noto Sans TC Wide", "f-tw", "NotoSansTC-Regular.ttf", ""}, // characters that the bold subset lacks
	{"Noto Sans KR", "f-kr", "NotoSansKR-Regular.ttf", ""},
	{"Noto Sans Arabic", "f-ar", "NotoSansArabic-Regular.ttf", "NotoSansArabic-Bold.ttf"}, // only letters that get joined
	{"Noto Sans Hebrew", "f-he", "NotoSansHebrew-Regular.ttf", "NotoSansHebrew-Bold.ttf"},
}

// Indexes in families.
const (
	simplified = iota
	traditional
	latin
)

// ownFamily returns the index of the family that a language is set in. The Chinese families
// have Latin letters, too, but full-width quotation marks and dashes.
func ownFamily(lang string) int {
	l := strings.ToLower(lang)
	for _, p := range []string{"zh-hant", "zh-tw", "zh-hk", "zh-mo"} {
		if strings.HasPrefix(l, p) {
			return traditional
		}
	}
	if strings.HasPrefix(l, "zh") {
		return simplified
	}
	return latin
}

// narrowest returns the file with the fewer characters: what it covers, both weights cover.
func (f family) narrowest() string {
	if f.bold != "" {
		return f.bold
	}
	return f.regular
}

// parsed holds the fonts read so far by file name. Fonts never change, so the cache needs no end.
var parsed sync.Map // string -> *sfnt.Font

// fontOf reads an embedded font for its character map and outlines.
func fontOf(file string) *sfnt.Font {
	if f, ok := parsed.Load(file); ok {
		return f.(*sfnt.Font)
	}
	data, err := fs.ReadFile(fontFiles, "fonts/"+file)
	if err != nil {
		panic("pdf: font " + file + " is not embedded") // a fault of the build, not of input
	}
	f, err := sfnt.ParseReaderAt(bytes.NewReader(data))
	if err != nil {
		panic("pdf: font " + file + ": " + err.Error())
	}
	actual, _ := parsed.LoadOrStore(file, f)
	return actual.(*sfnt.Font)
}

// covers reports whether both weights of a family have a character.
func (f family) covers(b *sfnt.Buffer, r rune) bool {
	i, err := fontOf(f.narrowest()).GlyphIndex(b, r)
	return err == nil && i != 0
}

// familyOf returns the family for a character, looking first in own; ok is false where none has it.
func familyOf(b *sfnt.Buffer, own int, r rune) (index int, ok bool) {
	if families[own].covers(b, r) {
		return own, true
	}
	for i, f := range families {
		if i != own && f.covers(b, r) {
			return i, true
		}
	}
	return own, false
}

// unseen reports whether a character is not meant to leave ink: controls, format characters
// (joiners, direction marks, soft hyphens, variation selectors). They are dropped from documents.
func unseen(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r)
}

// Uncovered returns the characters of a text that no font of the documents has, each once,
// in the order of appearance. A document prints them as boxes, so whoever sends it must know.
func Uncovered(text string) []rune {
	var (
		buf  sfnt.Buffer
		out  []rune
		seen = map[rune]bool{}
	)
	for _, r := range norm.NFC.String(text) {
		if seen[r] || unseen(r) || unicode.IsSpace(r) {
			continue
		}
		seen[r] = true
		if _, ok := familyOf(&buf, simplified, r); !ok {
			out = append(out, r)
		}
	}
	return out
}
