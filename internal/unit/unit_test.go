package unit_test

import (
	"fmt"
	"testing"
	"time"

	"rackwright/internal/unit"
)

// An H100 80GB reports 81,559 MiB: 85.5 decimal GB, 79.6 GiB. Nominal 80 is never shown as 74.
func ExampleBytes() {
	reported := unit.FromMiB(81559)
	fmt.Printf("%.1f GB = %.1f GiB\n", reported.GB(), reported.GiB())
	// Output: 85.5 GB = 79.6 GiB
}

// The best case of a compute-bound prefill: 70.55e9 parameters, 10,000 tokens, dense BF16 on H100 SXM.
func ExampleFLOPS_Seconds() {
	fmt.Printf("%.2f s\n", (989 * unit.TFLOPS).Seconds(2*70.55e9*10_000))
	// Output: 1.43 s
}

func TestConversions(t *testing.T) {
	if unit.FromGB(80) != 80*unit.GB || unit.FromGiB(2) != 2*unit.GiB {
		t.Error("GB and GiB are mixed up")
	}
	if got := (3350 * unit.GBps).Seconds(3350e9); got != 1 {
		t.Errorf("Seconds = %v", got)
	}
	if (10200*unit.Watts(1)).KW() != 10.2 || (989*unit.TFLOPS).TFLOPS() != 989 || (450*unit.GBps).GBps() != 450 {
		t.Error("prefix lost")
	}
	if unit.Milliseconds(1500*time.Microsecond) != 1.5 || unit.FromSeconds(0.25) != 250*time.Millisecond {
		t.Error("duration")
	}
}
