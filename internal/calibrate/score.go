package calibrate

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rackwright/internal/sizing/llm"
)

// Scored is one measured figure and what was predicted for it.
type Scored struct {
	ID, Metric string
	Measured   float64
	Predicted  float64 // 0: refused
	P10, P90   float64 // 0: no band
	Source     string  // group of sources
	Vote       string  // near-identical measurements share one
	Class      string
	Reason     string // of a refusal
}

// Score is how far the predictions of one class are off.
type Score struct {
	Class   string  `json:"class"`
	Votes   int     `json:"votes"`
	Median  float64 `json:"median"`  // median over sources of the median |ln(predicted/measured)|
	P90     float64 `json:"p90"`     // of |ln| over votes
	Bias    float64 `json:"bias"`    // median ln
	Refused float64 `json:"refused"` // share of rows
	InBand  float64 `json:"in_band"` // share of rows with a band
	rows    int
	banded  int
	inside  int
	refused int
}

// Scores scores figures by class: one vote per group of near-identical measurements, the
// median inside each source, then over sources. It follows the published scorer of the
// measurements (reality/score.py) to the digit.
func Scores(all []Scored) []Score {
	votes := map[[3]string][]float64{}
	by := map[string]*Score{}
	var order [][3]string
	for _, s := range all {
		c := by[s.Class]
		if c == nil {
			c = &Score{Class: s.Class}
			by[s.Class] = c
		}
		c.rows++
		if s.Predicted <= 0 || s.Measured <= 0 {
			c.refused++
			continue
		}
		key := [3]string{s.Class, s.Source, s.Vote}
		if votes[key] == nil {
			order = append(order, key)
		}
		votes[key] = append(votes[key], math.Log(s.Predicted/s.Measured))
		if s.P10 > 0 && s.P90 > 0 {
			c.banded++
			if s.P10 <= s.Measured && s.Measured <= s.P90 {
				c.inside++
			}
		}
	}
	sources, errs := map[string]map[string][]float64{}, map[string][]float64{}
	for _, key := range order {
		e := median(votes[key])
		class := key[0]
		if sources[class] == nil {
			sources[class] = map[string][]float64{}
		}
		sources[class][key[1]] = append(sources[class][key[1]], math.Abs(e))
		errs[class] = append(errs[class], e)
	}
	var out []Score
	for class, c := range by {
		c.Refused = float64(c.refused) / float64(c.rows)
		if c.banded > 0 {
			c.InBand = float64(c.inside) / float64(c.banded)
		}
		if es := errs[class]; len(es) > 0 {
			var medians []float64
			for _, s := range sources[class] {
				medians = append(medians, median(s))
			}
			abs := make([]float64, len(es))
			for i, e := range es {
				abs[i] = math.Abs(e)
			}
			slices.Sort(abs)
			c.Votes, c.Median, c.Bias, c.P90 = len(es), median(medians), median(es), abs[int(0.9*float64(len(abs)-1))]
		}
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b Score) int { return strings.Compare(a.Class, b.Class) })
	return out
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	return (s[n/2-1] + s[n/2]) / 2
}

func percent(ln float64) float64 { return 100 * (math.Exp(ln) - 1) }

// WriteScores prints scores as the published scorer does.
func WriteScores(w io.Writer, scores []Score) error {
	_, err := fmt.Fprintf(w, "%-78s %5s %7s %7s %7s %8s %8s\n", "class", "votes", "median", "p90", "bias", "refused", "in band")
	for _, s := range scores {
		band := "-"
		if s.banded > 0 {
			band = fmt.Sprintf("%.0f%%", 100*s.InBand)
		}
		if s.Votes == 0 {
			_, err = fmt.Fprintf(w, "%-78s %5d %7s %7s %7s %7.0f%% %8s\n", s.Class, 0, "-", "-", "-", 100*s.Refused, band)
			continue
		}
		_, err = fmt.Fprintf(w, "%-78s %5d %6.1f%% %6.1f%% %+6.1f%% %7.0f%% %8s\n", s.Class, s.Votes, percent(s.Median), percent(s.P90), percent(s.Bias), 100*s.Refused, band)
	}
	return err
}

var group = regexp.MustCompile(`grp=([^;]+)`)

// classOf names the class of a row as the published scorer does, and false for rows that
// are not scored: those of other tiers than core.
func classOf(f map[string]string, metric string, moe bool) (class, source, vote string, ok bool) {
	arch := "dense"
	switch {
	case strings.Contains(strings.ToLower(f["hf_id"]+f["model"]), "diffusion"):
		arch = "diffusion"
	case moe:
		arch = "moe"
	}
	if f["notes"] == "" && f["engine"] != "" { // closed loop
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
	if strings.HasSuffix(metric, "_s") || strings.HasSuffix(metric, "_gpu") {
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
	if g := group.FindStringSubmatch(f["notes"]); g != nil {
		vote = g[1] + metric
	}
	return class, f["source_kind"], vote, true
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
	names := strings.ToLower(f["hf_id"] + " " + f["model"])
	if slices.ContainsFunc(mixtureNames, func(n string) bool { return strings.Contains(names, n) }) {
		return true
	}
	e, ok := lib.Find(f["hf_id"])
	return ok && e.Geometry != nil && e.Geometry.MoE != nil
}

// ReadScored joins a file of measurements with the output of predict.
func ReadScored(measured, predicted io.Reader, lib llm.Library) ([]Scored, error) {
	rows, err := readCSV(measured)
	if err != nil {
		return nil, err
	}
	answers, err := readCSV(predicted)
	if err != nil {
		return nil, err
	}
	said := map[[2]string]map[string]string{}
	for _, a := range answers {
		said[[2]string{a["id"], a["metric"]}] = a
	}
	var out []Scored
	for _, f := range rows {
		for _, m := range measuredIn(f) {
			class, source, vote, ok := classOf(f, m.metric, isMixture(f, lib))
			if !ok {
				continue
			}
			s := Scored{ID: f["id"], Metric: m.metric, Measured: m.value, Source: source, Vote: vote, Class: class}
			if a := said[[2]string{s.ID, s.Metric}]; a["status"] == "ok" {
				s.Predicted, s.P10, s.P90 = number(a["predicted"]), number(a["p10"]), number(a["p90"])
			} else {
				s.Reason = a["reason"]
			}
			out = append(out, s)
		}
	}
	return out, nil
}

type figure struct {
	metric string
	value  float64
}

// measuredIn returns the measured figures of a row of either schema.
func measuredIn(f map[string]string) []figure {
	if m, ok := f["metric"]; ok {
		return []figure{{m, number(f["value"])}}
	}
	return []figure{{"ttft_ms", number(f["ttft_ms"])}, {"tpot_ms", number(f["tpot_ms"])}}
}

func number(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
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
		return nil, fmt.Errorf("the file is empty")
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
