package documents_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"rackwright/internal/i18n"
	"rackwright/internal/money"
	"rackwright/internal/pdf"
	"rackwright/internal/sizing"
	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/cost"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/sizing/serving"
	"rackwright/internal/unit"
	"rackwright/internal/view"
	"rackwright/web/templates/documents"
)

// figure is an assumption with a source; labels are messages that exist in every language.
func figure(id, value, unitName, source, day string, kind basis.Kind) basis.Assumption {
	return basis.Assumption{Key: id, MessageID: id, Value: value, Unit: unitName, Source: source, AsOf: day, Kind: kind, Confident: "medium"}
}

// report is a report with every part filled. Its figures are made up for the test.
func report() sizing.Report {
	watts := func(w float64) *float64 { return &w }
	month := 11
	stack := serving.MemoryStack{Total: gib(79.18), Status: serving.Fits, KVTokens: 419_000, Sequences: 220, Wanted: 64}
	for _, p := range []struct {
		key, id string
		gib     float64
	}{
		{"weights", "sizing.model_weights", 33.88}, {"kv", "sizing.kv_cache", 32}, {"activation", "sizing.activations", 4.83},
		{"runtime", "sizing.memory_fragmentation", 0.55}, {"headroom", "sizing.head_room", 7.92},
	} {
		stack.Parts = append(stack.Parts, serving.MemoryPart{Key: p.key, MessageID: p.id, Bytes: gib(p.gib)})
	}
	colo := cost.Ladder{
		Kind: cost.Colocation, Units: 1, Complete: true, Total: dec("815000"), NPV: dec("653718"), PerMonth: dec("15959"), PerGPUHour: dec("2.82"), PerMillionTokens: dec("1.81"),
		Lines: []cost.Line{
			{Key: "hw", MessageID: "cost.hardware_cost", When: cost.AtStart, Amount: dec("285000"), Basis: []basis.Assumption{figure("cost.server_8xh100_quote", "285000", "USD", "Example price list", "2026-08-20", basis.Published)}},
			{Key: "rent", MessageID: "cost.rack_space_rent", When: cost.Monthly, Amount: dec("1870"), Basis: []basis.Assumption{
				figure("cost.colo_wholesale_rent", "183.6", "USD/kW/month", "Example market report", "2026-06-30", basis.Published), figure("cost.pue", "1.4", "", "Example survey", "2025-12-31", basis.Judgement)}},
			{Key: "staff", MessageID: "cost.staff_cost", When: cost.Monthly},
		},
	}
	cloud := cost.Ladder{Kind: cost.OnDemand, Provider: "AWS", Instance: "p5.48xlarge", Region: "us-east-1", Units: 1, Complete: true, Stale: true, Total: dec("1929000"), NPV: dec("1646000"), PerMonth: dec("40179"), PerGPUHour: dec("6.88"), PerMillionTokens: dec("4.55")}
	for m := range 49 {
		colo.Cumulative = append(colo.Cumulative, money.FromInt(int64(320_000+10_000*m)))
		cloud.Cumulative = append(cloud.Cumulative, money.FromInt(int64(40_179*m)))
	}
	plan := sizing.Plan{
		Rank: 1, SystemSKU: "SYS-821GE-TNHR", SystemKind: "system", GPUSKU: "H100-SXM5", GPUsPerSystem: 8, Systems: 1, GPUs: 8, GPUsUsed: 8, Replicas: 4, TP: 2, PP: 1,
		Names:   map[string]string{"en": "Supermicro SYS-821GE-TNHR", "zh-Hans": "超微 SYS-821GE-TNHR", "zh-Hant": "Supermicro SYS-821GE-TNHR"},
		Weights: llm.FP8, KV: llm.FP8, Memory: stack, CarriesRPS: basis.Around(19.8, 0.12, 0.12), TTFT: basis.Around(920, 0.3, 0.3), TPOT: basis.Around(34, 0.12, 0.12), Utilisation: 0.81,
		Power: sizing.Power{AverageW: watts(8000), ProvisionedW: watts(10200)}, Priced: true, Evidence: serving.EvidenceMeasured,
		Cost:        &cost.Comparison{Currency: "USD", HorizonMonths: 48, Ladders: []cost.Ladder{colo, cloud}, BreakEvens: []cost.BreakEven{{Provider: "AWS", Instance: "p5.48xlarge", Month: &month, Utilisation: dec("40")}}},
		BandReasons: []basis.Message{basis.Msg("sizing.check_load")}, Binding: basis.Msg("sizing.tpot"),
		Basis: []basis.Assumption{figure("spec.memory_bandwidth", "3.35", "TB/s", "NVIDIA H100 datasheet", "2024-10-01", basis.Datasheet)},
	}
	plan.Throughput, plan.FlatOut = basis.Around(8000, 0, 0), basis.Around(11000, 0.15, 0.15)
	plan.Simulated = &sizing.Simulated{
		Seed: 1, Requests: 3600, Goodput: 0.993, Throughput: 7990, RPS: 16, MaxRPS: 18.5, Running: 61, PeakKV: 0.4, Busy: 0.97,
		TTFT: sizing.Quantiles{Mean: 310, P50: 280, P90: 610, P95: 760, P99: 1210}, TPOT: sizing.Quantiles{Mean: 30, P50: 31, P90: 38, P95: 44, P99: 51.5}, EndToEnd: sizing.Quantiles{Mean: 15000, P50: 14000, P90: 26000, P95: 31000, P99: 42000},
	}
	plan.Curve = []sizing.CurvePoint{{RPS: 4, Throughput: 2000, TTFT: 300, TPOT: 18}, {RPS: 12, Throughput: 6000, TTFT: 520, TPOT: 27}, {RPS: 20, Throughput: 10000, TTFT: 1900, TPOT: 48}}
	plan.Validations = []sizing.Validation{{Cell: "tpot / dense / closed / sxm / trtllm", Rows: 322, Median: 7.4, AsOf: "2026-11-20"}}
	plan.WouldChange = []basis.Message{basis.Msg("sizing.change_lengths"), basis.Msg("sizing.change_prefix")}
	apart := plan
	apart.Extrapolated = true
	apart.Rank, apart.Priced, apart.Cost, apart.Evidence, apart.SystemSKU = 0, false, nil, serving.EvidenceExtrapolated, "H100-CNX"
	return sizing.Report{
		ID: 142, CreatedAt: created, Title: "Llama 3.1 70B, 16 requests/s", CatalogueHash: strings.Repeat("ab12", 16),
		Result: sizing.Result{
			EngineVersion: sizing.EngineVersion, ConstantsVersion: "2026-11-20", AsOf: "2026-11-30",
			Request:  sizing.Request{Input: sizing.Length{Mean: 1000}, Output: sizing.Length{Mean: 500}, Load: sizing.Load{RequestsPerSecond: 16}, Targets: sizing.Targets{TTFTMillis: 2000, TPOTMillis: 50, Percentile: 99}, Engine: sizing.TensorRTLLM},
			Model:    sizing.ModelFacts{Name: "Llama 3.1 70B", Architecture: "dense", ParamsTotal: 70_553_706_496, ParamsActive: 70_553_706_496, Layers: 80, Heads: 64, KVHeads: 8, MaxContext: 131_072, Weights: llm.FP8, KV: llm.FP8, WeightBytes: 72_600_000_000, KVBytesPerToken: 163_840},
			Frontier: []sizing.FrontierPoint{{SystemSKU: "SYS-821GE-TNHR", TP: 8, PP: 1, PerUser: 140, PerGPU: 17, Concurrent: 1}, {SystemSKU: "SYS-821GE-TNHR", TP: 2, PP: 1, PerUser: 60, PerGPU: 900, Concurrent: 30}, {SystemSKU: "SYS-821GE-TNHR", TP: 1, PP: 1, PerUser: 20, PerGPU: 3000, Concurrent: 150}},
			Plans:    []sizing.Plan{plan}, SetApart: []sizing.Plan{apart},
			Refused: []sizing.Refusal{{SystemSKU: "H100-PCIE", Names: map[string]string{"en": "H100 PCIe"}, Reason: basis.Msg("sizing.memory_no_fit")}},
			Verdict: basis.Msg("sizing.memory_fits"), Notes: []basis.Message{basis.Msg("sizing.check_stale")},
			Assumptions: []basis.Assumption{figure("cost.discount_rate", "8", "%", "", "2026-11-01", basis.Judgement), figure("sizing.utilisation", "", "", "", "", basis.Input)},
			Constants:   []basis.Assumption{figure("sizing.mfu", "0.55", "", "MLPerf Inference 5.1, closed", "2025-09-09", basis.Measured)},
		},
	}
}

func sizingDocument(lang i18n.Lang) view.SizingDocument {
	r := report()
	p := view.Page{Lang: lang, L: i18n.For(lang)}
	return view.NewSizingDocument(view.NewSizingPage(p, r, view.SizingPageData{Ref: "142"}), view.SizingDocumentData{Number: "SR-142", Seller: seller, Created: r.CreatedAt})
}

func TestSizingPrintsEveryString(t *testing.T) {
	for _, lang := range i18n.Langs {
		t.Run(string(lang), func(t *testing.T) {
			d := sizingDocument(lang)
			b := render(t, "sizing", documents.SizingReport(d), lang)
			findAll(t, b, d, ".Lang", ".Title", ".Foot.Page")
			if m := missingMessage.FindString(fmt.Sprint(d)); m != "" {
				t.Errorf("message %s is missing", m)
			}
			if len(d.Abbreviated) < 5 {
				t.Errorf("%d abbreviations explained", len(d.Abbreviated))
			}
		})
	}
}

// R9: a figure that nobody gave is words, never zero.
func TestSizingUnknownIsWords(t *testing.T) {
	d := sizingDocument(i18n.English)
	rows := d.Ladders[0].Rows
	if got := rows[len(rows)-1].Amount; got != i18n.For(i18n.English).T("cost.your_figure") {
		t.Errorf("missing cost item prints %q", got)
	}
}

func TestSizingWithoutAPlan(t *testing.T) {
	r := report()
	r.Result.Plans, r.Result.SetApart = nil, nil
	for _, lang := range i18n.Langs {
		p := view.Page{Lang: lang, L: i18n.For(lang)}
		d := view.NewSizingDocument(view.NewSizingPage(p, r, view.SizingPageData{Ref: "142"}), view.SizingDocumentData{Seller: seller, Created: r.CreatedAt})
		findAll(t, render(t, "sizing-none", documents.SizingReport(d), lang), d, ".Lang", ".Title", ".Foot.Page")
	}
}

func TestSizingSameBytes(t *testing.T) {
	d := sizingDocument(i18n.Simplified)
	if !bytes.Equal(render(t, "same", documents.SizingReport(d), i18n.Simplified), render(t, "same", documents.SizingReport(d), i18n.Simplified)) {
		t.Error("two runs differ")
	}
}

func BenchmarkSizingPDF(b *testing.B) {
	d := sizingDocument(i18n.Simplified)
	for b.Loop() {
		if _, err := pdf.Render(b.Context(), documents.SizingReport(d), pdf.Options{Created: created}); err != nil {
			b.Fatal(err)
		}
	}
}

func gib(x float64) unit.Bytes { return unit.Bytes(x * float64(unit.GiB)) }
