#!/usr/bin/env python3
"""Runs the Python examples of README.md and protocol-docs/*.md as they stand.

An example that needs a library begins with `# pip install NAME==VERSION` and runs in the virtual environment that has
this version; the others run in this Python. `kroon` is on the path, as the pages promise.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEEDS = re.compile(r"# pip install (\S+==\S+)\n")
SECONDS = 600  # until an example has failed


def examples():
    """Page, number of the first line, text."""
    for page in [ROOT / "README.md", *sorted((ROOT / "protocol-docs").glob("*.md"))]:
        text = page.read_text()
        for block in BLOCK.finditer(text):
            yield page.name, text.count("\n", 0, block.start(1)) + 1, block.group(1)


def interpreter(text, venvs):
    needs = NEEDS.match(text)
    if not needs:
        return sys.executable
    for stamp in venvs.glob("*/installed"):
        if needs.group(1) in stamp.read_text().split():
            return stamp.with_name("bin") / "python"
    raise LookupError(f"no virtual environment has {needs.group(1)}")


def run(text, kroon, venvs):
    """What is wrong with an example, if anything."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(kroon, os.path.join(folder, "kroon"))
        environment = dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"])
        environment.pop("KROON_LOG", None)
        try:
            command = [interpreter(text, venvs), "-c", text]
            done = subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS
            )
        except (LookupError, subprocess.TimeoutExpired) as error:
            return str(error)
    # Standard error alone proves nothing: a library warns of what it does not close itself.
    if done.returncode != 0 or "Traceback" in done.stderr:
        return f"exit status {done.returncode}\n{done.stderr}"
    return None if done.stdout.strip() else "it prints nothing"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kroon", type=os.path.abspath, help="the program")
    parser.add_argument("venvs", type=pathlib.Path, help="folder of virtual environments, as run.sh makes them")
    args = parser.parse_args()
    count = failed = 0
    for page, line, text in examples():
        count += 1
        wrong = run(text, args.kroon, args.venvs)
        if wrong:
            failed += 1
            print(f"examples: FAILED: {page}:{line}: {wrong}", file=sys.stderr)
    if count < 2:
        print("examples: FAILED: the pages show how to use Python", file=sys.stderr)
        return 1
    if not failed:
        print(f"examples: ok: {count} Python examples of the documentation")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
