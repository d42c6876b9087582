#!/bin/sh
# Weights that have learned on: games of these weights in which one move in ten is random, and small steps on the scores in
# them. Good play avoids the positions after mistakes, a search judges them all the time: EXPERIMENTS.md, "What good games
# do not teach".
#
#   src/train/refine-weights.sh FOLDER VARIANT GAMES [WEIGHTS [SEED [PASSES [RATE [NODES [SHARE [BLOCKS [KEEP]]]]]]]]
#
# GAMES is the number of games in each of two shards. WEIGHTS is the file to begin with; without it that of this checkout, which the
# program built from it has in it. PASSES and RATE are those of kroon train; in larger steps weights forget what they have learned from other games.
# NODES is what a move is searched with, 1000 if it is left out. SHARE is how much of the result of a game is learned, nothing if
# it is left out. BLOCKS is how many blocks of squares have rows at least, 4 (if it is left out) or 9. KEEP is the share of WEIGHTS
# in the mean of them and of what was learned, which is written; 0 if it is left out.
# Writes FOLDER/VARIANT.weights; the games are in FOLDER/VARIANT. KROON names the program: from e476577 on weights get rows for
# four blocks, whether they had any or not, from 02c3cd2 on it reads weights with nine. The same program, weights and numbers give
# the same bytes. What was stopped goes on when it is called again, with the same words: a folder is that of one round.
set -eu

fail() {
  echo "refine-weights: $*" >&2
  exit 1
}

if [ $# -lt 3 ] || [ $# -gt 11 ]; then
  fail "usage: refine-weights.sh FOLDER VARIANT GAMES [WEIGHTS [SEED [PASSES [RATE [NODES [SHARE [BLOCKS [KEEP]]]]]]]]"
fi
folder=$1 variant=$2 games=$3 seed=${5:-411} passes=${6:-5} rate=${7:-0.004} nodes=${8:-1000} share=${9:-0} blocks=${10:-4} keep=${11:-0}
start=${4:-$(dirname "$0")/../eval/data/$variant.weights}
kroon=${KROON:-kroon}
[ -f "$start" ] || fail "there are no weights \"$start\""
case $games in
'' | 0* | *[!0-9]*) fail "\"$games\" is no number of games" ;;
esac
# Now, not after all the games.
case $passes in
'' | 0* | *[!0-9]*) fail "\"$passes\" is no number of passes" ;;
esac
case $rate in
*[!0-9.]* | *.*.*) fail "\"$rate\" is no rate" ;;
0.*[1-9]*) ;;
*) fail "\"$rate\" is no rate: expected 0.NN" ;;
esac
case $share in
*[!0-9.]* | *.*.*) fail "\"$share\" is no share" ;;
0 | 0.[0-9]* | 1) ;;
*) fail "\"$share\" is no share: expected 0, 0.NN or 1" ;;
esac
case $nodes in
'' | 0* | *[!0-9]*) fail "\"$nodes\" is no number of nodes" ;;
esac
case $blocks in
4 | 9) ;;
*) fail "\"$blocks\" blocks: expected 4 or 9" ;;
esac
case $keep in
0 | 0.[0-9] | 0.[0-9][0-9] | 1) ;;
*) fail "\"$keep\" is no share to keep: expected 0, 0.NN or 1" ;;
esac
# Programs before these options do what is meant without them.
more=
[ "$blocks" = 4 ] || more="--blocks $blocks"
[ "$keep" = 0 ] || more="$more --keep $keep"
[ -z "$more" ] || "$kroon" train --help | grep -e --keep >/dev/null || fail "\"$kroon\" is older than 02c3cd2 and knows no $more"

mkdir -p "$folder/$variant"
# Another round would mix its games with these, and learn from both.
made="$games games, seed $seed, $nodes nodes, $passes passes, rate $rate, share $share, $blocks blocks, keep $keep, weights $(cksum <"$start")"
if [ -f "$folder/$variant.made-with" ]; then
  found=$(cat "$folder/$variant.made-with")
  [ "$found" = "$made" ] || fail "$folder has a round with $found; now it is $made: choose another folder"
else
  echo "$made" >"$folder/$variant.made-with.new"
  mv "$folder/$variant.made-with.new" "$folder/$variant.made-with"
fi
"$kroon" selfplay --variant "$variant" --tables embedded --resume --out "$folder/$variant" --nodes "$nodes" --random-percent 10 \
  --threads 2 --seed "$seed" --games "$games" --eval-file "$start"
# shellcheck disable=SC2086 # no words, or several
"$kroon" train --variant "$variant" --data "$folder/$variant" --eval-file "$start" --result-share "$share" --epochs "$passes" \
  --rate "$rate" $more --resume --out "$folder/$variant.weights"
