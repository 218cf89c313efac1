package server

import (
	"compress/gzip"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

// useMiddleware puts the layers around every handler, outermost first.
func (s *Server) useMiddleware(r chi.Router) {
	r.Use(
		s.identify,      // request id, client address
		s.secureHeaders, // on every answer, errors included
		s.logRequests,   // one line per request
		compress(),      // text, not PDF
		s.recover,       // a panic becomes a 500 page
		s.limitTime,     // per-request timeout
		middleware.GetHead,
		s.loadSession,    // who is it
		s.chooseLanguage, // in which language
		s.sameOrigin,     // no POST from other sites
	)
}

// identify gives the request an id and finds the address of the client.
func (s *Server) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		info := &requestInfo{id: strings.ToLower(rand.Text()[:16]), lang: "en"}
		info.addr, info.secure = s.client(r)
		info.secure = info.secure || s.secure
		w.Header().Set("X-Request-Id", info.id)
		next.ServeHTTP(w, withInfo(r, info))
	})
}

// client returns the address of the client and whether it speaks https. Forwarding headers
// count only as far as each hop is a trusted proxy, read from the nearest hop outwards.
func (s *Server) client(r *http.Request) (addr string, secure bool) {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr, r.TLS != nil
	}
	ip := peer.Addr().Unmap()
	if !s.trusted(ip) {
		return ip.String(), r.TLS != nil
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && s.trusted(ip); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		ip = hop.Unmap()
	}
	return ip.String(), r.Header.Get("X-Forwarded-Proto") == "https"
}

func (s *Server) trusted(ip netip.Addr) bool {
	for _, p := range s.proxies {
		if p.Contains(ip) {
			return true
		}
	}
	return false
}

// logRequests writes one line per request, and one more with the cause for every 5xx. No
// query and no form goes into the log: they hold customers' data and tokens.
func (s *Server) logRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := s.now()
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		next.ServeHTTP(ww, r)
		info := infoOf(r)
		status := ww.Status()
		if status == 0 {
			status = http.StatusOK
		}
		attrs := []slog.Attr{
			slog.String("request_id", info.id),
			slog.String("method", r.Method),
			slog.String("route", info.pattern),
			slog.Int("status", status),
			slog.Int("bytes", ww.BytesWritten()),
			slog.Duration("took", s.now().Sub(start)),
			slog.String("addr", info.addr),
			slog.Int64("user_id", info.userID()),
		}
		s.log.LogAttrs(r.Context(), slog.LevelInfo, "request", attrs...)
		if info.err != nil {
			s.log.LogAttrs(r.Context(), slog.LevelError, "request failed",
				append(attrs, slog.Any("error", info.err))...)
		}
	})
}

// userID returns the id of the person, 0 for a visitor.
func (i *requestInfo) userID() int64 {
	if i.user == nil {
		return 0
	}
	return i.user.ID
}

// panicError is a panic in a handler.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

// recover turns a panic into an internal error with its page.
func (s *Server) recover(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if v == http.ErrAbortHandler {
				panic(v) // net/http's way to drop a connection
			}
			s.fail(w, r, &panicError{value: v, stack: debug.Stack()})
		}()
		next.ServeHTTP(w, r)
	})
}

// limitTime bounds what a request may take. The stores honour the context; what comes too
// late is answered as unavailable by s.fail.
func (s *Server) limitTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), s.timeout)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// compress packs text with gzip level 1: for a page of 30 KB it takes twelve times less to
// send and costs a tenth of the requests per second; level 5 costs a third of them to save
// another tenth of the bytes. PDFs and pictures are packed already.
func compress() func(http.Handler) http.Handler {
	return middleware.Compress(gzip.BestSpeed,
		"text/html", "text/css", "text/csv", "text/plain", "text/javascript",
		"application/javascript", "application/json", "image/svg+xml")
}

// sameOrigin refuses requests that change something and come from another site. It needs no
// token: browsers say where a request comes from (Sec-Fetch-Site, else Origin).
func (s *Server) sameOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	if s.baseURL != "" {
		// Behind a proxy that rewrites Host, the address that customers use is ours too.
		_ = protection.AddTrustedOrigin(originOf(s.baseURL))
	}
	protection.SetDenyHandler(s.handle(Route{Handler: func(http.ResponseWriter, *http.Request) error {
		return errCrossOrigin
	}}))
	return protection.Handler(next)
}

// originOf returns scheme and host of an address.
func originOf(base string) string {
	scheme, rest, ok := strings.Cut(base, "://")
	if !ok {
		return base
	}
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}

// touchTimeout bounds bookkeeping that outlives its request.
const touchTimeout = 5 * time.Second
