#!/bin/sh
# Replaces the puzzles of the program that no longer hold after a change of the search or of weights.
#
#   src/puzzles/refresh-puzzles.sh FOLDER [VARIANT...]        in the repository; without variants: all
#
# Searches every puzzle of src/puzzles/data/VARIANT.jsonl again from an empty table, with 500,000 nodes. Where some fail,
# new ones that pass 2,000,000 nodes are made in FOLDER (make-puzzles.sh), and the file has as many as before, from easy to
# hard. The same command goes on where it was interrupted; another program needs another FOLDER. KROON names the program
# (default kroon); afterwards it must be built anew to hold them.
set -eu

fail() {
  echo "refresh-puzzles.sh: $*" >&2
  exit 1
}

here=$(dirname "$0")
kroon=${KROON:-kroon}
[ $# -ge 1 ] || fail "expected FOLDER [VARIANT...]"
folder=$1
shift
if [ $# -eq 0 ]; then
  for file in "$here"/data/*.jsonl; do
    set -- "$@" "$(basename "$file" .jsonl)"
  done
fi
mkdir -p "$folder"

for variant in "$@"; do
  file="$here/data/$variant.jsonl"
  [ -e "$file" ] || fail "there are no puzzles of $variant"
  kept="$folder/$variant.kept.jsonl"
  "$kroon" puzzles "$file" --check=500000 --out "$kept" >/dev/null 2>"$folder/$variant.log" ||
    fail "the search fails: see $folder/$variant.log"
  count=$(wc -l <"$file")
  lost=$((count - $(wc -l <"$kept")))
  echo "$variant: $lost of $count fail"
  [ "$lost" -gt 0 ] || continue
  # A few more than needed: some may be in the set already.
  CHECK=2000000 "$here/make-puzzles.sh" "$folder" "$variant" $((lost + 5)) >/dev/null 2>"$folder/$variant.log" ||
    fail "no new puzzles: see $folder/$variant.log"
  new="$folder/$variant.new.jsonl"
  "$kroon" puzzles "$kept" "$folder/$variant.jsonl" --count "$count" --no-source --out "$new" >/dev/null 2>"$folder/$variant.log" ||
    fail "the puzzles are not read back: see $folder/$variant.log"
  [ "$(wc -l <"$new")" -eq "$count" ] || fail "$variant: only $(wc -l <"$new") of $count puzzles"
  mv "$new" "$file"
done
