package sizing

import (
	"encoding/json"
	"fmt"
	"time"
)

// DocumentVersion is the version of the pair of JSON documents, request and result, that
// SaveSizingReport writes. DecodeReport reads this one and every older one.
const DocumentVersion = 1

// Report is a stored sizing: what was asked and what was answered, as it was said then.
type Report struct {
	ID            int64
	CreatedAt     time.Time
	CreatedBy     *int64 // nil where a visitor asked
	CreatedByName string
	Title         string
	CatalogueHash string // of the catalogue that the answer was computed from
	Request       Request
	Result        Result
}

// NewReport is a report that is to be stored.
type NewReport struct {
	TokenHash      [32]byte // SHA-256 of the token by which a visitor opens it
	IdempotencyKey string   // of the form; the same key stores once
	CreatedBy      *int64   // nil for a visitor
	Title          string
	CatalogueHash  string
	Request        Request
	Result         Result
}

// ReportHead is one line of the list of reports.
type ReportHead struct {
	ID        int64
	CreatedAt time.Time
	Title     string
	Author    string
}

// DecodeReport reads the stored documents into r. A version newer than this code knows is
// an error: showing half of it would say something else than was said then.
func DecodeReport(version int, request, result []byte, r *Report) error {
	if version < 1 || version > DocumentVersion {
		return fmt.Errorf("report documents have version %d; this program reads up to %d", version, DocumentVersion)
	}
	if err := json.Unmarshal(request, &r.Request); err != nil {
		return fmt.Errorf("decode request: %w", err)
	}
	if err := json.Unmarshal(result, &r.Result); err != nil {
		return fmt.Errorf("decode result: %w", err)
	}
	return nil
}
