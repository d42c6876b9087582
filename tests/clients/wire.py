"""Helpers shared by the client tests: arguments, watchdog, protocol transcript."""

import argparse
import collections
import os
import shlex
import shutil
import signal
import sys

KNOWN_ANSWERS = {"id", "param", "wait", "ready", "pong", "info", "done"}


class Failure(Exception):
    """The engine, or its conversation with the client, is at fault."""


def require(condition, message):
    if not condition:
        raise Failure(message)


SLACK = 1.5  # seconds of wall clock forgiven on a busy machine


class Punctuality:
    """Answers beyond SLACK: a pause of the machine may delay a few, a program that does not keep time delays more."""

    FORGIVEN = 2
    LONGEST = 20.0

    def __init__(self):
        self.late = 0

    def check(self, late, what):
        """Whether the answer came so late (in seconds) that it had to be forgiven."""
        if late <= SLACK:
            return False
        self.late += 1
        require(self.late <= self.FORGIVEN and late < self.LONGEST, f"{what}: {late:.2f} s late, answer {self.late} of this kind")
        return True


def parse_args(description, timeout):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("engine", help="engine command as one string, e.g. 'target/release/kroon hub'")
    parser.add_argument("--move-time", type=float, default=0.05, help="seconds per move")
    parser.add_argument("--max-plies", type=int, default=300, help="plies after which a game is left unfinished")
    parser.add_argument("--timeout", type=int, default=timeout, help="seconds until the whole run fails")
    args = parser.parse_args()
    args.command = shlex.split(args.engine)
    if not args.command:
        parser.error("empty engine command")
    program = args.command[0]
    if os.sep not in program and not os.path.exists(program):
        program = shutil.which(program) or program
    if not os.path.exists(program):
        parser.error(f"no such engine: {args.command[0]}")
    args.command[0] = os.path.abspath(program)
    return args


def start_watchdog(seconds):
    def expire(signum, frame):
        raise Failure(f"watchdog: not finished after {seconds} s")

    signal.signal(signal.SIGALRM, expire)
    signal.alarm(seconds)


class Transcript:
    """Follows the lines of every engine process and notes what is out of order."""

    def __init__(self):
        self.tail = collections.deque(maxlen=40)
        self.faults = []
        self.sent = collections.Counter()
        self.received = collections.Counter()
        self.negative_times = 0
        self.searching = {}
        self.scored = {}

    def to_engine(self, engine, line):
        self.tail.append(f"{engine} > {line}")
        command = line.split(None, 1)[0]
        self.sent[command] += 1
        if command == "go":
            if self.searching.get(engine):
                self.faults.append("the client sent go during a search")
            self.searching[engine] = True
            self.scored[engine] = False
        elif line.startswith("level ") and "time=-" in line:
            self.negative_times += 1

    def from_engine(self, engine, line):
        self.tail.append(f"{engine} < {line}")
        command = (line.split(None, 1) or [""])[0]
        self.received[command] += 1
        if command not in KNOWN_ANSWERS:
            self.faults.append(f"unexpected line from the engine: {line!r}")
        elif command == "info":
            if not self.searching.get(engine):
                self.faults.append(f"info outside a search: {line!r}")
            if " score=" in line and " pv=" in line:
                self.scored[engine] = True
        elif command == "done":
            if not self.searching.get(engine):
                self.faults.append(f"done without a search: {line!r}")
            elif " move=" not in line:
                self.faults.append(f"no move although the root has legal moves: {line!r}")
            elif not self.scored.get(engine):
                self.faults.append("no info with score and pv before done")
            self.searching[engine] = False

    def restart(self):
        """Forget an abandoned engine process."""
        self.sent.clear()
        self.received.clear()
        self.searching.clear()

    def check(self):
        require(not self.faults, "; ".join(self.faults[:3]))

    def check_complete(self):
        self.check()
        for query, answer in (("go", "done"), ("ping", "pong"), ("init", "ready"), ("hub", "wait")):
            require(
                self.sent[query] == self.received[answer],
                f"{self.sent[query]} {query} sent but {self.received[answer]} {answer} received",
            )

    def dump(self):
        for line in self.tail:
            print("    " + line[:300], file=sys.stderr)


def report_failure(name, error, transcript):
    print(f"{name}: FAILED: {type(error).__name__}: {error}", file=sys.stderr)
    for fault in transcript.faults[:5]:
        print(f"  fault: {fault}", file=sys.stderr)
    print("  last protocol lines:", file=sys.stderr)
    transcript.dump()
