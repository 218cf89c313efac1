package money

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
)

// Scan reads a database numeric. NaN and infinity, which the type numeric allows, are errors, and
// so is NULL: a column that may be unknown is scanned into a *Decimal.
func (v *Decimal) Scan(src any) error {
	switch s := src.(type) {
	case string:
		return v.set(s)
	case []byte:
		return v.set(string(s))
	case int64:
		*v = FromInt(s)
		return nil
	default:
		return fmt.Errorf("money: cannot scan %T into a decimal", src)
	}
}

func (v *Decimal) set(s string) error {
	parsed, err := ParseDecimal(s)
	if err != nil {
		return fmt.Errorf("money: decimal %.60q: %w", s, err)
	}
	*v = parsed
	return nil
}

// Value writes a database numeric as its plain text.
func (v Decimal) Value() (driver.Value, error) { return v.String(), nil }

// MarshalJSON writes the number as a JSON string, because many readers turn numbers into floats.
func (v Decimal) MarshalJSON() ([]byte, error) { return json.Marshal(v.String()) }

// UnmarshalJSON reads a JSON string; a bare number is refused for the reason MarshalJSON gives.
func (v *Decimal) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("money: a decimal is a JSON string: %w", err)
	}
	return v.set(s)
}

// Scan reads a percentage from a database numeric; 12.5 means 12.5 %.
func (p *Percent) Scan(src any) error { return p.d.Scan(src) }

// Value writes the percentage as a database numeric; 12.5 means 12.5 %.
func (p Percent) Value() (driver.Value, error) { return p.d.Value() }

// MarshalJSON writes the percentage as a JSON string, "12.5" for 12.5 %.
func (p Percent) MarshalJSON() ([]byte, error) { return p.d.MarshalJSON() }

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Percent) UnmarshalJSON(b []byte) error { return p.d.UnmarshalJSON(b) }
