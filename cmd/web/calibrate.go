package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"rackwright/internal/calibrate"
	"rackwright/internal/predict"
	"rackwright/internal/sizing/kernel"
)

// calibrateCommand fits the sizing engine to measurements, holds out every cell of them in
// turn, and writes the set with its held-out scores.
func calibrateCommand(_ context.Context, e env, args []string) error {
	flags := newFlags("calibrate")
	out := flags.String("o", "", "")
	said := flags.String("predictions", "", "")
	source := flags.String("source", "published measurements of model serving", "")
	if err := parseFlags(flags, args, 9); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return usageError{"calibrate: name the CSV files of inference and closed-loop rows"}
	}
	from, err := predict.Shipped()
	if err != nil {
		return err
	}
	job := calibrate.Job{From: from, Now: time.Now().UTC(), Source: *source, Progress: e.stderr}
	for _, name := range kernel.Engines {
		job.Curves = append(job.Curves, kernel.Shipped(name))
	}
	for _, name := range flags.Args() {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		job.Measured = append(job.Measured, f)
	}
	set, scored, err := job.Run()
	if err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	if *out != "" {
		raw, err := set.Encode()
		if err != nil {
			return err
		}
		if err := os.WriteFile(*out, raw, 0o644); err != nil {
			return err
		}
	}
	if *said != "" {
		if err := writePredictions(*said, scored); err != nil {
			return err
		}
	}
	return calibrate.WriteScores(e.stdout, calibrate.Scores(scored))
}

// writePredictions writes what was predicted for rows that the fit had not seen, in the form
// of the command predict.
func writePredictions(name string, scored []calibrate.Scored) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() {
		if closing := f.Close(); err == nil {
			err = closing
		}
	}()
	return predictionsTo(f, scored)
}

func predictionsTo(w io.Writer, scored []calibrate.Scored) error {
	out := csv.NewWriter(w)
	if err := out.Write(predict.Header); err != nil {
		return err
	}
	text := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	for _, s := range scored {
		line := []string{s.ID, s.Metric, text(s.Predicted), text(s.P10), text(s.P90), "ok", ""}
		if s.Predicted <= 0 {
			line = []string{s.ID, s.Metric, "", "", "", "refused", s.Reason}
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
