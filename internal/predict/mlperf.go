package predict

import (
	"math"
	"strings"

	"rackwright/internal/sizing/serving"
	"rackwright/internal/sizing/sim"
)

// workload is the lengths of an MLPerf Inference workload in tokens.
type workload struct {
	model        string // what names of the model contain
	prompt       float64
	answer       float64 // generated tokens by the logs
	promptMedian float64 // 0: not published
	promptP90    float64 // 0: not published
	answerSigma  float64 // assumed sigma of the logarithm
}

// workloads are means, medians and 90th percentiles of the logs and task descriptions of the
// MLCommons inference results v4.1 to v6.0, read 2026-11-30. The spread of answers is
// published for none: 0.75 is a judgement for chat, 0.45 for long documents.
var workloads = []workload{
	{model: "llama-2-70b", prompt: 222, answer: 292, promptMedian: 152, answerSigma: 0.75},    // OpenOrca, longest prompt 1,021
	{model: "mixtral-8x7b", prompt: 427, answer: 146, answerSigma: 0.75},                      // OpenOrca, GSM8K, MBXP
	{model: "llama-3.1-405b", prompt: 9429, answer: 650, promptP90: 14157, answerSigma: 0.45}, // long documents
	{model: "llama-3.1-8b", prompt: 871, answer: 128},                                         // CNN-DailyMail, 128 tokens each
	{model: "deepseek-r1", prompt: 804, answer: 3854, answerSigma: 0.75},                      // reasoning
	{model: "gpt-oss-120b", prompt: 5011, answer: 1379, answerSigma: 0.75},                    // v6.0
	{model: "gpt-j", prompt: 871, answer: 69},                                                 // CNN-DailyMail; prompts as counted for Llama 3.1
}

// defaultSpread is the sigma of prompts where neither median nor percentile is published
// (judgement).
const defaultSpread = 0.5

// z90 is the 90th percentile of a standard normal.
const z90 = 1.2815515655446004

// promptSigma returns the sigma of a lognormal with the published mean and median, or mean
// and 90th percentile.
func (w workload) promptSigma() float64 {
	switch {
	case w.promptMedian > 0:
		return sim.SigmaFromMedian(w.prompt, w.promptMedian)
	case w.promptP90 > 0: // ln(p90/mean) = z·σ - σ²/2
		return z90 - math.Sqrt(z90*z90-2*math.Log(w.promptP90/w.prompt))
	}
	return defaultSpread
}

// fillMLPerf gives a row of MLPerf the lengths of its workload where it states none, and
// their spread: rows only have means.
func (r *Row) fillMLPerf() {
	if r.Source != "mlperf" {
		return
	}
	name := strings.ToLower(r.ModelName)
	for _, w := range workloads {
		if strings.Contains(name, w.model) {
			fill(&r.Prompt, w.prompt, w.promptSigma())
			fill(&r.Answer, w.answer, w.answerSigma)
			return
		}
	}
}

func fill(l *serving.Lengths, mean, sigma float64) {
	if l.Mean == 0 {
		l.Mean = mean
	}
	l.Sigma = sigma
}
