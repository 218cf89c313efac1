package kernel

// Switches that add up inside the network came with NVLink 4 (NVIDIA H100 whitepaper: third
// generation of NVSwitch); slower links have none.
const addingLink = 400e9

// AllReduce adds vectors over the GPUs of one NVLink domain.
type AllReduce struct {
	launch  float64
	element float64 // seconds per element of a long vector
	direct  float64 // seconds per element when all read all
	ramp    float64 // the most that stages cost
}

// AllReduce prepares one over some GPUs. A ring moves 2(t-1)/t of the vector over each link
// (Patarasuk and Yuan 2009), and so does a pair of scatter and gather. Short vectors are
// read by every GPU from all others instead. Domains of more than 8 GPUs count as 8.
func (c *Curves) AllReduce(gpus int, g GPU) AllReduce {
	if gpus < 2 || g.NVLink <= 0 {
		return AllReduce{}
	}
	r, t := &c.Reduce, float64(min(gpus, 8))
	share := r.Ring
	if gpus > 4 && g.NVLink >= addingLink {
		share += (r.Switch - r.Ring) * (t - 4) / 4
	}
	return AllReduce{
		launch: (r.LaunchUS + r.RankUS*t) * micro, ramp: r.RampUS * micro * (t - 1),
		element: 2 * 2 * (t - 1) / t / (g.NVLink * share),
		direct:  2 * (t - 1) / (g.NVLink * r.Direct),
	}
}

// Time returns seconds for a number of 16-bit elements.
func (q *AllReduce) Time(elements float64) float64 {
	if q.element == 0 {
		return 0
	}
	direct := q.direct * elements
	return q.launch + q.element*elements + q.ramp*direct/(direct+q.ramp)
}
