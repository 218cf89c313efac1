// Package templates_test reads every template as a tree and holds the rules of all of them.
package templates_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	parser "github.com/a-h/templ/parser/v2"
)

// allowed lists what is written the same in every language: the product's name, units and
// symbols of the trade, and the "/" key.
var allowed = map[string]bool{
	"Rackwright": true, "GPU": true, "GPUs": true, "SKU": true, "CSV": true, "PDF": true, "JSON": true,
	"config.json": true, "FP8": true, "BF16": true, "FP16": true, "INT8": true, "INT4": true,
	"GB": true, "GiB": true, "GB/s": true, "TB/s": true, "kW": true, "W": true, "U": true, "ms": true, "s": true,
	"H100": true, "TTFT": true, "TPOT": true, "NVIDIA": true, "NVLink": true, "USD": true, "SHA-256": true,
}

// spoken lists the attributes whose value a person reads or hears.
var spoken = map[string]bool{
	"title": true, "aria-label": true, "aria-description": true, "aria-roledescription": true, "aria-valuetext": true,
	"placeholder": true, "alt": true, "label": true,
}

// fault is one place in a template that breaks a rule.
type fault struct {
	line uint32
	text string
}

// checker walks a template and collects the faults.
type checker struct{ faults []fault }

func (c *checker) report(r parser.Range, text string) {
	c.faults = append(c.faults, fault{r.From.Line + 1, text})
}

func (c *checker) nodes(nodes []parser.Node) {
	for _, n := range nodes {
		c.node(n)
	}
}

func (c *checker) node(n parser.Node) {
	switch n := n.(type) {
	case *parser.Text:
		if hasWords(n.Value) {
			c.report(n.Range, "hard-coded text: "+strings.TrimSpace(n.Value))
		}
	case *parser.Element:
		c.element(n)
	case *parser.ScriptElement:
		if len(n.Contents) > 0 {
			c.report(n.Range, "inline script")
		}
	case *parser.RawElement:
		c.report(n.Range, "inline "+n.Name)
	case *parser.StringExpression:
		c.expression(n.Expression)
	case *parser.TemplElementExpression:
		c.expression(n.Expression)
	}
	if composite, ok := n.(parser.CompositeNode); ok {
		c.nodes(composite.ChildNodes())
	}
}

func (c *checker) element(e *parser.Element) {
	c.attributes(e.NameRange, e.Attributes)
}

func (c *checker) attributes(at parser.Range, attributes []parser.Attribute) {
	for _, a := range attributes {
		switch a := a.(type) {
		case *parser.ConstantAttribute:
			key := a.Key.String()
			c.key(at, key)
			if spoken[key] && hasWords(a.Value) {
				c.report(at, "hard-coded "+key+": "+a.Value)
			}
		case *parser.BoolConstantAttribute:
			c.key(at, a.Key.String())
		case *parser.ExpressionAttribute:
			c.key(at, a.Key.String())
			if spoken[a.Key.String()] {
				c.expression(a.Expression)
			}
		case *parser.ConditionalAttribute:
			c.attributes(at, a.Then)
			c.attributes(at, a.Else)
		}
	}
}

// key refuses attributes that the content policy would block.
func (c *checker) key(at parser.Range, key string) {
	if key == "style" || strings.HasPrefix(key, "on") || strings.HasPrefix(key, "hx-on") {
		c.report(at, "inline "+key)
	}
}

var stringLiteral = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// expression looks for sentences in the Go code of a template. Ids of messages, names of
// placeholders and classes are in lower case; a sentence begins with a capital or is Chinese.
func (c *checker) expression(e parser.Expression) {
	if strings.Contains(e.Value, "templ.Raw") {
		c.report(e.Range, "templ.Raw")
	}
	for _, quoted := range stringLiteral.FindAllString(e.Value, -1) {
		s, err := strconv.Unquote(quoted)
		if err == nil && !allowed[s] && startsLikeSentence(s) {
			c.report(e.Range, "hard-coded text: "+s)
		}
	}
}

func startsLikeSentence(s string) bool {
	for i, r := range s {
		if unicode.Is(unicode.Han, r) || i == 0 && unicode.IsUpper(r) {
			return true
		}
	}
	return false
}

// hasWords reports whether a text holds a word that is not allowed.
func hasWords(s string) bool {
	for _, w := range strings.Fields(s) {
		w = strings.Trim(w, ".,:;()[]·–—/×+%")
		if !allowed[w] && strings.ContainsFunc(w, unicode.IsLetter) {
			return true
		}
	}
	return false
}

func check(t *testing.T, source string) []fault {
	t.Helper()
	file, err := parser.ParseString(source)
	if err != nil {
		t.Fatal(err)
	}
	var c checker
	for _, n := range file.Nodes {
		if tmpl, ok := n.(*parser.HTMLTemplate); ok {
			c.nodes(tmpl.Children)
		}
	}
	return c.faults
}

// No template holds words of its own, because they would be in one language, and none holds
// what the content policy refuses.
func TestTemplates(t *testing.T) {
	n := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".templ" {
			return err
		}
		n++
		file, err := parser.Parse(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return nil
		}
		var c checker
		for _, n := range file.Nodes {
			if tmpl, ok := n.(*parser.HTMLTemplate); ok {
				c.nodes(tmpl.Children)
			}
		}
		for _, f := range c.faults {
			t.Errorf("%s:%d: %s", name, f.line, f.text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 10 {
		t.Errorf("only %d templates found", n)
	}
}

// The check finds what it is for.
func TestCheckFinds(t *testing.T) {
	tests := map[string]struct {
		body string
		want string
	}{
		"text":                    {`<p>Save</p>`, "hard-coded text: Save"},
		"text among expressions":  {`<p>{ x } pieces</p>`, "hard-coded text: pieces"},
		"text in a branch":        {"if true {\n\t<p>yes</p>\n}", "hard-coded text: yes"},
		"text in a loop":          {"for range 3 {\n\t<p>again</p>\n}", "hard-coded text: again"},
		"text in a case":          {"switch x {\n\tcase 1:\n\t\t<p>one</p>\n}", "hard-coded text: one"},
		"text in a call":          {"@f() {\n\t<p>child</p>\n}", "hard-coded text: child"},
		"chinese":                 {`<p>保存</p>`, "hard-coded text: 保存"},
		"attribute":               {`<a aria-label="Close"></a>`, "hard-coded aria-label: Close"},
		"attribute under a test":  {"<a\n\tif x {\n\t\ttitle=\"Close\"\n\t}\n></a>", "hard-coded title: Close"},
		"sentence in code":        {`<p>{ f("Save it") }</p>`, "hard-coded text: Save it"},
		"sentence as an argument": {`@f("Save")`, "hard-coded text: Save"},
		"style attribute":         {`<p style="color:red"></p>`, "inline style"},
		"event attribute":         {`<p onclick="x()"></p>`, "inline onclick"},
		"htmx event attribute":    {`<p hx-on:click="x()"></p>`, "inline hx-on:click"},
		"inline script":           {`<script>alert(1)</script>`, "inline script"},
		"style element":           {`<style>p{}</style>`, "inline style"},
		"raw html":                {`@templ.Raw(x)`, "templ.Raw"},
		"fine":                    {`<p class="sub" title={ p.T("a.b", "name", x) }>{ x } GB · 80</p>`, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			faults := check(t, "package x\n\ntempl X() {\n"+tt.body+"\n}\n")
			switch {
			case tt.want == "" && len(faults) > 0:
				t.Errorf("faults = %v, want none", faults)
			case tt.want != "" && (len(faults) != 1 || faults[0].text != tt.want):
				t.Errorf("faults = %v, want %q", faults, tt.want)
			}
		})
	}
}
