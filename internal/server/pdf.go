package server

import (
	"mime"
	"net/http"
	"strconv"
)

// writePDF sends the bytes of a document under a file name of any script. Documents are
// for the person who asked and nobody's cache.
func writePDF(w http.ResponseWriter, name string, pdf []byte) error {
	h := w.Header()
	h.Set("Content-Type", "application/pdf")
	h.Set("Content-Disposition", mime.FormatMediaType("inline", map[string]string{"filename": name}))
	h.Set("Content-Length", strconv.Itoa(len(pdf)))
	h.Set("Cache-Control", "private, no-store")
	_, _ = w.Write(pdf) // the client has gone; nobody is left to tell
	return nil
}
