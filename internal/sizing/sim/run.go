package sim

import (
	"fmt"
	"math"
)

// machine is the state of a run. It can be used again for further runs of the same system and
// load at other rates.
type machine struct {
	sys    System
	load   Load
	limits Limits

	requests   []request
	units      []float64 // open arrivals at rate 1
	schedulers []scheduler
	ends       []float64 // of each scheduler's work; +Inf where idle
	pools      []pool
	entry      span // replicas that new requests go to
	decoders   span // replicas that decode, where those are others
	pending    heap[timed]
	arrived    int
	turn       int
	answer     int  // tokens of the mean answer, which routers know
	exact      bool // every decode step on its own, for tests
	strict     bool // give up when the limits are missed for certain
	work       int  // events of all runs

	tally
}

// span is a range of replicas.
type span struct{ from, to int }

// prepare checks system and load, draws lengths and gaps, and builds the schedulers.
func prepare(sys System, load Load, limits Limits) (*machine, error) {
	m := &machine{sys: sys, load: load, limits: limits}
	if err := m.check(); err != nil {
		return nil, err
	}
	a, n := m.load.Arrivals, m.load.Requests
	m.requests = make([]request, n)
	trace := a.kind == arrivalsTrace
	if trace && a.trace.Prompt != nil {
		for i := range m.requests {
			m.requests[i].prompt, m.requests[i].answer = int32(a.trace.Prompt[i]), int32(a.trace.Answer[i])
		}
	} else {
		load.Prompt.draw(load.Seed, streamPrompts, func(i, tokens int) { m.requests[i].prompt = int32(tokens) }, n)
		load.Answer.draw(load.Seed, streamAnswers, func(i, tokens int) { m.requests[i].answer = int32(tokens) }, n)
	}
	for i := range m.requests {
		m.answer += int(m.requests[i].answer)
	}
	m.answer /= n
	if a.kind != arrivalsClosed {
		m.units = make([]float64, n)
		a.units(load.Seed, m.units)
	}
	if p := m.sys.Prefill; p != nil {
		m.entry = m.add(p.Replicas, &p.Replica, reads)
		m.decoders = m.add(sys.Replicas, &m.sys.Replica, decodes)
	} else {
		m.entry = m.add(sys.Replicas, &m.sys.Replica, whole)
	}
	return m, nil
}

func (m *machine) check() error {
	if err := m.sys.check(); err != nil {
		return err
	}
	if err := m.limits.check(); err != nil {
		return err
	}
	l := &m.load
	if err := l.Arrivals.check(); err != nil {
		return err
	}
	given := l.Arrivals.kind == arrivalsTrace && l.Arrivals.trace.Prompt != nil
	if !given {
		if err := l.Prompt.check("prompts"); err != nil {
			return err
		}
		if err := l.Answer.check("answers"); err != nil {
			return err
		}
	}
	switch {
	case l.Arrivals.kind == arrivalsTrace:
		if n := len(l.Arrivals.trace.Times); l.Requests == 0 || l.Requests > n {
			l.Requests = n
		}
	case l.Requests == 0 && l.Arrivals.kind == arrivalsClosed:
		l.Requests = min(10*l.Arrivals.users, maxRequests)
	case l.Requests == 0:
		l.Requests = defaultRequests
	}
	if l.Requests < 1 || l.Requests > maxRequests || !(l.Discard <= 0.5) {
		return fmt.Errorf("sim: %d requests, %g discarded", l.Requests, l.Discard)
	}
	if l.Discard == 0 && l.Arrivals.kind != arrivalsClosed {
		l.Discard = 0.1
	}
	l.Discard = max(0, l.Discard)
	return nil
}

// add builds the schedulers of equal replicas.
func (m *machine) add(replicas int, r *Replica, as role) span {
	s := span{from: len(m.pools)}
	stages := max(1, r.Stages)
	for range replicas {
		m.pools = append(m.pools, pool{capacity: float64(r.KV - r.Prefix), first: len(m.schedulers), schedulers: stages})
		for range stages {
			m.schedulers = append(m.schedulers, scheduler{r: r, role: as, index: len(m.schedulers), pool: len(m.pools) - 1,
				gain: r.Draft.gain(), wide: float64(1 + r.Draft.Length)})
			m.ends = append(m.ends, 0)
		}
	}
	s.to = len(m.pools)
	return s
}

// reset empties the system and sends the requests at a rate.
func (m *machine) reset(rate float64) {
	for i := range m.pools {
		p := &m.pools[i]
		p.used, p.running, p.outstanding, p.waiting = 0, 0, 0, newList()
	}
	for i := range m.schedulers {
		s := &m.schedulers[i]
		*s = scheduler{r: s.r, role: s.role, index: s.index, pool: s.pool, gain: s.gain, wide: s.wide,
			running: newList(), reader: none, endings: s.endings[:0]}
		m.ends[i] = math.Inf(1)
	}
	m.pending = m.pending[:0]
	m.arrived, m.turn = 0, 0
	ready := 0.0
	for i := range m.requests {
		q := &m.requests[i]
		*q = request{prompt: q.prompt, answer: q.answer}
		if m.units != nil {
			q.arrival = m.units[i] / rate
			ready = max(ready, q.arrival+m.overhead(q))
			q.ready = ready
		}
	}
	m.tally.reset(m)
	if m.units == nil {
		users := min(m.load.Arrivals.users, len(m.requests))
		for i := range users {
			m.submit(m.load.Arrivals.ramp * float64(i) / float64(users))
		}
	}
}

// overhead returns seconds before a request is scheduled.
func (m *machine) overhead(q *request) float64 { return m.sys.Request + m.sys.Token*float64(q.prompt) }

// run simulates until everything has ended or the limits are missed for certain.
func (m *machine) run(rate float64) {
	m.reset(rate)
	for m.next() {
	}
}

// next handles one event. It reports false when everything has ended or the limits are missed
// for certain.
func (m *machine) next() bool {
	m.work++
	i, end := m.earliest()
	at, id := m.upcoming()
	switch {
	case id != none && at <= end:
		m.deliver(at, id)
	case i < 0:
		return false
	default:
		m.complete(i, end)
	}
	return !m.missed
}

// earliest returns the scheduler whose work ends first.
func (m *machine) earliest() (int, float64) {
	first, at := -1, math.Inf(1)
	for i, end := range m.ends {
		if end < at {
			first, at = i, end
		}
	}
	return first, at
}

// upcoming returns the next request that reaches a scheduler and takes it from its queue only
// when it is delivered.
func (m *machine) upcoming() (float64, int32) {
	at, id := math.Inf(1), none
	if len(m.pending) > 0 {
		at, id = m.pending[0].at, m.pending[0].id
	}
	if m.units != nil && m.arrived < len(m.requests) && m.requests[m.arrived].ready <= at {
		return m.requests[m.arrived].ready, int32(m.arrived)
	}
	return at, id
}

// submit sends the next request of a closed loop; open arrivals come by themselves.
func (m *machine) submit(t float64) {
	if m.units != nil || m.submitted == len(m.requests) {
		return
	}
	q := &m.requests[m.submitted]
	q.arrival, q.ready = t, t+m.overhead(q)
	m.pending.push(timed{q.ready, int32(m.submitted)})
	m.submitted++
}

// deliver hands a request to a scheduler.
func (m *machine) deliver(t float64, id int32) {
	q := &m.requests[id]
	if q.phase == moving {
		m.pending.pop()
		m.arrive(t, id)
		return
	}
	if m.units == nil {
		m.pending.pop()
	}
	m.arrived++
	m.opening(t, q)
	if m.tooLong(q) {
		q.phase = ended
		m.refused++
		if q.counted {
			m.exceeds(2)
		}
		m.submit(t)
		return
	}
	m.enqueue(m.route(m.entry), id, t)
}

// tooLong reports whether a request can never be served.
func (m *machine) tooLong(q *request) bool {
	for _, s := range []span{m.entry, m.decoders} {
		if s.to == s.from {
			continue
		}
		p := &m.pools[s.from]
		if _, most := m.schedulers[p.first].need(q); most > p.capacity {
			return true
		}
	}
	return false
}

// arrive takes a request whose prompt was read elsewhere.
func (m *machine) arrive(t float64, id int32) {
	q := &m.requests[id]
	from := int(q.home)
	m.release(&m.schedulers[from], q, 0)
	m.offer(&m.pools[m.schedulers[from].pool], nil, t)
	q.phase = decoding
	m.seen(q, t)
	if q.answer == 1 {
		m.finish(q, t)
		return
	}
	m.enqueue(m.route(m.decoders), id, t)
}

// route returns the replica with the fewest outstanding tokens; equal ones take turns.
func (m *machine) route(s span) int {
	n := s.to - s.from
	if n == 1 {
		return s.from
	}
	m.turn++
	best, fewest := 0, math.MaxInt
	for k := range n {
		i := s.from + (m.turn+k)%n
		if n := m.pools[i].outstanding; n < fewest {
			best, fewest = i, n
		}
	}
	return best
}

// expected returns tokens of a request as a router counts them: it knows the prompt, but of the
// answer only the mean.
func (m *machine) expected(s *scheduler, q *request) int {
	if s.role == reads {
		return int(q.prompt)
	}
	return int(q.prompt) + m.answer
}

// enqueue lets a request wait at a replica; a scheduler that can take it does so after its step.
func (m *machine) enqueue(i int, id int32, t float64) {
	p := &m.pools[i]
	p.waiting.push(m.requests, id)
	p.outstanding += m.expected(&m.schedulers[p.first], &m.requests[id])
	if p.waiting.n == 1 { // else those before it are waiting for room
		m.offer(p, nil, t)
	}
}

// offer lets schedulers of a replica, except one, look at the head of the queue as soon as they
// can, if they have room for it.
func (m *machine) offer(p *pool, except *scheduler, t float64) {
	if p.waiting.n == 0 {
		return
	}
	q := &m.requests[p.waiting.head]
	for j := p.first; j < p.first+p.schedulers; j++ {
		s := &m.schedulers[j]
		if s == except || !m.fits(s, q) {
			continue
		}
		if s.steps == 0 {
			m.ends[j] = min(m.ends[j], t)
		} else {
			m.interrupt(j, t)
		}
	}
}

// firstToken is the end of reading a prompt.
func (m *machine) firstToken(i int, id int32, t float64) {
	s := &m.schedulers[i]
	q := &m.requests[id]
	q.done++
	if s.role == reads {
		m.leave(s, id)
		m.pools[s.pool].outstanding -= m.expected(s, q)
		q.phase = moving
		m.pending.push(timed{t + m.sys.Prefill.Transfer*float64(q.prompt), id})
		return
	}
	if q.first == 0 {
		m.seen(q, t)
	}
	if q.done >= q.answer {
		m.end(i, id, 0, t)
		return
	}
	m.decodeFrom(s, id)
}

// end is the last token of a request.
func (m *machine) end(i int, id int32, grown, t float64) {
	s := &m.schedulers[i]
	q := &m.requests[id]
	m.leave(s, id)
	m.pools[s.pool].outstanding -= m.expected(s, q)
	m.release(s, q, grown)
	if p := &m.pools[s.pool]; p.schedulers > 1 {
		m.offer(p, s, t)
	}
	m.finish(q, t)
}
