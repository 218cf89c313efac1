package llm

import "strings"

// readDtype reads the format of unquantised weights. Absent means 16 bit, and says so.
func readDtype(f *fields, g *Geometry) {
	name := f.text("torch_dtype")
	field := "torch_dtype"
	if name == "" {
		name, field = f.text("dtype"), "dtype"
	}
	switch strings.TrimPrefix(strings.ToLower(name), "torch.") {
	case "bfloat16", "bf16":
		g.Dtype = BF16
	case "float16", "half", "fp16":
		g.Dtype = FP16
	case "float32", "fp32":
		g.Dtype = FP32
	case "float8_e4m3fn":
		g.Dtype = FP8
	case "", "auto":
		g.Dtype = BF16
		if f.m["quantization_config"] == nil {
			f.assume("torch_dtype", "bfloat16")
		}
	default:
		f.unknown(field, name)
	}
}

// readQuant reads how the linear layers are stored.
func readQuant(f *fields, g *Geometry) {
	q := f.object("quantization_config", "compression_config")
	if len(q) == 0 {
		return
	}
	inner := &fields{m: q, taken: map[string]bool{}}
	method := textOf(q, "quant_method")
	algo := textOf(q, "quant_algo")
	if method == "" {
		method = algo
	}
	groups, _ := q["config_groups"].(map[string]any)
	switch {
	case len(groups) > 0:
		readNested(f, g, groups, textOf(q, "format"), method)
	case readPlain(f, inner, g, method):
	case algo != "" && readPlain(f, inner, g, algo):
		if g.Quant != nil {
			g.Quant.Method = method
		}
	case algo != "":
		f.unknown("quantization_config.quant_algo", algo)
	case method == "compressed-tensors" || method == "modelopt":
		f.missing("quantization_config.config_groups")
	default:
		f.unknown("quantization_config.quant_method", method)
	}
	if inner.faults.Len() > 0 {
		f.unknown("quantization_config", method)
	}
	if g.Quant != nil {
		readKept(g, q)
		readKVFormat(g, q)
	}
}

// readPlain reads the forms that name one format for all linear layers, and is false for
// another method.
func readPlain(f, q *fields, g *Geometry, method string) bool {
	nvfp4 := &Quant{Precision: INT4, Method: method, GroupSize: nvfp4Block, GroupBits: nvfp4ScaleBits}
	switch method {
	case "fp8", "fbgemm_fp8", "fp8_pb_wo", "fp8_block_scales", "w8a8_fp8":
		g.Quant = &Quant{Precision: FP8, Method: method}
	case "int8_sq", "w8a8_sq_per_channel", "w8a8_int8", "w8a16":
		g.Quant = &Quant{Precision: INT8, Method: method}
	case "nvfp4", "modelopt_fp4":
		g.Quant = nvfp4
	case "mxfp4":
		g.Quant = &Quant{Precision: MXFP4, Method: method, GroupSize: mxfp4Block, GroupBits: mxfp4ScaleBits, ExpertsOnly: g.MoE != nil}
	case "w4a16_awq", "w4a8_awq":
		setInt(f, g, method, 4, groupSize(f, q, "group_size"), asymmetricBits)
	case "awq", "gptq", "awq_marlin", "gptq_marlin", "auto-round", "auto_round", "intel/auto-round":
		readGroups(f, q, g, method, asymmetricBits)
	case "bitsandbytes":
		if q.boolean("load_in_4bit", false, false) {
			// NF4 keeps one absolute maximum per 64 values, at 32 bit or by double
			// quantisation at 8: QLoRA, arXiv 2305.14314, section 3.
			g.Quant = &Quant{Precision: INT4, Method: method, GroupSize: 64, GroupBits: 32}
			const double = "bnb_4bit_use_double_quant"
			if _, stated := q.m[double]; !stated {
				f.assume("quantization_config."+double, false)
			}
			if q.boolean(double, false, false) {
				g.Quant.GroupBits = 8
			}
		} else {
			g.Quant = &Quant{Precision: INT8, Method: method}
		}
	default:
		return false
	}
	return true
}

// readGroups reads the flat form of AWQ and GPTQ.
func readGroups(f, q *fields, g *Geometry, method string, groupBits int64) {
	bits, ok := q.number(16, "bits", "w_bit", "num_bits")
	if !ok {
		f.missing("quantization_config.bits")
		return
	}
	setInt(f, g, method, bits, groupSize(f, q, "group_size", "q_group_size"), groupBits)
}

// readNested reads the form of compressed-tensors and Model Optimizer, where the format of
// the weights sits inside groups of layers. Groups of different formats are refused: which
// layers have which cannot be told from names alone.
func readNested(f *fields, g *Geometry, groups map[string]any, format, method string) {
	for _, name := range sortedKeys(groups) {
		group, _ := groups[name].(map[string]any)
		w, ok := group["weights"].(map[string]any)
		if !ok {
			continue
		}
		own := textOf(group, "format")
		if own == "" {
			own = format
		}
		before := g.Quant
		g.Quant = nil
		readGroup(f, g, w, "quantization_config.config_groups."+show(name)+".weights", own, method)
		if before != nil && g.Quant != nil && *before != *g.Quant {
			f.refuse("quantization_config.config_groups", name)
		}
		if g.Quant == nil {
			return
		}
	}
	if g.Quant == nil {
		f.missing("quantization_config.config_groups")
	}
}

func readGroup(f *fields, g *Geometry, w map[string]any, path, format, method string) {
	q := &fields{m: w, taken: map[string]bool{}}
	bits, ok := q.number(16, "num_bits")
	if !ok || q.faults.Len() > 0 {
		f.missing(path + ".num_bits")
		return
	}
	real := textOf(w, "type") == "float"
	switch {
	case bits == 8 && real:
		g.Quant = &Quant{Precision: FP8, Method: method}
	case bits == 4 && real && strings.Contains(format, "mxfp4"):
		g.Quant = &Quant{Precision: MXFP4, Method: method, GroupSize: mxfp4Block, GroupBits: mxfp4ScaleBits}
	case bits == 4 && real:
		n, ok := q.number(maxWidth, "group_size")
		if !ok || q.faults.Len() > 0 {
			n = nvfp4Block
		}
		g.Quant = &Quant{Precision: INT4, Method: method, GroupSize: n, GroupBits: nvfp4ScaleBits}
	case bits == 8:
		g.Quant = &Quant{Precision: INT8, Method: method}
	default:
		groupBits := int64(asymmetricBits)
		if q.boolean("symmetric", true, false) {
			groupBits = symmetricBits
		}
		setInt(f, g, method, bits, groupSize(f, q, "group_size"), groupBits)
	}
}

func groupSize(f, q *fields, names ...string) int64 {
	if raw := q.m[names[0]]; raw != nil {
		if n, ok := whole(raw); ok && n == -1 { // one scale per column: smaller than any group
			f.assume("quantization_config.group_size", int64(DefaultGroupSize))
			return DefaultGroupSize
		}
	}
	n, ok := q.number(maxWidth, names...)
	if !ok || n < 1 {
		f.assume("quantization_config.group_size", int64(DefaultGroupSize))
		return DefaultGroupSize
	}
	return n
}

func setInt(f *fields, g *Geometry, method string, bits, group, groupBits int64) {
	switch bits {
	case 4:
		g.Quant = &Quant{Precision: INT4, Method: method, GroupSize: group, GroupBits: groupBits}
	case 8:
		g.Quant = &Quant{Precision: INT8, Method: method}
	default:
		f.outOfRange("quantization_config.bits", show(bits))
	}
}

// readKVFormat reads the format of the cache that the checkpoint brings scales for.
func readKVFormat(g *Geometry, q map[string]any) {
	scheme, _ := q["kv_cache_scheme"].(map[string]any)
	bits, _ := whole(scheme["num_bits"])
	if bits == 8 && textOf(scheme, "type") == "float" || textOf(q, "kv_cache_scheme", "kv_cache_quant_algo") == "fp8" {
		g.Quant.KV = FP8
	}
}
