package pdf

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/jpeg" // pictures that documents may hold
	_ "image/png"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// dropImages removes every picture that is not inside the document or cannot be read: a faulty
// logo must not keep a quote from being sent, and nothing is fetched.
func dropImages(root *html.Node) {
	for _, n := range find(root, byAtom(atom.Img)) {
		if !readable(attr(n, "src")) {
			n.Parent.RemoveChild(n)
		}
	}
}

func readable(src string) bool {
	kind, data, ok := strings.Cut(src, ";base64,")
	if !ok || kind != "data:image/png" && kind != "data:image/jpeg" {
		return false
	}
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return false
	}
	_, _, err = image.Decode(bytes.NewReader(raw))
	return err == nil
}
