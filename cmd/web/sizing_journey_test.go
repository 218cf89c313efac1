package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rackwright/internal/browsertest"
	"rackwright/internal/testdb"
)

// TestSizingInTheBrowser sizes as people do: from every preset, from an uploaded config, from
// recorded requests, and with a limit that nothing meets.
func TestSizingInTheBrowser(t *testing.T) {
	p := startProgram(t, map[string]string{"DATABASE_URL": testdb.EmptyURL(t), "DEMO": "true", "ADMIN_PASSWORD": firstPassword})
	defer p.end()
	b := browsertest.New(t, 1440, 1000, "en-US")
	for _, preset := range []string{"chat_70b", "rag_70b", "chat_8b", "batch_70b"} {
		b.Goto(p.url + "/sizing?preset=" + preset)
		b.WaitFor("#sizing-preview .figures")
		size(b)
		if !b.Has("#plans tr.is-picked") || !b.Has("#percentiles tbody tr") {
			t.Errorf("preset %s: %s", preset, b.Text("#answer"))
		}
	}

	config, err := os.ReadFile(filepath.Join("..", "..", "internal", "sizing", "llm", "testdata", "hf_dense_gqa.json"))
	if err != nil {
		t.Fatal(err)
	}
	b.Goto(p.url + "/sizing?preset=chat_70b")
	b.Click(`[name="model_from"][value="config"]`)
	uploadText(b, "#f-config_file", "config.json", string(config))
	size(b)
	if text := b.Text("#modelfacts"); !strings.Contains(text, "8,030,261,248") {
		t.Errorf("the uploaded config gives %s", text)
	}

	var trace strings.Builder
	trace.WriteString("arrival_s,input_tokens,output_tokens\n")
	for i := range 120 {
		fmt.Fprintf(&trace, "%g,%d,%d\n", float64(i)/4, 400+200*(i%5), 100+50*(i%3))
	}
	b.Goto(p.url + "/sizing?preset=chat_8b")
	b.Click(`[name="load_kind"][value="trace"]`)
	uploadText(b, "#f-trace_file", "trace.csv", trace.String())
	size(b)
	if !b.Has("#percentiles tbody tr") {
		t.Errorf("recorded requests give %s", b.Text("#answer"))
	}

	b.Goto(p.url + "/sizing?preset=chat_70b")
	b.Fill("#f-ttft_ms", "1")
	b.WaitText("#sizing-preview", func(s string) bool { return strings.Contains(s, "Nearest that works") })
	size(b)
	if text := b.Text("#answer"); b.Has("#plans tr.is-picked") || !strings.Contains(text, "Nearest that works") {
		t.Errorf("a limit that nothing meets gives %s", text)
	}
}

// size presses the button of the form.
func size(b *browsertest.Page) { b.ClickTo(`form[action="/sizing"] .btn-main`) }

// uploadText chooses a file with the text.
func uploadText(b *browsertest.Page, css, name, text string) {
	quoted, err := json.Marshal([]string{css, name, text})
	if err != nil {
		panic(err)
	}
	b.Eval(`(() => {
		const [css, name, text] = ` + string(quoted) + `;
		const files = new DataTransfer();
		files.items.add(new File([text], name));
		document.querySelector(css).files = files.files;
		return name;
	})()`)
}
