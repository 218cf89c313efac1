package kernel

import (
	_ "embed"
	"encoding/json"
	"slices"
)

//go:embed curves.json
var shipped []byte

// Engines are the inference engines with shipped curves.
var Engines = []string{"trtllm", "vllm", "sglang"}

// Shipped returns the shipped curves of an inference engine, those of TensorRT-LLM for any
// other name. It reads them anew (a millisecond): keep what it returns.
func Shipped(engine string) Curves {
	var all []Curves
	if err := json.Unmarshal(shipped, &all); err != nil {
		panic("kernel: curves.json: " + err.Error())
	}
	i := slices.IndexFunc(all, func(c Curves) bool { return c.Engine == engine })
	return all[max(i, 0)]
}
