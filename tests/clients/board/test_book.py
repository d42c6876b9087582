"""The opening book beside the board."""

import os
import subprocess

from board import until

GAMES = """[Result "{result}"]
[GameType "20"]
1. {moves} {result}

"""


def a_book(folder):
    """A book of four games: 32-28 was played three times, 31-26 once."""
    games = [("2-0", "32-28 19-23"), ("1-1", "32-28 18-23"), ("0-2", "32-28 19-23"), ("2-0", "31-26 19-23")]
    pdn, book = folder / "games.pdn", folder / "games.book"
    pdn.write_text("".join(GAMES.format(result=result, moves=moves) for result, moves in games))
    subprocess.run([os.environ["KROON"], "book", "import", "--pdn", pdn, "--out", book], check=True, timeout=600)
    return book


def test_the_book_shows_its_moves_and_a_click_plays_one(judged, programs, tmp_path):
    board = judged(programs("--book-file", str(a_book(tmp_path)))).open()
    page = board.page
    board.two_persons()
    rows = page.locator(".book tr:has(button)")
    until(lambda: rows.count() == 2, "the moves")
    texts = lambda: [row.locator("td").all_inner_texts() for row in rows.all()]
    assert {row[0]: row[3:] for row in texts()} == {"32-28": ["3", "1 / 1 / 1"], "31-26": ["1", "1 / 0 / 0"]}
    rows.locator("button", has_text="32-28").click()
    until(lambda: board.moves() == ["32-28"], "the move")
    board.settled()
    # It was a move of the game, which goes on; White's results stay on the left.
    assert board.kept()["playing"]
    until(lambda: {row[0]: row[3:] for row in texts()} == {"19-23": ["2", "1 / 0 / 1"], "18-23": ["1", "0 / 1 / 0"]}, texts)
    # Where the book knows nothing, it takes no room.
    board.play(next(move for move in board.position()["moves"] if move["text"] == "20-25"))
    until(lambda: not page.get_by_role("heading", name="Opening book").is_visible(), "no book")
    # Nor does it for other variants, unless there is one in the program.
    board.two_persons("english")
    known = board.position()["book"]
    assert rows.count() == (len(known["moves"]) if known else 0)
