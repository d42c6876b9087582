#!/bin/sh
# Makes the edge openings that are part of the program.
#
#   make-edge.sh FOLDER [VARIANT ...]
#
# FOLDER gets the packed lists VARIANT.zst for src/arena/openings/data. Without variants all are made; that of English draughts
# takes four minutes of processor time. The same program finds the same openings. So far the program has the English list,
# and an international one of an earlier version, which this does not make again. KROON names the program; `zstd` packs.
set -eu

fail() {
  echo "make-edge.sh: $*" >&2
  exit 1
}

[ $# -ge 1 ] || fail "expected FOLDER [VARIANT ...]"
folder=$1
shift
[ $# -gt 0 ] || set -- international killer breakthrough losing frisian frysk english pool russian brazilian czech italian \
  spanish portuguese thai
kroon=${KROON:-kroon}

for variant in "$@"; do
  count=200
  [ "$variant" != international ] || count=500
  "$kroon" book edge --variant "$variant" --count "$count" --out "$folder/$variant.pdn" 2>/dev/null ||
    fail "the openings of $variant fail"
  zstd -q -f --ultra -22 "$folder/$variant.pdn" -o "$folder/$variant.zst" || fail "zstd fails"
done
