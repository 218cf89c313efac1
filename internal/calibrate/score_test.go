package calibrate

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rackwright/internal/predict"
)

func sources(t *testing.T) predict.Sources {
	t.Helper()
	from, err := predict.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	return from
}

func open(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// The golden files are the output of another program, the published scorer.
func TestReportIsThePublishedScorers(t *testing.T) {
	rows := filepath.Join("..", "predict", "testdata")
	golden := filepath.Join("testdata", "score")
	lib := sources(t).Models
	for kind, measured := range map[string]string{
		KindInference: filepath.Join(rows, "inference.csv"), KindClosedLoop: filepath.Join(rows, "closed_loop.csv"), KindTraining: filepath.Join(golden, "training.csv"),
	} {
		t.Run(kind, func(t *testing.T) {
			r, err := ReadReport(kind, open(t, measured), open(t, filepath.Join(golden, kind+".predicted.csv")), lib)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := r.Write(&got); err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join(golden, kind+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); d != "" {
				t.Errorf("the scorer prints (-), we print (+):\n%s", d)
			}
		})
	}
}

func TestReadReportFaults(t *testing.T) {
	lib := sources(t).Models
	const said = "id,metric,predicted,p10,p90,status,reason\n"
	for name, c := range map[string]struct{ kind, measured, predicted, want string }{
		"unknown kind":     {"speed", "id\n", said, "none of inference"},
		"empty file":       {KindInference, "", said, "measurements: the file is empty"},
		"no predictions":   {KindInference, "id\n", "", "predictions: the file is empty"},
		"broken quotation": {KindInference, "id\n\"a\n", said, "measurements: "},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadReport(c.kind, strings.NewReader(c.measured), strings.NewReader(c.predicted), lib)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestScores(t *testing.T) {
	row := func(class, source, vote string, factor float64) Scored {
		return Scored{Class: class, Source: source, Vote: vote, Measured: 100, Predicted: 100 * factor, P10: 90, P90: 110}
	}
	for name, c := range map[string]struct {
		rows []Scored
		want Score
	}{
		"one vote for repeats": {
			[]Scored{row("a", "s", "v", 1.1), row("a", "s", "v", 1.1), row("a", "s", "v", 1.1), row("a", "s", "w", 1.3)},
			Score{Votes: 2, Median: (math.Log(1.1) + math.Log(1.3)) / 2, Bias: (math.Log(1.1) + math.Log(1.3)) / 2, P90: math.Log(1.1), InBand: 1},
		},
		"sources count alike": {
			[]Scored{row("a", "s", "1", 1.1), row("a", "s", "2", 1.1), row("a", "s", "3", 1.1), row("a", "t", "4", 0.5)},
			Score{Votes: 4, Median: (math.Log(1.1) + math.Log(2)) / 2, Bias: math.Log(1.1), P90: math.Log(1.1), InBand: 1},
		},
		"refused and missing": {
			[]Scored{row("a", "s", "1", 1), row("a", "s", "2", 0)},
			Score{Votes: 1, Refused: 0.5, InBand: 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			all := Scores(c.rows)
			if len(all) != 1 {
				t.Fatalf("%d classes", len(all))
			}
			got := all[0]
			for _, x := range []struct {
				name      string
				got, want float64
			}{
				{"votes", float64(got.Votes), float64(c.want.Votes)}, {"median", got.Median, c.want.Median}, {"bias", got.Bias, c.want.Bias},
				{"p90", got.P90, c.want.P90}, {"refused", got.Refused, c.want.Refused}, {"in band", got.InBand, c.want.InBand},
			} {
				if math.Abs(x.got-x.want) > 1e-12 {
					t.Errorf("%s: %v, want %v", x.name, x.got, x.want)
				}
			}
		})
	}
}

// The order of rows must not matter.
func TestReportOfShuffledRows(t *testing.T) {
	golden := filepath.Join("testdata", "score")
	all, err := ReadScored(open(t, filepath.Join("..", "predict", "testdata", "inference.csv")), open(t, filepath.Join(golden, "inference.predicted.csv")), sources(t).Models)
	if err != nil {
		t.Fatal(err)
	}
	forward := Scores(all)
	slices.Reverse(all)
	if d := cmp.Diff(forward, Scores(all), cmp.AllowUnexported(Score{})); d != "" {
		t.Error(d)
	}
}
