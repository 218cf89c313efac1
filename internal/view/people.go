package view

import (
	"encoding/json"
	"sort"
	"strconv"
	"time"

	"rackwright/internal/auth"
	"rackwright/internal/i18n"
)

// AdminTabs returns the pages of administration; current is the address of this one.
func AdminTabs(p Page, current string) []Tab {
	tabs := []Tab{
		{Label: p.T("admin.users_and_roles"), Href: "/admin/users"},
		{Label: p.T("admin.company"), Href: "/admin/company"},
		{Label: p.T("mail.settings"), Href: "/admin/mail"},
		{Label: p.T("audit.audit_log"), Href: "/admin/audit"},
	}
	for i := range tabs {
		tabs[i].Current = tabs[i].Href == current
	}
	return tabs
}

// Users is the list of people.
type Users struct {
	Page
	Tabs []Tab
	Rows []UserRow
}

// UserRow is one person of the list.
type UserRow struct {
	Name     string
	UserName string
	Href     string
	Email    string
	Roles    string
	Badge    string
	State    string
}

// NewUsers returns the list of people.
func NewUsers(p Page, users []auth.User) Users {
	v := Users{Page: p, Tabs: AdminTabs(p, "/admin/users")}
	for _, u := range users {
		row := UserRow{
			Name: u.DisplayName, UserName: u.Name, Email: u.Email,
			Href: "/admin/users/" + strconv.FormatInt(u.ID, 10), Roles: RoleList(p.L, u.Roles),
		}
		row.Badge, row.State = userState(p, u)
		v.Rows = append(v.Rows, row)
	}
	return v
}

func userState(p Page, u auth.User) (badge, text string) {
	switch {
	case u.Disabled:
		return "out", p.T("people.state_disabled")
	case u.MustChangePassword:
		return "wait", p.T("people.state_one_time")
	}
	return "ok", p.T("people.state_active")
}

// RoleList returns the names of roles as one text.
func RoleList(l i18n.Localizer, roles []auth.Role) string {
	names := make([]string, len(roles))
	for i, role := range roles {
		names[i] = l.T("roles." + string(role))
	}
	return List(l.Lang(), names)
}

// UserForm creates or changes one person.
type UserForm struct {
	Page
	Heading string
	Action  string // address of the form
	New     bool
	Key     string
	Version string

	Name        Field
	DisplayName Field
	Email       Field
	Roles       []Field // check boxes
	RolesError  string
	Disabled    Field
	OneTime     Field // the password to hand over, made before the form is sent
	ResetAction string
	Faults      []Fault
}

// UserInput is what stands in the form: of the stored person, or as it was typed.
type UserInput struct {
	ID       int64 // 0 for a new person
	User     auth.User
	OneTime  string
	Key      string
	SameUser bool // the administrator's own entry
}

// NewUserForm returns the form filled with in, and with what cause says about it.
func NewUserForm(p Page, in UserInput, cause error) UserForm {
	isNew := in.ID == 0
	v := UserForm{
		Page: p, New: isNew, Key: in.Key, Action: "/admin/users", Heading: p.T("people.add"),
		Name: Field{Name: "name", Label: p.T("admin.user_name"), Value: in.User.Name, Required: true,
			Help: p.T("people.name_help"), Max: auth.MaxNameLen, Autocomplete: "off"},
		DisplayName: Field{Name: "display_name", Label: p.T("people.display_name"), Value: in.User.DisplayName,
			Required: true, Help: p.T("people.display_name_help"), Max: auth.MaxDisplayNameLen, Autocomplete: "off"},
		Email: Field{Name: "email", Label: p.T("shell.email"), Value: in.User.Email, Type: "email",
			Max: auth.MaxEmailLen, Autocomplete: "off"},
		OneTime: Field{Name: "one_time", Label: p.T("admin.one_time_password"), Value: in.OneTime, ReadOnly: true,
			Help: p.T("people.one_time_help"), Autocomplete: "off"},
		Disabled: Field{Name: "disabled", Label: p.T("people.disable"), Checked: in.User.Disabled},
	}
	if !isNew {
		id := strconv.FormatInt(in.ID, 10)
		v.Heading, v.Action = in.User.DisplayName, "/admin/users/"+id
		v.ResetAction = v.Action + "/password"
		v.Version = strconv.FormatInt(in.User.Version, 10)
		v.Name.ReadOnly = true
		v.OneTime.Help = ""
	}
	for _, r := range auth.StaffRoles {
		v.Roles = append(v.Roles, Field{
			Name: "role_" + string(r), Value: "yes", Checked: in.User.Has(r),
			Label: p.T("roles." + string(r)), Help: p.T("people.role_" + string(r)),
		})
	}
	v.RolesError = FieldError(p.L, cause, "roles")
	v.Faults = formFaults(p, cause, &v.Name, &v.DisplayName, &v.Email, &v.Disabled, &v.OneTime)
	for i := range v.Faults {
		if v.Faults[i].Field == "roles" { // the group has no control of its own
			v.Faults[i].Field, v.Faults[i].Label = v.Roles[0].Name, p.T("people.roles")
		}
	}
	return v
}

// formFaults is Faulty for a whole form: an error about no field in particular, such as a
// change in another tab, is one fault without a field.
func formFaults(p Page, cause error, fields ...*Field) []Fault {
	faults := Faulty(p.L, cause, fields...)
	if cause != nil && len(faults) == 0 {
		faults = []Fault{{Text: ErrorText(p.L, cause)}}
	}
	return faults
}

// Audit is the record of who changed what.
type Audit struct {
	Page
	Tabs  []Tab
	Rows  []AuditRow
	Older string // address of older entries, "" at the end
	Newer string // address of the newest entries, "" where they are shown
}

// AuditRow is one change.
type AuditRow struct {
	When    string
	ISO     string
	Who     string
	What    string
	Object  string
	Changes []AuditChange
}

// AuditChange is one field that changed.
type AuditChange struct {
	Field  string
	Before string
	After  string
}

// NewAudit returns a page of the record. older is the id to go on from, 0 at the end.
func NewAudit(p Page, entries []auth.AuditEntry, zone *time.Location, older int64, first bool) Audit {
	v := Audit{Page: p, Tabs: AdminTabs(p, "/admin/audit")}
	for _, e := range entries {
		at := e.At.In(zone)
		v.Rows = append(v.Rows, AuditRow{
			When: DateTime(p.Lang, at), ISO: Machine(at), Who: auditActor(p, e), What: auditAction(p, e.Action),
			Object: auditObject(p, e), Changes: auditChanges(e),
		})
	}
	if older > 0 {
		v.Older = "/admin/audit?below=" + strconv.FormatInt(older, 10)
	}
	if !first {
		v.Newer = "/admin/audit"
	}
	return v
}

func auditActor(p Page, e auth.AuditEntry) string {
	if e.Actor == "" {
		return p.T("audit.actor_system")
	}
	return e.Actor
}

// auditAction returns the words of an action; one that has none is shown as it is stored.
func auditAction(p Page, action string) string {
	if id := "people.action." + action; i18n.Has(id) {
		return p.T(id)
	}
	return action
}

// auditObject names what was changed; a kind that has no words is shown as it is stored.
func auditObject(p Page, e auth.AuditEntry) string {
	if id := "people.object." + e.ObjectType; i18n.Has(id) {
		return p.T(id, "id", e.ObjectID)
	}
	return e.ObjectType + " " + e.ObjectID
}

// auditChanges compares the two states of an entry, field by field, in alphabetical order.
func auditChanges(e auth.AuditEntry) []AuditChange {
	before, after := jsonFields(e.Before), jsonFields(e.After)
	names := make([]string, 0, len(before)+len(after))
	for name := range before {
		names = append(names, name)
	}
	for name := range after {
		if _, both := before[name]; !both {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	var changes []AuditChange
	for _, name := range names {
		if b, a := before[name], after[name]; b != a {
			changes = append(changes, AuditChange{Field: name, Before: clip(b), After: clip(a)})
		}
	}
	return changes
}

// jsonFields returns the fields of a JSON object as short texts.
func jsonFields(text string) map[string]string {
	var raw map[string]json.RawMessage
	if text == "" || json.Unmarshal([]byte(text), &raw) != nil {
		return nil
	}
	fields := make(map[string]string, len(raw))
	for name, value := range raw {
		var s string
		if json.Unmarshal(value, &s) != nil || string(value) == "null" {
			s = string(value)
		}
		fields[name] = s
	}
	return fields
}

// clip shortens a text for a table cell.
func clip(s string) string {
	const most = 160
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most]) + "…"
}
