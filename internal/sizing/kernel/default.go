package kernel

import (
	_ "embed"
	"encoding/json"
	"slices"
	"sync"
)

//go:embed curves.json
var shipped []byte

var readShipped = sync.OnceValue(func() []Curves {
	var out []Curves
	if err := json.Unmarshal(shipped, &out); err != nil {
		panic("kernel: curves.json: " + err.Error())
	}
	return out
})

// Engines are the inference engines with shipped curves.
var Engines = []string{"trtllm", "vllm", "sglang"}

// Shipped returns the shipped curves of an inference engine, those of TensorRT-LLM for any
// other name.
func Shipped(engine string) Curves {
	all := readShipped()
	i := slices.IndexFunc(all, func(c Curves) bool { return c.Engine == engine })
	return all[max(i, 0)]
}
