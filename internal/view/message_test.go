package view

import (
	"errors"
	"fmt"
	"testing"

	"rackwright/internal/apperr"
	"rackwright/internal/i18n"
)

func TestText(t *testing.T) {
	l := i18n.For(i18n.English)
	check(t, "plain", Text(l, apperr.Msg("actions.save")), "Save")
	check(t, "none", Text(l, apperr.Message{}), "")
	inner := apperr.Msg("errors.form_taken", "value", apperr.Msg("actions.save"))
	check(t, "message as argument", Text(l, inner), "“Save” is already in use.")
}

func TestErrorText(t *testing.T) {
	l := i18n.For(i18n.Simplified)
	check(t, "none", ErrorText(l, nil), "")
	check(t, "for people", ErrorText(l, fmt.Errorf("save: %w", apperr.New(apperr.NotFound, "errors.page_not_found"))), "页面不存在。")
	check(t, "internal", ErrorText(l, errors.New("pq: connection refused")), "系统出现问题，已作记录，请稍后重试。")
	check(t, "without words", ErrorText(l, &apperr.Error{Kind: apperr.Invalid}), "系统出现问题，已作记录，请稍后重试。")
}

func TestFaulty(t *testing.T) {
	l := i18n.For(i18n.English)
	var faults apperr.Faults
	faults.Add("qty", "errors.not_whole")
	faults.Add("lines[3].sku", "errors.form_not_found", "value", "H1000")
	name, qty := Field{Name: "name", Label: "Name"}, Field{Name: "qty", Label: "Quantity"}
	got := Faulty(l, fmt.Errorf("read: %w", faults.Err()), &name, &qty)
	if len(got) != 2 || got[0].Field != "qty" || got[0].Label != "Quantity" || got[1].Field != "lines[3].sku" {
		t.Fatalf("faults = %+v", got)
	}
	check(t, "field", qty.Error, "This must be a whole number.")
	check(t, "other field", name.Error, "")
	check(t, "row", got[1].Text, "“H1000” was not found.")
	check(t, "one field", FieldError(l, faults.Err(), "qty"), "This must be a whole number.")
	check(t, "no fault", FieldError(l, errors.New("x"), "qty"), "")
	if Faulty(l, nil, &name) != nil {
		t.Error("no error has faults")
	}
}
