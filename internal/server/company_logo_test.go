package server

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"rackwright/internal/auth"
)

// PR068: a logo is shown on documents as it is, or refused at upload with the reason. No document is ever made without a
// logo that was accepted.
func TestPR068Logo(t *testing.T) {
	s := newShop(t)
	admin := s.as("chief", auth.Admin)
	at := s.priced(s.sales)
	picture := image.NewNRGBA(image.Rect(0, 0, 300, 100))
	for x := range 300 {
		for y := range 100 {
			picture.Set(x, y, color.NRGBA{R: 200, G: 30, B: 30, A: uint8(x % 256)})
		}
	}
	var transparent, photo, huge bytes.Buffer
	for _, err := range []error{
		png.Encode(&transparent, picture), jpeg.Encode(&photo, picture, nil), jpeg.Encode(&huge, image.NewGray(image.Rect(0, 0, 6000, 4000)), &jpeg.Options{Quality: 1}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	webp := "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"
	cases := []struct {
		name, file, content string
		width               int    // on the document
		reason              string // of a refusal
	}{
		{"PNG with transparency", "logo.png", transparent.String(), 300, ""},
		{"JPEG", "logo.jpg", photo.String(), 300, ""},
		{"WebP", "logo.webp", webp, 1, ""},
		{"6000 x 4000 JPEG", "logo.jpg", huge.String(), 1200, ""},
		{"SVG", "logo.svg", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>`, 1200, "Save an SVG as PNG"},
		{"text renamed", "logo.png", "this is no picture", 1200, "not a PNG, JPEG or WebP"},
		{"PNG that is cut off", "logo.png", transparent.String()[:transparent.Len()-20], 1200, "damaged or cut off"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := sendLogo(t, admin, c.file, c.content)
			if c.reason == "" {
				a.leads("/admin/company")
			} else if got := a.status(422).fault("logo"); !strings.Contains(got, c.reason) {
				t.Errorf("refused with %q, want %q", got, c.reason)
			}
			// What was refused leaves the logo that was there.
			if b := s.sales.get(at + "/preview.pdf").pdf(); !bytes.Contains(b, []byte("/Subtype /Image")) || !bytes.Contains(b, fmt.Appendf(nil, "/Width %d", c.width)) {
				t.Errorf("the document has no picture of %d pixels", c.width)
			}
		})
	}
}
