package catalog

import (
	"slices"

	"rackwright/internal/money"
)

// Lookup finds a product by its code.
type Lookup func(code string) (Product, bool)

// Term is one summand of a derived figure: Count times the claim's value, halved where
// the claim is a sparse figure that stands for a dense one.
type Term struct {
	Count  int
	Claim  Claim
	Value  money.Decimal
	Halved bool
}

// Derived is a figure that no source states and that follows from others.
type Derived struct {
	Key       string
	Qualifier string
	Value     money.Decimal
	Unit      string
	Terms     []Term
}

// Part is a GPU inside a product, with its number after expanding the bill of materials.
type Part struct {
	SKU   string
	Count int
}

// halvable are the keys whose dense rate is half the sparse one: structured sparsity
// doubles the rate of every Tensor Core format but FP64.
var halvable = []string{"tf32_tensor", "bf16_tensor", "fp16_tensor", "fp8_tensor", "fp4_tensor", "int8_tensor"}

// summed are the keys whose figure for a board or system is the sum over its GPUs.
var summed = []struct {
	key, partQualifier, qualifier string
}{
	{"memory_capacity", "", Aggregate},
	{"memory_bandwidth", "", Aggregate},
	{"fp64", Dense, Dense},
	{"fp64_tensor", Dense, Dense},
	{"fp32", Dense, Dense},
	{"tf32_tensor", Dense, Dense},
	{"tf32_tensor", Sparse, Sparse},
	{"bf16_tensor", Dense, Dense},
	{"bf16_tensor", Sparse, Sparse},
	{"fp16_tensor", Dense, Dense},
	{"fp16_tensor", Sparse, Sparse},
	{"fp8_tensor", Dense, Dense},
	{"fp8_tensor", Sparse, Sparse},
	{"fp4_tensor", Dense, Dense},
	{"fp4_tensor", Sparse, Sparse},
	{"int8_tensor", Dense, Dense},
	{"int8_tensor", Sparse, Sparse},
	{"tdp", "", Aggregate}, // of the GPUs alone: switches, processors and fans come on top
}

// maxDepth bounds the expansion of bills of materials, so that a loop in the data ends.
const maxDepth = 8

// GPUsOf expands the bill of materials of a product down to its GPUs, in the order of the
// parts. It returns false where a part is missing or the bill is a loop. A GPU is its own part.
func GPUsOf(p Product, lookup Lookup) ([]Part, bool) {
	return expand(p, lookup, 1, 0)
}

func expand(p Product, lookup Lookup, times, depth int) ([]Part, bool) {
	if p.SKU.Kind == GPU {
		return []Part{{p.SKU.Code, times}}, true
	}
	if depth == maxDepth {
		return nil, false
	}
	var out []Part
	for _, c := range p.Components {
		child, ok := lookup(c.Child)
		if !ok {
			return nil, false
		}
		parts, ok := expand(child, lookup, times*c.Quantity, depth+1)
		if !ok {
			return nil, false
		}
		for _, part := range parts {
			out = addPart(out, part)
		}
	}
	return out, true
}

func addPart(parts []Part, p Part) []Part {
	for i := range parts {
		if parts[i].SKU == p.SKU {
			parts[i].Count += p.Count
			return parts
		}
	}
	return append(parts, p)
}

// Derive returns what follows from other figures and is stated by no usable source: dense
// rates that exist only as sparse (half), and for a product with GPUs inside the sums over
// them. A sum with an unknown summand is unknown and does not appear.
func Derive(p Product, lookup Lookup) []Derived {
	if p.SKU.Kind == GPU {
		return denseFromSparse(p)
	}
	parts, ok := GPUsOf(p, lookup)
	if !ok || len(parts) == 0 {
		return nil
	}
	var out []Derived
	for _, s := range summed {
		if _, stated := p.Figure(s.key, s.qualifier, Aggregate); stated {
			continue
		}
		if d, ok := sum(s.key, s.partQualifier, parts, lookup); ok {
			d.Qualifier = s.qualifier
			out = append(out, d)
		}
	}
	return out
}

func denseFromSparse(p Product) []Derived {
	var out []Derived
	for _, key := range halvable {
		t, ok := term(p, key, Dense)
		if !ok || !t.Halved {
			continue
		}
		out = append(out, Derived{Key: key, Qualifier: Dense, Value: t.Value, Unit: t.Claim.Unit, Terms: []Term{t}})
	}
	return out
}

func sum(key, qualifier string, parts []Part, lookup Lookup) (Derived, bool) {
	d := Derived{Key: key}
	for _, part := range parts {
		p, ok := lookup(part.SKU)
		if !ok {
			return Derived{}, false
		}
		t, ok := term(p, key, qualifier)
		if !ok {
			return Derived{}, false
		}
		t.Count = part.Count
		d.Value = d.Value.Add(t.Value.Mul(money.FromInt(int64(part.Count))))
		d.Unit = t.Claim.Unit
		d.Terms = append(d.Terms, t)
	}
	return d, true
}

// term returns the figure of one GPU, from its claim or as half its sparse rate.
func term(p Product, key, qualifier string) (Term, bool) {
	if c, ok := p.Figure(key, qualifier); ok {
		v, isNumber := c.Number()
		return Term{Count: 1, Claim: c, Value: v}, isNumber
	}
	if qualifier != Dense || !slices.Contains(halvable, key) {
		return Term{}, false
	}
	c, ok := p.Figure(key, Sparse)
	if !ok {
		return Term{}, false
	}
	v, isNumber := c.Number()
	// Half of a decimal needs at most one place more.
	return Term{Count: 1, Claim: c, Value: v.Quo(money.FromInt(2), v.Places()+1).Trim(), Halved: true}, isNumber
}
