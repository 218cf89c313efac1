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

# as_root COMMAND...: directly, or by sudo, which asks for a password only on a terminal.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif ! have sudo; then return 1
  elif [ -t 0 ]; then sudo "$@"
  else sudo -n "$@"
  fi
}

# can_install: whether this machine has a package manager that we know and a way to become root.
can_install() { { have apt-get || have dnf; } && { [ "$(id -u)" = 0 ] || have sudo; }; }

apt_updated=

# install_packages DEBIAN-NAMES FEDORA-NAMES
install_packages() {
  if have apt-get; then
    if [ -z "$apt_updated" ]; then
      as_root apt-get update -qq >&2 || return 1
      apt_updated=yes
    fi
    # shellcheck disable=SC2086 # the names are words
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 $1 >&2
  else
    # shellcheck disable=SC2086
    as_root dnf install -y -q $2 >&2
  fi
}
