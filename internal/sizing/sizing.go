// Package sizing is the front door of the sizing engine: a Request goes in, a Result with
// ranked plans comes out. It is pure: hardware, prices and the date are arguments, texts
// are message ids. Entry point: Run.
//
// Its rooms: llm (geometry of the model), hardware (what the catalogue says of systems),
// serving (memory, step time, limits), cost (cash flows), calibration (constants with
// their provenance) and basis (assumptions, bands, messages). Only this package is
// imported from outside, apart from the types that its own carry.
package sizing

// EngineVersion names the method. It changes when the same request with the same constants
// and prices would give another answer.
const EngineVersion = "operator-curves-2"
