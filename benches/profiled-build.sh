#!/bin/sh
# Builds the program twice: once so that it counts what it does, and once more with these counts, which tell the compiler
# what is worth its while (profile-guided optimisation). It plays the same and is faster: EXPERIMENTS.md, "A profiled build".
#
#   rustup component add llvm-tools        once
#   benches/profiled-build.sh              some ten minutes
#
# The program is target/profiled/release/kroon afterwards (below CARGO_TARGET_DIR where that is set).
set -eu
cd "$(dirname "$0")/.."

fail() {
  echo "profiled-build: $*" >&2
  exit 1
}

[ $# -eq 0 ] || fail "takes no arguments"
# RUSTFLAGS would replace what is set here.
[ -z "${RUSTFLAGS-}" ] || fail "RUSTFLAGS is set (\"$RUSTFLAGS\"): write these flags into .cargo/config.toml"
merge=
for tool in "$(rustc --print sysroot)"/lib/rustlib/*/bin/llvm-profdata; do
  [ ! -x "$tool" ] || merge=$tool
done
[ -n "$merge" ] || fail "llvm-profdata is missing: rustup component add llvm-tools"
case ${CARGO_TARGET_DIR:-target} in
/*) folder=${CARGO_TARGET_DIR:-target}/profiled ;;
*) folder=$PWD/${CARGO_TARGET_DIR:-target}/profiled ;;
esac
# A list in TOML, in which a quote would end the text.
case $folder in
*[\"\\]*) fail "the folder \"$folder\" has a quote or a backslash in its name" ;;
esac

# build FLAG NAME: below the folder, so that the plain build stays as it is.
build() {
  cargo build --release --locked --target-dir "$2" --config "target.'cfg(all())'.rustflags=[\"$1\"]"
}

counts=$folder/counts
rm -rf "$counts"
build "-Cprofile-generate=$counts" "$folder/counting"
counting=$folder/counting/release/kroon
"$counting" bench >"$folder/bench"
for variant in international killer breakthrough losing frisian frysk english pool russian brazilian czech italian spanish \
  portuguese thai; do
  echo "$variant"
  "$counting" analyse --variant "$variant" --nodes 4000000 >"$folder/analysis"
  "$counting" match --variant "$variant" --engine "proto=kroon name=A" --engine "proto=kroon name=B" --nodes 10000 \
    --openings random:8:1 --games 4 --concurrency 1 >"$folder/match"
done
"$merge" merge -o "$folder/profile" "$counts"
build "-Cprofile-use=$folder/profile" "$folder"

want=$(cat .ci/bench)
"$folder/release/kroon" bench >"$folder/bench"
got=$(awk 'END { print $2 }' "$folder/bench")
[ "$want" = "$got" ] || fail "bench counts $got nodes, .ci/bench says $want"
tail -n 1 "$folder/bench"
echo "$folder/release/kroon"
