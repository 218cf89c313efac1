package calibrate

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rackwright/internal/sizing/kernel"
)

var (
	kernelTable  = flag.String("kernels", "", "kernel table (CSV, or its gzip) from which the shipped curves are fitted")
	updateCurves = flag.String("update-curves", "", "date (2006-01-02) under which to rewrite the shipped curves from -kernels")
)

const shippedCurves = "../sizing/kernel/curves.json"

// readKernels parses and gates the table that the flag names.
func readKernels(t *testing.T) (table kernel.Table, sum string) {
	t.Helper()
	if *kernelTable == "" {
		t.Skip("the full table is not part of the module; name one with -kernels")
	}
	raw, err := os.ReadFile(*kernelTable)
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256(raw)
	text := raw
	if strings.HasSuffix(*kernelTable, ".gz") {
		zip, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(zip); err != nil {
			t.Fatal(err)
		}
		text = b.Bytes()
	}
	table, report, err := kernel.ParseTable(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	table, bad := table.Gate(kernel.H100)
	report.Add(bad)
	reasons := map[string]int{}
	for _, r := range report.Rejected {
		reasons[r.Reason]++
	}
	t.Logf("%d rows read, %d kept, rejected: %v", report.Read, report.Kept, reasons)
	return table, hex.EncodeToString(hash[:])
}

// The shipped curves are what the fit gives for the published table:
//
//	go test ./internal/calibrate -run TestShippedCurves -v -kernels kernels.csv.gz [-update-curves 2026-12-01]
func TestShippedCurves(t *testing.T) {
	table, sum := readKernels(t)
	var all []kernel.Curves
	for _, engine := range kernel.Engines {
		begin := time.Now()
		c, err := FitCurves(table, engine)
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(begin)
		if took > time.Minute {
			t.Errorf("%s: the fit took %s", engine, took)
		}
		was := kernel.Shipped(engine)
		c.EngineVersion, c.Source, c.SHA256 = was.EngineVersion, "github.com/ai-dynamo/aiconfigurator, tag v0.10.0 (Apache-2.0), H100 SXM, thinned", sum
		c.AsOf = was.AsOf
		if *updateCurves != "" {
			c.AsOf = *updateCurves
		}
		if len(all) > 0 && !slices.ContainsFunc(table.Rows, func(r kernel.Row) bool { return r.Op == kernel.OpExperts && r.Engine == engine }) {
			c.Mixture = all[0].Mixture // nobody else's experts were measured
		}
		all = append(all, c)
		t.Logf("%s: %d constants in %s", engine, c.Count(), took.Round(time.Millisecond))
		for _, r := range c.Residuals {
			t.Logf("  %-18s %-18s %-10s held out %-5v %5d rows, median %.3f, p90 %.3f, bias %+.3f", r.Op, r.Format, r.Regime, r.HeldOut, r.Rows, r.Median, r.P90, r.Bias)
		}
	}
	out, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	out = append(out, '\n')
	if *updateCurves != "" {
		if err := os.WriteFile(shippedCurves, out, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if was, err := os.ReadFile(shippedCurves); err != nil || !bytes.Equal(was, out) {
		t.Errorf("%s is not what the fit of this table gives (%v); rewrite it with -update-curves", shippedCurves, err)
	}
}

// committed returns the gated excerpt of the published tables.
func committed(t *testing.T) kernel.Table {
	t.Helper()
	f, err := os.Open("../sizing/kernel/testdata/h100_sxm.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, _, err := kernel.ParseTable(f)
	if err != nil {
		t.Fatal(err)
	}
	table, _ = table.Gate(kernel.H100)
	return table
}

// A thousand rows, one in a hundred and sixty, already give curves that fit and keep to physics.
func TestFitCurves(t *testing.T) {
	table := committed(t)
	for _, engine := range kernel.Engines {
		c, err := FitCurves(table, engine)
		if err != nil {
			t.Fatal(err)
		}
		again, err := FitCurves(table, engine)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c, again); d != "" {
			t.Errorf("%s: the fit is not the same twice: %s", engine, d)
		}
		for _, op := range kernel.Ops {
			measured := op != kernel.OpExperts || engine == "trtllm"
			for i, v := range c.Constants(op) {
				if x := *v.Value; measured && (!(x > 0) || v.Most > 0 && x > v.Most) {
					t.Errorf("%s: constant %d of %s is %g, the most is %g", engine, i, op, x, v.Most)
				}
			}
		}
		for _, r := range c.Residuals {
			if r.Rows >= 20 && r.Median > 0.15 {
				t.Errorf("%s: %+v", engine, r)
			}
		}
	}
}

// What a table does not have stays as it ships.
func TestFitCurvesOfPartOfATable(t *testing.T) {
	var part kernel.Table
	for _, r := range committed(t).Rows {
		if r.Op == kernel.OpGEMM && r.Dtype == "fp8" {
			r.Millis *= 1.5
			part.Rows = append(part.Rows, r)
		}
	}
	c, err := FitCurves(part, "vllm")
	if err != nil {
		t.Fatal(err)
	}
	want := kernel.Shipped("vllm")
	if c.Matrix.FP8 == want.Matrix.FP8 || c.Matrix.Scale == want.Matrix.Scale {
		t.Error("8-bit products did not change")
	}
	want.Matrix.FP8, want.Matrix.Scale, want.Matrix.Overlap = c.Matrix.FP8, c.Matrix.Scale, c.Matrix.Overlap
	got := c
	got.Residuals, want.Residuals = nil, nil
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, r := range c.Residuals {
		if r.Op == kernel.OpGEMM && r.Format != "fp8" {
			t.Errorf("residuals of rows that are not in the table: %+v", r)
		}
	}
	if _, err := FitCurves(part, "other"); err == nil {
		t.Error("an engine without rows has a fit")
	}
}
