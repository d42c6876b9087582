#!/bin/sh
# Makes the puzzles of one variant from nothing: games between neighbouring levels of strength, the puzzles in them, and
# a choice from easy to hard, each of which a deeper search confirms.
#
#   make-puzzles.sh FOLDER VARIANT [PUZZLES]
#
# Leaves FOLDER/VARIANT.jsonl with PUZZLES puzzles (default 100; the international set has 300). Plays rounds of 400 games
# until there are a fifth more than wanted, at most 30 rounds. The games stay in FOLDER; the same command goes on where it
# was interrupted. KROON names the program, CHECK is the number of nodes of the deeper search (default 500000).
set -eu

fail() {
  echo "make-puzzles.sh: $*" >&2
  exit 1
}

[ $# -ge 2 ] && [ $# -le 3 ] || fail "expected FOLDER VARIANT [PUZZLES]"
folder=$1
variant=$2
puzzles=${3:-100}
kroon=${KROON:-kroon}
case $puzzles in
'' | 0* | *[!0-9]*) fail "\"$puzzles\" is no number of puzzles" ;;
esac
mkdir -p "$folder"

# Weak players leave easy puzzles, stronger ones hard ones.
play() {
  "$kroon" match --variant "$variant" --games 200 --openings "random:8:$3" --max-plies 200 --seed "$3" \
    --engine "proto=kroon name=above param.level=$1" --engine "proto=kroon name=below param.level=$2" \
    --results "$folder/$variant-$3-$1.games" >/dev/null 2>"$folder/$variant.log" ||
    fail "the match fails: see $folder/$variant.log"
}

all="$folder/$variant.all.jsonl"
rm -f "$all"
: >"$all"
round=0
count=0
while [ "$count" -lt $((puzzles * 6 / 5)) ] && [ "$round" -lt 30 ]; do
  round=$((round + 1))
  play 9 8 "$round"
  play 13 11 "$round"
  found="$folder/$variant-$round.jsonl"
  if [ ! -e "$found" ]; then
    # A search that is interrupted leaves what it has found so far, which is not the whole round.
    part="$folder/$variant-$round.part.jsonl"
    rm -f "$part"
    "$kroon" puzzles "$folder/$variant-$round-9.games" "$folder/$variant-$round-13.games" --nodes 5000 --threads 2 \
      --out "$part" >/dev/null 2>"$folder/$variant.log" || fail "the search fails: see $folder/$variant.log"
    mv "$part" "$found"
  fi
  # A position of an earlier round counts once.
  cat "$found" >>"$all"
  "$kroon" puzzles "$all" --out "$all" >/dev/null
  count=$(wc -l <"$all")
done
# Twice as many as wanted are enough: few fail.
few="$folder/$variant.few.jsonl"
"$kroon" puzzles "$all" --count $((puzzles * 2)) --out "$few" >/dev/null
"$kroon" puzzles "$few" --check="${CHECK:-500000}" --count "$puzzles" --no-source --out "$folder/$variant.jsonl"
made=$(wc -l <"$folder/$variant.jsonl")
[ "$made" -ge "$puzzles" ] || fail "only $made of $puzzles puzzles were found in $round rounds: $folder/$variant.jsonl"
