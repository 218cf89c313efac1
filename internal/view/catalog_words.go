package view

import (
	"regexp"
	"strings"

	"rackwright/internal/catalog"
	"rackwright/internal/i18n"
	"rackwright/internal/money"
)

// The words of the catalogue's data. What the data writes in English and a reader expects in
// their own language is looked up here; a value that is not known, of a user's own file, is
// shown as it is written.

// formFactors are the messages of form factors that are words.
var formFactors = map[string]string{
	"rack": "catalog.ff_rack", "cloud": "catalogue.ff_cloud", "PCIe dual-slot FHFL": "catalogue.ff_pcie_dual_slot",
	"HGX baseboard": "catalogue.ff_hgx_baseboard", "Superchip module": "catalogue.ff_superchip_module",
	"switch": "catalogue.ff_rack_switch", "PCIe dual-slot with network ports": "catalog.ff_pcie_network",
	"PCIe (form factor not confirmed)": "catalog.ff_pcie_unconfirmed", "immersion tank": "catalogue.ff_immersion_tank",
	"PCIe adapter": "catalogue.ff_pcie_adapter", "PCIe adapter / OSFP mezzanine": "catalog.ff_pcie_mezzanine",
	"chip on HGX baseboard": "catalog.ff_chip_on_hgx", "bridge": "catalogue.nvlink_bridge",
	"software subscription": "catalogue.ff_software_subscription", "software licence": "catalogue.ff_software_licence",
}

// formPatterns are the form factors that carry a number.
var formPatterns = []struct {
	re *regexp.Regexp
	id string
}{
	{regexp.MustCompile(`^(\d+)U rack$`), "catalogue.ff_rack_server"},
	{regexp.MustCompile(`^(\d+)U rack, hybrid liquid$`), "catalog.ff_rack_hybrid"},
	{regexp.MustCompile(`^(\d+)U switch$`), "catalog.ff_switch_units"},
	{regexp.MustCompile(`^cluster \((\d+) nodes\)$`), "catalogue.ff_cluster"},
}

// FormFactor returns a form factor in words.
func FormFactor(l i18n.Localizer, s string) string {
	if id, ok := formFactors[s]; ok {
		return l.T(id)
	}
	if strings.HasPrefix(s, "SXM") {
		return l.T("catalog.ff_sxm", "socket", s)
	}
	for _, p := range formPatterns {
		if m := p.re.FindStringSubmatch(s); m != nil {
			return l.T(p.id, "n", m[1])
		}
	}
	return s
}

// families are the messages of product families that are words rather than names.
var families = map[string]string{
	"GPU server": "catalogue.gpu_server", "Hopper (China export)": "catalog.family_hopper_china",
	"Ampere (China export)": "catalog.family_ampere_china", "Hopper refresh": "catalog.family_hopper_refresh",
	"NVLink bridge": "catalogue.nvlink_bridge", "NVLink Switch System": "catalog.family_nvlink_switch",
	"Lambda on-demand": "catalog.family_lambda", "RunPod pods": "catalog.family_runpod",
}

// Family returns a product family in words.
func Family(l i18n.Localizer, s string) string {
	if id, ok := families[s]; ok {
		return l.T(id)
	}
	return s
}

// KindName returns the kind of a SKU in words.
func KindName(l i18n.Localizer, k catalog.Kind) string { return known(l, "catalogue.kind_", string(k)) }

// StatusName returns where a SKU stands in its life.
func StatusName(l i18n.Localizer, s catalog.Status) string {
	return known(l, "catalogue.status_", string(s))
}

// known returns the message of prefix and value, or the value where there is none.
func known(l i18n.Localizer, prefix, value string) string {
	id := prefix + strings.ReplaceAll(strings.ToLower(value), "-", "_")
	if i18n.Has(id) {
		return l.T(id)
	}
	return value
}

// SpecLabel returns what a spec key is called.
func SpecLabel(l i18n.Localizer, d catalog.SpecDefinition) string {
	if i18n.Has("spec." + d.Key) {
		return l.T("spec." + d.Key)
	}
	return d.Label
}

// qualifiers are the messages of qualifiers.
var qualifiers = map[string]string{
	catalog.Dense: "catalogue.dense", catalog.Sparse: "catalogue.with_sparsity", catalog.FullDie: "catalog.q_full_die",
	catalog.DensePreliminary: "catalog.q_dense_preliminary", catalog.SparsePreliminary: "catalog.q_sparse_preliminary",
	catalog.Aggregate: "catalog.q_aggregate", "bidirectional": "catalog.q_bidirectional", "per_direction": "catalog.q_per_direction",
	"with_bridge": "catalog.q_with_bridge", "tensor": "catalog.q_tensor", "as_tested": "catalog.q_as_tested", "max": "catalog.q_max",
	"with_frontend": "catalog.q_with_frontend", "standalone": "catalog.q_standalone",
}

// Qualifier returns the condition of a figure in words, or "" for none.
func Qualifier(l i18n.Localizer, q string) string {
	if id, ok := qualifiers[q]; ok {
		return l.T(id)
	}
	return q
}

// specUnits are the units that are not written as the data writes them.
var specUnits = map[string]string{"count": "", "generation": "", "mm2": "mm²", "C": "°C"}

// hundredMillions is how many 亿 a billion is.
var hundredMillions = money.FromInt(10)

// SpecValue returns a value and its unit as a reader of the language writes them.
func SpecValue(l i18n.Localizer, d catalog.SpecDefinition, value string) (text, unit string) {
	switch d.Type {
	case "bool":
		if value == "true" {
			return l.T("actions.yes"), ""
		}
		return l.T("actions.no"), ""
	case "number":
		n, err := money.ParseDecimal(value)
		if err != nil {
			return value, SpecUnit(l, d.Unit)
		}
		if d.Unit == "billion" && l.Lang() != i18n.English {
			n = n.Mul(hundredMillions)
		}
		return Number(l.Lang(), n), SpecUnit(l, d.Unit)
	}
	if id, ok := coolings[strings.ToLower(value)]; ok && d.Key == "cooling" {
		return l.T(id), ""
	}
	return value, ""
}

// coolings are the ways to cool, as makers write them.
var coolings = map[string]string{
	"air": "catalogue.air_cooled", "air-cooled": "catalogue.air_cooled", "liquid": "catalogue.liquid_cooled", "liquid-cooled": "catalogue.liquid_cooled",
}

// SpecUnit returns a unit as a reader of the language writes it.
func SpecUnit(l i18n.Localizer, unit string) string {
	if u, ok := specUnits[unit]; ok {
		return u
	}
	switch unit {
	case "billion":
		return l.T("catalog.unit_billion")
	case "years":
		return l.T("catalog.unit_years")
	}
	return unit
}

// ConfidenceLevel returns 1 to 3 and the words for it.
func ConfidenceLevel(l i18n.Localizer, c catalog.Confidence) (level int, text string) {
	switch c {
	case catalog.High:
		level = 3
	case catalog.Medium:
		level = 2
	default:
		level = 1
	}
	return level, known(l, "catalogue.confidence_", string(c))
}

// sourceKinds are the messages of the kinds of sources of a claim.
var sourceKinds = map[string]string{
	catalog.VendorDatasheet: "catalogue.source_vendor", catalog.Whitepaper: "catalogue.source_whitepaper",
	catalog.OEM: "catalogue.source_oem", catalog.ThirdParty: "catalogue.source_third_party", catalog.Reseller: "catalogue.source_reseller_claim",
}

// SourceKind returns the kind of the source of a claim in words.
func SourceKind(l i18n.Localizer, kind string) string {
	if id, ok := sourceKinds[kind]; ok {
		return l.T(id)
	}
	return kind
}

// PriceKindName returns the sort of a price in words.
func PriceKindName(l i18n.Localizer, k catalog.PriceKind) string {
	ids := map[catalog.PriceKind]string{
		catalog.ListPrice: "price.list_price", catalog.MSRPEstimate: "price.msrp_estimate", catalog.StreetNew: "price.street_price_new",
		catalog.StreetUsed: "price.street_price_used", catalog.CloudOnDemand: "price.rental_on_demand", catalog.CloudSpot: "price.rental_spot",
		catalog.CloudReserved: "price.rental_reserved",
	}
	if id, ok := ids[k]; ok {
		return l.T(id)
	}
	return string(k)
}

// Commitment returns the term of an offer in words.
func Commitment(l i18n.Localizer, c string) string { return known(l, "price.commitment_", c) }

// PriceUnitName returns what a price is for.
func PriceUnitName(l i18n.Localizer, u catalog.PriceUnit) string {
	return known(l, "price.", string(u))
}

// regions are the messages of regions that are words rather than names of data centres.
var regions = map[string]string{
	"global": "catalog.region_global", "US": "catalog.region_us", "China": "catalog.region_china", "Germany": "catalog.region_germany",
	"Finland": "catalog.region_finland", "India": "catalog.region_india", "Japan": "catalog.region_japan", "EU": "catalog.region_eu",
	"China (grey market)": "catalog.region_china_grey", "Hong Kong (grey market)": "catalog.region_hong_kong_grey",
	"US regions": "catalog.region_us_any", "any": "catalog.region_any", "cheapest region": "catalog.region_cheapest",
	"cheapest host": "catalog.region_cheapest_host", "Global (lowest)": "catalog.region_global_lowest",
}

// Region returns a region in words.
func Region(l i18n.Localizer, r string) string {
	if id, ok := regions[r]; ok {
		return l.T(id)
	}
	return r
}

// providers are the names of cloud providers as they write them.
var providers = map[string]string{
	"aws": "AWS", "gcp": "GCP", "azure": "Azure", "oracle": "Oracle", "lambda": "Lambda", "coreweave": "CoreWeave", "runpod": "RunPod",
	"hyperstack": "Hyperstack", "nebius": "Nebius", "crusoe": "Crusoe", "vast.ai": "Vast.ai", "verda": "Verda", "dataoorts": "Dataoorts",
	"akash": "Akash", "digitalocean": "DigitalOcean", "fluidstack": "Fluidstack", "jarvislabs": "JarvisLabs", "modal": "Modal",
	"novita": "Novita AI", "ovh": "OVHcloud", "paperspace": "Paperspace", "tensordock": "TensorDock", "together": "Together AI", "vultr": "Vultr",
}

// Provider returns the name of a cloud provider.
func Provider(p string) string {
	if name, ok := providers[p]; ok {
		return name
	}
	return p
}

// Fabric returns the network of an offer; "" is not stated.
func Fabric(l i18n.Localizer, f string) string {
	switch f {
	case "":
		return l.T("catalog.not_stated")
	case "none":
		return l.T("catalog.fabric_none")
	}
	return f
}

// Role returns what a part does in a bill of materials.
func Role(l i18n.Localizer, role string) string { return known(l, "catalog.role_", role) }
