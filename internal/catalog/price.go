package catalog

import (
	"time"

	"rackwright/internal/money"
)

// PriceKind says what sort of price an observation is.
type PriceKind string

// The kinds of prices.
const (
	ListPrice     PriceKind = "list"
	MSRPEstimate  PriceKind = "msrp_estimate"
	StreetNew     PriceKind = "street_new"
	StreetUsed    PriceKind = "street_used"
	CloudOnDemand PriceKind = "cloud_on_demand"
	CloudSpot     PriceKind = "cloud_spot"
	CloudReserved PriceKind = "cloud_reserved"
)

// PriceUnit says what a price is for.
type PriceUnit string

// The units of prices.
const (
	PerUnit      PriceUnit = "per_unit"
	PerSystem    PriceUnit = "per_system"
	PerGPUHour   PriceUnit = "per_gpu_hour"
	PerNodeMonth PriceUnit = "per_node_month"
)

// Kinds of price subjects.
const (
	SubjectSKU         = "sku"      // purchase price of a catalogue SKU
	SubjectProvider    = "provider" // rent at one provider
	SubjectMarketplace = "marketplace"
	SubjectMarket      = "market" // composites and single quotes
	SubjectIndex       = "index"
)

// PriceSubject is what a price series is about.
type PriceSubject struct {
	Code             string
	Kind             string
	SKU              string // empty where it is about no catalogue SKU
	GPUSKU           string
	Provider         string
	Instance         string
	Series           string // low, high, 1y, secure …; empty for the plain series
	InProviderCharts bool
	Label            string
}

// PriceObservation is one published price, in the currency and unit in which it was published.
type PriceObservation struct {
	Subject       string
	Kind          PriceKind
	Price         money.Amount
	Unit          PriceUnit
	Day           time.Time // the first day of the period where DatePrecision is coarser than a day
	DatePrecision string    // day, month, quarter, half, year, as_read
	Region        string
	SourceID      string
	SourceDetail  string
	Confidence    Confidence
	GPUSKU        string
	Licence       string
	Note          string
}

// Commitments of cloud offers.
const (
	OnDemand      = "on_demand"
	Spot          = "spot"
	ReservedOne   = "reserved_1y"
	ReservedThree = "reserved_3y"
)

// CloudOffer is what a provider asked for one instance on one day, in US dollars.
type CloudOffer struct {
	Provider      string
	Instance      string
	Subject       string // its price series, together with PriceKind
	PriceKind     PriceKind
	GPUSKU        string
	GPUs          int
	GPUMemoryGB   money.Decimal // of one GPU
	VCPUs         int           // 0 is unknown
	RAMGB         *money.Decimal
	Region        string
	Commitment    string // on_demand, spot, reserved_1y, reserved_3y
	USDPerHour    money.Decimal
	USDPerGPUHour money.Decimal
	Fabric        string         // InfiniBand, EFA, Ethernet, RoCE, none; empty is unknown
	NetworkGbps   *money.Decimal // accelerator fabric of a node; nil is unknown
	AsOf          time.Time
	SourceID      string
	SourceDetail  string
	Confidence    Confidence
	Licence       string
}

// CostDefault is a default of the cost comparison. Without a Value it is a range, and
// without any figure "your figure".
type CostDefault struct {
	Key          string
	Region       string
	Value        *money.Decimal
	Low          *money.Decimal
	High         *money.Decimal
	Unit         string
	AsOf         time.Time
	SourceID     string
	SourceDetail string
	Confidence   Confidence
	Note         string
}

// ColoCost is one published cost item of colocation, power, staff or finance.
type ColoCost struct {
	Item          string
	Region        string
	Value         *money.Decimal
	Low           *money.Decimal
	High          *money.Decimal
	Unit          string
	AsOf          time.Time
	DatePrecision string
	SourceID      string
	SourceDetail  string
	AlsoSourceIDs []string
	Confidence    Confidence
	Note          string
}
