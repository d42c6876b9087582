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
