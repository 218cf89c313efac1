package view

import "slices"

// setEvidence adds what the plan was simulated to do, its curves, and how far each estimate
// may be off.
func (d *SizingDocument) setEvidence(p Page, c *SizingChosen) {
	if len(c.WouldChange) > 0 {
		d.ChangeTitle, d.Changes = p.T("sizing.would_change"), c.WouldChange
	}
	if t := c.Percentiles; t != nil {
		d.TimesTitle, d.TimesNote = p.T("sizing.percentiles"), t.Note
		d.TimesHeads = [7]string{p.T("sizing.in_unit", "what", p.T("sizing.time"), "unit", "ms"), t.Heads[0], t.Heads[1], t.Heads[2], t.Heads[3], t.Heads[4], p.T("sizing.limits")}
		d.Times, d.TimesFacts = slices.Clone(t.Rows), printedFacts(t.Facts)
		for i := range d.Times {
			d.Times[i].Badge = "" // a colour
			if d.Times[i].Limit == "" {
				d.Times[i].Limit = p.T("sizing.limits_none")
			}
		}
	}
	for _, x := range []SizingDocumentChart{{p.T("sizing.tpot"), c.TPOT}, {p.T("sizing.ttft"), c.TTFT}, {p.T("sizing.frontier"), c.Frontier}} {
		if !x.Picture.Empty() {
			d.CurveTitle, d.CurveNote = p.T("sizing.throughput_latency_curve"), p.T("sizing.curve_note")
			d.Curves = append(d.Curves, x)
		}
	}
	if len(c.Bands) > 0 {
		d.BandTitle, d.BandNote = p.T("sizing.error_band"), p.T("sizing.bands_note")
		if c.Extrapolated != "" {
			d.BandNote = p.T("documents.labelled", "label", p.T("sizing.extrapolated"), "value", c.Extrapolated)
		}
		d.BandHeads = [5]string{p.T("sizing.estimate"), c.BandHeads[0], p.T("sizing.middle"), c.BandHeads[1], p.T("sizing.band_width")}
		d.Bands = c.Bands
		d.PlanNotes = append(d.PlanNotes, c.BandParts...)
	}
	if len(c.Validations) > 0 {
		d.ValidTitle, d.Valid = p.T("sizing.validated_against"), c.Validations
		d.ValidHeads = [4]string{p.T("sizing.published_rows"), p.T("sizing.row_count"), p.T("sizing.median_error"), p.T("sizing.as_of_head")}
	}
}
