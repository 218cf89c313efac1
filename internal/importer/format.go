package importer

import (
	"strings"

	"rackwright/internal/catalog"
)

// format is one kind of file: its name, columns, key, and what a row becomes.
type format struct {
	name    string
	columns []string
	key     []string // columns whose values together occur once
	add     func(*catalog.Batch, *row)
}

// otherFiles are CSV files that may lie beside the catalogue's and are read elsewhere.
var otherFiles = []string{"models.csv"}

// formats lists the files in the order in which they build on each other.
var formats = []format{
	{"sources.csv", cols("source_id kind title publisher url_or_ref published_on retrieved_on licence licence_note"),
		cols("source_id"), addSource},
	{"skus.csv", cols("sku kind family name vendor form_factor gpus gpu_sku launch_date status description_short source_id source_detail also_source_ids confidence"),
		cols("sku"), addSKU},
	{"sku_names.csv", cols("sku lang name"), cols("sku lang"), addName},
	{"spec_definitions.csv", cols("spec_key label_en unit type better group sort description"), cols("spec_key"), addDefinition},
	{"specs.csv", cols("sku spec_key qualifier value unit source_kind source_id source_detail as_of confidence verdict remark"),
		cols("sku spec_key qualifier source_kind source_id source_detail"), addClaim},
	{"reseller_claims.csv", cols("claim_id source topic claim_in_english value unit verdict correct_value source_id source_detail also_source_ids sku spec_key qualifier"),
		cols("claim_id"), addResellerClaim},
	{"components.csv", cols("parent_sku child_sku quantity role source_id confidence remark"),
		cols("parent_sku child_sku role"), addComponent},
	{"compatibility.csv", cols("sku relation other_sku quantity any_of source_id remark"),
		cols("sku relation other_sku"), addCompatibility},
	{"substitutes.csv", cols("sku substitute_sku reason caveat source_id"), cols("sku substitute_sku"), addSubstitute},
	{"control_classes.csv", cols("sku us_eccn_or_class control_group rule effective_on source_id confidence remark"),
		cols("sku"), addControl},
	{"control_destinations.csv", cols("country_code country applies_to rule effect effective_on source_id confidence remark"),
		cols("country_code applies_to rule"), addDestination},
	{"price_subjects.csv", cols("subject kind sku gpu_sku provider instance series in_provider_charts label"),
		cols("subject"), addSubject},
	{"price_history.csv", cols("subject price_kind currency price unit observed_on date_precision region source_id source_detail confidence gpu_sku licence note"),
		cols("subject price_kind currency unit observed_on region source_id source_detail"), addObservation},
	{"cloud_offers.csv", cols("provider instance_type subject price_kind gpu_sku gpus gpu_mem_gb vcpus ram_gb region commitment price_usd_per_hour price_usd_per_gpu_hour network_fabric network_gbps as_of source_id source_detail confidence licence"),
		cols("provider instance_type region commitment as_of source_id"), addOffer},
	{"colo_costs.csv", cols("item value unit region low high as_of source_id source_detail also_source_ids confidence date_precision note"),
		cols("item region as_of source_id value low high"), addColoCost},
	{"cost_defaults.csv", cols("key value unit low high region as_of source_id source_detail confidence note"),
		cols("key region"), addCostDefault},
	{"gpu_aliases.csv", cols("alias sku match used_in note"), cols("alias"), addAlias},
}

func cols(s string) []string { return strings.Fields(s) }

func formatOf(name string) *format {
	for i := range formats {
		if formats[i].name == name {
			return &formats[i]
		}
	}
	return nil
}

// Names of the files that rows refer to.
const (
	toSource      = "sources.csv"
	toSourceTitle = "sources.csv title"
	toSKU         = "skus.csv"
	toDefinition  = "spec_definitions.csv"
	toSubject     = "price_subjects.csv"
)

// read parses and checks the files against themselves and the stored codes. It returns the
// rows of each file that was present.
func read(contents []content, keys catalog.Keys) (catalog.Batch, map[string]int, error) {
	var (
		b      catalog.Batch
		f      faults
		refs   []reference
		counts = map[string]int{}
	)
	for _, c := range contents {
		seen := map[string]int{}
		counts[c.format.name] = readRows(c.format, c.raw, &f, &refs, func(r *row) {
			key := make([]string, len(c.format.key))
			for i, column := range c.format.key {
				key[i] = r.text(column)
			}
			joined := strings.Join(key, "\x00")
			if first, twice := seen[joined]; twice {
				r.fault(c.format.key[0], "import.err_duplicate_row", "a", first, "b", r.line)
				return
			}
			seen[joined] = r.line
			c.format.add(&b, r)
		})
	}
	checkReferences(&b, refs, keys, &f)
	if f.Len() == 0 { // what follows relies on rows that are sound by themselves
		checkTogether(&b, keys, &f)
	}
	return b, counts, f.Err()
}
