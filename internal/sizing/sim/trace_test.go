package sim

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rackwright/internal/apperr"
)

func TestParseTrace(t *testing.T) {
	got, err := ParseTrace(strings.NewReader("\ufeffarrival_s,input_tokens,output_tokens\r\n12.5, 100,20\r\n10,7,1\r\n10.25,8,2\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Times, []float64{0, 0.25, 2.5}) || !slices.Equal(got.Prompt, []int{7, 8, 100}) || !slices.Equal(got.Answer, []int{1, 2, 20}) {
		t.Errorf("%+v", got)
	}
	if rate := FromTrace(got).Rate(); rate != 0.8 {
		t.Errorf("rate %g, want 2 gaps in 2.5 s", rate)
	}
	for _, head := range []string{"\ufeff\"arrival_s\",\"input_tokens\",\"output_tokens\"", "Arrival_s , Input_tokens ,OUTPUT_TOKENS "} {
		if _, err := ParseTrace(strings.NewReader(head + "\n1,2,3\n2,3,4\n")); err != nil {
			t.Errorf("%q: %v", head, err)
		}
	}
	got, err = ParseTrace(strings.NewReader("arrival_s\n3\n1\n"))
	if err != nil || !slices.Equal(got.Times, []float64{0, 2}) || got.Prompt != nil || got.Answer != nil {
		t.Errorf("times alone: %+v, %v", got, err)
	}
}

func TestParseTraceFaults(t *testing.T) {
	const head = "arrival_s,input_tokens,output_tokens\n"
	long := head + strings.Repeat("1,1,1\n", maxTraceRows+1)
	for name, c := range map[string]struct {
		text   string
		id     string
		fields map[string]string
	}{
		"nothing":       {"", "trace.header", nil},
		"other columns": {"time,in,out\n1,2,3\n", "trace.header", nil},
		"two columns":   {"arrival_s,input_tokens\n1,2\n", "trace.header", nil},
		"one request":   {head + "1,2,3\n", "trace.too_short", nil},
		"all at once":   {head + "1,2,3\n1,2,3\n", "trace.too_short", nil},
		"too many":      {long, "trace.too_long", nil},
		"too large":     {head + strings.Repeat("1,1,1"+strings.Repeat(" ", 200)+"\n", 50_000), "trace.too_large", nil},
		"rows": {head + "1,2,3\nx,2,3\nNaN,1,1\n2,0,3\n3,1,1.5\n4,5\n5,\"6,7\n", "errors.form_invalid", map[string]string{
			"line[3]": "trace.row_time", "line[4]": "trace.row_time", "line[5]": "trace.row_tokens",
			"line[6]": "trace.row_tokens", "line[7]": "trace.row_columns", "line[8]": "trace.row_columns",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ParseTrace(strings.NewReader(c.text))
			e, ok := errors.AsType[*apperr.Error](err)
			if !ok || e.Kind != apperr.Invalid || e.Msg.ID != c.id {
				t.Fatalf("%v, want %s", err, c.id)
			}
			got := map[string]string{}
			for name, msg := range e.Fields {
				got[name] = msg.ID
			}
			if !maps.Equal(got, c.fields) {
				t.Errorf("%v, want %v", got, c.fields)
			}
		})
	}
}

// A trace that was accepted can be simulated; faults never grow without end.
func FuzzParseTrace(f *testing.F) {
	f.Add("arrival_s,input_tokens,output_tokens\n0,10,5\n1.5,20,3\n")
	f.Add("arrival_s\n0\n1e3\n")
	f.Add("arrival_s,input_tokens,output_tokens\n0,4194304,1\n-1e8,1,4194304\n")
	f.Fuzz(func(t *testing.T, text string) {
		trace, err := ParseTrace(strings.NewReader(text))
		if err != nil {
			if e, ok := errors.AsType[*apperr.Error](err); ok && len(e.Fields) > maxTraceFaults {
				t.Errorf("%d faults", len(e.Fields))
			}
			return
		}
		if err := trace.check(); err != nil {
			t.Fatal(err)
		}
		load := Load{Arrivals: FromTrace(trace), Prompt: Fixed(10), Answer: Fixed(5), Requests: 50}
		r, err := Run(one(), load, Limits{})
		if err == nil && r.Finished+r.Refused != r.Requests {
			t.Errorf("%+v", r)
		}
	})
}

func TestTraceKeepsItsTimes(t *testing.T) {
	var text strings.Builder
	text.WriteString("arrival_s,input_tokens,output_tokens\n")
	for i := range 300 {
		text.WriteString(strconv.Itoa(i*i/10) + ",500,100\n")
	}
	trace, err := ParseTrace(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	load := Load{Arrivals: FromTrace(trace)}
	m, err := prepare(one(), load, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	m.reset(load.Arrivals.Rate())
	for i := range m.requests {
		if !close(m.requests[i].arrival, trace.Times[i], 1e-9) {
			t.Fatalf("request %d comes at %g, recorded %g", i, m.requests[i].arrival, trace.Times[i])
		}
	}
	m.reset(2 * load.Arrivals.Rate())
	if last := m.requests[299].arrival; !close(last, trace.Times[299]/2, 1e-9) {
		t.Errorf("at twice the rate the last comes at %g", last)
	}
}
