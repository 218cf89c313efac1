package view

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"rackwright/internal/money"
	"rackwright/internal/sizing"
)

// presetValues are the usual cases, by the last part of their message id. The figures are
// only a start to type over; none of them is a claim.
var presetValues = []struct {
	id     string
	values SizingInput
}{
	{"chat_70b", SizingInput{
		SizingModel: "meta-llama/Llama-3.1-70B", SizingWeights: "fp8", SizingRate: "20",
		SizingInputLen: "1000", SizingOutputLen: "300", SizingTTFT: "2000", SizingTPOT: "50",
	}},
	{"rag_70b", SizingInput{
		SizingModel: "meta-llama/Llama-3.1-70B", SizingWeights: "fp8", SizingRate: "4",
		SizingInputLen: "8000", SizingOutputLen: "400", SizingTTFT: "4000", SizingTPOT: "60",
	}},
	{"chat_8b", SizingInput{
		SizingModel: "meta-llama/Llama-3.1-8B", SizingWeights: "fp8", SizingRate: "40",
		SizingInputLen: "800", SizingOutputLen: "250", SizingTTFT: "1000", SizingTPOT: "30",
	}},
	{"batch_70b", SizingInput{
		SizingModel: "meta-llama/Llama-3.1-70B", SizingWeights: "fp8", SizingLoadKind: LoadConcurrency, SizingConcurrency: "512",
		SizingInputLen: "2000", SizingOutputLen: "500",
	}},
}

// SizingDefaults is the empty form: nothing but the choices that must have one.
func SizingDefaults() SizingInput {
	return SizingInput{
		SizingModelFrom: FromLibrary, SizingLoadKind: LoadRate, SizingPercentile: "95", SizingSpares: "0",
		SizingModel: "meta-llama/Llama-3.1-70B", SizingLengthKind: LengthsSpread, SizingCV: "2",
	}
}

// SizingPresetInput returns the form filled with a preset; ok is false for an unknown one.
func SizingPresetInput(id string) (in SizingInput, ok bool) {
	for _, p := range presetValues {
		if p.id != id {
			continue
		}
		in := SizingDefaults()
		for k, v := range p.values {
			in[k] = v
		}
		return in, true
	}
	return nil, false
}

func sizingPresets(p Page) []SizingPreset {
	out := make([]SizingPreset, len(presetValues))
	for i, v := range presetValues {
		out[i] = SizingPreset{Label: p.T("sizing.preset_" + v.id), Href: "/sizing?preset=" + url.QueryEscape(v.id)}
	}
	return out
}

// SizingInputOf returns the form that a stored request was made from, for changing it.
func SizingInputOf(r sizing.Request) SizingInput {
	in := SizingDefaults()
	switch {
	case len(r.Model.Config) > 0:
		in[SizingModelFrom] = FromConfig
		in[SizingConfig] = indented(r.Model.Config)
	default:
		in[SizingModel] = r.Model.HFID
	}
	in[SizingWeights], in[SizingKV], in[SizingEngine] = string(r.Weights), string(r.KV), string(r.Engine)
	in.setLoad(r)
	in[SizingTTFT], in[SizingTPOT] = plain(r.Targets.TTFTMillis), plain(r.Targets.TPOTMillis)
	if r.Targets.Percentile > 0 {
		in[SizingPercentile] = plain(r.Targets.Percentile)
	}
	in[SizingSpares] = strconv.Itoa(r.Reserve.SpareSystems)
	if r.Reserve.HeadroomPct != nil {
		in[SizingHeadroom] = plain(*r.Reserve.HeadroomPct)
	}
	if r.HorizonMonths > 0 {
		in[SizingHorizon] = strconv.Itoa(r.HorizonMonths)
	}
	for key, v := range r.Cost {
		in[SizingCostPrefix+key] = v
	}
	return in
}

func indented(raw json.RawMessage) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(raw); err != nil {
		return string(raw)
	}
	return strings.TrimSpace(b.String())
}

// plain writes a number of a form; zero, which means "not given" there, is empty.
func plain(x float64) string {
	if x == 0 {
		return ""
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

func decimalOr(p Page, d *money.Decimal) string {
	if d == nil {
		return p.T("cost.your_figure")
	}
	return NumberTrim(p.Lang, *d)
}
