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
