package llm

import (
	"maps"
	"slices"
)

// documented are the defaults that configuration_*.py of huggingface/transformers gives to
// sizes which published configs of a model_type leave out. Each one taken is listed.
var documented = map[string]map[string]int64{
	"gemma3_text": {
		"num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256, "vocab_size": 262208, "max_position_embeddings": 131072,
	},
	"gemma":  {"head_dim": 256, "max_position_embeddings": 8192},
	"gemma2": {"head_dim": 256, "max_position_embeddings": 8192, "sliding_window": 4096},
	"falcon": {"max_position_embeddings": 2048},
	"mpt":    {"vocab_size": 50368, "max_seq_len": 2048},
}

// nested are defaults that only text parts of larger configs leave out: those of LLaVA name
// little more than the vocabulary.
var nested = map[string]map[string]int64{
	"llama": {
		"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "intermediate_size": 11008, "vocab_size": 32000, "max_position_embeddings": 2048,
	},
	"mistral": {
		"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32000,
		"max_position_embeddings": 131072, "sliding_window": 4096,
	},
}

// takeDefaults fills in and lists the documented defaults of a config's model_type.
func takeDefaults(f *fields) {
	t := f.modelType()
	tables := []map[string]int64{documented[t]}
	if f.inside {
		tables = append(tables, nested[t])
	}
	for _, table := range tables {
		for _, name := range slices.Sorted(maps.Keys(table)) {
			if _, has := f.m[name]; !has {
				f.set(name, table[name])
				f.assume(name, table[name])
			}
		}
	}
}
