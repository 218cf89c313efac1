package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"

	"rackwright/internal/auth"
	"rackwright/internal/embeddedpg"
	"rackwright/internal/mail"
	"rackwright/internal/sizing/calibration"
)

// Config is everything that can be set, by environment variables only; settings documents each.
type Config struct {
	Addr           string
	DatabaseURL    Secret
	DataDir        string
	PGBinDir       string
	AdminPassword  Secret
	Demo           bool
	BaseURL        string // empty: follows from Addr
	SMTPURL        Secret
	MailFrom       string
	Mail           *mail.Server // nil: nothing is mailed
	TrustedProxies []netip.Prefix
	LogFormat      string
	Calibration    *calibration.Set // nil is the shipped one
}

// Secret is a setting that is never printed.
type Secret string

// String hides the value.
func (s Secret) String() string {
	if s == "" {
		return "(not set)"
	}
	return "(secret)"
}

// GoString hides the value from %#v.
func (s Secret) GoString() string { return s.String() }

// LogValue hides the value from the log.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// setting documents one environment variable.
type setting struct {
	name, fallback, doc string
}

// settings are all environment variables that the program reads, in the order of Config.
var settings = []setting{
	{"ADDR", "localhost:8080", "address to listen on, host:port; \":8080\" listens on all interfaces"},
	{"DATABASE_URL", "", "a PostgreSQL server, version 15 or newer: postgres://user:password@host:5432/database. Without it a private server is started in DATA_DIR"},
	{"DATA_DIR", "/var/lib/rackwright for root, else ~/.local/share/rackwright", "folder of the private server's data"},
	{"PG_BIN_DIR", "", "folder of the PostgreSQL programs initdb and postgres, if they are not found by themselves"},
	{"ADMIN_PASSWORD", "", "first password of the user admin, at least 12 characters; without it a random one is made and printed at the first start"},
	{"DEMO", "false", "true adds invented customers, quotes, stock and a price list to an empty database, plainly labelled"},
	{"BASE_URL", "http:// and the host and port of ADDR", "how customers reach the product, for links in quotes: https://quotes.example.com"},
	{"SMTP_URL", "", "mail server, smtp://user:password@host:587 (TLS is started; on another machine than this one it must) or smtps://…:465; smtp://…:25?tls=none never uses TLS; without it nothing is mailed"},
	{"MAIL_FROM", "the company's e-mail address", "sender of messages, for example Sales <quotes@example.com>"},
	{"TRUSTED_PROXIES", "", "addresses or networks whose X-Forwarded-For and X-Forwarded-Proto are believed, comma-separated: 10.0.0.0/8,::1"},
	{"LOG_FORMAT", "text", "text or json"},
	{"CALIBRATION", "", "file of a set of sizing constants, as the commands kernels and calibrate write; without it the shipped set"},
}

// fallbackOf returns the value of a variable that is not set.
func fallbackOf(name string) string {
	for _, s := range settings {
		if s.name == name {
			return s.fallback
		}
	}
	return ""
}

// loadConfig reads and checks all settings; the error names every wrong one and no secret.
func loadConfig(getenv func(string) string) (Config, error) {
	get := func(name string) string { return strings.TrimSpace(getenv(name)) }
	or := func(name string) string {
		if v := get(name); v != "" {
			return v
		}
		return fallbackOf(name)
	}
	var errs []error
	check := func(name string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	var err error
	c := Config{
		Addr: or("ADDR"), DatabaseURL: Secret(get("DATABASE_URL")), DataDir: get("DATA_DIR"), PGBinDir: get("PG_BIN_DIR"),
		AdminPassword: Secret(getenv("ADMIN_PASSWORD")), SMTPURL: Secret(get("SMTP_URL")), MailFrom: get("MAIL_FROM"), LogFormat: or("LOG_FORMAT"),
	}
	check("ADDR", checkAddr(c.Addr))
	if c.DataDir == "" && c.DatabaseURL == "" {
		c.DataDir, err = embeddedpg.DefaultDir(app)
		check("DATA_DIR", err)
	}
	check("ADMIN_PASSWORD", checkAdminPassword(string(c.AdminPassword)))
	c.Demo, err = parseBool(or("DEMO"))
	check("DEMO", err)
	c.BaseURL, err = parseBaseURL(get("BASE_URL"))
	check("BASE_URL", err)
	c.Mail, err = parseMail(string(c.SMTPURL), c.MailFrom)
	check("SMTP_URL", err)
	c.TrustedProxies, err = parsePrefixes(get("TRUSTED_PROXIES"))
	check("TRUSTED_PROXIES", err)
	if c.LogFormat != "text" && c.LogFormat != "json" {
		check("LOG_FORMAT", fmt.Errorf("%q is neither text nor json", c.LogFormat))
	}
	c.Calibration, err = readCalibration(get("CALIBRATION"))
	check("CALIBRATION", err)
	return c, errors.Join(errs...)
}

// readCalibration reads a set of constants, none for an empty name.
func readCalibration(name string) (*calibration.Set, error) {
	if name == "" {
		return nil, nil
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	set, err := calibration.Decode(raw)
	if err != nil {
		return nil, err
	}
	if len(set.Stacks) == 0 || set.Version == "" {
		return nil, fmt.Errorf("%s is no set of constants", name)
	}
	return set, nil
}

func checkAddr(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%q is not host:port", addr)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%q is not a port number", port)
	}
	return nil
}

// checkAdminPassword applies the rule of every other password, without repeating what was typed.
func checkAdminPassword(password string) error {
	if password == "" {
		return nil
	}
	if err := auth.CheckPassword(&auth.User{Name: adminName}, password); err != nil {
		return fmt.Errorf("use %d to %d characters, not all the same, and not the user's name", auth.MinPasswordLen, auth.MaxPasswordLen)
	}
	return nil
}

func parseBool(s string) (bool, error) {
	v, err := strconv.ParseBool(s)
	if err != nil {
		return false, fmt.Errorf("%q is neither true nor false", s)
	}
	return v, nil
}

// parseBaseURL returns the address for links, empty if it follows from ADDR.
func parseBaseURL(raw string) (string, error) {
	if raw == "" {
		return "", nil
	}
	u, err := url.Parse(raw)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return "", fmt.Errorf("%q is not an http or https address", raw)
	}
	if strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return "", errors.New("give scheme, host and port only")
	}
	return u.Scheme + "://" + u.Host, nil
}

// localURL is how a browser on this machine reaches addr.
func localURL(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "http://" + addr
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// parseMail reads the mail server, none for an empty address.
func parseMail(address, from string) (*mail.Server, error) {
	if address == "" {
		return nil, nil
	}
	return mail.Parse(address, from)
}

// parsePrefixes reads networks and single addresses.
func parsePrefixes(list string) ([]netip.Prefix, error) {
	var prefixes []netip.Prefix
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		if addr, err := netip.ParseAddr(item); err == nil {
			prefixes = append(prefixes, netip.PrefixFrom(addr.Unmap(), addr.Unmap().BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(item)
		if err != nil {
			return nil, fmt.Errorf("%q is neither an address nor a network", item)
		}
		prefixes = append(prefixes, p.Masked())
	}
	return prefixes, nil
}
