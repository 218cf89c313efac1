package sizing_test

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rackwright/internal/apperr"
	"rackwright/internal/i18n"
	"rackwright/internal/money"
	"rackwright/internal/sizing"
	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/sizing/serving"
)

func find(t testing.TB, plans []sizing.Plan, sku string) sizing.Plan {
	t.Helper()
	i := slices.IndexFunc(plans, func(p sizing.Plan) bool { return p.SystemSKU == sku })
	if i < 0 {
		t.Fatalf("no plan for %s", sku)
	}
	return plans[i]
}

func TestRanking(t *testing.T) {
	res := run(t, chat70B(), shippedInputs(t))
	best := res.Recommended()
	if best == nil || best.SystemSKU != "SMC-AS-8125GS-TNHR" || best.Systems != 1 || best.GPUs != 8 || !best.Priced {
		t.Fatalf("best plan: %+v", best)
	}
	board := find(t, res.Plans, "HGX-H100-8GPU")
	if !board.Cost.Main().PerMonth.Equal(money.MustDecimal("15959.16")) {
		t.Errorf("a board in a server of any make costs %s a month", board.Cost.Main().PerMonth)
	}
	if board.Rank < best.Rank {
		t.Error("a board that needs a server is recommended before a server")
	}
	if len(res.Plans) < 40 || len(res.SetApart) != 1 || len(res.Refused) == 0 {
		t.Errorf("%d plans, %d apart, %d refused", len(res.Plans), len(res.SetApart), len(res.Refused))
	}
	priced := true
	for i, p := range res.Plans {
		if p.Rank != i+1 {
			t.Errorf("plan %d has rank %d", i+1, p.Rank)
		}
		if p.Priced && !priced {
			t.Errorf("%s has a price and stands behind one without", p.SystemSKU)
		}
		priced = p.Priced
		checkPlan(t, p)
	}
	cnx := res.SetApart[0]
	if cnx.SystemSKU != "H100-CNX-80GB" || cnx.Rank != 0 || cnx.Recommendable() || cnx.TPOT.High != 1.4*cnx.TPOT.Mid {
		t.Errorf("CNX: %+v", cnx)
	}
	if pcie := find(t, res.Plans, "H100-PCIE-80GB"); pcie.TPOT.Mid != cnx.TPOT.Mid || !pcie.Extrapolated {
		t.Errorf("CNX does not show the numbers of H100 PCIe: %v, %v", cnx.TPOT, pcie.TPOT)
	}
}

// checkPlan holds for every plan of every request.
func checkPlan(t testing.TB, p sizing.Plan) {
	t.Helper()
	if p.Utilisation <= 0 || p.Utilisation > 1 {
		t.Errorf("%s: utilisation %v", p.SystemSKU, p.Utilisation)
	}
	for name, b := range map[string][3]float64{
		"rps": {p.CarriesRPS.Low, p.CarriesRPS.Mid, p.CarriesRPS.High}, "ttft": {p.TTFT.Low, p.TTFT.Mid, p.TTFT.High},
		"tpot": {p.TPOT.Low, p.TPOT.Mid, p.TPOT.High}, "flat out": {p.FlatOut.Low, p.FlatOut.Mid, p.FlatOut.High},
	} {
		if !(b[0] > 0 && b[0] < b[1] && b[1] < b[2]) {
			t.Errorf("%s: band of %s is %v", p.SystemSKU, name, b)
		}
	}
	var sum int64
	for _, part := range p.Memory.Parts {
		sum += int64(part.Bytes)
	}
	if sum != int64(p.Memory.Total) {
		t.Errorf("%s: parts of memory add up to %d of %d", p.SystemSKU, sum, p.Memory.Total)
	}
	if p.Priced != p.Cost.Priced() || (p.Priced && (p.Cost.Main().PerMonth == nil || p.Cost.Main().PerMonth.Sign() <= 0)) {
		t.Errorf("%s: priced without a price", p.SystemSKU)
	}
	if p.GPUsUsed != p.Replicas*p.TP*p.PP*max(1, p.ADP) || p.GPUsUsed > p.GPUs {
		t.Errorf("%s: %d GPUs used of %d", p.SystemSKU, p.GPUsUsed, p.GPUs)
	}
}

func TestResultRoundTrips(t *testing.T) {
	in := shippedInputs(t)
	res := run(t, chat70B(), in)
	raw, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d kB of JSON", len(raw)/1000)
	var back sizing.Result
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	equal := cmp.Comparer(func(a, b money.Decimal) bool { return a.Equal(b) })
	if diff := cmp.Diff(res, back, equal); diff != "" {
		t.Errorf("re-opened differently:\n%s", diff)
	}
	if again := run(t, chat70B(), in); !reflect.DeepEqual(mustJSON(t, res), mustJSON(t, again)) {
		t.Error("equal inputs give different results")
	}
	if res.EngineVersion == "" || res.ConstantsVersion == "" || res.AsOf != "2026-11-30" || len(res.Constants) < 25 || len(res.Assumptions) < 15 {
		t.Errorf("versions or grounds are missing: %d constants, %d assumptions", len(res.Constants), len(res.Assumptions))
	}
	for _, a := range slices.Concat(res.Constants, res.Assumptions) {
		if a.Source == "" && a.SourceID == "" && a.Kind != "judgement" && a.Kind != "default" && a.Kind != "input" {
			t.Errorf("%s has no source", a.Key)
		}
	}
}

func mustJSON(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// cases are requests of many shapes; every message id in what they give must exist.
func cases() map[string]sizing.Request {
	change := func(f func(r *sizing.Request)) sizing.Request {
		r := chat70B()
		f(&r)
		return r
	}
	return map[string]sizing.Request{
		"chat":        chat70B(),
		"concurrency": change(func(r *sizing.Request) { r.Load = sizing.Load{Concurrency: 200, MeanOfPeak: 0.4} }),
		"no limits":   change(func(r *sizing.Request) { r.Targets = sizing.Targets{} }),
		"bf16":        change(func(r *sizing.Request) { r.Weights, r.KV = llm.BF16, "" }),
		"int4":        change(func(r *sizing.Request) { r.Weights = llm.INT4 }),
		"N+1":         change(func(r *sizing.Request) { r.Reserve.SpareSystems = 1 }),
		"mixture":     change(func(r *sizing.Request) { r.Model.HFID, r.Weights, r.KV = "openai/gpt-oss-120b", "", "" }),
		"latent": change(func(r *sizing.Request) {
			r.Model.HFID = "deepseek-ai/DeepSeek-V3"
			r.Load.RequestsPerSecond = 1
			r.Targets = sizing.Targets{}
		}),
		"too big": change(func(r *sizing.Request) {
			r.Model = sizing.ModelChoice{Counts: &llm.Counts{ParamsTotal: 20e12, Layers: 200, Hidden: 32768, Heads: 256}}
		}),
		"by hand": change(func(r *sizing.Request) {
			r.Model = sizing.ModelChoice{Counts: &llm.Counts{ParamsTotal: 14e9, ParamsActive: 2.7e9, Layers: 24, Hidden: 2048, Heads: 16}}
		}),
		"impossible": change(func(r *sizing.Request) { r.Targets.TPOTMillis = 0.5 }),
		"fixed":      change(func(r *sizing.Request) { r.Input.Distribution, r.Output.Distribution = sizing.Fixed, sizing.Fixed }),
		"tiny load":  change(func(r *sizing.Request) { r.Load.RequestsPerSecond = 0.001 }),
		"long prompts": change(func(r *sizing.Request) {
			r.Input.Mean, r.Output.Mean, r.Load.RequestsPerSecond = 60000, 500, 1
			r.Targets = sizing.Targets{}
		}),
	}
}

func TestEveryMessageExists(t *testing.T) {
	in := shippedInputs(t)
	for name, req := range cases() {
		t.Run(name, func(t *testing.T) {
			res := run(t, req, in)
			for _, p := range slices.Concat(res.Plans, res.SetApart) {
				checkPlan(t, p)
			}
			var tree any
			if err := json.Unmarshal([]byte(mustJSON(t, res)), &tree); err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			collectIDs(tree, seen)
			for id := range seen {
				if !i18n.Has(id) {
					t.Errorf("no message %s", id)
				}
			}
		})
	}
}

// collectIDs finds message ids in decoded JSON: strings of the groups that the engine uses.
func collectIDs(v any, seen map[string]bool) {
	switch x := v.(type) {
	case map[string]any:
		for key, inner := range x {
			if s, ok := inner.(string); ok && (key == "id" || key == "message_id" || strings.HasPrefix(s, "sizing.")) {
				seen[s] = true
			}
			collectIDs(inner, seen)
		}
	case []any:
		for _, inner := range x {
			collectIDs(inner, seen)
		}
	}
}

func TestRefusals(t *testing.T) {
	in := shippedInputs(t)
	res := run(t, cases()["too big"], in)
	if len(res.Plans) != 0 || res.Verdict.ID != "sizing.verdict_too_big" || res.Recommended() != nil {
		t.Errorf("too big: %d plans, %v", len(res.Plans), res.Verdict)
	}
	res = run(t, cases()["impossible"], in)
	if len(res.Plans) != 0 || res.Verdict.ID != "sizing.verdict_none" {
		t.Errorf("impossible: %d plans, %v", len(res.Plans), res.Verdict)
	}
	for _, r := range res.Refused {
		if r.Reason.ID == "sizing.refuse_tpot" && r.Nearest == nil {
			t.Errorf("%s names no limit that can be met", r.SystemSKU)
		}
	}
	// 671 billion parameters in FP8 do not fit on eight 80 GB GPUs; two systems carry them.
	res = run(t, cases()["latent"], in)
	if p := find(t, res.Plans, "DGX-H100"); p.Systems < 2 || p.TP*p.PP < 16 {
		t.Errorf("DeepSeek V3 on DGX H100: %d systems, TP%d PP%d", p.Systems, p.TP, p.PP)
	}
}

// 28 heads cannot be cut in eight (THU-KEG/AdaptThink issue 1): groups of 1, 2 or 4 are offered.
func TestHeadsDecideGroups(t *testing.T) {
	raw, err := os.ReadFile("llm/testdata/hf_28_heads.json")
	if err != nil {
		t.Fatal(err)
	}
	req := chat70B()
	req.Model = sizing.ModelChoice{Config: raw}
	for _, p := range run(t, req, shippedInputs(t)).Plans {
		if p.TP != 1 && p.TP != 2 && p.TP != 4 {
			t.Errorf("%s: TP%d", p.SystemSKU, p.TP)
		}
	}
}

func TestFaultsNameFields(t *testing.T) {
	in := shippedInputs(t)
	for name, c := range map[string]struct {
		change func(r *sizing.Request)
		fields string
	}{
		"nothing":         {func(r *sizing.Request) { *r = sizing.Request{Version: 1, Task: sizing.Serve} }, "input_len model output_len rate"},
		"negative":        {func(r *sizing.Request) { r.Input.Mean, r.Load.RequestsPerSecond, r.Targets.TTFTMillis = -1, -2, -3 }, "input_len rate ttft_ms"},
		"huge":            {func(r *sizing.Request) { r.Output.Mean, r.Load.RequestsPerSecond = 1e300, 1e300 }, "output_len rate"},
		"two loads":       {func(r *sizing.Request) { r.Load.Concurrency = 5 }, "rate"},
		"unknown model":   {func(r *sizing.Request) { r.Model.HFID = "no/such" }, "model"},
		"diffusion":       {func(r *sizing.Request) { r.Model.HFID = "stabilityai/stable-diffusion-xl-base-1.0" }, "model"},
		"web page":        {func(r *sizing.Request) { r.Model = sizing.ModelChoice{ConfigText: "<html>"} }, "config"},
		"beyond context":  {func(r *sizing.Request) { r.Input.Mean = 200_000 }, "input_len"},
		"percentile":      {func(r *sizing.Request) { r.Targets.Percentile = 100 }, "percentile"},
		"engine":          {func(r *sizing.Request) { r.Engine = "magic" }, "engine"},
		"horizon":         {func(r *sizing.Request) { r.HorizonMonths = 1000 }, "horizon_months"},
		"own cost":        {func(r *sizing.Request) { r.Cost = map[string]string{"pue_colo": "abc"} }, "cost.pue_colo"},
		"another version": {func(r *sizing.Request) { r.Version = 9 }, "version"},
	} {
		t.Run(name, func(t *testing.T) {
			req := chat70B()
			c.change(&req)
			_, err := sizing.Run(req, in)
			e, ok := errors.AsType[*apperr.Error](err)
			if !ok || e.Kind != apperr.Invalid {
				t.Fatalf("err = %v", err)
			}
			if got := strings.Join(e.FieldNames(), " "); got != c.fields {
				t.Errorf("fields %q, want %q", got, c.fields)
			}
			for _, m := range e.Fields {
				if !i18n.Has(m.ID) {
					t.Errorf("no message %s", m.ID)
				}
			}
		})
	}
}

// Memory-tight plans are ranked behind and never recommended.
func TestTightIsNotRecommended(t *testing.T) {
	p := sizing.Plan{Rank: 1, Memory: serving.MemoryStack{Status: serving.Tight}}
	if p.Recommendable() {
		t.Error("a tight plan is recommended")
	}
}

func TestSpareSystem(t *testing.T) {
	in := shippedInputs(t)
	without, with := find(t, run(t, chat70B(), in).Plans, "DGX-H100"), find(t, run(t, cases()["N+1"], in).Plans, "DGX-H100")
	if with.Systems != without.Systems+1 || with.Utilisation != without.Utilisation || !without.Cost.Main().PerMonth.Less(*with.Cost.Main().PerMonth) {
		t.Errorf("N+1: %d systems at %v against %d at %v", with.Systems, with.Utilisation, without.Systems, without.Utilisation)
	}
}

// A spare for cards is a server as full as the fullest one, not one with every slot filled.
func TestSpareCards(t *testing.T) {
	in := fewInputs(t)
	req := chat70B()
	req.Model.HFID, req.Load.RequestsPerSecond = "meta-llama/Llama-3.1-8B", 0.5
	without := find(t, run(t, req, in).Plans, "H100-NVL-94GB")
	req.Reserve.SpareSystems = 2
	with := find(t, run(t, req, in).Plans, "H100-NVL-94GB")
	if without.GPUs != 1 || with.GPUs != 3 || with.Systems != without.Systems+2 {
		t.Errorf("%d card in %d servers, with two spares %d in %d", without.GPUs, without.Systems, with.GPUs, with.Systems)
	}
}

func BenchmarkRun(b *testing.B) {
	in := shippedInputs(b)
	for b.Loop() {
		run(b, chat70B(), in)
	}
}

// BenchmarkPreview is the instant answer: all systems and all mappings in closed formulas, with
// costs. The goal is 50 ms on one core.
func BenchmarkPreview(b *testing.B) {
	in := shippedInputs(b)
	for b.Loop() {
		if _, err := sizing.Preview(chat70B(), in); err != nil {
			b.Fatal(err)
		}
	}
}

// Asked for, separate pools are compared on the best plan; the answer says so only where they
// are worth it, and never asks for more GPUs.
func TestPoolsAreComparedWhenAsked(t *testing.T) {
	in := fewInputs(t)
	req := chat70B()
	req.Input.Mean, req.Output.Mean, req.Targets.TTFTMillis, req.Targets.TPOTMillis = 6000, 300, 3000, 25
	req.Load.RequestsPerSecond = 40
	plain := run(t, req, in)
	req.Features.Disaggregated = true
	asked := run(t, req, in)
	if len(plain.Plans) == 0 || plain.Plans[0].SystemSKU != asked.Plans[0].SystemSKU {
		t.Fatal("asking for a comparison changes the plan")
	}
	for _, m := range asked.Plans[0].WouldChange {
		t.Log(m)
	}
	if slices.ContainsFunc(plain.Plans[0].WouldChange, func(m basis.Message) bool { return m.ID == "sizing.change_pools" }) {
		t.Error("pools are named although nobody asked")
	}
}

// The simulated answer needs at least what the instant one needs, is the same for the same
// request, and its percentiles are in order.
func TestSimulatedAnswer(t *testing.T) {
	in := fewInputs(t)
	instant := map[string]int{}
	for _, p := range preview(t, chat70B(), in).Plans {
		instant[p.SystemSKU] = p.GPUs
		if p.Simulated != nil {
			t.Fatalf("%s: a preview is simulated", p.SystemSKU)
		}
	}
	first, again := run(t, chat70B(), in), run(t, chat70B(), in)
	if !reflect.DeepEqual(first, again) {
		t.Error("two answers to one request")
	}
	for _, p := range first.Plans {
		s := p.Simulated
		if s == nil {
			t.Errorf("%s is not simulated", p.SystemSKU)
			continue
		}
		if p.GPUs < instant[p.SystemSKU] {
			t.Errorf("%s: %d GPUs, instantly %d", p.SystemSKU, p.GPUs, instant[p.SystemSKU])
		}
		for _, q := range []sizing.Quantiles{s.TTFT, s.TPOT, s.EndToEnd} {
			if q.P50 <= 0 || q.P50 > q.P90 || q.P90 > q.P95 || q.P95 > q.P99 {
				t.Errorf("%s: %+v", p.SystemSKU, q)
			}
		}
		if s.Goodput < 0.95 {
			t.Errorf("%s: %.3f of the requests are inside the limits that it is sized for", p.SystemSKU, s.Goodput)
		}
	}
}
