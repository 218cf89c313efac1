package kernel

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rackwright/internal/apperr"
)

const head = "op,engine,dtype,a,b,c,d,ms\n"

func TestParseTable(t *testing.T) {
	table, report, err := ParseTable(strings.NewReader(head +
		"gemm,trtllm,fp8,16,4096,8192,,0.02\n" +
		"prefill_attention,vllm,bfloat16|fp8,1,512,32,8,0.02\n" +
		"decode_attention,vllm,fp8,4,512,32,0,0.02\n" +
		"all_reduce,sglang,bfloat16,8,1024,,,0.005\n" +
		"moe_experts,trtllm,fp8_block,64,1,8,power_law_1.2,0.2\n" +
		"moe_experts,trtllm,fp8,64,1,8,balanced,0.2\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{
		{Line: 2, Op: OpGEMM, Engine: "trtllm", Dtype: "fp8", A: 16, B: 4096, C: 8192, Millis: 0.02},
		{Line: 3, Op: OpPrefill, Engine: "vllm", Dtype: "bfloat16|fp8", A: 1, B: 512, C: 32, D: 8, Millis: 0.02},
		{Line: 4, Op: OpDecode, Engine: "vllm", Dtype: "fp8", A: 4, B: 512, C: 32, D: 32, Millis: 0.02},
		{Line: 5, Op: OpReduce, Engine: "sglang", Dtype: "bfloat16", A: 8, B: 1024, Millis: 0.005},
		{Line: 6, Op: OpExperts, Engine: "trtllm", Dtype: "fp8_block", A: 64, B: 1, C: 8, Skew: 1.2, Millis: 0.2},
		{Line: 7, Op: OpExperts, Engine: "trtllm", Dtype: "fp8", A: 64, B: 1, C: 8, Millis: 0.2},
	}
	if d := cmp.Diff(want, table.Rows); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(Report{Read: 6, Kept: 6}, report); d != "" {
		t.Error(d)
	}
}

func TestParseTableRejectsRows(t *testing.T) {
	for row, reason := range map[string]string{
		"gemm,trtllm,fp8,16,4096,8192,0.02":                       "kernels.row_columns",
		"gemm,trtllm,\"fp8,16,4096,8192,,0.02":                    "kernels.row_columns",
		"conv,trtllm,fp8,16,4096,8192,,0.02":                      "kernels.row_operator",
		"gemm,trtllm,int8,16,4096,8192,,0.02":                     "kernels.row_format",
		"gemm,trtllm,bfloat16|fp8,16,4096,8192,,0.02":             "kernels.row_format",
		"prefill_attention,vllm,fp8,1,512,32,8,0.02":              "kernels.row_format",
		"gemm,trtllm,fp8,sixteen,4096,8192,,0.02":                 "kernels.row_number",
		"gemm,trtllm,fp8,16.5,4096,8192,,0.02":                    "kernels.row_number",
		"gemm,trtllm,fp8,16,4096,,,0.02":                          "kernels.row_number",
		"gemm,trtllm,fp8,16,4096,8192,,":                          "kernels.row_number",
		"gemm,trtllm,fp8,16,4096,8192,,-1":                        "kernels.row_number",
		"gemm,trtllm,fp8,16,4096,8192,,NaN":                       "kernels.row_number",
		"gemm,trtllm,fp8,16,4096,1e300,,1":                        "kernels.row_number",
		"decode_attention,vllm,fp8,4,512,8,32,0.02":               "kernels.row_number",
		"all_reduce,sglang,bfloat16,1,1024,,,0.005":               "kernels.row_number",
		"all_reduce,sglang,bfloat16,5000,1024,,,0.005":            "kernels.row_number",
		"moe_experts,trtllm,fp8,64,1,0,balanced,0.2":              "kernels.row_number",
		"moe_experts,trtllm,fp8,64,1,8,,0.2":                      "kernels.row_routing",
		"moe_experts,trtllm,fp8,64,1,8,power_law_x,0.2":           "kernels.row_routing",
		"moe_experts,trtllm,fp8,64,1,8,power_law_20,0.2":          "kernels.row_routing",
		"moe_experts,trtllm,fp8,64,1,8,1.2,0.2":                   "kernels.row_routing",
		"gemm,trtllm,fp8,16,4096,8192,,0.02,and one more than it": "kernels.row_columns",
	} {
		table, report, err := ParseTable(strings.NewReader(head + row + "\n"))
		if err != nil {
			t.Errorf("%s: %v", row, err)
			continue
		}
		if d := cmp.Diff(Report{Read: 1, Rejected: []Rejected{{2, reason}}}, report); d != "" || len(table.Rows) != 0 {
			t.Errorf("%s: %s", row, d)
		}
	}
}

func TestParseTableRefuses(t *testing.T) {
	row := "gemm,trtllm,fp8,16,4096,8192,,0.02\n"
	for name, c := range map[string]struct{ text, id string }{
		"nothing":                 {"", "kernels.header"},
		"another header":          {"op,engine,dtype,a,b,c,d,us\n" + row, "kernels.header"},
		"columns in another turn": {"engine,op,dtype,a,b,c,d,ms\n" + row, "kernels.header"},
		"a broken header":         {"\"op,engine", "kernels.header"},
		"too many rows":           {head + strings.Repeat(row, maxRows+1), "kernels.too_long"},
		"too many bytes":          {head + strings.Repeat("x", maxBytes+1), "kernels.too_large"},
	} {
		_, _, err := ParseTable(strings.NewReader(c.text))
		e, ok := err.(*apperr.Error)
		if !ok || e.Kind != apperr.Invalid || e.Msg.ID != c.id {
			t.Errorf("%s: %v, want %s", name, err, c.id)
		}
	}
}

// Rows of a product with 8192 inputs on the hardware's limit times a factor.
func product(line int, m, n, times float64) Row {
	r := Row{Line: line, Op: OpGEMM, Engine: "trtllm", Dtype: "bfloat16", A: m, B: n, C: 8192}
	r.Millis = r.speedOfLight(H100) * mostShare * 1e3 * times
	return r
}

func TestGate(t *testing.T) {
	same := func(line int, ms float64) Row {
		return Row{Line: line, Op: OpReduce, Engine: "vllm", Dtype: "bfloat16", A: 8, B: 1024, Millis: ms}
	}
	decode := func(line int, times float64) Row {
		r := Row{Line: line, Op: OpDecode, Engine: "trtllm", Dtype: "fp8", A: 64, B: 8192, C: 32, D: 8}
		r.Millis = r.cacheBytes() / H100.Bandwidth * 1e3 * times
		return r
	}
	experts := func(line int, tokens, ms float64) Row {
		return Row{Line: line, Op: OpExperts, Engine: "trtllm", Dtype: "bfloat16", A: tokens, B: 1, C: 8, Skew: 1.2, Millis: ms}
	}
	for name, c := range map[string]struct {
		rows []Row
		want []Rejected
	}{
		"at the limit":                        {[]Row{product(2, 4096, 8192, 1.06)}, nil},
		"faster than the peak":                {[]Row{product(2, 4096, 8192, 1.04)}, []Rejected{{2, "kernels.row_too_fast"}}},
		"faster than memory":                  {[]Row{product(2, 1, 8192, 1.04)}, []Rejected{{2, "kernels.row_too_fast"}}},
		"decoding near the bandwidth":         {[]Row{decode(2, 1.07)}, []Rejected{{2, "kernels.row_too_fast"}}},
		"decoding at 0.92 of it":              {[]Row{decode(2, 1.087)}, nil},
		"the fastest all-reduce stays":        {[]Row{same(2, 0.02), same(3, 0.005), same(4, 0.006)}, []Rejected{{2, "kernels.row_repeat"}, {4, "kernels.row_repeat"}}},
		"the median of others stays":          {[]Row{product(2, 64, 8192, 2), product(3, 64, 8192, 1.5), product(4, 64, 8192, 1.2)}, []Rejected{{2, "kernels.row_repeat"}, {4, "kernels.row_repeat"}}},
		"a slow path, several long":           {[]Row{experts(2, 128, 0.23), experts(3, 192, 0.8), experts(4, 256, 1.2), experts(5, 384, 1.6), experts(6, 512, 0.29)}, []Rejected{{3, "kernels.row_slow"}, {4, "kernels.row_slow"}, {5, "kernels.row_slow"}}},
		"out of order":                        {[]Row{experts(2, 128, 0.23), experts(3, 192, 0.36), experts(4, 256, 0.3)}, []Rejected{{3, "kernels.row_order"}}},
		"within ten per cent":                 {[]Row{experts(2, 128, 0.23), experts(3, 192, 0.32), experts(4, 256, 0.3)}, nil},
		"a step along tokens alone stays":     {[]Row{product(2, 64, 4096, 3), product(3, 64, 8192, 3), product(4, 128, 4096, 2), product(5, 128, 8192, 2)}, nil},
		"a spike along tokens and outputs":    {[]Row{product(2, 64, 4096, 2), product(3, 64, 5120, 1.2), product(4, 128, 4096, 1.2), product(5, 128, 5120, 1.2)}, []Rejected{{2, "kernels.row_order"}}},
		"other engines are not looked at":     {[]Row{product(2, 64, 8192, 3), {Line: 3, Op: OpGEMM, Engine: "vllm", Dtype: "bfloat16", A: 128, B: 8192, C: 8192, Millis: 0.06}}, nil},
		"an all-reduce that no switch can do": {[]Row{{Line: 2, Op: OpReduce, Engine: "vllm", Dtype: "bfloat16", A: 8, B: 1e9, Millis: 3.5}}, []Rejected{{2, "kernels.row_too_fast"}}},
	} {
		table, bad := Table{c.rows}.Gate(H100)
		if d := cmp.Diff(c.want, bad); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if len(table.Rows)+len(bad) != len(c.rows) {
			t.Errorf("%s: %d rows kept of %d", name, len(table.Rows), len(c.rows))
		}
		report := Report{Read: len(c.rows), Kept: len(c.rows)}
		if report.Add(bad); report.Kept != len(table.Rows) {
			t.Errorf("%s: the report says %d kept", name, report.Kept)
		}
	}
}

// Gating twice finds nothing more in the published rows but what the first pass laid bare.
func TestGateOfPublishedRows(t *testing.T) {
	table, report := excerpt(t)
	byReason := map[string]int{}
	for i, r := range report.Rejected {
		byReason[r.Reason]++
		if i > 0 && r.Line < report.Rejected[i-1].Line {
			t.Error("the report is not in the order of lines")
		}
	}
	if byReason["kernels.row_too_fast"] == 0 || byReason["kernels.row_repeat"] == 0 {
		t.Errorf("rejected %v: decoding beyond the bandwidth and repeated all-reduces are in the excerpt", byReason)
	}
	if _, bad := table.Gate(H100); len(bad) > 2 {
		t.Errorf("a second pass rejects %v", bad)
	}
}

func FuzzParseTable(f *testing.F) {
	f.Add(head + "gemm,trtllm,fp8,16,4096,8192,,0.02\n")
	f.Add(head + "moe_experts,trtllm,fp8_block,64,1,8,power_law_1.2,0.2\nall_reduce,vllm,bfloat16,8,1024,,,0.005\n")
	f.Add(head + "decode_attention,vllm,fp8,4,512,32,0,0.02\n\"prefill_attention\",vllm,bfloat16|fp8,1,512,32,8,0.02\n\"")
	c := Shipped("trtllm")
	f.Fuzz(func(t *testing.T, text string) {
		table, report, err := ParseTable(strings.NewReader(text))
		if err != nil {
			return
		}
		if report.Kept != len(table.Rows) || report.Read != report.Kept+len(report.Rejected) {
			t.Errorf("read %d, kept %d of %d, rejected %d", report.Read, report.Kept, len(table.Rows), len(report.Rejected))
		}
		for i := range table.Rows {
			if s := c.Time(&table.Rows[i], H100); !(s > 0) {
				t.Errorf("%+v takes %g s", table.Rows[i], s)
			}
		}
		kept, bad := table.Gate(H100)
		if len(kept.Rows)+len(bad) != len(table.Rows) {
			t.Errorf("%d rows gated to %d and %d", len(table.Rows), len(kept.Rows), len(bad))
		}
	})
}

func BenchmarkParseTable(b *testing.B) {
	raw, err := os.ReadFile("testdata/h100_sxm.csv")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		table, _, err := ParseTable(strings.NewReader(string(raw)))
		if err != nil {
			b.Fatal(err)
		}
		if kept, _ := table.Gate(H100); len(kept.Rows) == 0 {
			b.Fatal(fmt.Errorf("nothing kept"))
		}
	}
}
