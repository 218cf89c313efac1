package server

import (
	"encoding/json"
	"net/http"
	"strings"

	"rackwright/internal/money"
	"rackwright/internal/sizing"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/view"
)

const (
	maxConfigBody = 6 << 20 // of the whole form: both texts, pasted and uploaded, with their encoding
	maxConfig     = 1 << 20 // of a config.json; the largest real ones are some tens of kilobytes
)

// sizingInput returns the form as typed, for showing it again.
func sizingInput(f *form) view.SizingInput {
	in := view.SizingInput{}
	for name := range f.values {
		in[name] = f.raw(name)
	}
	return in
}

// readSizing turns the form into a request. Faults of form are found here, faults of meaning
// by the engine; both carry the names of the fields.
func readSizing(f *form, r *http.Request) (sizing.Request, error) {
	req := sizing.Request{Version: sizing.RequestVersion, Task: sizing.Serve}
	if err := readModel(f, r, &req); err != nil {
		return req, err
	}
	req.Weights, req.KV = llm.Precision(f.raw(view.SizingWeights)), llm.Precision(f.raw(view.SizingKV))
	req.Engine = sizing.InferenceEngine(f.raw(view.SizingEngine))
	if err := readLoad(f, r, &req); err != nil {
		return req, err
	}
	readTechniques(f, &req)
	req.Targets = sizing.Targets{
		TTFTMillis: f.positive(view.SizingTTFT, "0.001"), TPOTMillis: f.positive(view.SizingTPOT, "0.001"), Percentile: f.decimal(view.SizingPercentile),
	}
	readReserve(f, &req)
	readCosts(f, &req)
	return req, f.err()
}

// readModel reads which model is meant. An uploaded file replaces what was pasted, and the
// form then shows its text.
func readModel(f *form, r *http.Request, req *sizing.Request) error {
	if f.choice(view.SizingModelFrom, view.FromLibrary, view.FromConfig) != view.FromConfig {
		req.Model.HFID = f.raw(view.SizingModel)
		if req.Model.HFID == "" {
			f.Add(view.SizingModel, "errors.required")
		}
		return nil
	}
	content, _, uploaded, err := file(r, view.SizingConfigFile)
	if err != nil {
		return err
	}
	text := f.raw(view.SizingConfig)
	if uploaded && len(content) > 0 {
		text = strings.ToValidUTF8(string(content), "\uFFFD")
		f.values[view.SizingConfig] = []string{text}
	}
	switch trimmed := strings.TrimSpace(text); {
	case trimmed == "":
		f.Add(view.SizingConfig, "errors.required")
	case len(trimmed) > maxConfig:
		f.values[view.SizingConfig] = []string{""} // nobody reads a megabyte in a text box
		f.Add(view.SizingConfig, "sizing.config_too_large")
	case json.Valid([]byte(trimmed)):
		req.Model.Config = json.RawMessage(trimmed)
	default:
		req.Model.ConfigText = trimmed
	}
	return nil
}

func readReserve(f *form, req *sizing.Request) {
	if n := f.optInteger(view.SizingSpares, 0, 1000); n != nil {
		req.Reserve.SpareSystems = int(*n)
	}
	if f.number(view.SizingHeadroom) != "" {
		pct := f.decimal(view.SizingHeadroom)
		req.Reserve.HeadroomPct = &pct
	}
	if n := f.optInteger(view.SizingHorizon, 1, 240); n != nil {
		req.HorizonMonths = int(*n)
	}
}

func readCosts(f *form, req *sizing.Request) {
	for _, key := range view.SizingCostKeys {
		name := view.SizingCostPrefix + key
		v := f.number(name)
		if v == "" {
			continue
		}
		d, err := money.ParseDecimal(v)
		switch {
		case err != nil:
			f.Add(name, "errors.not_a_number")
		case d.Sign() < 0:
			f.Add(name, "errors.too_small", "min", "0")
		default:
			if req.Cost == nil {
				req.Cost = map[string]string{}
			}
			req.Cost[key] = d.String()
		}
	}
}

// positive is decimal for a field that takes a default when it is left empty: a typed zero
// must not quietly become that default.
func (f *form) positive(name, min string) float64 {
	x := f.decimal(name)
	if x == 0 && f.number(name) != "" && !f.Has(name) {
		f.Add(name, "errors.too_small", "min", min)
	}
	return x
}

// decimal returns a number of the sizing form: a plain decimal, which may be empty. The
// engine says what is out of range.
func (f *form) decimal(name string) float64 {
	v := f.number(name)
	if v == "" {
		return 0
	}
	d, err := money.ParseDecimal(v)
	if err != nil {
		f.Add(name, "errors.not_a_number")
		return 0
	}
	if d.Sign() < 0 {
		f.Add(name, "errors.too_small", "min", "0")
		return 0
	}
	return d.Float()
}
