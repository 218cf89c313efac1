package server

import (
	"context"
	"mime"
	"net/http"
	"strconv"

	"github.com/go-chi/httprate"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/quote"
)

// PaperStore is what documents of orders and attached files ask of the database.
type PaperStore interface {
	MakePaper(ctx context.Context, m quote.MakePaper) error
	Papers(ctx context.Context, quoteID int64) ([]quote.MadePaper, error)
	Paper(ctx context.Context, quoteID int64, revision int, paper quote.Paper) (quote.Document, error)
	AddFile(ctx context.Context, a quote.AddFile) error
	RemoveFile(ctx context.Context, f quote.RemoveFile) error
	QuoteFile(ctx context.Context, quoteID, fileID int64) (quote.Document, error)
	FileByToken(ctx context.Context, token string, fileID int64) (quote.Document, error)
}

// fileBody is the largest body of the editor's form with a file. It is more than a file may have, so that one that is too
// large gets a message beside its field, with everything else that was typed.
const fileBody = quoteBody + 3*quote.MaxFileBytes

func (s *Server) paperRoutes() []Route {
	read, edit := auth.ReadQuotes, auth.EditQuotes
	reads := httprate.NewRateLimiter(publicReads, publicWindow)
	return []Route{
		{Method: http.MethodPost, Pattern: "/quotes/{id}/papers", Perm: edit, Handler: s.makePaper},
		{Method: http.MethodGet, Pattern: "/quotes/{id}/revisions/{n}/papers/{paper}", Perm: read, Handler: s.quotePaper},
		{Method: http.MethodPost, Pattern: "/quotes/{id}/files", Perm: edit, Handler: s.quoteAttach, MaxBody: fileBody},
		{Method: http.MethodPost, Pattern: "/quotes/{id}/files/{file}/remove", Perm: edit, Handler: s.quoteDetach, MaxBody: fileBody},
		{Method: http.MethodGet, Pattern: "/quotes/{id}/files/{file}", Perm: read, Handler: s.quoteFile},
		{Method: http.MethodGet, Pattern: "/q/{token}/files/{file}", Perm: auth.Public, Handler: limited(reads, s.publicFile)},
	}
}

// quoteAttach saves the draft as it is in the form and attaches the chosen file to it.
func (s *Server) quoteAttach(w http.ResponseWriter, r *http.Request) error {
	return s.saveWith(w, r, func() (filesChange, error) {
		content, name, chosen, err := file(r, "file")
		if err != nil {
			return nil, err
		}
		if !chosen {
			var f apperr.Faults
			f.Add("file", "files.choose")
			return nil, f.Err()
		}
		if name, err = quote.CheckFile(name, content); err != nil {
			return nil, err
		}
		return func(edit quote.Edit, version int64) error {
			s.flash(w, "ok", "files.added_flash", "name", name)
			return s.store.AddFile(r.Context(), quote.AddFile{
				QuoteID: edit.QuoteID, Version: version, Key: hashHex(edit.Key + hashHex(string(content))), Actor: edit.Actor, Name: name, Bytes: content,
			})
		}, nil
	})
}

// quoteDetach saves the draft as it is in the form and takes a file off it.
func (s *Server) quoteDetach(w http.ResponseWriter, r *http.Request) error {
	fileID, err := pathID(r, "file")
	if err != nil {
		return err
	}
	return s.saveWith(w, r, func() (filesChange, error) {
		return func(edit quote.Edit, version int64) error {
			s.flash(w, "ok", "files.removed_flash")
			return s.store.RemoveFile(r.Context(), quote.RemoveFile{
				QuoteID: edit.QuoteID, Version: version, Key: hashHex(edit.Key + r.PathValue("file")), Actor: edit.Actor, FileID: fileID,
			})
		}, nil
	})
}

// filesChange changes the files of a draft that was saved just now.
type filesChange func(edit quote.Edit, version int64) error

// saveWith saves the draft that is in the form, then changes its files: lines that were not saved yet are not lost by it.
// What is wrong with the form, or with the file, is shown beside everything that was typed.
func (s *Server) saveWith(w http.ResponseWriter, r *http.Request, read func() (filesChange, error)) error {
	q, err := s.ownQuote(r)
	if err != nil {
		return err
	}
	in, f, err := s.readEditor(w, r, q)
	if err != nil {
		return err
	}
	change, fault := read()
	if fault != nil && !apperr.Is(fault, apperr.Invalid) {
		return fault
	}
	edit := quote.Edit{QuoteID: q.ID, Version: f.version(), Key: f.key(), Actor: s.actor(r), Content: f.content, Licence: f.licence}
	var version int64
	if err = firstError(f.faults(), fault); err == nil {
		version, err = s.store.SaveDraft(r.Context(), edit)
	}
	if err != nil {
		return s.quoteAgain(w, r, in, f, err)
	}
	err = change(edit, version)
	if apperr.Is(err, apperr.Invalid) { // the lines are saved; the page shows them with what is wrong with the file
		if q, err2 := s.store.Quote(r.Context(), q.ID); err2 == nil {
			in = s.quoteData(r, q)
			in.Err = err
			return s.quotePage(w, r, in)
		}
	}
	if err != nil {
		return err
	}
	return s.redirect(w, r, quoteURL(q.ID)+"#files")
}

// quoteFile serves an attached file to staff.
func (s *Server) quoteFile(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	fileID, err := pathID(r, "file")
	if err != nil {
		return err
	}
	doc, err := s.store.QuoteFile(r.Context(), id, fileID)
	if err != nil {
		return err
	}
	return writeFile(w, doc)
}

// publicFile serves a file of the revision behind a customer's link.
func (s *Server) publicFile(w http.ResponseWriter, r *http.Request) error {
	token := r.PathValue("token")
	fileID, err := pathID(r, "file")
	if err != nil || !tokenForm.MatchString(token) {
		return s.publicGone(w, r, apperr.New(apperr.NotFound, "errors.page_not_found"))
	}
	doc, err := s.store.FileByToken(r.Context(), token, fileID)
	if err != nil {
		return s.publicGone(w, r, err)
	}
	publicHeaders(w)
	return writeFile(w, doc)
}

// writeFile sends a file that somebody attached. It is always saved and never opened in place, under no address of ours
// does it run: its type is one of ours and not what its content looks like (nosniff is set for every answer).
func writeFile(w http.ResponseWriter, doc quote.Document) error {
	h := w.Header()
	h.Set("Content-Type", quote.FileType(doc.FileName))
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": doc.FileName}))
	h.Set("Content-Length", strconv.Itoa(len(doc.Bytes)))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "private, no-store")
	_, _ = w.Write(doc.Bytes) // the client has gone; nobody is left to tell
	return nil
}
