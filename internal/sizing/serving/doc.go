// Package serving estimates what one replica of a model does on given GPUs: whether it
// fits, how long a step takes, how many requests it carries inside time limits. Engine is
// the interface; Calibrated is the implementation. It knows no price and no catalogue.
package serving
