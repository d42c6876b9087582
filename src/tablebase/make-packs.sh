#!/bin/sh
# Makes the endgame tables that are part of the program.
#
#   make-packs.sh FOLDER [VARIANT ...]
#
# FOLDER gets the tables, and the packs VARIANT.pack for src/tablebase/data; tables that are there already are kept. Without
# variants all are made. KROON names the program. The same program makes the same bytes.
set -eu

fail() {
  echo "make-packs.sh: $*" >&2
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
  # As many pieces as fit: 1 MB for international draughts, 3 MB for all others together.
  case $variant in
    killer | losing | frisian | frysk) pieces=3 ;;
    *) pieces=4 ;;
  esac
  "$kroon" tables generate --variant "$variant" --pieces "$pieces" --distances "$pieces" --dir "$folder" 2>"$folder/errors" ||
    fail "the tables of $variant fail: $(tail -n 1 "$folder/errors")"
  "$kroon" tables pack --variant "$variant" --pieces "$pieces" --dir "$folder" \
    --out "$folder/$variant.pack" || fail "the pack of $variant fails"
done
