package pdf

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"testing"
)

func pngOf(t *testing.T, p image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// noise is a picture that no format makes small.
func noise(w, h int) *image.NRGBA {
	p := image.NewNRGBA(image.Rect(0, 0, w, h))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range p.Pix {
		p.Pix[i] = byte(r.IntN(256))
	}
	return p
}

func TestLogo(t *testing.T) {
	const most = 250_000
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 6000, 4000)), nil); err != nil {
		t.Fatal(err)
	}
	small := pngOf(t, noise(200, 50))
	cases := []struct {
		name       string
		content    []byte
		kind       string
		w, h       int // of the result
		same, fail bool
	}{
		{"fits", small, "png", 200, 50, true, false},
		{"large photograph", photo.Bytes(), "jpeg", 1200, 800, false, false},
		{"wide", pngOf(t, image.NewGray(image.Rect(0, 0, 6000, 30))), "png", 1200, 6, false, false},
		{"a hair", pngOf(t, image.NewGray(image.Rect(0, 0, 1, 6000))), "png", 1, 1200, false, false},
		{"noise that stays large", pngOf(t, noise(1100, 550)), "png", 0, 0, false, false},
		{"too many pixels", pngOf(t, image.NewGray(image.Rect(0, 0, 1, MaxPictureSide+1))), "", 0, 0, false, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := Logo(c.content, most)
			if c.fail {
				if err == nil {
					t.Fatal("it was taken")
				}
				return
			}
			if err != nil || len(got) > most {
				t.Fatalf("%d bytes, %v", len(got), err)
			}
			head, kind, err := image.DecodeConfig(bytes.NewReader(got))
			if err != nil || kind != c.kind || c.w > 0 && (head.Width != c.w || head.Height != c.h) {
				t.Errorf("%s of %d by %d, %v", kind, head.Width, head.Height, err)
			}
			if same := bytes.Equal(got, c.content); same != c.same {
				t.Errorf("left as it is: %v", same)
			}
		})
	}
}

func TestLogoRefuses(t *testing.T) {
	small := pngOf(t, noise(40, 20))
	for name, c := range map[string]struct {
		content []byte
		want    error
	}{
		"nothing": {nil, ErrNotPicture}, "text": {[]byte("text"), ErrNotPicture}, "SVG": {[]byte("<svg/>"), ErrNotPicture},
		"cut off": {small[:len(small)-20], ErrPictureDamaged},
	} {
		if _, err := Logo(c.content, 1000); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// What can be seen through stays so when a picture is made smaller.
func TestLogoKeepsTransparency(t *testing.T) {
	p := image.NewNRGBA(image.Rect(0, 0, 2400, 600))
	for x := 1200; x < 2400; x++ {
		for y := range 600 {
			p.Set(x, y, color.NRGBA{R: 200, A: 255})
		}
	}
	got, err := Logo(pngOf(t, p), 250_000)
	if err != nil {
		t.Fatal(err)
	}
	out, err := png.Decode(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	_, _, _, left := out.At(100, 100).RGBA()
	red, _, _, right := out.At(1000, 100).RGBA()
	if left != 0 || right != 0xffff || red>>8 != 200 {
		t.Errorf("left %d, right %d, red %d", left, right, red>>8)
	}
}
