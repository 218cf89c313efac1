# Helpers of the ensure scripts. They install system packages where the package manager is known; they ask on a
# terminal and go ahead where there is none. Sourced by sh.

say() { printf '%s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

# confirm QUESTION: yes without a terminal, or when CI is set.
confirm() {
  if [ -n "${CI:-}" ] || [ ! -t 0 ]; then return 0; fi
  printf '%s [Y/n] ' "$1" >&2
  read -r answer || return 1
  case "$answer" in ''|y|Y|yes|Yes) return 0 ;; *) return 1 ;; esac
}

# as_root COMMAND...: directly, or by sudo if it needs no password (any more).
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif ! have sudo; then return 1
  else sudo -n "$@"
  fi
}

# can_install: whether this machine has a package manager that we know and a way to become root.
can_install() { { have apt-get || have dnf; } && { [ "$(id -u)" = 0 ] || have sudo; }; }

# quietly COMMAND...: shows the output only if the command fails.
quietly() {
  log=$(mktemp)
  if "$@" >"$log" 2>&1 </dev/null; then rm -f "$log"; return 0; fi
  cat "$log" >&2
  rm -f "$log"
  return 1
}

apt_updated=

# install_packages DEBIAN-NAMES FEDORA-NAMES
install_packages() {
  if [ "$(id -u)" != 0 ] && [ -t 0 ]; then sudo -v || return 1; fi # asks for the password while it can be seen
  if have apt-get; then
    if [ -z "$apt_updated" ]; then
      quietly as_root apt-get update || return 1
      apt_updated=yes
    fi
    say "Installing$(printf ' %s' $1) ..."
    # shellcheck disable=SC2086 # the names are words
    quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $1
  else
    say "Installing$(printf ' %s' $2) ..."
    # shellcheck disable=SC2086
    quietly as_root dnf install -y $2
  fi
}
