package calibrate

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rackwright/internal/sizing/llm"
)

// The kinds of files that are scored.
const (
	KindInference  = "inference"
	KindClosedLoop = "closed_loop"
	KindTraining   = "training"
)

// ReadReport scores the output of the command predict against the file of measurements that
// it was made from.
func ReadReport(kind string, measured, predicted io.Reader, lib llm.Library) (Report, error) {
	if !slices.Contains([]string{KindInference, KindClosedLoop, KindTraining}, kind) {
		return Report{}, fmt.Errorf("kind %q is none of inference, closed_loop and training", kind)
	}
	all, err := ReadScored(measured, predicted, lib)
	if err != nil {
		return Report{}, err
	}
	r := NewReport(all)
	if kind == KindTraining {
		r.Campaigns = campaigns(all)
	}
	return r, nil
}

func campaigns(all []Scored) *Campaigns {
	c := &Campaigns{}
	for _, s := range all {
		if s.Metric != "days" {
			continue
		}
		c.Of++
		if s.Predicted > 0 && s.Measured > 0 {
			c.Ratios = append(c.Ratios, math.Exp(math.Abs(math.Log(s.Predicted/s.Measured))))
		}
	}
	return c
}

// missing is the reason of a figure for which nothing was printed.
const missing = "missing"

// ReadScored joins a file of measurements with the output of predict.
func ReadScored(measured, predicted io.Reader, lib llm.Library) ([]Scored, error) {
	rows, err := readCSV(measured)
	if err != nil {
		return nil, fmt.Errorf("measurements: %w", err)
	}
	answers, err := readCSV(predicted)
	if err != nil {
		return nil, fmt.Errorf("predictions: %w", err)
	}
	said := make(map[[2]string]map[string]string, len(answers))
	for _, a := range answers {
		said[[2]string{a["id"], a["metric"]}] = a
	}
	var out []Scored
	for _, f := range rows {
		moe := isMixture(f, lib)
		for _, m := range measuredIn(f) {
			class, source, vote, ok := classOf(f, m.metric, moe)
			if !ok {
				continue
			}
			s := Scored{ID: f["id"], Metric: m.metric, Measured: m.value, Source: source, Vote: vote, Class: class, Reason: missing}
			a, ok := said[[2]string{s.ID, s.Metric}]
			if !ok {
				a, ok = said[[2]string{s.ID, ""}]
			}
			if ok {
				s.answer(a)
			}
			out = append(out, s)
		}
	}
	return out, nil
}

func (s *Scored) answer(a map[string]string) {
	s.Reason = a["reason"]
	if a["status"] == "ok" {
		s.Predicted = number(a["predicted"])
		s.P10, s.P90 = number(a["p10"]), number(a["p90"])
		s.banded = a["p10"] != "" && a["p90"] != ""
	}
}

var (
	groupNote  = regexp.MustCompile(`grp=([^;]+)`)
	tierNote   = regexp.MustCompile(`tier=(\w)`)
	indepNote  = regexp.MustCompile(`indep=([^;]+)`)
	doubtNote  = regexp.MustCompile(`OOM_LOWER_BOUND|UPPER_BOUND|TOTAL_NOT_PER_GPU|CONFLICT`)
	throughput = []string{"output_tok_s", "output_tok_s_per_gpu", "total_tok_s", "req_s"}
)

// classOf names the class of a row as the published scorer does, the group of its source and
// its vote; false for rows that are not scored. The schemas are told apart by their columns.
func classOf(f map[string]string, metric string, moe bool) (class, source, vote string, ok bool) {
	arch := "dense"
	switch {
	case isDiffusion(f):
		arch = "diffusion"
	case moe:
		arch = "moe"
	}
	if _, training := f["task"]; training {
		return trainingClass(f, metric, arch)
	}
	if _, loop := f["engine"]; loop {
		suspect := ""
		if f["engine"] == "sglang" && strings.HasSuffix(f["hf_id"], "Qwen3-32B") {
			suspect = " (suspect rows)"
		}
		vote = strings.Join([]string{f["hf_id"], f["gpu_sku"], f["ttft_ms"], f["tpot_ms"], metric}, "|")
		return metric + " / " + arch + suspect, f["engine"], vote, true
	}
	if !strings.HasPrefix(f["notes"], "tier=core") {
		return "", "", "", false
	}
	what := metric
	if slices.Contains(throughput, metric) {
		what = "throughput"
	}
	class = strings.Join([]string{f["scenario"], what, arch, boardClass(f["gpu_sku"])}, " / ")
	if f["scenario"] == "offline" {
		stack := "other engines"
		if strings.Contains(f["framework"], "TensorRT") {
			stack = "TensorRT-LLM"
		}
		class += " / " + stack
	}
	vote = f["id"]
	if g := groupNote.FindStringSubmatch(f["notes"]); g != nil {
		vote = g[1] + metric
	}
	return class, f["source_kind"], vote, true
}

func trainingClass(f map[string]string, metric, arch string) (class, source, vote string, ok bool) {
	notes, tier, source := f["notes"], "", "?"
	if m := tierNote.FindStringSubmatch(notes); m != nil {
		tier = m[1]
	}
	if m := indepNote.FindStringSubmatch(notes); m != nil {
		source = m[1]
	}
	first := tier == "A" && slices.Contains([]string{"tok_s_per_gpu", "mem_gb_per_gpu", "minutes"}, metric)
	if metric != "days" && !first || doubtNote.MatchString(notes) {
		return "", "", "", false
	}
	return metric + " / " + f["task"] + " / " + arch, source, f["id"], true
}

func boardClass(gpu string) string {
	family, _, _ := strings.Cut(gpu, "-")
	for _, form := range []string{"PCIe", "NVL", "CNX"} {
		if strings.Contains(strings.ToLower(gpu), strings.ToLower(form)) {
			return family + " " + form
		}
	}
	return family + " SXM"
}

// mixtureNames are parts of the names of mixtures of experts that are not in the library.
var mixtureNames = []string{
	"moe", "mixtral", "maverick", "scout", "deepseek-v3", "deepseek-r1", "deepseek-v2", "gpt-oss", "minimax", "kimi", "glm-5", "a22b", "a3b",
	"a17b", "dbrx", "grok", "olmoe", "nemotron-3-nano", "a14b",
}

func isMixture(f map[string]string, lib llm.Library) bool {
	if containsAny(f, mixtureNames) {
		return true
	}
	for _, name := range []string{f["hf_id"], f["model"]} {
		if e, ok := lib.Find(name); ok && name != "" && e.Geometry != nil && e.Geometry.IsMoE() {
			return true
		}
	}
	return false
}

func isDiffusion(f map[string]string) bool {
	return containsAny(f, []string{"diffusion", "sdxl", "flux"})
}

func containsAny(f map[string]string, words []string) bool {
	names := strings.ToLower(f["hf_id"] + " " + f["model"])
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(names, w) })
}

type figure struct {
	metric string
	value  float64
}

// measuredIn returns the measured figures of a row of any schema.
func measuredIn(f map[string]string) []figure {
	if m, ok := f["metric"]; ok {
		return []figure{{m, number(f["value"])}}
	}
	return []figure{{"ttft_ms", number(f["ttft_ms"])}, {"tpot_ms", number(f["tpot_ms"])}}
}

// number reads a figure; what is none is 0, which counts as refused.
func number(s string) float64 {
	x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		return 0
	}
	return x
}

func readCSV(r io.Reader) ([]map[string]string, error) {
	all, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errors.New("the file is empty")
	}
	out := make([]map[string]string, 0, len(all)-1)
	for _, values := range all[1:] {
		f := make(map[string]string, len(values))
		for i, name := range all[0] {
			f[name] = values[i]
		}
		out = append(out, f)
	}
	return out, nil
}
