"""Where things stand: the players, the panels in one column or two, what is folded away and what is seen beside the board."""

import pytest
from board import until

TWO_GAMES = """[White "Jansen"]
[Black "de Vries"]
[Result "2-0"]
[GameType "20"]
1. 32-28 19-23 2-0

[White "Ivanov"]
[Black "?"]
[Result "*"]
[GameType "20"]
1. 33-29 *
"""
REFUSED = """if (navigator.clipboard) navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
document.execCommand = () => false;"""
# As for a page that comes from another machine.
NO_CLIPBOARD = 'Object.defineProperty(navigator, "clipboard", { value: undefined });'


def players(board):
    """Who is named above the board and below it."""
    return tuple(board.page.inner_text(f"#clock-{place} .who") for place in ("top", "bottom"))


def is_open(board, selector):
    return board.page.locator(selector).evaluate("one => one.open")


@pytest.mark.parametrize("script, words", [("", "Copied"), (REFUSED, "copy it with Ctrl+C"), (NO_CLIPBOARD, "Copied")],
                         ids=["allowed", "refused", "old"])
def test_what_is_said_of_a_copy_is_true(judged, program, script, words):
    board = judged(program)
    board.page.context.grant_permissions(["clipboard-write", "clipboard-read"])
    board.page.add_init_script(script)
    board.open()
    board.two_persons()
    board.page.click("#copy")
    note = board.page.locator("#copy-note")
    until(lambda: words in note.inner_text(), lambda: f"{words}: {note.inner_text()}")
    if script:
        assert board.page.evaluate("getSelection().toString()") == board.fen()
    # It is about this position only.
    board.play(board.position()["moves"][0])
    until(lambda: not note.inner_text(), "nothing")


def test_the_settings_of_a_game_make_room_for_it(board):
    board.two_persons()
    assert is_open(board, "#setup")
    board.play(board.position()["moves"][0])
    until(lambda: not is_open(board, "#setup"), "the settings folded away")
    board.page.reload()
    board.ready()
    until(lambda: not is_open(board, "#setup"), "the settings still folded away")
    board.page.click("#new_game")
    until(lambda: is_open(board, "#setup"), "the settings of a new game")


def test_settings_stay_while_they_are_changed(board):
    board.two_persons("english")
    board.choose(seconds="0.1")
    assert is_open(board, "#setup") and board.moves() == []
    board.page.locator("#seat-black").focus()
    board.page.locator("#seat-black").select_option("level:1")
    # Black begins, and the hand is still on the settings.
    until(lambda: len(board.moves()) == 1, "a move of Kroon")
    assert is_open(board, "#setup")
    board.page.locator("#board svg").focus()
    board.play(board.position()["moves"][0])
    until(lambda: not is_open(board, "#setup"), "the settings folded away")


def test_the_lines_are_seen_beside_the_board_without_scrolling(board):
    board.two_persons()
    board.play(board.position()["moves"][0])
    board.choose(lines="3")
    board.page.click("#engine")
    until(lambda: board.page.locator("#panels .lines li").count() == 3, "three lines")
    board.page.evaluate("scrollTo(0, 0)")
    heights = [line.bounding_box()["height"] for line in board.page.locator("#panels .lines li").all()]
    # The moves below them stand still, however long the lines are.
    assert max(heights) - min(heights) < 1, heights
    for selector in ("#panels .lines li:last-child", "#panels .moves button"):
        box = board.box(selector)
        assert box["y"] + box["height"] <= 860, selector


@pytest.mark.parametrize("width, height, columns", [(360, 740, 1), (1280, 860, 1), (1920, 970, 2), (3840, 2160, 2)])
def test_the_panels_use_the_room(judged, program, width, height, columns):
    board = judged(program, viewport={"width": width, "height": height}).open()
    boxes = [column.bounding_box() for column in board.page.locator("#panels .column").all()]
    assert len(boxes) == 2
    assert (boxes[1]["x"] >= boxes[0]["x"] + boxes[0]["width"]) == (columns == 2), boxes
    assert (boxes[1]["y"] >= boxes[0]["y"] + boxes[0]["height"]) == (columns == 1), boxes
    assert all(box["x"] + box["width"] <= width for box in boxes)


def test_a_folded_panel_stays_folded(board):
    board.two_persons()
    fen = board.page.locator("#fen")
    board.page.locator("summary", has=board.page.locator("h2", has_text="Position")).click()
    until(lambda: not fen.is_visible(), "a folded panel")
    # A browser tells the page a moment after it has folded the panel.
    until(lambda: "position" in board.kept()["folded"], "a fold that is kept")
    board.page.reload()
    board.ready()
    until(lambda: not fen.is_visible() and board.page.locator("#engine").is_visible(), "one panel folded")
    board.page.locator("summary", has=board.page.locator("h2", has_text="Position")).click()
    until(fen.is_visible, "the panel again")


def test_the_players_are_named_beside_the_board(board):
    board.choose(seat_black="level:3")
    until(lambda: players(board) == ("Black: Kroon, level 3", "White: person"), lambda: players(board))
    board.page.click("#flip")
    until(lambda: players(board) == ("White: person", "Black: Kroon, level 3"), lambda: players(board))
    board.page.click("#flip")
    board.page.set_input_files("#pdn-file", {"name": "two.pdn", "mimeType": "text/plain", "buffer": TWO_GAMES.encode()})
    until(lambda: players(board) == ("Black: de Vries", "White: Jansen"), lambda: players(board))
    assert board.page.inner_text("#panels .moves").endswith("2-0")
    board.page.locator("#panels .games button").nth(1).click()
    until(lambda: players(board) == ("Black", "White: Ivanov"), lambda: players(board))
    # Whoever plays on from here plays himself.
    board.two_persons()
    until(lambda: players(board) == ("Black: person", "White: person"), lambda: players(board))


def test_the_bar_is_seen_only_with_an_evaluation(board):
    board.two_persons()
    bar = board.page.locator("#bar")
    assert not bar.is_visible()
    board.page.click("#engine")
    until(bar.is_visible, "the bar")
    board.page.click("#engine")
    until(lambda: not bar.is_visible(), "no bar")


def test_the_bar_shows_how_a_game_has_ended(board):
    bar = board.page.locator("#bar")
    says = lambda share: until(lambda: bar.get_attribute("aria-label") == f"Evaluation: {share} %", lambda: bar.get_attribute("aria-label"))
    board.two_persons()
    board.set_up("W:W28:B23")
    board.page.click("#engine")
    says(100)
    # White cannot move.
    board.set_up("W:W46:B37,41")
    until(lambda: "Black wins" in board.status(), board.status)
    says(0)


@pytest.mark.parametrize("size", [(1280, 860), (390, 844), (844, 390)])
def test_numbers_of_squares_are_beside_the_pieces(judged, program, size):
    board = judged(program, viewport={"width": size[0], "height": size[1]}).open()
    board.two_persons()
    assert board.page.locator("#board .label").count() == 50
    # The corner of the digits that is nearest to the middle of the square; digits are as high as capitals.
    overlapping = board.page.locator("#board .label").evaluate_all("""all => all.flatMap(label => {
        const { x, width } = label.getBBox();
        const size = parseFloat(getComputedStyle(label).fontSize);
        const [right, bottom] = [x + width, Number(label.getAttribute("y")) + 0.73 * size];
        const far = Math.hypot(Math.floor(x) + 0.5 - right, Math.floor(bottom) + 0.5 - bottom);
        return far > 0.38 ? [] : [[label.textContent, far]];
    })""")
    assert overlapping == []


def test_the_first_line_is_beside_the_board_on_a_phone(judged, program):
    board = judged(program, viewport={"width": 360, "height": 740}, has_touch=True).open()
    board.two_persons()
    board.play(board.position()["moves"][0], board.tap)
    board.page.locator("#engine").tap()
    until(lambda: board.page.locator("#panels .lines li").count() > 0, "a line")
    board.page.evaluate("scrollTo(0, 0)")
    line = board.box("#panels .lines li")
    assert line["y"] + line["height"] <= 740, line
    assert board.box("#panels .moves")["y"] < board.box("#new_game")["y"]


def test_an_exercise_is_beside_the_board_on_a_phone(judged, program):
    board = judged(program, viewport={"width": 360, "height": 740}, has_touch=True).open()
    board.two_persons()
    board.page.locator("#builtin").tap()
    until(lambda: board.kept()["exercise"], "an exercise")
    board.settled()
    until(lambda: board.page.evaluate("scrollY") == 0, "the top of the page")
    state = board.box("#exercise-state")
    assert state["y"] + state["height"] <= 740
    assert board.box("#board svg")["y"] >= 0
    # The hint and the solution are those of the exercise, not of a game.
    assert board.page.locator("#hint").is_disabled() and board.page.locator("#resign").is_disabled()
