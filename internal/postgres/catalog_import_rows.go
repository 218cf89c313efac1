package postgres

import "rackwright/internal/catalog"

// The statements of an import. Each takes its rows as one JSON array, inserts what is new,
// updates what differs, and returns how many of either.

const sqlImportSources = `
WITH done AS (
    INSERT INTO source (
        id, kind, title, publisher, url, published, retrieved, licence, licence_note)
    SELECT
        r.id, r.kind, r.title, r.publisher, r.url, r.published, r.retrieved, r.licence, r.licence_note
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        id text, kind text, title text, publisher text, url text, published text, retrieved date,
        licence text, licence_note text)
    ON CONFLICT (id) DO UPDATE SET
        kind = excluded.kind, title = excluded.title, publisher = excluded.publisher, url = excluded.url,
        published = excluded.published, retrieved = excluded.retrieved, licence = excluded.licence,
        licence_note = excluded.licence_note
    WHERE (
        source.kind, source.title, source.publisher, source.url, source.published, source.retrieved,
        source.licence, source.licence_note
    ) IS DISTINCT FROM (
        excluded.kind, excluded.title, excluded.publisher, excluded.url, excluded.published,
        excluded.retrieved, excluded.licence, excluded.licence_note)
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func sourceJSON(s catalog.Source) object {
	return object{
		"id": s.ID, "kind": s.Kind, "title": s.Title, "publisher": s.Publisher, "url": s.URL,
		"published": s.Published, "retrieved": day(s.Retrieved), "licence": s.Licence, "licence_note": s.LicenceNote,
	}
}

const sqlImportVendors = `
WITH done AS (
    INSERT INTO vendor (
        name)
    SELECT
        r.name
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        name text)
    ON CONFLICT (name) DO NOTHING
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

const sqlImportSKUs = `
WITH done AS (
    INSERT INTO sku (
        code, kind, family, name, vendor, form_factor, gpus, gpu_sku, launch, status, description, source_id,
        source_detail, also_source_ids, confidence)
    SELECT
        r.code, r.kind, r.family, r.name, r.vendor, r.form_factor, r.gpus, r.gpu_sku, r.launch, r.status,
        r.description, r.source_id, r.source_detail, r.also_source_ids, r.confidence
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        code text, kind text, family text, name text, vendor text, form_factor text, gpus integer,
        gpu_sku text, launch date, status text, description text, source_id text, source_detail text,
        also_source_ids text[], confidence text)
    ON CONFLICT (code) DO UPDATE SET
        kind = excluded.kind, family = excluded.family, name = excluded.name, vendor = excluded.vendor,
        form_factor = excluded.form_factor, gpus = excluded.gpus, gpu_sku = excluded.gpu_sku,
        launch = excluded.launch, status = excluded.status, description = excluded.description,
        source_id = excluded.source_id, source_detail = excluded.source_detail,
        also_source_ids = excluded.also_source_ids, confidence = excluded.confidence
    WHERE (
        sku.kind, sku.family, sku.name, sku.vendor, sku.form_factor, sku.gpus, sku.gpu_sku, sku.launch,
        sku.status, sku.description, sku.source_id, sku.source_detail, sku.also_source_ids, sku.confidence
    ) IS DISTINCT FROM (
        excluded.kind, excluded.family, excluded.name, excluded.vendor, excluded.form_factor, excluded.gpus,
        excluded.gpu_sku, excluded.launch, excluded.status, excluded.description, excluded.source_id,
        excluded.source_detail, excluded.also_source_ids, excluded.confidence)
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func skuJSON(s catalog.SKU) object {
	return object{
		"code": s.Code, "kind": s.Kind, "family": s.Family, "name": s.Name, "vendor": s.Vendor,
		"form_factor": s.FormFactor, "gpus": s.GPUs, "gpu_sku": orNull(s.GPUSKU), "launch": orNull(s.Launch),
		"status": s.Status, "description": s.Description, "source_id": s.SourceID, "source_detail": s.SourceDetail,
		"also_source_ids": orEmpty(s.AlsoSourceIDs), "confidence": s.Confidence,
	}
}

const sqlImportNames = `
WITH done AS (
    INSERT INTO sku_name (
        sku, lang, name)
    SELECT
        r.sku, r.lang, r.name
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        sku text, lang text, name text)
    ON CONFLICT (sku, lang) DO UPDATE SET name = excluded.name
    WHERE sku_name.name IS DISTINCT FROM excluded.name
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func nameJSON(n catalog.Name) object {
	return object{
		"sku": n.SKU, "lang": n.Lang, "name": n.Name,
	}
}

const sqlImportAliases = `
WITH done AS (
    INSERT INTO sku_alias (
        alias, sku, match, used_in, note)
    SELECT
        r.alias, r.sku, r.match, r.used_in, r.note
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        alias text, sku text, match text, used_in text, note text)
    ON CONFLICT (alias) DO UPDATE SET
        sku = excluded.sku, match = excluded.match, used_in = excluded.used_in, note = excluded.note
    WHERE (
        sku_alias.sku, sku_alias.match, sku_alias.used_in, sku_alias.note
    ) IS DISTINCT FROM (
        excluded.sku, excluded.match, excluded.used_in, excluded.note)
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func aliasJSON(a catalog.Alias) object {
	return object{
		"alias": a.Alias, "sku": orNull(a.SKU), "match": a.Match, "used_in": a.UsedIn, "note": a.Note,
	}
}

const sqlImportDefinitions = `
WITH done AS (
    INSERT INTO spec_definition (
        key, label, unit, type, better, spec_group, sort, description)
    SELECT
        r.key, r.label, r.unit, r.type, r.better, r.spec_group, r.sort, r.description
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        key text, label text, unit text, type text, better text, spec_group text, sort integer,
        description text)
    ON CONFLICT (key) DO UPDATE SET
        label = excluded.label, unit = excluded.unit, type = excluded.type, better = excluded.better,
        spec_group = excluded.spec_group, sort = excluded.sort, description = excluded.description
    WHERE (
        spec_definition.label, spec_definition.unit, spec_definition.type, spec_definition.better,
        spec_definition.spec_group, spec_definition.sort, spec_definition.description
    ) IS DISTINCT FROM (
        excluded.label, excluded.unit, excluded.type, excluded.better, excluded.spec_group, excluded.sort,
        excluded.description)
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func definitionJSON(d catalog.SpecDefinition) object {
	return object{
		"key": d.Key, "label": d.Label, "unit": d.Unit, "type": d.Type, "better": d.Better, "spec_group": d.Group,
		"sort": d.Sort, "description": d.Description,
	}
}

const sqlImportClaims = `
WITH done AS (
    INSERT INTO spec_claim (
        sku, key, qualifier, source_kind, source_id, source_detail, value, unit, as_of, confidence, verdict,
        remark)
    SELECT
        r.sku, r.key, r.qualifier, r.source_kind, r.source_id, r.source_detail, r.value, r.unit, r.as_of,
        r.confidence, r.verdict, r.remark
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        sku text, key text, qualifier text, source_kind text, source_id text, source_detail text, value text,
        unit text, as_of date, confidence text, verdict text, remark text)
    ON CONFLICT (sku, key, qualifier, source_kind, source_id, source_detail) DO UPDATE SET
        value = excluded.value, unit = excluded.unit, as_of = excluded.as_of,
        confidence = excluded.confidence, verdict = excluded.verdict, remark = excluded.remark
    WHERE (
        spec_claim.value, spec_claim.unit, spec_claim.as_of, spec_claim.confidence, spec_claim.verdict,
        spec_claim.remark
    ) IS DISTINCT FROM (
        excluded.value, excluded.unit, excluded.as_of, excluded.confidence, excluded.verdict, excluded.remark)
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func claimJSON(c catalog.Claim) object {
	return object{
		"sku": c.SKU, "key": c.Key, "qualifier": c.Qualifier, "source_kind": c.SourceKind, "source_id": c.SourceID,
		"source_detail": c.SourceDetail, "value": c.Value, "unit": c.Unit, "as_of": day(c.AsOf),
		"confidence": c.Confidence, "verdict": c.Verdict, "remark": c.Remark,
	}
}

const sqlImportResellerClaims = `
WITH done AS (
    INSERT INTO reseller_claim (
        id, source, topic, claim, value, unit, verdict, correct, source_id, source_detail, also_source_ids,
        sku, key, qualifier)
    SELECT
        r.id, r.source, r.topic, r.claim, r.value, r.unit, r.verdict, r.correct, r.source_id,
        r.source_detail, r.also_source_ids, r.sku, r.key, r.qualifier
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        id text, source text, topic text, claim text, value text, unit text, verdict text, correct text,
        source_id text, source_detail text, also_source_ids text[], sku text, key text, qualifier text)
    ON CONFLICT (id) DO UPDATE SET
        source = excluded.source, topic = excluded.topic, claim = excluded.claim, value = excluded.value,
        unit = excluded.unit, verdict = excluded.verdict, correct = excluded.correct,
        source_id = excluded.source_id, source_detail = excluded.source_detail,
        also_source_ids = excluded.also_source_ids, sku = excluded.sku, key = excluded.key,
        qualifier = excluded.qualifier
    WHERE (
        reseller_claim.source, reseller_claim.topic, reseller_claim.claim, reseller_claim.value,
        reseller_claim.unit, reseller_claim.verdict, reseller_claim.correct, reseller_claim.source_id,
        reseller_claim.source_detail, reseller_claim.also_source_ids, reseller_claim.sku, reseller_claim.key,
        reseller_claim.qualifier
    ) IS DISTINCT FROM (
        excluded.source, excluded.topic, excluded.claim, excluded.value, excluded.unit, excluded.verdict,
        excluded.correct, excluded.source_id, excluded.source_detail, excluded.also_source_ids, excluded.sku,
        excluded.key, excluded.qualifier)
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func resellerClaimJSON(c catalog.ResellerClaim) object {
	return object{
		"id": c.ID, "source": c.Source, "topic": c.Topic, "claim": c.Text, "value": c.Value, "unit": c.Unit,
		"verdict": c.Verdict, "correct": c.Correct, "source_id": orNull(c.SourceID), "source_detail": c.SourceDetail,
		"also_source_ids": orEmpty(c.AlsoSourceIDs), "sku": orNull(c.SKU), "key": orNull(c.Key),
		"qualifier": c.Qualifier,
	}
}

const sqlImportComponents = `
WITH done AS (
    INSERT INTO sku_component (
        parent, child, role, quantity, source_id, confidence, remark)
    SELECT
        r.parent, r.child, r.role, r.quantity, r.source_id, r.confidence, r.remark
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        parent text, child text, role text, quantity integer, source_id text, confidence text, remark text)
    ON CONFLICT (parent, child, role) DO UPDATE SET
        quantity = excluded.quantity, source_id = excluded.source_id, confidence = excluded.confidence,
        remark = excluded.remark
    WHERE (
        sku_component.quantity, sku_component.source_id, sku_component.confidence, sku_component.remark
    ) IS DISTINCT FROM (
        excluded.quantity, excluded.source_id, excluded.confidence, excluded.remark)
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func componentJSON(c catalog.Component) object {
	return object{
		"parent": c.Parent, "child": c.Child, "role": c.Role, "quantity": c.Quantity, "source_id": c.SourceID,
		"confidence": c.Confidence, "remark": c.Remark,
	}
}

const sqlImportCompatible = `
WITH done AS (
    INSERT INTO compatibility (
        sku, relation, other, quantity, any_of, source_id, remark)
    SELECT
        r.sku, r.relation, r.other, r.quantity, r.any_of, r.source_id, r.remark
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        sku text, relation text, other text, quantity integer, any_of text, source_id text, remark text)
    ON CONFLICT (sku, relation, other) DO UPDATE SET
        quantity = excluded.quantity, any_of = excluded.any_of, source_id = excluded.source_id,
        remark = excluded.remark
    WHERE (
        compatibility.quantity, compatibility.any_of, compatibility.source_id, compatibility.remark
    ) IS DISTINCT FROM (
        excluded.quantity, excluded.any_of, excluded.source_id, excluded.remark)
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func compatibleJSON(c catalog.Compatibility) object {
	return object{
		"sku": c.SKU, "relation": c.Relation, "other": c.Other, "quantity": orNull(c.Quantity), "any_of": c.AnyOf,
		"source_id": c.SourceID, "remark": c.Remark,
	}
}

const sqlImportSubstitutes = `
WITH done AS (
    INSERT INTO substitute (
        sku, substitute, reason, caveat, source_id)
    SELECT
        r.sku, r.substitute, r.reason, r.caveat, r.source_id
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        sku text, substitute text, reason text, caveat text, source_id text)
    ON CONFLICT (sku, substitute) DO UPDATE SET
        reason = excluded.reason, caveat = excluded.caveat, source_id = excluded.source_id
    WHERE (
        substitute.reason, substitute.caveat, substitute.source_id
    ) IS DISTINCT FROM (
        excluded.reason, excluded.caveat, excluded.source_id)
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func substituteJSON(s catalog.Substitute) object {
	return object{
		"sku": s.SKU, "substitute": s.With, "reason": s.Reason, "caveat": s.Caveat, "source_id": s.SourceID,
	}
}

const sqlImportControls = `
WITH done AS (
    INSERT INTO control_class (
        sku, class, control_group, rule, effective_on, source_id, confidence, remark)
    SELECT
        r.sku, r.class, r.control_group, r.rule, r.effective_on, r.source_id, r.confidence, r.remark
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        sku text, class text, control_group text, rule text, effective_on date, source_id text,
        confidence text, remark text)
    ON CONFLICT (sku) DO UPDATE SET
        class = excluded.class, control_group = excluded.control_group, rule = excluded.rule,
        effective_on = excluded.effective_on, source_id = excluded.source_id,
        confidence = excluded.confidence, remark = excluded.remark
    WHERE (
        control_class.class, control_class.control_group, control_class.rule, control_class.effective_on,
        control_class.source_id, control_class.confidence, control_class.remark
    ) IS DISTINCT FROM (
        excluded.class, excluded.control_group, excluded.rule, excluded.effective_on, excluded.source_id,
        excluded.confidence, excluded.remark)
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func controlJSON(c catalog.ControlClass) object {
	return object{
		"sku": c.SKU, "class": c.Class, "control_group": c.Group, "rule": c.Rule, "effective_on": day(c.EffectiveOn),
		"source_id": orNull(c.SourceID), "confidence": c.Confidence, "remark": c.Remark,
	}
}

const sqlImportDestinations = `
WITH done AS (
    INSERT INTO control_destination (
        country_code, applies_to, rule, country, effect, effective_on, source_id, confidence, remark)
    SELECT
        r.country_code, r.applies_to, r.rule, r.country, r.effect, r.effective_on, r.source_id, r.confidence,
        r.remark
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        country_code text, applies_to text, rule text, country text, effect text, effective_on date,
        source_id text, confidence text, remark text)
    ON CONFLICT (country_code, applies_to, rule) DO UPDATE SET
        country = excluded.country, effect = excluded.effect, effective_on = excluded.effective_on,
        source_id = excluded.source_id, confidence = excluded.confidence, remark = excluded.remark
    WHERE (
        control_destination.country, control_destination.effect, control_destination.effective_on,
        control_destination.source_id, control_destination.confidence, control_destination.remark
    ) IS DISTINCT FROM (
        excluded.country, excluded.effect, excluded.effective_on, excluded.source_id, excluded.confidence,
        excluded.remark)
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func destinationJSON(d catalog.ControlDestination) object {
	return object{
		"country_code": d.CountryCode, "applies_to": d.AppliesTo, "rule": d.Rule, "country": d.Country,
		"effect": d.Effect, "effective_on": day(d.EffectiveOn), "source_id": d.SourceID, "confidence": d.Confidence,
		"remark": d.Remark,
	}
}
