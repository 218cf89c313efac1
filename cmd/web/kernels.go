package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"rackwright/internal/calibrate"
	"rackwright/internal/i18n"
	"rackwright/internal/predict"
	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/kernel"
)

// mostTable bounds an unpacked kernel table in bytes.
const mostTable = 64 << 20

// shownRows is how many rejected rows are named; the others are counted.
const shownRows = 20

// kernelsCommand makes an own kernel table into a set of constants, says what became of its
// rows, and scores the set before and after on measured rows. It changes nothing that runs: the
// setting CALIBRATION names the set to use.
func kernelsCommand(_ context.Context, e env, args []string) error {
	flags := newFlags("kernels")
	engine := flags.String("engine", "", "")
	out := flags.String("o", "", "")
	if err := parseFlags(flags, args, 4); err != nil {
		return err
	}
	if flags.NArg() == 0 || *engine == "" {
		return usageError{"kernels: name -engine (" + strings.Join(kernel.Engines, ", ") + ") and a kernel table, then any files of measured rows to score"}
	}
	raw, err := readKernelTable(flags.Arg(0))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(raw)
	got, err := calibrate.ImportTable(bytes.NewReader(raw), calibration.Shipped(), *engine, flags.Arg(0), hex.EncodeToString(sum[:]), time.Now().UTC().Format(time.DateOnly))
	if err != nil {
		return fmt.Errorf("%s: %w", flags.Arg(0), explainFaults(e.stderr, err))
	}
	printImport(e.stdout, got)
	for _, name := range flags.Args()[1:] {
		if err := scoreBoth(e.stdout, name, got.Set); err != nil {
			return err
		}
	}
	if *out == "" {
		return nil
	}
	encoded, err := got.Set.Encode()
	if err != nil {
		return err
	}
	if err := os.WriteFile(*out, encoded, 0o644); err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "Set %s is in %s. To size with it: CALIBRATION=%s\n", got.Set.Version, *out, *out)
	return nil
}

// readKernelTable reads a CSV, unpacked where its name ends in .gz.
func readKernelTable(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	raw, err := io.ReadAll(io.LimitReader(r, mostTable+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(raw) > mostTable {
		return nil, fmt.Errorf("%s: more than %d MB", name, mostTable>>20)
	}
	return raw, nil
}

func printImport(w io.Writer, got calibrate.Import) {
	l := i18n.For(i18n.English)
	fmt.Fprintf(w, "%d rows read, %d kept, %d rejected.\n", got.Report.Read, got.Report.Kept, len(got.Report.Rejected))
	for i, bad := range got.Report.Rejected {
		if i == shownRows {
			fmt.Fprintf(w, "  and %d more\n", len(got.Report.Rejected)-shownRows)
			break
		}
		fmt.Fprintf(w, "  line %d: %s\n", bad.Line, l.T(bad.Reason))
	}
	fmt.Fprintf(w, "%-20s %-32s %8s %16s %16s\n", "operator", "format", "rows", "shipped curves", "own, held out")
	for i, b := range got.Before {
		fmt.Fprintf(w, "%-20s %-32s %8d %15.1f%% %15.1f%%\n", b.Op, strings.TrimSpace(b.Format+" "+b.Regime), b.Rows, 100*b.Median, 100*got.After[i].Median)
	}
}

// scoreBoth prints the median error of every class of a file with the shipped and the new set.
func scoreBoth(w io.Writer, name string, set *calibration.Set) error {
	from, err := predict.Shipped()
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, err := calibrate.ScoreSet(calibration.Shipped(), raw, from)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	after, err := calibrate.ScoreSet(set, raw, from)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Fprintf(w, "\n%s, median error\n%-78s %6s %9s %9s\n", name, "class", "votes", "shipped", "own")
	own := map[string]calibrate.Score{}
	for _, a := range after {
		own[a.Class] = a
	}
	for _, b := range before {
		fmt.Fprintf(w, "%-78s %6d %8.1f%% %8.1f%%\n", b.Class, b.Votes, b.Percent(), own[b.Class].Percent())
	}
	return nil
}
