package importer

import (
	"regexp"

	"rackwright/internal/catalog"
	"rackwright/internal/money"
)

// The words of the columns that hold one of a few.
var (
	confidences  = []string{"high", "medium", "low"}
	verdicts     = []string{"confirmed", "contradicted", "garbled", "unverifiable"}
	sourceKinds  = []string{catalog.VendorDatasheet, catalog.Whitepaper, catalog.OEM, catalog.ThirdParty, catalog.Reseller}
	precisions   = []string{"day", "month", "quarter", "half", "year", "as_read"}
	groups       = []string{"compute", "memory", "interconnect", "power", "form", "system", "network", "storage", "mig", "chip"}
	controls     = []string{"advanced_ic", "advanced_ic_cn", "advanced_ic_high", "h20_class", "service", "not_classified"}
	destinations = append([]string{"advanced_all", "any"}, controls...)
	commitments  = []string{catalog.OnDemand, catalog.Spot, catalog.ReservedOne, catalog.ReservedThree}
	fabrics      = []string{"", "none", "InfiniBand", "EFA", "Ethernet", "RoCE"}
	qualifiers   = []string{
		"", catalog.Dense, catalog.Sparse, catalog.DensePreliminary, catalog.SparsePreliminary, catalog.FullDie, "bidirectional",
		"per_direction", "with_bridge", catalog.Aggregate, "tensor", "as_tested", "max", "with_frontend", "standalone",
	}
)

var (
	skuCode    = regexp.MustCompile(`^[A-Z0-9][A-Z0-9._-]{0,63}$`)
	specKey    = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	migProfile = regexp.MustCompile(`^[1-7]g\.\d+gb(\+me)?$`)
	country    = regexp.MustCompile(`^([A-Z]{2}|\*)$`)
)

func (r *row) confidence() catalog.Confidence {
	return catalog.Confidence(r.oneOf("confidence", confidences...))
}

// pattern returns a column that matches an expression.
func (r *row) pattern(column string, re *regexp.Regexp) string {
	s := r.text(column)
	if !re.MatchString(s) {
		r.fault(column, "catalog.import_word", "value", quote(s))
	}
	return s
}

func addSource(b *catalog.Batch, r *row) {
	b.Sources = append(b.Sources, catalog.Source{
		ID: r.need("source_id"), Kind: r.need("kind"), Title: r.need("title"), Publisher: r.need("publisher"),
		URL: r.need("url_or_ref"), Published: r.partial("published_on"), Retrieved: r.date("retrieved_on"),
		Licence: r.need("licence"), LicenceNote: r.text("licence_note"),
	})
}

func addSKU(b *catalog.Batch, r *row) {
	launch := ""
	if t := r.optDate("launch_date"); !t.IsZero() {
		launch = r.text("launch_date")
	}
	b.SKUs = append(b.SKUs, catalog.SKU{
		Code: r.pattern("sku", skuCode),
		Kind: catalog.Kind(r.oneOf("kind", "gpu", "baseboard", "system", "cluster", "network", "accessory", "cloud_instance")),
		Name: r.need("name"), Family: r.need("family"), Vendor: r.need("vendor"), FormFactor: r.need("form_factor"),
		GPUs: r.optInteger("gpus", 0), GPUSKU: r.optRef("gpu_sku", toSKU), Launch: launch,
		Status:      catalog.Status(r.oneOf("status", "shipping", "superseded", "announced", "unverified")),
		Description: r.text("description_short"), SourceID: r.ref("source_id", toSource), SourceDetail: r.text("source_detail"),
		AlsoSourceIDs: r.refList("also_source_ids", toSource), Confidence: r.confidence(),
	})
}

func addName(b *catalog.Batch, r *row) {
	b.Names = append(b.Names, catalog.Name{
		SKU: r.ref("sku", toSKU), Lang: r.oneOf("lang", "en", "zh-Hans", "zh-Hant"), Name: r.need("name"),
	})
}

func addAlias(b *catalog.Batch, r *row) {
	a := catalog.Alias{
		Alias: r.need("alias"), SKU: r.optRef("sku", toSKU), Match: r.oneOf("match", "exact", "nearest", "none"),
		UsedIn: r.text("used_in"), Note: r.text("note"),
	}
	if (a.Match == "none") != (a.SKU == "") {
		r.fault("sku", "catalog.import_alias")
	}
	b.Aliases = append(b.Aliases, a)
}

func addDefinition(b *catalog.Batch, r *row) {
	d := catalog.SpecDefinition{
		Key: r.pattern("spec_key", specKey), Label: r.need("label_en"), Unit: r.text("unit"),
		Type: r.oneOf("type", "number", "text", "bool"), Better: r.oneOf("better", "higher", "lower", "none"),
		Group: r.oneOf("group", groups...), Sort: r.integer("sort", 0), Description: r.text("description"),
	}
	if d.Type == "number" && d.Unit == "" {
		r.fault("unit", "catalog.import_blank")
	}
	b.Definitions = append(b.Definitions, d)
}

func addClaim(b *catalog.Batch, r *row) {
	c := catalog.Claim{
		SKU: r.ref("sku", toSKU), Key: r.ref("spec_key", toDefinition), Qualifier: r.text("qualifier"),
		Value: r.need("value"), Unit: r.text("unit"),
		SourceKind: r.oneOf("source_kind", sourceKinds...), SourceID: r.ref("source_id", toSource), SourceDetail: r.text("source_detail"),
		AsOf: r.date("as_of"), Confidence: r.confidence(), Verdict: r.text("verdict"), Remark: r.text("remark"),
	}
	if !migProfile.MatchString(c.Qualifier) {
		r.oneOf("qualifier", qualifiers...)
	}
	switch {
	case c.SourceKind == catalog.Reseller:
		r.oneOf("verdict", verdicts...)
	case c.Verdict != "":
		r.fault("verdict", "catalog.import_verdict")
	}
	b.Claims = append(b.Claims, c)
	b.ClaimLines = append(b.ClaimLines, r.line)
}

func addResellerClaim(b *catalog.Batch, r *row) {
	b.ResellerClaims = append(b.ResellerClaims, catalog.ResellerClaim{
		ID: r.need("claim_id"), Source: r.ref("source", toSourceTitle), Topic: r.need("topic"), Text: r.need("claim_in_english"),
		Value: r.text("value"), Unit: r.text("unit"), Verdict: r.oneOf("verdict", verdicts...), Correct: r.text("correct_value"),
		SourceID: r.optRef("source_id", toSource), SourceDetail: r.text("source_detail"), AlsoSourceIDs: r.refList("also_source_ids", toSource),
		SKU: r.optRef("sku", toSKU), Key: r.optRef("spec_key", toDefinition), Qualifier: r.text("qualifier"),
	})
}

func addComponent(b *catalog.Batch, r *row) {
	c := catalog.Component{
		Parent: r.ref("parent_sku", toSKU), Child: r.ref("child_sku", toSKU), Quantity: r.integer("quantity", 1),
		Role: r.need("role"), SourceID: r.ref("source_id", toSource), Confidence: r.confidence(), Remark: r.text("remark"),
	}
	if c.Parent == c.Child {
		r.fault("child_sku", "catalog.import_loop")
	}
	b.Components = append(b.Components, c)
}

func addCompatibility(b *catalog.Batch, r *row) {
	b.Compatible = append(b.Compatible, catalog.Compatibility{
		SKU: r.ref("sku", toSKU), Relation: catalog.Relation(r.oneOf("relation", "requires", "excludes", "fits", "max")),
		Other: r.ref("other_sku", toSKU), Quantity: r.optInteger("quantity", 1), AnyOf: r.text("any_of"),
		SourceID: r.ref("source_id", toSource), Remark: r.text("remark"),
	})
}

func addSubstitute(b *catalog.Batch, r *row) {
	s := catalog.Substitute{
		SKU: r.ref("sku", toSKU), With: r.ref("substitute_sku", toSKU), Reason: r.need("reason"), Caveat: r.text("caveat"),
		SourceID: r.ref("source_id", toSource),
	}
	if s.SKU == s.With {
		r.fault("substitute_sku", "catalog.import_loop")
	}
	b.Substitutes = append(b.Substitutes, s)
}

func addControl(b *catalog.Batch, r *row) {
	b.Controls = append(b.Controls, catalog.ControlClass{
		SKU: r.ref("sku", toSKU), Class: r.need("us_eccn_or_class"), Group: r.oneOf("control_group", controls...), Rule: r.need("rule"),
		EffectiveOn: r.optDate("effective_on"), SourceID: r.optRef("source_id", toSource), Confidence: r.confidence(), Remark: r.text("remark"),
	})
}

func addDestination(b *catalog.Batch, r *row) {
	b.Destinations = append(b.Destinations, catalog.ControlDestination{
		CountryCode: r.pattern("country_code", country), Country: r.need("country"),
		AppliesTo: r.oneOf("applies_to", destinations...), Rule: r.need("rule"),
		Effect:      catalog.Effect(r.oneOf("effect", "licence_required", "presumption_of_denial", "none", "check")),
		EffectiveOn: r.optDate("effective_on"), SourceID: r.ref("source_id", toSource), Confidence: r.confidence(), Remark: r.text("remark"),
	})
}

func addSubject(b *catalog.Batch, r *row) {
	s := catalog.PriceSubject{
		Code: r.need("subject"), Kind: r.oneOf("kind", "sku", "provider", "marketplace", "market", "index"),
		SKU: r.optRef("sku", toSKU), GPUSKU: r.optRef("gpu_sku", toSKU), Provider: r.text("provider"), Instance: r.text("instance"),
		Series: r.text("series"), InProviderCharts: r.oneOf("in_provider_charts", "yes", "no") == "yes", Label: r.text("label"),
	}
	if s.Kind == catalog.SubjectSKU {
		r.need("sku")
	}
	b.Subjects = append(b.Subjects, s)
}

func (r *row) priceKind() catalog.PriceKind {
	return catalog.PriceKind(r.oneOf("price_kind", "list", "msrp_estimate", "street_new", "street_used", "cloud_on_demand", "cloud_spot", "cloud_reserved"))
}

func addObservation(b *catalog.Batch, r *row) {
	currency := money.Currency(r.text("currency"))
	if !currency.Valid() {
		r.fault("currency", "catalog.import_word", "value", quote(string(currency)))
	}
	b.Observations = append(b.Observations, catalog.PriceObservation{
		Subject: r.ref("subject", toSubject), Kind: r.priceKind(), Price: money.New(r.positive("price"), currency),
		Unit: catalog.PriceUnit(r.oneOf("unit", "per_unit", "per_system", "per_gpu_hour", "per_node_month")),
		Day:  r.date("observed_on"), DatePrecision: r.oneOf("date_precision", precisions...), Region: r.text("region"),
		SourceID: r.ref("source_id", toSource), SourceDetail: r.text("source_detail"), Confidence: r.confidence(),
		GPUSKU: r.optRef("gpu_sku", toSKU), Licence: r.need("licence"), Note: r.text("note"),
	})
}

// offerTolerance is how far the price of an instance and that of its GPUs may differ by rounding.
var offerTolerance = money.MustDecimal("0.0001")

func addOffer(b *catalog.Batch, r *row) {
	before := r.faults.Len()
	o := catalog.CloudOffer{
		Provider: r.need("provider"), Instance: r.need("instance_type"), Subject: r.ref("subject", toSubject), PriceKind: r.priceKind(),
		GPUSKU: r.ref("gpu_sku", toSKU), GPUs: r.integer("gpus", 1), GPUMemoryGB: r.positive("gpu_mem_gb"),
		VCPUs: r.optInteger("vcpus", 1), RAMGB: r.optPositive("ram_gb"), Region: r.need("region"),
		Commitment: r.oneOf("commitment", commitments...), USDPerHour: r.positive("price_usd_per_hour"),
		USDPerGPUHour: r.positive("price_usd_per_gpu_hour"), Fabric: r.oneOf("network_fabric", fabrics...),
		NetworkGbps: r.optPositive("network_gbps"), AsOf: r.date("as_of"), SourceID: r.ref("source_id", toSource),
		SourceDetail: r.text("source_detail"), Confidence: r.confidence(), Licence: r.need("licence"),
	}
	b.Offers = append(b.Offers, o)
	if r.faults.Len() > before {
		return
	}
	gpus := money.FromInt(int64(o.GPUs))
	if offerTolerance.Mul(gpus).Less(o.USDPerGPUHour.Mul(gpus).Sub(o.USDPerHour).Abs()) {
		r.fault("price_usd_per_gpu_hour", "catalog.import_offer_sum")
	}
	if o.PriceKind != kindOfCommitment(o.Commitment) {
		r.fault("price_kind", "catalog.import_offer_kind")
	}
}

func kindOfCommitment(commitment string) catalog.PriceKind {
	switch commitment {
	case catalog.OnDemand:
		return catalog.CloudOnDemand
	case catalog.Spot:
		return catalog.CloudSpot
	}
	return catalog.CloudReserved
}

func addColoCost(b *catalog.Batch, r *row) {
	c := catalog.ColoCost{
		Item: r.need("item"), Region: r.need("region"), Value: r.optDecimal("value"), Low: r.optDecimal("low"), High: r.optDecimal("high"),
		Unit: r.need("unit"), AsOf: r.date("as_of"), DatePrecision: r.oneOf("date_precision", precisions...),
		SourceID: r.ref("source_id", toSource), SourceDetail: r.text("source_detail"), AlsoSourceIDs: r.refList("also_source_ids", toSource),
		Confidence: r.confidence(), Note: r.text("note"),
	}
	r.ordered(c.Low, c.High)
	b.ColoCosts = append(b.ColoCosts, c)
}

func addCostDefault(b *catalog.Batch, r *row) {
	c := catalog.CostDefault{
		Key: r.need("key"), Region: r.text("region"), Value: r.optDecimal("value"), Low: r.optDecimal("low"), High: r.optDecimal("high"),
		Unit: r.need("unit"), AsOf: r.date("as_of"), SourceID: r.ref("source_id", toSource), SourceDetail: r.text("source_detail"),
		Confidence: r.confidence(), Note: r.text("note"),
	}
	r.ordered(c.Low, c.High)
	b.CostDefaults = append(b.CostDefaults, c)
}

func (r *row) ordered(low, high *money.Decimal) {
	if low != nil && high != nil && high.Less(*low) {
		r.fault("high", "catalog.import_range")
	}
}
