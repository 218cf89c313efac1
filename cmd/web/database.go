package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/embeddedpg"
	"rackwright/internal/postgres"
)

// reachLimit is how long an unreachable DATABASE_URL is tried: services often start together.
const (
	reachLimit = 15 * time.Second
	retryEvery = 500 * time.Millisecond
)

// withServer calls fn with the URL of the database: the one that is set, or that of a private server, which
// is started before and let go of after.
func withServer(ctx context.Context, e env, fn func(url string) error) (err error) {
	if e.cfg.DatabaseURL != "" {
		return fn(string(e.cfg.DatabaseURL))
	}
	fmt.Fprintf(e.stderr, "Starting the database in %s ...\n", e.cfg.DataDir)
	pg, err := embeddedpg.Start(ctx, embeddedpg.Config{Dir: e.cfg.DataDir, BinDir: e.cfg.PGBinDir})
	if err != nil {
		return err
	}
	keeping, release := context.WithCancel(ctx)
	var keeper sync.WaitGroup
	keeper.Go(func() { pg.Keep(keeping, func(text string) { fmt.Fprintln(e.stderr, text) }) })
	defer func() {
		release()
		keeper.Wait()
		err = errors.Join(err, pg.Stop())
	}()
	return fn(pg.URL)
}

// withDatabase calls fn with the migrated database.
func withDatabase(ctx context.Context, e env, fn func(db *postgres.DB) error) error {
	return withServer(ctx, e, func(url string) error {
		db, err := openDatabase(ctx, url, e.stderr)
		if err != nil {
			return err
		}
		defer db.Close()
		if err := migrate(ctx, url, e.stderr); err != nil {
			return err
		}
		return fn(db)
	})
}

// openDatabase tries for a while to reach the database.
func openDatabase(ctx context.Context, url string, progress io.Writer) (*postgres.DB, error) {
	deadline := time.Now().Add(reachLimit)
	for told := false; ; {
		db, err := postgres.Open(ctx, url, time.Now)
		if !apperr.Is(err, apperr.Unavailable) {
			return db, err
		}
		err = fmt.Errorf("the database cannot be reached: %w", cause(err))
		if ctx.Err() != nil || time.Now().After(deadline) {
			return nil, err
		}
		if !told {
			fmt.Fprintf(progress, "%v\nTrying for %v ...\n", err, reachLimit)
			told = true
		}
		select {
		case <-ctx.Done():
		case <-time.After(retryEvery):
		}
	}
}

// cause returns what is behind an error that is made for the pages; an operator needs that.
func cause(err error) error {
	if e, ok := errors.AsType[*apperr.Error](err); ok && e.Err != nil {
		return e.Err
	}
	return err
}
