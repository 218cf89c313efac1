package view

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"rackwright/internal/sizing"
)

// The fields of load, lengths and techniques.
const (
	SizingCV            = "cv"
	SizingTrace         = "trace"
	SizingTraceFile     = "trace_file"
	SizingTraceRate     = "trace_rate"
	SizingLengthKind    = "length_kind"
	SizingInputMedian   = "input_median"
	SizingOutputMedian  = "output_median"
	SizingPrefix        = "prefix_share"
	SizingDraft         = "draft_tokens"
	SizingAcceptance    = "acceptance"
	SizingAdapters      = "adapters"
	SizingAdapterRank   = "adapter_rank"
	SizingDisaggregated = "disaggregated"
	SizingSlices        = "slices"
)

// The ways to give the load.
const (
	LoadRate        = "rate"
	LoadBursty      = "bursty"
	LoadConcurrency = "concurrency"
	LoadTrace       = "trace"
)

// The ways to give lengths; those of a trace come with it.
const (
	LengthsSpread = "spread"
	LengthsMedian = "median"
	LengthsFixed  = "fixed"
)

// traceLine is before the number of a line in the names of faults of a trace.
const traceLine = SizingTrace + ".line["

// TraceLineFault names the fault of a line of the trace, given as "line[3]".
func TraceLineFault(line string) string { return SizingTrace + "." + line }

func sizingLoadKind(p Page, in SizingInput) Field {
	return choiceField(p, in, SizingLoadKind, "sizing.peak_load",
		option(LoadRate, p.T("sizing.arrivals_poisson"), p.T("sizing.load_rate_note")),
		option(LoadBursty, p.T("sizing.arrivals_bursty"), p.T("sizing.arrivals_bursty_note")),
		option(LoadConcurrency, p.T("sizing.arrivals_closed"), p.T("sizing.load_concurrency_note")),
		option(LoadTrace, p.T("sizing.arrivals_trace"), p.T("sizing.arrivals_trace_note")))
}

func sizingLoad(p Page, in SizingInput) []Field {
	return []Field{
		numberField(p, in, SizingRate, "sizing.requests_per_second", p.T("units.per_second"), ""),
		numberField(p, in, SizingCV, "sizing.cv", "", p.T("sizing.cv_help")),
		numberField(p, in, SizingConcurrency, "sizing.concurrency", p.T("sizing.unit_requests"), ""),
		numberField(p, in, SizingTraceRate, "sizing.requests_per_second", p.T("units.per_second"), p.T("sizing.trace_rate_help")),
		numberField(p, in, SizingMeanOfPeak, "sizing.mean_of_peak", "%", p.T("sizing.mean_of_peak_help")),
	}
}

func sizingTrace(p Page, in SizingInput) []Field {
	return []Field{
		{
			Name: SizingTrace, Label: p.T("sizing.paste_trace"), Value: in[SizingTrace], Type: "textarea", Rows: 6, Lang: "en",
			Help: p.T("sizing.trace_help"), Placeholder: "arrival_s,input_tokens,output_tokens",
		},
		{Name: SizingTraceFile, Label: p.T("sizing.upload_trace"), Type: "file", Help: p.T("sizing.upload_help")},
	}
}

func sizingLengths(p Page, in SizingInput) []Field {
	tokens := p.T("sizing.unit_tokens")
	return []Field{
		selectField(p, in, SizingLengthKind, "sizing.length_spread",
			option(LengthsSpread, p.T("sizing.lengths_spread"), ""),
			option(LengthsMedian, p.T("sizing.lengths_median"), ""),
			option(LengthsFixed, p.T("sizing.lengths_fixed"), "")),
		numberField(p, in, SizingInputLen, "sizing.input_length_mean", tokens, ""),
		numberField(p, in, SizingInputMedian, "sizing.input_length_median", tokens, ""),
		numberField(p, in, SizingOutputLen, "sizing.output_length_mean", tokens, ""),
		numberField(p, in, SizingOutputMedian, "sizing.output_length_median", tokens, ""),
		numberField(p, in, SizingSpread, "sizing.spread", "σ", p.T("sizing.spread_help")),
	}
}

func sizingTechniques(p Page, in SizingInput) []Field {
	tokens := p.T("sizing.unit_tokens")
	fields := []Field{
		numberField(p, in, SizingPrefix, "sizing.prefix_caching", "%", p.T("sizing.prefix_help")),
		numberField(p, in, SizingDraft, "sizing.speculative_decoding", tokens, p.T("sizing.draft_help")),
		numberField(p, in, SizingAcceptance, "sizing.acceptance", "%", p.T("sizing.acceptance_help")),
		numberField(p, in, SizingAdapters, "sizing.adapters", "", p.T("sizing.adapters_help")),
		numberField(p, in, SizingAdapterRank, "sizing.adapter_rank", "", p.T("sizing.adapter_rank_help")),
	}
	for _, c := range []struct{ name, label, help string }{
		{SizingDisaggregated, "sizing.disaggregated_serving", "sizing.disaggregated_help"}, {SizingSlices, "sizing.slices", "sizing.slices_help"},
	} {
		fields = append(fields, Field{Name: c.name, Label: p.T(c.label), Type: "check", Checked: in[c.name] == "yes", Help: p.T(c.help)})
	}
	return fields
}

// anyGiven reports whether a field of a folded group was filled or is faulty: it opens then.
func anyGiven(fields []Field) bool {
	return slices.ContainsFunc(fields, func(f Field) bool { return f.Value != "" || f.Checked || f.Error != "" })
}

// foldTraceFaults moves what is wrong with single lines of the trace to its field, in order.
func foldTraceFaults(p Page, faults []Fault, trace *Field) []Fault {
	var kept, lines []Fault
	for _, f := range faults {
		if strings.HasPrefix(f.Field, traceLine) {
			lines = append(lines, f)
		} else {
			kept = append(kept, f)
		}
	}
	number := func(f Fault) int {
		n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(f.Field, traceLine), "]"))
		return n
	}
	slices.SortStableFunc(lines, func(a, b Fault) int { return cmp.Compare(number(a), number(b)) })
	for _, f := range lines {
		label := p.T("sizing.trace_line", "n", strconv.Itoa(number(f)))
		trace.Error += " " + p.T("shell.label_and_text", "label", label, "text", f.Text)
		kept = append(kept, Fault{Field: SizingTrace, Label: label, Text: f.Text})
	}
	trace.Error = strings.TrimSpace(trace.Error)
	return kept
}

// setLoad fills the fields of load, lengths and techniques from a stored request.
func (in SizingInput) setLoad(r sizing.Request) {
	switch {
	case r.Load.Arrivals == sizing.Trace:
		in[SizingLoadKind], in[SizingTrace] = LoadTrace, traceText(r.Load.Trace)
		if r.Load.RequestsPerSecond != TraceRate(r.Load.Trace) {
			in[SizingTraceRate] = plain(r.Load.RequestsPerSecond)
		}
	case r.Load.Concurrency > 0:
		in[SizingLoadKind], in[SizingConcurrency] = LoadConcurrency, plain(r.Load.Concurrency)
	case r.Load.Arrivals == sizing.Bursty:
		in[SizingLoadKind], in[SizingCV] = LoadBursty, plain(r.Load.CV)
		in[SizingRate] = plain(r.Load.RequestsPerSecond)
	default:
		in[SizingRate] = plain(r.Load.RequestsPerSecond)
	}
	in[SizingMeanOfPeak] = percentOf(r.Load.MeanOfPeak)
	if r.Output.Distribution != sizing.FromTrace {
		in.setLengths(r)
	}
	f := r.Features
	in[SizingPrefix], in[SizingAcceptance] = percentOf(f.PrefixShare), percentOf(f.Acceptance)
	in[SizingDraft], in[SizingAdapters], in[SizingAdapterRank] = plain(float64(f.DraftTokens)), plain(float64(f.Adapters)), plain(float64(f.AdapterRank))
	for name, on := range map[string]bool{SizingDisaggregated: f.Disaggregated, SizingSlices: f.Slices} {
		if on {
			in[name] = "yes"
		}
	}
}

func (in SizingInput) setLengths(r sizing.Request) {
	in[SizingInputLen], in[SizingOutputLen] = plain(r.Input.Mean), plain(r.Output.Mean)
	switch {
	case r.Output.Distribution == sizing.Fixed:
		in[SizingLengthKind] = LengthsFixed
	case r.Output.Median > 0:
		in[SizingLengthKind] = LengthsMedian
		in[SizingInputMedian], in[SizingOutputMedian] = plain(r.Input.Median), plain(r.Output.Median)
	default:
		in[SizingSpread] = plain(r.Output.Sigma)
	}
}

// TraceRate is the mean rate of a trace, in requests per second; 0 where it has no duration.
func TraceRate(rows []sizing.Traced) float64 {
	if len(rows) < 2 || rows[len(rows)-1].At <= rows[0].At {
		return 0
	}
	return float64(len(rows)-1) / (rows[len(rows)-1].At - rows[0].At)
}

func traceText(rows []sizing.Traced) string {
	var b strings.Builder
	b.WriteString("arrival_s,input_tokens,output_tokens\n")
	for _, r := range rows {
		b.WriteString(strconv.FormatFloat(r.At, 'f', -1, 64) + "," + strconv.Itoa(r.Input) + "," + strconv.Itoa(r.Output) + "\n")
	}
	return b.String()
}

// percentOf writes a share as the percentage that was typed.
func percentOf(share float64) string { return plain(math.Round(share*1e8) / 1e6) }
