package cost

import (
	"slices"
	"strconv"
	"strings"

	"rackwright/internal/apperr"
	"rackwright/internal/catalog"
	"rackwright/internal/money"
	"rackwright/internal/sizing/basis"
)

// Settings are the defaults with the user's own figures over them.
type Settings struct {
	book     Book
	own      map[string]money.Decimal
	discount *discount // nil where the rate is unknown
	Months   int
}

// own figures that have no shipped default.
var ownKeys = []string{"duty_and_tax", "remote_hands_monthly", "cross_connect_monthly", "software_gpu_year"}

// Keys returns the keys a request may set: those of the shipped defaults that the
// comparison uses, those without a default, and price.<SKU> for the buying price of a system.
func Keys() []string { return slices.Concat(defaultKeys, ownKeys) }

var defaultKeys = []string{
	"server_8xh100_price", "server_8xh100_install", "server_8xh200_price", "server_8xh200_install",
	"spares_share", "colo_rent_wholesale", "node_power_provisioned", "node_power_average", "pue_colo",
	"electricity_industrial", "colo_energy_included", "maintenance_per_year", "staff_first_node", "staff_per_further_node",
	"staff_cost", "network_monthly_node", "hours_per_month", "residual_value", "cost_of_capital", "availability",
}

// limits of own figures: shares and ratios in their unit, everything else a plain amount.
var upper = map[string]string{
	"spares_share": "100", "maintenance_per_year": "100", "residual_value": "100", "cost_of_capital": "100",
	"availability": "100", "pue_colo": "5", "duty_and_tax": "200", "hours_per_month": "744", "colo_energy_included": "1",
}

const anyUpper = "1000000000"

// NewSettings reads own figures by key. Unknown keys, words, negative and absurd figures
// are faults under cost.<key>.
func NewSettings(b Book, own map[string]string, months int) (Settings, error) {
	s := Settings{book: b, own: map[string]money.Decimal{}, Months: months}
	var faults apperr.Faults
	for key, text := range own {
		if strings.TrimSpace(text) == "" {
			continue
		}
		if !slices.Contains(Keys(), key) && !strings.HasPrefix(key, "price.") {
			faults.Add("cost."+key, "sizing.cost_key_unknown", "key", key)
			continue
		}
		d, err := money.ParseDecimal(strings.TrimSpace(text))
		if err != nil {
			faults.Add("cost."+key, "sizing.not_a_number")
			continue
		}
		limit, ok := upper[key]
		if !ok {
			limit = anyUpper
		}
		least := money.Decimal{}
		if key == "availability" || key == "pue_colo" || key == "hours_per_month" {
			least = money.FromInt(1) // a divisor, and a ratio that is never below 1
		}
		if d.Less(least) || money.MustDecimal(limit).Less(d) || d.Places() > 8 {
			faults.Add("cost."+key, "sizing.out_of_range", "min", least.String(), "max", limit)
			continue
		}
		s.own[key] = d
	}
	if rate := s.get("cost_of_capital").value; rate != nil && faults.Len() == 0 {
		d := newDiscount(*rate, months)
		s.discount = &d
	}
	return s, faults.Err()
}

// figure is one value of the calculation; nil is unknown.
type figure struct {
	value *money.Decimal
	basis []basis.Assumption
}

// get returns a figure: the user's own, else the shipped default, else unknown.
func (s Settings) get(key string) figure {
	d, ok := s.book.fixed(key)
	a := assumption(key, d)
	if own, has := s.own[key]; has {
		a.Value, a.Kind, a.SourceID, a.Source, a.AsOf, a.Confident = own.String(), basis.Input, "", "", "", ""
		return figure{&own, []basis.Assumption{a}}
	}
	if !ok {
		a.Value = ""
		return figure{nil, []basis.Assumption{a}}
	}
	return figure{d.Value, []basis.Assumption{a}}
}

func assumption(key string, d catalog.CostDefault) basis.Assumption {
	a := basis.Assumption{
		Key: key, MessageID: "sizing.cost_" + key, Unit: d.Unit, Region: d.Region, SourceID: d.SourceID, Source: d.SourceDetail,
		Kind: basis.Published, Confident: string(d.Confidence), Value: text(d.Value), Low: text(d.Low), High: text(d.High),
	}
	if judged(d) {
		a.Kind = basis.Judgement
	}
	if !d.AsOf.IsZero() {
		a.AsOf = d.AsOf.Format("2006-01-02")
	}
	return a
}

func text(d *money.Decimal) string {
	if d == nil {
		return ""
	}
	return d.String()
}

func judged(d catalog.CostDefault) bool { return strings.Contains(d.Note, "[judgement]") }

// combine calculates with figures; the outcome is unknown where one of them is.
func combine(f func(v []money.Decimal) money.Decimal, in ...figure) figure {
	var out figure
	values := make([]money.Decimal, 0, len(in))
	for _, x := range in {
		out.basis = append(out.basis, x.basis...)
		if x.value != nil {
			values = append(values, *x.value)
		}
	}
	if len(values) == len(in) {
		v := f(values)
		out.value = &v
	}
	return out
}

// formatFloat writes a catalogue figure without exponent; catalogue decimals are short.
func formatFloat(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
