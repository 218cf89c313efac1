package view

import (
	"strings"

	"rackwright/internal/quote"
)

// QuotePapers are the documents of the order that an accepted revision is.
type QuotePapers struct {
	Action  string
	Version string
	Rows    []QuotePaper
}

// QuotePaper is a document of the order: one that is there, or a button that makes it.
type QuotePaper struct {
	Paper string
	Label string
	Href  string // empty is not made yet
	Sub   string // when, by whom, how large
	Key   string // of the form that makes it; empty is not allowed
}

// quotePapers lists the papers of the revision; nil while it is no order and has none.
func quotePapers(p Page, in QuoteData, base string) *QuotePapers {
	rev := in.Quote.Revision
	v := &QuotePapers{Action: base + "/papers", Version: itoa(int(in.Quote.Version))}
	made := map[quote.Paper]quote.MadePaper{}
	for _, m := range in.Papers {
		if m.Revision == rev.Number {
			made[m.Paper] = m
		}
	}
	may := in.MayEdit && rev.State == quote.Accepted && isNewest(in.Quote)
	for _, paper := range quote.Papers {
		row := QuotePaper{Paper: string(paper), Label: p.T("papers." + string(paper))}
		if m, ok := made[paper]; ok {
			row.Href = base + "/revisions/" + itoa(rev.Number) + "/papers/" + string(paper)
			row.Sub = p.T("papers.made_by", "date", Date(p.L.Lang(), m.At.In(in.Zone)), "name", m.By, "size", FileSize(int64(m.Size)))
		} else if may {
			row.Key = in.Key + string(paper[0])
		} else {
			continue
		}
		v.Rows = append(v.Rows, row)
	}
	if len(v.Rows) == 0 {
		return nil
	}
	return v
}

// QuoteFiles are the files attached to a revision.
type QuoteFiles struct {
	Action string // empty is read-only
	Rows   []QuoteFile
	Field  Field
}

// QuoteFile is one attached file.
type QuoteFile struct {
	Name   string
	Href   string
	Sub    string // size, and who attached it
	Hash   string // SHA-256, hex
	Remove string // address of the removal; empty is not allowed
}

// quoteFiles lists the files of the revision; nil when there are none and none can be added.
func quoteFiles(p Page, in QuoteData, base string, editable bool) *QuoteFiles {
	v := &QuoteFiles{}
	for _, f := range in.Quote.Revision.Files {
		row := QuoteFile{Name: f.Name, Href: base + "/files/" + itoa(int(f.ID)), Hash: f.SHA256,
			Sub: p.T("files.added_by", "size", FileSize(int64(f.Size)), "name", f.By, "date", Date(p.L.Lang(), f.At.In(in.Zone)))}
		if editable {
			row.Remove = row.Href + "/remove"
		}
		v.Rows = append(v.Rows, row)
	}
	if editable {
		v.Action = base + "/files"
		v.Field = Field{Name: "file", Type: "file", Label: p.T("files.add_label"), Error: FieldError(p.L, in.Err, "file"),
			Help: p.T("files.help", "max", quote.MaxFileBytes>>20, "kinds", strings.Join(quote.FileEndings(), " "))}
	}
	if !editable && len(v.Rows) == 0 {
		return nil
	}
	return v
}

// publicFiles lists the files behind a customer's link.
func publicFiles(in PublicData) []QuoteFile {
	var rows []QuoteFile
	for _, f := range in.Quote.Revision.Files {
		rows = append(rows, QuoteFile{Name: f.Name, Href: in.Base + "/files/" + itoa(int(f.ID)), Sub: FileSize(int64(f.Size))})
	}
	return rows
}
