// Package unit holds the quantities of the domain as types of their own, so that gigabytes
// and gibibytes, or operations and operations per second, cannot be mixed by accident.
// It knows nothing of hardware, money or display.
package unit

import "time"

// Bytes is an exact number of bytes.
type Bytes int64

// Sizes of memory. GB is ten to the ninth, as on datasheets; GiB is two to the thirtieth,
// as drivers report. The difference is 7.4 %.
const (
	MB  Bytes = 1_000_000
	GB  Bytes = 1_000_000_000
	TB  Bytes = 1_000_000_000_000
	MiB Bytes = 1 << 20
	GiB Bytes = 1 << 30
)

// GB returns the size in decimal gigabytes (10⁹ bytes).
func (b Bytes) GB() float64 { return float64(b) / float64(GB) }

// GiB returns the size in binary gibibytes (2³⁰ bytes).
func (b Bytes) GiB() float64 { return float64(b) / float64(GiB) }

// FromGB returns the bytes of a size in decimal gigabytes, rounded towards zero.
func FromGB(gb float64) Bytes { return Bytes(gb * float64(GB)) }

// FromGiB returns the bytes of a size in binary gibibytes, rounded towards zero.
func FromGiB(gib float64) Bytes { return Bytes(gib * float64(GiB)) }

// FromMiB returns the bytes of a size in binary mebibytes.
func FromMiB(mib int64) Bytes { return Bytes(mib) * MiB }

// FLOPs is a number of floating-point operations; a multiply-add counts as two.
type FLOPs float64

// FLOPS is floating-point operations per second.
type FLOPS float64

// TFLOPS is 10¹² operations per second.
const TFLOPS FLOPS = 1e12

// TFLOPS returns the rate in 10¹² operations per second.
func (f FLOPS) TFLOPS() float64 { return float64(f) / float64(TFLOPS) }

// Seconds returns how long work takes at the rate; the rate must be positive.
func (f FLOPS) Seconds(work FLOPs) float64 { return float64(work) / float64(f) }

// BytesPerSecond is a data rate in bytes (not bits) per second.
type BytesPerSecond float64

// GBps is 10⁹ bytes per second, the unit of memory and NVLink bandwidth.
const GBps BytesPerSecond = 1e9

// GBps returns the rate in 10⁹ bytes per second.
func (r BytesPerSecond) GBps() float64 { return float64(r) / float64(GBps) }

// Seconds returns how long a transfer takes at the rate; the rate must be positive.
func (r BytesPerSecond) Seconds(b float64) float64 { return b / float64(r) }

// Watts is electrical power.
type Watts float64

// KW is a thousand watts.
const KW Watts = 1000

// KW returns the power in kilowatts.
func (w Watts) KW() float64 { return float64(w) / float64(KW) }

// TokensPerSecond is a rate of tokens.
type TokensPerSecond float64

// Hours is a span of time in hours, as bills count it.
type Hours float64

// HoursPerMonth is the billing convention of clouds and colocation: 8,760 / 12.
const HoursPerMonth Hours = 730

// Milliseconds returns a duration in milliseconds.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// FromSeconds returns the duration of a number of seconds.
func FromSeconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
