package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"rackwright/internal/apperr"
)

func TestInterpretError(t *testing.T) {
	state := func(code string) error { return fmt.Errorf("save: %w", &pgconn.PgError{Code: code}) }
	own := apperr.New(apperr.Forbidden, "errors.page_forbidden")
	tests := []struct {
		name string
		err  error
		want apperr.Kind // 0: stays internal
	}{
		{"no rows", fmt.Errorf("load: %w", pgx.ErrNoRows), apperr.NotFound},
		{"unique", state("23505"), apperr.Conflict},
		{"overlap", state("23P01"), apperr.Conflict},
		{"foreign key", state("23503"), apperr.Invalid},
		{"check", state("23514"), apperr.Invalid},
		{"number too big", state("22003"), apperr.Invalid},
		{"NUL character", state("22021"), apperr.Invalid},
		{"gave up on serialization", state("40001"), apperr.Unavailable},
		{"deadlock", state("40P01"), apperr.Unavailable},
		{"server stops", state("57P01"), apperr.Unavailable},
		{"server starts", state("57P03"), apperr.Unavailable},
		{"too many connections", state("53300"), apperr.Unavailable},
		{"connection failure", state("08006"), apperr.Unavailable},
		{"demoted primary", state("25006"), apperr.Unavailable},
		{"no connection", &pgconn.ConnectError{Config: &pgconn.Config{}}, apperr.Unavailable},
		{"refused", &net.OpError{Op: "dial", Err: errors.New("refused")}, apperr.Unavailable},
		{"cut off", fmt.Errorf("read: %w", io.ErrUnexpectedEOF), apperr.Unavailable},
		{"took too long", context.DeadlineExceeded, apperr.Unavailable},
		{"sender gave up", fmt.Errorf("query: %w", context.Canceled), 0},
		{"fault of ours", state("42601"), 0},
		{"other error", errors.New("other"), 0},
		{"own error", fmt.Errorf("accept: %w", own), apperr.Forbidden},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := interpretError(tt.err)
			if !errors.Is(got, tt.err) {
				t.Error("the cause is lost")
			}
			e, ok := errors.AsType[*apperr.Error](got)
			if ok != (tt.want != 0) || ok && e.Kind != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	if interpretError(nil) != nil {
		t.Error("made an error of nil")
	}
}

func TestViolates(t *testing.T) {
	err := interpretError(fmt.Errorf("save: %w", &pgconn.PgError{Code: "23505", ConstraintName: "sku_code_key"}))
	if !violates(err, "sku_code_key") || violates(err, "other") || violates(errors.New("x"), "sku_code_key") {
		t.Error("does not tell the constraint")
	}
}
