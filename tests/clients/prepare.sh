#!/usr/bin/env bash
# Makes the environments of all checks, so that they do not wait for downloads later. What cannot be made is left to the
# check that needs it, which says so.
# usage: tests/clients/prepare.sh
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/venv.sh"
for environment in libraries page_modules browser; do
    (set -e; "$environment")
done
exit 0
