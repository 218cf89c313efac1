package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"rackwright/internal/quote"
)

// Jobs is what runs beside requests. The functions are called on every replica that runs jobs, each job on one of them at
// a time.
type Jobs struct {
	// Send hands a message to the mail server. An error that wraps quote.ErrMailRefused is for good; any other is tried again.
	// It is nil where no mail server is set up: messages wait.
	Send func(ctx context.Context, m quote.Outgoing) error
	// Remind queues the reminders that are due. It may run more often than needed, and on two replicas at once.
	Remind func(ctx context.Context) error
	Log    *slog.Logger
}

const (
	mailAttempts   = 10               // the pause after attempt n is n⁴ s: the last is about four hours after the first
	jobTimeout     = 2 * time.Minute  // one conversation with a mail server, with a large document
	remindEvery    = 15 * time.Minute // a reminder may be late by this
	tidyEvery      = 24 * time.Hour
	jobPoll        = 2 * time.Second
	jobWorkers     = 4
	keepKeys       = 30 * 24 * time.Hour // how long a form that was sent can be sent again without a second effect
	stopJobTimeout = 10 * time.Second
)

const sqlPurgeKeys = `DELETE FROM idempotency_key WHERE at < @before`

type remindArgs struct{}

// Kind names the job.
func (remindArgs) Kind() string { return "remind" }

type tidyArgs struct{}

// Kind names the job.
func (tidyArgs) Kind() string { return "tidy" }

// RunJobs works on jobs until ctx ends, and then lets those under way finish for a while. It polls, and so needs no
// connection of its own: PgBouncer in transaction mode may be between.
func (db *DB) RunJobs(ctx context.Context, j Jobs) error {
	pool, ok := db.pool.(*pgxpool.Pool)
	if !ok {
		return errors.New("jobs need a pool")
	}
	workers := river.NewWorkers()
	river.AddWorker(workers, &mailWorker{db: db, send: j.Send})
	river.AddWorker(workers, river.WorkFunc(func(ctx context.Context, _ *river.Job[remindArgs]) error { return j.Remind(ctx) }))
	river.AddWorker(workers, river.WorkFunc(func(ctx context.Context, _ *river.Job[tidyArgs]) error { return db.PurgeKeys(ctx) }))
	queues := map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: jobWorkers}}
	if j.Send != nil {
		queues[mailQueue] = river.QueueConfig{MaxWorkers: jobWorkers}
	}
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Schema: riverSchema, PollOnly: true, FetchPollInterval: jobPoll, Queues: queues, Workers: workers, JobTimeout: jobTimeout, Logger: j.Log,
		PeriodicJobs: []*river.PeriodicJob{
			periodic(remindEvery, remindArgs{}),
			periodic(tidyEvery, tidyArgs{}),
		},
	})
	if err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	// The jobs under way must outlive ctx for a moment, so the client gets a context of its own.
	if err := client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start jobs: %w", err)
	}
	<-ctx.Done()
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopJobTimeout)
	defer cancel()
	if err := client.Stop(stop); err != nil {
		return errors.Join(err, client.StopAndCancel(context.WithoutCancel(ctx)))
	}
	return nil
}

// periodic is a job that the leader of all replicas enqueues; a new leader does not repeat it within its period.
func periodic(every time.Duration, args river.JobArgs) *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(every), func() (river.JobArgs, *river.InsertOpts) {
		return args, &river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: every}}
	}, &river.PeriodicJobOpts{RunOnStart: true})
}

// PurgeKeys forgets form keys that are too old to come again.
func (db *DB) PurgeKeys(ctx context.Context) error {
	_, err := db.pool.Exec(ctx, sqlPurgeKeys, pgx.NamedArgs{"before": db.now().Add(-keepKeys)})
	return interpretError(err)
}

// mailQueue is the queue of messages. Replicas without a mail server leave it alone.
const mailQueue = "mail"

// InsertOpts puts messages into a queue of their own.
func (mailArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: mailQueue, MaxAttempts: mailAttempts}
}

// mailWorker sends one message. The server may take it and the program die before that is recorded; then it is sent
// again with the same Message-ID, which mail programs show once.
type mailWorker struct {
	river.WorkerDefaults[mailArgs]
	db   *DB
	send func(ctx context.Context, m quote.Outgoing) error
}

// Work sends the message of a job.
func (w *mailWorker) Work(ctx context.Context, job *river.Job[mailArgs]) error {
	m, err := w.db.outgoing(ctx, job.Args.MessageID)
	if err != nil {
		return err
	}
	if m.State != quote.MailQueued {
		return nil
	}
	failure := w.send(ctx, m)
	state := quote.MailSent
	switch {
	case failure == nil:
	case errors.Is(failure, quote.ErrMailRefused) || job.Attempt >= job.MaxAttempts:
		state = quote.MailFailed
	default:
		state = quote.MailQueued
	}
	// What happened is recorded even if the program is just ending.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectTimeout)
	defer cancel()
	err = w.db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := w.db.recordAttempt(ctx, tx, m.ID, failure, state); err != nil {
			return err
		}
		if state == quote.MailQueued {
			return nil
		}
		_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		return err
	})
	if err != nil {
		return err
	}
	if state == quote.MailQueued {
		return failure
	}
	return nil
}
