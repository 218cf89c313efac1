package predict

import (
	"fmt"

	"rackwright/internal/catalog"
	"rackwright/internal/importer"
	"rackwright/internal/seed"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
)

// exact marks another spelling of the same part; the nearest part is another one.
const exact = "exact"

// Shipped returns the models and GPUs of the catalogue that the program carries, so that
// predictions need no database.
func Shipped() (Sources, error) {
	b, err := importer.Read(seed.FS, catalog.Keys{})
	if err != nil {
		return Sources{}, err
	}
	systems, _ := hardware.FromProducts(b.Products())
	gpus := map[string]hardware.GPU{}
	for _, s := range systems {
		gpus[s.GPU.SKU] = s.GPU
	}
	skus := map[string]string{}
	for _, s := range b.SKUs {
		skus[s.Code] = s.Code
	}
	for _, a := range b.Aliases {
		if a.Match == exact {
			skus[a.Alias] = a.SKU
		}
	}
	f, err := seed.FS.Open("models.csv")
	if err != nil {
		return Sources{}, err
	}
	defer func() { _ = f.Close() }()
	lib, err := llm.ReadLibrary(f)
	if err != nil {
		return Sources{}, fmt.Errorf("model library: %w", err)
	}
	return Sources{Models: lib, GPUs: gpus, SKUs: skus}, nil
}
