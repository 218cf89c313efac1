package view

import (
	"strconv"
	"strings"
	"time"

	"rackwright/internal/catalog"
	"rackwright/internal/sizing"
	"rackwright/internal/sizing/llm"
)

// SizingInput is the form as typed, by field name. It is what the page shows again after a
// fault, what a preset fills in and what "change input" takes from a stored report.
type SizingInput map[string]string

// The names of the form's fields. Faults of the engine use the same names.
const (
	SizingModelFrom   = "model_from"
	SizingModel       = "model"
	SizingConfig      = "config"
	SizingConfigFile  = "config_file"
	SizingWeights     = "weights"
	SizingKV          = "kv"
	SizingEngine      = "engine"
	SizingLoadKind    = "load_kind"
	SizingRate        = "rate"
	SizingConcurrency = "concurrency"
	SizingInputLen    = "input_len"
	SizingOutputLen   = "output_len"
	SizingSpread      = "spread"
	SizingTTFT        = "ttft_ms"
	SizingTPOT        = "tpot_ms"
	SizingPercentile  = "percentile"
	SizingSpares      = "spare_systems"
	SizingHeadroom    = "headroom_pct"
	SizingMeanOfPeak  = "mean_of_peak"
	SizingHorizon     = "horizon_months"
)

// SizingCostPrefix stands before the key of a cost default in a field's name.
const SizingCostPrefix = "cost."

// The ways to name the model.
const (
	FromLibrary = "library"
	FromConfig  = "config"
)

// SizingCostKeys are the cost defaults that the form offers to replace, in its order.
var SizingCostKeys = []string{
	"colo_rent_wholesale", "electricity_industrial", "pue_colo", "cost_of_capital",
	"maintenance_per_year", "staff_first_node", "residual_value", "availability",
}

// SizingFormPage is the form that asks for a sizing.
type SizingFormPage struct {
	Page
	Action  string
	Key     string // idempotency key
	Faults  []Fault
	Refusal string // why the whole request cannot be sized
	Presets []SizingPreset
	From    Field // radio: library or config
	Model   Field
	Config  Field
	File    Field
	Numbers []Field // precision and engine
	Kind    Field   // radio: how requests come in
	Load    []Field
	Trace   []Field // pasted, uploaded
	Lengths []Field
	More    []Field // techniques that change what a request costs
	Open    bool    // the techniques are shown at once
	Limits  []Field
	Costs   []Field
	Recent  []SizingHead
	Preview SizingPreview // of the form as it is; filled in once something is typed
}

// SizingPreset fills the form with a usual case.
type SizingPreset struct {
	Label string
	Href  string
}

// SizingHead is one stored report in a list.
type SizingHead struct {
	Href   string
	Title  string
	When   string
	ISO    string
	Author string
}

// SizingFormData is what NewSizingForm needs beside what was typed.
type SizingFormData struct {
	Action   string
	Key      string
	Library  llm.Library
	Defaults []catalog.CostDefault
	Sources  map[string]catalog.Source
	Recent   []sizing.ReportHead
	Zone     *time.Location
	Err      error // of the last attempt
}

// NewSizingForm returns the form filled with in.
func NewSizingForm(p Page, in SizingInput, d SizingFormData) SizingFormPage {
	f := SizingFormPage{
		Page: p, Action: d.Action, Key: d.Key, Presets: sizingPresets(p),
		From: choiceField(p, in, SizingModelFrom, "sizing.ai_model",
			option(FromLibrary, p.T("sizing.model_library"), p.N("sizing.library_note", len(d.Library))),
			option(FromConfig, p.T("sizing.config_json"), p.T("sizing.config_note"))),
		Model: selectField(p, in, SizingModel, "sizing.model_library", libraryOptions(d.Library)...),
		Config: Field{
			Name: SizingConfig, Label: p.T("sizing.paste_config"), Value: in[SizingConfig], Type: "textarea", Rows: 8, Lang: "en",
		},
		File:    Field{Name: SizingConfigFile, Label: p.T("sizing.upload_config"), Type: "file", Help: p.T("sizing.upload_help")},
		Kind:    sizingLoadKind(p, in),
		Numbers: sizingNumbers(p, in),
		Load:    sizingLoad(p, in),
		Trace:   sizingTrace(p, in),
		Lengths: sizingLengths(p, in),
		More:    sizingTechniques(p, in),
		Limits:  sizingLimits(p, in),
		Costs:   sizingCosts(p, in, d),
	}
	f.Preview = SizingPreview{Page: p, Waiting: p.T("sizing.preview_waiting")}
	f.Recent = sizingHeads(p, d.Recent, d.Zone)
	f.Faults = foldTraceFaults(p, Faulty(p.L, d.Err, f.fields()...), &f.Trace[0])
	f.Open = anyGiven(f.More)
	if d.Err != nil && len(f.Faults) == 0 {
		f.Refusal = ErrorText(p.L, d.Err)
	}
	return f
}

// fields returns every control in the order of the page, for faults.
func (f *SizingFormPage) fields() []*Field {
	all := []*Field{&f.From, &f.Model, &f.Config, &f.File}
	for _, group := range [][]Field{f.Numbers, f.Load, f.Trace, f.Lengths, f.Limits, f.More, f.Costs} {
		for i := range group {
			all = append(all, &group[i])
		}
	}
	return append(all, &f.Kind)
}

func sizingNumbers(p Page, in SizingInput) []Field {
	weights := []Option{option("", p.T("sizing.as_checkpoint"), "")}
	for _, w := range llm.Precisions {
		weights = append(weights, option(string(w), p.T("sizing.precision_"+string(w)), ""))
	}
	fields := []Field{
		selectField(p, in, SizingWeights, "sizing.model_weights", weights...),
		selectField(p, in, SizingKV, "sizing.kv_cache",
			option("", p.T("sizing.kv_automatic"), ""),
			option(string(llm.FP8), p.T("sizing.precision_fp8"), ""),
			option(string(llm.BF16), p.T("sizing.precision_bf16"), "")),
		selectField(p, in, SizingEngine, "sizing.inference_engine", engineOptions(p)...),
	}
	fields[1].Help = p.T("sizing.kv_default")
	return fields
}

func engineOptions(p Page) []Option {
	names := map[sizing.InferenceEngine]string{
		sizing.AnyEngine: p.T("sizing.any_engine"), sizing.TensorRTLLM: "TensorRT-LLM", sizing.VLLM: "vLLM", sizing.SGLang: "SGLang",
	}
	var out []Option
	for _, e := range sizing.InferenceEngines {
		out = append(out, option(string(e), names[e], ""))
	}
	return out
}

func sizingLimits(p Page, in SizingInput) []Field {
	return []Field{
		numberField(p, in, SizingTTFT, "sizing.ttft_limit", "ms", ""),
		numberField(p, in, SizingTPOT, "sizing.tpot_limit", "ms", ""),
		selectField(p, in, SizingPercentile, "sizing.limits_hold",
			option("99", p.T("sizing.holds_99"), ""), option("95", p.T("sizing.holds_95"), ""),
			option("50", p.T("sizing.holds_50"), "")),
		numberField(p, in, SizingHeadroom, "sizing.headroom_kept", "%", p.T("sizing.headroom_help")),
		selectField(p, in, SizingSpares, "sizing.spare_nodes",
			option("0", p.T("sizing.spares_none"), ""), option("1", p.T("sizing.spares_one"), ""), option("2", p.T("sizing.spares_two"), "")),
	}
}

// sizingCosts offers the shipped defaults as placeholders: a blank keeps the default, which
// the report then lists with its source.
func sizingCosts(p Page, in SizingInput, d SizingFormData) []Field {
	byKey := map[string]catalog.CostDefault{}
	for _, c := range d.Defaults {
		if _, seen := byKey[c.Key]; !seen {
			byKey[c.Key] = c
		}
	}
	horizon := numberField(p, in, SizingHorizon, "cost.planning_horizon", p.T("sizing.unit_months"), "")
	horizon.Placeholder = "48"
	fields := []Field{horizon}
	for _, key := range SizingCostKeys {
		c, ok := byKey[key]
		if !ok {
			continue
		}
		f := numberField(p, in, SizingCostPrefix+key, "sizing.cost_"+key, sizingUnit(p.L, c.Unit), "")
		f.Placeholder = decimalOr(p, c.Value)
		f.Help = costHelp(p, c, d.Sources)
		fields = append(fields, f)
	}
	return fields
}

func costHelp(p Page, c catalog.CostDefault, sources map[string]catalog.Source) string {
	if c.SourceID == "judgement" {
		return p.T("sizing.cost_judged")
	}
	name := c.SourceID
	if s, ok := sources[c.SourceID]; ok {
		name = s.Title
	}
	return p.T("sizing.cost_source", "source", name, "date", DateShort(c.AsOf))
}

// libraryOptions leaves out models without a shape, which cannot be sized.
func libraryOptions(lib llm.Library) []Option {
	var out []Option
	for _, e := range lib {
		if e.Geometry != nil {
			out = append(out, option(e.Key(), e.Name, ""))
		}
	}
	return out
}

func sizingHeads(p Page, heads []sizing.ReportHead, zone *time.Location) []SizingHead {
	if zone == nil {
		zone = time.UTC
	}
	out := make([]SizingHead, len(heads))
	for i, h := range heads {
		out[i] = SizingHead{
			Href: "/sizing/" + strconv.FormatInt(h.ID, 10), Title: h.Title, Author: h.Author,
			When: DateMedium(p.Lang, h.CreatedAt.In(zone)), ISO: Machine(h.CreatedAt),
		}
	}
	return out
}

func option(value, label, help string) Option { return Option{Value: value, Label: label, Help: help} }

func choiceField(p Page, in SizingInput, name, label string, options ...Option) Field {
	f := selectField(p, in, name, label, options...)
	f.Type = ""
	return f
}

func selectField(p Page, in SizingInput, name, label string, options ...Option) Field {
	f := Field{Name: name, Label: p.T(label), Type: "select", Value: in[name], Options: options}
	for i := range f.Options {
		f.Options[i].Selected = f.Options[i].Value == in[name]
	}
	return f
}

func numberField(p Page, in SizingInput, name, label, unit, help string) Field {
	return Field{Name: name, Label: p.T(label), Type: "number", Value: in[name], Unit: unit, Help: help}
}

// sizingUnit writes a unit of the shipped cost table in the reader's words where it has any.
func sizingUnit(l interface{ T(string, ...any) string }, unit string) string {
	switch unit {
	case "%/year", "% of server price/year":
		return l.T("sizing.unit_percent_year")
	case "% of server price", "% of server price, once", "%":
		return "%"
	case "FTE":
		return l.T("sizing.unit_fte")
	case "ratio", "yes/no", "sequences": // the label says what the figure is
		return ""
	}
	if strings.HasPrefix(unit, "of ") { // a share, which the label says
		return ""
	}
	names := strings.Split(unit, "/")
	for i, name := range names {
		words := strings.Split(name, "-")
		for j, w := range words {
			if id, ok := unitWords[w]; ok {
				words[j] = l.T(id)
			}
		}
		names[i] = strings.Join(words, "·")
	}
	return strings.Join(names, "/")
}

// unitWords are the messages of the parts of units that are words: USD/server, kW/node.
var unitWords = map[string]string{
	"month": "sizing.unit_month", "months": "sizing.unit_months", "hours": "sizing.unit_hours",
	"node": "sizing.unit_node", "server": "sizing.unit_server", "FTE": "sizing.unit_person",
}
