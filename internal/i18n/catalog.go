package i18n

import (
	"bytes"
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sort"
	"sync"
)

//go:embed glossary.csv
var glossaryFile []byte

//go:embed messages/*.csv
var messageFiles embed.FS

// message holds one text in every language, in the order of Langs.
type message [3]string

var langIndex = map[Lang]int{English: 0, Simplified: 1, Traditional: 2}

// The header of glossary.csv ends in a note on status and relation of the term; the
// product's own sentences need none.
var (
	glossaryHeader = []string{"key", "group", "en", "zh_hans", "zh_hant", "note"}
	messageHeader  = []string{"key", "en", "zh_hans", "zh_hant"}
)

// shipped is the table of all messages. A row that cannot be used is left out and its message
// shows as its id: the product goes on, and a test keeps such a file from being shipped.
var shipped = sync.OnceValue(func() map[string]message {
	table, _ := loadAll(glossaryFile, messageFiles)
	return table
})

// loadAll reads the glossary and every file of messages. The error names every row that
// could not be used; an id may occur once only, and the first one stays.
func loadAll(glossary []byte, files fs.FS) (map[string]message, error) {
	table := make(map[string]message, 2048)
	faults := load(table, "glossary.csv", bytes.NewReader(glossary), glossaryHeader, glossaryRow)
	names, err := fs.Glob(files, "messages/*.csv")
	if err != nil {
		return table, fmt.Errorf("list messages: %w", err)
	}
	sort.Strings(names)
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		faults = append(faults, load(table, name, bytes.NewReader(text), messageHeader, messageRow)...)
	}
	return table, errors.Join(faults...)
}

// load adds the rows of one file to the table and returns what is wrong with the others.
func load(table map[string]message, name string, r io.Reader, header []string, row func([]string) (string, message)) []error {
	cr := csv.NewReader(r)
	cr.FieldsPerRecord = len(header)
	head, err := cr.Read()
	if err != nil {
		return []error{fmt.Errorf("%s: %w", name, err)}
	}
	if !slices.Equal(head, header) {
		return []error{fmt.Errorf("%s: header is %q, want %q", name, head, header)}
	}
	var faults []error
	for {
		record, err := cr.Read()
		switch {
		case err == io.EOF:
			return faults
		case errors.Is(err, csv.ErrFieldCount):
			faults = append(faults, fmt.Errorf("%s: %w", name, err))
			continue
		case err != nil: // a stray quotation mark: where the next row begins is not known
			return append(faults, fmt.Errorf("%s: %w", name, err))
		}
		id, m := row(record)
		if _, ok := table[id]; ok {
			line, _ := cr.FieldPos(0)
			faults = append(faults, fmt.Errorf("%s:%d: %q is there already", name, line, id))
			continue
		}
		table[id] = m
	}
}

func glossaryRow(r []string) (string, message) { return r[1] + "." + r[0], message{r[2], r[3], r[4]} }
func messageRow(r []string) (string, message)  { return r[0], message{r[1], r[2], r[3]} }
