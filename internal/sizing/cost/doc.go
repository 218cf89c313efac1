// Package cost turns a plan into money: monthly cash flows of buying with colocation and
// of on-demand cloud, their net present value, levelised cost per GPU-hour and per million
// tokens, and where they cross. All money is exact decimals. Entry point: Compare.
package cost
