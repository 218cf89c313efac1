package importer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/catalog"
	"rackwright/internal/seed"
)

// wantRows are the rows of the shipped files.
var wantRows = map[string]int{
	"skus.csv": 94, "sku_names.csv": 282, "gpu_aliases.csv": 26, "sources.csv": 165, "spec_definitions.csv": 112,
	"specs.csv": 1222, "reseller_claims.csv": 154, "components.csv": 87, "compatibility.csv": 69, "substitutes.csv": 61,
	"control_classes.csv": 94, "control_destinations.csv": 126, "price_subjects.csv": 250, "price_history.csv": 878,
	"cloud_offers.csv": 207, "colo_costs.csv": 106, "cost_defaults.csv": 59,
}

// memory is a store that remembers batches.
type memory struct {
	keys   catalog.Keys
	hashes map[string]bool
	newest string
	batch  catalog.Batch
	calls  int
}

func (m *memory) CatalogueKeys(context.Context) (catalog.Keys, error) { return m.keys, nil }

func (m *memory) CatalogueImported(_ context.Context, hash string) (bool, error) {
	return m.hashes[hash], nil
}

func (m *memory) LatestImport(context.Context) (string, time.Time, error) {
	if m.newest == "" {
		return "", time.Time{}, apperr.New(apperr.NotFound, "errors.page_not_found")
	}
	return m.newest, time.Time{}, nil
}

func (m *memory) ImportCatalogue(_ context.Context, hash string, b catalog.Batch) ([]catalog.Changes, error) {
	m.calls++
	m.batch = b
	if m.hashes == nil {
		m.hashes = map[string]bool{}
	}
	m.hashes[hash], m.newest = true, hash
	return []catalog.Changes{{File: "skus.csv", Inserted: len(b.SKUs)}}, nil
}

func TestShippedFilesAreSound(t *testing.T) {
	var m memory
	report, err := Catalogue(t.Context(), seed.FS, &m)
	if err != nil {
		t.Fatalf("Catalogue: %v", err)
	}
	got := map[string]int{}
	for _, f := range report.Files {
		got[f.Name] = f.Rows
	}
	if !maps.Equal(got, wantRows) {
		t.Errorf("rows = %v, want %v", got, wantRows)
	}
	if report.Rows() != 3992 || report.Changed() != 94 {
		t.Errorf("report: %d rows, %d changed", report.Rows(), report.Changed())
	}

	again, err := Catalogue(t.Context(), seed.FS, &m)
	if err != nil || !again.Skipped || m.calls != 1 || again.Hash != report.Hash {
		t.Errorf("second import: %+v, %v after %d calls; want skipped", again, err, m.calls)
	}
}

// TestClaimsOfTheShippedFiles holds the numbers of the notes on the data: identities,
// conflicts, and which claims win.
func TestClaimsOfTheShippedFiles(t *testing.T) {
	b, err := Read(seed.FS, catalog.Keys{})
	if err != nil {
		t.Fatal(err)
	}
	resolved := catalog.Resolve(b.Claims)
	conflicts := 0
	winners := map[catalog.Identity]string{}
	for _, r := range resolved {
		if len(r.Conflicts) > 0 {
			conflicts++
		}
		winners[r.Identity] = r.Winner.Value
	}
	if len(resolved) != 1088 || conflicts != 16 {
		t.Errorf("%d identities, %d in conflict; want 1088 and 16", len(resolved), conflicts)
	}
	for id, want := range map[catalog.Identity]string{
		{SKU: "H100-SXM5-80GB", Key: "cuda_cores"}:                           "16896",
		{SKU: "H100-SXM5-80GB", Key: "pcie_gen"}:                             "5",
		{SKU: "H100-SXM5-80GB", Key: "memory_bandwidth"}:                     "3350",
		{SKU: "H100-SXM5-80GB", Key: "base_clock"}:                           "1665",
		{SKU: "H100-SXM5-80GB", Key: "bf16_tensor", Qualifier: "dense"}:      "989.4",
		{SKU: "H100-SXM5-80GB", Key: "cuda_cores", Qualifier: "full_die"}:    "18432",
		{SKU: "DGX-H100", Key: "nvlink_bandwidth", Qualifier: "aggregate"}:   "7200",
		{SKU: "DGX-H100", Key: "fp8_tensor", Qualifier: catalog.Sparse}:      "32000",
		{SKU: "H100-SXM5-80GB", Key: "fp8_tensor", Qualifier: catalog.Dense}: "1979",
	} {
		if winners[id] != want {
			t.Errorf("winner of %v = %q, want %q", id, winners[id], want)
		}
	}
	checkContradicted(t, b.Claims)
	checkBills(t, b)
}

// checkContradicted: a claim that is called contradicted disagrees with the winner.
func checkContradicted(t *testing.T, claims []catalog.Claim) {
	t.Helper()
	for _, r := range catalog.Resolve(claims) {
		for _, c := range r.Claims {
			if c.Verdict == "contradicted" && !slices.Contains(r.Conflicts, c) {
				t.Errorf("contradicted claim does not conflict: %v %s", r.Identity, c.Value)
			}
		}
	}
}

// checkBills: expanding a bill of materials gives the number of GPUs of the SKU.
func checkBills(t *testing.T, b catalog.Batch) {
	t.Helper()
	products := map[string]catalog.Product{}
	for _, s := range b.SKUs {
		products[s.Code] = catalog.Product{SKU: s}
	}
	for _, c := range b.Components {
		p := products[c.Parent]
		p.Components = append(p.Components, c)
		products[c.Parent] = p
	}
	lookup := func(code string) (catalog.Product, bool) { p, ok := products[code]; return p, ok }
	for _, s := range b.SKUs {
		if s.Kind == catalog.Network || s.Kind == catalog.Accessory {
			continue
		}
		parts, ok := catalog.GPUsOf(products[s.Code], lookup)
		n := 0
		for _, p := range parts {
			n += p.Count
		}
		if !ok || n != s.GPUs {
			t.Errorf("%s: parts hold %d GPUs (%v), the SKU says %d", s.Code, n, ok, s.GPUs)
		}
	}
}

func fieldsOf(t *testing.T, err error) map[string]string {
	t.Helper()
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok || e.Kind != apperr.Invalid {
		t.Fatalf("error %v is not Invalid", err)
	}
	got := map[string]string{}
	for name, m := range e.Fields {
		got[name] = m.ID
	}
	if e.Fields == nil {
		got[""] = e.Msg.ID
	}
	return got
}

const (
	sourceHeader = "source_id,kind,title,publisher,url_or_ref,published_on,retrieved_on,licence,licence_note\n"
	skuHeader    = "sku,kind,family,name,vendor,form_factor,gpus,gpu_sku,launch_date,status,description_short,source_id,source_detail,also_source_ids,confidence\n"
	priceHeader  = "subject,price_kind,currency,price,unit,observed_on,date_precision,region,source_id,source_detail,confidence,gpu_sku,licence,note\n"
	okSource     = "s1,report,A report,Someone,https://example.com,2026,2026-11-30,own,\n"
	okSKU        = "X-1,gpu,Fam,X One,NVIDIA,SXM5,1,,,shipping,,s1,,,high\n"
)

func TestFaultsNameFileLineAndColumn(t *testing.T) {
	stored := catalog.Keys{Subjects: map[string]bool{"X-1": true}, Sources: map[string]bool{"s1": true}, SKUs: map[string]bool{"Y-1": true, "Y-2": true},
		Parts: []catalog.HeldPart{{Parent: "Y-1", Child: "Y-2"}}, Definitions: map[string]catalog.SpecDefinition{"watts": {Key: "watts", Unit: "W", Type: "number"}}}
	tests := []struct {
		name  string
		files map[string]string
		want  map[string]string
	}{
		{"header with another column", map[string]string{"sources.csv": "id,kind,title,publisher,url_or_ref,published_on,retrieved_on,licence,licence_note\n"},
			map[string]string{"sources.csv:1:source_id": "import.err_missing_column", "sources.csv:1:id": "catalog.import_unknown_column"}},
		{"header in another order", map[string]string{"sku_names.csv": "lang,sku,name\n"},
			map[string]string{"sku_names.csv:1:": "catalog.import_column_order"}},
		{"empty file", map[string]string{"sources.csv": ""}, map[string]string{"sources.csv:1:": "catalog.import_not_csv"}},
		{"too few fields", map[string]string{"sources.csv": sourceHeader + "s1,report\n" + okSource},
			map[string]string{"sources.csv:2:": "catalog.import_field_count"}},
		{"quote never closed", map[string]string{"sources.csv": sourceHeader + "\"s1,report\n"},
			map[string]string{"sources.csv:2:": "catalog.import_not_csv"}},
		{"not UTF-8", map[string]string{"sources.csv": sourceHeader + "\xff\xfe"},
			map[string]string{"sources.csv:1:": "import.err_encoding"}},
		{"binary", map[string]string{"sources.csv": sourceHeader + "a\x00b"},
			map[string]string{"sources.csv:1:": "catalog.import_not_csv"}},
		{"bad date and word", map[string]string{"sources.csv": sourceHeader + okSource, "skus.csv": skuHeader + "X-1,toaster,Fam,X One,NVIDIA,SXM5,1,,2026-13-01,shipping,,s1,,,high\n"},
			map[string]string{"skus.csv:2:kind": "catalog.import_word", "skus.csv:2:launch_date": "catalog.import_date"}},
		{"code with a space", map[string]string{"skus.csv": skuHeader + strings.Replace(okSKU, "X-1", "X 1", 1)},
			map[string]string{"skus.csv:2:sku": "catalog.import_word"}},
		{"same key twice", map[string]string{"sources.csv": sourceHeader + okSource + okSource},
			map[string]string{"sources.csv:3:source_id": "import.err_duplicate_row"}},
		{"source that nobody knows", map[string]string{"skus.csv": skuHeader + strings.Replace(okSKU, ",s1,", ",s9,", 1)},
			map[string]string{"skus.csv:2:source_id": "catalog.import_unknown_key"}},
		{"price of zero", map[string]string{"price_history.csv": priceHeader + "X-1,list,USD,0,per_unit,2026-11-01,day,US,s1,,high,,own,\n"},
			map[string]string{"price_history.csv:2:price": "catalog.import_not_positive"}},
		{"price with a comma", map[string]string{"price_history.csv": priceHeader + "X-1,list,USD,\"1,000\",per_unit,2026-11-01,day,US,s1,,high,,own,\n"},
			map[string]string{"price_history.csv:2:price": "catalog.import_number"}},
		{"price with seven places", map[string]string{"price_history.csv": priceHeader + "X-1,list,USD,1.0000001,per_unit,2026-11-01,day,US,s1,,high,,own,\n"},
			map[string]string{"price_history.csv:2:price": "catalog.import_number_range"}},
		{"currency that does not exist", map[string]string{"price_history.csv": priceHeader + "X-1,list,ABC,1,per_unit,2026-11-01,day,US,s1,,high,,own,\n"},
			map[string]string{"price_history.csv:2:currency": "catalog.import_word"}},
		{"file of another name", map[string]string{"sku.csv": skuHeader}, map[string]string{"sku.csv": "catalog.import_unknown_file"}},
		{"no file at all", map[string]string{"notes.txt": "x"}, map[string]string{"": "catalog.import_no_files"}},
		{"bill of materials in a loop", map[string]string{
			"skus.csv":       skuHeader + okSKU + strings.Replace(okSKU, "X-1", "X-2", 1),
			"components.csv": "parent_sku,child_sku,quantity,role,source_id,confidence,remark\nX-1,X-2,1,gpu,s1,high,\nX-2,X-1,1,gpu,s1,high,\n"},
			map[string]string{"components.csv:0:X-1": "catalog.import_loop"}},
		{"loop through a stored part", map[string]string{
			"components.csv": "parent_sku,child_sku,quantity,role,source_id,confidence,remark\nY-2,Y-1,1,gpu,s1,high,\n"},
			map[string]string{"components.csv:0:Y-2": "catalog.import_loop"}},
		{"figure that no column holds", map[string]string{
			"specs.csv": "sku,spec_key,qualifier,value,unit,source_kind,source_id,source_detail,as_of,confidence,verdict,remark\n" +
				"Y-1,watts,,999999999999999999,W,whitepaper,s1,,2026-11-30,high,,\n"},
			map[string]string{"specs.csv:2:value": "catalog.import_number_range"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := fstest.MapFS{}
			for name, text := range tt.files {
				files[name] = &fstest.MapFile{Data: []byte(text)}
			}
			m := memory{keys: stored}
			_, err := Catalogue(t.Context(), files, &m)
			if got := fieldsOf(t, err); !maps.Equal(got, tt.want) {
				t.Errorf("faults = %v, want %v", got, tt.want)
			}
			if m.calls != 0 {
				t.Error("something was stored")
			}
		})
	}
}

func TestSomeFilesMayReferToWhatIsStored(t *testing.T) {
	files := fstest.MapFS{"skus.csv": {Data: []byte("\xef\xbb\xbf" + strings.ReplaceAll(skuHeader+okSKU, "\n", "\r\n"))}}
	m := memory{keys: catalog.Keys{Sources: map[string]bool{"s1": true}}}
	if _, err := Catalogue(t.Context(), files, &m); err != nil {
		t.Fatalf("Catalogue: %v", err)
	}
	if len(m.batch.SKUs) != 1 || m.batch.SKUs[0].Code != "X-1" {
		t.Errorf("batch = %+v", m.batch.SKUs)
	}
}

func TestFaultsAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(sourceHeader)
	for i := range 1000 {
		fmt.Fprintf(&b, "s%d,,,,,,,,\n", i)
	}
	files := fstest.MapFS{"sources.csv": {Data: []byte(b.String())}}
	_, err := Catalogue(t.Context(), files, &memory{})
	if n := len(fieldsOf(t, err)); n != maxFaults {
		t.Errorf("%d faults, want %d", n, maxFaults)
	}
}

// FuzzRead: no file, however broken, may panic or be taken in with a fault.
func FuzzRead(f *testing.F) {
	for _, seedText := range []string{
		sourceHeader + okSource, sourceHeader + "\"", "\xef\xbb\xbf" + sourceHeader, "a,b\n1,2,3\n", sourceHeader + "s1,report,\"A\n\nB\",,,,,,\n",
	} {
		f.Add("sources.csv", seedText)
	}
	f.Add("skus.csv", skuHeader+okSKU)
	f.Add("price_history.csv", priceHeader+"X-1,list,USD,1e9,per_unit,2026-11-01,day,US,s1,,high,,own,\n")
	f.Add("cloud_offers.csv", strings.Join(formatOf("cloud_offers.csv").columns, ",")+"\naws,p5,X-1,cloud_spot,X-1,8,80,,,us,spot,8,1,EFA,,2026-10-10,s1,,high,own\n")
	keys := catalog.Keys{Sources: map[string]bool{"s1": true}, SKUs: map[string]bool{"X-1": true}, Subjects: map[string]bool{"X-1": true}}
	f.Fuzz(func(t *testing.T, name, text string) {
		if formatOf(name) == nil {
			return
		}
		b, err := Read(fstest.MapFS{name: {Data: []byte(text)}}, keys)
		if err != nil {
			fieldsOf(t, err)
			return
		}
		for _, o := range b.Observations {
			if o.Price.Value.Sign() <= 0 || o.Day.IsZero() {
				t.Errorf("observation without price or day: %+v", o)
			}
		}
		for _, s := range b.SKUs {
			if s.Code == "" || s.Vendor == "" {
				t.Errorf("SKU without code or vendor: %+v", s)
			}
		}
	})
}
