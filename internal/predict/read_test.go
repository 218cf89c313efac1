package predict

import (
	"bytes"
	"encoding/csv"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/llm"
)

func shipped(t testing.TB) Sources {
	t.Helper()
	from, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	return from
}

func engine() *Engine { return NewEngine(calibration.Shipped()) }

// files are the rows for tests.
var files = []string{"testdata/inference.csv", "testdata/closed_loop.csv"}

func table(t testing.TB, name string) [][]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func encode(t testing.TB, rows [][]string) string {
	t.Helper()
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func predicted(t testing.TB, from Sources, text string) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := Run(strings.NewReader(text), &out, engine(), from); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Predictions must not depend on what was measured: not when those columns are shuffled, hold
// nonsense or are missing.
func TestMeasuredColumnsAreNotSeen(t *testing.T) {
	from := shipped(t)
	for _, name := range files {
		t.Run(name, func(t *testing.T) {
			rows := table(t, name)
			want := predicted(t, from, encode(t, rows))
			var columns []int
			for _, c := range results {
				if i := slices.Index(rows[0], c); i >= 0 {
					columns = append(columns, i)
				}
			}
			if len(columns) == 0 {
				t.Fatal("no measured column")
			}
			change := func(with func(row int) func(column int) string) [][]string {
				var out [][]string
				for i, r := range rows {
					r = slices.Clone(r)
					if i > 0 {
						for _, c := range columns {
							r[c] = with(i)(c)
						}
					}
					out = append(out, r)
				}
				return out
			}
			order := rand.New(rand.NewPCG(1, 2)).Perm(len(rows) - 1)
			shuffled := change(func(row int) func(int) string {
				return func(c int) string { return rows[1+order[row-1]][c] }
			})
			nonsense := change(func(int) func(int) string { return func(int) string { return "nonsense" } })
			var without [][]string
			for _, r := range rows {
				r = slices.Clone(r)
				for _, c := range slices.Backward(columns) {
					r = slices.Delete(r, c, c+1)
				}
				without = append(without, r)
			}
			for how, changed := range map[string][][]string{"shuffled": shuffled, "nonsense": nonsense, "without": without} {
				if got := predicted(t, from, encode(t, changed)); got != want {
					t.Errorf("%s: the predictions changed", how)
				}
			}
		})
	}
}

// One line per figure, in the order of the rows; bands hold their figure.
func TestRunLines(t *testing.T) {
	from := shipped(t)
	for _, name := range files {
		t.Run(name, func(t *testing.T) {
			rows := table(t, name)
			got, err := csv.NewReader(strings.NewReader(predicted(t, from, encode(t, rows)))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got[0], Header) {
				t.Fatalf("header %v", got[0])
			}
			var want [][2]string
			metric := slices.Index(rows[0], "metric")
			for _, r := range rows[1:] {
				if metric >= 0 {
					want = append(want, [2]string{r[0], r[metric]})
				} else {
					want = append(want, [2]string{r[0], "ttft_ms"}, [2]string{r[0], "tpot_ms"})
				}
			}
			if len(got)-1 != len(want) {
				t.Fatalf("%d lines, want %d", len(got)-1, len(want))
			}
			refused := 0
			for i, l := range got[1:] {
				if l[0] != want[i][0] || l[1] != want[i][1] {
					t.Fatalf("line %d is %v, want %v", i+2, l, want[i])
				}
				if l[5] != statusOK {
					refused++
					t.Logf("refused: %s %s: %s", l[0], l[1], l[6])
					continue
				}
				x, low, high := number(t, l[2]), number(t, l[3]), number(t, l[4])
				if !(0 < low && low <= x && x <= high) {
					t.Errorf("%s: %v is not inside %v to %v", l[0], x, low, high)
				}
			}
			if most := len(want) / 50; refused > most {
				t.Errorf("%d of %d figures of supported models are refused, the most is %d", refused, len(want), most)
			}
		})
	}
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	var row Row
	x := fields{"x": s}.number(&row, "x")
	if row.refused != "" {
		t.Fatal(row.refused)
	}
	return x
}

const (
	inferenceHead = "id,source_kind,date,model,hf_id,gpu_sku,gpus,tp,pp,dp_or_ep,weights_precision,kv_precision,framework,framework_version,scenario,isl,osl,concurrency_or_batch,slo_ttft_ms,slo_tpot_ms,metric,value"
	closedHead    = "id,measured_on,engine,engine_version,hf_id,gpu_sku,gpus,tp,pp,attention_dp,moe_tp,moe_ep,weights_precision,moe_precision,isl,osl,concurrency,batch_per_dp_rank,ttft_ms,tpot_ms"
	inferenceRow  = "a,trtllm_docs,2025-09,Llama 3.1 8B,meta-llama/Llama-3.1-8B,H100-SXM5-80GB,1,1,1,,fp8,fp8,TensorRT-LLM,1.0,offline,1000,500,,,,output_tok_s,12345"
	closedRow     = "b,2026-03-25,vllm,0.16.0,nvidia/Llama-3.1-8B-Instruct-FP8,H200-SXM5-141GB,1,1,1,1,1,1,fp8,fp8,1024,1024,16,16,50,7"
)

// with returns a row with one field of a column changed.
func with(head, row, column, value string) string {
	names, values := strings.Split(head, ","), strings.Split(row, ",")
	values[slices.Index(names, column)] = value
	return head + "\n" + strings.Join(values, ",") + "\n"
}

func TestReadRows(t *testing.T) {
	from := shipped(t)
	rows, err := ReadRows(strings.NewReader("\ufeff"+inferenceHead+"\r\n"+inferenceRow+"\r\n"), from)
	if err != nil || len(rows) != 1 || rows[0].refused != "" {
		t.Fatalf("%v, %v", rows, err)
	}
	r := rows[0]
	if r.Kind != Inference || r.Line != 2 || r.Engine != "trtllm" || r.Scenario != Offline || r.GPUs != 1 || r.Prompt.Mean != 1000 || r.Answer.Mean != 500 ||
		r.Users != 0 || r.Stock || r.Mapping.Weights != llm.FP8 || r.Mapping.KV != llm.FP8 || r.Mapping.Model.HFID != "meta-llama/Llama-3.1-8B" || r.SKU != "H100-SXM5-80GB" ||
		!r.Date.Equal(time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("inference row: %+v", r)
	}
	if quoted, err := ReadRows(strings.NewReader("\ufeff\""+strings.ReplaceAll(inferenceHead, ",", `","`)+"\"\n"+inferenceRow+"\n"), from); err != nil || len(quoted) != 1 || quoted[0].ID != "a" {
		t.Errorf("a mark before a quotation mark: %v, %v", quoted, err)
	}
	rows, err = ReadRows(strings.NewReader(closedHead+"\n"+closedRow+"\n"), from)
	if err != nil || len(rows) != 1 || rows[0].refused != "" {
		t.Fatalf("%v, %v", rows, err)
	}
	r = rows[0]
	if r.Kind != ClosedLoop || r.Engine != "vllm" || r.Scenario != FixedUsers || r.Users != 16 || r.SKU != "H200-SXM-141GB" || r.Mapping.KV != llm.BF16 ||
		!slices.Equal(r.Metrics, []string{"ttft_ms", "tpot_ms"}) || r.Stock {
		t.Errorf("closed-loop row: %+v", r)
	}
}

// What is wrong with a row refuses that row, in words, with its line; the others are answered.
func TestBadRowsAreRefused(t *testing.T) {
	from := shipped(t)
	for _, c := range []struct{ head, row, column, value, want string }{
		{inferenceHead, inferenceRow, "id", "", "line 2 has no id"},
		{inferenceHead, inferenceRow, "isl", "many", `line 2, column isl: "many" is no number of at least 0`},
		{inferenceHead, inferenceRow, "osl", "-5", `line 2, column osl: "-5" is no number of at least 0`},
		{inferenceHead, inferenceRow, "isl", "NaN", `line 2, column isl: "NaN" is no number of at least 0`},
		{inferenceHead, inferenceRow, "gpus", "1.5", `line 2, column gpus: "1.5" is no count`},
		{inferenceHead, inferenceRow, "gpus", "", "the number of GPUs is not stated"},
		{inferenceHead, inferenceRow, "tp", "8", "tensor parallelism 8, 1 stages and 1 attention ranks do not fit 1 GPUs"},
		{inferenceHead, inferenceRow, "slo_ttft_ms", "soon", `line 2, column slo_ttft_ms: "soon" is no number of at least 0`},
		{inferenceHead, inferenceRow, "scenario", "daydream", `scenario "daydream" is not known`},
		{inferenceHead, inferenceRow, "scenario", "fixed_concurrency", "the number of requests at once is not stated"},
		{inferenceHead, inferenceRow, "framework", "LMDeploy", "inference engine LMDeploy is not calibrated"},
		{inferenceHead, inferenceRow, "metric", "joy_s", "metric joy_s is not predicted"},
		{inferenceHead, inferenceRow, "weights_precision", "fp1", `weights in "fp1" are not known`},
		{inferenceHead, inferenceRow, "hf_id", "zhipuai/GLM-5", "model zhipuai/GLM-5 is not in the library"},
		{inferenceHead, inferenceRow, "gpu_sku", "RTX-9999", "GPU RTX-9999 is not in the catalogue"},
		{inferenceHead, inferenceRow, "gpu_sku", "H200-NVL-141GB", "the catalogue has no performance figures of GPU H200-NVL-141GB"},
		{closedHead, closedRow, "concurrency", "few", `line 2, column concurrency: "few" is no number of at least 0`},
		{closedHead, closedRow, "hf_id", "MiniMaxAI/MiniMax-M2.5", "model MiniMaxAI/MiniMax-M2.5 is not in the library"},
		{closedHead, closedRow, "engine", "tgi", "inference engine tgi is not calibrated"},
		{inferenceHead, inferenceRow, "isl", "0.5", `line 2, column isl: "0.5" is less than one token`},
		{inferenceHead, inferenceRow, "osl", "1e-300", `line 2, column osl: "1e-300" is less than one token`},
		{inferenceHead, inferenceRow, "isl", "1e12", `line 2, column isl: "1e12" is more than 1e+09`},
		{inferenceHead, inferenceRow, "isl", "200000", "200000 tokens are more than the context of Llama 3.1 8B, 131072"},
		{inferenceHead, inferenceRow, "hf_id", "deepseek-ai/DeepSeek-V3", "weights leave no memory for one request"},
		{inferenceHead, inferenceRow, "kv_precision", "fp99", `a cache in "fp99" is not known`},
		{inferenceHead, inferenceRow, "concurrency_or_batch", "-3", `line 2, column concurrency_or_batch: "-3" is not between 1 and 1,000,000`},
		{inferenceHead, inferenceRow, "concurrency_or_batch", "NaN", `line 2, column concurrency_or_batch: "NaN" is not between 1 and 1,000,000`},
		{inferenceHead, inferenceRow, "metric", "", "the metric is not stated"},
		{inferenceHead, inferenceRow, "metric", "ttft_ms", "everything is sent at once: the time to first token is not predicted"},
		{inferenceHead, inferenceRow, "framework", "", "the inference engine is not stated"},
		{inferenceHead, inferenceRow, "gpu_sku", "", "the GPU is not stated"},
		{closedHead, closedRow, "hf_id", "", "the model is not stated"},
		{closedHead, closedRow, "concurrency", "0.3", `line 2, column concurrency: "0.3" is less than one request`},
		{closedHead, closedRow, "concurrency", "1e6", "1000000 requests at once on one copy are more than can be simulated, 100000"},
		{closedHead, closedRow, "tp", "2", "tensor parallelism 2, 1 stages and 1 attention ranks do not fit 1 GPUs"},
		{closedHead, closedRow, "gpus", "0.5", `line 2, column gpus: "0.5" is no count`},
	} {
		t.Run(c.column+"="+c.value, func(t *testing.T) {
			text := with(c.head, c.row, c.column, c.value) + c.row + "\n"
			lines, err := csv.NewReader(strings.NewReader(predicted(t, from, text))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			figures := (len(lines) - 1) / 2
			for _, l := range lines[1 : 1+figures] {
				if l[5] != statusRefused || l[6] != c.want || l[2]+l[3]+l[4] != "" {
					t.Errorf("got %q, want refused: %s", l, c.want)
				}
			}
			for _, l := range lines[1+figures:] {
				if l[5] != statusOK {
					t.Errorf("the good row after it: %q", l)
				}
			}
		})
	}
	for want, change := range map[string]func(names, values []string) []string{
		"40 stages are more than the 32 layers of Llama 3.1 8B":                 set("gpus", "40", "pp", "40"),
		"tensor parallelism 3 does not divide the heads of Llama 3.1 8B":        set("gpus", "3", "tp", "3"),
		"Llama 3.1 8B cannot be cut over 1 GPUs as the row says":                set("tp", "", "pp", "4"),
		"8 attention ranks need a mixture of experts, and Llama 3.1 8B is none": set("gpus", "8", "dp_or_ep", "ep8"),
		"the 256 experts of DeepSeek V3 do not spread over 3 GPUs":              set("gpus", "3", "dp_or_ep", "ep3", "hf_id", "deepseek-ai/DeepSeek-V3"),
		"an answer of one token has no time per further token":                  set("osl", "1", "metric", "tpot_ms", "scenario", "fixed_concurrency", "concurrency_or_batch", "4"),
		"experts over 8 GPUs do not fit 4":                                      set("gpus", "4", "dp_or_ep", "ep8", "hf_id", "deepseek-ai/DeepSeek-V3"),
	} {
		t.Run(want, func(t *testing.T) {
			values := change(strings.Split(inferenceHead, ","), strings.Split(inferenceRow, ","))
			got := predicted(t, from, inferenceHead+"\n"+strings.Join(values, ",")+"\n")
			if lines, err := csv.NewReader(strings.NewReader(got)).ReadAll(); err != nil || len(lines) != 2 || lines[1][6] != want {
				t.Errorf("got %q, %v", lines, err)
			}
		})
	}
	t.Run("too few fields", func(t *testing.T) {
		lines := strings.Split(predicted(t, from, inferenceHead+"\na,b,c\n"+inferenceRow+"\n"), "\n")
		if !strings.Contains(lines[1], `"line 2 has 3 fields, the header has 22"`) || !strings.Contains(lines[2], ",ok,") {
			t.Errorf("got %q", lines)
		}
	})
}

// set changes fields of a row, by names and values in turn.
func set(changes ...string) func(names, values []string) []string {
	return func(names, values []string) []string {
		for i := 0; i < len(changes); i += 2 {
			values[slices.Index(names, changes[i])] = changes[i+1]
		}
		return values
	}
}

// GPUs beyond whole copies give nothing; ranks of a model without experts are copies.
func TestOnlyWholeCopiesCount(t *testing.T) {
	from := shipped(t)
	figure := func(head, row string, changes ...string) string {
		values := set(changes...)(strings.Split(head, ","), strings.Split(row, ","))
		lines := strings.Split(predicted(t, from, head+"\n"+strings.Join(values, ",")+"\n"), "\n")
		return strings.Join(strings.Split(lines[1], ",")[2:6], " ")
	}
	if two, three := figure(inferenceHead, inferenceRow, "gpus", "2", "tp", "2"), figure(inferenceHead, inferenceRow, "gpus", "3", "tp", "2"); two != three {
		t.Errorf("two GPUs give %s, three in pairs %s", two, three)
	}
	if ranks, copies := figure(closedHead, closedRow, "gpus", "4", "attention_dp", "4"), figure(closedHead, closedRow, "gpus", "4"); ranks != copies {
		t.Errorf("four ranks give %s, four copies %s", ranks, copies)
	}
}

func TestUnusableFiles(t *testing.T) {
	from := shipped(t)
	for name, c := range map[string]struct{ text, want string }{
		"empty":            {"", "the file is empty"},
		"a mark only":      {"\ufeff", "the file is empty"},
		"empty lines":      {"\n\n", "the file is empty"},
		"semicolons":       {strings.ReplaceAll(inferenceHead, ",", ";") + "\n", "separated by commas"},
		"tabs":             {strings.ReplaceAll(inferenceHead, ",", "\t") + "\n", "separated by commas"},
		"two-byte letters": {"\xff\xfe" + strings.Join(strings.Split(inferenceHead, ""), "\x00") + "\x00\n\x00", "UTF-16"},
		"another table":    {"name,price\nx,1\n", "line 1: the columns are those of neither"},
		"training":         {"id,source_kind,model,hf_id,params_total,gpu_sku,gpus,task,tp,pp,seq_len,metric,value\n", "training is not predicted yet"},
		"missing columns":  {strings.Replace(inferenceHead, "isl,osl,", "", 1) + "\n", "line 1: columns are missing: isl, osl"},
		"missing in loop":  {strings.Replace(closedHead, ",concurrency,", ",", 1) + "\n", "line 1: columns are missing: concurrency"},
		"twice":            {inferenceHead + ",tp\n", `line 1: column "tp" appears twice`},
		"broken quotation": {inferenceHead + "\n" + inferenceRow + "\n\"x\"y,\n", "line 3"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			_, err := Run(strings.NewReader(c.text), &out, engine(), from)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if out.Len() > 0 {
				t.Errorf("printed %q", out.String())
			}
		})
	}
}

func TestUnknownColumnsAreNamed(t *testing.T) {
	var out bytes.Buffer
	sum, err := Run(strings.NewReader(inferenceHead+",mood,colour\n"+inferenceRow+",good,red\n"), &out, engine(), shipped(t))
	if err != nil || !slices.Equal(sum.Unknown, []string{"mood", "colour"}) || sum.Rows != 1 || sum.Figures != 1 || sum.Refused != 0 {
		t.Errorf("%+v, %v", sum, err)
	}
}

func TestDay(t *testing.T) {
	for text, want := range map[string]string{"2026-03-25": "2026-03-25", "2025-09": "2025-09-01", "2025": "2025-07-01", "": "0001-01-01", "soon": "0001-01-01", "0000": "0001-01-01", "1925-03": "0001-01-01"} {
		if got := day(text).Format(time.DateOnly); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func FuzzReadRows(f *testing.F) {
	from := shipped(f)
	f.Add(inferenceHead + "\n" + inferenceRow + "\n")
	f.Add(closedHead + "\n" + closedRow + "\n")
	f.Add(inferenceHead + "\na,b\n")
	e := engine()
	e.Quick = true
	f.Fuzz(func(t *testing.T, text string) {
		var out bytes.Buffer
		sum, err := Run(strings.NewReader(text), &out, e, from)
		if err != nil {
			return
		}
		lines, err := csv.NewReader(&out).ReadAll()
		if err != nil || len(lines) != sum.Figures+1 {
			t.Errorf("%d lines, %+v, %v", len(lines), sum, err)
		}
	})
}
