package main

import (
	"fmt"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func getenvOf(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestLoadConfigDefaults(t *testing.T) {
	c, err := loadConfig(getenvOf(map[string]string{"DATABASE_URL": "postgres://u@h/d"}))
	if err != nil {
		t.Fatal(err)
	}
	if c.Addr != "localhost:8080" || c.Demo || c.LogFormat != "text" || c.BaseURL != "" || c.TrustedProxies != nil {
		t.Errorf("got %+v", c)
	}
}

func TestLoadConfigValues(t *testing.T) {
	c, err := loadConfig(getenvOf(map[string]string{
		"ADDR": ":9000", "DATA_DIR": "/srv/data", "DEMO": "1", "BASE_URL": "https://quotes.example.com/",
		"TRUSTED_PROXIES": " 10.1.2.3/8, ::1,192.0.2.7 ", "LOG_FORMAT": "json", "SMTP_URL": "smtps://u:p@mail.example.com:465",
		"ADMIN_PASSWORD": "correct horse battery",
	}))
	if err != nil {
		t.Fatal(err)
	}
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128"), netip.MustParsePrefix("192.0.2.7/32")}
	if c.BaseURL != "https://quotes.example.com" || !c.Demo || c.DataDir != "/srv/data" || !slices.Equal(c.TrustedProxies, proxies) {
		t.Errorf("got %+v", c)
	}
}

// Every fault is named at once, and none repeats a secret.
func TestLoadConfigFaults(t *testing.T) {
	const secret = "hiddenword"
	_, err := loadConfig(getenvOf(map[string]string{
		"ADDR": "8080", "DEMO": "maybe", "BASE_URL": "quotes.example.com", "SMTP_URL": "http://u:" + secret + "@h",
		"TRUSTED_PROXIES": "10.0.0.0/99", "LOG_FORMAT": "xml", "ADMIN_PASSWORD": secret,
	}))
	if err == nil {
		t.Fatal("accepted")
	}
	for _, name := range []string{"ADDR", "DEMO", "BASE_URL", "SMTP_URL", "TRUSTED_PROXIES", "LOG_FORMAT", "ADMIN_PASSWORD"} {
		if !strings.Contains(err.Error(), name+": ") {
			t.Errorf("the error does not name %s: %v", name, err)
		}
	}
	if strings.Contains(err.Error(), secret) {
		t.Errorf("the error repeats a secret: %v", err)
	}
}

func TestConfigOneFault(t *testing.T) {
	tests := []struct{ name, variable, value string }{
		{"port that is none", "ADDR", "localhost:http"},
		{"port too big", "ADDR", "localhost:65536"},
		{"path in address", "BASE_URL", "https://example.com/app"},
		{"other scheme", "BASE_URL", "ftp://example.com"},
		{"password in address", "BASE_URL", "https://u:p@example.com"},
		{"short password", "ADMIN_PASSWORD", "short"},
		{"password is the name", "ADMIN_PASSWORD", "adminadminadmin"},
		{"mail without host", "SMTP_URL", "smtp://"},
		{"mail that does not parse", "SMTP_URL", "smtp://u:%zz@h"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := loadConfig(getenvOf(map[string]string{"DATABASE_URL": "postgres://u@h/d", tt.variable: tt.value}))
			if err == nil || !strings.HasPrefix(err.Error(), tt.variable+": ") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestSecretsAreNotPrinted(t *testing.T) {
	c := Config{DatabaseURL: "postgres://u:hiddenword@h/d", AdminPassword: "hiddenword", SMTPURL: "smtp://u:hiddenword@h"}
	for _, form := range []string{"%v", "%+v", "%#v", "%s"} {
		if text := fmt.Sprintf(form, c); strings.Contains(text, "hiddenword") {
			t.Errorf("%s prints %s", form, text)
		}
	}
	if got := c.AdminPassword.LogValue().String(); got != "(secret)" {
		t.Errorf("logs %s", got)
	}
}

// Each variable that is read is documented, and none is documented that is not read.
func TestSettingsAreDocumented(t *testing.T) {
	source, err := os.ReadFile("config.go")
	if err != nil {
		t.Fatal(err)
	}
	read := map[string]bool{}
	for _, m := range regexp.MustCompile(`\b(?:get|or|getenv)\("([A-Z_]+)"\)`).FindAllSubmatch(source, -1) {
		read[string(m[1])] = true
	}
	for _, s := range settings {
		if !read[s.name] {
			t.Errorf("%s is documented but not read", s.name)
		}
		delete(read, s.name)
	}
	for name := range read {
		t.Errorf("%s is read but not documented", name)
	}
}

func TestLocalURL(t *testing.T) {
	for addr, want := range map[string]string{
		"localhost:8080": "http://localhost:8080",
		":80":            "http://localhost:80",
		"0.0.0.0:9000":   "http://localhost:9000",
		"[::]:9000":      "http://localhost:9000",
		"[::1]:9000":     "http://[::1]:9000",
		"10.0.0.5:9000":  "http://10.0.0.5:9000",
	} {
		if got := localURL(addr); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
}
