package llm

import "strings"

// Variants are endings of model names that leave the shape as it is: tuning, format and
// release of the same architecture.
var variants = []string{
	"-instruct", "-chat", "-base", "-hf", "-it", "-fp8", "-fp8-dynamic", "-fp8-kv", "-bf16", "-fp4", "-nvfp4",
	"-awq", "-gptq", "-int4", "-w4a16", "-w8a8", "-2507", "-v0.1", "-v0.2", "-v0.3", "-dynamic", "-0528",
}

// Resolve returns the entry of a model as benchmarks name it: its key, else the entry whose
// name is the same but for the publisher and endings such as -Instruct or -FP8. Names that
// differ in anything else are not matched.
func (l Library) Resolve(name string) (Entry, bool) {
	if e, ok := l.Find(name); ok {
		return e, true
	}
	want := bareName(name)
	if want == "" {
		return Entry{}, false
	}
	for _, e := range l {
		if bareName(e.Key()) == want {
			return e, true
		}
	}
	return Entry{}, false
}

func bareName(name string) string {
	s := strings.ToLower(name[strings.LastIndex(name, "/")+1:])
	s = strings.TrimPrefix(s, "meta-")
	for cut := true; cut; {
		cut = false
		for _, v := range variants {
			if t, ok := strings.CutSuffix(s, v); ok && t != "" {
				s, cut = t, true
			}
		}
	}
	return s
}
