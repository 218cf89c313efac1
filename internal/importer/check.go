package importer

import (
	"maps"

	"rackwright/internal/catalog"
	"rackwright/internal/money"
)

// checkReferences reports values that are the key of nothing, in the files or in the database.
func checkReferences(b *catalog.Batch, refs []reference, stored catalog.Keys, f *faults) {
	known := map[string]map[string]bool{
		toSource: maps.Clone(stored.Sources), toSourceTitle: maps.Clone(stored.SourceTitles), toSKU: maps.Clone(stored.SKUs),
		toSubject: maps.Clone(stored.Subjects), toDefinition: {},
	}
	for target, keys := range known {
		if keys == nil {
			known[target] = map[string]bool{}
		}
	}
	for key := range stored.Definitions {
		known[toDefinition][key] = true
	}
	for _, s := range b.Sources {
		known[toSource][s.ID] = true
		known[toSourceTitle][s.Title] = true
	}
	for _, s := range b.SKUs {
		known[toSKU][s.Code] = true
	}
	for _, d := range b.Definitions {
		known[toDefinition][d.Key] = true
	}
	for _, s := range b.Subjects {
		known[toSubject][s.Code] = true
	}
	for _, ref := range refs {
		if !known[ref.target][ref.value] {
			f.add(ref.file, ref.line, ref.column, "catalog.import_unknown_key", "value", quote(ref.value))
		}
	}
}

// checkTogether checks what concerns rows of several files: units and types of claims, and
// bills of materials without loops.
func checkTogether(b *catalog.Batch, stored catalog.Keys, f *faults) {
	definitions := maps.Clone(stored.Definitions)
	if definitions == nil {
		definitions = map[string]catalog.SpecDefinition{}
	}
	for _, d := range b.Definitions {
		definitions[d.Key] = d
	}
	for i, c := range b.Claims {
		checkClaim(c, definitions[c.Key], func(column, id string, args ...any) {
			f.add("specs.csv", b.ClaimLines[i], column, id, args...)
		})
	}
	checkLoops(b.Components, stored.Parts, f)
}

func checkClaim(c catalog.Claim, d catalog.SpecDefinition, fault func(column, id string, args ...any)) {
	if c.Unit != d.Unit {
		fault("unit", "catalog.import_unit", "value", quote(c.Unit), "unit", d.Unit)
	}
	switch d.Type {
	case "number":
		d, err := money.ParseDecimal(c.Value)
		switch {
		case err != nil:
			fault("value", "catalog.import_number", "value", quote(c.Value))
		case !storable(d):
			fault("value", "catalog.import_number_range", "value", quote(c.Value))
		}
	case "bool":
		if c.Value != "true" && c.Value != "false" {
			fault("value", "catalog.import_word", "value", quote(c.Value))
		}
	}
	if migProfile.MatchString(c.Qualifier) && d.Group != "mig" {
		fault("qualifier", "catalog.import_word", "value", quote(c.Qualifier))
	}
}

// checkLoops reports the parents of a bill of materials that contain themselves, by way of
// stored parts too.
func checkLoops(components []catalog.Component, stored []catalog.HeldPart, f *faults) {
	children := map[string][]string{}
	for _, p := range stored {
		children[p.Parent] = append(children[p.Parent], p.Child)
	}
	for _, c := range components {
		children[c.Parent] = append(children[c.Parent], c.Child)
	}
	const (
		open = 1
		done = 2
	)
	state := map[string]int{}
	var walk func(string) bool
	walk = func(sku string) bool {
		switch state[sku] {
		case open:
			return false
		case done:
			return true
		}
		state[sku] = open
		for _, child := range children[sku] {
			if !walk(child) {
				return false
			}
		}
		state[sku] = done
		return true
	}
	for _, c := range components {
		if !walk(c.Parent) {
			f.add("components.csv", 0, c.Parent, "catalog.import_loop")
			return
		}
	}
}
