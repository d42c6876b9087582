#!/usr/bin/env python3
"""A short game in every variant through the HubEngine of pydraughts, in one process that changes from game to game."""

import logging
import signal
import sys
import time

sys.dont_write_bytecode = True

import draughts  # noqa: E402
from draughts.engine import Limit  # noqa: E402

from pydraughts_game import Client, Wiretap, kill_all, stop_engine, transcript  # noqa: E402
from wire import parse_args, report_failure, require, start_watchdog  # noqa: E402

NAME = "pydraughts variants"
MOVE_TIME = 0.01
PLIES = 40
# Name of the variant for the engine (both spellings), name for the library. It has no killer draughts; those moves
# are moves of international draughts too, though not the other way round.
GAMES = [
    ("normal", "standard"),
    ("killer", "standard"),
    ("bt", "breakthrough"),
    ("breakthrough", "breakthrough"),
    ("losing", "antidraughts"),
    ("antidraughts", "antidraughts"),
    ("frisian", "frisian"),
    ("frysk!", "frysk!"),
    ("english", "english"),
    ("italian", "italian"),
    ("russian", "russian"),
    ("brazilian", "brazilian"),
]
SWAPPED = str.maketrans("wWbB", "bBwW")


class VariantClient(Client):
    """On 8x8 boards the library numbers the squares of its moves otherwise than those of its positions.

    In Russian and Brazilian draughts moves count from a1, positions from b8; in English draughts positions have White
    begin, and the board is turned round. Whoever wants to use it there has to translate one of them.
    """

    variant = "standard"

    def go(self, fen, moves=None, **limits):
        if self.variant == "english":
            fen = fen[0].translate(SWAPPED) + fen[:0:-1].translate(SWAPPED)
        best, ponder = super().go(fen, self._moves(moves), **limits)
        return self._moves(best), ponder and self._moves(ponder)

    def _moves(self, moves):
        if self.variant not in ("russian", "brazilian"):
            return moves
        return " ".join(self._move(move) for move in moves.split())

    @staticmethod
    def _move(move):
        """From ranks that are counted from below to ranks that are counted from above, or back."""
        sign = "-" if "-" in move else "x"
        return sign.join(str(28 - (int(square) - 1) // 4 * 4 + (int(square) - 1) % 4 + 1) for square in move.split(sign))


def game(engine, name, variant):
    """The library itself refuses an illegal move: it looks every answer up among its own."""
    engine.variant = variant
    engine.configure({"variant": name})
    engine.init()
    board = draughts.Board(variant)
    while not board.is_over() and len(board.move_stack) < PLIES:
        result = engine.play(board, Limit(movetime=MOVE_TIME), False)
        board.push(result.move)
        transcript.check()
    require(board.is_over() or len(board.move_stack) == PLIES, f"{name}: a game without an end")
    return len(board.move_stack)


def run(args):
    engine = VariantClient(args.command)
    names = {name for name, _ in GAMES if name not in ("breakthrough", "antidraughts", "frysk!")}
    require(names <= engine.variants, f"not declared: {sorted(names - engine.variants)}")
    engine.init()
    played = {name: game(engine, name, variant) for name, variant in GAMES}
    stop_engine(engine)
    transcript.check_complete()
    return played


def main():
    args = parse_args(__doc__, 600)
    start = time.monotonic()
    logger = logging.getLogger("pydraughts")
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    logger.addHandler(Wiretap())
    try:
        start_watchdog(args.timeout)
        played = run(args)
        signal.alarm(0)
    except BaseException as error:
        signal.alarm(0)
        report_failure(NAME, error, transcript)
        return 1
    finally:
        kill_all()
    games = ", ".join(f"{name} {plies}" for name, plies in played.items())
    print(f"{NAME}: ok: plies {games}, {time.monotonic() - start:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
