package cost

import (
	"rackwright/internal/money"
	"rackwright/internal/sizing/basis"
)

// Comparison sets the ways of paying for one plan side by side, in one currency, over one
// horizon. The first ladder is the one that the plan is ranked by.
type Comparison struct {
	Currency      money.Currency `json:"currency"`
	HorizonMonths int            `json:"horizon_months"`
	Ladders       []Ladder       `json:"ladders"`
	BreakEvens    []BreakEven    `json:"break_evens"` // of buying, against each cloud ladder
}

// Main returns the ladder the plan is ranked by, or nil.
func (c *Comparison) Main() *Ladder {
	if c == nil || len(c.Ladders) == 0 {
		return nil
	}
	return &c.Ladders[0]
}

// LadderKind is a way of paying.
type LadderKind string

// The ways of paying of this version.
const (
	Colocation LadderKind = "colocation"
	OnDemand   LadderKind = "on_demand"
)

// Ladder is one way of paying for the plan. Nil figures are unknown or not defined, never zero.
type Ladder struct {
	Kind             LadderKind      `json:"kind"`
	Provider         string          `json:"provider,omitempty"` // of a cloud
	Instance         string          `json:"instance,omitempty"`
	Fabric           string          `json:"fabric,omitempty"`
	Region           string          `json:"region,omitempty"`
	Units            int             `json:"units"` // whole servers or instances
	Lines            []Line          `json:"lines"`
	Complete         bool            `json:"complete"`             // every line has a figure
	PartsOnly        bool            `json:"parts_only,omitempty"` // the hardware price is the sum of listed parts
	Total            *money.Decimal  `json:"total"`                // undiscounted, over the horizon
	NPV              *money.Decimal  `json:"npv"`                  // of what is paid
	PerMonth         *money.Decimal  `json:"per_month"`            // levelised: NPV / annuity
	PerGPUHour       *money.Decimal  `json:"per_gpu_hour"`         // per available GPU-hour
	PerMillionTokens *money.Decimal  `json:"per_million_tokens"`   // output tokens of the actual load
	PerMillionFull   *money.Decimal  `json:"per_million_full"`     // if it ran full always
	Cumulative       []money.Decimal `json:"cumulative,omitempty"` // paid up to month 0 … horizon
	Stale            bool            `json:"stale,omitempty"`      // rests on a price older than 45 days
	Notes            []basis.Message `json:"notes,omitempty"`
}

// When says when a line is paid.
type When string

// The times of payment.
const (
	AtStart When = "start"
	Monthly When = "monthly"
	AtEnd   When = "end"
)

// Line is one cost item. A nil amount says "your figure".
type Line struct {
	Key       string         `json:"key"`
	MessageID string         `json:"message_id"`
	When      When           `json:"when"`
	Amount    *money.Decimal `json:"amount"` // positive is paid, negative comes back
	// Excluded lines are not part of the totals: costs that depend on the buyer's country
	// or contract and have no sourced default. They are shown so that nobody takes them for 0.
	Excluded bool               `json:"excluded,omitempty"`
	Basis    []basis.Assumption `json:"basis,omitempty"`
}

// BreakEven compares buying with one cloud ladder.
type BreakEven struct {
	Provider    string         `json:"provider"`
	Instance    string         `json:"instance"`
	Month       *int           `json:"month"`       // first month in which buying has cost less; nil: not within the horizon
	Never       bool           `json:"never"`       // at no volume and no month: running costs alone are higher
	Utilisation *money.Decimal `json:"utilisation"` // percent of hours above which buying is cheaper; over 100 is never
}
