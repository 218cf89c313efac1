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
	if q == nil {
		return
	}
	inner := &fields{m: q, taken: map[string]bool{}}
	method := textOf(q, "quant_method")
	if method == "" {
		method = textOf(q, "quant_algo")
	}
	switch method {
	case "fp8", "fbgemm_fp8":
		g.Quant = &Quant{Precision: FP8, Method: method}
	case "mxfp4":
		g.Quant = &Quant{Precision: MXFP4, Method: method, GroupSize: mxfp4Block, GroupBits: mxfp4ScaleBits, ExpertsOnly: g.MoE != nil}
	case "awq", "gptq":
		readGroups(f, inner, g, method, asymmetricBits)
	case "compressed-tensors", "modelopt":
		readNested(f, g, q, method)
	case "bitsandbytes":
		if inner.boolean("load_in_4bit", false, false) {
			// NF4 keeps one absolute maximum per 64 values, itself at 8 bit by double
			// quantisation: QLoRA, arXiv 2305.14314, section 3.
			g.Quant = &Quant{Precision: INT4, Method: method, GroupSize: 64, GroupBits: 8}
		} else {
			g.Quant = &Quant{Precision: INT8, Method: method}
		}
	default:
		f.unknown("quantization_config.quant_method", method)
	}
	if inner.faults.Len() > 0 {
		f.unknown("quantization_config", method)
	}
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

// readNested reads compressed-tensors, where the weights' format sits inside config_groups.
func readNested(f *fields, g *Geometry, q map[string]any, method string) {
	groups, _ := q["config_groups"].(map[string]any)
	for _, name := range sortedKeys(groups) {
		group, _ := groups[name].(map[string]any)
		w, ok := group["weights"].(map[string]any)
		if !ok {
			continue
		}
		inner := &fields{m: w, taken: map[string]bool{}}
		bits, ok := inner.number(16, "num_bits")
		if !ok || inner.faults.Len() > 0 {
			f.missing("quantization_config.config_groups." + show(name) + ".weights.num_bits")
			return
		}
		if bits == 8 {
			p := INT8
			if textOf(w, "type") == "float" {
				p = FP8
			}
			g.Quant = &Quant{Precision: p, Method: method}
			return
		}
		groupBits := int64(asymmetricBits)
		if inner.boolean("symmetric", true, false) {
			groupBits = symmetricBits
		}
		setInt(f, g, method, bits, groupSize(f, inner, "group_size"), groupBits)
		return
	}
	if strings.Contains(textOf(q, "quant_algo"), "fp8") {
		g.Quant = &Quant{Precision: FP8, Method: method}
		return
	}
	f.missing("quantization_config.config_groups")
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
