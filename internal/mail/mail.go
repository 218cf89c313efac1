// Package mail hands messages to a mail server over SMTP. It keeps nothing: queue, log and retries are
// internal/postgres's. Entry points: Parse reads the address of a server, Server.Send sends one message.
package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/url"
	"strconv"
	"time"

	gomail "github.com/wneessen/go-mail"

	"rackwright/internal/quote"
)

// timeout bounds one step of a conversation with the server.
const timeout = 30 * time.Second

// Server is a mail server and the address that messages come from.
type Server struct {
	host     string
	port     int
	implicit bool // TLS from the first byte
	policy   gomail.TLSPolicy
	user     string
	password string
	from     *netmail.Address // nil is the company's address
}

// Parse reads the address of a server: "smtp://user:password@host:587" starts TLS and refuses a server without it,
// except on the same machine; "smtps://host:465" speaks TLS from the start; "smtp://host:25?tls=none" never does. from is
// "Name <address>" or "", which is the company's own address.
func Parse(address, from string) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("it is no address of a mail server") // the text of the error has the password
	}
	s := &Server{host: u.Hostname(), implicit: u.Scheme == "smtps", user: u.User.Username()}
	s.password, _ = u.User.Password()
	s.port = 587
	if s.implicit {
		s.port = 465
	}
	if u.Scheme != "smtp" && u.Scheme != "smtps" || s.host == "" {
		return nil, errors.New("it must be smtp://… or smtps://… with a host")
	}
	if p := u.Port(); p != "" {
		if s.port, err = strconv.Atoi(p); err != nil || s.port < 1 || s.port > 65535 {
			return nil, fmt.Errorf("port %q is no port", p)
		}
	}
	switch tls := u.Query().Get("tls"); {
	case tls == "none" && !s.implicit:
		s.policy = gomail.NoTLS
	case tls != "":
		return nil, fmt.Errorf("tls=%q: only tls=none is known, for smtp", tls)
	case isLocal(s.host):
		s.policy = gomail.TLSOpportunistic
	default:
		s.policy = gomail.TLSMandatory
	}
	if from != "" {
		if s.from, err = netmail.ParseAddress(from); err != nil {
			return nil, fmt.Errorf("%q is no e-mail address", from)
		}
	}
	return s, nil
}

// isLocal reports whether a host is this machine.
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}

// Host returns host and port for people to read.
func (s *Server) Host() string { return net.JoinHostPort(s.host, strconv.Itoa(s.port)) }

// From returns the address that messages come from, for people to read; "" is the company's own.
func (s *Server) From() string {
	if s.from == nil {
		return ""
	}
	return s.from.Address
}

// Send hands one message to the server. An error that wraps quote.ErrMailRefused is for good. Everything else may be tried again:
// the Message-ID stays the same.
func (s *Server) Send(ctx context.Context, m quote.Outgoing) error {
	msg, err := s.message(m)
	if err != nil {
		return fmt.Errorf("%w: %w", quote.ErrMailRefused, err) // an address that no server would take
	}
	client, err := gomail.NewClient(s.host, s.options()...)
	if err != nil {
		return fmt.Errorf("mail server %s: %w", s.host, err)
	}
	err = client.DialAndSendWithContext(ctx, msg)
	if err == nil {
		return nil
	}
	if refused, ok := errors.AsType[*gomail.SendError](err); ok && !refused.IsTemp() && refused.ErrorCode() >= 500 {
		return fmt.Errorf("%w: %w", quote.ErrMailRefused, err)
	}
	return err
}

func (s *Server) options() []gomail.Option {
	opts := []gomail.Option{gomail.WithPort(s.port), gomail.WithTimeout(timeout)}
	if s.implicit {
		opts = append(opts, gomail.WithSSL())
	} else {
		opts = append(opts, gomail.WithTLSPolicy(s.policy))
	}
	if s.user != "" {
		opts = append(opts, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(s.user), gomail.WithPassword(s.password))
	}
	return opts
}

// message writes the message: plain text in UTF-8, so that it says the same in every mail program.
func (s *Server) message(m quote.Outgoing) (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	from := netmail.Address{Name: m.FromName, Address: m.From}
	if s.from != nil {
		from.Address = s.from.Address
		if s.from.Name != "" {
			from.Name = s.from.Name
		}
	}
	if err := msg.FromFormat(from.Name, from.Address); err != nil {
		return nil, err
	}
	if err := msg.To(m.To...); err != nil {
		return nil, err
	}
	if len(m.Cc) > 0 {
		if err := msg.Cc(m.Cc...); err != nil {
			return nil, err
		}
	}
	if m.ReplyTo != "" {
		if err := msg.ReplyTo(m.ReplyTo); err != nil {
			return nil, err
		}
	}
	msg.Subject(m.Subject)
	msg.SetMessageIDWithValue(m.HeaderID)
	msg.SetDateWithValue(m.CreatedAt)
	msg.SetGenHeader(gomail.HeaderContentLang, m.Lang)
	msg.SetGenHeader("Auto-Submitted", autoSubmitted(m.Kind))
	msg.SetBodyString(gomail.TypeTextPlain, m.Body)
	if m.File != nil {
		err := msg.AttachReader(m.FileName, bytes.NewReader(m.File), gomail.WithFileContentType("application/pdf"))
		if err != nil {
			return nil, err
		}
	}
	return msg, nil
}

// autoSubmitted keeps holiday answers from answering the program (RFC 3834).
func autoSubmitted(k quote.MailKind) string {
	if k == quote.QuoteMail {
		return "no"
	}
	return "auto-generated"
}
