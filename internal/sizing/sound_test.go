package sizing_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"rackwright/internal/sizing"
	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/sizing/serving"
)

// numbers calls bad for every figure below v that is no number or below zero.
func numbers(v reflect.Value, path string, bad func(string, ...any)) {
	switch v.Kind() {
	case reflect.Float64:
		if x := v.Float(); math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
			bad("%s is %v", path, x)
		}
	case reflect.Int, reflect.Int64:
		if v.Int() < 0 {
			bad("%s is %d", path, v.Int())
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			numbers(v.Elem(), path, bad)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "Median" && f.Name != "Cost" {
				numbers(v.Field(i), path+"."+f.Name, bad)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			numbers(v.Index(i), path+"["+strconv.Itoa(i)+"]", bad)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			numbers(v.MapIndex(k), path+"["+k.String()+"]", bad)
		}
	}
}

// checkResult holds for every result of every request.
func checkResult(t testing.TB, res sizing.Result) {
	t.Helper()
	numbers(reflect.ValueOf(res), "result", t.Errorf)
	for _, p := range slices.Concat(res.Plans, res.SetApart) {
		bad := func(format string, args ...any) { t.Errorf(p.SystemSKU+": "+format, args...) }
		checkFleet(p, bad)
		checkKept(res.Request, p, bad)
		var sum int64
		for _, part := range p.Memory.Parts {
			sum += int64(part.Bytes)
		}
		if sum != int64(p.Memory.Total) {
			bad("parts of memory add up to %d of %d", sum, p.Memory.Total)
		}
		if m := p.Memory; m.Status == serving.No || m.Status == serving.Fits && m.Sequences < 2*m.Wanted*(1-1e-6) {
			bad("memory %s with %v requests for %v wanted", m.Status, m.Sequences, m.Wanted)
		}
	}
	if best := res.Recommended(); !res.Preview && best != nil && best.Simulated == nil {
		t.Errorf("%s is recommended and not simulated", best.SystemSKU)
	}
}

// checkFleet compares GPUs, copies and systems of a plan.
func checkFleet(p sizing.Plan, bad func(string, ...any)) {
	group := p.TP * p.PP * max(1, p.ADP)
	switch {
	case p.GPUs < 1 || p.Replicas < 1 || p.Systems < 1 || p.GPUsUsed > p.GPUs:
		bad("%d GPUs, %d used, %d copies, %d systems", p.GPUs, p.GPUsUsed, p.Replicas, p.Systems)
	case p.Slice == "" && p.GPUsUsed != p.Replicas*group:
		bad("%d copies of %d GPUs use %d", p.Replicas, group, p.GPUsUsed)
	case p.SystemKind != string(hardware.Card) && p.GPUs != p.Systems*p.GPUsPerSystem:
		bad("%d GPUs in %d systems of %d", p.GPUs, p.Systems, p.GPUsPerSystem)
	case p.SystemKind == string(hardware.Card) && (p.GPUs > p.Systems*p.GPUsPerSystem || (p.Systems-p.SpareSystems-1)*p.GPUsPerSystem >= p.GPUs):
		bad("%d cards in %d servers of %d", p.GPUs, p.Systems, p.GPUsPerSystem)
	case !(p.Utilisation > 0 && p.Utilisation <= 1):
		bad("utilisation %v", p.Utilisation)
	}
	if w := p.Power; w.AverageW != nil && w.ProvisionedW != nil && *w.AverageW > *w.ProvisionedW {
		bad("draws %v W on average of %v W", *w.AverageW, *w.ProvisionedW)
	}
}

// checkKept compares what a plan does with what was asked for.
func checkKept(req sizing.Request, p sizing.Plan, bad func(string, ...any)) {
	for _, x := range []struct {
		name           string
		limit, instant float64
		simulated      func(*sizing.Simulated) sizing.Quantiles
	}{
		{"TTFT", req.Targets.TTFTMillis, p.TTFT.Mid, func(s *sizing.Simulated) sizing.Quantiles { return s.TTFT }},
		{"TPOT", req.Targets.TPOTMillis, p.TPOT.Mid, func(s *sizing.Simulated) sizing.Quantiles { return s.TPOT }},
	} {
		if x.limit > 0 && x.instant > x.limit*1.0001 {
			bad("%s %v over %v", x.name, x.instant, x.limit)
		}
		if p.Simulated == nil {
			continue
		}
		q := x.simulated(p.Simulated)
		if x.limit > 0 && q.Asked > x.limit {
			bad("simulated %s %v over %v with %d copies", x.name, q.Asked, x.limit, p.Replicas)
		}
		if q.P50 > q.P90 || q.P90 > q.P95 || q.P95 > q.P99 {
			bad("%s out of order: %+v", x.name, q)
		}
	}
	load := req.Load.RequestsPerSecond
	if kept := 1 - *req.Reserve.HeadroomPct/100; p.CarriesRPS.Mid*kept < load*(1-1e-6) {
		bad("carries %v of %v requests per second", p.CarriesRPS.Mid, load)
	}
	if s := p.Simulated; s != nil && (s.Goodput > 1 || s.Busy > 1 || s.PeakKV > 1 || s.MaxRPS > 0 && s.MaxRPS < load) {
		bad("simulated %+v", s)
	}
}

// recorded is a trace of requests with gaps in seconds.
func recorded(n int, gap func(i int) float64) sizing.Load {
	l := sizing.Load{Arrivals: sizing.Trace, RequestsPerSecond: 20}
	at := 0.0
	for i := range n {
		at += gap(i)
		l.Trace = append(l.Trace, sizing.Traced{At: at, Input: 500 + i%1000, Output: 100 + i%300})
	}
	return l
}

// hardCases are requests at the edges of what may be asked.
func hardCases() map[string]func(*sizing.Request) {
	traced := func(n int, gap func(i int) float64) func(*sizing.Request) {
		return func(r *sizing.Request) {
			r.Load = recorded(n, gap)
			r.Input = sizing.Length{Mean: 1000, Sigma: 0.3, Distribution: sizing.FromTrace}
			r.Output = sizing.Length{Mean: 250, Sigma: 0.4, Distribution: sizing.FromTrace}
		}
	}
	return map[string]func(*sizing.Request){
		"hardly any load":         func(r *sizing.Request) { r.Load.RequestsPerSecond = 0.001 },
		"a thousand a second":     func(r *sizing.Request) { r.Load.RequestsPerSecond = 1e3 },
		"a hundred thousand":      func(r *sizing.Request) { r.Load.RequestsPerSecond = 1e5 },
		"one user":                func(r *sizing.Request) { r.Load = sizing.Load{Concurrency: 1} },
		"a hundred users":         func(r *sizing.Request) { r.Load = sizing.Load{Concurrency: 100} },
		"a million users":         func(r *sizing.Request) { r.Load = sizing.Load{Concurrency: 1e6} },
		"answers of one token":    func(r *sizing.Request) { r.Output.Mean = 1 },
		"the 50th percentile":     func(r *sizing.Request) { r.Targets.Percentile = 50 },
		"the 97th percentile":     func(r *sizing.Request) { r.Targets.Percentile = 97 },
		"the 99.9th percentile":   func(r *sizing.Request) { r.Targets.Percentile = 99.9 },
		"prompts from the cache":  func(r *sizing.Request) { r.Features.PrefixShare = 0.95 },
		"drafts never accepted":   func(r *sizing.Request) { r.Features.DraftTokens, r.Features.Acceptance = 8, 0.001 },
		"drafts always accepted":  func(r *sizing.Request) { r.Features.DraftTokens, r.Features.Acceptance = 8, 0.99 },
		"a thousand adapters":     func(r *sizing.Request) { r.Features.Adapters = 1000 },
		"slices and pools":        func(r *sizing.Request) { r.Features.Slices, r.Features.Disaggregated = true, true },
		"bursts":                  func(r *sizing.Request) { r.Load.Arrivals, r.Load.CV = sizing.Bursty, 10 },
		"a trace of two moments":  traced(500, func(i int) float64 { return map[bool]float64{true: 100}[i == 250] }),
		"a trace with rush hours": traced(2000, func(i int) float64 { return map[bool]float64{true: 100, false: 0.1}[i%100 == 0] }),
		"lengths far apart":       func(r *sizing.Request) { r.Input.Sigma, r.Output.Sigma = 2, 2 },
		"no limits":               func(r *sizing.Request) { r.Targets = sizing.Targets{} },
		"limits hard to keep":     func(r *sizing.Request) { r.Targets.TPOTMillis, r.Targets.TTFTMillis = 12, 400 },
		"a long tail": func(r *sizing.Request) {
			r.Input.Mean, r.Output.Mean, r.Output.Sigma, r.Load.RequestsPerSecond = 10, 60_000, 2, 0.1
		},
		"SGLang": func(r *sizing.Request) { r.Engine = sizing.SGLang },
	}
}

func TestHardCasesAreSound(t *testing.T) {
	t.Parallel()
	in := fewInputs(t)
	for name, change := range hardCases() {
		t.Run(name, func(t *testing.T) {
			for _, m := range []struct {
				id        string
				weights   llm.Precision
				simulated bool // the time for all is a minute
			}{{"meta-llama/Llama-3.1-8B", "", false}, {"meta-llama/Llama-3.1-70B", llm.FP8, true}, {"openai/gpt-oss-120b", "", true}, {"deepseek-ai/DeepSeek-V3", "", false}} {
				r := chat70B()
				r.Model.HFID, r.Weights, r.KV = m.id, m.weights, ""
				change(&r)
				checkResult(t, preview(t, r, in))
				if m.simulated {
					checkResult(t, run(t, r, in))
				}
			}
		})
	}
}

// What is named as the nearest that works does work, instantly and simulated, on that system.
func TestTheNearestLimitWorks(t *testing.T) {
	t.Parallel()
	in := fewInputs(t)
	for name, change := range map[string]func(*sizing.Request){
		"first token": func(r *sizing.Request) { r.Targets.TTFTMillis = 5 },
		"each token":  func(r *sizing.Request) { r.Targets.TPOTMillis = 0.5 },
		"both":        func(r *sizing.Request) { r.Targets.TTFTMillis, r.Targets.TPOTMillis = 5, 0.5 },
		"both, much load": func(r *sizing.Request) {
			r.Targets.TTFTMillis, r.Targets.TPOTMillis, r.Load.RequestsPerSecond = 5, 0.5, 2000
		},
		"drafts": func(r *sizing.Request) { r.Targets.TPOTMillis, r.Features.DraftTokens = 0.5, 3 },
		"recorded bursts": func(r *sizing.Request) {
			r.Load = recorded(400, func(i int) float64 { return float64(i%200/199) * 60 })
			r.Targets.TTFTMillis = 50
		},
		"long and at once": func(r *sizing.Request) { r.Input.Mean, r.Targets.TTFTMillis, r.Targets.Percentile = 20_000, 500, 99 },
	} {
		for kind, size := range map[string]func(sizing.Request, sizing.Inputs) (sizing.Result, error){"instant": sizing.Preview, "simulated": sizing.Run} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				r := chat70B()
				change(&r)
				res, err := size(r, in)
				if err != nil {
					t.Fatal(err)
				}
				named := 0
				for _, no := range res.Refused {
					if no.Nearest == nil || len(res.Plans) > 0 && kind == "simulated" {
						continue
					}
					named++
					typed := relaxed(t, r, no)
					one := in
					one.Systems = slices.DeleteFunc(slices.Clone(in.Systems), func(s hardware.System) bool { return s.SKU != no.SystemSKU })
					again, err := size(typed, one)
					if no.Nearest.ID == "sizing.nearest_format" && err == nil && len(again.Plans) == 0 && again.Refused[0].Reason.ID != no.Reason.ID {
						continue // what fits may still be too slow
					}
					if err != nil || len(again.Plans) == 0 {
						t.Errorf("%s: %v works not: %v, %v", no.SystemSKU, *no.Nearest, err, again.Refused)
					}
				}
				if named == 0 {
					t.Errorf("nothing is named: %d plans, %v", len(res.Plans), res.Refused)
				}
			})
		}
	}
}

// relaxed is a request with the limits that a refusal names.
func relaxed(t testing.TB, r sizing.Request, no sizing.Refusal) sizing.Request {
	for _, a := range no.Nearest.Args {
		if a.Name == "format" {
			r.Weights = llm.Precision(strings.TrimPrefix(a.Value, "sizing.precision_"))
			r.KV = ""
		}
		x, err := strconv.ParseFloat(a.Value, 64)
		if a.Format != basis.Millis {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if a.Name == "ttft" || a.Name == "limit" && no.Reason.ID == "sizing.refuse_ttft" {
			r.Targets.TTFTMillis = x
		} else {
			r.Targets.TPOTMillis = x
		}
	}
	return r
}

// More load never needs fewer GPUs when it is simulated either.
func TestMoreLoadNeverNeedsFewerGPUsSimulated(t *testing.T) {
	t.Parallel()
	in := fewInputs(t)
	for _, arrivals := range []sizing.Load{{}, {Arrivals: sizing.Bursty, CV: 4}, {Concurrency: 1}, recorded(300, func(i int) float64 { return float64(i % 7) })} {
		t.Run(fmt.Sprint(arrivals.Arrivals, arrivals.Concurrency), func(t *testing.T) {
			before := map[string]int{}
			for _, load := range []float64{0.01, 7, 20, 61, 900} {
				r := chat70B()
				r.Load = arrivals
				if r.Load.RequestsPerSecond = load; arrivals.Concurrency > 0 {
					r.Load.RequestsPerSecond, r.Load.Concurrency = 0, max(1, load)
				}
				for _, p := range run(t, r, in).Plans {
					if p.GPUs < before[p.SystemSKU] {
						t.Errorf("%s: %d GPUs become %d at %v", p.SystemSKU, before[p.SystemSKU], p.GPUs, load)
					}
					before[p.SystemSKU] = p.GPUs
				}
			}
		})
	}
}

// Who asks for slices or separate pools is told what they would do, whatever it is.
func TestAskedForIsAnswered(t *testing.T) {
	in := fewInputs(t)
	for name, change := range map[string]func(*sizing.Request){
		"a rate": func(*sizing.Request) {}, "users": func(r *sizing.Request) { r.Load = sizing.Load{Concurrency: 50} },
		"hardly any": func(r *sizing.Request) { r.Model.HFID, r.Load.RequestsPerSecond = "google/gemma-2-2b", 0.1 },
	} {
		r := chat70B()
		change(&r)
		r.Features.Slices, r.Features.Disaggregated = true, true
		res := run(t, r, in)
		best := res.Recommended()
		said := func(ids ...string) bool {
			return slices.ContainsFunc(slices.Concat(best.Notes, best.WouldChange), func(m basis.Message) bool { return slices.Contains(ids, m.ID) })
		}
		if !said("sizing.note_slices", "sizing.note_slices_none") || !said("sizing.change_pools", "sizing.note_pools_same", "sizing.note_pools_late", "sizing.note_pools_unknown") {
			t.Errorf("%s: %v, %v", name, best.Notes, best.WouldChange)
		}
	}
}

// A few recorded requests that are longer than the model takes do not spoil the answer for the
// others: they are cut as those of a distribution are, and that is said.
func TestRecordedRequestsBeyondTheContext(t *testing.T) {
	in := fewInputs(t)
	r := chat70B()
	r.Load = recorded(200, func(int) float64 { return 1 })
	r.Load.RequestsPerSecond = 1
	r.Input, r.Output = sizing.Length{Mean: 1000, Sigma: 0.3, Distribution: sizing.FromTrace}, sizing.Length{Mean: 250, Sigma: 0.4, Distribution: sizing.FromTrace}
	r.Targets.Percentile = 95
	said := func() bool {
		res := run(t, r, in)
		if res.Recommended() == nil {
			t.Fatalf("nothing is recommended: %v", res.Refused)
		}
		return slices.ContainsFunc(res.Model.Messages, func(m basis.Message) bool { return m.ID == "sizing.context_long_tail" })
	}
	if said() {
		t.Error("requests inside the context are called too long")
	}
	r.Load.Trace[7].Input = 200_000
	if !said() {
		t.Error("a request beyond the context is cut in silence")
	}
}

// A request whose simulation would take minutes is answered from fewer requests, on fewer mappings.
func TestLongRequestsTakeNoMinutes(t *testing.T) {
	in := shippedInputs(t)
	for name, change := range map[string]func(*sizing.Request){
		"a million tokens": func(r *sizing.Request) {
			r.Model.HFID, r.Input.Mean, r.Input.Sigma, r.Targets.TTFTMillis, r.Load.RequestsPerSecond = "meta-llama/Llama-4-Scout-17B-16E-Instruct", 1e6, 1, 600_000, 0.1
		},
		"a long record": func(r *sizing.Request) {
			r.Load = recorded(20_000, func(i int) float64 { return map[bool]float64{true: 100}[i%500 == 0] })
			for i := range r.Load.Trace {
				r.Load.Trace[i].Input, r.Load.Trace[i].Output = 60_000, 4000
			}
			r.Load.RequestsPerSecond, r.Targets.TTFTMillis = 5, 5000
			r.Input, r.Output = sizing.Length{Mean: 60_000, Distribution: sizing.FromTrace}, sizing.Length{Mean: 4000, Distribution: sizing.FromTrace}
		},
	} {
		r := chat70B()
		change(&r)
		start := time.Now()
		res := run(t, r, in)
		if took := time.Since(start); took > 30*time.Second { // it is two on an idle machine, and was 13 and 45
			t.Errorf("%s: %v", name, took)
		}
		checkResult(t, res)
	}
}
