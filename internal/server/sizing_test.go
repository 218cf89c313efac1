package server

import (
	"bytes"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"rackwright/internal/auth"
	"rackwright/internal/seed"
	"rackwright/internal/sizing/llm"
)

func shippedModels(t testing.TB) llm.Library {
	t.Helper()
	f, err := seed.FS.Open("models.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lib, err := llm.ReadLibrary(f)
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// chat70B is the form of the usual case: the preset, as the page would send it.
func chat70B(b *browser) url.Values {
	b.t.Helper()
	return b.get("/sizing?preset=chat_70b").status(http.StatusOK).form("/sizing")
}

func TestVisitorSizesAndReopens(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	b := s.visitor()
	form := chat70B(b)
	first := b.post("/sizing", form).status(http.StatusSeeOther).Header().Get("Location")
	again := b.post("/sizing", form).status(http.StatusSeeOther).Header().Get("Location")
	if first != again || strings.Contains(first, "/sizing/1") {
		t.Errorf("two clicks lead to %s and %s; a visitor gets one address that cannot be guessed", first, again)
	}
	page := b.get(first).status(http.StatusOK).says("Llama 3.1 70B").says("70,553,706,496").page()
	if n := page.Find("#plans tbody:first-of-type tr").Length(); n < 3 {
		t.Errorf("%d priced plans, want several", n)
	}
	if page.Find(`form[action$="/quote"]`).Length() != 0 {
		t.Error("a visitor is offered to make a quote")
	}
	b.get("/sizing/1").status(http.StatusNotFound)
	s.visitor().get(first).status(http.StatusOK)
	b.get("/sizing/" + strings.Repeat("A", 26)).status(http.StatusNotFound)
}

func TestSizingFormNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	b := s.visitor()
	good := chat70B(b)
	config := func(text string) map[string]string {
		return map[string]string{"model_from": "config", "config": text}
	}
	trace := func(text string) map[string]string {
		return map[string]string{"load_kind": "trace", "trace": text}
	}
	cases := []struct {
		name  string
		typed map[string]string
		field string
	}{
		{"unknown arrivals", map[string]string{"load_kind": "tide"}, "load_kind"},
		{"bursts without a measure", map[string]string{"load_kind": "bursty", "cv": ""}, "cv"},
		{"bursts smoother than chance", map[string]string{"load_kind": "bursty", "cv": "0.5"}, "cv"},
		{"users of words", map[string]string{"load_kind": "concurrency", "concurrency": "all"}, "concurrency"},
		{"no trace", trace(""), "trace"},
		{"trace of other columns", trace("time,in,out\n1,2,3\n"), "trace"},
		{"trace without lengths", trace("arrival_s\n1\n2\n"), "trace"},
		{"trace with faulty lines", trace("arrival_s,input_tokens,output_tokens\n0,100,50\nsoon,100,50\n2,100,many\n"), "trace"},
		{"trace at a rate of words", map[string]string{"load_kind": "trace", "trace_rate": "many", "trace": "arrival_s,input_tokens,output_tokens\n0,1,1\n1,1,1\n"}, "trace_rate"},
		{"no median", map[string]string{"length_kind": "median"}, "input_median"},
		{"median above the mean", map[string]string{"length_kind": "median", "input_median": "1200", "output_median": "200"}, "input_median"},
		{"prefix share of all", map[string]string{"prefix_share": "100"}, "prefix_share"},
		{"nine drafts", map[string]string{"draft_tokens": "9"}, "draft_tokens"},
		{"every draft accepted", map[string]string{"draft_tokens": "3", "acceptance": "100"}, "acceptance"},
		{"adapters beyond reason", map[string]string{"adapters": "1001"}, "adapters"},
		{"no load", map[string]string{"rate": ""}, "rate"},
		{"load of words", map[string]string{"rate": "many"}, "rate"},
		{"negative load", map[string]string{"rate": "-3"}, "rate"},
		{"huge load", map[string]string{"rate": "1e30"}, "rate"},
		{"load beyond any plan", map[string]string{"rate": "999999999999"}, "rate"},
		{"no prompt length", map[string]string{"input_len": ""}, "input_len"},
		{"negative answer length", map[string]string{"output_len": "-1"}, "output_len"},
		{"zero spread", map[string]string{"spread": "0"}, "spread"},
		{"zero share of the peak", map[string]string{"mean_of_peak": "0"}, "mean_of_peak"},
		{"zero limit", map[string]string{"ttft_ms": "0"}, "ttft_ms"},
		{"limit of words", map[string]string{"ttft_ms": "fast"}, "ttft_ms"},
		{"huge limit", map[string]string{"tpot_ms": "99999999999999999999999999"}, "tpot_ms"},
		{"percentile of 100", map[string]string{"percentile": "100"}, "percentile"},
		{"spares beyond reason", map[string]string{"spare_systems": "5000"}, "spare_systems"},
		{"head-room over 100", map[string]string{"headroom_pct": "150"}, "headroom_pct"},
		{"zero horizon", map[string]string{"horizon_months": "0"}, "horizon_months"},
		{"negative price of power", map[string]string{"cost.electricity_industrial": "-1"}, "cost.electricity_industrial"},
		{"unknown model", map[string]string{"model": "nobody/nothing"}, "model"},
		{"unknown precision", map[string]string{"weights": "fp6"}, "weights"},
		{"empty config", config(""), "config"},
		{"config of a login page", config("<!doctype html><title>Sign in</title>"), "config"},
		{"config without fields", config("{}"), "config"},
		{"config with null fields", config(`{"hidden_size":null,"num_hidden_layers":null}`), "config"},
		{"config that contradicts itself", config(`{"model_type":"llama","hidden_size":8192,"num_hidden_layers":80,"num_attention_heads":63,"num_key_value_heads":8,"intermediate_size":28672,"vocab_size":128256,"max_position_embeddings":131072}`), "config"},
		{"config with a negative size", config(`{"model_type":"llama","hidden_size":-1,"num_hidden_layers":80,"num_attention_heads":64,"intermediate_size":28672,"vocab_size":128256}`), "config"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			form := maps.Clone(good)
			for k, v := range c.typed {
				form.Set(k, v)
			}
			a := s.visitor().post("/sizing", form)
			a.t = t
			a.status(http.StatusUnprocessableEntity)
			if fault := a.faultOf(c.field); fault == "" || strings.Contains(fault, "[") {
				t.Errorf("no message at %s: %q\n%s", c.field, fault, clipped(a.Body.String()))
			}
			back := a.form("/sizing")
			for k, v := range c.typed {
				if kept := back.Get(k); k != "model" && k != "weights" && k != "load_kind" && k != "percentile" && k != "spare_systems" && kept != v {
					t.Errorf("%s was %q and is now %q", k, v, kept)
				}
			}
		})
	}
}

// faultOf is fault for names with a dot, which CSS takes for a class.
func (a *answer) faultOf(field string) string {
	a.t.Helper()
	return strings.TrimSpace(a.page().Find(`[id="f-` + field + `-error"]`).Text())
}

// The browser's "back" brings the form up again with the key that it had.
func TestSameFormWithOtherInputIsAnotherSizing(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	b := s.visitor()
	form := chat70B(b)
	first := b.post("/sizing", form).status(http.StatusSeeOther).Header().Get("Location")
	form.Set("rate", "40")
	second := b.post("/sizing", form).status(http.StatusSeeOther).Header().Get("Location")
	if first == second {
		t.Fatal("40 requests/s lead to the report on 20")
	}
	b.get(second).status(http.StatusOK).says("40 requests/s")
}

// JSON that no database column for structured values takes: it is kept as it was sent.
func TestSizingConfigWithHardJSON(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	b := s.visitor()
	raw, err := os.ReadFile(filepath.Join("..", "sizing", "llm", "testdata", "hf_dense_gqa.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, field := range map[string]string{
		"NUL in an unread field": `"remark":"a\u0000b"`,
		"NUL in a name":          `"_name_or_path":"a\u0000b"`,
		"NUL in a key":           `"a\u0000b":1`,
		"half a character":       `"_name_or_path":"\ud800"`,
		"number without end":     `"remark":1e400000`,
		"many digits":            `"remark":` + strings.Repeat("9", 200_000),
		"deep":                   `"remark":` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000),
	} {
		form := chat70B(b)
		form.Set("model_from", "config")
		form.Set("config", strings.Replace(string(raw), "{", "{"+field+",", 1))
		a := b.post("/sizing", form)
		if a.Code != http.StatusSeeOther {
			t.Errorf("%s: status %d", name, a.Code)
			continue
		}
		path := a.Header().Get("Location")
		b.get(path).status(http.StatusOK).says("8,030,261,248")
		if back := b.get("/sizing?from=" + strings.TrimPrefix(path, "/sizing/")).form("/sizing"); !strings.Contains(strings.Join(strings.Fields(back.Get("config")), ""), field) {
			t.Errorf("%s: the form does not bring back what was sent", name)
		}
	}
}

func TestSizingNumbersOfAChineseKeyboard(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	b := s.visitor()
	form := chat70B(b)
	form.Set("rate", "２０")
	form.Set("cost.pue_colo", "１．３")
	form.Set("headroom_pct", " ")
	path := b.post("/sizing", form).status(http.StatusSeeOther).Header().Get("Location")
	b.get(path).status(http.StatusOK).says("20 requests/s")
}

func TestSizingModelTooBigForAnySystem(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	b := s.visitor()
	form := chat70B(b)
	form.Set("model_from", "config")
	form.Set("config", `{"model_type":"llama","hidden_size":65536,"num_hidden_layers":400,"num_attention_heads":512,"num_key_value_heads":64,"intermediate_size":262144,"vocab_size":128256,"max_position_embeddings":131072,"torch_dtype":"bfloat16","tie_word_embeddings":false}`)
	form.Set("weights", "bf16")
	page := b.get(b.post("/sizing", form).status(http.StatusSeeOther).Header().Get("Location")).status(http.StatusOK).page()
	if page.Find("#plans tr.is-off").Length() == 0 || page.Find("#memory").Length() != 0 {
		t.Errorf("a model of 25 TB is said to fit: %s", page.Find(".answer-line").Text())
	}
}

func TestSizingUploadReplacesThePastedConfig(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	b := s.visitor()
	form := chat70B(b)
	form.Set("model_from", "config")
	form.Set("config", "pasted nonsense")
	config, err := os.ReadFile(filepath.Join("..", "sizing", "llm", "testdata", "hf_dense_gqa.json"))
	if err != nil {
		t.Fatal(err)
	}
	a := b.upload("/sizing", form, "config_file", config).status(http.StatusSeeOther)
	b.get(a.Header().Get("Location")).status(http.StatusOK).says("8,030,261,248")
}

func TestSizingUploadOf50MBIsRefusedInWords(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	b := s.visitor()
	a := b.upload("/sizing", chat70B(b), "config_file", bytes.Repeat([]byte(`{"a":1}`), 50<<20/7))
	a.status(http.StatusRequestEntityTooLarge)
	if a.page().Find("h1").Length() != 1 {
		t.Errorf("no page says why:\n%s", clipped(a.Body.String()))
	}
}

func (b *browser) upload(path string, form url.Values, field string, content []byte) *answer {
	b.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for k, values := range form {
		for _, v := range values {
			if err := w.WriteField(k, v); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	part, err := w.CreateFormFile(field, "config.json")
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := part.Write(content); err != nil {
		b.t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.t.Fatal(err)
	}
	return b.do(http.MethodPost, path, body.String(), w.FormDataContentType())
}

func TestSizingPDFSaysWhatThePageSays(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	b := s.visitor()
	path := b.post("/sizing", chat70B(b)).status(http.StatusSeeOther).Header().Get("Location")
	page := b.get(path).page()
	text := pdfText(t, b.get(path+".pdf").pdf())
	want := []string{strings.Join(strings.Fields(page.Find(".answer-line").Text()), " ")}
	page.Find(".figures dd:nth-of-type(1)").Each(func(_ int, d *goquery.Selection) { want = append(want, firstWord(d.Text())) })
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("the PDF lacks %q", w)
		}
	}
}

func firstWord(s string) string { return append(strings.Fields(s), "")[0] }

func TestChangeInputBringsTheFormBack(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	b := s.as("ines", auth.Sales)
	form := chat70B(b)
	form.Set("cost.pue_colo", "1.25")
	form.Set("headroom_pct", "15")
	path := b.post("/sizing", form).status(http.StatusSeeOther).Header().Get("Location")
	back := b.get("/sizing?from=" + strings.TrimPrefix(path, "/sizing/")).status(http.StatusOK).form("/sizing")
	for k := range form {
		if k != "key" && back.Get(k) != form.Get(k) {
			t.Errorf("%s was %q and comes back as %q", k, form.Get(k), back.Get(k))
		}
	}
	b.get("/sizing").status(http.StatusOK).says(path)
}

func TestPlanBecomesAQuoteOnce(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	b := s.as("ines", auth.Sales)
	path := b.post("/sizing", chat70B(b)).status(http.StatusSeeOther).Header().Get("Location")
	form := b.get(path).status(http.StatusOK).form(path + "/quote")
	first := b.post(path+"/quote", form).status(http.StatusSeeOther).Header().Get("Location")
	if again := b.post(path+"/quote", form).Header().Get("Location"); again != first {
		t.Errorf("two clicks made %s and %s", first, again)
	}
	b.get(first).status(http.StatusOK).says("Llama 3.1 70B")
	form.Set("plan", "99")
	form.Set("key", newKey())
	b.post(path+"/quote", form).status(http.StatusConflict)
}

func TestVisitorsSizeSoOftenAndStaffAsTheyLike(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	visitor, staff := s.visitor(), s.as("ines", auth.Sales)
	bad := url.Values{"key": {newKey()}}
	for range sizingsAMinute {
		visitor.post("/sizing", bad).status(http.StatusUnprocessableEntity)
	}
	visitor.post("/sizing", bad).status(http.StatusTooManyRequests)
	for range sizingsAMinute + 1 {
		staff.post("/sizing", bad).status(http.StatusUnprocessableEntity)
	}
}
