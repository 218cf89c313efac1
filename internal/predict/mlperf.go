package predict

import (
	"math"
	"strings"

	"rackwright/internal/sizing/serving"
)

// dataset is the lengths of an MLPerf Inference workload in tokens. Sources: MLCommons
// inference results v3.1 to v6.0 (mean generated tokens of their logs) and the task
// descriptions; read 2026-11-30.
type dataset struct {
	prompt, answer float64 // means
	promptMedian   float64 // 0: not published
	spread         float64 // assumed sigma of the answers' logarithm
}

// datasets by the name that model names contain. The spread of answers is published for
// none of them; 0.75 is a judgement for chat, 0.45 for long documents.
var datasets = []struct {
	model string
	dataset
}{
	{"llama-2-70b", dataset{222, 292, 152, 0.75}},                // OpenOrca
	{"mixtral-8x7b", dataset{427, 146, 0, 0.75}},                 // OpenOrca, GSM8K, MBXP
	{"llama-3.1-405b", dataset{9429, 650, 0, 0.45}},              // LongBench, GovReport
	{"llama-3.1-8b", dataset{871, 128, 0, 0}},                    // CNN-DailyMail, 128 tokens each
	{"deepseek-r1", dataset{804, 3854, 0, 0.75}},                 //
	{"gpt-oss-120b", dataset{5011, 1379, 0, 0.75}},               //
	{"gpt-j", dataset{prompt: 871, answer: 69, promptMedian: 0}}, // the articles of CNN-DailyMail; its own tokeniser's count is not published
}

// defaultSpread is the sigma of prompts where no median is published (judgement).
const defaultSpread = 0.5

// fillMLPerf gives a row of MLPerf the lengths of its workload where it states none, and
// their spread: the logs only have means.
func (r *Row) fillMLPerf() {
	if r.Source != "mlperf" {
		return
	}
	name := strings.ToLower(r.ModelName)
	for _, d := range datasets {
		if !strings.Contains(name, d.model) {
			continue
		}
		fill(&r.Prompt, d.prompt, defaultSpread)
		if d.promptMedian > 0 {
			r.Prompt.Sigma = math.Sqrt(2 * math.Log(d.prompt/d.promptMedian)) // of a lognormal with this mean and median
		}
		fill(&r.Answer, d.answer, d.spread)
		return
	}
}

func fill(l *serving.Lengths, mean, sigma float64) {
	if l.Mean == 0 {
		l.Mean = mean
	}
	l.Sigma = sigma
}
