package serving

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rackwright/internal/sizing/hardware"
)

// sliced are the GPUs that divide into seven compute and eight memory slices, by the first
// part of their SKU (docs.nvidia.com/datacenter/tesla/mig-user-guide, supported GPUs).
var sliced = []string{"A100", "A800", "H100", "H800", "H200", "H20", "GH200", "B200", "B300", "GB200"}

// SlicesOf returns the slices that a GPU offers, smallest first, without the one that is the
// whole GPU; none where it cannot be divided. Names carry the share of the nominal memory.
func SlicesOf(gpu hardware.GPU) []Slice {
	kind, _, _ := strings.Cut(gpu.SKU, "-")
	if !slices.Contains(sliced, kind) {
		return nil
	}
	nominal := float64(gpu.Memory) / 1e9
	if gpu.MemoryReported {
		nominal /= binaryGB
	}
	var out []Slice
	for _, s := range []Slice{{Compute: 1, Memory: 1}, {Compute: 1, Memory: 2}, {Compute: 2, Memory: 2}, {Compute: 3, Memory: 4}, {Compute: 4, Memory: 4}} {
		s.Name = fmt.Sprintf("%dg.%.0fgb", s.Compute, math.Round(math.Round(nominal)*float64(s.Memory)/8))
		out = append(out, s)
	}
	return out
}

// PerGPU returns how many such slices one GPU holds.
func (s Slice) PerGPU() int {
	if s.Compute < 1 || s.Memory < 1 {
		return 1
	}
	return max(1, min(7/s.Compute, 8/s.Memory))
}
