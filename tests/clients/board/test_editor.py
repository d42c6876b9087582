"""The editor of positions: pieces by click, by dragging with a mouse and with a finger."""

import pytest
from board import until


def edit(board, fen="W:W31,K46:B1,20"):
    board.two_persons()
    board.set_up(fen)
    board.page.click("#edit")
    until(lambda: board.page.locator("#brush-white-man").is_visible(), "the palette")


def shows(board, pieces):
    until(lambda: board.pieces() == pieces, lambda: f"{pieces}, not {board.pieces()}")


def middle_of(board, selector):
    box = board.box(selector)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(board, start, end):
    """With the mouse, between points of the page."""
    mouse = board.page.mouse
    mouse.move(*start)
    mouse.down()
    mouse.move(*end, steps=5)
    mouse.up()


def swipe(board, start, end):
    """The same with a finger."""
    session = board.page.context.new_cdp_session(board.page)

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    touch("touchStart", start)
    for step in range(1, 6):
        touch("touchMove", tuple(a + (b - a) * step / 5 for a, b in zip(start, end)))
    touch("touchEnd")


@pytest.mark.parametrize("how, width, height", [(drag, 1280, 860), (swipe, 360, 740)])
def test_pieces_are_dragged(judged, program, how, width, height):
    board = judged(program, has_touch=how is swipe, viewport={"width": width, "height": height}).open()
    edit(board)
    board.page.evaluate("scrollTo(0, 0)")
    start = {"31": "white", "46": "white king", "1": "black", "20": "black"}
    shows(board, start)
    # On the board, over an own piece and over one of the other side.
    how(board, board.middle("31"), board.middle("27"))
    shows(board, {"27": "white", "46": "white king", "1": "black", "20": "black"})
    how(board, board.middle("46"), board.middle("20"))
    shows(board, {"27": "white", "20": "white king", "1": "black"})
    # From the palette.
    how(board, middle_of(board, "#brush-black-king"), board.middle("50"))
    shows(board, {"27": "white", "20": "white king", "1": "black", "50": "black king"})
    # On a light square it is back where it was; off the board it is gone.
    x, y = board.middle("27")
    width = board.box("#board [data-name='27']")["width"]
    how(board, (x, y), (x + width, y))
    shows(board, {"27": "white", "20": "white king", "1": "black", "50": "black king"})
    how(board, board.middle("1"), middle_of(board, "h1"))
    shows(board, {"27": "white", "20": "white king", "50": "black king"})
    # What comes from beside the board and does not get there is nowhere.
    how(board, middle_of(board, "#brush-white-man"), middle_of(board, "h1"))
    shows(board, {"27": "white", "20": "white king", "50": "black king"})
    board.page.click("#edit")
    until(lambda: board.kept()["start"] == "W:W27,K20:BK50", lambda: board.kept()["start"])
    board.settled()


def test_a_position_that_is_set_up_waits_for_its_player(board):
    page = board.page
    orders = []
    page.on("request", lambda request: request.url.endswith("/go") and orders.append(request.url))
    board.choose(seconds="0.1")
    # It is the turn of Kroon.
    board.set_up("B:W31,32,38:B12,18,20")
    page.wait_for_timeout(300)
    assert board.moves() == [] and not orders and page.inner_text("#go_on") == "Play on from here"
    page.click("#go_on")
    board.played([])
    # It goes on by itself where a person begins.
    board.set_up("W:W31,32,38:B12,18,20")
    board.play(board.position()["moves"][0])
    until(lambda: len(board.moves()) == 2, "Kroon's answer")


@pytest.mark.forgives("status of 422")
def test_a_fen_that_is_refused_can_be_mended(board):
    page = board.page
    field, fault = page.locator("#fen"), page.locator("#fen-fault")
    board.two_persons()
    before = board.fen()
    field.fill("W:W31,99:B1")
    page.click("#set_up")
    until(lambda: "99" in fault.inner_text(), "what is wrong")
    # Whatever else is shown meanwhile leaves it there.
    board.choose(pieces="large")
    assert board.fen() == "W:W31,99:B1" and field.get_attribute("aria-invalid") == "true"
    field.fill("W:W31,49:B1")
    page.click("#set_up")
    until(lambda: board.kept()["start"] == "W:W31,49:B1", "the position")
    until(lambda: fault.inner_text() == "" and field.get_attribute("aria-invalid") == "false", "no fault")
    # Another position takes the place of what was refused.
    field.fill("W:W99:B1")
    page.click("#set_up")
    until(lambda: "99" in fault.inner_text(), "what is wrong")
    page.click("#new_game")
    board.shows(before)


@pytest.mark.forgives("status of 422")
def test_a_click_sets_a_piece_and_a_second_one_takes_it_away(board):
    edit(board)
    # Nothing is played meanwhile.
    assert all(board.page.locator(f"#{order}").is_disabled() for order in ("take_back", "hint", "draw", "resign"))
    board.page.click("#brush-black-king")
    board.click("25")
    shows(board, {"31": "white", "46": "white king", "1": "black", "20": "black", "25": "black king"})
    board.click("31")
    shows(board, {"31": "black king", "46": "white king", "1": "black", "20": "black", "25": "black king"})
    board.click("31")
    shows(board, {"46": "white king", "1": "black", "20": "black", "25": "black king"})
    # By keys: the cursor begins in the middle of the board, on 26.
    board.page.locator("#brush-white-man").press("Enter")
    board.page.locator("#board svg").focus()
    for key in ("Enter", "Enter"):
        board.page.keyboard.press(key)
    shows(board, {"46": "white king", "1": "black", "20": "black", "25": "black king", "26": "white"})
    # What is wrong with a position is said as the engine says it.
    board.page.locator("#brush-black-man").click()
    board.click("48")
    until(lambda: "48" in board.status(), lambda: f"a black man on his last row: {board.status()!r}")
    board.page.click("#edit")
    until(lambda: "48" in board.status(), "still wrong")
    assert board.page.locator("#brush-white-man").is_visible()


def test_keys_and_steps_leave_the_editor_alone(board):
    edit(board, "W:W31:B1")
    board.click("46")
    placed = {"31": "white", "46": "white", "1": "black"}
    shows(board, placed)
    for key in ("ArrowDown", "ArrowLeft", "Home", "End"):
        board.page.keyboard.press(key)
    assert all(board.page.locator(f"#{step}").is_disabled() for step in ("start", "back", "forward", "end"))
    board.page.wait_for_timeout(200)
    shows(board, placed)
    board.page.click("#edit")
    until(lambda: not board.page.locator("#brush-white-man").is_visible(), "the game")
    shows(board, placed)
    assert board.page.locator("#start").is_enabled()


@pytest.mark.forgives("status of 422")
def test_the_editor_shows_nothing_of_the_game(board):
    page = board.page
    board.two_persons()
    board.play(next(move for move in board.position()["moves"] if move["text"] == "32-28"))
    board.resign()
    until(lambda: "wins" in board.status(), "the end of the game")
    page.click("#back")
    board.settled()
    page.click("#engine")
    until(lambda: page.locator(".lines li").count() == 2 and page.locator(".book button").count() > 0, "lines and book")
    tree = board.kept()["tree"]
    page.click("#edit")
    until(lambda: page.locator("#brush-white-man").is_visible(), "the palette")
    assert "wins" not in board.status()
    assert page.locator(".lines li, .book button").count() == 0 and not page.locator("#bar").is_visible()
    assert page.locator("#promote").is_disabled() and page.locator("#remove").is_disabled()
    board.click("28")
    shows(board, {**board.pieces(), "28": "white"})
    assert board.kept()["tree"] == tree


@pytest.mark.forgives("status of 422")
def test_a_reload_keeps_what_is_edited(board):
    page = board.page
    edit(board)
    # The piece that a click sets is marked from the beginning.
    assert page.locator("#brush-white-man").get_attribute("aria-pressed") == "true"
    board.click("31")
    until(lambda: "31" not in board.pieces(), "an empty square")
    board.click("48")
    placed = {"48": "white", "46": "white king", "1": "black", "20": "black"}
    shows(board, placed)
    for _ in range(2):
        page.reload()
        board.ready()
        until(lambda: page.locator("#brush-white-man").is_visible(), "the editor")
        shows(board, placed)
    page.click("#edit")
    until(lambda: board.kept()["start"] == "W:WK46,48:B1,20", lambda: board.kept()["start"])
    page.reload()
    board.ready().settled()
    assert not page.locator("#brush-white-man").is_visible()


def edit_a_game(board):
    """A game of three moves, of which two are shown, and the editor over it. Gives what is kept of the game."""
    board.two_persons()
    for text in ("32-28", "19-23", "28x19"):
        board.play(next(move for move in board.position()["moves"] if move["text"] == text))
    board.page.click("#back")
    board.settled()
    board.page.click("#edit")
    until(lambda: board.page.locator("#brush-white-man").is_visible(), "the palette")
    return {key: board.kept()[key] for key in ("tree", "start", "playing", "ended", "changed")}


def is_back(board, game):
    """The game is on the board as it was."""
    until(lambda: not board.page.locator("#brush-white-man").is_visible(), "the game")
    board.settled()
    assert {key: board.kept()[key] for key in game} == game and len(board.moves()) == 2
    assert board.status() == "White to move" and board.left() == []


def test_done_without_a_change_returns_to_the_game(board):
    game = edit_a_game(board)
    # A piece that is put back changes nothing.
    board.click("28")
    until(lambda: "28" not in board.pieces(), "an empty square")
    board.click("28")
    until(lambda: board.pieces()["28"] == "white", "the piece again")
    board.page.click("#edit")
    is_back(board, game)


@pytest.mark.parametrize("how", ["Cancel", "Escape", "Escape on the board"])
def test_the_editor_is_cancelled(board, how):
    page = board.page
    assert not page.locator("#cancel_edit").is_visible()
    game = edit_a_game(board)
    page.get_by_role("button", name="Clear").click()
    shows(board, {})
    page.reload()
    board.ready()
    until(lambda: page.locator("#cancel_edit").is_visible(), "the editor")
    shows(board, {})
    if how == "Cancel":
        page.click("#cancel_edit")
    else:
        page.locator("#board svg" if "board" in how else "#edit").focus()
        page.keyboard.press("Escape")
    is_back(board, game)


def test_an_empty_board_wants_pieces_of_both_colours(board):
    page = board.page
    wanted = "Both sides need a piece"
    edit(board)
    page.get_by_role("button", name="Clear").click()
    until(lambda: board.status() == wanted, board.status)
    board.click("31")
    shows(board, {"31": "white"})
    page.click("#edit")
    page.wait_for_timeout(200)
    assert board.status() == wanted and page.locator("#brush-white-man").is_visible()
    assert page.locator(".error[role=alert]").last.inner_text() == ""
    page.click("#brush-black-man")
    board.click("1")
    until(lambda: board.status() == "White to move", board.status)
    page.click("#edit")
    until(lambda: board.kept()["start"] == "W:W31:B1", lambda: board.kept()["start"])


def test_the_clock_goes_on_after_the_editor(board):
    page = board.page
    board.two_persons()
    board.choose(clock="game")
    page.click("#new_game")
    until(lambda: board.kept()["clock"], "a game with a clock")
    board.settled()
    left = lambda: page.locator("#clock-bottom .time").inner_text()
    until(lambda: left() <= "5:01", left)
    page.click("#edit")
    until(lambda: page.locator("#cancel_edit").is_visible(), "the editor")
    page.click("#cancel_edit")
    until(lambda: page.locator("#clock-bottom .time").is_visible(), "the clock")
    assert left() <= "5:01"
