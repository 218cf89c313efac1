package llm

// Precision is the number format of weights or of the KV cache.
type Precision string

// The formats the engine can size. INT4 means 4-bit weights unpacked to 16 bit for the
// arithmetic (AWQ, GPTQ): it saves memory, not operations.
const (
	BF16  Precision = "bf16"
	FP16  Precision = "fp16"
	FP32  Precision = "fp32"
	FP8   Precision = "fp8"
	INT8  Precision = "int8"
	INT4  Precision = "int4"
	MXFP4 Precision = "mxfp4"
)

// Precisions lists the formats that a request may name for weights.
var Precisions = []Precision{FP8, BF16, INT8, INT4}

// Bits returns the bits of one value, without scales; 0 for an unknown format.
func (p Precision) Bits() int64 {
	switch p {
	case FP32:
		return 32
	case BF16, FP16:
		return 16
	case FP8, INT8:
		return 8
	case INT4, MXFP4:
		return 4
	}
	return 0
}

// KVBytes returns the bytes of one value of the KV cache; 0 for a format engines do not
// offer there.
func (p Precision) KVBytes() int64 {
	switch p {
	case BF16, FP16:
		return 2
	case FP8, INT8:
		return 1
	}
	return 0
}

// SixteenBit reports whether the format computes at 16 bit without unpacking.
func (p Precision) SixteenBit() bool { return p == BF16 || p == FP16 }
