package calibration

import (
	"math"

	"rackwright/internal/sizing/basis"
)

// Spread is the relative distance of p10 and p90 from the estimate.
type Spread struct {
	Below, Above float64
	MessageID    string // why
	Source       string
	AsOf         string
}

// The spreads of published rows around the estimate. Throughput and TPOT are measured by
// the tests of this package on testdata; the others are as published.
var (
	ThroughputDense = Spread{0.14, 0.17, "sizing.band_throughput_dense", perf + " v0.20 and v1.0, dense FP8; go test ./internal/sizing/calibration", setDay}
	TPOTDense       = Spread{0.29, 0.25, "sizing.band_tpot_dense", closed + ", dense models; go test ./internal/sizing/calibration", setDay}
	SpeedMoE        = Spread{0.54, 0.07, "sizing.band_moe", closed + ", mixtures of experts; go test ./internal/sizing/calibration", setDay}
	TTFT            = Spread{0.52, 1.08, "sizing.band_ttft", closed + ": ramp-up and chunk size are not recorded; go test ./internal/sizing/calibration", setDay}
	Ratio           = Spread{0.10, 0.10, "sizing.band_ratio", "spread of the measured ratios; " + mlperf, "2025-04-30"}
	Pipeline        = Spread{0.15, 0.19, "sizing.band_pipeline", "PP2 of Llama 2 70B: +21 % predicted, +40 % measured; " + mlperf, "2025-04-30"}
	Extrapolated    = Spread{0.25, 0.25, "sizing.band_extrapolated", "judgement: a GPU without published rows in the calibration", setDay}
	NoFigures       = Spread{0.40, 0.40, "sizing.band_no_figures", "no public performance figures of this card", setDay}
	ByHand          = Spread{0.15, 0.15, "sizing.band_by_hand", "judgement: shape of the layers unknown", setDay}
)

// Combine adds independent spreads in quadrature.
func Combine(spreads ...Spread) (below, above float64) {
	for _, s := range spreads {
		below += s.Below * s.Below
		above += s.Above * s.Above
	}
	return math.Min(0.9, math.Sqrt(below)), math.Sqrt(above)
}

// Rate returns the band of a rate (higher is better).
func Rate(mid float64, spreads ...Spread) basis.Band {
	below, above := Combine(spreads...)
	return basis.Around(mid, below, above)
}

// Latency returns the band of a time. The spreads are those of times: a spread of a rate is
// turned round.
func Latency(mid float64, spreads ...Spread) basis.Band {
	below, above := Combine(spreads...)
	return basis.Around(mid, below, above)
}

// Reverse turns the spread of a rate into that of a time, and the other way round: a rate
// lower by b is a time longer by b/(1-b).
func (s Spread) Reverse() Spread {
	s.Below, s.Above = s.Above/(1+s.Above), s.Below/(1-s.Below)
	return s
}
