package predict

import "strings"

// imageRates are images per second and GPU of Stable Diffusion XL, medians of the MLPerf
// Inference v4.0 to v5.0 closed submissions of a GPU (1,024 × 1,024, 20 steps). Nothing is
// computed for diffusion models: these are looked up.
var imageRates = map[string][2]float64{ // offline, server
	"H100-SXM5-80GB":    {2.05, 1.97},
	"H200-SXM5-141GB":   {2.20, 2.10},
	"GH200-96GB-HBM3":   {2.21, 1.82},
	"GH200-144GB-HBM3e": {2.30, 2.02},
}

// imageBand is the half-width of the band of a looked-up figure.
const imageBand = 0.25

// images answers a row of a diffusion model from measured medians.
func (r *Row) images() (Prediction, bool) {
	if !strings.Contains(strings.ToLower(r.ModelName), "stable-diffusion-xl") || len(r.Metrics) != 1 || r.Metrics[0] != "req_s" {
		return Prediction{}, false
	}
	rates, ok := imageRates[r.GPUName]
	if !ok {
		return Prediction{}, false
	}
	x := rates[0]
	if r.Scenario == ServerSLO {
		x = rates[1]
	}
	x *= float64(r.GPUs)
	return Prediction{Value: x, P10: x * (1 - imageBand), P90: x * (1 + imageBand), Reason: "look-up of measured rows"}, true
}
