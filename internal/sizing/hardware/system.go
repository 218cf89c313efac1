// Package hardware turns catalogue products into what the sizing engine needs to know of
// them: GPUs with dense peaks, memory and bandwidth, how they are joined, and what a
// system draws. The catalogue feeds the engine: every figure is a winning claim or follows
// from one, and stands in Basis with its source. The package knows no model and no price.
// Entry point: FromProducts.
package hardware

import (
	"rackwright/internal/sizing/basis"
	"rackwright/internal/unit"
)

// Kind is what sort of thing is bought or rented.
type Kind string

// The kinds of systems.
const (
	Board Kind = "baseboard"      // needs a server around it
	Node  Kind = "system"         // a whole server
	Cloud Kind = "cloud_instance" // rented by the hour
	Card  Kind = "card"           // PCIe cards in a server of the buyer's choice
)

// Form is how a GPU is built in, which decides what measurements apply to it.
type Form string

// The forms of GPUs.
const (
	SXM       Form = "sxm"
	PCIe      Form = "pcie"
	NVL       Form = "nvl"
	CNX       Form = "cnx" // no public performance figures
	Superchip Form = "superchip"
)

// GPU is one accelerator. A zero peak means that the GPU does not compute in that format.
type GPU struct {
	SKU            string
	Family         string
	Form           Form
	BF16           unit.FLOPS // dense
	FP8            unit.FLOPS // dense
	INT8           unit.FLOPS // dense
	Memory         unit.Bytes
	MemoryReported bool // Memory is what the driver reports, not the nominal capacity
	Bandwidth      unit.BytesPerSecond
	NVLink         unit.BytesPerSecond // per direction; 0: none
	TDP            *unit.Watts
}

// System is one thing that can be bought or rented whole and has GPUs inside.
type System struct {
	SKU          string
	Names        map[string]string
	Kind         Kind
	Vendor       string
	Status       string
	GPUs         int
	GPU          GPU
	NVLinkDomain int         // GPUs that reach each other by NVLink; 1: none
	Provisioned  *unit.Watts // maximum power of the system; nil is unknown
	RackUnits    *float64
	NetworkGbps  *float64
	Basis        []basis.Assumption
}

// Skipped is a product with GPUs that the engine cannot use, and why.
type Skipped struct {
	SKU    string
	Reason basis.Message
}
