package server

import (
	"strings"
	"testing"

	"rackwright/internal/auth"
)

func TestCustomer(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	sales := s.as("sally", auth.Sales)
	form := sales.get("/customers/new").status(200).form("/customers")
	good := with(form, "name", "示例智能", "address", "2 Example Road\nTaipei", "country", "TW",
		"contacts[1].name", "李四", "contacts[1].email", "li@example.com")
	a := sales.post("/customers", good).status(303)
	path := a.Header().Get("Location")
	sales.post("/customers", good).leads(path) // a double click makes one customer
	page := sales.get(path).status(200).says("李四")
	if n := sales.get("/customers").status(200).page().Find("tbody tr").Length(); n != 1 {
		t.Errorf("%d customers after a double click", n)
	}
	// Remove the contact by emptying its row, add another.
	edit := page.form(path)
	sales.post(path, with(edit, "contacts[0].name", "", "contacts[0].email", "", "contacts[2].name", "王五")).leads(path)
	body := sales.get(path).says("王五").Body.String()
	if strings.Contains(body, "李四") {
		t.Error("the removed contact is still there")
	}
	if got := sales.post(path, with(edit, "name", "Second tab")).status(409).form(path); got.Get("name") != "Second tab" {
		t.Errorf("what was typed is lost: %q", got.Get("name"))
	}
	sales.get("/customers?q=示例").says("示例智能")
	sales.get("/customers?q=%25").says("No customer matches this name")
	sales.get("/customers?q=%00%ff").status(200)
	sales.get("/customers/999999").status(404)
}

func TestCustomerFaults(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	sales := s.as("sally", auth.Sales)
	form := sales.get("/customers/new").form("/customers")
	good := with(form, "name", "Example AI", "note", "kept")
	for field, typed := range map[string]string{
		"name": "", "address": strings.Repeat("x", 30000), "country": "ZZ", "tax_number": "a\x01b",
		"contacts[1].email": "nonsense", "contacts[1].phone": strings.Repeat("1", 300), "contacts[1].name": strings.Repeat("王", 300),
	} {
		bad := with(good, "contacts[1].name", "李四")
		bad.Set(field, typed)
		a := sales.post("/customers", bad).status(422)
		found := false
		for _, e := range a.page().Find(".field.is-bad .input").EachIter() {
			name, _ := e.Attr("name")
			found = found || name == field
		}
		if !found {
			t.Errorf("%s = %.20q: nothing is said at the field", field, typed)
		}
		if got := a.form("/customers"); got.Get("note") != "kept" || got.Get("key") != form.Get("key") {
			t.Errorf("%s: the form came back without what was typed", field)
		}
	}
	// A contact without a name, in the second row: the fault stands in that row.
	a := sales.post("/customers", with(good, "contacts[1].email", "li@example.com")).status(422)
	if name, _ := a.page().Find(".field.is-bad .input").Attr("name"); name != "contacts[1].name" {
		t.Errorf("the fault stands at %q", name)
	}
}

func TestCustomersForPeopleWhoOnlyRead(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	sales, pricing := s.as("sally", auth.Sales), s.as("paula", auth.Pricing)
	form := with(sales.get("/customers/new").form("/customers"), "name", "Example AI")
	path := sales.post("/customers", form).Header().Get("Location")
	if pricing.get(path).status(200).says("Example AI").page().Find("main form").Length() != 0 {
		t.Error("pricing can edit customers")
	}
	pricing.post(path, form).status(403)
	s.as("stan", auth.Stock).get("/customers").status(403)
	s.visitor().get("/customers").leads("/login?next=%2Fcustomers")
}
