package browsertest

import "encoding/json"

// quote returns s as a JavaScript string literal.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always encodes
	}
	return string(b)
}
