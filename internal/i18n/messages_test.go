package i18n

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

var placeholder = regexp.MustCompile(`\{[a-z_0-9]+\}`)

func placeholders(s string) []string {
	found := placeholder.FindAllString(s, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// Every message says the same in all three languages, with the same placeholders.
func TestMessagesAreComplete(t *testing.T) {
	table, err := loadAll(glossaryFile, messageFiles)
	if err != nil {
		t.Error(err)
	}
	for id, m := range table {
		if !regexp.MustCompile(`^[a-z][a-z_0-9]*(\.[a-z_0-9]+)+$`).MatchString(id) {
			t.Errorf("%q is no id of the form group.key", id)
		}
		want := placeholders(m[0])
		for i, lang := range Langs {
			text := m[i]
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s has no text in %s", id, lang)
			}
			if text != strings.TrimSpace(text) {
				t.Errorf("%s: space around the text in %s", id, lang)
			}
			if got := placeholders(text); !slices.Equal(got, want) {
				t.Errorf("%s: placeholders %v in %s, %v in English", id, got, lang, want)
			}
		}
	}
}

// A message with a plural form for one has one for others too.
func TestPluralsComeInPairs(t *testing.T) {
	table := shipped()
	for id := range table {
		if base, ok := strings.CutSuffix(id, ".one"); ok && !Has(base+".other") {
			t.Errorf("%s has no %s.other", id, base)
		}
		if base, ok := strings.CutSuffix(id, ".other"); ok && !Has(base+".one") {
			t.Errorf("%s has no %s.one", id, base)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	glossary := "key,group,en,zh_hans,zh_hant,note\nsave,actions,Save,保存,儲存,firm\n"
	tests := map[string]struct {
		glossary string
		file     string
		want     string
	}{
		"an id that is there already": {glossary, "key,en,zh_hans,zh_hant\nactions.save,Save,保存,儲存\n", `"actions.save" is there already`},
		"an id twice in one file":     {glossary, "key,en,zh_hans,zh_hant\na.b,A,甲,甲\na.b,B,乙,乙\n", `messages/a.csv:3: "a.b" is there already`},
		"another header":              {glossary, "key,en,zh_hant,zh_hans\na.b,A,甲,甲\n", `"zh_hant" "zh_hans"`},
		"a row too short":             {glossary, "key,en,zh_hans,zh_hant\na.b,A,甲\n", "wrong number of fields"},
		"an empty file":               {glossary, "", "EOF"},
		"a glossary of another form":  {"key,en\n", "key,en,zh_hans,zh_hant\n", "glossary.csv"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			files := fstest.MapFS{"messages/a.csv": {Data: []byte(tt.file)}}
			_, err := loadAll([]byte(tt.glossary), files)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
		})
	}
}

// Characters that only one of the two scripts has, as a check that a text was not pasted
// into the wrong column. The lists hold common characters of user interfaces and of the
// trade; a character that both scripts use is in neither.
const (
	onlySimplified  = "价务动务单卖发号员图场处备应开录态总护报择据换数无时显条权来构标样桥检测满热状现电确种积称稳笔类级纪约线组细终经给统继续维综网义节蓝观规设访证评诉词试该详语误说读调负责货费资转软载输运过还这进连适选邮销错键长门间问闻项须预题额风页验"
	onlyTraditional = "價務動單賣發號員圖場處備應開錄態總護報擇據換數無時顯條權來構標樣橋檢測滿熱狀現電確種積稱穩筆類級紀約線組細終經給統繼續維綜網義節藍觀規設訪證評訴詞試該詳語誤說讀調負責貨費資轉軟載輸運過還這進連適選郵銷錯鍵長門間問聞項須預題額風頁驗"
)

// The names of languages are written in their own script wherever they stand, and a few
// messages quote the other script on purpose.
var mixedScript = map[string]bool{"navigation.language_zh_hans": true, "navigation.language_zh_hant": true}

func TestScriptsAreNotMixed(t *testing.T) {
	both := map[rune]bool{}
	for _, r := range onlySimplified {
		if strings.ContainsRune(onlyTraditional, r) {
			both[r] = true
		}
	}
	alien := func(text, other string) string {
		for _, r := range text {
			if !both[r] && strings.ContainsRune(other, r) {
				return string(r)
			}
		}
		return ""
	}
	for id, m := range shipped() {
		if mixedScript[id] {
			continue
		}
		if c := alien(m[1], onlyTraditional); c != "" {
			t.Errorf("%s: simplified text holds the traditional %s: %s", id, c, m[1])
		}
		if c := alien(m[2], onlySimplified); c != "" {
			t.Errorf("%s: traditional text holds the simplified %s: %s", id, c, m[2])
		}
	}
}

// The product's own sentences keep to the typography of the glossary: full-width marks
// beside Han characters, one space between Han and Latin, curly or corner quotation marks.
func TestChineseTypography(t *testing.T) {
	han := `\p{Han}`
	rules := []struct {
		pattern *regexp.Regexp
		what    string
	}{
		{regexp.MustCompile(han + `[,;:?!]|[,;:?!]` + han), "half-width punctuation beside a Han character"},
		{regexp.MustCompile(han + `[A-Za-z]|[A-Za-z]` + han), "no space between Han and Latin"},
		{regexp.MustCompile(`["]`), "a straight quotation mark"},
		{regexp.MustCompile(`\s[，。：；？！）、]|[，。：；？！（、]\s`), "a space beside a full-width mark"},
	}
	for id, m := range shipped() {
		for i := 1; i < len(m); i++ {
			for _, rule := range rules {
				if hit := rule.pattern.FindString(m[i]); hit != "" {
					t.Errorf("%s in %s: %s (%q): %s", id, Langs[i], rule.what, hit, m[i])
				}
			}
		}
	}
}
