package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

const sqlProductNames = `
SELECT s.code, coalesce(n.name, s.name) AS name
FROM sku s
LEFT JOIN sku_name n ON n.sku = s.code AND n.lang = @lang
WHERE s.confidence <> 'low'
ORDER BY s.code
LIMIT 5000`

// ProductNames returns the names of the products to choose from, by code, in a language (a
// BCP 47 tag). Rows of low confidence are not offered.
func (db *DB) ProductNames(ctx context.Context, lang string) (map[string]string, error) {
	rows, err := db.pool.Query(ctx, sqlProductNames, pgx.NamedArgs{"lang": lang})
	if err != nil {
		return nil, interpretError(err)
	}
	names := map[string]string{}
	var code, name string
	_, err = pgx.ForEachRow(rows, []any{&code, &name}, func() error {
		names[code] = name
		return nil
	})
	return names, interpretError(err)
}
