package server

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"rackwright/internal/auth"
)

func TestSecurityHeadersOnEveryAnswer(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	always := map[string]string{
		"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff",
		"Referrer-Policy": "same-origin", "X-Frame-Options": "DENY", "Permissions-Policy": "camera=()",
	}
	b := s.visitor()
	foreign := s.visitor()
	foreign.header = http.Header{"Sec-Fetch-Site": {"cross-site"}}
	for _, a := range []*answer{
		b.get("/login"), b.get("/no/such/page"), b.get("/healthz"), b.get("/quotes"), b.get("/static/none.css"),
		b.do(http.MethodPut, "/login", "", ""), foreign.post("/login", url.Values{}), b.get("/login?lang=zh-Hans"),
	} {
		for name, want := range always {
			if got := a.Header().Get(name); !strings.Contains(got, want) {
				t.Errorf("%s (%d): %s is %q", a.what, a.Code, name, got)
			}
		}
		if a.Header().Get("X-Request-Id") == "" {
			t.Errorf("%s: no request id", a.what)
		}
		if a.Header().Get("Strict-Transport-Security") != "" {
			t.Errorf("%s: asks for https over http", a.what)
		}
	}
	if csp := b.get("/login").Header().Get("Content-Security-Policy"); strings.Contains(csp, "unsafe") {
		t.Errorf("policy allows inline code: %s", csp)
	}
}

func TestPagesOfSignedInPeopleAreNotStored(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	if got := s.as("anna", auth.Sales).get("/account").Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("account page: %q", got)
	}
	if got := s.visitor().get("/login").Header().Get("Cache-Control"); got != "private, no-cache" {
		t.Errorf("visitor's page: %q", got)
	}
	vary := strings.Join(s.visitor().get("/login").Header().Values("Vary"), ", ")
	for _, want := range []string{"Accept-Language", "Cookie"} {
		if !strings.Contains(vary, want) {
			t.Errorf("Vary is %q, without %s", vary, want)
		}
	}
}

func TestSecureCookiesOverHTTPS(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.server = New(Config{Store: s.db, Log: s.server.log, Clock: s.now, BaseURL: "https://quotes.example.com"})
	s.handler = s.server.Handler()
	s.person("anna", mustHash(t, "correct horse battery"), false, auth.Sales)
	b := s.visitor()
	a := b.post("/login", url.Values{"name": {"anna"}, "password": {"correct horse battery"}}).leads("/")
	for _, c := range a.Result().Cookies() {
		if !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
			t.Errorf("cookie %+v", c)
		}
	}
	if b.cookies["__Host-session"] == "" {
		t.Errorf("cookies %v", b.cookies)
	}
	if a.Header().Get("Strict-Transport-Security") == "" {
		t.Error("does not ask for https")
	}
}

// TestCrossSiteRequests is the matrix of where a POST may come from.
func TestCrossSiteRequests(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	cases := []struct {
		name   string
		method string
		header http.Header
		want   int
	}{
		{"same origin", "POST", http.Header{"Sec-Fetch-Site": {"same-origin"}}, 303},
		{"typed or bookmarked", "POST", http.Header{"Sec-Fetch-Site": {"none"}}, 303},
		{"cross site", "POST", http.Header{"Sec-Fetch-Site": {"cross-site"}}, 403},
		{"sister domain", "POST", http.Header{"Sec-Fetch-Site": {"same-site"}}, 403},
		{"old browser, other origin", "POST", http.Header{"Sec-Fetch-Site": nil, "Origin": {"https://evil.example"}}, 403},
		{"old browser, opaque origin", "POST", http.Header{"Sec-Fetch-Site": nil, "Origin": {"null"}}, 403},
		{"old browser, our origin", "POST", http.Header{"Sec-Fetch-Site": nil, "Origin": {"http://example.com"}}, 303},
		{"no browser", "POST", http.Header{"Sec-Fetch-Site": nil}, 303},
		{"a link from another site", "GET", http.Header{"Sec-Fetch-Site": {"cross-site"}}, 405},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := s.visitor()
			b.t, b.header = t, c.header
			b.do(c.method, "/display", "theme=dark", "application/x-www-form-urlencoded").status(c.want)
		})
	}
	foreign := s.visitor()
	foreign.header = http.Header{"Sec-Fetch-Site": {"cross-site"}}
	foreign.post("/display", url.Values{}).says("another site")
}

func TestClientAddress(t *testing.T) {
	s := New(Config{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}})
	cases := []struct {
		name, peer, forwarded, proto string
		addr                         string
		secure                       bool
	}{
		{"direct", "203.0.113.5:1000", "", "", "203.0.113.5", false},
		{"a stranger's claim is not believed", "203.0.113.5:1000", "198.51.100.1", "https", "203.0.113.5", false},
		{"behind our proxy", "10.0.0.1:1000", "198.51.100.1", "https", "198.51.100.1", true},
		{"behind two proxies", "10.0.0.1:1000", "198.51.100.1, 10.0.0.2", "https", "198.51.100.1", true},
		{"client forged a first hop", "10.0.0.1:1000", "1.1.1.1, 198.51.100.1", "", "198.51.100.1", false},
		{"rubbish in the header", "10.0.0.1:1000", "unknown", "", "10.0.0.1", false},
		{"six", "[::1]:1000", "2001:db8::1", "", "2001:db8::1", false},
		{"four in six", "[::ffff:10.0.0.1]:1000", "198.51.100.1", "", "198.51.100.1", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := &http.Request{RemoteAddr: c.peer, Header: http.Header{}}
			if c.forwarded != "" {
				r.Header.Set("X-Forwarded-For", c.forwarded)
			}
			r.Header.Set("X-Forwarded-Proto", c.proto)
			if addr, secure := s.client(r); addr != c.addr || secure != c.secure {
				t.Errorf("got %s, %v; want %s, %v", addr, secure, c.addr, c.secure)
			}
		})
	}
}

func TestLocalPath(t *testing.T) {
	for in, want := range map[string]string{
		"/quotes?x=1": "/quotes?x=1", "/": "/", "": "/", "quotes": "/", "//evil.example": "/", `/\evil.example`: "/",
		"https://evil.example": "/", "/a\r\nSet-Cookie: x": "/", "javascript:alert(1)": "/", "/\t/evil.example": "/",
		"/目录": "/目录", "/%0d%0a": "/%0d%0a", "http:/evil": "/", "/a\\b": "/",
	} {
		if got := localPath(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestCompression(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.visitor()
	b.header = http.Header{"Accept-Encoding": {"gzip"}}
	if got := b.get("/login").Header().Get("Content-Encoding"); got != "gzip" {
		t.Errorf("a page is sent as %q", got)
	}
	if got := s.visitor().get("/login").Header().Get("Content-Encoding"); got != "" {
		t.Errorf("a client that cannot unpack gets %q", got)
	}
}
