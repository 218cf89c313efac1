package sizing_test

import (
	"testing"
)

func TestLook(t *testing.T) {
	in := shippedInputs(t)
	res := run(t, chat70B(), in)
	for _, p := range append(res.Plans, res.SetApart...) {
		month := "-"
		if m := p.Cost.Main(); m != nil && m.PerMonth != nil {
			month = m.PerMonth.String()
		}
		t.Logf("%2d %-24s %-14s x%d gpus=%d TP%d PP%d R%d load=%.2f carries=%.1f ttft=%.0f tpot=%.1f flat=%.0f mem=%s seq=%.0f/%.0f %s %s %s priced=%v %s", p.Rank, p.SystemSKU, p.SystemKind, p.Systems, p.GPUs, p.TP, p.PP, p.Replicas, p.Utilisation, p.CarriesRPS.Mid, p.TTFT.Mid, p.TPOT.Mid, p.FlatOut.Mid, p.Memory.Status, p.Memory.Sequences, p.Memory.Wanted, p.Weights, p.Evidence, p.Binding.ID, p.Priced, month)
	}
	for _, r := range res.Refused {
		t.Logf("refused %s %s %v near %v", r.SystemSKU, r.Reason.ID, r.Reason.Args, r.Nearest)
	}
	t.Log(res.Verdict)
}
