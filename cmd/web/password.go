package main

import (
	"context"
	"fmt"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/postgres"
)

// passwordCommand gives a person a new one-time password and prints it: the way back in for whoever runs the program
// when nobody can sign in to do it on the pages.
func passwordCommand(ctx context.Context, e env, args []string) error {
	flags := newFlags("password")
	if err := parseFlags(flags, args, 1); err != nil {
		return err
	}
	name := adminName
	if flags.NArg() > 0 {
		name = flags.Arg(0)
	}
	return withDatabase(ctx, e, func(db *postgres.DB) error {
		who, err := db.Credentials(ctx, name)
		if apperr.Is(err, apperr.NotFound) {
			return fmt.Errorf("password: there is no user %q", name)
		}
		if err != nil {
			return fmt.Errorf("password: %w", err)
		}
		oneTime := randomPassword()
		hash, err := auth.HashPassword(oneTime)
		if err != nil {
			return fmt.Errorf("password: %w", err)
		}
		if err := db.SetPassword(ctx, 0, who.User.ID, hash, true, auth.TokenHash{}); err != nil {
			return fmt.Errorf("password: %w", err)
		}
		fmt.Fprintf(e.stdout, "Sign in as %s with the one-time password %s\n", who.User.Name, oneTime)
		if who.User.Disabled {
			fmt.Fprintln(e.stdout, "The user is disabled and cannot sign in until an administrator changes that.")
		}
		return nil
	})
}
