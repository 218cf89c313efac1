package browsertest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestPageDrivesARealBrowser(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/next" {
			_, _ = io.WriteString(w, "<!doctype html><title>n</title><p id=got>"+r.FormValue("a")+" "+r.FormValue("b")+"</p>")
			return
		}
		_, _ = io.WriteString(w, `<!doctype html><title>t</title><link rel=icon href=data:,>
<form action=/next><input id=a name=a value=old><select id=b name=b><option>x<option>y</select><button>go</button></form>`)
	}))
	defer srv.Close()
	p := New(t, 800, 600, "zh-CN")
	p.Goto(srv.URL)
	p.Fill("#a", "数量 12")
	p.Select("#b", "y")
	p.ClickTo("button")
	if got := p.Text("#got"); got != "数量 12 y" {
		t.Errorf("form sent %q", got)
	}
	if got := p.Eval("navigator.language"); !strings.HasPrefix(got, "zh") {
		t.Errorf("browser language %q, want Chinese", got)
	}
}
