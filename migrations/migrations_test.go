package migrations_test

import (
	"io/fs"
	"regexp"
	"strconv"
	"testing"

	"rackwright/migrations"
)

// Numbers run from 1 without a gap or a clash, and each has exactly one way up and one down.
func TestPairs(t *testing.T) {
	entries, err := fs.ReadDir(migrations.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	pattern := regexp.MustCompile(`^(\d{6})_([a-z_]+)\.(up|down)\.sql$`)
	names := map[int]map[string]string{} // number, direction, name
	for _, e := range entries {
		m := pattern.FindStringSubmatch(e.Name())
		if m == nil {
			t.Errorf("%s is not of the form 000001_name.up.sql", e.Name())
			continue
		}
		number, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		if names[number] == nil {
			names[number] = map[string]string{}
		}
		if other, taken := names[number][m[3]]; taken {
			t.Errorf("number %d %s is both %s and %s", number, m[3], other, m[2])
		}
		names[number][m[3]] = m[2]
	}
	for number := 1; number <= len(names); number++ {
		pair, ok := names[number]
		switch {
		case !ok:
			t.Errorf("number %d is missing", number)
		case len(pair) != 2:
			t.Errorf("number %d has no pair: %v", number, pair)
		case pair["up"] != pair["down"]:
			t.Errorf("number %d: up is %s, down is %s", number, pair["up"], pair["down"])
		}
	}
}
