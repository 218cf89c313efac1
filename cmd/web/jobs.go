package main

import (
	"context"
	"log/slog"
	"time"

	"rackwright/internal/postgres"
	"rackwright/internal/server"
)

// jobsPause is how long jobs rest after the database was away.
const jobsPause = 15 * time.Second

// startJobs works on jobs beside the requests until the returned function is called, which waits for those under way. A
// database that is away stops jobs for a while, never the program.
func startJobs(ctx context.Context, e env, db *postgres.DB, srv *server.Server) (stop func()) {
	log := logFrom(e.stderr, e.cfg.LogFormat, slog.LevelWarn) // the queue tells of its every day at info
	jobs := postgres.Jobs{Remind: srv.Remind, Log: log}
	if e.cfg.Mail != nil {
		jobs.Send = e.cfg.Mail.Send
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			if err := db.RunJobs(ctx, jobs); err != nil && ctx.Err() == nil {
				log.Warn("jobs rest", "error", err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(jobsPause):
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
