package main

import (
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The command needs no database and no setting: it prints CSV and nothing else to standard
// output.
func TestPredictCommand(t *testing.T) {
	t.Parallel()
	for file, perRow := range map[string]int{"inference.csv": 1, "closed_loop.csv": 2} {
		t.Run(file, func(t *testing.T) {
			name := filepath.Join("..", "..", "internal", "predict", "testdata", file)
			rows := readTable(t, name)
			var out, errs buffer
			if err := run(t.Context(), []string{"predict", name}, getenvOf(nil), &out, &errs); err != nil {
				t.Fatal(err)
			}
			lines, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			if want := 1 + perRow*(len(rows)-1); len(lines) != want || strings.Join(lines[0], ",") != "id,metric,predicted,p10,p90,status,reason" {
				t.Errorf("%d lines, want %d; header %v", len(lines), want, lines[0])
			}
			if !strings.Contains(errs.String(), " figures, ") {
				t.Errorf("progress: %q", errs.String())
			}
		})
	}
}

func readTable(t *testing.T, name string) [][]string {
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

func TestPredictCommandFaults(t *testing.T) {
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
		args  []string
		want  string
		usage bool
	}{
		"no file":      {nil, "name one CSV file", true},
		"two files":    {[]string{"a.csv", "b.csv"}, `unexpected "b.csv"`, true},
		"unknown flag": {[]string{"-x", "a.csv"}, "-x", true},
		"not there":    {[]string{filepath.Join(folder, "nowhere.csv")}, "nowhere.csv", false},
		"a folder":     {[]string{folder}, folder, false},
		"empty":        {[]string{write("empty.csv", "")}, "empty.csv: the file is empty", false},
		"training":     {[]string{write("training.csv", "id,hf_id,params_total,gpu_sku,gpus,task,tp,pp,seq_len,metric,value\n")}, "training is not predicted yet", false},
		"no columns":   {[]string{write("other.csv", "id,engine,concurrency\n")}, "line 1: columns are missing: hf_id, ", false},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := runCommand(t, nil, append([]string{"predict"}, c.args...)...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			if _, ok := errors.AsType[usageError](err); ok != c.usage {
				t.Errorf("usage error %v, want %v", ok, c.usage)
			}
			if out != "" {
				t.Errorf("printed %q", out)
			}
		})
	}
}
