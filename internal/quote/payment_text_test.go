package quote

import (
	"encoding/json"
	"testing"

	"rackwright/internal/apperr"
)

func TestParsePayments(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"usual", "Deposit; 30 %; order\nBalance; rest; delivery 30", "Deposit; 30 %; order\nBalance; rest; delivery 30"},
		{"without event", "All;100%", "All; 100 %; order"},
		{"amounts", "First; 5000.50; invoice 14\n\nRest; Rest", "First; 5000.5; invoice 14\nRest; rest; order"},
		{"full width", "订金；30％；下单\n尾款；余款；交货 30", "订金; 30 %; order\n尾款; rest; delivery 30"},
		{"nothing", " \n ", ""},
		{"one cell", "Deposit", "payments"},
		{"no label", "; 30 %", "payments"},
		{"no figure", "Deposit; much", "payments"},
		{"other event", "Deposit; 30 %; christmas", "payments"},
		{"days that are none", "Deposit; 30 %; order soon", "payments"},
		{"too many cells", "a; 1; order; b", "payments"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParsePayments(tt.text)
			if err != nil {
				if !hasField(err, tt.want) || !apperr.Is(err, apperr.Invalid) {
					t.Errorf("%v, want %s", err, tt.want)
				}
				return
			}
			if s := FormatPayments(got); s != tt.want {
				t.Errorf("%q, want %q", s, tt.want)
			}
		})
	}
}

// What was read and written again is read as the same.
func FuzzParsePayments(f *testing.F) {
	for _, s := range []string{"Deposit; 30 %; order\nBalance; rest; delivery 30", "a;1", "订金；30％", "x; -0.00 %;invoice -3", "x; 1e5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := ParsePayments(text)
		if err != nil {
			return
		}
		second, err := ParsePayments(FormatPayments(first))
		if err != nil {
			t.Fatalf("%q: %v", FormatPayments(first), err)
		}
		a, _ := json.Marshal(first)
		b, _ := json.Marshal(second)
		if FormatPayments(first) != FormatPayments(second) || len(first) != len(second) {
			t.Fatalf("%s became %s", a, b)
		}
	})
}
