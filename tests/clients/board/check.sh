#!/usr/bin/env bash
# Checks the page's modules: types by the compiler of TypeScript (from the JSDoc comments), and a linter.
# usage: tests/clients/board/check.sh
# Packages go to $KROON_VENVS (default: .venvs in the repository root).
set -euo pipefail
board=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
here=$board/..
. "$here/venv.sh"
need npm nodejs npm
packages="typescript@5.9.3 @biomejs/biome@2.6.8"
modules=$venvs/page
if [ "$(cat "$modules/installed" 2>/dev/null || true)" != "$packages" ]; then
    rm -rf "$modules"
    mkdir -p "$modules"
    # shellcheck disable=SC2086
    if ! npm install --silent --no-audit --no-fund --prefix "$modules" $packages; then
        echo "$packages cannot be installed" >&2
        exit $missing
    fi
    printf '%s\n' "$packages" >"$modules/installed"
fi
page=$board/../../../src/web/page
"$modules/node_modules/.bin/tsc" --project "$page/tsconfig.json"
"$modules/node_modules/.bin/biome" lint --error-on-warnings --config-path "$page/biome.json" "$page"
echo "the page's modules have sound types"
