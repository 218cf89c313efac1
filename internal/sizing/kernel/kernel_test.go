package kernel

import (
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// excerpt returns the committed rows of the published tables, gated.
func excerpt(t *testing.T) (Table, Report) {
	t.Helper()
	f, err := os.Open("testdata/h100_sxm.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, report, err := ParseTable(f)
	if err != nil {
		t.Fatal(err)
	}
	table, bad := table.Gate(H100)
	report.Add(bad)
	return table, report
}

// The shipped curves are near what was measured, on shapes of served models.
func TestShippedCurvesAgainstMeasurements(t *testing.T) {
	table, report := excerpt(t)
	if report.Kept < 900 || report.Kept != len(table.Rows) {
		t.Fatalf("%d of %d rows kept, %d in the table", report.Kept, report.Read, len(table.Rows))
	}
	// Median and ninth decile of |ln(curve/measured)| that the curves must keep.
	bounds := map[string][2]float64{OpGEMM: {0.10, 0.30}, OpPrefill: {0.08, 0.25}, OpDecode: {0.12, 0.35}, OpReduce: {0.12, 0.30}, OpExperts: {0.12, 0.40}}
	type class struct{ op, engine, dtype string }
	errs := map[class][]float64{}
	curves := map[string]Curves{}
	for _, e := range Engines {
		curves[e] = Shipped(e)
	}
	for i := range table.Rows {
		r := &table.Rows[i]
		c := curves[r.Engine]
		k := class{r.Op, r.Engine, r.Dtype}
		errs[k] = append(errs[k], math.Abs(math.Log(c.Time(r, H100)/(r.Millis*1e-3))))
	}
	if len(errs) != 9+7+6+3+3 {
		t.Errorf("%d classes of operator, engine and format", len(errs))
	}
	for k, e := range errs {
		slices.Sort(e)
		middle, tail := e[len(e)/2], e[len(e)*9/10]
		if b := bounds[k.op]; middle > b[0] || tail > b[1] {
			t.Errorf("%v: %d rows, median error %.3f, ninth decile %.3f; at most %v", k, len(e), middle, tail, b)
		}
	}
}

func TestShippedCurvesSayWhereTheyComeFrom(t *testing.T) {
	for _, engine := range Engines {
		c := Shipped(engine)
		if c.Engine != engine || c.EngineVersion == "" || !strings.Contains(c.Source, "Apache-2.0") || len(c.SHA256) != 64 {
			t.Errorf("%s: provenance %q %q %q %q", engine, c.Engine, c.EngineVersion, c.Source, c.SHA256)
		}
		if _, err := time.Parse(time.DateOnly, c.AsOf); err != nil {
			t.Error(err)
		}
		for _, op := range Ops {
			for i, v := range c.Constants(op) {
				borrowed := op == OpExperts && engine != "trtllm" // TensorRT-LLM's, the only measured ones
				if x := *v.Value; !(x > 0) || v.Most > 0 && x > v.Most && !borrowed {
					t.Errorf("%s: constant %d of %s is %g, the most is %g", engine, i, op, x, v.Most)
				}
			}
			measured := op != OpExperts || engine == "trtllm"
			if slices.ContainsFunc(c.Residuals, func(r Residual) bool { return r.Op == op && r.HeldOut && r.Rows > 0 }) != measured {
				t.Errorf("%s: held-out residuals of %s: want %v", engine, op, measured)
			}
		}
	}
	if c := Shipped("other"); c.Engine != "trtllm" {
		t.Errorf("another engine has the curves of %s", c.Engine)
	}
}

// Curves stay compact: every number is a constant that is counted, and there are few.
func TestConstantsAreFewAndCounted(t *testing.T) {
	c := Shipped("trtllm")
	n := 0
	for _, part := range []any{c.Matrix, c.Prompt, c.Answer, c.Reduce, c.Mixture} {
		n += numbers(reflect.ValueOf(part))
	}
	if n != c.Count() || n > 44 {
		t.Errorf("%d numbers, %d counted, 44 allowed", n, c.Count())
	}
	seen := map[*float64]bool{}
	for _, op := range Ops {
		for _, v := range c.Constants(op) {
			if seen[v.Value] {
				t.Errorf("a constant of %s is listed twice", op)
			}
			seen[v.Value] = true
		}
	}
}

func numbers(v reflect.Value) int {
	switch v.Kind() {
	case reflect.Float64:
		return 1
	case reflect.Struct:
		n := 0
		for i := range v.NumField() {
			n += numbers(v.Field(i))
		}
		return n
	}
	return 0
}

func TestTimeDoesNotAllocate(t *testing.T) {
	c := Shipped("vllm")
	q, p, d := c.GEMM(BF16, 6144, 4096, H100), c.Prefill(BF16, FP8, 32, 8, 128, H100), c.Decode(FP8, 32, 8, 128, H100)
	r, x := c.AllReduce(4, H100), c.Experts(FP8Block, 7168, 2048, 256, 8, 1, 8, Skewed, H100)
	var sum float64
	if n := testing.AllocsPerRun(100, func() {
		sum += q.Time(100) + p.Time(2, 100, 50) + d.Time(3, 100) + r.Time(1e6) + x.Time(100)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// What a table's loop finds in the level-2 cache a model does not.
func TestDecodeReadsFromMemory(t *testing.T) {
	c := Shipped("vllm")
	row := Row{Op: OpDecode, Engine: "vllm", Dtype: "bfloat16", A: 8, B: 1024, C: 32, D: 8}
	q := c.Decode(BF16, 32, 8, 128, H100)
	if looped, cold := c.Time(&row, H100), q.Time(8, 1024); looped >= cold {
		t.Errorf("in a loop %g s, in a model %g s", looped, cold)
	}
}

func TestGPUsWithout(t *testing.T) {
	c := Shipped("trtllm")
	a100 := GPU{BF16: 312e12, Bandwidth: 2039e9, NVLink: 300e9} // NVIDIA A100 80GB datasheet
	q8, q16 := c.GEMM(FP8, 8192, 8192, a100), c.GEMM(BF16, 8192, 8192, a100)
	if q8.Time(4096) < q16.Time(4096)*0.95 {
		t.Error("a GPU without FP8 computes in it")
	}
	p8, p16 := c.Prefill(FP8, FP8, 32, 8, 128, a100), c.Prefill(BF16, BF16, 32, 8, 128, a100)
	if ratio := p8.Time(1, 8192, 0) / p16.Time(1, 8192, 0); ratio < 0.95 || ratio > 1.1 {
		t.Errorf("attention with an 8-bit cache takes %.2f of that with 16 bit", ratio)
	}
	for gpus, g := range map[int]GPU{1: H100, 8: {BF16: 1}} {
		if r := c.AllReduce(gpus, g); r.Time(1e6) != 0 {
			t.Errorf("%d GPUs without links take %g s", gpus, r.Time(1e6))
		}
	}
	ring, adding := c.AllReduce(8, a100), c.AllReduce(8, H100)
	if r := ring.Time(1e9) / adding.Time(1e9); r < 450./300*1.1 {
		t.Errorf("switches that do not add up are %.2f times as slow", r)
	}
}
