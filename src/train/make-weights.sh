#!/bin/sh
# The weights of a variant from nothing: five rounds of games of one program against itself, each round played with what
# was learned from the two before (the first with the hand-made evaluation); then rounds of games with random moves
# (refine-weights.sh): three in Portuguese, four in Czech, eight in pool, English and Russian, nine in international, twelve in killer, three to
# seven in the others but losing. From these rows for blocks are learned, too (international draughts: from the second of them on;
# Portuguese and breakthrough draughts: for nine blocks in the last round, Czech, Italian, Spanish, frysk, Frisian, pool and Thai in the last two, killer and Brazilian in
# the last three, international in the last four, English and Russian in the last five; these rounds are large). Of the last round but two of breakthrough draughts half is taken over. The twelfth to the fifteenth round of killer
# draughts take the weights of international, the last five of pool draughts those of Russian draughts, too: the script makes those
# before, in the same folder, which takes its time (international: below). In losing draughts every round has random moves and
# searches of 5,000 nodes, and what is learned from the first learns on from all others.
#
#   src/train/make-weights.sh FOLDER [VARIANT [GAMES]]        in a full clone of the repository
#
# Writes FOLDER/VARIANT.weights. Without more words it makes those of international draughts: two cores, more than four hours
# (rounds 1 to 6 take two, the eighth to the fourteenth half an hour each, the seventh and in part the last six were timed only
# beside other work), over 1 GB. GAMES is the size of the first round (in each of two shards; if it is left out 20000 to 2500, by the
# variant), the fifth is nine times as large (losing draughts: all are 2.8 times GAMES). The programs are those of commits named
# below, built in FOLDER, or, to learn with another, what the environment variable KROON names; then there is one program for all,
# and it may learn blocks everywhere. A game is a function of the program, the variant, the seed, the shard and its number, so the
# same games come out on every machine, and from them the same weights. What was stopped goes on when it is called again.
set -eu
# It runs for hours. A shell reads all of a block first, so a script that is replaced meanwhile does not disturb the run.
{
shards=2 # one thread each; another number gives other games

fail() {
  echo "make-weights: $*" >&2
  exit 1
}

if [ $# -lt 1 ] || [ $# -gt 3 ]; then
  fail "usage: make-weights.sh FOLDER [VARIANT [GAMES]]"
fi
variant=${2:-international}
case $variant in
international | killer | breakthrough | losing | frisian | frysk | english | pool | russian | brazilian | czech | italian | \
  spanish | portuguese | thai) ;;
*) fail "\"$variant\" is none of the variants" ;;
esac

# In losing draughts offers come early and cost no depth: its searches of 5,000 nodes see what those of earlier programs did not.
# It also plays a round of breakthrough draughts.
with_offers=5991e9228486f621515b12e2932de554ac91fa3e

# The program that plays, the endgame tables that it asks, and the size. WEIGHTS.md tells which of the weights
# in the program were made like this, and by which builds.
case $variant in
international) commit=252ec75f809d9240e17c09dd3c2cea6a81d51b85 tables= ;;
losing) commit=$with_offers tables="--tables embedded" ;;
*) commit=de9f41d0762d48bedd3d893004b8fc20f1c39c07 tables="--tables embedded" ;;
esac
case $variant in
international) first=20000 ;;
english | russian | brazilian) first=10000 ;;
breakthrough | frisian) first=5000 ;;
*) first=2500 ;;
esac
first=${3:-$first}

# How much of the result of a game is learned after the second round and later, and with fewer games more passes in
# larger steps: EXPERIMENTS.md has the measurements.
case $variant in
international) second=0.4 share=0.25 passes=6 rate=0.005 ;;
russian) second=0.7 share=0.7 passes=10 rate=0.012 ;;
*) second=0.4 share=0.4 passes=10 rate=0.012 ;;
esac
case $first in
'' | 0* | *[!0-9]*) fail "\"$first\" is no number of games" ;;
esac

mkdir -p "$1"
folder=$(realpath "$1")
sources=$(realpath "$(dirname "$(realpath "$0")")/../..")

# COMMIT: sets `kroon` to the program of that commit, built in the folder, or to what KROON names.
use_program() {
  if [ -n "${KROON:-}" ]; then
    kroon=$(command -v "$KROON") || fail "KROON: there is no program \"$KROON\""
    kroon=$(realpath "$kroon")
    return
  fi
  program="$folder/program-$1"
  if [ ! -d "$program" ]; then
    git -C "$sources" cat-file -e "$1^{commit}" || fail "this is no full clone of the repository: it has no commit $1"
    rm -rf "$program.new"
    mkdir "$program.new"
    git -C "$sources" archive --output "$folder/program.tar" "$1"
    tar -xf "$folder/program.tar" -C "$program.new"
    rm "$folder/program.tar"
    mv "$program.new" "$program"
  fi
  (cd "$program" && CARGO_TARGET_DIR="$program/target" cargo build -q --release --locked)
  kroon="$program/target/release/kroon"
}
use_program "$commit"

# A folder is that of one program and one size: rounds of two would be mixed without a word.
made="${KROON:+$(cksum <"$kroon")}"
made="${made:-$commit}, $first games, $shards shards, shares $second $share, $passes passes, rate $rate"
mkdir -p "$folder/$variant"
if [ -f "$folder/$variant/made-with" ]; then
  found=$(cat "$folder/$variant/made-with")
  [ "$found" = "$made" ] || fail "$folder/$variant was made with $found; now it is $made: choose another folder"
else
  echo "$made" >"$folder/$variant/made-with.new"
  mv "$folder/$variant/made-with.new" "$folder/$variant/made-with"
fi

say() {
  echo "$(date +%H:%M:%S) $variant $*"
}

# ROUND SIZE [OPTIONS]: games of each shard, into a folder of their own; the first round has size 20.
play() {
  round=$1
  games=$((first * $2 / 20))
  shift 2
  say "round $round: $games games in each of $shards shards"
  # shellcheck disable=SC2086 # no word, or two
  "$kroon" selfplay --variant "$variant" $tables --resume --out "$folder/$variant/$round" --nodes 500 --threads $shards \
    --seed "$round" --games "$games" "$@"
}

# ROUND SIZE SEED NODES OPTIONS: games of each shard in which one move in ten is random, into a folder of their own.
play_random() {
  round=$1
  games=$((first * $2 / 20))
  seed=$3
  nodes=$4
  shift 4
  say "round $round: $games games with random moves in each of $shards shards"
  "$kroon" selfplay --variant "$variant" --tables embedded --resume --out "$folder/$variant/$round" --nodes "$nodes" \
    --random-percent 10 --threads $shards --seed "$seed" --games "$games" "$@"
}

# ROUND SHARE ROUNDS...: the weights that come after ROUND, learned from the games of ROUNDS.
learn() {
  round=$1
  of_result=$2
  shift 2
  say "weights $round"
  weights="$folder/$variant/$round.weights"
  [ ! -f "$weights" ] || return 0
  mkdir -p "$folder/$variant/learn$round"
  for from in "$@"; do
    ln -sf "$folder/$variant/$from"/*.games "$folder/$variant/learn$round"
  done
  "$kroon" train --variant "$variant" --resume --data "$folder/$variant/learn$round" --out "$weights" \
    --epochs $passes --rate $rate --result-share "$of_result"
}

# What the weights of a round are called.
of() {
  echo "$folder/$variant/$1.weights"
}

# Losing draughts learns nothing from searches of 500 nodes, so its first round is another one, and what follows learns on.
# The weights in the program have learned from the games of another line besides: WEIGHTS.md.
if [ "$variant" = losing ]; then
  play_random 1 56 701 5000 --evaluation handmade
  learn 1 0.2 1
else
  play 1 20 --evaluation handmade
  learn 1 0.7 1
  play 2 30 --eval-file "$(of 1)"
  learn 2 $second 1 2
  play 3 55 --eval-file "$(of 2)"
  learn 3 $share 2 3
  play 4 110 --eval-file "$(of 3)"
  learn 4 $share 3 4
  play 5 180 --eval-file "$(of 4)"
  learn 5 $share 4 5
fi

# ROUND SIZE SEED WEIGHTS PASSES RATE [NODES [SHARE [BLOCKS [KEEP]]]]: a round of games with random moves, played by WEIGHTS,
# which learn on from them.
refine() {
  games=$((first * $2 / 20))
  say "round $1: $games games with random moves in each of 2 shards"
  mkdir -p "$folder/$variant/$1"
  KROON="$kroon" "$sources/src/train/refine-weights.sh" "$folder/$variant/$1" "$variant" "$games" "$4" "$3" "$5" "$6" "${7:-1000}" "${8:-0}" \
    "${9:-4}" "${10:-0}"
  last="$folder/$variant/$1/$variant.weights"
}

# ROUND PASSES RATE WEIGHTS ROUNDS...: the weights that come after ROUND: WEIGHTS learn on from the games of ROUNDS, with
# `more_blocks` if that is set (programs before 02c3cd2 know no --blocks).
more_blocks=
learn_on() {
  round=$1
  passes_on=$2
  rate_on=$3
  start=$4
  shift 4
  say "weights $round"
  last="$(of "$round")"
  mkdir -p "$folder/$variant/learn$round"
  for from in "$@"; do
    ln -sf "$folder/$variant/$from"/*.games "$folder/$variant/learn$round"
  done
  # shellcheck disable=SC2086 # no word, or two
  "$kroon" train --variant "$variant" --resume --data "$folder/$variant/learn$round" --result-share 0 --epochs "$passes_on" \
    --rate "$rate_on" $more_blocks --eval-file "$start" --out "$last"
}

# SIZE SEED WEIGHTS: a seventh one, played with the weights of the sixth; WEIGHTS learn on from the games of both.
refine_more() {
  play_random 7 "$1" "$2" 1000 --eval-file "$last"
  learn_on 7 5 0.005 "$3" "6/$variant" 7
}

# VARIANT FACTOR [ROUND]: sets `relative` to the weights of another variant on the same board, those of its last or of a
# round of `refine`, as if they were of this one. They are made here, from a first round that is FACTOR times as large, with
# all rounds, also later ones than ROUND; of what is made already the script sees that it is the same.
take_relative() {
  "$sources/src/train/make-weights.sh" "$folder" "$1" $((first * $2))
  relative="$folder/$variant/$1${3:-}.weights"
  theirs="$folder/$1.weights"
  [ -z "${3:-}" ] || theirs="$folder/$1/$3/$1.weights"
  # The first line names the variant; what follows is not text.
  {
    head -n 1 "$theirs" | sed "s/\"variant\":\"$1\"/\"variant\":\"$variant\"/"
    tail -n +2 "$theirs"
  } >"$relative.new"
  mv "$relative.new" "$relative"
}

# The first program knows no rows for blocks, the second learns them.
without_blocks=2387a05e7327432f675a184a4ac036e734cf8744
with_blocks=e476577e321af04c54852e9d3a02bde19c51ac62
# Its quiescence looks closer at threats only where that may matter; the next one remembers values, which changes no game.
with_margin=bff243474da7659d009817bb631acca2e940f2cd
with_values=af4b3ceefc39338393a252fe0b1e1e2f0073591d
# Distant leaves are judged by the material alone.
with_rough=a7a65dc36c382a73373aa563edd90ecba71d43b8
# Learning on keeps the bias; the programs above clip it at the first step, and the weights that they make are in the program.
with_bias=00e6e383272e2b802ca072b9bf01355e37c3a72f
# It bounds the bias together with what empty blocks say.
with_bound=536c8403f5bae9136d7907f856c6accc7a4b5a74
# It keeps a reserve on the clock, which changes no game of self-play.
with_reserve=e710f749106e1adceab590154bffef939386942c
# It sees who crowns next in breakthrough draughts.
with_crowning=bf216c54ec4b819fcff0a692548fb458affc96a9
# It can learn rows for nine blocks, and write the mean with the weights to begin with.
with_nine=02c3cd213751a3d72518e79c43aa32636a78ac8e
# Its endgame tables at the root know repetitions, and its search is not that of the program above.
with_repetition=43ef0975f8fd1dd4786d73942ebf30ab01632037
# It counts the positions with a score instead of all moves, which changes no game.
with_scores=931e5cfcf9167cf0226ce41c20903bab41f58e95
# Its players know how to lose, which changes no game of self-play.
with_losers=64e0e97de6238ee71f5e4c9a10d0d9348a269840
# Its tree search and its Russian weights are newer, which changes no game of Brazilian draughts.
with_later=3d20abcf0393a3ddcd74be0c7a238c96fb1629d8
# Its Brazilian weights are those of the round that the program above plays.
with_many=51910b74b6da73ec43036c529e7f38110251292f
# Its search reduces moves from depth 3 on, and it plays what it has found when its nodes end.
with_news=8fadb0b3b8df3c73af7867587ba9ca0ae49d1a74
# It learns wins that were seen, and scores beyond 600 centi-men as 600.
with_wins=f0b22bedaffef4d2cafecce9b7edcd13cc61b9fd
# Its games of losing draughts go on until they are decided, which changes no game of other variants.
with_decided=848f863d8a53896623f9006664312c116079deba
# What is newer changes no game, and nothing that is learned.
with_matches=1949a48ef69e43bf847bb0365ea38269e2a87ced
case $variant in
international)
  use_program $without_blocks
  refine 6 160 411 "$(of 5)" 4 0.005
  use_program $with_blocks
  refine_more 100 431 "$last"
  use_program $with_rough
  refine 8 160 461 "$last" 4 0.003
  use_program $with_reserve
  refine 9 44 571 "$last" 3 0.001 5000
  use_program $with_wins
  refine 10 130 781 "$last" 3 0.001
  # Rows of the blocks that overlap want the games of two rounds.
  tenth=$last
  use_program $with_decided
  play_random 11 130 797 1000 --eval-file "$tenth"
  use_program $with_matches
  more_blocks="--blocks 9"
  learn_on 11 4 0.003 "$tenth" 10/international 11
  refine 12 130 811 "$last" 3 0.001 1000 0 9
  refine 13 44 821 "$last" 3 0.001 5000 0 9
  refine 14 130 822 "$last" 3 0.001 1000 0 9
  ;;
english)
  use_program $with_blocks
  refine 6 40 411 "$(of 5)" 5 0.005
  refine_more 140 441 "$(of 5)"
  use_program $with_bias
  refine 8 146 551 "$last" 4 0.003
  # Rows of the blocks that overlap begin at 0 and need many games.
  use_program $with_nine
  refine 9 260 651 "$last" 4 0.003 2500 0 9
  refine 10 220 691 "$last" 4 0.003 2500 0 9
  use_program $with_scores
  refine 11 415 751 "$last" 4 0.003 2500 0 9
  use_program $with_wins
  refine 12 200 783 "$last" 3 0.001 1000 0 9
  refine 13 200 785 "$last" 3 0.001 1000 0 9
  ;;
losing)
  refine 2 56 702 "$(of 1)" 4 0.006 5000
  refine 3 56 703 "$last" 3 0.003 5000
  refine 4 56 704 "$last" 3 0.003 5000
  # Without the results scores come to agree with themselves more than with what happens.
  refine 5 56 705 "$last" 3 0.003 5000 0.5
  refine 6 56 716 "$last" 3 0.003 5000 0.5
  refine 7 56 717 "$last" 3 0.003 5000 0.5
  refine 8 56 718 "$last" 3 0.003 5000 0.5
  ;;
*)
  use_program $with_blocks
  case $variant in
  russian | brazilian)
    refine 6 90 441 "$(of 5)" 5 0.005
    refine_more 180 451 "$(of 5)"
    if [ "$variant" = russian ]; then
      use_program $with_values
      refine 8 180 461 "$last" 4 0.003
      use_program $with_nine
      refine 9 220 661 "$last" 4 0.003 2500 0 9
      play_random 10 220 711 2500 --eval-file "$last"
      more_blocks="--blocks 9"
      learn_on 10 4 0.003 "$last" "9/$variant" 10
      use_program $with_repetition
      refine 11 546 731 "$last" 4 0.003 2500 0 9
      use_program $with_losers
      refine 12 800 771 "$last" 4 0.003 2500 0 9
      use_program $with_news
      refine 13 680 763 "$last" 4 0.003 1000 0 9
    else
      use_program $with_nine
      refine 8 220 662 "$last" 4 0.003 2500 0 9
      use_program $with_later
      refine 9 1600 761 "$last" 4 0.003 1000 0 9
      use_program $with_many
      refine 10 840 762 "$last" 4 0.003 1000 0 9
    fi
    ;;
  frysk)
    refine 6 180 441 "$(of 5)" 5 0.004
    refine_more 360 451 "$(of 5)"
    use_program $with_wins
    refine 8 960 788 "$last" 4 0.003 1000 0 9
    refine 9 960 804 "$last" 3 0.001 1000 0 9
    ;;
  frisian)
    refine 6 70 441 "$(of 5)" 5 0.004
    refine_more 140 451 "$(of 5)"
    use_program $with_bound
    refine 8 236 551 "$last" 4 0.003
    use_program $with_matches
    refine 9 240 790 "$last" 4 0.003 1000 0 9
    refine 10 240 813 "$last" 4 0.003 1000 0 9
    ;;
  breakthrough)
    refine 6 140 441 "$(of 5)" 5 0.004
    refine_more 140 451 "$(of 5)"
    use_program $with_margin
    refine 8 140 461 "$last" 4 0.003
    use_program $with_offers
    refine 9 60 621 "$last" 3 0.003 5000
    # Alone the next round gains little; half of what it changes is taken over.
    use_program $with_nine
    refine 10 60 631 "$last" 3 0.003 5000 0 4 0.5
    use_program $with_wins
    refine 11 200 793 "$last" 3 0.003
    use_program $with_matches
    refine 12 240 815 "$last" 3 0.001 1000 0 9
    ;;
  killer)
    refine 6 140 441 "$(of 5)" 5 0.004
    refine_more 280 451 "$(of 5)"
    use_program $with_margin
    refine 8 280 461 "$last" 4 0.003
    use_program $with_bound
    refine 9 208 551 "$last" 4 0.003
    refine 10 396 561 "$last" 4 0.003
    use_program $with_reserve
    refine 11 360 571 "$last" 4 0.003
    # The weights of international draughts play about as well. They learn on from games that each of the two played.
    take_relative international 8 9
    use_program $with_offers
    play_random 12 64 621 5000 --eval-file "$last"
    learn_on 12 3 0.003 "$relative" 12
    use_program $with_crowning
    play_random 13 48 641 5000 --eval-file "$last"
    learn_on 13 3 0.003 "$relative" 12 13
    play_random 14 64 642 5000 --eval-file "$last"
    learn_on 14 3 0.003 "$relative" 12 13 14
    # Newer weights of international draughts, with nine blocks, learn on from games of these.
    use_program $with_matches
    play_random 15 640 807 1000 --eval-file "$last"
    take_relative international 8 13
    more_blocks="--blocks 9"
    learn_on 15 4 0.003 "$relative" 15
    refine 16 480 814 "$last" 3 0.001 1000 0 9
    refine 17 480 816 "$last" 3 0.001 1000 0 9
    ;;
  thai)
    refine 6 180 441 "$(of 5)" 5 0.004
    refine_more 720 451 "$(of 5)"
    use_program $with_margin
    refine 8 360 461 "$last" 4 0.003
    use_program $with_wins
    refine 9 720 789 "$last" 4 0.003 1000 0 9
    use_program $with_matches
    refine 10 720 806 "$last" 4 0.003 1000 0 9
    ;;
  *)
    refine 6 180 441 "$(of 5)" 5 0.004
    refine_more 360 451 "$(of 5)"
    case $variant in
    pool)
      use_program $with_values
      refine 8 360 461 "$last" 4 0.003
      # The weights of Russian draughts play about as well. Those of the third round learn on from games that either played.
      third=$last
      take_relative russian 4 8
      use_program $with_offers
      play_random 9 176 621 5000 --eval-file "$third"
      use_program $with_crowning
      play_random 10 120 641 5000 --eval-file "$relative"
      learn_on 10 3 0.003 "$relative" 9 10
      play_random 11 120 642 5000 --eval-file "$last"
      learn_on 11 3 0.003 "$third" 9 10 11
      # The Russian weights of round 9, the first with nine blocks, learn on from these games and play more; the weights of
      # round 11 learn on from all.
      use_program $with_nine
      eleventh=$last
      take_relative russian 4 9
      learn_on 11-relative 4 0.003 "$relative" 9 10 11
      play_random 12 880 663 2500 --eval-file "$last"
      more_blocks="--blocks 9"
      learn_on 12 4 0.003 "$eleventh" 9 10 11 12
      # The last Russian weights learn on from games of these.
      use_program $with_matches
      play_random 13 800 809 1000 --eval-file "$last"
      take_relative russian 4 13
      learn_on 13 3 0.001 "$relative" 13
      ;;
    spanish)
      use_program $with_nine
      refine 8 880 671 "$last" 4 0.003 2500 0 9
      use_program $with_matches
      refine 9 800 810 "$last" 3 0.001 1000 0 9
      ;;
    italian)
      use_program $with_nine
      refine 8 400 672 "$last" 4 0.003 2500 0 9
      use_program $with_matches
      refine 9 800 808 "$last" 3 0.001 1000 0 9
      ;;
    czech)
      use_program $with_matches
      refine 8 800 787 "$last" 4 0.003 1000 0 9
      refine 9 800 812 "$last" 3 0.001 1000 0 9
      ;;
    portuguese)
      use_program $with_matches
      refine 8 800 786 "$last" 4 0.003 1000 0 9
      ;;
    esac
    ;;
  esac
  ;;
esac
cp "$last" "$folder/$variant.weights.new"
mv "$folder/$variant.weights.new" "$folder/$variant.weights"
say "done"
exit
}
