package llm

import (
	"regexp"
	"strconv"
	"strings"
)

// keptLists are the fields that name modules which a quantised checkpoint leaves at 16 bit.
var keptLists = []string{"ignore", "modules_to_not_convert", "ignored_layers", "exclude_modules", "llm_int8_skip_modules"}

// attentionModule is the part of a module's name that is a matrix of the attention, or all
// of it; the norms and the index inside it are not meant.
var attentionModule = regexp.MustCompile(`(self_attn|attention|attn)(\.?\*|\.\*\*|\.(q|k|v|o|qkv|q_a|q_b|kv_b|kv_a)_proj.*)?$`)

var layerNumber = regexp.MustCompile(`layers?\.(\d+)\.`)

// readKept reads which parts of the layers stay at 16 bit: the attention where it is named
// for all layers or at least half of them, and all but the routed experts where the MLPs
// beside them are named too. Single layers that are left out are not followed.
func readKept(g *Geometry, q map[string]any) {
	seen := map[bool]map[string]bool{true: {}, false: {}} // by whether it is attention: layers
	everywhere := map[bool]bool{}
	for _, field := range keptLists {
		list, _ := q[field].([]any)
		for _, v := range list {
			name, _ := v.(string)
			attention, mlp := keptModule(name)
			if !attention && !mlp {
				continue
			}
			if m := layerNumber.FindStringSubmatch(name); m != nil {
				if n, err := strconv.ParseInt(m[1], 10, 64); err == nil && n < g.Layers {
					seen[attention][m[1]] = true
				}
				continue
			}
			everywhere[attention] = true
		}
	}
	most := func(attention bool) bool { return everywhere[attention] || int64(2*len(seen[attention])) > g.Layers }
	g.Quant.KeepAttention = most(true)
	if g.MoE != nil && most(true) && most(false) {
		g.Quant.ExpertsOnly = true
	}
}

// keptModule tells what a name or pattern stands for.
func keptModule(name string) (attention, mlp bool) {
	s := strings.TrimPrefix(name, "re:")
	s = strings.ReplaceAll(strings.ReplaceAll(s, ".*", "*"), `\.`, ".")
	s = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(s, "$"), ".weight"), "*")
	if strings.Contains(s, "vision") || strings.Contains(s, "visual") {
		return false, false
	}
	if attentionModule.MatchString(s) {
		return true, false
	}
	return false, strings.Contains(s, "shared_expert") && !strings.Contains(s, "gate")
}
