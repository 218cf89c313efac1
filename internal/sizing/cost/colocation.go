package cost

import (
	"time"

	"rackwright/internal/catalog"
	"rackwright/internal/money"
	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/hardware"
)

// colocation is buying the systems and renting space and power for them.
func (s Settings) colocation(p Plan, now time.Time) Ladder {
	l := Ladder{Kind: Colocation, Units: p.Systems}
	n := count(p.Systems)
	server, partsOnly, stale := s.server(p.System, now)
	l.PartsOnly, l.Stale = partsOnly, stale
	if partsOnly {
		l.Notes = append(l.Notes, basis.Msg("sizing.cost_parts_only"))
	}
	hardwareCost := combine(product, server, n)
	provisioned, average := s.Power(p.System)
	share := func(key string, of figure) figure {
		return combine(func(v []money.Decimal) money.Decimal { return v[0].Mul(v[1]).Mul(cent) }, s.get(key), of)
	}
	seen := map[string]bool{} // a figure stands with the first line that uses it
	add := func(key, message string, when When, f figure) {
		line := Line{Key: key, MessageID: message, When: when, Amount: f.value}
		for _, b := range f.basis {
			if !seen[b.Key] {
				seen[b.Key] = true
				line.Basis = append(line.Basis, b)
			}
		}
		l.Lines = append(l.Lines, line)
	}
	add("hardware", "cost.hardware_cost", AtStart, hardwareCost)
	add("install", "cost.installation", AtStart, combine(product, s.install(p.System), n))
	add("spares", "cost.spares", AtStart, share("spares_share", hardwareCost))
	add("space", "cost.rack_space_rent", Monthly, combine(product, provisioned, s.get("colo_rent_wholesale"), n))
	add("energy", "cost.electricity_bill", Monthly, s.energy(average, n))
	// The product of a share a year, a price and 1/12 is divided once, to the cent.
	maintenance := share("maintenance_per_year", hardwareCost)
	add("maintenance", "cost.maintenance_service", Monthly, combine(func(v []money.Decimal) money.Decimal {
		return v[0].Quo(money.FromInt(12), places)
	}, maintenance))
	add("staff", "cost.staff_cost", Monthly, s.staff(p.Systems))
	add("network", "cost.network_cost", Monthly, combine(product, s.get("network_monthly_node"), n))
	if p.CrossNode {
		add("fabric", "sizing.cost_fabric", AtStart, figure{})
	}
	residual := share("residual_value", hardwareCost)
	add("residual", "cost.residual_value", AtEnd, combine(func(v []money.Decimal) money.Decimal { return v[0].Neg() }, residual))
	s.optional(&l, hardwareCost, p)
	availability := s.get("availability")
	if availability.value == nil {
		hundred := money.FromInt(100)
		availability.value = &hundred
	}
	s.finish(&l, p, p.Systems*p.System.GPUs, *availability.value)
	if len(l.Lines) > 0 { // figures that no line holds, shown with the last one counted
		l.Lines[0].Basis = append(l.Lines[0].Basis, append(availability.basis, s.get("cost_of_capital").basis...)...)
	}
	return l
}

var cent = money.MustDecimal("0.01")

func product(v []money.Decimal) money.Decimal {
	out := v[0]
	for _, x := range v[1:] {
		out = out.Mul(x)
	}
	return out
}

func count(n int) figure {
	d := money.FromInt(int64(n))
	return figure{value: &d}
}

// server returns the price of one system: the user's, else the catalogue's, else that of a
// nameless server with the same board. A board alone is not a server and is never priced as one.
func (s Settings) server(sys hardware.System, now time.Time) (f figure, partsOnly, stale bool) {
	if own, ok := s.own["price."+sys.SKU]; ok {
		a := basis.Assumption{Key: "price." + sys.SKU, MessageID: "sizing.cost_price", Args: []basis.Arg{basis.T("sku", sys.SKU)}, Value: own.String(), Unit: string(s.book.Currency), Kind: basis.Input}
		return figure{&own, []basis.Assumption{a}}, false, false
	}
	switch sys.Kind {
	case hardware.Board:
		f = figure{}
		if ref := reference(sys); ref != "" && s.book.Currency == "USD" {
			f = s.get("server_" + ref + "_price")
		}
		for i := range f.basis {
			if d, ok := s.book.fixed(f.basis[i].Key); ok && f.basis[i].Kind != basis.Input {
				f.basis[i].Stale = catalog.Stale(d.AsOf, now)
				stale = stale || f.basis[i].Stale
			}
		}
		return f, false, stale
	case hardware.Node:
		return s.listed(sys, now)
	}
	return figure{}, false, false // the server around a card is the buyer's choice
}

// listed returns the catalogue's buying price: an observation, or the sum of listed parts.
func (s Settings) listed(sys hardware.System, now time.Time) (f figure, partsOnly, stale bool) {
	b, ok := s.book.buy(sys.SKU)
	if !ok {
		return figure{}, false, false
	}
	row := func(code string, o catalog.PriceObservation) {
		old := catalog.Stale(o.Day, now)
		stale = stale || old
		f.basis = append(f.basis, basis.Assumption{
			Key: "price." + code, MessageID: "sizing.cost_price", Args: []basis.Arg{basis.T("sku", code)},
			Value: o.Price.Value.String(), Unit: string(o.Price.Currency), Region: o.Region, SourceID: o.SourceID, Source: o.SourceDetail,
			AsOf: o.Day.Format("2006-01-02"), Kind: basis.Published, Confident: string(o.Confidence), Stale: old,
		})
	}
	if b.Observation != nil {
		row(sys.SKU, *b.Observation)
	}
	for _, part := range b.Parts {
		row(part.Component.Child, part.Observation)
	}
	f.value = &b.Price.Value
	return f, b.Observation == nil, stale
}

// reference names the nameless server of the defaults that holds a system's board.
func reference(sys hardware.System) string {
	if sys.GPUs != 8 || sys.GPU.Form != hardware.SXM {
		return ""
	}
	switch sys.GPU.SKU {
	case "H100-SXM5-80GB":
		return "8xh100"
	case "H200-SXM-141GB":
		return "8xh200"
	case "B200-SXM-180GB":
		return "8xb200"
	case "A100-SXM4-80GB":
		return "8xa100_80gb"
	}
	return ""
}

func (s Settings) install(sys hardware.System) figure {
	if ref := reference(sys); ref != "" && s.book.Currency == "USD" {
		return s.get("server_" + ref + "_install")
	}
	return figure{}
}

// Power returns the provisioned and the average power of one system in kilowatts. A system
// without a figure of its own takes that of DGX H100 where it has the same eight modules;
// the average keeps the ratio of the defaults.
func (s Settings) Power(sys hardware.System) (provisioned, average figure) {
	if sys.Kind == hardware.Cloud {
		return figure{}, figure{}
	}
	base := s.get("node_power_provisioned")
	_, own := s.own["node_power_provisioned"]
	switch {
	case own:
		provisioned = base
	case sys.Provisioned != nil:
		kw := kilowatts(sys.Provisioned.KW())
		provisioned = figure{value: &kw}
		for _, b := range sys.Basis {
			if b.MessageID == "sizing.basis_system_power" {
				provisioned.basis = append(provisioned.basis, b)
			}
		}
	case reference(sys) == "8xh100" || reference(sys) == "8xh200":
		provisioned = base
	default:
		return figure{}, figure{}
	}
	load := s.get("node_power_average")
	if _, own := s.own["node_power_average"]; own || provisioned.value == nil || base.value == nil || provisioned.value.Equal(*base.value) {
		return provisioned, load
	}
	return provisioned, combine(func(v []money.Decimal) money.Decimal {
		if v[2].IsZero() {
			return v[1]
		}
		return v[0].Mul(v[1]).Quo(v[2], 3)
	}, provisioned, load, base)
}

// Kilowatts returns the figures of Power as numbers; nil is unknown.
func (s Settings) Kilowatts(sys hardware.System) (provisioned, average *money.Decimal) {
	p, a := s.Power(sys)
	return p.value, a.value
}

func kilowatts(f float64) money.Decimal {
	d, err := money.ParseDecimal(formatFloat(f))
	if err != nil {
		return money.Decimal{}
	}
	return d
}

// energy is the average power over the month through the PUE, unless the rent includes it.
func (s Settings) energy(average, n figure) figure {
	included := s.get("colo_energy_included")
	if included.value != nil && !included.value.IsZero() {
		zero := money.Decimal{}
		return figure{&zero, included.basis}
	}
	f := combine(func(v []money.Decimal) money.Decimal {
		return EnergyMonthly(v[0], v[1], v[2], v[3]).Mul(v[4])
	}, average, s.hours(), s.get("pue_colo"), s.get("electricity_industrial"), n)
	f.basis = append(f.basis, included.basis...)
	return f
}

func (s Settings) staff(systems int) figure {
	further := money.FromInt(int64(max(0, systems-1)))
	return combine(func(v []money.Decimal) money.Decimal {
		return v[0].Add(v[1].Mul(further)).Mul(v[2])
	}, s.get("staff_first_node"), s.get("staff_per_further_node"), s.get("staff_cost"))
}

// optional adds the costs that have no sourced default: counted only with the user's figure.
func (s Settings) optional(l *Ladder, hardwareCost figure, p Plan) {
	for _, o := range []struct {
		key, own, message string
		when              When
		amount            func(v money.Decimal) *money.Decimal
	}{
		{"duty", "duty_and_tax", "cost.duty_and_tax", AtStart, func(v money.Decimal) *money.Decimal {
			if hardwareCost.value == nil {
				return nil
			}
			tax := hardwareCost.value.Mul(v).Mul(cent)
			return &tax
		}},
		{"remote_hands", "remote_hands_monthly", "cost.remote_hands", Monthly, func(v money.Decimal) *money.Decimal { return &v }},
		{"cross_connect", "cross_connect_monthly", "cost.cross_connect", Monthly, func(v money.Decimal) *money.Decimal { return &v }},
		{"software", "software_gpu_year", "sizing.cost_software", Monthly, func(v money.Decimal) *money.Decimal {
			m := v.Mul(money.FromInt(int64(p.Systems*p.System.GPUs))).Quo(money.FromInt(12), places)
			return &m
		}},
	} {
		line := Line{Key: o.key, MessageID: o.message, When: o.when, Excluded: true}
		if own, ok := s.own[o.own]; ok {
			line.Amount, line.Excluded = o.amount(own), false
			line.Basis = s.get(o.own).basis
		}
		l.Lines = append(l.Lines, line)
	}
}
