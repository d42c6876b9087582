#!/usr/bin/env python3
"""Games through the DXPEngine of pydraughts against `kroon dxp listen`, with take-backs."""

import logging
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True

import draughts  # noqa: E402
import draughts.engine  # noqa: E402

NAME = "pydraughts (DXP)"
MAX_PLIES = 240
TAKE_BACK_AT = 10
FEN = "B:W27,28,32,33,37,38,42,K46:B8,9,12,13,14,18,19,K5"


class Failure(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Failure(message)


class Wire(logging.Handler):
    """Keeps the protocol messages and the complaints of the library's debug log."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.lines = []

    def emit(self, record):
        text = record.getMessage()
        if text.startswith(("rcv ", "snd ", "Error", "\nrcv Unknown")):
            self.lines.append(text.strip())

    def glued(self):
        """Messages that the library took for one, because one read gave it both.

        Kroon pauses between them; a machine that stalls for longer than the pause brings them together all the same.
        """
        return [line for line in self.lines if re.match(r"rcv (BACKACC: K0M|GAMEACC: A.{33}M)", line)]

    def complaints(self):
        # After the end the library reads on from its own closed socket.
        return [line for line in self.lines if line.startswith(("Error: received", "rcv UNKNOWN", "\nrcv"))]


def start(command, pdn):
    args = [*command, "listen", "--port", "0", "--move-time", "0.02", "--hash", "4", "--pdn", pdn]
    process = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1)
    first = process.stdout.readline().strip()
    require(first.startswith("listening on 127.0.0.1:"), f"unexpected first line: {first!r}")
    output = []
    threading.Thread(target=lambda: output.extend(process.stdout), daemon=True).start()
    return process, int(first.rsplit(":", 1)[1]), output


def own_move(board, ply):
    """Some legal move: captures come in an order that the library chooses, so vary with the ply."""
    moves = board.legal_moves()
    return moves[ply * 7 % len(moves)]


def play(port, fen, engine_first, take_back):
    """One game to its end; returns the board as the library has it."""
    engine = draughts.engine.DXPEngine(
        options={"engine-opened": True, "ip": "127.0.0.1", "port": str(port), "max-moves": "150"},
        initial_time=60,
    )
    # Its thread spins for ever on a closed connection, and must not keep us.
    engine.receiver.receive_thread.daemon = True
    board = draughts.Board(variant="standard", fen=fen)
    taken_back = 0
    if not engine_first:
        board.push(own_move(board, 0))
    # The library gives the engine the colour that is to move at the first call.
    engine_color = board.turn
    while not over(board) and len(board.move_stack) < MAX_PLIES:
        result = engine.play(board)
        require(result.move is not None, "the engine said nothing more")
        legal = {move.hub_position_move for move in board.legal_moves()}
        require(result.move.hub_position_move in legal, f"illegal move {result.move.steps_move}")
        board.push(result.move)
        if take_back and taken_back < 2 and len(board.move_stack) >= TAKE_BACK_AT:
            taken_back += 1
            # First to a position in which we move, then to one in which the engine does.
            other = draughts.BLACK if engine_color == draughts.WHITE else draughts.WHITE
            color = other if taken_back == 1 else engine_color
            granted, board, answer = engine.takeback(3, color)
            require(granted, "the take-back was refused")
            if color == engine_color:
                require(answer.move is not None, "no move after the take-back")
                board = engine.sender.current.pos.copy()
            require(len(board.move_stack) in (4, 5, 6), f"{len(board.move_stack)} moves after the take-back")
        if over(board):
            break
        board.push(own_move(board, len(board.move_stack)))
    if over(board) and board.turn == engine_color:
        # The engine has lost or drawn, and says so in place of a move.
        engine.sender.send_move(board.move_stack[-1])
        ended = wait_for(lambda: engine.sender.current.result is not None, 10)
        require(ended, "no GAMEEND from the engine, which is to move in a game that is over")
    else:
        engine.sender.gameend()
    wait_for(lambda: False, 0.3)
    # The library's own close sleeps for seconds.
    engine.sender.socket.sock.close()
    engine.sender.socket.sock = None
    require(not take_back or taken_back == 2, "the game was too short for take-backs")
    return board


def over(board):
    return board.is_over() or not board.legal_moves()


def wait_for(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def check_pdn(pdn, boards):
    with open(pdn, encoding="utf-8") as file:
        text = file.read()
    games = [game for game in text.split("[Event ") if game]
    require(len(games) == len(boards), f"{len(games)} games saved, {len(boards)} played")
    for game, board in zip(games, boards):
        words = game.split("\n\n")[1].split()
        moves = [word for word in words[:-1] if not word.endswith(".")]
        require(
            len(moves) == len(board.move_stack),
            f"{len(moves)} moves saved, {len(board.move_stack)} played\n{game}",
        )
        for ours, theirs in zip(moves, board.move_stack):
            steps = theirs.steps_move
            ends = ours.replace("x", "-").split("-")
            require(
                (int(ends[0]), int(ends[-1])) == (steps[0], steps[-1]),
                f"{ours} saved, {steps} played",
            )
    return [game.split('[Result "')[1].split('"')[0] for game in games]


def main():
    again = sys.argv[2:] == ["again"]
    if len(sys.argv) != 2 and not again:
        print(f"usage: {sys.argv[0]} 'target/release/kroon dxp'", file=sys.stderr)
        return 2
    command = shlex.split(sys.argv[1])
    wire = Wire()
    logger = logging.getLogger("pydraughts")
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    logger.addHandler(wire)

    def expire(signum, frame):
        raise Failure("watchdog: not finished in time")

    # The library's reading thread dies of the socket that is closed under it.
    threading.excepthook = lambda args: None
    signal.signal(signal.SIGALRM, expire)
    signal.alarm(300)
    begin = time.monotonic()
    process = None
    output = []
    code = 1
    with tempfile.TemporaryDirectory() as folder:
        pdn = os.path.join(folder, "games.pdn")
        try:
            process, port, output = start(command, pdn)
            boards = [
                play(port, "startpos", engine_first=True, take_back=True),
                play(port, FEN, engine_first=False, take_back=False),
            ]
            require(not wire.complaints(), "; ".join(wire.complaints()[:3]))
            process.terminate()
            require(process.wait(10) == 0, f"exit status {process.returncode} after SIGTERM")
            results = check_pdn(pdn, boards)
            for kind in ("rcv GAMEACC", "rcv MOVE", "rcv BACKACC: K0"):
                require(any(line.startswith(kind) for line in wire.lines), f"no {kind} in the dialogue")
            plies = ", ".join(f"{len(board.move_stack)} plies {result}" for board, result in zip(boards, results))
            # The library notes each of these twice.
            backs = sum(line.startswith("rcv BACKACC: K0") for line in wire.lines) // 2
            print(f"{NAME}: ok: {plies}; {backs} take-backs; {time.monotonic() - begin:.1f} s")
            code = 0
        except BaseException as error:
            print(f"{NAME}: FAILED: {type(error).__name__}: {error}", file=sys.stderr)
            print("\n".join(["  last messages:"] + ["    " + line for line in wire.lines[-30:]]), file=sys.stderr)
            print("\n".join(["  output:"] + ["    " + line.rstrip() for line in output[-30:]]), file=sys.stderr)
        finally:
            signal.alarm(0)
            if process is not None and process.poll() is None:
                process.kill()
    sys.stdout.flush()
    sys.stderr.flush()
    if code != 0 and wire.glued() and not again:
        print(f"{NAME}: the library took two messages for one; once more", file=sys.stderr, flush=True)
        os.execv(sys.executable, [sys.executable, *sys.argv, "again"])
    # Threads of the library may be spinning.
    os._exit(code)


if __name__ == "__main__":
    main()
