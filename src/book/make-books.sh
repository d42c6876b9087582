#!/bin/sh
# Makes the opening books that are part of the program.
#
#   make-books.sh FOLDER [VARIANT ...]
#
# FOLDER gets the books VARIANT.book for src/book/data and the states of their builds; what is there already, by the same program
# and settings, goes on. Without
# variants all are made: an hour of two cores. KROON names the program. The same program makes the same bytes.
set -eu

fail() {
  echo "make-books.sh: $*" >&2
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
  # Where tournaments often draw the first moves by lot the book grows from every position after them.
  case $variant in
    international) expansions=12000 nodes=500000 ballots=0 ;;
    english) expansions=2600 nodes=500000 ballots=3 ;;
    russian | brazilian) expansions=1800 nodes=200000 ballots=3 ;;
    italian) expansions=1200 nodes=200000 ballots=3 ;;
    *) expansions=800 nodes=200000 ballots=0 ;;
  esac
  book=$folder/$variant.book
  resume=
  [ ! -e "$book.state" ] || resume=--resume
  "$kroon" book build --variant "$variant" --expansions "$expansions" --nodes "$nodes" --ballots "$ballots" $resume --out "$book" ||
    fail "the book of $variant fails"
done
