"""Games to the end, by clicks and by keys, and the first move of every variant."""

import random

from board import until

# A game between random moves and level 1 ends long before.
MOST_PLIES = 400


def play_to_the_end(board, move):
    """Plays White against the engine with random moves, made by `move`, until the page says how it ended."""
    choices = random.Random(5)
    for _ in range(MOST_PLIES):
        line = board.line()
        before, view = line["moves"], board.program.ask("/api/position", line)
        if view["outcome"]:
            break
        if view["turn"] == "white":
            board.shows(view["fen"])
            move(choices.choice(view["moves"]))
        else:
            board.played(before)
    assert view["outcome"], f"no end after {board.moves()}"
    winner = view["outcome"]["winner"]
    expected = f"{winner.capitalize()} wins" if winner else "Draw"
    until(lambda: board.status().startswith(expected), lambda: f"{expected}, not {board.status()}")
    assert len(board.moves()) > 10


def test_a_whole_game_against_level_1_by_clicks(board):
    board.two_persons("english")
    board.choose(seconds="0.1", seat_black="level:1")
    play_to_the_end(board, board.play)


def cursor(board):
    return board.page.evaluate("document.querySelector('#board .cursor')?.dataset.at ?? null")


def go_to(board, squares, target):
    """Leads the cursor to a square with the arrow keys: its row first, then its column."""
    column, row = squares[target]
    if cursor(board) is None:
        board.page.keyboard.press("Enter")
    for _ in range(40):
        at = squares[cursor(board)]
        if at[1] != row:
            board.page.keyboard.press("ArrowDown" if at[1] < row else "ArrowUp")
        elif at[0] != column:
            board.page.keyboard.press("ArrowRight" if at[0] < column else "ArrowLeft")
        else:
            return
    raise AssertionError(f"the cursor does not get to {target}")


def test_a_game_to_its_end_by_keyboard(board):
    # The game by clicks begins at the beginning; half as many men are enough to crown some.
    board.two_persons("english")
    board.set_up("W:W22,24,25,27,30,32:B1,3,6,8,9,11", seconds="0.1", seat_black="level:1")
    board.page.locator("#board svg").focus()
    squares = board.squares()

    def move(chosen):
        before = board.moves()
        board.page.keyboard.press("Escape")
        for square in chosen["path"]:
            if board.moves() != before:
                break
            go_to(board, squares, square)
            board.page.keyboard.press("Enter")
        board.played(before)
        # Moves are read out.
        assert board.page.locator("#announcer").inner_text()

    play_to_the_end(board, move)


def test_the_first_move_of_every_variant(board):
    board.choose(seat_white="person", seat_black="person")
    for variant in board.program.ask("/api/about")["variants"]:
        name = variant["name"]
        board.two_persons(name)
        move = board.position()["moves"][0]
        assert set(board.pieces()) == {piece["square"] for piece in board.position()["pieces"]}, name
        board.play(move)
        assert board.moves() == [move["text"]], name
        until(lambda: move["path"][-1] in board.pieces(), f"{name}: a piece on {move['path'][-1]}")
        assert move["path"][0] not in board.pieces(), name


def test_the_corner_of_the_italian_board_is_light(board):
    # The dark corner at White's left is the mark of all boards but the Italian one.
    board.two_persons("italian")
    assert (0, 7) not in board.squares().values() and (7, 7) in board.squares().values()
    box = board.box("#board svg")
    corner = "([x, y]) => document.elementFromPoint(x, y).dataset.name ?? null"
    left, right = box["x"] + 8, box["x"] + box["width"] - 8
    bottom = box["y"] + box["height"] - 8
    assert board.page.evaluate(corner, [left, bottom]) is None
    assert board.page.evaluate(corner, [right, bottom]) == "32"


def test_a_move_by_dragging_and_one_by_touch(judged, program):
    board = judged(program, has_touch=True).open()
    board.two_persons("international")
    page = board.page
    middle = [board.middle(name) for name in ("32", "28")]
    page.mouse.move(*middle[0])
    page.mouse.down()
    page.mouse.move(*middle[1], steps=4)
    page.mouse.up()
    board.played([])
    board.play(next(move for move in board.position()["moves"] if move["text"] == "19-23"), board.tap)
    assert board.moves() == ["32-28", "19-23"]
