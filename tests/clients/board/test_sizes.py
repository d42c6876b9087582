"""A phone, a desktop, a very large screen."""

import pytest
from board import until

SIZES = {"phone": (360, 740), "desktop": (1280, 860), "large": (3840, 2160)}


@pytest.mark.parametrize("size", SIZES)
def test_the_page_fits(judged, program, size):
    width, height = SIZES[size]
    board = judged(program, viewport={"width": width, "height": height}, has_touch=size == "phone").open()
    board.two_persons()
    page = board.page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = board.box("#board svg")
    # Everything of the board can be seen, and it uses the room.
    assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
    assert box["width"] >= min(0.9 * width, 0.7 * height)
    # Names of squares and texts are large enough to be read.
    label = board.box("#board .label")
    assert label["height"] >= 9, label
    text = page.evaluate("parseFloat(getComputedStyle(document.querySelector('#status')).fontSize)")
    assert text >= (24 if size == "large" else 16)
    # Whatever is pressed with a finger is as large as one.
    if size == "phone":
        for button in page.locator("nav button:visible").all():
            assert min(button.bounding_box()["height"], button.bounding_box()["width"]) >= 40
    click = board.tap if size == "phone" else board.click
    board.play(next(move for move in board.position()["moves"] if move["text"] == "32-28"), click)
    until(lambda: "28" in board.pieces(), "the man on 28")


def holds(board, width):
    """Nothing scrolls sideways, and the board is inside the window."""
    assert board.page.evaluate("document.documentElement.scrollWidth") <= width
    box = board.box("#board svg")
    assert box["x"] >= 0 and box["x"] + box["width"] <= width


@pytest.mark.parametrize("size", [(1280, 800), (375, 667), (667, 375)])
def test_a_long_name_leaves_the_board_as_it_is(judged, program, size):
    board = judged(program, viewport={"width": size[0], "height": size[1]}).open()
    before = board.box("#board svg")
    text = f'[White "{"Wilhelmina Alexandra " * 4}"]\n[GameType "20"]\n1. 32-28 *\n'
    board.page.set_input_files("#pdn-file", {"name": "x.pdn", "mimeType": "text/plain", "buffer": text.encode()})
    until(lambda: "Wilhelmina" in board.page.locator("#clock-bottom").inner_text(), "the name")
    holds(board, size[0])
    assert board.box("#board svg")["width"] == before["width"]


@pytest.mark.parametrize("language", ["en", "fr", "nl", "ru"])
def test_clocks_fit_in_every_language(judged, program, language):
    board = judged(program, viewport={"width": 375, "height": 667}, locale=language).open()
    board.choose(clock="moves")
    board.page.click("#new_game")
    until(lambda: board.kept()["clock"], "a game with a clock")
    board.settled()
    holds(board, 375)
    for part in board.page.locator(".clock > span").all():
        assert part.evaluate("one => one.offsetHeight <= one.parentElement.offsetHeight && one.offsetWidth > 30")


@pytest.mark.forgives("status of 422")
def test_a_long_error_fits_on_a_phone(judged, program):
    board = judged(program, viewport={"width": 375, "height": 667}).open()
    board.page.fill("#fen", "W:W99," + ",".join(map(str, range(1, 51))) + ":B1")
    board.page.press("#fen", "Enter")
    until(lambda: "99" in board.status(), "what is wrong")
    holds(board, 375)


@pytest.mark.parametrize("size", [(375, 320), (412, 400), (320, 256)])
def test_a_low_and_narrow_window_scrolls_down_only(judged, program, size):
    board = judged(program, viewport={"width": size[0], "height": size[1]}).open()
    holds(board, size[0])
    assert board.box(".panel")["width"] > 0.8 * size[0]


def overlap(one, other):
    """Whether two boxes on the screen share a part."""
    return all(max(one[at], other[at]) + 1 < min(one[at] + one[size], other[at] + other[size]) for at, size in (("x", "width"), ("y", "height")))


@pytest.mark.parametrize("scrolled", ["top", "bottom"])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (844, 390)])
def test_what_is_said_is_seen_wherever_one_has_scrolled(judged, program, size, scrolled):
    width, height = size
    board = judged(program, viewport={"width": width, "height": height}).open()
    board.two_persons()
    page = board.page
    for order in ("#resign", "#accept"):
        page.evaluate("order => document.querySelector(order).click()", order)
    until(lambda: "resignation" in board.status(), "the end of the game")
    page.evaluate("top => scrollTo(0, top ? 0 : 1e6)", scrolled == "top")
    until(lambda: page.evaluate("scrollY > 0") == (scrolled == "bottom"), "the place")
    said = board.box("#status")
    assert said["y"] >= 0 and said["y"] + said["height"] <= height
    at = "([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest('#status'))"
    assert page.evaluate(at, [said["x"] + 5, said["y"] + said["height"] / 2])
    # The steps through the game are on the screen with the board, and the board is in the middle of an upright phone.
    if scrolled == "top":
        steps, drawn = board.box("#navigation"), board.box("#board svg")
        assert steps["y"] + steps["height"] <= height and not overlap(steps, drawn)
        assert width > height or abs(2 * drawn["x"] + drawn["width"] - width) <= 1
    # Beside the panels the board is seen, too; on an upright phone it has gone up.
    if scrolled == "top" or width > height:
        parts = ["#clock-top", "#board svg", *([".panel"] if scrolled == "top" else [])]
        assert not [part for part in parts if overlap(board.box("header"), board.box(part))]
        assert board.box("#clock-bottom")["y"] + board.box("#clock-bottom")["height"] <= height + 1
