// Package pdf turns a printable document, written as an HTML component, into PDF bytes.
//
// Render lays the document out on A4 sheets with embedded fonts and writes PDF/A-2u. The same
// input gives the same bytes. Around the layout library it does what that cannot: choose a
// font for each script, break long texts and tall rows, keep rows together, draw the text of
// charts as outlines. What no font has is named by Uncovered. Nothing is fetched from a
// network. The package knows neither view structs nor HTTP; style.css lists the classes that
// documents may use.
package pdf

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"time"

	"github.com/carlos7ags/folio/document"
	foliohtml "github.com/carlos7ags/folio/html"
)

// Component is an HTML document; it is templ.Component by structure.
type Component interface {
	Render(ctx context.Context, w io.Writer) error
}

// Options say what a PDF is about. Title and Lang default to those of the HTML document.
type Options struct {
	Title   string
	Author  string
	Lang    string    // BCP 47 tag: "en", "zh-Hans", "zh-Hant"
	Created time.Time // recorded in the file, so that equal input gives equal bytes
}

// slots limits how many documents are laid out at the same time: each takes a core and some
// tens of megabytes, and more at once than cores only makes all of them late.
var slots = make(chan struct{}, runtime.GOMAXPROCS(0))

// Limits on a document, far above what people send, so that a mistake ends in an error and
// not in an exhausted machine.
const (
	maxElements = 200_000
	maxDepth    = 200
)

// Render lays a document out and returns the PDF. It waits for a free slot and stops when ctx ends.
func Render(ctx context.Context, c Component, opts Options) ([]byte, error) {
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for a free slot: %w", ctx.Err())
	}
	var src bytes.Buffer
	if err := c.Render(ctx, &src); err != nil {
		return nil, fmt.Errorf("render document: %w", err)
	}
	s, err := prepare(&src, opts.Lang)
	if err != nil {
		return nil, fmt.Errorf("prepare document: %w", err)
	}
	if opts.Title == "" {
		opts.Title = s.title
	}
	opts.Lang = s.lang
	return write(ctx, s, opts)
}

// write runs the layout library on a prepared document.
func write(ctx context.Context, s *sheet, opts Options) ([]byte, error) {
	fonts, err := fs.Sub(fontFiles, "fonts")
	if err != nil {
		return nil, err
	}
	result, err := foliohtml.ConvertFullWithContext(ctx, s.html, &foliohtml.Options{
		BaseFS:           fonts,
		FallbackFontPath: families[ownFamily(opts.Lang)].regular,
		StrictAssets:     true, // a missing font is an error, not a silent Helvetica
		PageWidth:        pageWidth,
		PageHeight:       pageHeight,
		MaxElements:      maxElements,
		MaxDepth:         maxDepth,
	})
	if err != nil {
		return nil, fmt.Errorf("lay out document: %w", err)
	}
	setFoot(result, s.foot)
	d := document.NewDocument(document.PageSizeA4)
	d.Info.Title = opts.Title
	d.Info.Author = opts.Author
	d.Info.Language = opts.Lang
	d.Info.CreationDate = opts.Created
	d.Info.ModDate = opts.Created
	d.SetActualText(false) // readers put what is painted from the right in order themselves, and would turn this round again
	d.SetPdfA(document.PdfAConfig{Level: document.PdfA2U})
	if err := d.AddConvertResult(result); err != nil {
		return nil, fmt.Errorf("add pages: %w", err)
	}
	var out bytes.Buffer
	if _, err := d.WriteToWithContext(ctx, &out, document.WriteOptions{Deterministic: true}); err != nil {
		return nil, fmt.Errorf("write pages: %w", err)
	}
	return out.Bytes(), nil
}

// A4 in points.
const (
	pageWidth  = 210 * pointsPerMM
	pageHeight = 297 * pointsPerMM

	pointsPerMM = 72 / 25.4
)
