package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"testing"
	"time"

	"rackwright/internal/auth"
)

const (
	ratioSlice  = 200 * time.Millisecond
	ratioRounds = 9
)

// BenchmarkPageRatio says how many requests a second the whole product answers, as a share
// of a bare handler with the same queries and the same template: no session, no middleware,
// no compression. Run it with -benchtime 1x.
//
// A round is bare, whole, whole, bare, each for a fifth of a second after a collection of
// garbage; the figure is the median of the rounds, so that what else the machine does falls
// out. "null-ratio" sets bare against bare in the same way: it is the noise, and near 1 when
// the figure can be trusted.
func BenchmarkPageRatio(b *testing.B) {
	s := newSiteWithCatalog(b)
	session := s.session(s.person("ines", aHash, false, auth.Sales)).cookies["session"]
	whole := httptest.NewServer(s.handler)
	defer whole.Close()
	bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.server.catalogList(w, r); err != nil {
			b.Error(err)
		}
	}))
	defer bare.Close()
	base := &client{b: b, url: bare.URL + "/catalog"}
	full := &client{b: b, url: whole.URL + "/catalog", session: session, gzip: true}
	for b.Loop() {
		b.ReportMetric(ratio(full, base), "ratio")
		b.ReportMetric(ratio(&client{b: b, url: base.url}, base), "null-ratio")
	}
}

// ratio returns the median share of the rate of c in that of base.
func ratio(c, base *client) float64 {
	var shares []float64
	for range ratioRounds {
		first := base.rate()
		share := c.rate() + c.rate()
		shares = append(shares, share/(first+base.rate()))
	}
	slices.Sort(shares)
	return shares[len(shares)/2]
}

// client asks for one page over one kept connection.
type client struct {
	b       *testing.B
	url     string
	session string
	gzip    bool
}

// rate returns the requests a second of one slice.
func (c *client) rate() float64 {
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	h := &http.Client{Transport: transport}
	c.ask(h)
	runtime.GC()
	start, n := time.Now(), 0
	for ; time.Since(start) < ratioSlice; n++ {
		c.ask(h)
	}
	return float64(n) / time.Since(start).Seconds()
}

func (c *client) ask(h *http.Client) {
	req, err := http.NewRequestWithContext(c.b.Context(), http.MethodGet, c.url, nil)
	if err != nil {
		c.b.Fatal(err)
	}
	if c.gzip {
		req.Header.Set("Accept-Encoding", "gzip")
	}
	if c.session != "" {
		req.AddCookie(&http.Cookie{Name: "session", Value: c.session})
	}
	resp, err := h.Do(req)
	if err != nil {
		c.b.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		c.b.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusOK {
		c.b.Fatalf("%s: %s, %v", c.url, resp.Status, err)
	}
}
