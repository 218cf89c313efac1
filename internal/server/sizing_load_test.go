package server

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
)

const traceHead = "arrival_s,input_tokens,output_tokens\n"

// recorded is a trace of 60 requests in a minute, of two sizes.
func recorded() string {
	var b strings.Builder
	b.WriteString(traceHead)
	for i := range 60 {
		fmt.Fprintf(&b, "%d,%d,%d\n", i, 400+1200*(i%2), 100+200*(i%2))
	}
	return b.String()
}

func TestFaultyLinesOfATraceAreNamed(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	b := s.visitor()
	form := chat70B(b)
	form.Set("load_kind", "trace")
	text := traceHead + "0,100,50\nsoon,100,50\n2,100,many\n3,100\n"
	a := b.upload("/sizing", form, "trace_file", []byte(text)).status(http.StatusUnprocessableEntity)
	fault := a.faultOf("trace")
	at := 0
	for _, want := range []string{"Line 3", "Line 4", "Line 5"} {
		i := strings.Index(fault, want)
		if i < at {
			t.Errorf("%q is not in its place in %q", want, fault)
		}
		at = max(at, i)
	}
	if kept := a.form("/sizing").Get("trace"); strings.TrimSpace(kept) != strings.TrimSpace(text) {
		t.Errorf("the upload comes back as %q", kept)
	}
	if strings.Contains(a.page().Find("#errors").Text(), "trace.line") {
		t.Error("the summary shows the name of a field")
	}
}

// Every way of giving the load leads to a report, and comes back as it was typed.
func TestLoadsAndTechniquesComeBack(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	for name, typed := range map[string]map[string]string{
		"bursts":     {"load_kind": "bursty", "cv": "3"},
		"users":      {"load_kind": "concurrency", "concurrency": "64", "rate": ""},
		"trace":      {"load_kind": "trace", "trace": recorded(), "trace_rate": "5", "rate": "", "input_len": "", "output_len": ""},
		"medians":    {"length_kind": "median", "input_median": "700", "output_median": "200"},
		"all equal":  {"length_kind": "fixed"},
		"techniques": {"prefix_share": "7", "draft_tokens": "3", "acceptance": "70", "adapters": "20", "adapter_rank": "32", "slices": "yes", "disaggregated": "yes"},
	} {
		t.Run(name, func(t *testing.T) {
			b := s.visitor()
			b.t = t
			form := maps.Clone(chat70B(b))
			for k, v := range typed {
				form.Set(k, v)
			}
			path := b.post("/sizing", form).status(http.StatusSeeOther).Header().Get("Location")
			page := b.get(path).status(http.StatusOK).page()
			if page.Find("#plans tr.is-picked").Length() != 1 {
				t.Errorf("no plan: %s", page.Find(".answer-line").Text())
			}
			back := b.get("/sizing?from=" + strings.TrimPrefix(path, "/sizing/")).form("/sizing")
			for k, v := range typed {
				if got := strings.TrimSpace(back.Get(k)); got != strings.TrimSpace(v) {
					t.Errorf("%s was %q and comes back as %q", k, v, got)
				}
			}
		})
	}
}

func TestPreviewFollowsTheForm(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	b := s.visitor()
	form := chat70B(b)
	page := b.post("/sizing/preview", form).status(http.StatusOK).page()
	if page.Find("html head title").Length() != 0 || page.Find("#sizing-preview .figures > div").Length() < 4 {
		t.Errorf("no estimate: %s", page.Text())
	}
	form.Set("rate", "")
	waiting := b.post("/sizing/preview", form).status(http.StatusOK).page()
	if waiting.Find("#sizing-preview .figures").Length() != 0 || waiting.Find("#sizing-preview").Text() == "" {
		t.Errorf("an incomplete form gives %s", waiting.Text())
	}
	form = chat70B(b)
	form.Set("ttft_ms", "1")
	if text := b.post("/sizing/preview", form).status(http.StatusOK).page().Text(); !strings.Contains(text, "Nearest that works") {
		t.Errorf("an impossible limit gives %s", text)
	}
}

func TestReportShowsWhatItRestsOn(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	b := s.visitor()
	page := b.get(b.post("/sizing", chat70B(b)).Header().Get("Location")).status(http.StatusOK).page()
	if n := page.Find("#percentiles tbody tr").Length(); n != 3 {
		t.Errorf("%d rows of percentiles", n)
	}
	if n := page.Find("#percentiles tbody .badge").Length(); n != 2 {
		t.Errorf("%d limits are compared, want 2", n)
	}
	if n := page.Find("#percentiles td.asked").Length(); n != 2 {
		t.Errorf("%d figures are marked as asked for", n)
	}
	if n := page.Find("#bands tbody tr").Length(); n < 6 {
		t.Errorf("%d rows of bands and validation", n)
	}
	for _, id := range []string{"#frontier svg circle", "#latency svg path.g1", "#chosen ol li", "#memory .badge"} {
		if page.Find(id).Length() == 0 {
			t.Errorf("nothing at %s", id)
		}
	}
}

func TestImpossibleLimitSaysSoWithTheNearest(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	b := s.visitor()
	form := chat70B(b)
	form.Set("ttft_ms", "1")
	page := b.get(b.post("/sizing", form).status(http.StatusSeeOther).Header().Get("Location")).status(http.StatusOK).page()
	if page.Find("#plans tr.is-picked").Length() != 0 || !strings.Contains(page.Find("#answer").Text(), "Nearest that works") {
		t.Errorf("the answer to an impossible limit: %s", page.Find("#answer").Text())
	}
	if page.Find("#plans details[open] tr.is-off").Length() == 0 {
		t.Error("the reasons are folded away")
	}
}
