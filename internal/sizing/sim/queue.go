package sim

// none is no request.
const none = int32(-1)

// request is one request of a run. Its lists are intrusive, so that nothing is allocated
// while a run goes on.
type request struct {
	arrival float64 // sent by the user
	ready   float64 // seen by a scheduler
	admit   float64 // first admitted
	first   float64 // first token
	last    float64 // last token

	prompt, answer int32
	left           int32   // tokens still to be read
	done           int32   // of the answer, when decoding started or last stopped
	held           float64 // tokens of cache, without what decoding added
	start          int64   // steps of the scheduler when decoding started

	next, prev int32
	home       int16 // scheduler
	admitted   bool  // at any time
	counted    bool
	phase      phase
}

type phase uint8

const (
	arriving phase = iota
	moving         // its cache goes to the replica that decodes
	decoding       // on a replica that decodes only
	ended
)

// list is a doubly linked list of requests.
type list struct {
	head, tail int32
	n          int
}

func newList() list { return list{none, none, 0} }

func (l *list) push(q []request, id int32) {
	q[id].prev, q[id].next = l.tail, none
	if l.tail == none {
		l.head = id
	} else {
		q[l.tail].next = id
	}
	l.tail = id
	l.n++
}

func (l *list) pushFront(q []request, id int32) {
	q[id].prev, q[id].next = none, l.head
	if l.head == none {
		l.tail = id
	} else {
		q[l.head].prev = id
	}
	l.head = id
	l.n++
}

func (l *list) remove(q []request, id int32) {
	r := &q[id]
	if r.prev == none {
		l.head = r.next
	} else {
		q[r.prev].next = r.next
	}
	if r.next == none {
		l.tail = r.prev
	} else {
		q[r.next].prev = r.prev
	}
	l.n--
}

// timed is an event; events of one time come in the order of their requests.
type timed struct {
	at float64
	id int32
}

func (a timed) before(b timed) bool { return a.at < b.at || a.at == b.at && a.id < b.id }

// ordered is what a heap sorts.
type ordered[T any] interface{ before(T) bool }

// ending is a decoding sequence and the step count after which it ends.
type ending struct {
	step int64
	id   int32
}

func (a ending) before(b ending) bool { return a.step < b.step || a.step == b.step && a.id < b.id }

// heap is a binary heap with the earliest first.
type heap[T ordered[T]] []T

func (h *heap[T]) push(x T) {
	*h = append(*h, x)
	h.up(len(*h) - 1)
}

func (h *heap[T]) pop() T { return h.removeAt(0) }

// removeAt takes out the element at an index of the underlying slice.
func (h *heap[T]) removeAt(i int) T {
	s := *h
	x, end := s[i], len(s)-1
	s[i] = s[end]
	*h = s[:end]
	if i < end {
		h.down(i)
		h.up(i)
	}
	return x
}

func (h heap[T]) up(i int) {
	x := h[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !x.before(h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = x
}

func (h heap[T]) down(i int) {
	x, n := h[i], len(h)
	for {
		child := 2*i + 1
		if child >= n {
			break
		}
		if child+1 < n && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(x) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = x
}
