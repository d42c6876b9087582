"""Games that Kroon writes as PDN, read by the parsers of two Python libraries.

Plays short matches with --results and --pdn; the moves that the installed library finds in the PDN must be those of the
results.
usage: pdn_files.py KROON
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import draughts

GAMES = 4


def results(path):
    """The squares of each move, from and to, by the number of the game."""
    games = {}
    for line in path.read_text().splitlines()[1:]:
        record = json.loads(line)
        moves = [re.split("[-x]", move)[:2] for move in record["moves"].split()]
        games[record["game"]] = [tuple(map(int, move)) for move in moves]
    return [games[number] for number in sorted(games)]


def play(kroon, folder, variant, openings):
    """A short match: the moves of its games, and its PDN file."""
    files = [folder / f"{variant}.jsonl", folder / f"{variant}.pdn"]
    engines = ["proto=kroon name=one param.hash=1 nodes=300", "proto=kroon name=two player=random depth=1"]
    command = [kroon, "match", "--variant", variant, "--openings", openings, "--games", str(GAMES)]
    command += ["--max-plies", "90", "--tc", "100+1", "--results", files[0], "--pdn", files[1]]
    for engine in engines:
        command += ["--engine", engine]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return results(files[0]), files[1]


def numbers(move):
    """From and to of a move as the library tells it; letters stay."""
    squares = re.split("[-x:]", move)
    return squares[0], squares[-1]


def read_pydraughts(path, _):
    from draughts.PDN import PDNReader

    return [[numbers(move) for move in game.moves] for game in PDNReader(filename=str(path)).games]


def read_py_draughts(path, variant):
    boards = {"international": draughts.StandardBoard}
    games = []
    # It reads one game at a time.
    for text in re.split(r"(?=^\[Event )", path.read_text(), flags=re.MULTILINE):
        if text.strip():
            board = boards[variant].from_pdn(text)
            games.append([numbers(str(move)) for move in board._moves_stack])
    return games


def algebraic(square):
    """The name of a square of the Russian board."""
    row, place = divmod(square - 1, 4)
    return "abcdefgh"[2 * place + (1 if row % 2 == 0 else 0)] + str(8 - row)


def main(kroon):
    is_pydraughts = not hasattr(draughts, "StandardBoard")
    read = read_pydraughts if is_pydraughts else read_py_draughts
    name = "pydraughts" if is_pydraughts else "py-draughts"
    variants = ["international"]
    if is_pydraughts:
        # py-draughts knows no colon, with which Russian captures are written, and of a capture that is written with all
        # its squares it looks at the first and the last: in Frisian draughts it takes other pieces then.
        variants += ["frisian", "russian", "english", "italian", "killer"]
    with tempfile.TemporaryDirectory() as folder:
        for variant in variants:
            expected, path = play(kroon, pathlib.Path(folder), variant, "random:5:1")
            found = read(path, variant)
            name_of = algebraic if variant == "russian" and is_pydraughts else str
            expected = [[(name_of(a), name_of(b)) for a, b in game] for game in expected]
            assert len(expected) == GAMES and all(len(game) > 10 for game in expected), expected
            assert found == expected, f"{variant}: {found} instead of {expected}, {path.read_text()}"
            # The same with evaluations, comments and variations.
            annotated = path.with_suffix(".annotated.pdn")
            command = [kroon, "annotate", path, "--depth", "6", "--hash", "1", "--out", annotated]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
            assert "[%eval" in annotated.read_text()
            if is_pydraughts:
                found = read(annotated, variant)
                assert found == expected, f"{variant}: {found} instead of {expected}, {annotated.read_text()}"
            long = [line for line in path.read_text().splitlines() if len(line) >= 80 and line[0] != "["]
            assert not long, long
            print(f"{name} reads {len(found)} games of {variant} draughts from PDN: {sum(map(len, found))} moves")


if __name__ == "__main__":
    main(sys.argv[1])
