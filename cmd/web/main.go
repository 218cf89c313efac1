// Command web is Rackwright: one program, sub-commands, settings by environment.
//
// It reads the settings, starts or reaches the database, wires the store to the server and
// stops both in order. It decides nothing else.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// app is the name in messages and of the default data folder.
const app = "rackwright"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals()...)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	err := run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr)
	stop()
	if err == nil {
		return
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", app, err)
	if _, ok := errors.AsType[usageError](err); ok {
		os.Exit(2)
	}
	os.Exit(1)
}

// stopSignals are the ways to ask for an orderly end. A closed terminal is one, unless nohup said otherwise.
func stopSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// command is a sub-command. It ends when ctx does.
type command struct {
	name    string
	args    string
	summary string
	run     func(ctx context.Context, e env, args []string) error
}

// env is what a sub-command works with.
type env struct {
	cfg    Config
	stdout io.Writer // results
	stderr io.Writer // progress and log
}

// usageError is a wrong command line.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

// commands returns all sub-commands; the first is the default.
func commands() []command {
	return []command{
		{"serve", "", "serve the product (default)", serveCommand},
		{"migrate", "[-status | -down N | -force N]", "bring the database to the newest schema; see or mend where it stands", migrateCommand},
		{"import", "[folder]", "import a catalogue from a folder of CSV files, without one the shipped catalogue", importCommand},
		{"password", "[user]", "give a user, without a name admin, a new one-time password and print it", passwordCommand},
		{"predict", "file.csv", "say what the sizing engine expects of benchmark rows, as CSV", predictCommand},
		{"calibrate", "[-o set.json] [-predictions file.csv] file.csv...", "fit the sizing engine to benchmark rows and print held-out scores", calibrateCommand},
		{"kernels", "-engine NAME [-o set.json] table.csv[.gz] [file.csv...]", "make an own kernel table into a set of constants and score it on benchmark rows", kernelsCommand},
		{"version", "", "print the version", versionCommand},
	}
}

// run is main without the process around it.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) error {
	name := commands()[0].name
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	if isHelp(name) || len(args) == 1 && isHelp(args[0]) {
		return usage(stdout)
	}
	for _, c := range commands() {
		if c.name != name {
			continue
		}
		cfg, err := loadConfig(getenv)
		if err != nil {
			return err
		}
		return c.run(ctx, env{cfg: cfg, stdout: stdout, stderr: stderr}, args)
	}
	return usageError{fmt.Sprintf("there is no command %q; \"%s help\" lists them", name, app)}
}

// isHelp says whether an argument asks for the usage; "rackwright migrate -h" does as well.
func isHelp(arg string) bool {
	return arg == "help" || arg == "-h" || arg == "-help" || arg == "--help"
}

// usage prints the sub-commands and the settings.
func usage(w io.Writer) error {
	fmt.Fprintf(w, "Usage: %s [command]\n\nCommands:\n", app)
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-9s %s\n", c.name, c.summary)
		if c.args != "" {
			fmt.Fprintf(w, "            %s %s %s\n", app, c.name, c.args)
		}
	}
	fmt.Fprint(w, "\nSettings, by environment variable:\n")
	for _, s := range settings {
		fmt.Fprintf(w, "  %-16s %s\n", s.name, s.doc)
		if s.fallback != "" {
			fmt.Fprintf(w, "  %-16s default: %s\n", "", s.fallback)
		}
	}
	return nil
}
