package sim

import "math"

// pool is what the schedulers of one replica share: the queue and the KV cache, in tokens.
type pool struct {
	capacity, used    float64
	waiting           list
	running           int // requests on all its schedulers
	outstanding       int // tokens of requests here that have not ended, as far as a router knows
	first, schedulers int
}

type role uint8

const (
	whole role = iota // reads and decodes
	reads
	decodes
)

// scheduler is one scheduler of a replica. Between plan and complete it is busy with steps
// equal steps.
type scheduler struct {
	r     *Replica
	role  role
	index int
	pool  int
	gain  float64 // tokens per sequence and step
	wide  float64 // tokens of a step per sequence: 1 + draft length

	running   list // in order of admission; those whose prompt is not read yet come last
	reader    int32
	unread    int // tokens of admitted prompts
	endings   heap[ending]
	tick      int64   // decode steps so far
	context   float64 // tokens of all decoding sequences
	preempted bool    // since the last plan

	// The work that goes on.
	steps  int
	begin  float64
	each   float64 // seconds per step
	prompt int     // tokens read
	ready  int     // prompts that are complete after it
	decode int     // sequences that decode in it
	grown  float64 // tokens of cache booked for it
}

// need returns tokens of cache that a request takes at admission, and the most it ever takes.
func (s *scheduler) need(q *request) (now, most float64) {
	own := float64(int(q.prompt) - min(s.r.Prefix, int(q.prompt)-1))
	block := float64(max(1, s.r.Block))
	switch {
	case s.role == reads:
		now = math.Ceil(own/block) * block
		return now, now
	case s.r.Grow:
		// The last block of a sequence is half empty on average.
		own += (block - 1) / 2
		return own + float64(max(q.done, 1)), own + float64(q.answer) + 2*s.gain
	}
	now = math.Ceil((own+float64(q.answer))/block) * block
	return now, now
}

// fits reports whether a request can be admitted now.
func (m *machine) fits(s *scheduler, q *request) bool {
	p := &m.pools[s.pool]
	if s.running.n >= s.r.Sequences || !m.balanced(s) {
		return false
	}
	used := p.used - s.grown
	if used == 0 {
		return true
	}
	now, _ := s.need(q)
	if s.r.Grow && s.role != reads { // room for a block each, so that it is not preempted at once
		now += float64(p.running+1) * max(s.gain, float64(s.r.Block))
	}
	return used+now <= p.capacity
}

// balanced reports whether a scheduler has not much more to do than the others of its replica.
func (m *machine) balanced(s *scheduler) bool {
	p := &m.pools[s.pool]
	for j := p.first; j < p.first+p.schedulers; j++ {
		if n := m.schedulers[j].running.n; s.running.n > n+1+n/8 {
			return false
		}
	}
	return true
}

// room returns tokens that prompts can have in the next step.
func (s *scheduler) room() int {
	if s.r.Mixed {
		return s.r.Budget - int(float64(len(s.endings))*s.wide)
	}
	return s.r.Budget
}

// admit takes waiting requests while there is place for them.
func (m *machine) admit(s *scheduler, t float64) {
	p := &m.pools[s.pool]
	for p.waiting.n > 0 && (s.role == decodes || s.unread < s.room()) {
		id := p.waiting.head
		q := &m.requests[id]
		moved := s.role == decodes && !q.evicted()
		if !m.fits(s, q) || moved && s.reader != none { // those to be read stay last
			break
		}
		p.waiting.remove(m.requests, id)
		s.running.push(m.requests, id)
		p.running++
		q.home = int16(s.index)
		now, _ := s.need(q)
		q.held = now
		m.take(s, now)
		if !q.admitted {
			q.admitted, q.admit = true, t
		}
		if moved {
			m.decodeFrom(s, id)
			continue
		}
		q.left = q.toRead(s.r)
		s.unread += int(q.left)
		if s.reader == none {
			s.reader = id
		}
	}
	if p.schedulers > 1 {
		m.offer(p, s, t)
	}
}

// leave takes a request off its scheduler.
func (m *machine) leave(s *scheduler, id int32) {
	s.running.remove(m.requests, id)
	m.pools[s.pool].running--
}

// evicted reports whether a request was preempted and must be read again.
func (q *request) evicted() bool { return q.left < 0 }

// toRead returns tokens to read: the prompt and, after preemption, what was answered.
func (q *request) toRead(r *Replica) int32 {
	cached := min(r.Prefix, int(q.prompt)-1)
	cached += int(r.Hit * float64(int(q.prompt)-cached))
	return q.prompt + q.done - int32(cached)
}

func (m *machine) take(s *scheduler, tokens float64) {
	p := &m.pools[s.pool]
	p.used += tokens
	m.peakShare = max(m.peakShare, p.used/p.capacity)
}

// decodeFrom starts decoding of a request whose prompt is in the cache.
func (m *machine) decodeFrom(s *scheduler, id int32) {
	q := &m.requests[id]
	q.left = 0
	q.start = s.tick
	s.context += float64(q.prompt + q.done)
	steps := math.Ceil(float64(q.answer-q.done)/s.gain - 1e-9)
	s.endings.push(ending{s.tick + int64(steps), id})
}

// decoded returns tokens that a request has decoded since it started.
func (s *scheduler) decoded(q *request) float64 { return float64(s.tick-q.start) * s.gain }

// stop takes a request out of decoding; s.endings has it no more.
func (m *machine) stop(s *scheduler, q *request) (tokens float64) {
	tokens = s.decoded(q)
	s.context -= float64(q.prompt+q.done) + tokens
	if len(s.endings) == 0 {
		s.context = 0
	}
	return tokens
}

// release gives the cache of a request back; the last one out leaves nothing behind.
func (m *machine) release(s *scheduler, q *request, grown float64) {
	p := &m.pools[s.pool]
	p.used -= q.held
	if s.r.Grow {
		p.used -= grown
	}
	q.held = 0
	if p.used < 1e-6 {
		p.used = 0
	}
}

// preempt sends the request that was admitted last back to the head of the queue.
func (m *machine) preempt(s *scheduler) {
	id := s.running.tail
	q := &m.requests[id]
	m.leave(s, id)
	grown := 0.0
	if s.reader != none { // not read yet: those are the last
		s.unread -= int(q.left)
		if s.reader == id {
			s.reader = none
		}
	} else {
		for i := range s.endings {
			if s.endings[i].id == id {
				s.endings.removeAt(i)
				break
			}
		}
		grown = m.stop(s, q)
		q.done = min(q.answer-1, q.done+int32(grown))
	}
	m.release(s, q, grown)
	q.left = -1
	m.pools[s.pool].waiting.pushFront(m.requests, id)
	s.preempted = true
	m.preemptions++
}

// grow makes room for a step of all decoding sequences and returns how many steps there is
// room for.
func (m *machine) grow(s *scheduler) int {
	p := &m.pools[s.pool]
	for len(s.endings) > 0 {
		free := p.capacity - p.used
		each := float64(len(s.endings)) * s.gain
		if free >= each {
			if p.schedulers > 1 { // others need to see what is free: a block each
				free = min(free, each*float64(max(1, s.r.Block))/s.gain)
			}
			return max(1, int(free/each))
		}
		m.preempt(s)
	}
	return 1
}

// shortest is the least seconds of a step, against step times that are no times.
const shortest = 1e-9

// mostSkipped is how many decode steps are taken at once at most. The middle step stands for
// them where step times bend with the context.
const mostSkipped = 64

// plan decides at time t what a scheduler does next.
func (m *machine) plan(i int, t float64) {
	s := &m.schedulers[i]
	s.preempted, s.grown = false, 0
	most := math.MaxInt
	if s.r.Grow {
		most = m.grow(s)
	}
	if !s.preempted {
		m.admit(s, t)
		if s.r.Grow && len(s.endings) > 0 {
			most = m.grow(s)
		}
	}
	n := len(s.endings)
	s.begin, s.prompt, s.ready, s.decode = t, 0, 0, 0
	switch {
	case s.reader != none && s.room() > 0:
		s.steps = 1
		pairs := m.read(s)
		if s.r.Mixed {
			s.decode = n
			s.each = s.r.Step.Time(float64(s.prompt), pairs, float64(n)*s.wide, s.context)
			if n > 0 {
				s.each += s.r.Draft.Seconds
			}
		} else {
			s.each = s.r.Step.Time(float64(s.prompt), pairs, 0, 0)
		}
	case n > 0:
		s.decode = n
		s.steps = int(min(s.endings[0].step-s.tick, int64(most), mostSkipped))
		if m.exact {
			s.steps = 1
		}
		s.each = s.decodeTime()
	default:
		s.steps = 0
		m.ends[i] = math.Inf(1)
		return
	}
	m.peakRunning = max(m.peakRunning, s.running.n)
	s.each = max(s.each, shortest)
	if s.r.Grow && s.decode > 0 {
		s.grown = float64(n*s.steps) * s.gain
		m.take(s, s.grown)
	}
	m.ends[i] = t + float64(s.steps)*s.each
	m.steps += s.steps
}

// decodeTime returns seconds of the middle one of the steps.
func (s *scheduler) decodeTime() float64 {
	n := float64(s.decode)
	return s.r.Step.Time(0, 0, n*s.wide, s.context+n*s.gain*float64(s.steps-1)/2) + s.r.Draft.Seconds
}

// read puts prompts into the step, in order of admission, and returns their pairs.
func (m *machine) read(s *scheduler) (pairs float64) {
	room := s.room()
	for id := s.reader; id != none && s.prompt < room; id = m.requests[id].next {
		q := &m.requests[id]
		left, space := int(q.left), room-s.prompt
		if !s.r.Mixed && left > space && s.prompt > 0 {
			break
		}
		c := min(left, space)
		past := float64(int(q.prompt+q.done) - left)
		pairs += float64(c) * (past + float64(c+1)/2)
		s.prompt += c
		s.unread -= c
		q.left -= int32(c)
		if q.left > 0 {
			break
		}
		s.ready++
	}
	return pairs
}

// interrupt shortens decoding so that it stops at the first step end at or after t.
func (m *machine) interrupt(i int, t float64) {
	s := &m.schedulers[i]
	if s.steps < 2 {
		return
	}
	planned := s.steps
	s.steps = max(1, int(math.Ceil((t-s.begin)/s.each)))
	if s.steps >= planned {
		s.steps = planned
		return
	}
	s.each = max(s.decodeTime(), shortest)
	for s.begin+float64(s.steps)*s.each < t && s.steps < planned {
		s.steps++
	}
	m.ends[i] = s.begin + float64(s.steps)*s.each
	m.steps -= planned - s.steps
	if s.r.Grow {
		back := float64(s.decode*(planned-s.steps)) * s.gain
		s.grown -= back
		m.pools[s.pool].used -= back
	}
}

// complete ends the work of a scheduler at time t and plans the next.
func (m *machine) complete(i int, t float64) {
	s := &m.schedulers[i]
	if s.steps > 0 {
		m.account(s, t)
		if s.decode > 0 {
			s.tick += int64(s.steps)
			s.context += float64(s.decode*s.steps) * s.gain
			for len(s.endings) > 0 && s.endings[0].step <= s.tick {
				id := s.endings.pop().id
				q := &m.requests[id]
				m.end(i, id, m.stop(s, q), t)
			}
		}
		for ; s.ready > 0; s.ready-- {
			id := s.reader
			s.reader = m.requests[id].next
			m.firstToken(i, id, t)
		}
		s.steps = 0
	}
	m.plan(i, t)
}
