package view

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rackwright/internal/auth"
	"rackwright/internal/i18n"
)

var (
	auditedAction = regexp.MustCompile(`action(?::| :=| =) *"([a-z_]+\.[a-z_]+)"`)
	auditedObject = regexp.MustCompile(`objectType: *"([a-z_]+)"`)
)

// TestAuditedActionsHaveWords reads what the store records, so that the page of the audit
// log shows words for each.
func TestAuditedActionsHaveWords(t *testing.T) {
	files, err := filepath.Glob("../postgres/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no source of the store: %v", err)
	}
	found := 0
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range auditedAction.FindAllSubmatch(src, -1) {
			found++
			if id := "people.action." + string(m[1]); !i18n.Has(id) {
				t.Errorf("%s: no message %s", name, id)
			}
		}
		for _, m := range auditedObject.FindAllSubmatch(src, -1) {
			if id := "people.object." + string(m[1]); !i18n.Has(id) {
				t.Errorf("%s: no message %s", name, id)
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d audited actions were found; has the form changed?", found)
	}
}

func TestAuditShowsWhatChanged(t *testing.T) {
	p := Page{L: i18n.For(i18n.English), Lang: i18n.English}
	at := time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)
	v := NewAudit(p, []auth.AuditEntry{{
		ID: 7, At: at, Actor: "Anna", Action: "user.update", ObjectType: "user", ObjectID: "3",
		Before: `{"name":"a","email":"x","roles":["sales"],"gone":1}`, After: `{"name":"b","email":"x","roles":["sales","lead"]}`,
	}, {ID: 6, At: at, Action: "made.up", ObjectType: "thing", ObjectID: "1", After: "not json"}},
		time.FixedZone("", 8*3600), 6, true)
	want := []AuditRow{
		{When: "1 Dec 2026, 07:00 (UTC+8)", ISO: "2026-11-30T23:00:00Z", Who: "Anna", What: "Person changed", Object: "Person 3",
			Changes: []AuditChange{{"gone", "1", ""}, {"name", "a", "b"}, {"roles", `["sales"]`, `["sales","lead"]`}}},
		{When: "1 Dec 2026, 07:00 (UTC+8)", ISO: "2026-11-30T23:00:00Z", Who: "System (automatic)", What: "made.up", Object: "thing 1"},
	}
	if diff := cmp.Diff(want, v.Rows); diff != "" {
		t.Error(diff)
	}
	if v.Older != "/admin/audit?below=6" || v.Newer != "" {
		t.Errorf("older %q, newer %q", v.Older, v.Newer)
	}
}

func TestUserStates(t *testing.T) {
	p := Page{L: i18n.For(i18n.Simplified), Lang: i18n.Simplified}
	v := NewUsers(p, []auth.User{
		{ID: 1, DisplayName: "A", Roles: []auth.Role{auth.Sales, auth.Lead}},
		{ID: 2, DisplayName: "B", MustChangePassword: true},
		{ID: 3, DisplayName: "C", Disabled: true, MustChangePassword: true},
	})
	var got []string
	for _, r := range v.Rows {
		got = append(got, r.Badge)
	}
	if diff := cmp.Diff([]string{"ok", "wait", "out"}, got); diff != "" {
		t.Error(diff)
	}
	if v.Rows[0].Roles != "销售人员和销售主管" {
		t.Errorf("roles %q", v.Rows[0].Roles)
	}
}
