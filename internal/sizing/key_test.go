package sizing

import (
	"fmt"
	"reflect"
	"testing"

	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/serving"
)

// keyed are the fields of a mapping that its key holds; shared are equal for all mappings of one
// request. A new field must join one of them.
var (
	keyed  = []string{"Weights", "KV", "TP", "PP", "CrossNode", "ADP", "EP", "MoETP", "BlockScales", "ExpertFormat", "Stock", "Engine"}
	shared = []string{"Model", "Extra", "Boards", "Release"}
)

// Systems with equal mappings share what was computed for one of them: every figure that an
// answer could depend on is in the key.
func TestMappingsThatDifferHaveDifferentKeys(t *testing.T) {
	base := serving.Mapping{GPU: hardware.GPU{SKU: "A"}, TP: 1, PP: 1}
	differs := func(name string, change func(v reflect.Value)) {
		other := base
		change(reflect.ValueOf(&other).Elem())
		if other.Key() == base.Key() {
			t.Errorf("%s is not in the key %s", name, base.Key())
		}
	}
	set := func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			v.SetString("other")
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Float64:
			v.SetFloat(7)
		default:
			v.SetInt(7)
		}
	}
	known := map[string]bool{"GPU": true, "Slice": true}
	for _, name := range shared {
		known[name] = true
	}
	for _, name := range keyed {
		known[name] = true
		differs(name, func(v reflect.Value) { set(v.FieldByName(name)) })
	}
	for i := range reflect.TypeFor[serving.Mapping]().NumField() {
		if name := reflect.TypeFor[serving.Mapping]().Field(i).Name; !known[name] {
			t.Errorf("field %s is neither in the key nor the same for a request", name)
		}
	}
	for _, whole := range []string{"GPU", "Slice"} {
		of := reflect.ValueOf(base).FieldByName(whole).Type()
		for i := range of.NumField() {
			switch name := of.Field(i).Name; name {
			case "Family", "INT8", "TDP": // no answer depends on them
			default:
				differs(whole+"."+name, func(v reflect.Value) { set(v.FieldByName(whole).Field(i)) })
			}
		}
	}
	run := func(sku string, tp int) string {
		return serving.Mapping{GPU: hardware.GPU{SKU: sku}, TP: tp, PP: 1}.Key()
	}
	if run("X", 16) == run("X1", 6) {
		t.Error(fmt.Sprint("two GPUs run together in the key ", run("X", 16)))
	}
}
