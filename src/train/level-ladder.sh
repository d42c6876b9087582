#!/bin/sh
# The ladder of strength levels: each level plays the one below it. Prints a row of a Markdown table for each step.
#
#   level-ladder.sh FOLDER VARIANT GAMES [LEVEL ...]
#
# FOLDER gets the results; the same command goes on where it was interrupted. Without levels all steps are played. With
# PARAM=skill the numbers are skills, not levels: `PARAM=skill level-ladder.sh FOLDER english 200 0 1 2 3` measures how
# strength grows with skill. KROON names the program, OPPONENT another first opponent, such as
# `OPPONENT='player=greedy' level-ladder.sh FOLDER english 200 1`. MORE holds further options of the matches: where both are
# strong, `MORE='--draw 0.15,6,40 --resign 4,4 --two-sided'` ends decided games sooner.
set -eu

fail() {
  echo "level-ladder.sh: $*" >&2
  exit 1
}

[ $# -ge 3 ] || fail "expected FOLDER VARIANT GAMES [LEVEL ...]"
folder=$1
variant=$2
games=$3
shift 3
[ $# -gt 0 ] || set -- 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20
kroon=${KROON:-kroon}
param=${PARAM:-level}
below=${OPPONENT:-}
if [ -z "$below" ]; then
  [ $# -gt 1 ] || fail "$1 alone: name the $param below it, too, or OPPONENT"
  below="param.$param=$1"
  name=$1
  shift
else
  name=$below
fi
mkdir -p "$folder/$variant"

echo "| $variant | against | won, drawn, lost | score | Elo |"
echo "|---|---|---|---|---|"
for level in "$@"; do
  file="$folder/$variant/$param-$level-$(echo "$name" | tr -c 'a-z0-9.\n-' _)"
  "$kroon" match --variant "$variant" --games "$games" --openings ballot3 --max-plies 300 --seed 1 \
    --engine "proto=kroon name=above param.$param=$level" --engine "proto=kroon name=below $below" ${MORE:-} \
    --results "$file.jsonl" >"$file.new" 2>"$file.errors" || fail "the match of $level fails: $(tail -n 1 "$file.errors")"
  mv "$file.new" "$file.txt"
  counts=$(sed -n 's/^above - below: [0-9]* games, \(.*\) (.*/\1/p' "$file.txt")
  score=$(sed -n 's/^ *score //p' "$file.txt")
  elo=$(sed -n 's/^ *Elo *\([^[]*[^[ ]\).*/\1/p' "$file.txt")
  echo "| $level | $name | $counts | $score | $elo |"
  below="param.$param=$level"
  name=$level
done
