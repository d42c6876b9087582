"""How the board looks: themes, pieces, names of squares, arrows and circles."""

from board import until


def ground(board):
    return board.page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_themes(judged, program):
    board = judged(program, color_scheme="dark").open()
    dark = ground(board)
    board.choose(theme="light")
    until(lambda: ground(board) != dark, "a light page")
    light = ground(board)
    board.page.emulate_media(color_scheme="light")
    board.choose(theme="dark")
    until(lambda: ground(board) == dark, "a dark page")
    board.page.reload()
    board.ready()
    assert ground(board) == dark
    board.choose(theme="system")
    until(lambda: ground(board) == light, "the page of the system")


def test_sizes_of_pieces_and_names_of_squares(board):
    board.two_persons("russian")
    width = lambda: board.box("#board .piece .body")["width"]
    sizes = []
    for name in ("small", "medium", "large"):
        board.choose(pieces=name)
        until(lambda: not sizes or width() > sizes[-1], name)
        sizes.append(width())
    assert board.page.locator("#board .label").first.inner_html() == "b8"
    board.page.locator("#square-names").uncheck()
    until(lambda: board.page.locator("#board .label").count() == 0, "no names")
    board.page.locator("#square-names").check()
    board.two_persons("english")
    assert board.page.locator("#board .label").first.inner_html() == "1"


def test_own_arrows_and_circles(board):
    board.two_persons()
    middle = {name: board.middle(name) for name in ("32", "28")}

    def drag(start, end):
        board.page.mouse.move(*middle[start])
        board.page.mouse.down(button="right")
        board.page.mouse.move(*middle[end])
        board.page.mouse.up(button="right")

    own = lambda: (board.page.locator("#board .own-head").count(), board.page.locator("#board circle.own").count())
    drag("32", "28")
    drag("28", "28")
    assert own() == (1, 1)
    # The same again takes it away.
    drag("28", "28")
    assert own() == (1, 0)
    # By keys: from the cursor to the cursor.
    board.page.keyboard.press("Escape")
    board.page.locator("#board svg").focus()
    for key in ("Enter", "a", "ArrowUp", "a"):
        board.page.keyboard.press(key)
    assert own() == (2, 0)
    assert board.moves() == []


def test_the_board_turns(board):
    board.two_persons()
    place = lambda: float(board.page.evaluate("document.querySelector('[data-name=\"46\"]').getAttribute('y')"))
    below = place()
    board.page.keyboard.press("f")
    until(lambda: place() < below, "Black below")


def test_a_known_ending(board):
    board.two_persons("english")
    board.page.locator("#fen").fill("W:WK18:B5")
    board.page.locator("#fen").press("Enter")
    until(lambda: board.page.locator("#verdict").inner_text().startswith("won"), "a verdict")
    moves = board.page.locator("#panels .verdicts li button")
    assert moves.count() == len(board.position()["moves"]) > 0
    first = moves.first.inner_text()
    moves.first.click()
    until(lambda: board.moves() == [first], "the move on the board")
    # In a game it is a move of the game, and the opponent answers.
    board.set_up("W:WK18:B5")
    board.page.click("#go_on")
    board.choose(seat_black="level:1")
    board.page.locator("#panels .verdicts li button").first.click()
    until(lambda: len(board.moves()) == 2, lambda: f"an answer to {board.moves()}")


def test_a_win_without_a_move_for_the_other_side(board):
    board.two_persons("english")
    board.set_up("W:WK27:B28")
    row = board.page.locator("#panels .verdicts li", has_text="27-32")
    until(lambda: row.inner_text() == "27-32 won, 1 ply to the next capture, crowning or end", row.inner_text)
