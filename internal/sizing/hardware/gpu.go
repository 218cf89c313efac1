package hardware

import (
	"slices"

	"rackwright/internal/catalog"
	"rackwright/internal/sizing/basis"
	"rackwright/internal/unit"
)

// gpuFrom reads a GPU from its winning claims. It needs a dense 16-bit peak, memory and
// bandwidth; without them nothing can be said, and the reason names what is missing.
func gpuFrom(p catalog.Product) (GPU, []basis.Assumption, string) {
	g := GPU{SKU: p.SKU.Code, Family: p.SKU.Family, Form: formOf(p.SKU)}
	var facts []basis.Assumption
	var ok bool
	if g.BF16, ok = peak(p, &facts, "bf16_tensor"); !ok {
		if g.BF16, ok = peak(p, &facts, "fp16_tensor"); !ok {
			return g, nil, "sizing.skip_no_compute"
		}
	}
	g.FP8, _ = peak(p, &facts, "fp8_tensor")
	g.INT8, _ = peak(p, &facts, "int8_tensor")
	if !readMemory(p, &g, &facts) {
		return g, nil, "sizing.skip_no_memory"
	}
	c, v, ok := figure(p, "memory_bandwidth")
	if !ok {
		return g, nil, "sizing.skip_no_bandwidth"
	}
	g.Bandwidth = unit.BytesPerSecond(v) * unit.GBps
	facts = append(facts, fact(c, "sizing.basis_bandwidth"))
	readNVLink(p, &g, &facts)
	if c, v, ok := figure(p, "tdp"); ok {
		w := unit.Watts(v)
		g.TDP = &w
		facts = append(facts, fact(c, "sizing.basis_tdp"))
	}
	return g, facts, ""
}

// readMemory prefers what the driver reports: 80 GB boards report 81,559 MiB.
func readMemory(p catalog.Product, g *GPU, facts *[]basis.Assumption) bool {
	if c, v, ok := figure(p, "memory_reported_mib"); ok {
		g.Memory, g.MemoryReported = unit.FromMiB(int64(v)), true
		*facts = append(*facts, fact(c, "sizing.basis_memory_reported"))
		return true
	}
	c, v, ok := figure(p, "memory_capacity")
	if !ok {
		return false
	}
	g.Memory = unit.FromGB(v)
	*facts = append(*facts, fact(c, "sizing.basis_memory"))
	return true
}

// readNVLink reads the bandwidth per direction; sources state both directions together
// unless they say so.
func readNVLink(p catalog.Product, g *GPU, facts *[]basis.Assumption) {
	for _, q := range []struct {
		qualifier string
		share     unit.BytesPerSecond
	}{{"per_direction", 1}, {"bidirectional", 0.5}, {"with_bridge", 0.5}} {
		if c, v, ok := figure(p, "nvlink_bandwidth", q.qualifier); ok {
			g.NVLink = unit.BytesPerSecond(v) * unit.GBps * q.share
			*facts = append(*facts, fact(c, "sizing.basis_nvlink"))
			return
		}
	}
}

// peak returns a dense rate: stated, or half a sparse one, which structured sparsity doubles.
func peak(p catalog.Product, facts *[]basis.Assumption, key string) (unit.FLOPS, bool) {
	if c, v, ok := figure(p, key, catalog.Dense); ok {
		*facts = append(*facts, fact(c, "sizing.basis_"+key))
		return unit.FLOPS(v) * unit.TFLOPS, true
	}
	derived := catalog.Derive(p, nil)
	i := slices.IndexFunc(derived, func(d catalog.Derived) bool { return d.Key == key && d.Qualifier == catalog.Dense })
	if i < 0 {
		return 0, false
	}
	d := derived[i]
	a := fact(d.Terms[0].Claim, "sizing.basis_"+key)
	a.Value, a.Kind = d.Value.String(), basis.Derived
	*facts = append(*facts, a)
	return unit.FLOPS(d.Value.Float()) * unit.TFLOPS, true
}

// figure returns a positive figure of a product; see catalog.Product.Figure.
func figure(p catalog.Product, key string, qualifiers ...string) (catalog.Claim, float64, bool) {
	c, ok := p.Figure(key, qualifiers...)
	if !ok {
		return c, 0, false
	}
	d, ok := c.Number()
	if !ok || d.Sign() <= 0 {
		return c, 0, false
	}
	return c, d.Float(), true
}

func fact(c catalog.Claim, messageID string) basis.Assumption {
	return basis.Assumption{
		Key: c.SKU + "." + c.Key, MessageID: messageID, Args: []basis.Arg{basis.T("sku", c.SKU)},
		Value: c.Value, Unit: c.Unit, SourceID: c.SourceID, Source: c.SourceDetail,
		AsOf: c.AsOf.Format("2006-01-02"), Kind: basis.Datasheet, Confident: string(c.Confidence),
	}
}
