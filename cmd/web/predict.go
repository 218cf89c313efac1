package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"

	"rackwright/internal/predict"
	"rackwright/internal/sizing/calibration"
)

// predictCommand reads rows of published benchmarks and prints what the sizing engine says
// about each, without a database and without a look at what was measured.
func predictCommand(_ context.Context, e env, args []string) error {
	flags := newFlags("predict")
	if err := parseFlags(flags, args, 1); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return usageError{"predict: name one CSV file of inference or closed-loop rows"}
	}
	from, err := predict.Shipped()
	if err != nil {
		return err
	}
	f, err := os.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	sum, err := predict.Run(f, e.stdout, predict.NewEngine(cmp.Or(e.cfg.Calibration, calibration.Shipped())), from)
	if err != nil {
		return fmt.Errorf("%s: %w", flags.Arg(0), err)
	}
	if len(sum.Unknown) > 0 {
		fmt.Fprintf(e.stderr, "Columns that are not known and were not looked at: %s.\n", strings.Join(sum.Unknown, ", "))
	}
	fmt.Fprintf(e.stderr, "%d rows, %d figures, %d of them refused.\n", sum.Rows, sum.Figures, sum.Refused)
	return nil
}
