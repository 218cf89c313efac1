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

// Spreads beside that of a cell of held-out measurements, as published or judged.
var (
	Pipeline     = Spread{0.15, 0.19, "sizing.band_pipeline", "PP2 of Llama 2 70B: +21 % predicted, +40 % measured; " + mlperf, "2025-04-30"}
	Extrapolated = Spread{0.25, 0.25, "sizing.band_extrapolated", "judgement: a GPU without published rows in the calibration", setDay}
	NoFigures    = Spread{0.40, 0.40, "sizing.band_no_figures", "no public performance figures of this card", setDay}
	ByHand       = Spread{0.15, 0.15, "sizing.band_by_hand", "judgement: shape of the layers unknown", setDay}
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

// Spread returns the band of a cell as relative distances, of a prediction to what is measured.
func (c Cell) Spread() Spread {
	low, high := c.Around(1)
	return Spread{Below: 1 - low, Above: high - 1, MessageID: "sizing.band_" + c.Metric}
}
