package cost

import (
	"slices"
	"strconv"
	"time"

	"rackwright/internal/catalog"
	"rackwright/internal/money"
	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/unit"
)

// Plan is what is to be paid for.
type Plan struct {
	System    hardware.System
	Systems   int // spares included
	Group     int // GPUs of one copy of the model
	Replicas  int
	CrossNode bool    // copies span systems, which need a fabric
	Tokens    float64 // output tokens per second, mean over the day
	Full      float64 // output tokens per second flat out
}

// maxClouds bounds how many clouds stand beside buying: the cheapest ones.
const maxClouds = 8

// Compare returns the ways of paying for a plan: for hardware, buying with colocation first
// and then the clouds that rent the same GPU; for a cloud instance, its own rent.
func Compare(p Plan, s Settings, now time.Time) *Comparison {
	c := &Comparison{Currency: s.book.Currency, HorizonMonths: s.Months}
	if p.System.Kind == hardware.Cloud {
		if o, ok := s.book.ofInstance(p.System.SKU); ok {
			l := s.rent(p, o, p.Systems, now)
			l.Lines[0].Basis = slices.Concat(l.Lines[0].Basis, s.hours().basis, s.get("cost_of_capital").basis)
			c.Ladders = append(c.Ladders, l)
			return c
		}
		return nil
	}
	own := s.colocation(p, now)
	c.Ladders = append(c.Ladders, own)
	offers := s.book.onDemand(p.System.GPU.SKU, p.Group, p.Replicas)
	for _, o := range offers[:min(len(offers), maxClouds)] {
		n, _ := instances(o.GPUs, p.Group, p.Replicas)
		l := s.rent(p, o, n, now)
		c.Ladders = append(c.Ladders, l)
		c.BreakEvens = append(c.BreakEvens, breakEven(own, l, o))
	}
	return c
}

// rent is on-demand cloud, always on, in whole instances.
func (s Settings) rent(p Plan, o catalog.CloudOffer, units int, now time.Time) Ladder {
	hours := *s.hours().value
	price := basis.Assumption{
		Key: "offer." + o.Provider + "." + o.Instance, MessageID: "sizing.cost_offer", Args: []basis.Arg{basis.T("provider", o.Provider), basis.T("instance", o.Instance)},
		Value: o.USDPerHour.String(), Unit: "USD/h", Region: o.Region, SourceID: o.SourceID, Source: o.SourceDetail,
		AsOf: o.AsOf.Format("2006-01-02"), Kind: basis.Published, Confident: string(o.Confidence), Stale: catalog.Stale(o.AsOf, now),
	}
	monthly := o.USDPerHour.Mul(hours).Mul(money.FromInt(int64(units)))
	l := Ladder{
		Kind: OnDemand, Provider: o.Provider, Instance: o.Instance, Fabric: o.Fabric, Region: o.Region, Units: units, Stale: price.Stale, Complete: true,
		Lines: []Line{{Key: "rent", MessageID: "cost.ladder_on_demand", When: Monthly, Amount: &monthly, Basis: []basis.Assumption{price}}},
		Notes: []basis.Message{basis.Msg("sizing.cost_cloud_extras")},
	}
	s.finish(&l, p, units*o.GPUs, money.FromInt(100))
	return l
}

func (s Settings) hours() figure {
	f := s.get("hours_per_month")
	if f.value == nil {
		h := money.FromInt(int64(unit.HoursPerMonth))
		f.value = &h
	}
	return f
}

// finish adds up a ladder: totals only where every counted line has a figure.
func (s Settings) finish(l *Ladder, p Plan, gpus int, availability money.Decimal) {
	f := flow{months: s.Months}
	l.Complete = true
	for _, line := range l.Lines {
		switch {
		case line.Excluded:
		case line.Amount == nil:
			l.Complete = false
		case line.When == AtStart:
			f.start = f.start.Add(*line.Amount)
		case line.When == Monthly:
			f.monthly = f.monthly.Add(*line.Amount)
		default:
			f.end = f.end.Add(*line.Amount)
		}
	}
	if !l.Complete || s.discount == nil {
		l.Complete = false
		return
	}
	d := s.discount.of(f)
	set := func(dst **money.Decimal, v money.Decimal) { *dst = &v }
	set(&l.Total, f.total().Round(places))
	set(&l.NPV, d.npv(places))
	set(&l.PerMonth, d.levelised(money.FromInt(1), places))
	hundred := money.FromInt(100)
	hours := s.hours().value.Mul(money.FromInt(int64(gpus))).Mul(availability)
	if hours.Sign() > 0 { // hundreds of hours, because availability is in percent
		perHour := d.levelisedTimes(hundred, hours, 4)
		l.PerGPUHour = &perHour
	}
	l.PerMillionTokens = s.perMillion(d, p.Tokens)
	l.PerMillionFull = s.perMillion(d, p.Full)
	l.Cumulative = f.cumulative()
}

// levelisedTimes is levelised multiplied by a factor before the one rounding.
func (d discounted) levelisedTimes(factor, divisor money.Decimal, places int) money.Decimal {
	d.future = d.future.Mul(factor)
	return d.levelised(divisor, places)
}

// perMillion returns the cost of a million tokens at a rate of tokens per second; nil, "not
// defined", without load.
func (s Settings) perMillion(d discounted, perSecond float64) *money.Decimal {
	rate, err := money.ParseDecimal(strconv.FormatFloat(perSecond, 'f', 3, 64))
	if err != nil || rate.Sign() <= 0 {
		return nil
	}
	tokens := rate.Mul(money.FromInt(3600)).Mul(*s.hours().value)
	v := d.levelisedTimes(money.FromInt(1_000_000), tokens, 4)
	return &v
}

// breakEven compares owning with one offer: the first whole month in which owning has cost
// no more, undiscounted and without resale, and the share of hours above which it is cheaper.
func breakEven(own, rent Ladder, o catalog.CloudOffer) BreakEven {
	b := BreakEven{Provider: o.Provider, Instance: o.Instance}
	if !own.Complete || !rent.Complete {
		return b
	}
	start, monthly := paid(own, AtStart), paid(own, Monthly)
	months, ok := BreakEvenMonths(start, monthly, paid(rent, Monthly), 6)
	b.Never = !ok
	if ok {
		if n := ceil(months); n < len(own.Cumulative) {
			b.Month = &n
		}
	}
	if own.PerGPUHour != nil && rent.PerGPUHour != nil && rent.PerGPUHour.Sign() > 0 {
		share := own.PerGPUHour.Mul(money.FromInt(100)).Quo(*rent.PerGPUHour, 1)
		b.Utilisation = &share
	}
	return b
}

func paid(l Ladder, when When) money.Decimal {
	var sum money.Decimal
	for _, line := range l.Lines {
		if line.When == when && line.Amount != nil && !line.Excluded {
			sum = sum.Add(*line.Amount)
		}
	}
	return sum
}

// Priced reports whether the plan's main ladder has all its figures.
func (c *Comparison) Priced() bool {
	main := c.Main()
	return main != nil && main.Complete
}

// Assumptions returns every figure behind the comparison once, in the order of use.
func (c *Comparison) Assumptions() []basis.Assumption {
	var out []basis.Assumption
	if c == nil {
		return nil
	}
	for _, l := range c.Ladders {
		for _, line := range l.Lines {
			for _, a := range line.Basis {
				if !slices.ContainsFunc(out, func(b basis.Assumption) bool { return b.Key == a.Key }) {
					out = append(out, a)
				}
			}
		}
	}
	return out
}
