package browsertest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
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
	t.Cleanup(srv.Close)
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

// A page that comes in pieces is read when it is whole.
func TestClickToWaitsForTheWholePage(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><title>t</title><link rel=icon href=data:,><a href=/next>next</a>")
		_ = http.NewResponseController(w).Flush()
		time.Sleep(300 * time.Millisecond)
		_, _ = io.WriteString(w, "<p id=end>"+r.URL.Path+"</p>")
	}))
	t.Cleanup(srv.Close)
	p := New(t, 800, 600, "en-US")
	p.Goto(srv.URL)
	p.ClickTo("a")
	if !p.Has("#end") || p.Text("#end") != "/next" {
		t.Errorf("read the page before it was whole: %s", p.Text("body"))
	}
}
