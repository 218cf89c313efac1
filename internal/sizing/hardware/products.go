package hardware

import (
	"maps"
	"slices"
	"strings"

	"rackwright/internal/catalog"
	"rackwright/internal/sizing/basis"
	"rackwright/internal/unit"
)

// FromProducts returns the systems among the products in the order of their codes, and the
// products with GPUs that cannot be used. Products of low confidence and clusters (which
// are many systems) stay out.
func FromProducts(products []catalog.Product) ([]System, []Skipped) {
	r := reader{bySKU: make(map[string]catalog.Product, len(products))}
	for _, p := range products {
		r.bySKU[p.SKU.Code] = p
	}
	r.cardSlots()
	var systems []System
	var skipped []Skipped
	sorted := slices.Clone(products)
	slices.SortFunc(sorted, func(a, b catalog.Product) int { return strings.Compare(a.SKU.Code, b.SKU.Code) })
	for _, p := range sorted {
		s, reason := r.system(p)
		switch {
		case reason != "":
			skipped = append(skipped, Skipped{p.SKU.Code, basis.Msg(reason, basis.T("sku", p.SKU.Code))})
		case s != nil:
			systems = append(systems, *s)
		}
	}
	return systems, skipped
}

type reader struct {
	bySKU map[string]catalog.Product
	slots map[string]int // most cards of a GPU in one catalogue server
	most  int            // of any PCIe GPU
}

func (r *reader) lookup(code string) (catalog.Product, bool) {
	p, ok := r.bySKU[code]
	return p, ok
}

// cardSlots finds how many cards the catalogue's servers take: a loose card is sized in a
// server of that many slots.
func (r *reader) cardSlots() {
	r.slots = map[string]int{}
	for _, p := range r.bySKU {
		if p.SKU.Kind != catalog.System || p.SKU.Confidence == catalog.Low {
			continue
		}
		parts, ok := catalog.GPUsOf(p, r.lookup)
		if !ok || len(parts) != 1 {
			continue
		}
		if gpu, ok := r.lookup(parts[0].SKU); ok && formOf(gpu.SKU) != SXM {
			r.slots[parts[0].SKU] = max(r.slots[parts[0].SKU], parts[0].Count)
			r.most = max(r.most, parts[0].Count)
		}
	}
}

// system returns the system of a product, or the id of the reason why it has none; both
// are empty for products without GPUs.
func (r *reader) system(p catalog.Product) (*System, string) {
	kind, ok := kindOf(p.SKU)
	if !ok {
		return nil, ""
	}
	if p.SKU.Confidence == catalog.Low {
		return nil, "sizing.skip_low_confidence"
	}
	gpuProduct, count, reason := r.gpuOf(p, kind)
	if reason != "" {
		return nil, reason
	}
	s := &System{SKU: p.SKU.Code, Names: p.SKU.Names, Kind: kind, Vendor: p.SKU.Vendor, Status: string(p.SKU.Status), GPUs: count}
	gpu, facts, reason := gpuFrom(gpuProduct)
	if reason != "" && gpu.Form == CNX {
		gpu, facts, reason = r.sister(gpuProduct)
	}
	if reason != "" {
		return nil, reason
	}
	r.borrowNVLink(&gpu, &facts, gpuProduct)
	s.GPU, s.Basis = gpu, facts
	s.NVLinkDomain = r.domain(s)
	r.systemFigures(s, p)
	return s, ""
}

func kindOf(s catalog.SKU) (Kind, bool) {
	switch s.Kind {
	case catalog.Baseboard:
		return Board, true
	case catalog.System:
		return Node, true
	case catalog.CloudInstance:
		return Cloud, true
	case catalog.GPU:
		return Card, formOf(s) != SXM
	}
	return "", false
}

// gpuOf returns the one GPU model inside a product and how many there are.
func (r *reader) gpuOf(p catalog.Product, kind Kind) (catalog.Product, int, string) {
	if kind == Card {
		if formOf(p.SKU) == Superchip {
			return p, 1, ""
		}
		return p, max(1, r.slots[p.SKU.Code], r.most), ""
	}
	code, count := p.SKU.GPUSKU, p.SKU.GPUs
	if parts, ok := catalog.GPUsOf(p, r.lookup); ok && len(parts) > 0 {
		if len(parts) > 1 {
			return catalog.Product{}, 0, "sizing.skip_mixed_gpus"
		}
		code, count = parts[0].SKU, parts[0].Count
	}
	gpu, ok := r.lookup(code)
	if !ok || count < 1 {
		return catalog.Product{}, 0, "sizing.skip_gpu_unknown"
	}
	if gpu.SKU.Confidence == catalog.Low {
		return catalog.Product{}, 0, "sizing.skip_low_confidence"
	}
	return gpu, count, ""
}

// formOf reads the form from the catalogue's form factor and name.
func formOf(s catalog.SKU) Form {
	f := strings.ToLower(s.FormFactor)
	switch {
	case strings.Contains(f, "superchip"):
		return Superchip
	case strings.Contains(strings.ToUpper(s.Code), "CNX"):
		return CNX
	case strings.Contains(f, "sxm"):
		return SXM
	case strings.Contains(strings.ToUpper(s.Code), "NVL"):
		return NVL
	}
	return PCIe
}

// domain returns how many GPUs of a system reach each other by NVLink. SXM boards join all
// of theirs (by switches on eight, point to point on four); a bridge joins two cards.
func (r *reader) domain(s *System) int {
	switch {
	case s.GPU.NVLink == 0:
		return 1
	case s.GPU.Form == SXM:
		return s.GPUs
	case s.GPU.Form == Superchip:
		return 1
	}
	return min(2, s.GPUs)
}

// systemFigures reads what is known of the system itself; nothing is derived for a loose card.
func (r *reader) systemFigures(s *System, p catalog.Product) {
	if s.Kind == Card {
		return
	}
	if c, v, ok := figure(p, "system_power_max", "", "max"); ok {
		w := unit.Watts(v) * unit.KW
		s.Provisioned = &w
		s.Basis = append(s.Basis, fact(c, "sizing.basis_system_power"))
	}
	if c, v, ok := figure(p, "rack_units"); ok {
		s.RackUnits = &v
		s.Basis = append(s.Basis, fact(c, "sizing.basis_rack_units"))
	}
	if c, v, ok := figure(p, "network_bandwidth"); ok {
		s.NetworkGbps = &v
		s.Basis = append(s.Basis, fact(c, "sizing.basis_network"))
	}
}

// sister returns the figures of the PCIe card with the same GPU for a converged card that
// has none of its own. It is shown apart and never recommended.
func (r *reader) sister(p catalog.Product) (GPU, []basis.Assumption, string) {
	card, ok := r.lookup(strings.Replace(p.SKU.Code, "CNX", "PCIE", 1))
	if !ok {
		return GPU{}, nil, "sizing.skip_no_compute"
	}
	g, facts, reason := gpuFrom(card)
	g.SKU, g.Form = p.SKU.Code, CNX
	return g, facts, reason
}

// borrowNVLink gives an SXM module without an NVLink figure that of a module of the same
// socket and generation: H200 goes on the same class of board as H100. Parts made for
// export limits differ in just this figure and borrow nothing.
func (r *reader) borrowNVLink(g *GPU, facts *[]basis.Assumption, p catalog.Product) {
	if g.Form != SXM || g.NVLink > 0 || strings.Contains(p.SKU.Family, "export") {
		return
	}
	generation, _, _ := strings.Cut(p.SKU.Family, " ")
	for _, code := range slices.Sorted(maps.Keys(r.bySKU)) {
		other := r.bySKU[code]
		if other.SKU.Kind != catalog.GPU || other.SKU.Family != generation || other.SKU.FormFactor != p.SKU.FormFactor || other.SKU.Confidence == catalog.Low {
			continue
		}
		var borrowed []basis.Assumption
		if readNVLink(other, g, &borrowed); g.NVLink > 0 {
			borrowed[0].MessageID, borrowed[0].Kind = "sizing.basis_nvlink_borrowed", basis.Derived
			*facts = append(*facts, borrowed...)
			return
		}
	}
}
