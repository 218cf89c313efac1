#!/bin/sh
# Makes sure that the tests find what they drive: PostgreSQL programs, Chromium with a font for Chinese, poppler's tools.
# A C compiler is only for the race detector: "ensure-test-tools.sh race".
set -eu
cd "$(dirname "$0")"
. ./lib.sh
./ensure-postgres.sh programs

debian='' fedora=''
need() { # need DEBIAN FEDORA
  debian="$debian $1" fedora="$fedora $2"
}

if ! { [ -n "${CHROMIUM:-}" ] || have chromium || have chromium-browser || have google-chrome; }; then need chromium chromium; fi
if ! { have pdftotext && have pdfinfo && have pdffonts && have pdftoppm; }; then need poppler-utils poppler-utils; fi
if ! have fc-list || [ -z "$(fc-list :lang=zh-cn family)" ] || [ -z "$(fc-list :lang=zh-tw family)" ]; then
  need "fontconfig fonts-noto-cjk" "fontconfig google-noto-sans-cjk-fonts"
fi
if [ "${1:-}" = race ] && ! { have gcc || have clang || have cc; }; then need "gcc libc6-dev" gcc; fi

if [ -z "$debian" ]; then exit 0; fi
say "The tests need:$debian"
if can_install && confirm "Install them?" && install_packages "$debian" "$fedora"; then exit 0; fi
say "Install them by your package manager, then start again. (A browser elsewhere: export CHROMIUM=/path/to/chromium)"
exit 1
