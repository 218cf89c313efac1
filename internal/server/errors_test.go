package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/company"
	"rackwright/internal/testdb"
)

// fakeStore is a store whose every answer is the same error.
type fakeStore struct {
	Store // nil: a call that a test does not expect panics
	err   error
}

func (f fakeStore) Ping(context.Context) error { return f.err }

func (f fakeStore) Company(context.Context) (company.Profile, error) {
	return company.Profile{}, f.err
}

func (f fakeStore) SessionUser(context.Context, auth.TokenHash, time.Time) (auth.Session, auth.User, error) {
	return auth.Session{}, auth.User{}, f.err
}

// fakeSite answers from a fakeStore; the log is returned too.
func fakeSite(t *testing.T, err error) (*browser, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	s := New(Config{
		Store: fakeStore{err: err}, Log: slog.New(slog.NewJSONHandler(&log, nil)), Clock: testdb.Clock,
	})
	return &browser{t: t, handler: s.Handler(), cookies: map[string]string{}}, &log
}

func TestErrorsBecomeAnswers(t *testing.T) {
	cases := []struct {
		name   string
		err    error
		status int
		says   string
	}{
		{"invalid", apperr.New(apperr.Invalid, "errors.form_invalid"), 422, "everything you typed is kept"},
		{"not found", apperr.New(apperr.NotFound, "errors.not_found"), 404, "This does not exist"},
		{"conflict", apperr.New(apperr.Conflict, "errors.changed_meanwhile"), 409, "Someone else has changed this"},
		{"forbidden", apperr.New(apperr.Forbidden, "errors.forbidden"), 403, "You have no permission"},
		{"unavailable", apperr.New(apperr.Unavailable, "errors.unavailable"), 503, "briefly unavailable"},
		{"wrapped", fmt.Errorf("read: %w", apperr.New(apperr.Unavailable, "errors.page_try_again")), 503, "briefly unavailable"},
		{"out of time", fmt.Errorf("read: %w", context.DeadlineExceeded), 503, "briefly unavailable"},
		{"internal", errors.New("secret detail of the database"), 500, "Something went wrong on our side"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b, log := fakeSite(t, c.err)
			a := b.get("/login").status(c.status).says(c.says)
			if strings.Contains(a.Body.String(), "secret detail") {
				t.Error("the page shows what only the log may know")
			}
			logged := strings.Contains(log.String(), `"level":"ERROR"`)
			if logged != (c.status >= 500) {
				t.Errorf("logged as failure: %v, with status %d\n%s", logged, c.status, log)
			}
			if c.status >= 500 {
				a.says(a.Header().Get("X-Request-Id"))
			}
			if c.status == 503 && a.Header().Get("Retry-After") == "" {
				t.Error("503 does not say when to come back")
			}
		})
	}
}

func TestDatabaseAwayWithASession(t *testing.T) {
	b, _ := fakeSite(t, apperr.New(apperr.Unavailable, "errors.unavailable"))
	b.cookies["session"] = string(auth.NewToken())
	b.get("/catalog").status(http.StatusServiceUnavailable).says("503")
	if b.cookies["session"] == "" {
		t.Error("the session's cookie was thrown away")
	}
	b.get("/healthz").status(http.StatusOK)
	b.get("/readyz").status(http.StatusServiceUnavailable)
	b.get("/static/img/mark.svg").status(http.StatusOK)
}

func TestErrorsForScripts(t *testing.T) {
	b, _ := fakeSite(t, apperr.New(apperr.Conflict, "errors.changed_meanwhile"))
	b.header = http.Header{"Hx-Request": {"true"}}
	a := b.get("/login").status(http.StatusConflict).says("Someone else has changed this")
	if strings.Contains(a.Body.String(), "<html") {
		t.Error("a fragment was asked for, a page came")
	}
	b.header = http.Header{"Accept": {"application/json"}}
	var got struct {
		Status    int    `json:"status"`
		Message   string `json:"message"`
		RequestID string `json:"request_id"`
	}
	a = b.get("/account").status(http.StatusUnauthorized)
	if err := json.Unmarshal(a.Body.Bytes(), &got); err != nil || got.Status != 401 || got.Message == "" || got.RequestID == "" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestPanicBecomesAPage(t *testing.T) {
	b, log := fakeSite(t, nil) // a nil Store inside: Credentials panics
	b.post("/login", map[string][]string{"name": {"anna"}}).status(http.StatusInternalServerError).says("500")
	if !strings.Contains(log.String(), "panic") || !strings.Contains(log.String(), "login.go") {
		t.Errorf("the log does not say where:\n%s", log)
	}
}

func TestErrorPageInChinese(t *testing.T) {
	b, _ := fakeSite(t, nil)
	b.header = http.Header{"Accept-Language": {"zh-TW"}}
	b.get("/no/such/page").status(404).says("找不到此頁面").says(`lang="zh-Hant"`)
}

func TestLogLineOfARequest(t *testing.T) {
	b, log := fakeSite(t, nil)
	b.get("/login?next=/quotes/1&secret=token").status(200)
	var line map[string]any
	if err := json.Unmarshal(log.Bytes(), &line); err != nil {
		t.Fatalf("%v in %s", err, log)
	}
	for name, want := range map[string]any{"route": "/login", "method": "GET", "status": 200.0, "user_id": 0.0} {
		if line[name] != want {
			t.Errorf("%s is %v, want %v", name, line[name], want)
		}
	}
	if strings.Contains(log.String(), "token") {
		t.Errorf("the query is in the log: %s", log)
	}
}

func TestOtherMethodsAreTold(t *testing.T) {
	b, _ := fakeSite(t, nil)
	for path, want := range map[string]string{"/login": "GET, HEAD, POST", "/logout": "POST", "/catalog/a%2Fb": "GET, HEAD"} {
		a := b.do(http.MethodPut, path, "", "").status(http.StatusMethodNotAllowed)
		if got := strings.Join(a.Header().Values("Allow"), ", "); got != want {
			t.Errorf("%s allows %q, want %q", path, got, want)
		}
	}
}

// TestLargeBodyIsRefusedWithAMessage sends 50 MB to a form over a real connection: the
// client must read the refusal and not see a reset.
func TestLargeBodyIsRefusedWithAMessage(t *testing.T) {
	b, _ := fakeSite(t, nil)
	srv := httptest.NewServer(b.handler)
	t.Cleanup(srv.Close)
	const size = 50 << 20
	for name, body := range map[string]io.Reader{
		"length given":                bytes.NewReader(make([]byte, size)),
		"length unknown":              io.LimitReader(zeros{}, size),
		"length unknown, asked first": io.LimitReader(zeros{}, size),
	} {
		t.Run(name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+"/display", body)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if strings.HasSuffix(name, "asked first") { // and got its "100 Continue" when we began to read
				req.Header.Set("Expect", "100-continue")
			}
			res, err := srv.Client().Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			text, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(string(text), "too large") {
				t.Errorf("status %d, %v\n%s", res.StatusCode, err, clipped(string(text)))
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
