package llm

import (
	"maps"
	"slices"
)

// checkSize refuses shapes whose counts would leave the range of published models by
// orders of magnitude: a slip of a digit, or an attempt to overflow.
func checkSize(f *fields, g *Geometry) {
	h, l := float64(g.Hidden), float64(g.Layers)
	attention := h * float64(g.Heads) * float64(g.HeadDim+g.VHeadDim) * 2
	mlp := 3 * h * float64(g.Intermediate)
	if g.MoE != nil {
		mlp += 3 * h * (float64(g.MoE.Experts)*float64(g.MoE.Intermediate) + float64(g.MoE.SharedIntermediate))
	}
	if g.MLA != nil {
		attention += (float64(g.MLA.KVLoRARank) + float64(g.MLA.QLoRARank)) * (h + float64(g.Heads)*float64(g.HeadDim+g.VHeadDim))
	}
	if x := g.Index; x != nil {
		attention += float64(x.Heads)*float64(x.Dim)*h + h*float64(x.Dim+x.Heads)
	}
	if l*(attention+mlp)+2*float64(g.Vocab)*h+float64(g.Positions)*h > maxParams {
		f.faults.Add(ConfigField, "sizing.config_too_big", "limit", "100,000 billion")
	}
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
