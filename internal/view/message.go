package view

import (
	"errors"

	"rackwright/internal/apperr"
	"rackwright/internal/i18n"
)

// Text returns the words of a message that a domain package named. Arguments that are
// messages themselves are translated first.
func Text(l i18n.Localizer, m apperr.Message) string {
	if m.ID == "" {
		return ""
	}
	args := make([]any, len(m.Args))
	for i, a := range m.Args {
		if inner, ok := a.(apperr.Message); ok {
			a = Text(l, inner)
		}
		args[i] = a
	}
	return l.T(m.ID, args...)
}

// FieldError returns what is wrong with a field, or "" if err says nothing about it.
func FieldError(l i18n.Localizer, err error, name string) string {
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok {
		return ""
	}
	return Text(l, e.Fields[name])
}

// ErrorText returns the sentence that a person may read of an error. What is not meant for
// people becomes one fixed sentence.
func ErrorText(l i18n.Localizer, err error) string {
	if err == nil {
		return ""
	}
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok || e.Msg.ID == "" {
		return l.T("errors.internal")
	}
	return Text(l, e.Msg)
}

// Faulty puts the errors of err into the fields and returns the summary of the form, in the
// order of the fields. Faults of names that are no field of the form come last.
func Faulty(l i18n.Localizer, err error, fields ...*Field) []Fault {
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok {
		return nil
	}
	var faults []Fault
	seen := map[string]bool{}
	for _, f := range fields {
		m, bad := e.Fields[f.Name]
		if !bad {
			continue
		}
		seen[f.Name] = true
		f.Error = Text(l, m)
		faults = append(faults, Fault{Field: f.Name, Label: f.Label, Text: f.Error})
	}
	for _, name := range e.FieldNames() {
		if !seen[name] {
			faults = append(faults, Fault{Field: name, Text: Text(l, e.Fields[name])})
		}
	}
	return faults
}
