package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"rackwright/internal/apperr"
)

// SQLSTATEs that mean something to the product. No other package knows any.
const (
	stateUnique        = "23505"
	stateForeignKey    = "23503"
	stateCheck         = "23514"
	stateExclusion     = "23P01"
	stateNumericRange  = "22003"
	stateTextTooLong   = "22001"
	stateNullCharacter = "22021"
	stateSerialization = "40001"
	stateDeadlock      = "40P01"
	stateLockTimeout   = "55P03"
	stateReadOnly      = "25006" // a former primary after a failover
)

// unavailableClasses are SQLSTATE prefixes of a server that cannot work now:
// 08 connection, 53 out of resources, 57P going down or starting up.
var unavailableClasses = []string{"08", "53", "57P"}

// interpretError turns what the driver reports into an *apperr.Error where a person can do something
// about it; the rest stays as it is and is an internal error. An *apperr.Error passes through.
func interpretError(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*apperr.Error](err); ok {
		return err
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return apperr.Wrap(apperr.NotFound, err, "errors.page_not_found")
	}
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
		return interpretState(pgErr.Code, err)
	}
	if connectionLost(err) {
		return apperr.Wrap(apperr.Unavailable, err, "errors.page_try_again")
	}
	return err
}

func interpretState(code string, err error) error {
	switch code {
	case stateUnique, stateExclusion:
		return apperr.Wrap(apperr.Conflict, err, "errors.form_conflict")
	case stateForeignKey, stateCheck, stateNumericRange, stateTextTooLong, stateNullCharacter:
		return apperr.Wrap(apperr.Invalid, err, "errors.form_invalid")
	case stateSerialization, stateDeadlock, stateLockTimeout, stateReadOnly:
		return apperr.Wrap(apperr.Unavailable, err, "errors.page_try_again")
	}
	for _, class := range unavailableClasses {
		if strings.HasPrefix(code, class) {
			return apperr.Wrap(apperr.Unavailable, err, "errors.page_try_again")
		}
	}
	return err
}

// connectionLost reports an error of the way to the server, not of the statement. A request that its
// sender gave up is not one: there is nobody left to tell.
func connectionLost(err error) bool {
	if errors.Is(err, context.Canceled) {
		return false
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	if _, ok := errors.AsType[net.Error](err); ok { // includes context.DeadlineExceeded
		return true
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		strings.HasSuffix(err.Error(), "conn closed") // pgconn's connLockError is not exported
}

// retryable reports the two failures after which the same transaction may succeed.
func retryable(err error) bool {
	pgErr, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (pgErr.Code == stateSerialization || pgErr.Code == stateDeadlock)
}

// violates reports whether err is a violation of the named constraint, so that a method can
// answer with the field at fault.
func violates(err error, constraint string) bool {
	pgErr, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pgErr.ConstraintName == constraint
}
