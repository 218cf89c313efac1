package i18n

import (
	"bytes"
	"embed"
	"encoding/csv"
	"fmt"
	"io"
	"io/fs"
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

// shipped is the table of all messages. The files are part of the binary and a test reads
// them, so a fault in them is a fault of the build and not of a request.
var shipped = sync.OnceValue(func() map[string]message {
	table, err := loadAll(glossaryFile, messageFiles)
	if err != nil {
		panic("i18n: " + err.Error())
	}
	return table
})

// loadAll reads the glossary and every file of messages. An id may occur once only.
func loadAll(glossary []byte, files fs.FS) (map[string]message, error) {
	table := make(map[string]message, 2048)
	if err := load(table, "glossary.csv", bytes.NewReader(glossary), glossaryHeader, glossaryRow); err != nil {
		return nil, err
	}
	names, err := fs.Glob(files, "messages/*.csv")
	if err != nil {
		return nil, fmt.Errorf("list messages: %w", err)
	}
	sort.Strings(names)
	for _, name := range names {
		if err := loadFile(table, files, name); err != nil {
			return nil, err
		}
	}
	return table, nil
}

func loadFile(table map[string]message, files fs.FS, name string) error {
	f, err := files.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return load(table, name, f, messageHeader, messageRow)
}

// load adds the rows of one file to the table.
func load(table map[string]message, name string, r io.Reader, header []string, row func([]string) (string, message)) error {
	cr := csv.NewReader(r)
	cr.FieldsPerRecord = len(header)
	head, err := cr.Read()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for i, want := range header {
		if head[i] != want {
			return fmt.Errorf("%s: column %d is %q, want %q", name, i+1, head[i], want)
		}
	}
	for {
		record, err := cr.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		id, m := row(record)
		if _, ok := table[id]; ok {
			line, _ := cr.FieldPos(0)
			return fmt.Errorf("%s:%d: %q is there already", name, line, id)
		}
		table[id] = m
	}
}

func glossaryRow(r []string) (string, message) { return r[1] + "." + r[0], message{r[2], r[3], r[4]} }
func messageRow(r []string) (string, message)  { return r[0], message{r[1], r[2], r[3]} }
