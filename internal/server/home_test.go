package server

import (
	"context"
	"strings"
	"testing"
	"time"

	"rackwright/internal/auth"
	"rackwright/internal/catalog"
	"rackwright/internal/company"
	"rackwright/internal/demo"
	"rackwright/internal/quote"
)

// demoSite is a site with the catalogue and the demo data. Its first user is "admin".
func demoSite(t *testing.T) *site {
	t.Helper()
	s := newSiteWithCatalog(t)
	if _, err := s.db.EnsureAdmin(t.Context(), "correct horse battery"); err != nil {
		t.Fatal(err)
	}
	sheet := func(_ context.Context, q quote.Quote, _ company.Profile, _ time.Time) ([]byte, error) {
		return []byte(q.Number), nil
	}
	if _, err := demo.Seed(t.Context(), s.db, s.now(), sheet); err != nil {
		t.Fatal(err)
	}
	return s
}

// named is a browser in which a person of the demo is signed in.
func (s *site) named(name string) *browser {
	s.t.Helper()
	c, err := s.db.Credentials(s.t.Context(), name)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.db.SetPassword(s.t.Context(), 0, c.User.ID, aHash, false, auth.TokenHash{}); err != nil {
		s.t.Fatal(err)
	}
	return s.session(c.User.ID)
}

// groups returns the titles of the groups of quotes and the alerts on the page.
func (a *answer) groups() (groups, alerts []string) {
	a.t.Helper()
	for _, n := range a.page().Find("tbody.group th").EachIter() {
		groups = append(groups, strings.TrimSpace(n.Text()))
	}
	for _, n := range a.page().Find("ul.rows > li a").EachIter() {
		alerts = append(alerts, strings.TrimSpace(n.Text()))
	}
	return groups, alerts
}

func TestHomeByRole(t *testing.T) {
	t.Parallel()
	s := demoSite(t)
	const (
		short    = "DEMO-2026-0006 was accepted with too little stock."
		reserved = "The reservation of DEMO-2026-0002 ends"
		aged     = "7 prices in Demo price list (invented) are older than 45 days."
	)
	cases := []struct {
		name   string
		who    *browser
		groups string
		alerts []string
	}{
		{"everything, none of it own to decide", s.named("admin"), "Need your decision, Approved, ready to send, Expire within 7 days, Your drafts", []string{short, reserved, aged}},
		{"sales sees own quotes", s.named("demo-sales"), "Approved, ready to send, Wait for approval", []string{short, reserved, aged}},
		{"another salesperson has nothing", s.as("sally", auth.Sales), "", []string{short, reserved, aged}},
		{"lead decides and sees everybody's", s.named("demo-lead"), "Need your decision, Approved, ready to send, Expire within 7 days", []string{short, reserved, aged}},
		{"pricing decides only", s.named("demo-pricing"), "Need your decision", []string{short, reserved, aged}},
		{"stock", s.named("demo-stock"), "", []string{short, reserved}},
		{"administrator alone", s.as("anna", auth.Admin), "", []string{short, reserved, aged}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := c.who.get("/")
			a.t = t
			groups, alerts := a.status(200).groups()
			if got := strings.Join(groups, ", "); got != c.groups {
				t.Errorf("groups %q, want %q", got, c.groups)
			}
			if len(alerts) != len(c.alerts) {
				t.Fatalf("alerts %q, want %q", alerts, c.alerts)
			}
			for i, want := range c.alerts {
				if !strings.HasPrefix(strings.ReplaceAll(alerts[i], "\u00a0", " "), want) {
					t.Errorf("alert %q, want %q", alerts[i], want)
				}
			}
		})
	}
}

// Who keeps stock sees neither quotes, customers nor prices.
func TestHomeOfTheStoreHidesSales(t *testing.T) {
	t.Parallel()
	s := demoSite(t)
	body := s.named("demo-stock").get("/").status(200).says("2 × DGX-H200").Body.String()
	for _, secret := range []string{"/quotes", "Northgate", "Harbour", "USD", "price-list", "/customers"} {
		if strings.Contains(body, secret) {
			t.Errorf("stock reads %q", secret)
		}
	}
}

// Cost and margin never reach a visitor, nor do quotes; counts are true.
func TestHomeOfVisitors(t *testing.T) {
	t.Parallel()
	s := demoSite(t)
	a := s.visitor().get("/").status(200).says("Example Rack Systems (demo)").says("Open the catalogue")
	for _, secret := range []string{"/quotes", "DEMO-2026", "/inventory", "Northgate"} {
		if strings.Contains(a.Body.String(), secret) {
			t.Errorf("a visitor reads %q", secret)
		}
	}
	listing, err := s.db.SKUs(t.Context(), catalog.Filter{Sort: catalog.ByName, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	counts, err := s.db.CatalogueCounts(t.Context())
	if err != nil || counts.SKUs != listing.Total || counts.Sources == 0 || counts.Figures == 0 {
		t.Errorf("counts %+v, the list has %d, %v", counts, listing.Total, err)
	}
	a.says(itoa(int64(counts.Sources)))
}

func TestHomeBeforeAnything(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.visitor().get("/").status(200).says("Catalogue")
	s.as("anna", auth.Admin).get("/").status(200).says("profile is incomplete")
	s.as("sally", auth.Sales).get("/").status(200).says("No quote waits for you")
	s.as("nobody").get("/").status(200)
}

func TestHomeSaysThatARateIsMissing(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	admin := s.as("boss", auth.Admin, auth.Pricing)
	admin.post("/admin/company", with(admin.get("/admin/company").form("/admin/company"), "currency", "USD"))
	form := admin.get("/price-list").form("/price-list")
	admin.post("/price-list", with(form, "name", "A", "currency", "TWD")).status(303)
	admin.get("/").says("No recent rate from USD to TWD")
	rate := with(admin.get("/price-list/rates").form("/price-list/rates"), "base", "TWD", "quote", "USD", "rate", "0.0317", "source", "x")
	admin.post("/price-list/rates", rate).leads("/price-list/rates")
	if strings.Contains(admin.get("/").Body.String(), "No recent rate") {
		t.Error("the rate is there and still missed")
	}
	s.pass((quote.RateDays + 1) * 24 * time.Hour)
	s.as("karl", auth.Pricing).get("/").says("No recent rate from USD to TWD")
}
