"""What people without a mouse or without sight find: axe-core, and the keys alone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from board import until


def violations(board):
    found = Axe().run(board.page).response["violations"]
    return [(fault["id"], [node["html"][:120] + " " + node["failureSummary"] for node in fault["nodes"][:3]]) for fault in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(judged, program, scheme):
    # The script of axe comes from the test, which the page's own policy forbids.
    board = judged(program, bypass_csp=True, color_scheme=scheme).open()
    board.two_persons("english")
    board.play(board.position()["moves"][0])
    board.page.locator("#engine").click()
    until(lambda: board.page.locator("#panels .lines li").count() > 0, "a line")
    board.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert violations(board) == []
    board.page.locator("#edit").click()
    assert violations(board) == []


def test_every_control_can_be_reached_by_tab(board):
    page = board.page
    page.evaluate("document.activeElement?.blur()")
    wanted = page.evaluate("""() => [...document.querySelectorAll("button, select, input, textarea, summary, svg[tabindex]")]
        .filter((one) => !one.disabled && one.checkVisibility() && one.type !== "file")
        .map((one, index) => (one.dataset.order = index))""")
    reached = set()
    for _ in range(len(wanted) + 5):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("Number(document.activeElement.dataset.order ?? -1)"))
    assert set(wanted) <= reached, page.evaluate(
        "missed => missed.map((at) => document.querySelector(`[data-order='${at}']`).outerHTML)",
        sorted(set(wanted) - reached))


def focus(board, wanted):
    """Waits until the focus is on what such a selector finds."""
    asked = "wanted => document.activeElement.matches(wanted)"
    until(lambda: board.page.evaluate(asked, wanted), lambda: f"{wanted}: {board.page.evaluate('document.activeElement.outerHTML.slice(0, 200)')}")


def test_the_focus_stays_where_a_list_is_drawn_anew(board):
    page = board.page
    board.two_persons()
    page.locator(".book button").nth(1).press("Enter")
    until(lambda: len(board.moves()) == 1, "a move of the book")
    board.settled()
    focus(board, ".book button")
    texts = b'[GameType "20"]\n1. 32-28 19-23 2. 28x19 *\n\n[GameType "20"]\n1. 33-29 *\n'
    page.set_input_files("#pdn-file", {"name": "two.pdn", "mimeType": "text/plain", "buffer": texts})
    until(lambda: page.locator(".games button").count() == 2, "the games")
    board.settled()
    page.locator(".moves button").nth(1).press("Enter")
    until(lambda: len(board.moves()) == 2, "the second move")
    focus(board, ".moves button[aria-current]")
    page.keyboard.press("ArrowRight")
    until(lambda: len(board.moves()) == 3, "the third move")
    focus(board, ".moves button[aria-current]")
    page.locator(".games button").nth(1).press("Enter")
    until(lambda: board.kept()["game"] == 1, "the other game")
    board.settled()
    focus(board, ".games button[aria-current]")


def test_the_focus_stays_in_the_exercises(board):
    page = board.page
    page.locator("#builtin").press("Enter")
    until(lambda: board.kept()["exercise"], "an exercise")
    focus(board, "#exercise-choice summary")
    board.settled()
    page.locator("#solution").press("Enter")
    focus(board, "#next_exercise")
    page.locator("#leave_exercises").press("Enter")
    until(lambda: board.kept()["exercise"] is None, "the game")
    focus(board, "#builtin")


def test_what_is_chosen_is_said(board):
    says = lambda text: until(lambda: board.page.inner_text("#announcer") == text, lambda: board.page.inner_text("#announcer"))
    board.two_persons()
    board.page.locator("#board svg").focus()
    board.click("31")
    says("31 chosen: 26, 27")
    board.page.keyboard.press("Escape")
    says("nothing chosen")
    board.click("36")
    says("36: cannot move")
    board.set_up("W:W28,42:B23,13,38,37")
    board.click("28")
    says("28 chosen: 19-8")
