package calibrate

import (
	"math"
	"os"
	"strings"
	"testing"

	"rackwright/internal/predict"
	"rackwright/internal/sizing/calibration"
)

// published reads the rows that are kept as facts for tests.
func published(t *testing.T) []observation {
	t.Helper()
	from, err := predict.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	var all []observation
	for _, name := range []string{"inference", "closed_loop"} {
		f, err := os.Open("../predict/testdata/" + name + ".csv")
		if err != nil {
			t.Fatal(err)
		}
		rows, err := read(f, from)
		_ = f.Close()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rows...)
	}
	weigh(all)
	return all
}

// Three cells that are whole among the committed rows are predicted by constants that were
// fitted without them. The bounds are looser than the scores of all folds, because these fits
// see an eighth of the rows.
func TestThreeFolds(t *testing.T) {
	all := published(t)
	for _, c := range []struct {
		cell, metric string
		rows         int
		bound        float64 // percent
	}{
		{"meta-llama/Llama-3.1-405B|H100-SXM5-80GB|trtllm|fp8|tp8", "output_tok_s", 16, 15},
		{"meta-llama/Llama-3.1-70B|H200-SXM5-141GB|trtllm|fp8|tp2", "tpot_ms", 18, 25},
		{"openai/gpt-oss-120b|H200-SXM5-141GB|vllm|mxfp4|tp4", "tpot_ms", 18, 25},
	} {
		t.Run(c.cell, func(t *testing.T) {
			var errs []float64
			for _, h := range Fold(calibration.Shipped(), all, c.cell) {
				if h.metric != c.metric {
					continue
				}
				if h.predicted <= 0 {
					t.Fatalf("%s is refused: %s", h.row.ID, h.reason)
				}
				errs = append(errs, math.Abs(math.Log(h.predicted/h.value)))
			}
			if len(errs) != c.rows {
				t.Fatalf("%d rows, want %d", len(errs), c.rows)
			}
			got := percent(median(errs))
			t.Logf("median %.1f %%", got)
			if got > c.bound {
				t.Errorf("median error %.1f %%, bound %.0f %%", got, c.bound)
			}
		})
	}
}

// A fit must not see the cell that it is asked about: with the measured figures of the cell
// doubled, it predicts the same.
func TestFoldsDoNotSeeTheirCell(t *testing.T) {
	all := published(t)
	cell := "meta-llama/Llama-3.1-405B|H100-SXM5-80GB|trtllm|fp8|tp8"
	before := Fold(calibration.Shipped(), all, cell)
	for i := range all {
		if all[i].cell == cell {
			all[i].value *= 2
		}
	}
	for i, h := range Fold(calibration.Shipped(), all, cell) {
		if h.predicted != before[i].predicted {
			t.Fatalf("%s: %g becomes %g", h.row.ID, before[i].predicted, h.predicted)
		}
	}
}

func TestConstantsAreFew(t *testing.T) {
	set := calibration.Shipped()
	if len(set.Stacks) != 3 {
		t.Fatalf("%d stacks", len(set.Stacks))
	}
	for i := range set.Stacks {
		if n := set.Stacks[i].Count(); n > 60 || n < 40 {
			t.Errorf("%s has %d fitted constants, at most 60 are allowed", set.Stacks[i].Engine, n)
		}
	}
}

// The bands of the shipped set cover what they claim of the rows that a fit had not seen.
func TestShippedScoresAreThere(t *testing.T) {
	found := map[string]bool{}
	for _, s := range calibration.Shipped().Scores {
		if s.Votes > 0 && s.Median <= 0 && !strings.Contains(s.Class, "diffusion") {
			t.Errorf("%s: median %g", s.Class, s.Median)
		}
		found[s.Class] = true
	}
	for _, class := range []string{"tpot_ms / dense", "ttft_ms / dense", "tpot_ms / moe", "offline / throughput / dense / H100 SXM / TensorRT-LLM"} {
		if !found[class] {
			t.Errorf("no score of %s", class)
		}
	}
}
