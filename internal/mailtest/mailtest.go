// Package mailtest starts a real mail server for tests: mailpit, which takes messages over SMTP, keeps them, and tells
// them by HTTP. It is built from source, with the checksums of mailpit/go.sum; the module is apart from ours, so that
// nothing of it is in the product.
package mailtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// Box is a running mail server and what it received.
type Box struct {
	URL string // for SMTP_URL
	web string
}

// Message is one message as it arrived.
type Message struct {
	ID          string
	MessageID   string
	From        Person
	To, Cc      []Person
	ReplyTo     []Person
	Subject     string
	Text        string
	Attachments []Attachment
}

// Person is a name and an address.
type Person struct{ Name, Address string }

// Attachment is a file of a message.
type Attachment struct {
	PartID, FileName, ContentType string
	Size                          int
}

var program = sync.OnceValues(func() (string, error) {
	_, here, _, _ := runtime.Caller(0)
	cmd := exec.Command("go", "tool", "-n", "mailpit")
	cmd.Dir = filepath.Join(filepath.Dir(here), "mailpit")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("build mailpit: %w\n%s", err, stderr.String())
	}
	return strings.TrimSpace(string(out)), nil
})

// Start runs a mail server until the test ends. flags are further options of mailpit.
func Start(t testing.TB, flags ...string) *Box {
	t.Helper()
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	smtp, web := freePort(t), freePort(t)
	args := append([]string{"--smtp", smtp, "--listen", web, "--database", filepath.Join(t.TempDir(), "mail.db"),
		"--disable-version-check", "--smtp-disable-rdns", "--quiet"}, flags...)
	cmd := exec.Command(bin, args...)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it keeps nothing that matters
		_ = cmd.Wait()
	})
	b := &Box{URL: "smtp://" + smtp + "?tls=none", web: "http://" + web}
	for range 1000 {
		if b.answers() {
			return b
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("the mail server does not start:\n%s", log.String())
	return nil
}

// freePort returns an address that nobody listens on just now.
func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

func (b *Box) answers() bool {
	resp, err := http.Get(b.web + "/readyz")
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func (b *Box) get(ctx context.Context, path string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.web+path, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", path, resp.Status)
	}
	return body, err
}

// Messages returns what has arrived, the oldest first.
func (b *Box) Messages(t testing.TB) []Message {
	t.Helper()
	raw, err := b.get(context.Background(), "/api/v1/messages?limit=500")
	if err != nil {
		t.Fatal(err)
	}
	var list struct{ Messages []struct{ ID string } }
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	out := make([]Message, len(list.Messages))
	for i, m := range list.Messages { // newest first
		raw, err := b.get(context.Background(), "/api/v1/message/"+m.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &out[len(out)-1-i]); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// Wait returns the messages once there are n, and fails the test when that takes too long.
func (b *Box) Wait(t testing.TB, n int) []Message {
	t.Helper()
	for range 600 {
		if m := b.Messages(t); len(m) >= n {
			return m
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%d messages, want %d", len(b.Messages(t)), n)
	return nil
}

// File returns the bytes of an attachment.
func (b *Box) File(t testing.TB, m Message, a Attachment) []byte {
	t.Helper()
	raw, err := b.get(context.Background(), "/api/v1/message/"+m.ID+"/part/"+a.PartID)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
