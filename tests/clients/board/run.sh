#!/usr/bin/env bash
# Drives the page of `kroon play` in Debian's Chromium: clicks, keys, languages, sizes, accessibility.
# usage: tests/clients/board/run.sh target/release/kroon [ARGUMENTS OF PYTEST]
# Python packages go to $KROON_VENVS (default: .venvs in the repository root).
set -euo pipefail

if [ $# -lt 1 ]; then
    echo "usage: $0 KROON [ARGUMENTS OF PYTEST]" >&2
    exit 2
fi
board=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
here=$board/..
. "$here/venv.sh"
need chromium chromium
make_venv board playwright==1.65.2 pytest==8.4.2 axe-playwright-python==0.1.8
kroon=$(realpath "$1")
shift
drive() {
    env KROON="$kroon" PYTHONDONTWRITEBYTECODE=1 "$venvs/board/bin/python" -m pytest -p no:cacheprovider -q --rootdir "$board" "$board" "$@"
}
code=0
drive "$@" || code=$?
# A browser on a loaded machine may lose a race that no person would notice: what fails must fail twice.
if [ "$code" = 1 ]; then
    echo "some tests have failed: once more" >&2
    drive "$@"
else
    exit "$code"
fi
