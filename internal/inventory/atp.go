package inventory

import (
	"slices"
	"time"
)

// Due is stock that leaves on a day for a promise already given.
type Due struct {
	Day      time.Time
	Quantity int64
}

// Promise is what can be promised from a day on, up to the next one.
type Promise struct {
	Day       time.Time
	Available int64 // firm: never breaks an earlier promise
	Expected  int64 // arrivals up to that day that are not confirmed, beside Available
}

// Forecast returns what can be promised from today and from each later day on which something changes (R18):
// the smallest projected balance from that day onward, where a balance is what is on hand and not reserved, plus
// confirmed arrivals, less what is due. Never below zero. What is due or expected before today counts as today.
func Forecast(today time.Time, free int64, inbound []Inbound, due []Due) []Promise {
	type change struct{ firm, expected int64 }
	changes := map[time.Time]change{today: {firm: free}}
	at := func(day time.Time) time.Time {
		if day.Before(today) {
			return today
		}
		return day
	}
	for _, in := range inbound {
		c := changes[at(in.Expected)]
		if in.Confirmed {
			c.firm += in.Quantity
		} else {
			c.expected += in.Quantity
		}
		changes[at(in.Expected)] = c
	}
	for _, d := range due {
		c := changes[at(d.Day)]
		c.firm -= d.Quantity
		changes[at(d.Day)] = c
	}
	promises := make([]Promise, 0, len(changes))
	for day := range changes {
		promises = append(promises, Promise{Day: day})
	}
	slices.SortFunc(promises, func(a, b Promise) int { return a.Day.Compare(b.Day) })
	var balance, expected int64
	for i := range promises {
		c := changes[promises[i].Day]
		balance += c.firm
		expected += c.expected
		promises[i].Available, promises[i].Expected = balance, expected
	}
	for i := len(promises) - 2; i >= 0; i-- {
		promises[i].Available = min(promises[i].Available, promises[i+1].Available)
	}
	for i := range promises {
		promises[i].Available = max(0, promises[i].Available)
	}
	return promises
}

// AvailableOn returns what can be promised on a day of a forecast; before its start nothing is known, hence 0.
func AvailableOn(forecast []Promise, day time.Time) int64 {
	var n int64
	for _, p := range forecast {
		if p.Day.After(day) {
			break
		}
		n = p.Available
	}
	return n
}

// PromiseDate returns the first day on which a quantity can be promised, and false when the forecast has none.
func PromiseDate(forecast []Promise, quantity int64) (time.Time, bool) {
	for _, p := range forecast {
		if p.Available >= quantity {
			return p.Day, true
		}
	}
	return time.Time{}, false
}
