#!/usr/bin/env python3
"""Whole games through the HubEngine of py-draughts."""

import os
import shlex
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import draughts  # noqa: E402
from loguru import logger  # noqa: E402

from wire import Punctuality, Transcript, parse_args, report_failure, require, start_watchdog  # noqa: E402

NAME = "py-draughts"
FEN = "B:W27,28,32,33,37,38,42,K46:B8,9,12,13,14,18,19,K5"
DEPTH = 5

transcript = Transcript()
punctuality = Punctuality()
processes = []


def wiretap(message):
    line = message.record["message"]
    if line.startswith(">> "):
        transcript.to_engine("engine", line[3:])
    elif line.startswith("<< "):
        # At the end of the output the library reads empty lines for ever.
        require(line[3:], "empty line or end of output from the engine")
        transcript.from_engine("engine", line[3:])


class Client(draughts.HubEngine):
    """The library's client as it is, with its process noted.

    It waits with select on the pipe but reads through a buffer: of two lines that come
    out of the pipe together it sleeps on the second, which it already has. So every
    line that arrives with another fails this run, by the watchdog at the latest.
    """

    def _send(self, command):
        if command == "hub":
            processes.append(self.process)
        super()._send(command)


def start_engine(path, move_time):
    engine = Client(path, time_limit=move_time)
    engine.start()
    require(engine.info.name and engine.info.version, "id without name or version")
    variant = engine.params.get("variant")
    require(variant is not None and "normal" in (variant.values or []), "variant normal is not declared")
    return engine


def stop_engine(engine):
    process = engine.process
    engine.quit()
    code = process.wait(10)
    require(code == 0, f"exit status {code} after quit")
    noise = process.stderr.read()
    require(len(noise) < 4096, f"{len(noise)} characters on stderr, which this client never reads")


def game(engine, board, move_time, max_plies):
    """The engine plays both sides; every tenth move is limited by depth instead of time."""
    engine.new_game()
    plies = 0
    while not board.game_over and plies < max_plies:
        by_depth = plies % 10 == 9
        engine.depth_limit = DEPTH if by_depth else None
        start = time.monotonic()
        move, _score = engine.get_best_move(board, with_evaluation=True)
        elapsed = time.monotonic() - start
        if not by_depth:
            punctuality.check(elapsed - move_time, f"move-time {move_time}: {elapsed:.2f} s used")
        # get_best_move returns a member of legal_moves or raises; this keeps it so.
        require(any(move is m or move == m for m in board.legal_moves), f"illegal move {move} in {board.fen}")
        board.push(move)
        plies += 1
        if plies % 50 == 0:
            require(engine.ping(), "no pong")
        transcript.check()
    return plies, board.result if board.game_over else "unfinished"


def kill_all():
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.wait()


def run(args, path):
    engine = start_engine(path, args.move_time)
    require(engine.ping(), "no pong")
    first = game(engine, draughts.StandardBoard(), args.move_time, args.max_plies)
    second = game(engine, draughts.StandardBoard.from_fen(FEN), args.move_time, args.max_plies)
    stop_engine(engine)
    transcript.check_complete()
    return first, second


def main():
    args = parse_args(__doc__, 600)
    start = time.monotonic()
    logger.remove()
    logger.add(wiretap, level="DEBUG", format="{message}", catch=False)
    with tempfile.TemporaryDirectory() as folder:
        path = args.command[0]
        if args.command[1:] != ["hub"]:
            # The library always runs "PATH hub"; give it a path that runs the given command.
            path = os.path.join(folder, "engine")
            with open(path, "w") as script:
                script.write("#!/bin/sh\nexec " + shlex.join(args.command) + "\n")
            os.chmod(path, 0o755)
        try:
            start_watchdog(args.timeout)
            first, second = run(args, path)
            signal.alarm(0)
        except BaseException as error:
            signal.alarm(0)
            report_failure(NAME, error, transcript)
            return 1
        finally:
            kill_all()
    print(
        f"{NAME}: ok: game 1 {first[0]} plies {first[1]}, "
        f"game 2 from FEN {second[0]} plies {second[1]}, "
        f"{transcript.sent['go']} searches, {time.monotonic() - start:.1f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
