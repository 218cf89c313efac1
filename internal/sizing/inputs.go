package sizing

import (
	"time"

	"rackwright/internal/money"
	"rackwright/internal/sizing/cost"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
)

// currency is that of the shipped cost defaults and of all cloud offers; a comparison in
// another one needs a dated rate for each of them.
const currency money.Currency = "USD"

// InputsFrom prepares what the catalogue says for Run: the systems that can serve a model,
// and the price book in US dollars.
func InputsFrom(lib llm.Library, s cost.Sources, now time.Time) Inputs {
	systems, _ := hardware.FromProducts(s.Products) // what is skipped has no GPU or is not for sale
	return Inputs{Library: lib, Systems: systems, Prices: cost.NewBook(currency, s), Now: now}
}
