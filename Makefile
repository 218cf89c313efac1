# Rackwright. "make help" lists the targets. Nothing but Go, git and make is needed beforehand.

GO    ?= go
BIN   := bin/rackwright
# Packages of tests that run at once: each may hold a browser.
P     ?= 2
FLAGS ?=

.DEFAULT_GOAL := help
.PHONY: help run build generate verify lint test race golden migrate import calibrate

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "Settings are environment variables: $(BIN) help, once it is built."

run: ## serve on http://localhost:8080 with demo data, on a private Postgres
	@scripts/ensure-postgres.sh
	@$(MAKE) --no-print-directory build
	@DEMO=$${DEMO-true} exec $(BIN) serve

build: ## build bin/rackwright
	@[ -x $(BIN) ] || echo "Building; the first time takes about a minute ..."
	@$(GO) build -o $(BIN) ./cmd/web

generate: ## make the Go files of the templates
	$(GO) tool templ generate

verify: ## generated files, go.mod, formatting, vet, staticcheck
	scripts/verify.sh

lint: ## vet and staticcheck
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

test: ## run all tests, on a Postgres and a browser of their own
	@scripts/ensure-test-tools.sh
	env -u DATABASE_URL $(GO) test -p $(P) $(FLAGS) ./...

race: ## run all tests with the race detector
	@scripts/ensure-test-tools.sh race
	env -u DATABASE_URL CGO_ENABLED=1 $(GO) test -race -p $(P) $(FLAGS) ./...

golden: ## rewrite the golden files; look at the difference afterwards
	@scripts/ensure-test-tools.sh
	@dirs=$$(grep -rlE 'flag\.Bool\("update"' --include='*_test.go' . | xargs -r -n1 dirname | sort -u); \
	  for dir in $$dirs; do $(GO) test $$dir -update || exit 1; done; git --no-pager diff --stat

migrate: build ## bring the database to the newest schema; STATUS=1 only shows where it stands
	@scripts/ensure-postgres.sh
	@$(BIN) migrate $(if $(STATUS),-status)

import: build ## import the shipped catalogue, or that of DIR=folder
	@scripts/ensure-postgres.sh
	@$(BIN) import $(DIR)

# MEASURED is a folder with inference.csv and closed_loop.csv, in the schemas of internal/predict/testdata.
calibrate: ## fit the sizing engine to the rows in MEASURED=folder, print the scores of all folds
	@test -f "$(MEASURED)/inference.csv" || { echo "Name the folder of the measurements: make calibrate MEASURED=folder"; exit 1; }
	$(GO) run ./cmd/web calibrate -o internal/sizing/calibration/set.json $(MEASURED)/inference.csv $(MEASURED)/closed_loop.csv
