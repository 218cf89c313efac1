package predict

import (
	"cmp"
	"strings"
)

// imageRate is images per second and GPU.
type imageRate struct{ offline, server float64 }

// imageRates are measured rates of Stable Diffusion XL (1,024 × 1,024, 20 steps) by GPU: the
// median over groups of equal systems of the median inside a group, MLCommons inference
// results v4.1 (2024-08) and v5.1 (2025-09), read 2026-11-30. Nothing is computed for
// diffusion models: their rows are looked up here, and other GPUs are refused.
var imageRates = map[string]imageRate{
	"H100-SXM5-80GB": {2.06, 1.97},
	"H200-SXM-141GB": {2.28, 2.19},
	"GH200-96GB":     {2.21, 1.82}, // one submission and one of the open division
	"GH200-144GB":    {2.30, 2.02},
}

// imageBand is the half-width of the band of a looked-up figure, as a share: releases of
// the software differ by a tenth, capped systems by a fifth.
const imageBand = 0.25

// lookUp is the remark at a figure that was not computed.
const lookUp = "look-up of measured rows"

// images answers a row of a diffusion model: a figure, or why there is none. It is not ok for
// rows of other models.
func (r *Row) images() (p Prediction, why string, ok bool) {
	name := strings.ToLower(r.ModelName)
	if !strings.Contains(name, "stable-diffusion-xl") && !strings.Contains(name, "sdxl") {
		return Prediction{}, "", false
	}
	rate, known := imageRates[r.SKU]
	x := rate.offline
	switch r.Scenario {
	case ServerSLO:
		x = rate.server
	case Offline:
	default:
		known = false
	}
	switch {
	case r.GPUs == 0 || r.ID == "" || r.Kind != Inference:
		return Prediction{}, cmp.Or(r.refused, "images are not measured in a closed loop of tokens"), true
	case !known:
		return Prediction{}, "no measured row of Stable Diffusion XL on GPU " + r.GPUName + " in this scenario", true
	case r.Metrics[0] != "req_s":
		return Prediction{}, "metric " + r.Metrics[0] + " is not known of Stable Diffusion XL", true
	}
	x *= float64(r.GPUs)
	return Prediction{Value: x, P10: x * (1 - imageBand), P90: x * (1 + imageBand), Reason: lookUp}, "", true
}
