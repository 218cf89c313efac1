package catalog

import (
	"fmt"
	"testing"
)

func figure(sku, key, qualifier, value, unit string) Claim {
	return Claim{SKU: sku, Key: key, Qualifier: qualifier, Value: value, Unit: unit, SourceKind: VendorDatasheet, Confidence: High, AsOf: date("2026-01-01")}
}

// shelf is a small catalogue: a GPU, a board of eight, a system with the board, a cluster.
func shelf() map[string]Product {
	gpu := Product{SKU: SKU{Code: "G", Kind: GPU}, Claims: []Claim{
		figure("G", "memory_capacity", "", "80", "GB"), figure("G", "memory_bandwidth", "", "3350", "GB/s"),
		figure("G", "bf16_tensor", Dense, "989.4", "TFLOPS"), figure("G", "fp8_tensor", Sparse, "3958", "TFLOPS"),
		figure("G", "int8_tensor", Sparse, "3957.5", "TOPS"), figure("G", "tdp", "", "700", "W"), figure("G", "memory_type", "", "HBM3", ""),
	}}
	return map[string]Product{
		"G":       gpu,
		"BOARD":   {SKU: SKU{Code: "BOARD", Kind: Baseboard}, Components: []Component{{Parent: "BOARD", Child: "G", Quantity: 8}}},
		"SYSTEM":  {SKU: SKU{Code: "SYSTEM", Kind: System}, Components: []Component{{Parent: "SYSTEM", Child: "BOARD", Quantity: 1}, {Parent: "SYSTEM", Child: "NIC", Quantity: 8}}},
		"NIC":     {SKU: SKU{Code: "NIC", Kind: Network}},
		"CLUSTER": {SKU: SKU{Code: "CLUSTER", Kind: Cluster}, Components: []Component{{Parent: "CLUSTER", Child: "SYSTEM", Quantity: 32}}},
		"LOOP":    {SKU: SKU{Code: "LOOP", Kind: System}, Components: []Component{{Parent: "LOOP", Child: "LOOP", Quantity: 1}}},
		"GAP":     {SKU: SKU{Code: "GAP", Kind: System}, Components: []Component{{Parent: "GAP", Child: "NOBODY", Quantity: 1}}},
	}
}

func finder(m map[string]Product) Lookup {
	return func(code string) (Product, bool) { p, ok := m[code]; return p, ok }
}

func TestDerive(t *testing.T) {
	products := shelf()
	tests := []struct {
		sku, key, qualifier string
		want                string // value and terms
	}{
		{"G", "fp8_tensor", Dense, "1979 TFLOPS = 1 × 1979 halved"},
		{"G", "int8_tensor", Dense, "1978.75 TOPS = 1 × 1978.75 halved"},
		{"G", "bf16_tensor", Dense, ""}, // stated
		{"BOARD", "memory_capacity", Aggregate, "640 GB = 8 × 80"},
		{"BOARD", "tdp", Aggregate, "5600 W = 8 × 700"},
		{"SYSTEM", "bf16_tensor", Dense, "7915.2 TFLOPS = 8 × 989.4"},
		{"SYSTEM", "fp8_tensor", Dense, "15832 TFLOPS = 8 × 1979 halved"},
		{"CLUSTER", "memory_capacity", Aggregate, "20480 GB = 256 × 80"},
		{"SYSTEM", "fp64", Dense, ""}, // unknown of the GPU, so unknown of the system
		{"NIC", "memory_capacity", Aggregate, ""},
		{"LOOP", "memory_capacity", Aggregate, ""},
		{"GAP", "memory_capacity", Aggregate, ""},
	}
	for _, tt := range tests {
		t.Run(tt.sku+" "+tt.key, func(t *testing.T) {
			got := ""
			for _, d := range Derive(products[tt.sku], finder(products)) {
				if d.Key != tt.key || d.Qualifier != tt.qualifier {
					continue
				}
				got = fmt.Sprintf("%s %s = %d × %s", d.Value, d.Unit, d.Terms[0].Count, d.Terms[0].Value)
				if d.Terms[0].Halved {
					got += " halved"
				}
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestStatedFigureIsNotDerived(t *testing.T) {
	products := shelf()
	board := products["BOARD"]
	board.Claims = []Claim{figure("BOARD", "memory_capacity", Aggregate, "641", "GB")}
	for _, d := range Derive(board, finder(products)) {
		if d.Key == "memory_capacity" {
			t.Errorf("derived although stated: %+v", d)
		}
	}
}

func TestSummarise(t *testing.T) {
	products := shelf()
	s := Summarise(products["SYSTEM"], finder(products), nil)
	if s.MemoryGB == nil || s.MemoryGB.String() != "640" || s.BandwidthGBs.String() != "3350" || s.MemoryType != "HBM3" {
		t.Errorf("memory of the system: %+v", s)
	}
	if s.PowerW != nil {
		t.Errorf("power = %s; the sum of the GPUs is not the system's power", s.PowerW)
	}
	if s.Price != nil {
		t.Errorf("price = %+v, want unknown", s.Price)
	}
	if g := Summarise(products["G"], finder(products), nil); g.PowerW == nil || g.PowerW.String() != "700" || len(g.Derived) != 0 {
		t.Errorf("GPU: %+v", g)
	}
	if n := Summarise(products["NIC"], finder(products), nil); n.MemoryGB != nil {
		t.Errorf("network adapter with memory: %+v", n)
	}
}
