package components

import (
	"strconv"

	"github.com/a-h/templ"

	"rackwright/internal/view"
)

// controlAttrs returns the attributes that every control of a field has.
func controlAttrs(f view.Field) templ.Attributes {
	a := templ.Attributes{"id": f.ID(), "name": f.Name}
	set := func(name, value string) {
		if value != "" {
			a[name] = value
		}
	}
	set("aria-describedby", f.Describe())
	set("placeholder", f.Placeholder)
	set("autocomplete", f.Autocomplete)
	set("lang", f.Lang)
	if f.Required {
		a["required"] = true
	}
	if f.ReadOnly {
		a["readonly"] = true
	}
	if f.Error != "" {
		a["aria-invalid"] = "true"
	}
	if f.Max > 0 {
		a["maxlength"] = strconv.Itoa(f.Max)
	}
	if len(f.Suggest) > 0 {
		a["list"] = f.ID() + "-list"
	}
	return a
}

// inputType returns the type attribute of a control. Numbers are typed as text: a number
// control would drop what it cannot read, and nothing typed may be lost.
func inputType(f view.Field) string {
	switch f.Type {
	case "date", "email", "password", "search", "url", "tel":
		return f.Type
	}
	return "text"
}

func orYes(value string) string {
	if value == "" {
		return "yes"
	}
	return value
}
