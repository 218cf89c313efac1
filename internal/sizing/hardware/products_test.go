package hardware_test

import (
	"testing"

	"rackwright/internal/catalog"
	"rackwright/internal/importer"
	"rackwright/internal/seed"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/unit"
)

// shipped returns the products of the shipped catalogue.
func shipped(t testing.TB) []catalog.Product {
	t.Helper()
	b, err := importer.Read(seed.FS, catalog.Keys{})
	if err != nil {
		t.Fatal(err)
	}
	return productsOf(b)
}

func productsOf(b catalog.Batch) []catalog.Product {
	claims, parts := map[string][]catalog.Claim{}, map[string][]catalog.Component{}
	for _, c := range b.Claims {
		claims[c.SKU] = append(claims[c.SKU], c)
	}
	for _, c := range b.Components {
		parts[c.Parent] = append(parts[c.Parent], c)
	}
	var out []catalog.Product
	for _, s := range b.SKUs {
		out = append(out, catalog.Product{SKU: s, Claims: claims[s.Code], Components: parts[s.Code]})
	}
	return out
}

func TestShippedSystems(t *testing.T) {
	systems, skipped := hardware.FromProducts(shipped(t))
	bySKU := map[string]hardware.System{}
	for _, s := range systems {
		bySKU[s.SKU] = s
		if s.GPUs < 1 || s.GPU.BF16 <= 0 || s.GPU.Bandwidth <= 0 || s.GPU.Memory <= 0 || s.NVLinkDomain < 1 || len(s.Basis) < 3 {
			t.Errorf("%s is incomplete: %+v", s.SKU, s)
		}
	}
	for _, s := range skipped {
		t.Logf("skipped %s: %s", s.SKU, s.Reason.ID)
	}
	t.Logf("%d systems, %d skipped", len(systems), len(skipped))
	dgx := bySKU["DGX-H100"]
	if dgx.GPUs != 8 || dgx.NVLinkDomain != 8 || dgx.Provisioned == nil || *dgx.Provisioned != 10.2*unit.KW || dgx.RackUnits == nil || *dgx.RackUnits != 8 {
		t.Errorf("DGX-H100: %+v", dgx)
	}
	if g := dgx.GPU; g.Memory != unit.FromMiB(81559) || g.BF16 != 989.4*unit.TFLOPS || g.NVLink != 450*unit.GBps {
		t.Errorf("H100 SXM5: %+v", g)
	}
	if g := bySKU["HGX-H200-8GPU"].GPU; g.FP8 != 1979*unit.TFLOPS { // sparse 3,958 halved
		t.Errorf("H200: %+v", g)
	}
	if g := bySKU["SMC-SYS-821GE-TNHR"]; g.GPUs != 8 || g.Provisioned != nil {
		t.Errorf("a server whose maker states no power: %+v", g)
	}
	if _, ok := bySKU["H100-SXM5-80GB"]; ok {
		t.Error("a module is sold only on a board")
	}
	if c := bySKU["H100-CNX-80GB"]; c.SKU != "" && c.GPU.Form != hardware.CNX {
		t.Errorf("CNX: %+v", c)
	}
}

// The catalogue feeds the engine (R23): a corrected datasheet changes what is read.
func TestCorrectedDatasheetCounts(t *testing.T) {
	products := shipped(t)
	for i, p := range products {
		if p.SKU.Code != "H100-SXM5-80GB" {
			continue
		}
		for j, c := range p.Claims {
			if c.Key == "memory_bandwidth" && c.SourceKind == catalog.VendorDatasheet {
				products[i].Claims[j].Value = "3400"
			}
		}
	}
	systems, _ := hardware.FromProducts(products)
	for _, s := range systems {
		if s.SKU == "DGX-H100" && s.GPU.Bandwidth != 3400*unit.GBps {
			t.Errorf("bandwidth %v", s.GPU.Bandwidth)
		}
	}
}
