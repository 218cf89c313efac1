package calibration

// Overheads are what an inference engine adds to the roofline.
type Overheads struct {
	Engine         string
	PerSequence    float64 // us per running sequence and step
	PerRequest     float64 // ms before the first token
	PerPromptToken float64 // us
	Source         string
	AsOf           string
}

// EngineOverheads are fitted per engine on closed-loop rows of early 2026; the first is the
// default where no engine is named.
var EngineOverheads = []Overheads{
	{"tensorrt-llm", 7.4, 16, 3.1, tokenFit, setDay},
	{"vllm", 13.5, 7, 5.7, tokenFit, setDay},
	{"sglang", 13.7, 25, 6.9, tokenFit, setDay},
}

// OverheadsOf returns the overheads of an engine; of the default one for an empty name.
func OverheadsOf(engine string) Overheads {
	for _, o := range EngineOverheads {
		if o.Engine == engine {
			return o
		}
	}
	return EngineOverheads[0]
}
