#!/usr/bin/env bash
# Checks the page's modules: types by the compiler of TypeScript (from the JSDoc comments), and a linter.
# usage: tests/clients/board/check.sh
# Packages go to $KROON_VENVS (default: .venvs in the repository root).
set -euo pipefail
board=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
here=$board/..
. "$here/venv.sh"
page_modules
page=$board/../../../src/web/page
"$modules/node_modules/.bin/tsc" --project "$page/tsconfig.json"
"$modules/node_modules/.bin/biome" lint --error-on-warnings --config-path "$page/biome.json" "$page"
echo "the page's modules have sound types"
