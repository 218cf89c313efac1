package server

import (
	"bytes"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"rackwright/internal/auth"
	"rackwright/internal/pdf"
)

func TestAddAPerson(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	admin := s.as("boss", auth.Admin)
	form := admin.get("/admin/users/new").status(200).form("/admin/users")
	oneTime := form.Get("one_time")
	form.Set("name", " Wang ")
	form.Set("display_name", "王小明")
	form.Set("email", "wang@example.com")
	form.Set("role_sales", "yes")
	admin.post("/admin/users", form).leads("/admin/users")
	admin.get("/admin/users").says("王小明").says(oneTime) // the flash, once
	if again := admin.get("/admin/users"); strings.Contains(again.Body.String(), oneTime) {
		t.Error("the one-time password is shown twice")
	}
	// A double click makes one person and names no other password.
	admin.post("/admin/users", form).leads("/admin/users")
	page := admin.get("/admin/users").says("is here already")
	if n := strings.Count(page.Body.String(), "wang@example.com"); n != 1 {
		t.Errorf("%d people were made", n)
	}
	b := s.visitor()
	b.post("/login", credentials("wang", oneTime)).leads("/account")
	admin.get("/admin/audit").status(200).says("Person added")
}

func TestAddAPersonKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	admin := s.as("boss", auth.Admin)
	form := admin.get("/admin/users/new").form("/admin/users")
	form.Set("name", "Not A Name")
	form.Set("display_name", `<script>alert("x")</script>`)
	form.Set("email", "nonsense")
	form.Set("role_lead", "yes")
	a := admin.post("/admin/users", form).status(422)
	back := a.form("/admin/users")
	for _, name := range []string{"name", "display_name", "email", "role_lead", "key", "one_time"} {
		if back.Get(name) != form.Get(name) {
			t.Errorf("%s is %q, typed was %q", name, back.Get(name), form.Get(name))
		}
	}
	if a.fault("name") == "" || a.fault("email") == "" || a.fault("display_name") != "" {
		t.Errorf("faults: name %q, email %q", a.fault("name"), a.fault("email"))
	}
	a.says("There are 2 errors")
	if a.page().Find("main script").Length() > 0 {
		t.Error("markup that was typed became markup of the page")
	}
	form.Set("name", "boss")
	form.Set("email", "")
	if got := admin.post("/admin/users", form).status(422).fault("name"); !strings.Contains(got, "boss") {
		t.Errorf("a taken name: %q", got)
	}
	form.Del("role_lead")
	admin.post("/admin/users", form).status(422).says("at least one role")
	form.Set("one_time", "x")
	if admin.post("/admin/users", form).status(422).form("/admin/users").Get("one_time") == "x" {
		t.Error("a short one-time password is kept")
	}
}

func TestChangeAPerson(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	admin := s.as("boss", auth.Admin)
	s.as("wang", auth.Sales)
	users, err := s.db.Users(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wang := users[1]
	path := "/admin/users/" + itoa(wang.ID)
	first := admin.get(path).status(200).form(path)
	second := admin.get(path).form(path)
	first.Set("display_name", "Wang")
	first.Set("role_stock", "yes")
	admin.post(path, first).leads("/admin/users")
	second.Set("display_name", "Other")
	a := admin.post(path, second).status(409).says("Someone else has changed this")
	if got := a.form(path); got.Get("display_name") != "Other" {
		t.Errorf("what was typed is lost: %q", got.Get("display_name"))
	}
	got, err := s.db.User(t.Context(), wang.ID)
	if err != nil || got.DisplayName != "Wang" || !got.Has(auth.Stock) || !got.Has(auth.Sales) {
		t.Errorf("stored %+v, %v", got, err)
	}
	admin.get("/admin/users/999999").status(404)
	admin.get("/admin/users/x").status(404)
	admin.get("/admin/users/-1").status(404)
}

func TestAdministratorCannotShutThemselvesOut(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.person("boss", aHash, false, auth.Admin)
	admin := s.session(id)
	path := "/admin/users/" + itoa(id)
	form := admin.get(path).form(path)
	form.Set("disabled", "yes")
	admin.post(path, form).status(422).says("You cannot deactivate yourself")
	form.Del("disabled")
	form.Del("role_admin")
	form.Set("role_sales", "yes")
	admin.post(path, form).status(422).says("At least one administrator")
	admin.get(path).status(200)
}

func TestResetPassword(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	admin := s.as("boss", auth.Admin)
	id := s.person("wang", mustHash(t, "correct horse battery"), false, auth.Sales)
	wang := s.session(id)
	path := "/admin/users/" + itoa(id)
	form := admin.get(path).form(path + "/password")
	admin.post(path+"/password", form).leads("/admin/users")
	admin.get("/admin/users").says(form.Get("one_time"))
	wang.get("/account").status(303)
	s.visitor().post("/login", credentials("wang", "correct horse battery")).status(422)
	s.visitor().post("/login", credentials("wang", form.Get("one_time"))).leads("/account")
	admin.post(path+"/password", url.Values{"one_time": {"short"}}).status(422)
}

func TestAuditPages(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	admin := s.as("boss", auth.Admin)
	for i := range auditPage + 5 {
		s.person("p"+itoa(int64(i)), aHash, false, auth.Sales)
	}
	first := admin.get("/admin/audit").status(200)
	older, _ := first.page().Find(`a[href^="/admin/audit?below="]`).Attr("href")
	if older == "" || first.page().Find("tbody tr").Length() != auditPage {
		t.Fatalf("%d rows, older %q", first.page().Find("tbody tr").Length(), older)
	}
	if n := admin.get(older).status(200).page().Find("tbody tr").Length(); n != 6 {
		t.Errorf("%d older entries, want 6", n)
	}
	admin.get("/admin/audit?below=rubbish").status(200)
}

func TestLanguageThemeDensity(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.visitor()
	b.header = http.Header{"Accept-Language": {"zh-CN,zh;q=0.9"}}
	b.get("/login").says(`<html lang="zh-Hans"`)
	b.get("/login?next=%2Fquotes&lang=zh-Hant").leads("/login?next=%2Fquotes")
	b.get("/login").says(`<html lang="zh-Hant"`)
	b.get("/login?lang=tlh").status(200).says(`<html lang="zh-Hant"`)
	b.post("/display", url.Values{"theme": {"dark"}, "density": {"compact"}, "next": {"/login"}}).leads("/login")
	b.get("/login").says(`data-theme="dark"`).says(`data-density="compact"`)
	b.post("/display", url.Values{"theme": {"auto"}, "next": {"https://evil.example"}}).leads("/")
	if body := b.get("/login").Body.String(); strings.Contains(body, "data-theme") {
		t.Error("the theme does not follow the system again")
	}
	b.cookies["theme"] = `"><script>`
	b.get("/login").status(200)
}

func TestLanguageOfTheAccount(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.as("anna", auth.Sales)
	b.cookies["lang"] = "zh-Hans"
	b.get("/account").says(`<html lang="zh-Hans"`)
	b.post("/account/language", url.Values{"lang": {"zh-Hant"}}).leads("/account")
	b.get("/account").says(`<html lang="zh-Hant"`)
	b.post("/account/language", url.Values{"lang": {"tlh"}}).status(422)
	b.get("/account?lang=en").leads("/account")
	b.get("/account").says(`<html lang="en"`) // a pick counts for this browser, over the account
}

func TestForgedFlash(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, value := range []string{"x", "eyJrIjoib2siLCJpIjoibm8uc3VjaCJ9", strings.Repeat("A", 3000)} {
		b := s.visitor()
		b.cookies["flash"] = value
		if b.get("/no/such/page").status(404).page().Find(".toast").Length() != 0 {
			t.Errorf("%.20s is shown", value)
		}
	}
}

func TestCompanyProfile(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	admin := s.as("boss", auth.Admin)
	page := admin.get("/admin/company").status(200).says("Before the first quote")
	form := page.form("/admin/company")
	for name, v := range map[string]string{
		"name": "示例算力", "address": "1 Example Road\nTaipei", "country": "TW", "tax_number": "12345678",
		"email": "sales@example.com", "bank": "Example Bank", "currency": "TWD", "time_zone": "Asia/Taipei",
		"quote_prefix": "rw", "validity_days": "１４", "discount_limit": "12.5 %", "terms_zh-Hant": "條款。",
	} {
		form.Set(name, v)
	}
	stale := url.Values{}
	for name, v := range form {
		stale[name] = v
	}
	admin.post("/admin/company", form).leads("/admin/company")
	c, err := s.db.Company(t.Context())
	if err != nil || c.QuotePrefix != "RW" || c.ValidityDays != 14 || c.DiscountLimit == nil || c.TargetMargin != nil || len(c.Missing()) != 0 {
		t.Fatalf("stored %+v, %v", c, err)
	}
	if got := c.DiscountLimit.Decimal().Trim().String(); got != "12.5" {
		t.Errorf("limit %s", got)
	}
	stale.Set("name", "Second tab")
	if got := admin.post("/admin/company", stale).status(409).says("Someone else has changed this").form("/admin/company").Get("name"); got != "Second tab" {
		t.Errorf("what was typed is lost: %q", got)
	}
	form = admin.get("/admin/company").form("/admin/company")
	for name, v := range map[string]string{
		"time_zone": "Mars/Olympus", "quote_prefix": "no spaces", "validity_days": "0", "discount_limit": "101",
		"country": "ZZ", "currency": "XXX", "email": "x",
	} {
		bad := url.Values{}
		for n, values := range form {
			bad[n] = values
		}
		bad.Set(name, v)
		a := admin.post("/admin/company", bad).status(422)
		if a.fault(name) == "" {
			t.Errorf("%s = %q: nothing is said at the field", name, v)
		}
		if kept := a.form("/admin/company").Get("address"); kept != form.Get("address") {
			t.Errorf("%s: the other fields are lost: %q", name, kept)
		}
	}
}

func TestCompanyLogo(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	admin := s.as("boss", auth.Admin)
	admin.get("/company/logo").status(404)
	logo := pngOf(t, 4, 3)
	sendLogo(t, admin, "logo.png", logo).leads("/admin/company")
	a := s.visitor().get("/company/logo").status(200)
	if a.Header().Get("Content-Type") != "image/png" || a.Body.String() != logo {
		t.Errorf("%s, %d bytes", a.Header().Get("Content-Type"), a.Body.Len())
	}
	svg := `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
	if got := sendLogo(t, admin, "logo.png", svg).status(422).fault("logo"); got == "" {
		t.Error("an SVG was accepted")
	}
	for name, content := range map[string]string{"cut off": logo[:len(logo)-20], "7,001 pixels": pngOf(t, 1, pdf.MaxPictureSide+1)} {
		if got := sendLogo(t, admin, "logo.png", content).status(422).fault("logo"); got == "" {
			t.Errorf("a picture that is %s was accepted", name)
		}
	}
	form := admin.get("/admin/company").form("/admin/company")
	form.Set("no_logo", "yes")
	admin.post("/admin/company", form).leads("/admin/company")
	admin.get("/company/logo").status(404)
}

// pngOf is an empty picture.
func pngOf(t *testing.T, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func sendLogo(t *testing.T, b *browser, name, content string) *answer {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for field, values := range b.get("/admin/company").form("/admin/company") {
		for _, v := range values {
			_ = w.WriteField(field, v) // into memory
		}
	}
	part, err := w.CreateFormFile("logo", name)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = part.Write([]byte(content)) // into memory
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.do(http.MethodPost, "/admin/company", body.String(), w.FormDataContentType())
}
