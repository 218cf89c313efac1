package main

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An own table becomes a set with a version of its own, is scored before and after, and is used
// by whoever names it; the shipped set stays what it was.
func TestKernelsCommand(t *testing.T) {
	t.Parallel()
	table := filepath.Join("..", "..", "internal", "sizing", "kernel", "testdata", "h100_sxm.csv")
	raw, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	packed, set := filepath.Join(folder, "own.csv.gz"), filepath.Join(folder, "set.json")
	f, err := os.Create(packed)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	if _, err := z.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	rows := filepath.Join("..", "..", "internal", "predict", "testdata", "closed_loop.csv")
	var out, errs buffer
	if err := run(t.Context(), []string{"kernels", "-engine", "trtllm", "-o", set, packed, rows}, getenvOf(nil), &out, &errs); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{" kept, ", "gemm", "tpot_ms / dense", "CALIBRATION="} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	said := func(env map[string]string) string {
		var out, errs buffer
		if err := run(t.Context(), []string{"predict", rows}, getenvOf(env), &out, &errs); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if shipped, own := said(nil), said(map[string]string{"CALIBRATION": set}); shipped == own || strings.Count(shipped, "\n") != strings.Count(own, "\n") {
		t.Error("the own set is not used, or answers other rows")
	}
}

func TestKernelsCommandFaults(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no engine":      {[]string{"x.csv"}, "-engine"},
		"no such file":   {[]string{"-engine", "vllm", filepath.Join(folder, "none.csv")}, "none.csv"},
		"not a table":    {[]string{"-engine", "vllm", write("a.csv", "a,b\n1,2\n")}, "first line"},
		"other engine":   {[]string{"-engine", "llamacpp", write("b.csv", "op,engine,dtype,a,b,c,d,ms\n")}, "llamacpp"},
		"not compressed": {[]string{"-engine", "vllm", write("c.csv.gz", "op,engine\n")}, "gzip"},
		"no rows of it":  {[]string{"-engine", "vllm", write("d.csv", "op,engine,dtype,a,b,c,d,ms\ngemm,trtllm,bfloat16,64,4096,4096,,0.1\n")}, "vllm"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs buffer
			err := run(t.Context(), append([]string{"kernels"}, c.args...), getenvOf(nil), &out, &errs)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}
