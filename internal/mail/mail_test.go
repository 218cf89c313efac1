package mail

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"rackwright/internal/mailtest"
	"rackwright/internal/quote"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, address, from, want string // host and port, or a part of the error
	}{
		{"start TLS", "smtp://u:p@mail.example.com", "", "mail.example.com:587"},
		{"TLS from the start", "smtps://mail.example.com", "", "mail.example.com:465"},
		{"port", "smtp://mail.example.com:2525", "", "mail.example.com:2525"},
		{"no TLS", "smtp://mail.example.com:25?tls=none", "", "mail.example.com:25"},
		{"from", "smtp://h.example", "Sales <sales@example.com>", "h.example:587"},
		{"other scheme", "http://mail.example.com", "", "must be smtp"},
		{"no host", "smtp://", "", "must be smtp"},
		{"bad port", "smtp://h:99999", "", "no port"},
		{"bad tls", "smtp://h?tls=perhaps", "", "only tls=none"},
		{"bad from", "smtp://h", "Sales", "no e-mail address"},
		{"does not parse", "smtp://u:secretword%zz@h", "", "no address of a mail server"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Parse(tt.address, tt.from)
			if err != nil {
				if !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secretword") {
					t.Errorf("%v, want %s", err, tt.want)
				}
				return
			}
			if s.Host() != tt.want {
				t.Errorf("%s, want %s", s.Host(), tt.want)
			}
		})
	}
}

func letter() quote.Outgoing {
	return quote.Outgoing{
		Mail: quote.Mail{Kind: quote.QuoteMail, To: []string{"tan@example.com", "lim@example.com"}, Cc: []string{"copy@example.com"},
			ReplyTo: "sales@example.com", Subject: "报价单 Q-2026-0001 – Zwölf Server", Body: "您好，\n\nhttps://example.com/q/x\n", Lang: "zh-Hans",
			CreatedAt: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)},
		HeaderID: "abc@rackwright", FromName: "示例算力", From: "office@example.com", FileName: "报价单-Q-2026-0001.pdf", File: []byte("%PDF-1.7 x"),
	}
}

// What a real server received is what was sent, in Chinese too.
func TestSend(t *testing.T) {
	t.Parallel()
	box := mailtest.Start(t)
	s, err := Parse(box.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	m := letter()
	if err := s.Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	got := box.Wait(t, 1)[0]
	if got.Subject != m.Subject || strings.TrimSpace(strings.ReplaceAll(got.Text, "\r", "")) != strings.TrimSpace(m.Body) || got.MessageID != m.HeaderID {
		t.Errorf("%+v", got)
	}
	if got.From != (mailtest.Person{Name: "示例算力", Address: "office@example.com"}) || len(got.To) != 2 || len(got.Cc) != 1 ||
		len(got.ReplyTo) != 1 || got.ReplyTo[0].Address != "sales@example.com" {
		t.Errorf("people: %+v", got)
	}
	if len(got.Attachments) != 1 || got.Attachments[0].FileName != m.FileName || got.Attachments[0].ContentType != "application/pdf" {
		t.Fatalf("attachments: %+v", got.Attachments)
	}
	if file := box.File(t, got, got.Attachments[0]); !bytes.Equal(file, m.File) {
		t.Errorf("the file arrived as %q", file)
	}
}

// A refusal for good is told from one that may pass.
func TestRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, chaos string
		forGood     bool
	}{
		{"mailbox is unknown", "Recipient:550:100", true},
		{"busy", "Recipient:451:100", false},
		{"sender is not welcome", "Sender:553:100", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			box := mailtest.Start(t, "--chaos-triggers", tt.chaos)
			s, err := Parse(box.URL, "")
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Send(t.Context(), letter()); err == nil || errors.Is(err, quote.ErrMailRefused) != tt.forGood {
				t.Errorf("%v, for good %v", err, tt.forGood)
			}
		})
	}
}

// A server that is away, or that has no TLS where TLS is wanted, is tried again; an address that is none is not.
func TestAway(t *testing.T) {
	t.Parallel()
	s, err := Parse("smtp://127.0.0.1:1", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(context.Background(), letter()); err == nil || errors.Is(err, quote.ErrMailRefused) {
		t.Errorf("nobody listens: %v", err)
	}
	m := letter()
	m.To = []string{"a@b\r\nBcc: x@example.com"}
	if err := s.Send(context.Background(), m); !errors.Is(err, quote.ErrMailRefused) {
		t.Errorf("no address: %v", err)
	}
}

// Neither subject nor names can add a header.
func TestNoHeaderInjection(t *testing.T) {
	s, err := Parse("smtp://127.0.0.1:1", "")
	if err != nil {
		t.Fatal(err)
	}
	m := letter()
	m.Subject, m.FromName = "Hello\r\nBcc: evil@example.com", "A\r\nBcc: evil@example.com"
	msg, err := s.message(m)
	if err != nil {
		return // refused is as good
	}
	var b bytes.Buffer
	if _, err := msg.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(strings.ToLower(line), "bcc:") {
			t.Errorf("a header was added:\n%s", b.String())
		}
	}
}
