package server

import (
	"context"
	"net/http"
	"sync"
	"time"

	"rackwright/internal/sizing"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// estimateAge is how old the catalogue and the prices of an instant estimate may be. Reading
// them takes longer than half of an estimate, and people type; a report always reads anew.
const estimateAge = 5 * time.Second

// estimates answers the form as it stands, from inputs that are kept for a moment.
type estimates struct {
	*Server
	mu     sync.Mutex
	read   time.Time
	inputs sizing.Inputs
}

// preview answers with an instant estimate, as a part of the page. Nothing is stored; an
// incomplete form is no fault here.
func (s *estimates) preview(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	result, err := s.estimate(f, r)
	if err != nil && !isForm(err) {
		return err
	}
	return s.render(w, r, http.StatusOK, pages.SizingPreview(view.NewSizingPreview(s.pageT(r, "sizing.form_title"), result, err)))
}

func (s *estimates) estimate(f *form, r *http.Request) (*sizing.Result, error) {
	req, err := readSizing(f, r)
	if err != nil {
		return nil, err
	}
	in, err := s.recentInputs(r.Context())
	if err != nil {
		return nil, err
	}
	result, err := sizing.Preview(req, in)
	if err != nil {
		return nil, err
	}
	return &result, nil
}

func (s *estimates) recentInputs(ctx context.Context) (sizing.Inputs, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if age := now.Sub(s.read); !s.read.IsZero() && age >= 0 && age < estimateAge {
		return s.inputs, nil
	}
	sources, _, err := s.store.SizingInputs(ctx)
	if err != nil {
		return sizing.Inputs{}, err
	}
	s.read, s.inputs = now, s.sizingInputs(sources, now)
	return s.inputs, nil
}
