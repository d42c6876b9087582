#!/usr/bin/env bash
# Drives the page of `kroon play` in Debian's Chromium: clicks, keys, languages, sizes, accessibility. The build without a
# window of its own draws nothing but the page, in half the time.
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
browser
kroon=$(realpath "$1")
shift
failures=$(mktemp -d)
trap 'rm -rf "$failures"' EXIT
drive() {
    env KROON="$kroon" PYTHONDONTWRITEBYTECODE=1 "$venvs/board/bin/python" -m pytest -o cache_dir="$failures" -q -n 3 --rootdir "$board" "$board" "$@"
}
code=0
drive "$@" || code=$?
# A browser on a loaded machine may lose a race that no person would notice: what fails must fail twice.
if [ "$code" = 1 ]; then
    echo "some tests have failed: those once more" >&2
    drive --last-failed "$@"
else
    exit "$code"
fi
