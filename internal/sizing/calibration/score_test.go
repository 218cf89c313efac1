package calibration_test

import (
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/sizing/serving"
	"rackwright/internal/unit"
)

// The GPUs of the rows, with the datasheet figures that the shipped catalogue holds.
var gpus = map[string]hardware.GPU{
	"H100-SXM5-80GB":  {SKU: "H100-SXM5-80GB", Form: hardware.SXM, BF16: 989.4e12, FP8: 1978.9e12, Memory: unit.FromMiB(81559), Bandwidth: 3350e9, NVLink: 450e9},
	"H200-SXM5-141GB": {SKU: "H200-SXM-141GB", Form: hardware.SXM, BF16: 989.5e12, FP8: 1979e12, Memory: 141 * unit.GB, Bandwidth: 4800e9, NVLink: 450e9},
}

type row map[string]string

func (r row) number(t *testing.T, name string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(r[name], 64)
	if err != nil {
		t.Fatalf("row %s: %s: %v", r["id"], name, err)
	}
	return x
}

func readRows(t *testing.T, file string) []row {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []row
	for _, values := range all[1:] {
		r := row{}
		for i, name := range all[0] {
			r[name] = values[i]
		}
		out = append(out, r)
	}
	return out
}

func library(t *testing.T) llm.Library {
	t.Helper()
	f, err := os.Open("../../seed/data/models.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lib, err := llm.ReadLibrary(f)
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

func mapping(t *testing.T, lib llm.Library, r row, engine string) serving.Mapping {
	t.Helper()
	e, ok := lib.Find(r["hf_id"])
	if !ok {
		t.Fatalf("no model %s", r["hf_id"])
	}
	m := serving.Mapping{
		Model: e.Geometry, Weights: llm.Precision(r["weights"]), KV: llm.BF16, GPU: gpus[r["gpu"]],
		TP: int(r.number(t, "tp")), PP: 1, Overheads: calibration.OverheadsOf(engine),
	}
	if m.Weights == llm.FP8 && engine != "vllm" { // vLLM keeps a 16-bit cache unless told otherwise
		m.KV = llm.FP8
	}
	return m
}

// errorsOf holds ln(predicted / measured).
type errorsOf []float64

func (e errorsOf) quantile(p float64) float64 {
	s := slices.Sorted(slices.Values(e))
	return s[int(p*float64(len(s)-1))]
}

func (e errorsOf) medianAbs() float64 {
	var abs errorsOf
	for _, x := range e {
		abs = append(abs, math.Abs(x))
	}
	return abs.quantile(0.5)
}

// report logs the score, and the spread of the measured value around the estimate, which
// is what bands are made of.
func (e errorsOf) report(t *testing.T, name string) {
	t.Helper()
	t.Logf("%-34s n=%3d  median error %4.1f %%  bias %+5.1f %%  measured/predicted p10 %.2f p90 %.2f",
		name, len(e), 100*e.medianAbs(), 100*e.quantile(0.5), math.Exp(-e.quantile(0.9)), math.Exp(-e.quantile(0.1)))
}

func (e errorsOf) atMost(t *testing.T, name string, median float64) {
	t.Helper()
	if got := e.medianAbs(); got > median {
		t.Errorf("%s: median error %.1f %%, was below %.0f %% when the constants were set", name, 100*got, 100*median)
	}
}

// within reports which share of the measured values lies in the band.
func (e errorsOf) within(s calibration.Spread) float64 {
	in := 0
	for _, x := range e {
		if ratio := math.Exp(-x); ratio >= 1-s.Below && ratio <= 1+s.Above {
			in++
		}
	}
	return float64(in) / float64(len(e))
}

// flatOut is the published benchmark: all requests queued at once, 95 % of free memory for
// the cache, 5 GB of reserve, requests on average half way through their answer.
func flatOut(m serving.Mapping, isl, osl float64) float64 {
	weights := float64(m.Model.WeightBytes(m.Weights)) / float64(m.TP)
	perToken := float64(m.Model.KVBytesPerToken(m.KV)) / float64(m.Model.KVShards(m.TP))
	tokens := (0.95*float64(m.GPU.Memory) - weights - 5e9) / perToken
	batch := math.Min(calibration.MaxSequences.Value, tokens/(isl+osl/2))
	w := serving.Workload{Prompt: serving.Lengths{Mean: isl}, Answer: serving.Lengths{Mean: osl}, Percentile: 0.5}
	best := 0.0
	for b := batch; b >= 1; b /= 1.3 {
		best = math.Max(best, serving.Roofline{}.WithBatch(m, w, b).Throughput)
	}
	return best
}

func TestThroughputAgainstPublishedRows(t *testing.T) {
	lib := library(t)
	byGPU := map[string]errorsOf{}
	var all errorsOf
	for _, r := range readRows(t, "offline.csv") {
		m := mapping(t, lib, r, "tensorrt-llm")
		e := math.Log(flatOut(m, r.number(t, "isl"), r.number(t, "osl")) / r.number(t, "output_tok_s"))
		byGPU[r["gpu"]+" "+r["framework"]] = append(byGPU[r["gpu"]+" "+r["framework"]], e)
		all = append(all, e)
	}
	for _, k := range sorted(byGPU) {
		byGPU[k].report(t, k)
	}
	all.report(t, "all")
	all.atMost(t, "throughput, dense FP8", 0.10)
	t.Logf("in the band: %.0f %%", 100*all.within(calibration.ThroughputDense))
	if got := all.within(calibration.ThroughputDense); got < 0.75 {
		t.Errorf("only %.0f %% of the rows lie in the band that the product shows", 100*got)
	}
}

// A closed loop keeps a fixed number of users busy. All start at once, and users with equal
// lengths stay partly in step: a prompt waits for a third of the others on average.
const inStep = 1.0 / 3

func TestLatencyAgainstPublishedRows(t *testing.T) {
	lib := library(t)
	dense, moe, ttft := errorsOf{}, errorsOf{}, errorsOf{}
	byCell := map[string]errorsOf{}
	for _, r := range readRows(t, "closed_loop.csv") {
		engine := r["engine"]
		if engine == "trtllm" {
			engine = "tensorrt-llm"
		}
		m := mapping(t, lib, r, engine)
		isl, osl, users := r.number(t, "isl"), r.number(t, "osl"), r.number(t, "concurrency")
		w := serving.Workload{Prompt: serving.Lengths{Mean: isl}, Answer: serving.Lengths{Mean: osl}, Percentile: 0.5}
		p := serving.Roofline{}.WithBatch(m, w, users)
		alone := serving.Roofline{}.WithBatch(m, w, 1e-6)
		e := math.Log(p.TPOT * 1e3 / r.number(t, "tpot_ms"))
		byCell["TPOT "+r["engine"]+" "+r["hf_id"]] = append(byCell["TPOT "+r["engine"]+" "+r["hf_id"]], e)
		if m.Model.IsMoE() {
			moe = append(moe, e)
			continue
		}
		dense = append(dense, e)
		overhead := m.Overheads.PerRequest/1e3 + m.Overheads.PerPromptToken*isl/1e6
		queue := (alone.TTFT - alone.TPOT - overhead) * (1 + inStep*(users-1)/2)
		ttft = append(ttft, math.Log((overhead+queue+p.TPOT/2)*1e3/r.number(t, "ttft_ms")))
	}
	for _, k := range sorted(byCell) {
		byCell[k].report(t, k)
	}
	for _, c := range []struct {
		name  string
		e     errorsOf
		bound float64
		band  calibration.Spread
	}{
		{"TPOT dense", dense, 0.15, calibration.TPOTDense},
		{"TPOT mixtures", moe, 0.48, calibration.SpeedMoE},
		{"TTFT dense", ttft, 0.48, calibration.TTFT},
	} {
		c.e.report(t, c.name)
		c.e.atMost(t, c.name, c.bound)
		t.Logf("in the band: %.0f %%", 100*c.e.within(c.band))
		if got := c.e.within(c.band); got < 0.70 {
			t.Errorf("%s: only %.0f %% of the rows lie in the band that the product shows", c.name, 100*got)
		}
	}
}

func sorted(m map[string]errorsOf) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
