package quote

import (
	"slices"
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	tests := []struct {
		name, typed, want, bad string
	}{
		{"one", "tan@example.com", "tan@example.com", ""},
		{"with names", "Tan Wei Ling <tan@example.com>; lim@example.com", "tan@example.com lim@example.com", ""},
		{"lines and full-width commas", "a@example.com\nb@example.com，c@example.com", "a@example.com b@example.com c@example.com", ""},
		{"twice", "Tan@example.com, tan@EXAMPLE.com", "Tan@example.com", ""},
		{"none", " , ;", "", ""},
		{"no address", "a@example.com, nobody", "", "nobody"},
		{"no domain", "tan@example", "", "tan@example"},
		{"this machine", "root@localhost", "root@localhost", ""},
		{"a header in it", "a@example.com\r\nBcc: evil@example.com", "", "Bcc: evil@example.com"},
		{"too long", strings.Repeat("x", 250) + "@example.com", "", strings.Repeat("x", 250) + "@example.com"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, bad := Addresses(tt.typed)
			if strings.Join(got, " ") != tt.want || bad != tt.bad {
				t.Errorf("%v, bad %q", got, bad)
			}
		})
	}
}

func TestValidateMail(t *testing.T) {
	good := Mail{Kind: QuoteMail, To: []string{"a@example.com"}, Subject: "Quote", Body: "Here: " + LinkMark}
	tests := []struct {
		name   string
		change func(*Mail)
		field  string
	}{
		{"fine", func(*Mail) {}, ""},
		{"nobody", func(m *Mail) { m.To = nil }, "to"},
		{"a crowd", func(m *Mail) { m.To = slices.Repeat(m.To, 21) }, "to"},
		{"copies to a crowd", func(m *Mail) { m.Cc = slices.Repeat(m.To, 21) }, "cc"},
		{"no subject", func(m *Mail) { m.Subject = " " }, "subject"},
		{"subject of two lines", func(m *Mail) { m.Subject = "a\nBcc: b@example.com" }, "subject"},
		{"no text", func(m *Mail) { m.Body = "" }, "body"},
		{"neither link nor document", func(m *Mail) { m.Body = "Hello" }, "body"},
		{"document without link", func(m *Mail) { m.Body, m.Document = "Hello", true }, ""},
		{"long", func(m *Mail) { m.Body += strings.Repeat("x", MaxMailBody) }, "body"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := good
			tt.change(&m)
			err := m.Validate()
			if (err == nil) != (tt.field == "") || (err != nil && !hasField(err, tt.field)) {
				t.Errorf("%v, want %q", err, tt.field)
			}
		})
	}
}
