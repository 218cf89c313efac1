package apperr_test

import (
	"errors"
	"fmt"
	"testing"

	"rackwright/internal/apperr"
)

func TestIs(t *testing.T) {
	err := fmt.Errorf("accept quote 7: %w", apperr.New(apperr.Conflict, "errors.form_conflict"))
	tests := []struct {
		name string
		err  error
		kind apperr.Kind
		want bool
	}{
		{"wrapped", err, apperr.Conflict, true},
		{"other kind", err, apperr.Invalid, false},
		{"other error", errors.New("x"), apperr.Conflict, false},
		{"none", nil, apperr.Conflict, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := apperr.Is(tt.err, tt.kind); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	cause := errors.New("the cause")
	err := apperr.Wrap(apperr.Invalid, cause, "errors.form_range", "min", 1)
	err.Fields = map[string]apperr.Message{"b": apperr.Msg("errors.form_number"), "a": apperr.Msg("errors.form_required")}
	want := "invalid: errors.form_range [min 1]; a: errors.form_required []; b: errors.form_number []: the cause"
	if got := err.Error(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
}

func TestKindString(t *testing.T) {
	seen := map[string]bool{}
	for k := apperr.Invalid; k <= apperr.Unavailable; k++ {
		if s := k.String(); seen[s] || s == fmt.Sprintf("kind(%d)", uint8(k)) {
			t.Errorf("kind %d is called %q", uint8(k), s)
		} else {
			seen[s] = true
		}
	}
	if got := apperr.Kind(99).String(); got != "kind(99)" {
		t.Errorf("got %q", got)
	}
}

// The first fault of a field is the most basic one and stays.
func TestFaults(t *testing.T) {
	var f apperr.Faults
	if f.Err() != nil || f.Len() != 0 || f.Has("qty") {
		t.Fatal("faults before any")
	}
	f.Add("qty", "errors.form_number")
	f.Add("qty", "errors.form_positive")
	f.Add("lines[1].price", "errors.form_required", "field", "price")
	if f.Len() != 2 || !f.Has("qty") {
		t.Errorf("%d faults", f.Len())
	}
	e, ok := errors.AsType[*apperr.Error](f.Err())
	if !ok || e.Kind != apperr.Invalid || e.Fields["qty"].ID != "errors.form_number" {
		t.Errorf("got %v", f.Err())
	}
}
