package view

import (
	"fmt"
	"strconv"
	"time"

	"rackwright/internal/catalog"
	"rackwright/internal/chart"
	"rackwright/internal/i18n"
	"rackwright/internal/sizing"
	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/serving"
	"rackwright/internal/unit"
)

// SizingPage is a stored report with one of its plans opened.
type SizingPage struct {
	Page
	Heading     string
	Lead        string
	Change      string // address of the form with this request
	PDF         string // address
	Quote       *SizingQuote
	Facts       []Fact
	Instant     string // "" once simulated
	Verdict     string
	More        []string
	Money       chart.Bars
	Checks      []SizingCheck
	Figures     []Figure
	Plans       []SizingPlan // ranked by cost
	Unpriced    []SizingPlan // need a figure of the reader
	Apart       []SizingPlan // shown apart, never recommended
	PlanCount   string
	Refused     []SizingRefused
	Chosen      *SizingChosen
	Model       []Fact
	ModelNotes  []string
	Assumptions []SizingAssumption
	Constants   []SizingAssumption
	Closing     string // engine, constants and catalogue of the report
}

// SizingQuote is the form that turns the opened plan into a quote.
type SizingQuote struct {
	Action string
	Key    string
	Plan   string
}

// SizingCheck is one line of "how sure is this".
type SizingCheck struct {
	Badge string // kind
	Word  string
	Text  string
}

// SizingPlan is one row of the table of plans.
type SizingPlan struct {
	Rank      string
	Href      string
	Name      string
	Sub       string
	GPUs      string
	Mapping   string
	TTFT      string
	TPOT      string
	Load      string
	Power     string // kW, "" where unknown
	PerMonth  string // "" where a figure is missing
	PerTokens string
	Band      string
	Badge     string
	Evidence  string
	Note      string // what is special about the price
	Picked    bool
}

// SizingRefused is a system that cannot do it.
type SizingRefused struct {
	Name    string
	Why     string
	Nearest string
}

// SizingChosen is the opened plan.
type SizingChosen struct {
	Name      string
	Mapping   string
	Notes     []string
	Binding   string
	MemBadge  string
	MemWord   string
	Memory    chart.Stack
	MemFacts  []Fact
	Site      []Fact
	Basis     []SizingAssumption
	TPOT      chart.Lines
	TTFT      chart.Lines
	Cost      *SizingCost
	BandParts []string

	Percentiles  *SizingPercentiles // nil: not simulated
	WouldChange  []string           // strongest first
	BandHeads    [2]string
	Bands        []SizingBand
	Validations  []SizingValidation
	Extrapolated string // why the bands are wide; "" where measurements of this board exist
	Frontier     chart.Lines
	FrontierRows []SizingFrontierPoint
}

// SizingPageData is what NewSizingPage needs beside the report.
type SizingPageData struct {
	Ref     string // how the report was opened: id or token
	Plan    string // which plan is opened; "" is the recommended one
	Key     string // idempotency key of "make a quote"; "" for people who may not
	Sources map[string]catalog.Source
	Zone    *time.Location
}

// NewSizingPage lays out a stored report. Everything it says is in the report: nothing is
// computed again.
func NewSizingPage(p Page, r sizing.Report, d SizingPageData) SizingPage {
	if d.Zone == nil {
		d.Zone = time.UTC
	}
	s := sizingPage{Page: p, report: r, data: d}
	plan, key := s.chosen()
	v := SizingPage{
		Page: p, Heading: ReportTitle(p.L, &r.Result),
		Lead:    p.T("sizing.report_lead", "date", Date(p.Lang, r.CreatedAt.In(d.Zone))),
		Change:  "/sizing?from=" + d.Ref,
		PDF:     "/sizing/" + d.Ref + ".pdf",
		Facts:   s.facts(),
		Verdict: SizingText(p.L, r.Result.Verdict), More: SizingTexts(p.L, r.Result.Notes),
		Refused: s.refused(),
		Model:   s.model(), ModelNotes: SizingTexts(p.L, r.Result.Model.Messages),
		Assumptions: s.assumptions(r.Result.Assumptions, "a"), Constants: s.assumptions(r.Result.Constants, "c"),
		Closing: p.T("sizing.closing", "engine", r.Result.EngineVersion, "constants", r.Result.ConstantsVersion,
			"catalogue", shortHash(r.CatalogueHash)),
	}
	if r.Result.Preview {
		v.Instant = p.T("sizing.instant_estimate_note")
	}
	v.listPlans(s, key)
	if plan == nil {
		v.More = append(s.nearest(), v.More...)
		return v
	}
	v.More = append(s.moneyWords(plan), v.More...)
	v.PDF += "?plan=" + key
	v.Chosen = s.open(plan)
	v.Checks, v.Figures, v.Money = s.checks(plan), s.figures(plan), s.moneyBars(plan)
	if _, _, sold := plan.Sale(); sold && d.Key != "" {
		v.Quote = &SizingQuote{Action: "/sizing/" + d.Ref + "/quote", Key: d.Key, Plan: key}
	}
	return v
}

// sizingPage carries what every part of the page needs.
type sizingPage struct {
	Page
	report sizing.Report
	data   SizingPageData
}

// SizingPlanByKey returns the plan that a key of the page names: "2" is the second ranked
// plan, "apart-1" the first one set apart. An empty or unknown key is the recommended plan,
// else the first; nil where there is none.
func SizingPlanByKey(r *sizing.Result, key string) (plan *sizing.Plan, found string) {
	for i := range r.Plans {
		if key == planKey(i) {
			return &r.Plans[i], key
		}
	}
	for i := range r.SetApart {
		if key == apartKey(i) {
			return &r.SetApart[i], key
		}
	}
	best := r.Recommended()
	for i := range r.Plans {
		if best == nil || best == &r.Plans[i] {
			return &r.Plans[i], planKey(i)
		}
	}
	if len(r.SetApart) > 0 {
		return &r.SetApart[0], apartKey(0)
	}
	return nil, ""
}

func planKey(i int) string  { return strconv.Itoa(i + 1) }
func apartKey(i int) string { return fmt.Sprintf("apart-%d", i+1) }

func (s sizingPage) chosen() (*sizing.Plan, string) {
	return SizingPlanByKey(&s.report.Result, s.data.Plan)
}

func (s sizingPage) facts() []Fact {
	r := s.report.Result.Request
	return []Fact{
		{Label: s.T("sizing.ai_model"), Value: s.report.Result.Model.Name + ", " + s.T("sizing.precision_"+string(s.report.Result.Model.Weights)), Lang: "en"},
		{Label: s.T("sizing.peak_load"), Value: LoadText(s.L, r.Load)},
		{Label: s.T("sizing.lengths_mean"), Value: s.T("sizing.lengths_value", "in", Float(s.Lang, r.Input.Mean, 0), "out", Float(s.Lang, r.Output.Mean, 0))},
		{Label: s.T("sizing.limits"), Value: LimitsText(s.L, r.Targets)},
		{Label: s.T("sizing.inference_engine"), Value: engineName(s.L, r.Engine)},
		{Label: s.T("navigation.prices"), Value: s.T("sizing.as_of", "date", s.report.Result.AsOf)},
	}
}

// ReportTitle names a result by its model and its load, in the reader's language.
func ReportTitle(l i18n.Localizer, r *sizing.Result) string {
	return l.T("sizing.report_title", "model", r.Model.Name, "load", LoadText(l, r.Request.Load))
}

// LoadText says how much is asked for at the peak.
func LoadText(l i18n.Localizer, load sizing.Load) string {
	if load.Concurrency > 0 {
		return l.T("sizing.load_concurrency", "n", Float(l.Lang(), load.Concurrency, 2))
	}
	return l.T("sizing.load_rate", "n", Float(l.Lang(), load.RequestsPerSecond, 3))
}

// LimitsText says which time limits hold for which share of the requests.
func LimitsText(l i18n.Localizer, t sizing.Targets) string {
	percentile := "p" + Float(l.Lang(), t.Percentile, 1)
	ttft, tpot := Millis(t.TTFTMillis), Millis(t.TPOTMillis)
	switch {
	case t.TTFTMillis > 0 && t.TPOTMillis > 0:
		return l.T("sizing.limits_both", "p", percentile, "ttft", ttft, "tpot", tpot)
	case t.TTFTMillis > 0:
		return l.T("sizing.limits_ttft", "p", percentile, "ttft", ttft)
	case t.TPOTMillis > 0:
		return l.T("sizing.limits_tpot", "p", percentile, "tpot", tpot)
	}
	return l.T("sizing.limits_none")
}

func engineName(l i18n.Localizer, e sizing.InferenceEngine) string {
	switch e {
	case sizing.TensorRTLLM:
		return "TensorRT-LLM"
	case sizing.VLLM:
		return "vLLM"
	case sizing.SGLang:
		return "SGLang"
	}
	return l.T("sizing.any_engine")
}

// PlanName returns the name of a plan's system in a language, or its SKU.
func PlanName(l i18n.Lang, names map[string]string, sku string) string {
	if n := names[string(l)]; n != "" {
		return n
	}
	if n := names[string(i18n.English)]; n != "" {
		return n
	}
	return sku
}

func (s sizingPage) model() []Fact {
	m := s.report.Result.Model
	return []Fact{
		{Label: s.T("sizing.parameters"), Value: Int(s.Lang, m.ParamsTotal)},
		{Label: s.T("sizing.active_parameters"), Value: Int(s.Lang, m.ParamsActive)},
		{Label: s.T("sizing.architecture"), Value: s.T("sizing.architecture_" + m.Architecture)},
		{Label: s.T("sizing.layers"), Value: Int(s.Lang, m.Layers)},
		{Label: s.T("sizing.attention_heads"), Value: s.T("sizing.heads_value", "heads", Int(s.Lang, m.Heads), "kv", Int(s.Lang, m.KVHeads))},
		{Label: s.T("sizing.context_length"), Value: Int(s.Lang, m.MaxContext)},
		{Label: s.T("sizing.model_weights"), Value: GiB(unit.Bytes(m.WeightBytes)), Sub: s.T("sizing.precision_" + string(m.Weights))},
		{Label: s.T("sizing.kv_per_token"), Value: Int(s.Lang, m.KVBytesPerToken) + "\u00a0B", Sub: s.T("sizing.precision_" + string(m.KV))},
	}
}

func shortHash(h string) string {
	if len(h) > 12 {
		return h[:12]
	}
	return h
}

func evidenceBadge(l i18n.Localizer, e serving.Evidence) (kind, word string) {
	switch e {
	case serving.EvidenceMeasured:
		return "ok", l.T("sizing.evidence_measured")
	case serving.EvidenceRatio:
		return "wait", l.T("sizing.evidence_by_ratio")
	}
	return "hypo", l.T("sizing.extrapolated")
}

// bandWidth writes how far a band reaches from its middle: "±25%", or "−20% +35%".
func bandWidth(l i18n.Lang, b basis.Band) string {
	if b.Mid <= 0 {
		return ""
	}
	below, above := 1-b.Low/b.Mid, b.High/b.Mid-1
	if d := below - above; d < 0.005 && d > -0.005 {
		return "±" + Ratio(l, above, 0)
	}
	return "−" + Ratio(l, below, 0) + " +" + Ratio(l, above, 0)
}

func bandRange(l i18n.Lang, b basis.Band, places int) string {
	return Range(Float(l, b.Low, places), Float(l, b.High, places))
}
