package calibration_test

import (
	"testing"

	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/sizing/serving"
	"rackwright/internal/unit"
)

// MLPerf inference, group medians per GPU relative to H100 SXM on the same job: Llama 2 70B
// (two GPUs to a copy) and Mixtral 8x7B (one). The factors of the boards must give ratios
// inside what was measured.
func TestBoardsAgainstMeasuredRatios(t *testing.T) {
	lib := library(t)
	boards := map[string]hardware.GPU{
		"H100 PCIe": {Form: hardware.PCIe, BF16: 756e12, FP8: 1513e12, Memory: 80 * unit.GB, Bandwidth: 2000e9, NVLink: 300e9},
		"H100 NVL":  {Form: hardware.NVL, BF16: 835.5e12, FP8: 1670.5e12, Memory: 94 * unit.GB, Bandwidth: 3900e9, NVLink: 300e9},
	}
	for _, c := range []struct {
		board, model string
		tp           int
		isl, osl     float64
		low, high    float64
	}{
		{"H100 PCIe", "meta-llama/Llama-2-70b-hf", 2, 222, 292, 0.38, 0.45},
		{"H100 PCIe", "mistralai/Mixtral-8x7B-v0.1", 1, 427, 146, 0.62, 0.66},
		{"H100 NVL", "meta-llama/Llama-2-70b-hf", 2, 222, 292, 0.58, 0.66},
		{"H100 NVL", "mistralai/Mixtral-8x7B-v0.1", 1, 427, 146, 0.71, 0.75},
	} {
		e, ok := lib.Find(c.model)
		if !ok {
			t.Fatal(c.model)
		}
		m := serving.Mapping{Model: e.Geometry, Weights: llm.FP8, KV: llm.FP8, GPU: gpus["H100-SXM5-80GB"], TP: c.tp, PP: 1, Overheads: calibration.OverheadsOf("tensorrt-llm")}
		sxm := flatOut(m, c.isl, c.osl)
		m.GPU = boards[c.board]
		ratio := flatOut(m, c.isl, c.osl) / sxm
		t.Logf("%s, %s: %.3f of SXM, measured %.2f to %.2f", c.board, c.model, ratio, c.low, c.high)
		if ratio < c.low || ratio > c.high {
			t.Errorf("%s, %s: %.3f of SXM, measured %.2f to %.2f", c.board, c.model, ratio, c.low, c.high)
		}
	}
}
