#!/bin/sh
# Makes sure that there is a PostgreSQL to run on: DATABASE_URL, PG_BIN_DIR, or installed server programs.
# The programs alone are installed: Debian is kept from creating and starting a system-wide cluster.
# "ensure-postgres.sh programs" wants the programs even if DATABASE_URL is set, as the tests do.
set -eu
cd "$(dirname "$0")"
. ./lib.sh

found() {
  if [ -n "${PG_BIN_DIR:-}" ]; then [ -x "$PG_BIN_DIR/initdb" ] && [ -x "$PG_BIN_DIR/postgres" ]; return; fi
  for dir in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /usr/local/pgsql/bin \
    /opt/homebrew/opt/postgresql*/bin /usr/local/opt/postgresql*/bin /Applications/Postgres.app/Contents/Versions/*/bin; do
    if [ -x "$dir/initdb" ] && [ -x "$dir/postgres" ]; then return 0; fi
  done
  have postgres && have initdb
}

ways_out() {
  say "Rackwright needs PostgreSQL 15 or newer. Do one of these:"
  say "  - install PostgreSQL:     as root on Debian, Ubuntu: apt-get install postgresql   Fedora: dnf install postgresql-server   macOS: brew install postgresql"
  say "  - name its programs:      export PG_BIN_DIR=/path/to/postgres/bin"
  [ "${1:-}" = programs ] || say "  - use a running server:   export DATABASE_URL=postgres://user:password@host:5432/database"
  exit 1
}

if [ "${1:-}" != programs ] && [ -n "${DATABASE_URL:-}" ]; then exit 0; fi
if found; then exit 0; fi
if [ -n "${PG_BIN_DIR:-}" ]; then
  say "PG_BIN_DIR=$PG_BIN_DIR has no PostgreSQL server programs (initdb, postgres)."
  ways_out "${1:-}"
fi
say "The PostgreSQL server programs are missing."
if ! can_install || ! confirm "Install them (package postgresql, without a system-wide cluster)?"; then ways_out "${1:-}"; fi

if have apt-get; then
  install_packages postgresql-common - || ways_out "${1:-}"
  conf=/etc/postgresql-common/createcluster.conf
  as_root sed -i -E 's/^#?[[:space:]]*create_main_cluster[[:space:]]*=.*/create_main_cluster = false/' "$conf" || ways_out "${1:-}"
  if ! grep -q '^create_main_cluster = false' "$conf"; then
    echo 'create_main_cluster = false' | as_root tee -a "$conf" >/dev/null || ways_out "${1:-}"
  fi
fi
install_packages postgresql postgresql-server || ways_out "${1:-}"
found || ways_out "${1:-}"
say "Installed the PostgreSQL server programs."
