package quote

import (
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/catalog"
	"rackwright/internal/money"
)

// BlockerKind says what keeps a draft from being sent, or what is worth knowing first.
type BlockerKind string

// The kinds.
const (
	NoLines         BlockerKind = "no_lines"
	NoCustomer      BlockerKind = "no_customer"
	BlankPrice      BlockerKind = "blank_price"
	PastValidity    BlockerKind = "past_validity"
	NegativeTotal   BlockerKind = "negative_total"
	BelowFloor      BlockerKind = "below_floor"    // pricing decides
	AboveDiscount   BlockerKind = "above_discount" // a lead decides
	BelowMargin     BlockerKind = "below_margin"   // a lead decides
	NoDestination   BlockerKind = "no_destination"
	LicenceNeeded   BlockerKind = "licence_needed"
	CheckControl    BlockerKind = "check_control" // the table says to ask before an offer
	RateMissing     BlockerKind = "rate_missing"
	ProfileMissing  BlockerKind = "profile_missing"
	StalePrice      BlockerKind = "stale_price"
	WrongPayments   BlockerKind = "wrong_payments" // the instalments do not fit the total
	NoTaxNote       BlockerKind = "no_tax_note"    // a tax rule without the text that the law wants
	LoneAlternative BlockerKind = "lone_alternative"
	UncoveredScript BlockerKind = "uncovered_script" // from the caller, who knows the fonts
)

// Severity says what a blocker does.
type Severity string

// The severities.
const (
	Stop     Severity = "stop"     // must be mended first
	Approval Severity = "approval" // an exception that somebody else may allow (R13)
	Remark   Severity = "note"     // does not block
)

// Blocker is one open point before sending. Lines are indexes into the content's lines.
type Blocker struct {
	Kind     BlockerKind
	Severity Severity
	Msg      apperr.Message
	Lines    []int
}

// StaleDays is the age after which a list price is marked (R15).
const StaleDays = 45

// Facts are what SendBlockers needs besides the content.
type Facts struct {
	Now      time.Time
	State    State // Approved: exceptions are allowed already
	Settings Settings
	Rules    []catalog.ControlDestination // decide whether a licence is needed (R14)
	Rate     *Rate                        // between the quote's and the company's currency; nil is none recent enough
	NoLimit  []int                        // lines whose floor price or cost no recent rate converts (Book.Limited)
}

// Blocks reports whether any of the blockers keeps the quote from being sent.
func Blocks(blockers []Blocker) bool {
	for _, b := range blockers {
		if b.Severity != Remark {
			return true
		}
	}
	return false
}

// NeedsApproval reports whether the only things that block are exceptions, so that the draft can be
// submitted.
func NeedsApproval(blockers []Blocker) bool {
	exceptions := false
	for _, b := range blockers {
		if b.Severity == Stop {
			return false
		}
		exceptions = exceptions || b.Severity == Approval
	}
	return exceptions
}

// SendBlockers lists what is open before the content can be sent, the hardest first. t are its totals.
func SendBlockers(c Content, t Totals, f Facts) []Blocker {
	s := sendCheck{content: c, totals: t, facts: f}
	s.basics()
	s.money()
	s.export()
	if f.State != Approved {
		s.exceptions()
	}
	s.notes()
	return s.found
}

type sendCheck struct {
	content Content
	totals  Totals
	facts   Facts
	found   []Blocker
}

func (s *sendCheck) add(kind BlockerKind, severity Severity, msg apperr.Message, lines ...int) {
	s.found = append(s.found, Blocker{Kind: kind, Severity: severity, Msg: msg, Lines: lines})
}

// linesWhere returns the indexes of the lines that are offered by themselves (no parts) and match.
func (s *sendCheck) linesWhere(match func(i int, l Line) bool) []int {
	var lines []int
	for i, l := range s.content.Lines {
		if l.Kind.Priced() && !l.Part && match(i, l) {
			lines = append(lines, i)
		}
	}
	return lines
}

func (s *sendCheck) basics() {
	if len(s.facts.Settings.Missing) > 0 || s.facts.Settings.Currency == "" {
		s.add(ProfileMissing, Stop, apperr.Msg("quote.blocked_profile"))
	}
	if s.content.Customer.Name == "" {
		s.add(NoCustomer, Stop, apperr.Msg("quote.blocked_customer"))
	}
	if len(s.linesWhere(func(_ int, l Line) bool { return l.Kind == Item })) == 0 {
		s.add(NoLines, Stop, apperr.Msg("quote.blocked_no_lines"))
	}
	if s.facts.Settings.Zone != nil && Day(s.facts.Now, s.facts.Settings.Zone).After(s.content.ValidTo) {
		s.add(PastValidity, Stop, apperr.Msg("errors.form_date_past"))
	}
}

func (s *sendCheck) money() {
	blank := s.linesWhere(func(i int, _ Line) bool { return s.totals.Lines[i].Amount == nil })
	if len(blank) > 0 {
		s.add(BlankPrice, Stop, apperr.Msg("quote.price_missing"), blank...)
	}
	if s.totals.Known() && (s.totals.Net.Sign() < 0 || s.totals.Total.Sign() < 0) {
		s.add(NegativeTotal, Stop, apperr.Msg("quote.blocked_negative"))
	}
	s.payments()
	company := s.facts.Settings.Currency
	if company != "" && s.content.Currency != company && s.facts.Rate == nil {
		s.add(RateMissing, Stop, apperr.Msg("quote.exchange_rate_missing", "n", RateDays, "currency", string(s.content.Currency)))
	} else if len(s.facts.NoLimit) > 0 {
		s.add(RateMissing, Stop, apperr.Msg("quote.blocked_limit_rate", "n", RateDays), s.facts.NoLimit...)
	}
}

// payments checks that the instalments fit the total, and that a quote without tax says why.
func (s *sendCheck) payments() {
	if s.totals.Known() {
		if _, err := Payments(*s.totals.Total, s.content.Payments, s.content.Currency); err != nil {
			s.add(WrongPayments, Stop, apperr.Msg("quote.blocked_payments"))
		}
	}
	if s.content.TaxRule != Taxed && s.content.TaxNote == "" {
		s.add(NoTaxNote, Stop, apperr.Msg("quote.blocked_tax_note"))
	}
}

// export is rule R14: both the place of delivery and the end user's country count, for every line and part.
func (s *sendCheck) export() {
	tracked := false
	var licence, check []int
	for i, l := range s.content.Lines {
		if !l.Kind.Priced() || l.SKU == "" {
			continue
		}
		tracked = true
		switch s.effect(l) {
		case catalog.LicenceRequired, catalog.PresumptionOfDenial:
			licence = append(licence, i)
		case catalog.Check:
			check = append(check, i)
		}
	}
	if tracked && (s.content.ShipTo == "" || s.content.EndUser == "") {
		s.add(NoDestination, Stop, apperr.Msg("quote.blocked_destination"))
		return
	}
	if len(licence) > 0 && s.content.LicenceRef == "" {
		s.add(LicenceNeeded, Stop, apperr.Msg("quote.destination_blocked"), licence...)
	}
	if len(check) > 0 {
		s.add(CheckControl, Remark, apperr.Msg("quote.note_control_check"), check...)
	}
}

const notClassified = "not_classified"

// effect returns the stricter of the effects for the two countries. That what is not classified should
// be checked for every country in the world is true, and no use as a note on every quote.
func (s *sendCheck) effect(l Line) catalog.Effect {
	group := l.ControlTo
	if group == "" {
		group = notClassified
	}
	strictest := catalog.NoEffect
	for _, country := range []string{s.content.ShipTo, s.content.EndUser} {
		if country == "" {
			continue
		}
		effect, rules := catalog.EffectOf(s.facts.Rules, country, group, s.content.Day)
		if effect == catalog.Check && (group == notClassified || group == "service") && (len(rules) == 0 || rules[0].CountryCode == "*") {
			effect = catalog.NoEffect
		}
		if rank(effect) > rank(strictest) {
			strictest = effect
		}
	}
	return strictest
}

// rank orders effects, the strictest last.
func rank(e catalog.Effect) int {
	switch e {
	case catalog.Check:
		return 1
	case catalog.LicenceRequired:
		return 2
	case catalog.PresumptionOfDenial:
		return 3
	}
	return 0
}

// exceptions is rule R13: what others have to allow, and nothing on a clean quote.
func (s *sendCheck) exceptions() {
	if lines := s.linesWhere(s.belowFloor); len(lines) > 0 {
		s.add(BelowFloor, Approval, apperr.Msg("quote.blocked_floor"), lines...)
	}
	if limit := s.facts.Settings.MaxDiscount; limit != nil {
		lines := s.linesWhere(func(i int, l Line) bool {
			return offPercent(l, s.totals.Lines[i].UnitPrice).Cmp(*limit) > 0 || s.offAbove(i, l, *limit)
		})
		if len(lines) > 0 || s.headerAbove(*limit) {
			s.add(AboveDiscount, Approval, apperr.Msg("quote.blocked_discount", "limit", limit.String()), lines...)
		}
	}
	if target := s.facts.Settings.TargetMargin; target != nil {
		if MarginOf(s.content, s.totals).Below(*target) {
			s.add(BelowMargin, Approval, apperr.Msg("quote.blocked_margin"))
		}
	}
}

// belowFloor compares what is left of a line after all discounts and without tax with its floor price.
func (s *sendCheck) belowFloor(i int, l Line) bool {
	t := s.totals.Lines[i]
	if l.Floor == nil || t.Amount == nil {
		return false
	}
	places := s.content.Currency.Decimals()
	net := *t.Amount
	switch {
	case t.Net != nil:
		net = *t.Net
	case s.content.TaxMode == Inclusive:
		net = net.Quo(money.FromInt(1).Add(l.TaxRate.Factor()), places)
	}
	return net.Less(l.Floor.Mul(l.Quantity).Mul(l.Term.Factor()).Round(places))
}

// offAbove reports whether all that was taken off a line together is above the limit: its discount, the discount
// on the whole, and what a price set by hand is below the list. It compares unrounded figures: a cent that rounding
// or sharing moves is no discount.
func (s *sendCheck) offAbove(i int, l Line, limit money.Percent) bool {
	unit := s.totals.Lines[i].UnitPrice
	if unit == nil || unit.Sign() < 0 {
		return false
	}
	full := *unit
	if l.List.Price != nil && full.Less(*l.List.Price) {
		full = *l.List.Price
	}
	left, least := offPercent(l, unit).Off(*unit), limit.Off(full)
	if whole := s.content.Discount; s.totals.Lines[i].Counts && s.totals.Subtotal != nil {
		left = whole.Percent.Off(left)
		if !whole.Amount.IsZero() {
			left, least = left.Mul(s.totals.Subtotal.Sub(whole.Amount)), least.Mul(*s.totals.Subtotal)
		}
	}
	return left.Less(least)
}

// headerAbove reports whether the discount on the whole is above the limit, as percentage or as amount.
func (s *sendCheck) headerAbove(limit money.Percent) bool {
	if s.totals.Subtotal == nil {
		return s.content.Discount.Percent.Cmp(limit) > 0
	}
	allowed := limit.Of(*s.totals.Subtotal).Round(s.content.Currency.Decimals())
	return s.totals.Discount.Sign() > 0 && allowed.Less(*s.totals.Discount)
}

func (s *sendCheck) notes() {
	oldest := s.content.Day.AddDate(0, 0, -StaleDays)
	stale := s.linesWhere(func(_ int, l Line) bool {
		return l.List.Price != nil && !l.List.AsOf.IsZero() && l.List.AsOf.Before(oldest)
	})
	if len(stale) > 0 {
		s.add(StalePrice, Remark, apperr.Msg("price.stale_price_note", "n", StaleDays), stale...)
	}
	lone := s.linesWhere(func(i int, l Line) bool { return l.Kind == Alternative && ReplacedBy(s.content.Lines, i) < 0 })
	if len(lone) > 0 {
		s.add(LoneAlternative, Remark, apperr.Msg("quote.note_lone_alternative"), lone...)
	}
}
