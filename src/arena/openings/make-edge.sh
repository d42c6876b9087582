#!/bin/sh
# Makes the edge openings that are part of the program.
#
#   make-edge.sh FOLDER [VARIANT ...]
#
# FOLDER gets the packed lists VARIANT.zst for src/arena/openings/data. Without variants all are made. What was
# stopped goes on when it is called again. The same program finds the same openings. KROON names the program; `zstd` packs.
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
  # The share of fast games that the side ahead wins. Slower games have more draws, but for variants that have few. In English
  # draughts they have no more, either: from a list of 0.75 the same side nearly always wins, whoever plays it.
  case $variant in
  breakthrough | losing | frisian | english) win=0.5 ;;
  killer) win=0.6 ;;
  *) win=0.75 ;;
  esac
  list="$folder/$variant.pdn"
  [ -f "$list" ] ||
    "$kroon" book edge --variant "$variant" --count "$count" --win "$win" --resume --out "$list" 2>/dev/null ||
    fail "the openings of $variant fail"
  zstd -q -f --ultra -22 "$list" -o "$folder/$variant.zst" || fail "zstd fails"
done
