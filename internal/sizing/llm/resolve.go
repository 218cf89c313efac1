package llm

import (
	"slices"
	"strings"
)

// variants are parts of model names that leave the shape as it is: tuning, format and
// release of the same architecture.
var variants = []string{
	"instruct", "chat", "base", "hf", "it", "thinking", "fp8", "dynamic", "kv", "block", "bf16", "fp16", "fp4", "nvfp4", "mxfp4", "awq", "gptq", "int4", "int8",
	"w4a16", "w8a8", "2507", "0324", "0528",
}

// versions are releases that count where an entry of the same release exists.
var versions = []string{"v0.1", "v0.2", "v0.3"}

// Resolve returns the entry of a model as benchmarks name it: its key or name, else the entry
// whose name is the same but for the publisher and parts such as -Instruct or -FP8. Names
// that differ in anything else are not matched.
func (l Library) Resolve(name string) (Entry, bool) {
	if e, ok := l.Find(name); ok {
		return e, true
	}
	for _, drop := range [][]string{nil, variants, slices.Concat(variants, versions)} {
		want := bareName(name, drop)
		if want == "" {
			break
		}
		for _, e := range l {
			if bareName(e.Key(), drop) == want || strings.EqualFold(e.Name, name) {
				return e, true
			}
		}
	}
	return Entry{}, false
}

// bareName returns a name in small letters without its publisher and some of its parts.
func bareName(name string, drop []string) string {
	s := strings.ToLower(name[strings.LastIndex(name, "/")+1:])
	parts := strings.Split(strings.TrimPrefix(s, "meta-"), "-")
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return slices.Contains(drop, p) }), "-")
}
