#!/usr/bin/env bash
# Plays whole games through the clients of two Python libraries, Hub and (where they have it) DXP, compares the legal
# moves in all variants, and runs the Python examples of the documentation.
# usage: tests/clients/run.sh target/release/kroon
# Both libraries import as "draughts", so each has its own virtual environment,
# created on first use under $KROON_VENVS (default: .venvs in the repository root).
set -euo pipefail

if [ $# -ne 1 ]; then
    echo "usage: $0 KROON" >&2
    exit 2
fi
kroon=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/venv.sh"

libraries

failed=0
# play VENV SCRIPT COMMAND
play() {
    if ! "$venvs/$1/bin/python" -B "$here/$2" "$3"; then
        failed=1
    fi
}
play pydraughts pydraughts_game.py "$kroon hub"
play pydraughts pydraughts_variants.py "$kroon hub"
play pydraughts-0.5 pydraughts_old.py "$kroon hub"
play py-draughts py_draughts_game.py "$kroon hub"
play pydraughts pydraughts_dxp.py "$kroon dxp"
play pydraughts legal_moves.py "$kroon hub"
play py-draughts legal_moves.py "$kroon hub"
"$python" -B "$here/examples.py" "$kroon" "$venvs" || failed=1
play pydraughts pdn_files.py "$kroon"
play py-draughts pdn_files.py "$kroon"
exit "$failed"
