package i18n

import "testing"

func TestT(t *testing.T) {
	tests := map[string]struct {
		lang Lang
		id   string
		args []any
		want string
	}{
		"english":              {English, "actions.save", nil, "Save"},
		"simplified":           {Simplified, "actions.save", nil, "保存"},
		"traditional":          {Traditional, "actions.save", nil, "儲存"},
		"placeholder":          {English, "errors.form_range", []any{"field", "Quantity", "min", 1, "max", "9,999"}, "“Quantity” must be between 1 and 9,999."},
		"placeholder, chinese": {Traditional, "errors.form_required", []any{"field", "數量"}, "請填寫「數量」。"},
		"value with braces":    {English, "errors.form_taken", []any{"value", "{value}"}, "“{value}” is already in use."},
		"missing value":        {English, "errors.form_taken", nil, "“{value}” is already in use."},
		"odd number of args":   {English, "errors.form_taken", []any{"value"}, "“{value}” is already in use."},
		"missing id":           {English, "no.such_message", nil, "[no.such_message]"},
		"unknown language":     {Lang("fr"), "actions.save", nil, "Save"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := For(tt.lang).T(tt.id, tt.args...); got != tt.want {
				t.Errorf("T = %q, want %q", got, tt.want)
			}
		})
	}
	if got := (Localizer{}).T("actions.save"); got != "Save" {
		t.Errorf("zero Localizer says %q", got)
	}
}

func TestN(t *testing.T) {
	tests := []struct {
		lang Lang
		n    int
		want string
	}{
		{English, 0, "0 days"},
		{English, 1, "1 day"},
		{English, 2, "2 days"},
		{English, 1200, "1,200 days"},
		{English, -1234567, "−1,234,567 days"},
		{Simplified, 1, "1 天"},
		{Traditional, 14, "14 天"},
	}
	for _, tt := range tests {
		if got := For(tt.lang).N("shell.days", tt.n); got != tt.want {
			t.Errorf("N(%s, %d) = %q, want %q", tt.lang, tt.n, got, tt.want)
		}
	}
}

func TestChoose(t *testing.T) {
	tests := map[string]struct {
		user, cookie, accept string
		want                 Lang
	}{
		"nothing":                        {"", "", "", English},
		"account wins":                   {"zh-Hant", "en", "zh-CN", Traditional},
		"cookie before browser":          {"", "zh-Hans", "en-GB", Simplified},
		"unknown account value":          {"fr", "zh-Hant", "", Traditional},
		"unknown cookie":                 {"", "klingon", "zh-CN", Simplified},
		"mainland":                       {"", "", "zh-CN,zh;q=0.9,en;q=0.8", Simplified},
		"singapore":                      {"", "", "zh-SG", Simplified},
		"plain chinese":                  {"", "", "zh", Simplified},
		"taiwan":                         {"", "", "zh-TW,zh;q=0.9", Traditional},
		"hong kong":                      {"", "", "zh-HK", Traditional},
		"script":                         {"", "", "zh-Hant", Traditional},
		"english preferred":              {"", "", "en-US,zh-CN;q=0.5", English},
		"another language, then chinese": {"", "", "de-DE,zh-TW;q=0.7", Traditional},
		"another language":               {"", "", "de", English},
		"rubbish":                        {"", "", ";;;q=", English},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Choose(tt.user, tt.cookie, tt.accept); got != tt.want {
				t.Errorf("Choose = %s, want %s", got, tt.want)
			}
		})
	}
}

func TestParseLang(t *testing.T) {
	for _, l := range Langs {
		if got, ok := ParseLang(string(l)); !ok || got != l {
			t.Errorf("ParseLang(%q) = %q, %t", l, got, ok)
		}
	}
	for _, s := range []string{"", "zh", "EN", "zh-TW"} {
		if got, ok := ParseLang(s); ok || got != English {
			t.Errorf("ParseLang(%q) = %q, %t", s, got, ok)
		}
	}
}

func TestHas(t *testing.T) {
	if !Has("actions.save") || Has("actions.none") {
		t.Error("Has is wrong")
	}
}

func BenchmarkT(b *testing.B) {
	l := For(Traditional)
	for b.Loop() {
		_ = l.T("errors.form_required", "field", "數量")
	}
}
