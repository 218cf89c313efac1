#!/usr/bin/env bash
# What must hold before a change lands, besides the tests: it prints what is wrong and fails.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '== %s\n' "$*"; }

step "generated files are those of the templates"
before=$(git ls-files -co --exclude-standard -- '*_templ.go' | xargs -r sha256sum 2>/dev/null || true)
go tool templ generate -log-level error
after=$(git ls-files -co --exclude-standard -- '*_templ.go' | xargs -r sha256sum)
if [ "$before" != "$after" ]; then
  diff <(printf '%s\n' "$before") <(printf '%s\n' "$after") | sed -n 's/^[<>] [0-9a-f]*  //p' | sort -u
  echo "These files were out of date; commit them."
  exit 1
fi

step "go.mod is tidy"
go mod tidy -diff

step "gofmt"
bad=$(git ls-files -co --exclude-standard -- '*.go' | grep -v '_templ.go$' | xargs -r gofmt -l)
if [ -n "$bad" ]; then
  printf '%s\n' "$bad"
  exit 1
fi

step "go vet"
go vet ./...

step "staticcheck"
go tool staticcheck ./...
