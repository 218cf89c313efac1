package llm

import (
	"os"
	"testing"
)

// The check inside ReadLibrary proves every row to the last parameter; here the rows that
// have no shape are counted, so that none slips out silently.
func TestReadLibraryReproducesEveryPublishedCount(t *testing.T) {
	f, err := os.Open("../../seed/data/models.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lib, err := ReadLibrary(f)
	if err != nil {
		t.Fatal(err)
	}
	var without int
	for _, e := range lib {
		if e.Geometry == nil {
			without++
			t.Logf("%s: %s", e.Name, e.Reason)
		}
	}
	if len(lib) != 45 || without != 1 {
		t.Errorf("%d models, %d without a shape; want 45 and 1 (a diffusion model)", len(lib), without)
	}
	e, ok := lib.Find("META-llama/llama-3.1-70b")
	if !ok || e.Geometry.KVBytesPerToken(FP8) != 163840 {
		t.Errorf("Llama 3.1 70B: %+v", e)
	}
	if _, ok := lib.Find("nobody/nothing"); ok {
		t.Error("found a model that is not there")
	}
}
