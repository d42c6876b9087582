#!/usr/bin/env python3
"""Writes the outputs of examples anew: scores and nodes in the pages change with every evaluation.

usage: tests/refresh_examples.py target/release/kroon [PAGE...]     (default: README.md and protocol-docs/*.md)

Only examples that need no file and end by themselves are run; lines `...` and what stands for their like stay."""

import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

# Commands whose outputs follow from the program alone.
STABLE = ("kroon analyse", "kroon board", "kroon bench")


def output(kroon, command):
    with tempfile.TemporaryDirectory() as folder:
        words = [kroon, *shlex.split(command)[1:]]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        sys.exit(f"{command}: status {done.returncode}: {done.stderr}")
    return done.stdout


def refreshed(kroon, block):
    """A console block with one command and its output; others stay."""
    lines = block.rstrip("\n").split("\n")
    command = lines[0].removeprefix("$ ")
    if sum(line.startswith("$ ") for line in lines) != 1 or not command.startswith(STABLE) or "|" in command:
        return block
    new = output(kroon, command).rstrip("\n").split("\n")
    if "..." in lines:
        # Of a long output the end is shown.
        shown = len(lines) - lines.index("...") - 1
        new = ["...", *new[-shown:]]
    return "\n".join([lines[0], *new]) + "\n"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    kroon = os.path.abspath(sys.argv[1])
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    pages = sys.argv[2:] or [os.path.join(root, "README.md"), *sorted(glob.glob(os.path.join(root, "protocol-docs", "*.md")))]
    for page in pages:
        with open(page, encoding="utf-8") as file:
            old = file.read()
        new = re.sub(r"(?<=^```console\n)\$ kroon .*?(?=^```$)", lambda found: refreshed(kroon, found[0]), old, flags=re.M | re.S)
        if new != old:
            with open(page, "w", encoding="utf-8") as file:
                file.write(new)
            print(os.path.relpath(page))


main()
