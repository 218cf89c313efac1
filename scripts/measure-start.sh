#!/usr/bin/env bash
# Measures the time from the command to the first page, on a new data folder and again on the same one:
#   scripts/measure-start.sh [rounds]
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-3}
dir=$(mktemp -d)
chmod 755 "$dir"
trap 'rm -rf "$dir"' EXIT
go build -o bin/rackwright ./cmd/web

# first_page DATA_DIR: milliseconds until /catalog answers with 200
first_page() {
  local start end pid port=18471
  start=$(date +%s%N)
  ADDR="127.0.0.1:$port" DATA_DIR=$1 DEMO=true bin/rackwright >"$dir/out" 2>&1 &
  pid=$!
  until curl -sf -o /dev/null "http://127.0.0.1:$port/catalog"; do
    if ! kill -0 "$pid" 2>/dev/null; then
      cat "$dir/out" >&2
      return 1
    fi
    sleep 0.01
  done
  end=$(date +%s%N)
  kill -INT "$pid"
  wait "$pid"
  echo $(((end - start) / 1000000))
}

for round in $(seq "$rounds"); do
  printf 'round %d: first start %5d ms' "$round" "$(first_page "$dir/$round")"
  printf ', second start %5d ms\n' "$(first_page "$dir/$round")"
done
