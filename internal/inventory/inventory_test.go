package inventory

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"rackwright/internal/catalog"
)

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestAllocate(t *testing.T) {
	tests := []struct {
		name     string
		levels   []Level
		demands  []Demand
		want     []Allocation
		shortage []Shortage
	}{
		{name: "from the only place", levels: []Level{{"A", 1, 5, 1}}, demands: []Demand{{"A", 3}}, want: []Allocation{{"A", 1, 3}}},
		{name: "over two places", levels: []Level{{"A", 1, 2, 0}, {"A", 2, 9, 0}}, demands: []Demand{{"A", 3}},
			want: []Allocation{{"A", 1, 2}, {"A", 2, 1}}},
		{name: "what is reserved is not free", levels: []Level{{"A", 1, 2, 2}}, demands: []Demand{{"A", 1}}, shortage: []Shortage{{"A", 1}}},
		{name: "PR092 two lines of one SKU share one piece", levels: []Level{{"A", 1, 1, 0}}, demands: []Demand{{"A", 1}, {"A", 1}},
			want: []Allocation{{"A", 1, 1}}, shortage: []Shortage{{"A", 1}}},
		{name: "no stock at all", demands: []Demand{{"A", 2}}, shortage: []Shortage{{"A", 2}}},
		{name: "PR102 a wrong balance is not used", levels: []Level{{"A", 1, -2, 0}, {"A", 2, 5, 0}}, demands: []Demand{{"A", 3}},
			want: []Allocation{{"A", 2, 3}}},
		{name: "nothing wanted", levels: []Level{{"A", 1, 5, 0}}, demands: []Demand{{"A", 0}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, short := Allocate(tt.levels, tt.demands)
			if !slices.Equal(got, tt.want) || !slices.Equal(short, tt.shortage) {
				t.Errorf("got %v short %v, want %v short %v", got, short, tt.want, tt.shortage)
			}
		})
	}
}

// PR094: allocating again for what is left never takes more than there is.
func TestAllocateNeverOversells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sku := rapid.SampledFrom([]string{"A", "B", "C"})
		levels := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Level {
			onHand := rapid.Int64Range(0, 20).Draw(t, "on hand")
			return Level{sku.Draw(t, "sku"), rapid.Int64Range(1, 5).Draw(t, "place"), onHand, rapid.Int64Range(0, onHand).Draw(t, "reserved")}
		})).Draw(t, "levels")
		demands := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Demand {
			return Demand{sku.Draw(t, "sku"), rapid.Int64Range(0, 30).Draw(t, "quantity")}
		})).Draw(t, "demands")
		got, short := Allocate(levels, demands)
		free, taken, wanted, missing := map[string]int64{}, map[string]int64{}, map[string]int64{}, map[string]int64{}
		for _, l := range levels {
			free[l.SKU] += l.Available()
		}
		for _, a := range got {
			taken[a.SKU] += a.Quantity
		}
		for _, d := range demands {
			wanted[d.SKU] += d.Quantity
		}
		for _, s := range short {
			missing[s.SKU] += s.Quantity
		}
		for _, s := range []string{"A", "B", "C"} {
			if taken[s] > free[s] || taken[s]+missing[s] != wanted[s] || (missing[s] > 0 && taken[s] < free[s]) {
				t.Fatalf("%s: free %d, taken %d, wanted %d, missing %d", s, free[s], taken[s], wanted[s], missing[s])
			}
		}
	})
}

func TestForecastOfFile(t *testing.T) {
	file, err := os.Open("testdata/atp_inbound.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	today := day("2026-10-01")
	var free int64
	var inbound []Inbound
	var due []Due
	for _, r := range rows[1:] {
		n, err := strconv.ParseInt(r[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		switch kind, at := r[0], day(r[2]); kind {
		case "on_hand":
			free += n
		case "reservation":
			until := day(r[3][len(r[3])-10:]) // "active until …", "expired …"
			if (Reservation{Until: until}).Live(today) {
				free -= n
			}
		case "po_line":
			inbound = append(inbound, Inbound{Quantity: n, Expected: at, Confirmed: r[3] == "confirmed"})
		case "demand":
			due = append(due, Due{at, n})
		}
	}
	forecast := Forecast(today, free, inbound, due)
	if got := free; got != 2 {
		t.Errorf("available now %d, want 2", got)
	}
	for on, want := range map[string]int64{"2026-10-14": 2, "2026-10-15": 3, "2026-10-20": 3} {
		if got := AvailableOn(forecast, day(on)); got != want {
			t.Errorf("on %s %d, want %d", on, got, want)
		}
	}
	if d, ok := PromiseDate(forecast, 3); !ok || !d.Equal(day("2026-10-15")) {
		t.Errorf("three are promised for %v, %v", d, ok)
	}
	if _, ok := PromiseDate(forecast, 4); ok {
		t.Error("unconfirmed stock was promised")
	}
	if last := forecast[len(forecast)-1]; last.Expected != 8 {
		t.Errorf("expected %d, want 8", last.Expected)
	}
}

// A promise never breaks an earlier one: taking what is promised on a day leaves no balance below zero.
func TestForecastKeepsPromises(t *testing.T) {
	today := day("2026-10-01")
	rapid.Check(t, func(t *rapid.T) {
		free := rapid.Int64Range(0, 20).Draw(t, "free")
		offset := rapid.IntRange(0, 30)
		inbound := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Inbound {
			return Inbound{Quantity: rapid.Int64Range(1, 10).Draw(t, "n"), Expected: today.AddDate(0, 0, offset.Draw(t, "day")), Confirmed: rapid.Bool().Draw(t, "confirmed")}
		})).Draw(t, "inbound")
		due := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Due {
			return Due{today.AddDate(0, 0, offset.Draw(t, "day")), rapid.Int64Range(1, 5).Draw(t, "n")}
		})).Draw(t, "due")
		forecast := Forecast(today, free, inbound, due)
		for i := 1; i < len(forecast); i++ {
			if forecast[i].Available < forecast[i-1].Available {
				t.Fatalf("less can be promised later: %v", forecast)
			}
		}
		on := today.AddDate(0, 0, offset.Draw(t, "on"))
		taken := AvailableOn(forecast, on)
		after := Forecast(today, free, inbound, append(due, Due{on, taken}))
		for _, p := range after {
			if !p.Day.Before(on) && AvailableOn(forecast, p.Day)-taken != p.Available {
				t.Fatalf("after taking %d on %v: %v, before %v", taken, on, after, forecast)
			}
		}
	})
}

func TestReservationEnds(t *testing.T) {
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	r := Reservation{Until: noon}
	if !r.Live(noon.Add(-time.Second)) || r.Live(noon) || (Reservation{Until: noon, Released: noon.Add(-time.Hour)}).Live(noon.Add(-time.Minute)) {
		t.Error("PR097: a reservation holds up to its end and not longer")
	}
}

func TestStocked(t *testing.T) {
	if Stocked(catalog.CloudInstance, "") || Stocked(catalog.Accessory, "software subscription") || !Stocked(catalog.Accessory, "bridge") {
		t.Error("software and rented instances are not stocked")
	}
}
