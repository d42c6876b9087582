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
mkdir -p "$folder"

for variant in "$@"; do
  count=200
  [ "$variant" != international ] || count=500
  # The share of games that the side ahead wins, and their nodes a move. Slow games, as in matches, have more draws than fast
  # ones, so more of the fast ones have to be won, but in variants with few draws. In English draughts 0.75 gives openings
  # that the same side nearly always wins, whoever plays it. Games of 40,000 nodes need no such allowance, and fewer of their
  # openings are won by the same side whoever plays it; they take much longer. All lists in the program but the
  # Russian and the Brazilian one were made before 90c903a, which no longer finds them; the international one is of 0.75 and
  # 4,000 nodes.
  win=0.75 nodes=4000
  case $variant in
  international | russian | brazilian) win=0.5 nodes=40000 ;;
  breakthrough | losing | frisian | english) win=0.5 ;;
  killer) win=0.6 ;;
  esac
  list="$folder/$variant.pdn"
  [ -f "$list" ] ||
    "$kroon" book edge --variant "$variant" --count "$count" --win "$win" --game-nodes "$nodes" --resume --out "$list" 2>"$list.errors" ||
    fail "the openings of $variant fail: $(tail -n 1 "$list.errors")"
  zstd -q -f --ultra -22 "$list" -o "$folder/$variant.zst" || fail "zstd fails"
done
