package server

import "net/http"

// contentPolicy allows our own files and nothing else: no inline script or style, no frame
// around us, no form to elsewhere.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'"

// hstsYear tells browsers to use https only, for a year. Sub-domains are not ours to decide.
const hstsYear = "max-age=31536000"

// secureHeaders sets what every answer carries.
func (s *Server) secureHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if !sameForAll(r.URL.Path) {
			h.Set("Cache-Control", "private, no-cache")
			h.Add("Vary", "Accept-Language, Cookie")
		}
		if infoOf(r).secure {
			h.Set("Strict-Transport-Security", hstsYear)
		}
		next.ServeHTTP(w, r)
	})
}
