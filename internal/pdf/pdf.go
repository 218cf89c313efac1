// Package pdf turns a printable document, written as an HTML component, into PDF bytes.
package pdf

import (
	"context"
	"errors"
	"io"
	"time"
)

// Component is an HTML document; it is templ.Component by structure.
type Component interface {
	Render(ctx context.Context, w io.Writer) error
}

// Options say what a PDF is about.
type Options struct {
	Title   string
	Author  string
	Lang    string    // BCP 47 tag: "en", "zh-Hans", "zh-Hant"
	Created time.Time // recorded in the file, so that equal input gives equal bytes
}

// Render lays a document out on A4 sheets.
func Render(ctx context.Context, c Component, opts Options) ([]byte, error) {
	return nil, errors.New("pdf: not ready")
}

// Uncovered returns the characters that no embedded font can draw.
func Uncovered(text string) []rune { return nil }
