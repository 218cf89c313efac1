package server

import (
	"net/http"

	"rackwright/internal/sizing"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// sizingPreview answers the form as it stands with an instant estimate, as a part of the page.
// Nothing is stored; an incomplete form is no fault here.
func (s *Server) sizingPreview(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	result, err := s.previewSizing(f, r)
	if err != nil && !isForm(err) {
		return err
	}
	return s.render(w, r, http.StatusOK, pages.SizingPreview(view.NewSizingPreview(s.pageT(r, "sizing.form_title"), result, err)))
}

func (s *Server) previewSizing(f *form, r *http.Request) (*sizing.Result, error) {
	req, err := readSizing(f, r)
	if err != nil {
		return nil, err
	}
	sources, _, err := s.store.SizingInputs(r.Context())
	if err != nil {
		return nil, err
	}
	result, err := sizing.Preview(req, sizing.InputsFrom(s.models, sources, s.now()))
	if err != nil {
		return nil, err
	}
	return &result, nil
}
