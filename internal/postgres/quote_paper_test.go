package postgres_test

import (
	"strings"
	"testing"

	"rackwright/internal/apperr"
	"rackwright/internal/quote"
	"rackwright/internal/testdb"
)

// What was made or sent cannot be changed in the database either; contents that nothing names any more go.
func TestPapersAndFilesAreWrittenOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	q := s.create(t, s.content())
	attach := func(version int64, name, content string) {
		t.Helper()
		if err := s.AddFile(t.Context(), quote.AddFile{QuoteID: q.ID, Version: version, Actor: s.sales, Name: name, Bytes: []byte(content)}); err != nil {
			t.Fatal(err)
		}
	}
	attach(q.Version, "a.txt", "first")
	attach(q.Version+1, "b.txt", "first")
	attach(q.Version+2, "c.txt", "second")
	q = must(s.Quote(t.Context(), q.ID))(t)
	conn := testdb.Connect(t, s.url)
	contents := func() (n int) {
		t.Helper()
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM file_content").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if len(q.Revision.Files) != 3 || contents() != 2 {
		t.Fatalf("%d files, %d contents", len(q.Revision.Files), contents())
	}
	err := s.AddFile(t.Context(), quote.AddFile{QuoteID: q.ID, Version: 1, Actor: s.sales, Name: "d.txt", Bytes: []byte("x")})
	if !apperr.Is(err, apperr.Conflict) {
		t.Errorf("attached to an older version: %v", err)
	}
	if err := s.RemoveFile(t.Context(), quote.RemoveFile{QuoteID: q.ID, Version: q.Version, Actor: s.sales, FileID: q.Revision.Files[2].ID}); err != nil {
		t.Fatal(err)
	}
	if n := contents(); n != 1 {
		t.Errorf("%d contents after the removal of one", n)
	}
	q = must(s.Quote(t.Context(), q.ID))(t)
	must(s.SendQuote(t.Context(), s.dispatch(q)))(t)
	for _, sql := range []string{
		"UPDATE quote_paper SET sha256 = sha256", "DELETE FROM quote_paper", "UPDATE quote_file SET name = 'x.txt'", "DELETE FROM quote_file", "UPDATE file_content SET bytes = 'x'",
		"INSERT INTO quote_file (revision_id, name, sha256, created_at, created_by) SELECT revision_id, 'y.txt', sha256, created_at, created_by FROM quote_file",
	} {
		if _, err := conn.Exec(t.Context(), sql); err == nil || !strings.Contains(err.Error(), "written once") && !strings.Contains(err.Error(), "do not change") {
			t.Errorf("%s: %v", sql, err)
		}
	}
}
