package server

import (
	"errors"
	"math"
	"net/http"
	"strings"

	"rackwright/internal/apperr"
	"rackwright/internal/sizing"
	"rackwright/internal/sizing/sim"
	"rackwright/internal/view"
)

// maxTrace is the largest trace of a form in bytes; a request has 20 to 30.
const maxTrace = 1 << 20

// readLoad reads how many requests come, in what way, and how long they are.
func readLoad(f *form, r *http.Request, req *sizing.Request) error {
	req.Load.MeanOfPeak = f.positive(view.SizingMeanOfPeak, "1") / 100
	switch f.choice(view.SizingLoadKind, view.LoadRate, view.LoadBursty, view.LoadConcurrency, view.LoadTrace) {
	case view.LoadTrace:
		return readTrace(f, r, req)
	case view.LoadConcurrency:
		req.Load.Concurrency = f.decimal(view.SizingConcurrency)
	case view.LoadBursty:
		req.Load.Arrivals, req.Load.RequestsPerSecond = sizing.Bursty, f.decimal(view.SizingRate)
		if req.Load.CV = f.positive(view.SizingCV, "1"); req.Load.CV == 0 && !f.Has(view.SizingCV) {
			f.Add(view.SizingCV, "errors.required")
		}
	default:
		req.Load.RequestsPerSecond = f.decimal(view.SizingRate)
	}
	readLengths(f, req)
	return nil
}

func readLengths(f *form, req *sizing.Request) {
	req.Input.Mean = f.decimal(view.SizingInputLen)
	req.Output.Mean = f.decimal(view.SizingOutputLen)
	kind := view.LengthsSpread
	if f.has(view.SizingLengthKind) {
		kind = f.choice(view.SizingLengthKind, view.LengthsSpread, view.LengthsMedian, view.LengthsFixed)
	}
	switch kind {
	case view.LengthsFixed:
		req.Input.Distribution, req.Output.Distribution = sizing.Fixed, sizing.Fixed
	case view.LengthsMedian:
		for _, l := range []struct {
			field string
			to    *sizing.Length
		}{{view.SizingInputMedian, &req.Input}, {view.SizingOutputMedian, &req.Output}} {
			if l.to.Median = f.positive(l.field, "1"); l.to.Median == 0 && !f.Has(l.field) {
				f.Add(l.field, "errors.required")
			}
		}
	default:
		spread := f.positive(view.SizingSpread, "0.01")
		req.Input.Sigma, req.Output.Sigma = spread, spread
	}
}

// readTrace reads recorded requests. An uploaded file replaces what was pasted, and the form
// then shows its text.
func readTrace(f *form, r *http.Request, req *sizing.Request) error {
	content, _, uploaded, err := file(r, view.SizingTraceFile)
	if err != nil {
		return err
	}
	text := f.raw(view.SizingTrace)
	if uploaded && len(content) > 0 {
		text = strings.ToValidUTF8(string(content), "\uFFFD")
		f.values[view.SizingTrace] = []string{text}
	}
	rate := f.positive(view.SizingTraceRate, "0.0001")
	req.Load.Arrivals = sizing.Trace
	switch {
	case strings.TrimSpace(text) == "":
		f.Add(view.SizingTrace, "errors.required")
		return nil
	case len(text) > maxTrace:
		f.values[view.SizingTrace] = []string{""} // nobody reads a megabyte in a text box
		f.Add(view.SizingTrace, "trace.too_large", "size", maxTrace>>20)
		return nil
	}
	trace, err := sim.ParseTrace(strings.NewReader(text))
	if err != nil {
		return addTraceFaults(f, err)
	}
	if trace.Prompt == nil {
		f.Add(view.SizingTrace, "sizing.trace_needs_lengths")
		return nil
	}
	for i, at := range trace.Times {
		req.Load.Trace = append(req.Load.Trace, sizing.Traced{At: at, Input: trace.Prompt[i], Output: trace.Answer[i]})
	}
	req.Input, req.Output = tracedLength(trace.Prompt), tracedLength(trace.Answer)
	if req.Load.RequestsPerSecond = rate; rate == 0 {
		req.Load.RequestsPerSecond = view.TraceRate(req.Load.Trace)
	}
	return nil
}

// addTraceFaults puts what is wrong with a trace beside its field; other errors are returned.
func addTraceFaults(f *form, err error) error {
	e, ok := errors.AsType[*apperr.Error](err)
	switch {
	case !ok:
		return err
	case len(e.Fields) == 0:
		f.Add(view.SizingTrace, e.Msg.ID, e.Msg.Args...)
		return nil
	}
	f.Add(view.SizingTrace, "sizing.trace_lines")
	for line, m := range e.Fields {
		f.Add(view.TraceLineFault(line), m.ID, m.Args...)
	}
	return nil
}

// tracedLength is the mean of recorded lengths, and the spread of their logarithms for the
// closed formulas.
func tracedLength(tokens []int) sizing.Length {
	var sum, logs, squares float64
	for _, n := range tokens {
		x := math.Log(float64(n))
		sum, logs, squares = sum+float64(n), logs+x, squares+x*x
	}
	n := float64(len(tokens))
	sigma := math.Sqrt(max(0, squares/n-logs/n*logs/n))
	return sizing.Length{Mean: sum / n, Sigma: min(math.Round(sigma*1e6)/1e6, 2), Distribution: sizing.FromTrace}
}

func readTechniques(f *form, req *sizing.Request) {
	t := &req.Features
	t.PrefixShare, t.Acceptance = f.decimal(view.SizingPrefix)/100, f.positive(view.SizingAcceptance, "1")/100
	for _, c := range []struct {
		name string
		max  int64
		to   *int
	}{{view.SizingDraft, 8, &t.DraftTokens}, {view.SizingAdapters, 1000, &t.Adapters}, {view.SizingAdapterRank, 512, &t.AdapterRank}} {
		if n := f.optInteger(c.name, 0, c.max); n != nil {
			*c.to = int(*n)
		}
	}
	t.Disaggregated, t.Slices = f.raw(view.SizingDisaggregated) == "yes", f.raw(view.SizingSlices) == "yes"
}
