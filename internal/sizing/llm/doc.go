// Package llm is the geometry of language models: how many parameters, which shapes, how
// many bytes of weights and of KV cache per token, decided by the fields of a Hugging Face
// config.json and never by a model's name. All counts are exact integers. Entry points:
// ParseConfig, Counts.Geometry and ReadLibrary. The package knows no hardware and no price.
package llm
