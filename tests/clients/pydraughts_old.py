#!/usr/bin/env python3
"""Games on small boards through the HubEngine of pydraughts 0.5.7, as it stands: there its positions and its moves number
the squares alike. Version 0.6.7 needs the translations of pydraughts_variants.py."""

import sys
import time

sys.dont_write_bytecode = True

from draughts import Game  # noqa: E402
from draughts.engine import HubEngine, Limit  # noqa: E402

from wire import parse_args, require, start_watchdog  # noqa: E402

VARIANTS = ["english", "russian", "brazilian"]
MOVE_TIME = 0.01
PLIES = 40


def play(command, variant):
    """The library refuses an illegal move: it looks every answer up among its own."""
    engine = HubEngine(command)
    engine.configure({"variant": variant})
    engine.init()
    game = Game(variant)
    while not game.is_over() and len(game.move_stack) < PLIES:
        result = engine.play(game, Limit(movetime=MOVE_TIME), ponder=False)
        game.push(result.move.board_move)
    engine.quit()
    require(engine.p.wait(10) == 0, "the engine did not quit")
    return f"{variant} {len(game.move_stack)}"


def main():
    args = parse_args(__doc__, 600)
    start = time.monotonic()
    start_watchdog(args.timeout)
    played = ", ".join(play(args.command, variant) for variant in VARIANTS)
    print(f"pydraughts 0.5.7: ok: plies {played}, {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    main()
