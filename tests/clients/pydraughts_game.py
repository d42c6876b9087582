#!/usr/bin/env python3
"""Whole games through the HubEngine of pydraughts, in the way a playing bot uses it."""

import logging
import os
import re
import signal
import sys
import threading
import time

sys.dont_write_bytecode = True

import draughts  # noqa: E402
import draughts.engine  # noqa: E402
from draughts.engine import Limit  # noqa: E402

from wire import Punctuality, Transcript, parse_args, report_failure, require, start_watchdog  # noqa: E402

NAME = "pydraughts"
FEN = "B:W27,28,32,33,37,38,42,K46:B8,9,12,13,14,18,19,K5"
UNKNOWN_PARAMETER = "initial-time"
KNOWN_PARAMETERS = {"variant": "normal", "threads": "1", "ponder": True}

transcript = Transcript()
punctuality = Punctuality()
LONG_PAUSE = 5.0  # seconds that a machine may stand still
processes = []


class Wiretap(logging.Handler):
    """Takes the protocol lines out of the library's debug log."""

    PATTERN = re.compile(r"(<<|>>) %s (\d+) (.*)$")

    def emit(self, record):
        match = self.PATTERN.search(record.msg)
        if not match:
            return
        direction, pid, line = match.groups()
        if direction == "<<":
            transcript.to_engine(int(pid), line)
        else:
            transcript.from_engine(int(pid), line)


class Client(draughts.engine.HubEngine):
    def _open_process(self, *args, **kwargs):
        process = super()._open_process(*args, **kwargs)
        processes.append(process)
        return process

    def go(self, *args, **kwargs):
        start = time.monotonic()
        answer = super().go(*args, **kwargs)
        self.finished = time.monotonic()
        self.elapsed = self.finished - start
        return answer


class Ponder:
    """A ponder search in its own thread; the library blocks in play()."""

    def __init__(self, engine, board, limit):
        self.engine = engine
        self.answer = None
        self.error = None
        self.thread = threading.Thread(target=self._search, args=(board, limit), daemon=True)
        self.thread.start()
        deadline = time.monotonic() + 10
        while engine._last_sent != "go ponder" and self.thread.is_alive():
            require(time.monotonic() < deadline, "go ponder was never sent")
            time.sleep(0.001)

    def _search(self, board, limit):
        try:
            self.answer = self.engine.play(board, limit, True)
        except Exception as error:
            self.error = error

    def finish(self, what):
        self.thread.join(30)
        require(not self.thread.is_alive(), f"no done after {what}")
        if self.error is not None:
            raise self.error
        return self.answer

    def hit(self):
        start = time.monotonic()
        self.engine.ponderhit()
        answer = self.finish("ponder-hit")
        self.engine.elapsed = max(0.0, self.engine.finished - start)
        return answer

    def miss(self):
        self.engine.stop()
        return self.finish("stop")


def start_engine(command):
    engine = Client(command)
    require(engine.id.get("name") and engine.id.get("version"), "id without name or version")
    require("normal" in engine.variants, "variant normal is not declared")
    known = {name: value for name, value in KNOWN_PARAMETERS.items() if name in engine.options}
    require(UNKNOWN_PARAMETER not in engine.options, f"{UNKNOWN_PARAMETER} is declared, choose another name")
    engine.configure({UNKNOWN_PARAMETER: "180", **known})
    engine.init()
    engine.ping()
    return engine


def inject(engine, line):
    """Send a line past the library, whose own ponder-hit waits for "go ponder" to be the last line sent."""
    transcript.to_engine(engine.p.pid, line)
    engine.p.stdin.write(line + "\n")
    engine.p.stdin.flush()


def stop_engine(engine):
    engine.quit()
    code = engine.p.wait(10)
    require(code == 0, f"exit status {code} after quit")


def legal_hub_moves(board):
    return {canonical(move.hub_move) for move in board.legal_moves()}


def canonical(hub_move):
    if "-" in hub_move:
        return hub_move
    squares = hub_move.split("x")
    return "x".join(squares[:2] + sorted(squares[2:], key=int))


def play_checked(board, result):
    """Play the engine's move on the board after checking it and the ponder move."""
    move = result.move
    require(canonical(move.hub_move) in legal_hub_moves(board), f"illegal move {move.hub_move} in {board.fen}")
    board.push(move)
    if result.ponder is not None:
        require(
            canonical(result.ponder.hub_move) in legal_hub_moves(board),
            f"illegal ponder move {result.ponder.hub_move} after {move.hub_move}",
        )
    transcript.check()


def outcome(board):
    winner = board.winner()
    return {None: "unfinished", 0: "draw", draughts.WHITE: "2-0", draughts.BLACK: "0-2"}[winner]


def require_speed(engine, allowed, what):
    """For a situation that comes once."""
    late = engine.elapsed - allowed
    require(late < LONG_PAUSE, f"{what}: {engine.elapsed:.2f} s used, {allowed:.2f} s allowed")


def move_on_time(engine, allowed, what):
    """For a move of many."""
    punctuality.check(engine.elapsed - allowed, f"{what}: {engine.elapsed:.2f} s used, {allowed:.2f} s allowed")


def move_time_game(command, move_time, max_plies):
    """From the initial position, one process per side, fixed time per move."""
    engines = {color: start_engine(command) for color in (draughts.WHITE, draughts.BLACK)}
    board = draughts.Board("standard")
    while not board.is_over() and len(board.move_stack) < max_plies:
        engine = engines[board.turn]
        result = engine.play(board, Limit(movetime=move_time), False)
        move_on_time(engine, move_time, "move-time")
        play_checked(board, result)
        if len(board.move_stack) % 50 == 0:
            engine.ping()
    for engine in engines.values():
        stop_engine(engine)
    return board


def clock_game(command, max_plies):
    """From a FEN, with clocks; White ponders on its expected replies."""
    inc = 0.05
    engines = {color: start_engine(command) for color in (draughts.WHITE, draughts.BLACK)}
    clocks = {draughts.WHITE: 3.0, draughts.BLACK: 3.0}
    board = draughts.Board("standard", FEN)
    ponder = None
    expected = None
    hits = misses = 0
    while not board.is_over() and len(board.move_stack) < max_plies:
        color = board.turn
        engine = engines[color]
        result = None
        if color == draughts.WHITE and ponder is not None:
            if canonical(board.move_stack[-1].hub_move) == expected:
                hits += 1
                result = ponder.hit()
            else:
                misses += 1
                ponder.miss()
            ponder = None
        if result is None:
            result = engine.play(board, Limit(time=clocks[color], inc=inc), False)
        left = clocks[color] - engine.elapsed
        # A delay that is forgiven costs the time that there was.
        clocks[color] = inc + (0.0 if punctuality.check(-left, "clock") else left)
        play_checked(board, result)
        if color == draughts.WHITE and result.ponder is not None and not board.is_over():
            ahead = board.copy()
            ahead.push(result.ponder)
            if not ahead.is_over():
                expected = canonical(result.ponder.hub_move)
                ponder = Ponder(engine, ahead, Limit(time=clocks[color], inc=inc))
    if ponder is not None:
        ponder.miss()
    for engine in engines.values():
        stop_engine(engine)
    return board, hits, misses, min(clocks.values())


def exercises(command):
    """Single situations: limits, negative time, ponder, repeated init, end of input."""
    engine = start_engine(command)
    board = draughts.Board("standard")

    for limit in (Limit(depth=3), Limit(nodes=2000), Limit(time=2, inc=0.1), Limit(time=5.0)):
        result = engine.play(board, limit, False)
        require_speed(engine, limit.time or 1.0, f"limit {vars(limit)}")
        play_checked(board, result)

    # The library subtracts the increment beforehand, so these go out as negative times.
    before = transcript.negative_times
    for clock, inc in ((1, 2), (0.05, 0.2), (0.0, 0.1)):
        result = engine.play(board, Limit(time=clock, inc=inc), False)
        require_speed(engine, clock, f"clock {clock} s, increment {inc} s")
        play_checked(board, result)
    require(transcript.negative_times == before + 3, "no negative time was sent")

    # moves per control is reachable through go() only
    history = " ".join(move.hub_move for move in board.move_stack)
    hub_move, _ponder = engine.go(board._game.initial_hub_fen, history, 2.0, 0.1, 10)
    require_speed(engine, 2.0, "moves=10")
    require(canonical(hub_move) in legal_hub_moves(board), f"illegal move {hub_move} in {board.fen}")

    # Ponder with a ping in it, then ponder-hit: the move comes within the limit.
    pongs = transcript.received["pong"]
    ponder = Ponder(engine, board.copy(), Limit(movetime=0.2))
    inject(engine, "ping")
    deadline = time.monotonic() + 5
    while transcript.received["pong"] == pongs:
        require(time.monotonic() < deadline, "no pong during ponder")
        time.sleep(0.001)
    time.sleep(0.2)
    result = ponder.hit()
    require_speed(engine, 0.2, "ponder-hit")
    play_checked(board, result)

    # Ponder miss: stop, then a stray stop and ponder-hit while idle, then a normal search.
    Ponder(engine, board.copy(), Limit(time=60, inc=1)).miss()
    inject(engine, "stop")
    inject(engine, "ponder-hit")
    result = engine.play(board, Limit(movetime=0.1), False)
    require_speed(engine, 0.1, "search after a ponder miss")
    play_checked(board, result)

    engine.init()
    engine.ping()
    stop_engine(engine)

    # End of input during a ponder search: the engine leaves without being told.
    engine = start_engine(command)
    Ponder(engine, draughts.Board("standard"), Limit(time=60, inc=1))
    transcript.sent["go"] -= 1  # this search needs no answer
    answers = transcript.received["done"]
    engine.p.stdin.close()
    engine.p.wait(10)
    time.sleep(0.05)
    transcript.received["done"] = answers


def kill_all():
    for process in processes:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        process.wait()


def main():
    args = parse_args(__doc__, 600)
    start = time.monotonic()
    logger = logging.getLogger("pydraughts")
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    logger.addHandler(Wiretap())
    try:
        start_watchdog(args.timeout)
        exercises(args.command)
        first = move_time_game(args.command, args.move_time, args.max_plies)
        second, hits, misses, clock = clock_game(args.command, args.max_plies)
        transcript.check_complete()
        signal.alarm(0)
    except BaseException as error:
        signal.alarm(0)
        report_failure(NAME, error, transcript)
        return 1
    finally:
        kill_all()
    print(
        f"{NAME}: ok: game 1 {len(first.move_stack)} plies {outcome(first)}, "
        f"game 2 from FEN {len(second.move_stack)} plies {outcome(second)} "
        f"(lowest clock {clock:.2f} s, ponder {hits} hits {misses} misses), "
        f"{transcript.sent['go']} searches, {time.monotonic() - start:.1f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
