package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

func versionCommand(_ context.Context, e env, args []string) error {
	if err := parseFlags(newFlags("version"), args, 0); err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "%s %s, %s %s/%s\n", app, version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// version is what the build recorded: the commit, with its date.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	var commit, date, modified string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.time":
			date = s.Value
		case "vcs.modified":
			modified = s.Value
		}
	}
	if commit == "" {
		return info.Main.Version
	}
	v := commit[:min(12, len(commit))] + " of " + date[:min(10, len(date))]
	if modified == "true" {
		v += ", changed since"
	}
	return v
}
