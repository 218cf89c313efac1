package static

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every class of the style sheets occurs in a template, in Go code or in a script. What no
// page uses is taken out, so that the sheets stay small enough to be understood.
func TestClassesAreUsed(t *testing.T) {
	words := map[string]bool{}
	quoted := regexp.MustCompile("\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`")
	word := regexp.MustCompile(`[A-Za-z][\w-]*`)
	for _, dir := range []string{"../web", "../internal/view", "../internal/chart", "js"} {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !mayNameClasses(name) {
				return err
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			for _, q := range quoted.FindAllString(string(text), -1) {
				for _, w := range word.FindAllString(q, -1) {
					words[w] = true
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for class, sheets := range classes(t) {
		if !words[class] {
			t.Errorf("no page uses .%s of %s", class, strings.Join(sheets, ", "))
		}
	}
}

func mayNameClasses(name string) bool {
	switch filepath.Ext(name) {
	case ".templ":
		return true
	case ".go":
		return !strings.HasSuffix(name, "_templ.go") && !strings.HasSuffix(name, "_test.go")
	case ".js":
		return !strings.Contains(name, ".min.")
	}
	return false
}

// classes returns the classes that selectors name, with the sheets that name them.
func classes(t *testing.T) map[string][]string {
	t.Helper()
	comment := regexp.MustCompile(`(?s)/\*.*?\*/`)
	declarations := regexp.MustCompile(`\{[^{}]*\}`)
	class := regexp.MustCompile(`\.([a-zA-Z][\w-]*)`)
	names, err := filepath.Glob("css/*.css")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		selectors := declarations.ReplaceAllString(comment.ReplaceAllString(string(text), ""), "{}")
		for _, m := range class.FindAllStringSubmatch(selectors, -1) {
			if sheet := filepath.Base(name); !slices.Contains(found[m[1]], sheet) {
				found[m[1]] = append(found[m[1]], sheet)
			}
		}
	}
	return found
}
