package server

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"rackwright/internal/mail"
	"rackwright/internal/mailtest"
	"rackwright/internal/postgres"
	"rackwright/internal/quote"
)

// mailing is a shop with a real mail server, whose jobs run until the test ends.
func mailing(t *testing.T, flags ...string) (*shop, *mailtest.Box) {
	t.Helper()
	s := newShop(t)
	box := mailtest.Start(t, flags...)
	s.server.mailHost = "mail.example"
	s.work(t, box)
	return s, box
}

// work runs jobs as a replica would.
func (s *shop) work(t *testing.T, box *mailtest.Box) {
	t.Helper()
	out, err := mail.Parse(box.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- s.db.RunJobs(ctx, postgres.Jobs{Send: out.Send, Remind: s.server.Remind, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

var linkInText = regexp.MustCompile(`http://example\.com(/q/[A-Za-z0-9_-]+)`)

// One press of the button sends the quote and the message; the customer reads it, opens the link and accepts, and the owner
// is told. A double click sends one message.
func TestQuoteByMail(t *testing.T) {
	s, box := mailing(t)
	at := s.priced(s.sales)
	page := s.sales.get(at + "/send").status(http.StatusOK)
	f := page.form(at + "/send")
	f.Set("by_mail", "yes")
	f.Set("document", "yes")
	f.Set("to", "Tan Wei Ling <tan@example.com>, lim@example.com")
	f.Set("cc", "office@example.com")
	s.sales.post(at+"/send", f).leads(at)
	s.sales.post(at+"/send", f).leads(at)
	m := box.Wait(t, 1)[0]
	if m.Subject != "Quote Q-2026-0001: Two servers" || len(m.To) != 2 || len(m.Cc) != 1 || !strings.Contains(m.Text, "Tan Wei Ling") {
		t.Errorf("%+v", m)
	}
	if len(m.Attachments) != 1 || m.Attachments[0].FileName != "Q-2026-0001.pdf" {
		t.Fatalf("attachments %+v", m.Attachments)
	}
	stored := s.sales.get(at + "/pdf").Body.Bytes()
	if string(box.File(t, m, m.Attachments[0])) != string(stored) {
		t.Error("the attachment is not the document that is kept")
	}
	link := linkInText.FindStringSubmatch(m.Text)
	if link == nil {
		t.Fatalf("no link in:\n%s", m.Text)
	}
	customer := s.visitor()
	customer.post(link[1]+"/accept", accepting(customer, link[1])).leads(link[1])
	if n := len(box.Messages(t)); n > 2 {
		t.Errorf("%d messages", n)
	}
	s.eventually(t, func() bool { return strings.Contains(s.sales.get(at+"/mail").Body.String(), "the server took it") })
	log := s.sales.get(at + "/mail").says("tan@example.com").says("sent")
	if strings.Contains(log.Body.String(), link[1]) {
		t.Error("the log shows the customer's link")
	}
	s.sales.get(at).says("sent revision 1 by e-mail")
}

// eventually waits until something that a job does is done.
func (s *shop) eventually(t *testing.T, done func() bool) {
	t.Helper()
	for range 400 {
		if done() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("it did not happen")
}

// Faults of a message are at its fields, nothing is sent and nothing typed is lost.
func TestMailFormFaults(t *testing.T) {
	s, box := mailing(t)
	at := s.priced(s.sales)
	f := s.sales.get(at + "/send").form(at + "/send")
	f.Set("by_mail", "yes")
	for field, bad := range map[string]string{"to": "nobody", "cc": "a@b@c", "subject": " ", "body": ""} {
		g := cloned(f)
		g.Set("to", "tan@example.com")
		g.Set(field, bad)
		g.Set("key", newKey())
		a := s.sales.post(at+"/send", g).status(http.StatusUnprocessableEntity)
		if a.fault(field) == "" {
			t.Errorf("%s = %q is no fault of its field", field, bad)
		}
		if v := a.form(at + "/send").Get(field); strings.TrimSpace(v) != strings.TrimSpace(bad) {
			t.Errorf("%s: typed %q, shown again %q", field, bad, v)
		}
	}
	if q, err := s.db.Quote(t.Context(), quoteID(t, at)); err != nil || q.Revision.State != quote.Draft || q.Number != "" {
		t.Errorf("%+v, %v", q.Revision.State, err)
	}
	if n := len(box.Messages(t)); n != 0 {
		t.Errorf("%d messages", n)
	}
}

// Sending again makes a link of its own; the first still works.
func TestMailAgain(t *testing.T) {
	s, box := mailing(t)
	at := s.priced(s.sales)
	first := s.send(s.sales, at)
	f := s.sales.get(at + "/mail").status(http.StatusOK).form(at + "/mail")
	f.Set("to", "new@example.com")
	s.sales.post(at+"/mail", f).leads(at + "/mail")
	m := box.Wait(t, 1)[0]
	link := linkInText.FindStringSubmatch(m.Text)
	if link == nil || link[1] == first {
		t.Fatalf("link %v", link)
	}
	for _, l := range []string{first, link[1]} {
		s.visitor().get(l).status(http.StatusOK).says("Accept quote")
	}
	s.visitor().get(at + "/mail").status(http.StatusSeeOther)
}

// A message that the server refuses for good is given up at once and says why; its link is forgotten.
func TestMailRefused(t *testing.T) {
	s, _ := mailing(t, "--chaos-triggers", "Recipient:550:100")
	s.root(t).post("/admin/mail/test", s.testMail(t, "gone@example.com")).leads("/admin/mail")
	s.eventually(t, func() bool { return strings.Contains(s.root(t).get("/admin/mail").Body.String(), ">failed<") })
	s.root(t).get("/admin/mail").says("gone@example.com").says("Attempt 1").says("550")
}

// root is somebody who may change the company.
func (s *shop) root(t *testing.T) *browser {
	t.Helper()
	if s.admin == nil {
		s.admin = s.as("root", "admin")
	}
	return s.admin
}

func (s *shop) testMail(t *testing.T, to string) url.Values {
	t.Helper()
	f := s.root(t).get("/admin/mail").status(http.StatusOK).form("/admin/mail/test")
	f.Set("to", to)
	return f
}

// Reminders go out once, to the owner and to the customer as the company wants it, whatever number of replicas runs them.
func TestReminders(t *testing.T) {
	s, box := mailing(t)
	s.work(t, box) // a second replica
	page := s.root(t).get("/admin/mail").form("/admin/mail")
	page.Set("reminder_days", "61")
	s.root(t).post("/admin/mail", page).status(http.StatusUnprocessableEntity)
	page.Set("reminder_days", "3")
	page.Set("remind_customers", "yes")
	s.root(t).post("/admin/mail", page).leads("/admin/mail")
	at := s.priced(s.sales)
	edit(s.sales, at, "save", map[string]string{"customer.email": "tan@example.com"}).leads(at)
	s.send(s.sales, at) // valid until 14 December
	if err := s.server.Remind(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.pass(11 * 24 * time.Hour) // 11 December in Singapore
	for range 3 {
		if err := s.server.Remind(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	got := box.Wait(t, 1)
	time.Sleep(300 * time.Millisecond) // a second one would be a fault
	subjects := map[string]int{}
	for _, m := range box.Messages(t) {
		subjects[m.Subject]++
	}
	if subjects["Our quote Q-2026-0001 is valid until 14 December 2026"] != 1 || len(subjects) > 2 {
		t.Errorf("%v", subjects)
	}
	if !linkInText.MatchString(got[0].Text) && !strings.Contains(got[0].Text, "/quotes/") {
		t.Errorf("no address in:\n%s", got[0].Text)
	}
	if log, err := s.db.MailOf(t.Context(), quoteID(t, at)); err != nil || len(log) != len(got) {
		t.Errorf("%d messages kept, %d came: %v", len(log), len(got), err)
	}
}
