package basis_test

import (
	"encoding/json"
	"testing"

	"rackwright/internal/sizing/basis"
)

func TestArgumentsKeepFourDigits(t *testing.T) {
	for _, c := range []struct {
		arg  basis.Arg
		want string
	}{
		{basis.Num("x", 15959.1637), "15960"},
		{basis.Num("x", 0.000123456), "0.0001235"},
		{basis.Int("x", 1<<40), "1099511627776"},
		{basis.In(basis.Bytes, "x", 85520809984.0), "85520809984"},
		{basis.T("x", "HGX"), "HGX"},
	} {
		if c.arg.Value != c.want || c.arg.Name != "x" {
			t.Errorf("%+v, want %s", c.arg, c.want)
		}
	}
}

func TestBand(t *testing.T) {
	b := basis.Around(100, 0.2, 0.5)
	if b != (basis.Band{Low: 80, Mid: 100, High: 150}) || b.Scale(2) != (basis.Band{Low: 160, Mid: 200, High: 300}) {
		t.Errorf("%+v", b)
	}
	raw, err := json.Marshal(basis.Msg("sizing.x", basis.Pointer("what", "sizing.y")))
	if err != nil || string(raw) != `{"id":"sizing.x","args":[{"name":"what","value":"sizing.y","format":"message"}]}` {
		t.Errorf("%s %v", raw, err)
	}
}
