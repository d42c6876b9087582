#!/usr/bin/env python3
"""Random games in every variant that a library has, with all legal moves of every position compared with Kroon's."""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import shlex
import subprocess
import sys
import time

sys.dont_write_bytecode = True

from differences import DIFFERENCES, Case  # noqa: E402
from libraries import LIBRARY, fen_of, triple  # noqa: E402
from wire import Failure, require  # noqa: E402

WIDTH = {33: 4, 51: 5}  # length of a Hub position: squares in a row
MOST_PIECES = {"frysk": 5}
WITH_KING_RUNS = ["frisian", "frysk"]


class Kroon:
    """A process that answers each position with its legal moves."""

    def __init__(self, command, variant):
        arguments = [command, "board", "--variant", variant, "--json", "--fen", "-"]
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, position):
        self.process.stdin.write(position + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        require("error" not in answer, f"no answer to {position}: {answer.get('error')}")
        answer["set"] = {(move["from"], move["to"], tuple(move["captured"])) for move in answer["moves"]}
        require(len(answer["set"]) == len(answer["moves"]), f"a move twice in {position}")
        return answer

    def close(self):
        self.process.stdin.close()
        code = self.process.wait(10)
        require(code == 0, f"exit status {code} of the rules process")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class KingRuns:
    """Which king of Frisian draughts has made three quiet moves in a row: counted here, from the moves alone."""

    def __init__(self, variant):
        self.counted = variant in WITH_KING_RUNS
        self.last = {"W": (None, 0), "B": (None, 0)}

    def square(self, hub):
        """The king that must rest now, if there is one."""
        square, count = self.last[hub[0]]
        return square if self.counted and count >= 3 and hub[0].lower() in hub[1:] else None

    def push(self, hub, move):
        (us, them), (start, end, captured) = ("WB" if hub[0] == "W" else "BW"), move
        square, count = self.last[us]
        quiet_king = not captured and hub[start] == us
        self.last[us] = (end, count + 1 if square == start else 1) if quiet_king else (None, 0)
        if self.last[them][0] in captured:
            self.last[them] = (None, 0)


class Comparison:
    def __init__(self, kroon, variant):
        self.kroon = kroon
        self.variant = variant
        self.rows = [
            row for row in DIFFERENCES if row.library == LIBRARY.NAME and variant in row.variants
        ]
        self.positions = 0
        self.won = 0
        self.limited = 0
        self.explained = collections.Counter()

    def compare(self, board, answer, run):
        """The library's moves by their triple, after they proved to be Kroon's or to differ in a known way."""
        listed = board.moves()
        library = {triple(move): move for move in listed}
        hub = board.hub()
        require(hub == answer["hub"], f"{self.variant}: {hub} after a move that makes {answer['hub']} here")
        self.positions += 1
        self.limited += run is not None
        ours = answer["set"]
        if ours != set(library):
            kings = {number for number, letter in enumerate(hub) if number > 0 and letter in "WB"}
            case = Case(ours, set(library), listed, board.all_captures(), kings, run)
            row = next((row for row in self.rows if row.explains(case)), None)
            only_here, only_there = sorted(ours - set(library)), sorted(set(library) - ours)
            require(
                row is not None,
                f"{self.variant} {answer['fen']}: only Kroon has {only_here}, only {LIBRARY.NAME} {only_there}",
            )
            self.explained[row.what] += 1
        return library

    def game(self, rng, hub, plies):
        """A game of random moves, from a position or from the start."""
        board = LIBRARY(self.variant, hub)
        answer = self.kroon.ask(fen_of(board.hub()))
        runs = KingRuns(self.variant)
        for _ in range(plies):
            hub = board.hub()
            if self.variant == "breakthrough" and board.winner():
                # The library lists moves even after the crowning that won.
                break
            library = self.compare(board, answer, runs.square(hub))
            if not answer["moves"]:
                break
            common = [move for move in answer["moves"] if key(move) in library]
            if not common:
                break
            move = rng.choice(common)
            runs.push(hub, key(move))
            board.push(library[key(move)])
            answer = self.kroon.ask(move["fen"])
        self.check_end(board, answer, runs)

    def check_end(self, board, answer, runs):
        """Whoever has won here has won there, unless only the limit on king moves left no move."""
        outcome = answer["outcome"]
        if outcome is None or runs.square(answer["hub"]) is not None:
            return
        winner = board.winner()
        if winner == "draw":
            return
        self.won += 1
        require(
            winner is not None and outcome == f"{winner.capitalize()} wins",
            f"{self.variant} {answer['fen']}: {outcome}, but {winner} has won in {LIBRARY.NAME}",
        )

    def probe(self, row):
        """A position where the difference shows, if the library can be set up so."""
        answer = self.kroon.ask(row.position)
        board = LIBRARY(self.variant, answer["hub"])
        before = self.explained[row.what]
        run = next((int(run[1:]) for run in row.position.split("+")[1:] if run[0] == "3"), None)
        self.compare(board, answer, run)
        require(self.explained[row.what] == before + 1, f"{LIBRARY.NAME} has changed, this is gone: {row.what}: {row.position}")


def key(move):
    return (move["from"], move["to"], tuple(move["captured"]))


def placement(rng, variant, squares):
    """Few pieces of each side anywhere, many of them kings."""
    width = WIDTH[squares + 1]
    letters = ["e"] * squares
    for side in "wb":
        promotion = range(width) if side == "w" else range(squares - width, squares)
        for _ in range(rng.randint(1, MOST_PIECES.get(variant, 8))):
            square = rng.randrange(squares)
            king = variant != "breakthrough" and (rng.random() < 0.4 or square in promotion)
            if letters[square] == "e" and (king or square not in promotion):
                letters[square] = side.upper() if king else side
    if not {"w", "W"} & set(letters) or not {"b", "B"} & set(letters):
        return placement(rng, variant, squares)
    return rng.choice("WB") + "".join(letters)


def check_variant(command, variant, games, plies, placements, seed):
    start = time.monotonic()
    rng = random.Random(f"{seed} {variant}")
    kroon = Kroon(command, variant)
    comparison = Comparison(kroon, variant)
    try:
        for row in comparison.rows:
            comparison.probe(row)
        for _ in range(games):
            comparison.game(rng, None, plies)
        squares = len(LIBRARY(variant).hub()) - 1
        for _ in range(placements):
            comparison.game(rng, placement(rng, variant, squares), 20)
        kroon.close()
    finally:
        kroon.kill()
    limited = f", {comparison.limited} with a king that must rest" if comparison.limited else ""
    known = "".join(f"; {what}: {count}" for what, count in comparison.explained.items())
    return (
        f"{LIBRARY.NAME} {variant}: ok: {comparison.positions} positions{limited}, "
        f"{comparison.won} games won, {time.monotonic() - start:.1f} s{known}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", help="engine command as one string; only the program counts")
    parser.add_argument("--variant", action="append", help="only this variant")
    parser.add_argument("--games", type=int, default=LIBRARY.GAMES, help="games from the initial position")
    parser.add_argument("--plies", type=int, default=100, help="longest game")
    parser.add_argument(
        "--placements", type=int, default=2 * LIBRARY.GAMES, help="games of 20 plies from random placements"
    )
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    command = os.path.abspath(shlex.split(args.engine)[0])
    failed = False
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        jobs = [
            pool.submit(check_variant, command, variant, args.games, args.plies, args.placements, args.seed)
            for variant in args.variant or LIBRARY.VARIANTS
        ]
        for job in jobs:
            try:
                print(job.result(), flush=True)
            except Failure as error:
                failed = True
                print(f"{LIBRARY.NAME}: FAILED: {error}", file=sys.stderr, flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
