"""The page of `kroon annotate`: no error, no network; games are stepped through by buttons, keys, clicks and the curve."""

import os
import subprocess

import pytest

GAMES = """[White "Ann"]
[Black "Bob"]
[GameType "20"]
[FEN "W:W28,33,38,39:B9,11,18,19"]

1. 38-32 {quick} 11-17 2. 32-27 *

[White "</script>"]
[Black "Cem"]
[GameType "25"]

1. c3-d4 d6-c5 2. b2-c3 f6-g5 *
"""


@pytest.fixture
def page(browser, tmp_path):
    """The page of two games; the test fails where it reports an error or asks for anything else."""
    games, html = tmp_path / "games.pdn", tmp_path / "games.html"
    games.write_text(GAMES)
    command = [os.environ["KROON"], "annotate", games, "--depth", "8", "--hash", "1", "--html", html]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    faults = []
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.on("console", lambda message: message.type == "error" and faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: request.url.startswith("file:") or faults.append(request.url))
    page.goto(html.as_uri())
    yield page
    context.close()
    assert not faults, faults


def label(page):
    return page.locator("#board svg").get_attribute("aria-label")


def test_games_are_stepped_through(page):
    assert label(page) == "Position at the start"
    assert page.locator("#board circle").count() == 16
    page.get_by_label("On", exact=True).click()
    assert label(page) == "Position after 1. 38-32"
    assert "28-23 19x28 33x4 wins 2 men" in page.locator("#said").inner_text()
    assert "quick" in page.locator("#said").inner_text()
    page.keyboard.press("End")
    assert label(page) == "Position after 2. 32-27"
    page.keyboard.press("ArrowLeft")
    assert label(page) == "Position after 1... 11-17"
    page.get_by_label("To the start").click()
    page.get_by_label("To the next error").click()
    assert label(page) == "Position after 1. 38-32"
    assert page.locator('.list button[aria-current="true"]').inner_text() == "38-32??"
    page.locator(".list button", has_text="32-27").click()
    assert label(page) == "Position after 2. 32-27"
    curve = page.locator(".curve svg")
    box = curve.bounding_box()
    curve.click(position={"x": 2, "y": box["height"] / 2})
    assert label(page) == "Position at the start"


def test_another_game_is_chosen(page):
    page.get_by_label("Game", exact=True).select_option(index=1)
    assert page.locator("#viewer h2").first.inner_text().startswith("</script> \u2013 Cem")
    assert page.locator("#board circle").count() == 48
    page.keyboard.press("ArrowRight")
    assert label(page) == "Position after 1. c3-d4"


def test_a_phone_needs_no_sideways_scrolling(page):
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
