package pdf

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // pictures that may be given as a logo
)

// Why a file cannot be a logo.
var (
	ErrNotPicture     = errors.New("not a PNG, JPEG or WebP picture")
	ErrPictureTooBig  = errors.New("more pixels than are read")
	ErrPictureDamaged = errors.New("damaged or cut off")
)

// MaxPictureSide is the longest side of a picture that is read, in pixels: a small file can hold one that fills the memory.
const MaxPictureSide = 7000

// logoSide is the longest side of a logo on documents, in pixels: 12 mm high, 600 dots an inch and very wide.
const logoSide = 1200

// Logo returns a picture as documents carry it, PNG or JPEG of at most maxBytes: as it is where it fits, else made smaller
// with its proportions and its transparency. The whole picture is read, so one that is returned can be printed.
func Logo(content []byte, maxBytes int) ([]byte, error) {
	head, kind, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil || kind != "png" && kind != "jpeg" && kind != "webp" {
		return nil, ErrNotPicture
	}
	if max(head.Width, head.Height) > MaxPictureSide {
		return nil, ErrPictureTooBig
	}
	picture, _, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, ErrPictureDamaged
	}
	if kind != "webp" && len(content) <= maxBytes && max(head.Width, head.Height) <= logoSide {
		return content, nil
	}
	for side := logoSide; side > 1; side = side * 3 / 4 {
		out, err := encodeLogo(shrink(picture, side), kind == "jpeg")
		if err != nil {
			return nil, err
		}
		if len(out) <= maxBytes {
			return out, nil
		}
	}
	return nil, ErrPictureTooBig
}

// shrink returns a picture whose longer side has at most so many pixels.
func shrink(p image.Image, side int) image.Image {
	w, h := p.Bounds().Dx(), p.Bounds().Dy()
	if longest := max(w, h); longest > side {
		w, h = max(w*side/longest, 1), max(h*side/longest, 1)
	}
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.CatmullRom.Scale(out, out.Bounds(), p, p.Bounds(), draw.Src, nil)
	return out
}

func encodeLogo(p image.Image, photo bool) ([]byte, error) {
	var b bytes.Buffer
	if photo {
		err := jpeg.Encode(&b, p, &jpeg.Options{Quality: 90})
		return b.Bytes(), err
	}
	err := png.Encode(&b, p)
	return b.Bytes(), err
}
