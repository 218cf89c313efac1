package sizing_test

import (
	"os"
	"testing"
	"time"

	"rackwright/internal/catalog"
	"rackwright/internal/importer"
	"rackwright/internal/seed"
	"rackwright/internal/sizing"
	"rackwright/internal/sizing/cost"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
)

// shippedInputs are the engine's inputs from the shipped catalogue, as of a fixed day.
func shippedInputs(t testing.TB) sizing.Inputs {
	t.Helper()
	b, err := importer.Read(seed.FS, catalog.Keys{})
	if err != nil {
		t.Fatal(err)
	}
	products := b.Products()
	systems, _ := hardware.FromProducts(products)
	f, err := os.Open("../seed/data/models.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lib, err := llm.ReadLibrary(f)
	if err != nil {
		t.Fatal(err)
	}
	return sizing.Inputs{
		Library: lib, Systems: systems, Now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
		Prices: cost.NewBook("USD", cost.Sources{
			Products: products, Subjects: b.Subjects, Observations: b.Observations, Offers: b.Offers, Defaults: b.CostDefaults,
		}),
	}
}

// chat70B is Llama 3.1 70B in FP8 at 20 requests a second of 1,000 and 300 tokens.
func chat70B() sizing.Request {
	return sizing.Request{
		Version: 1, Task: sizing.Serve, Model: sizing.ModelChoice{HFID: "meta-llama/Llama-3.1-70B"}, Weights: llm.FP8, KV: llm.FP8,
		Input: sizing.Length{Mean: 1000}, Output: sizing.Length{Mean: 300}, Load: sizing.Load{RequestsPerSecond: 20},
		Targets: sizing.Targets{TTFTMillis: 2000, TPOTMillis: 50}, HorizonMonths: 48,
	}
}

func run(t testing.TB, req sizing.Request, in sizing.Inputs) sizing.Result {
	t.Helper()
	res, err := sizing.Run(req, in)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func preview(t testing.TB, req sizing.Request, in sizing.Inputs) sizing.Result {
	t.Helper()
	res, err := sizing.Preview(req, in)
	if err != nil {
		t.Fatal(err)
	}
	return res
}
