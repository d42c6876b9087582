"""The engine beside the board."""

from board import until


def lines(board):
    return board.page.locator("#panels .lines li").count()


def test_analysis_on_and_off(board):
    board.two_persons()
    board.choose(lines="3")
    engine = board.page.locator("#engine")
    engine.click()
    until(lambda: lines(board) == 3, "three lines")
    assert board.page.locator("#board .arrow-head").count() >= 1
    assert engine.get_attribute("aria-pressed") == "true"
    engine.click()
    until(lambda: lines(board) == 0, "no lines")
    assert board.page.locator("#board .arrow-head").count() == 0
    # What was on the way comes to nothing.
    board.page.wait_for_timeout(500)
    assert lines(board) == 0


def test_a_line_becomes_a_variation(board):
    board.two_persons("russian")
    board.page.locator("#engine").click()
    until(lambda: lines(board) > 0, "a line")
    board.page.locator("#panels .lines li button").first.click()
    until(lambda: len(board.kept()["tree"]["nodes"]) > 2, "its moves in the tree")


def test_a_closed_tab_ends_its_engine(judged, program):
    count = lambda: program.ask("/api/about")["boards"]
    board = judged(program).open()
    board.two_persons()
    board.page.locator("#engine").click()
    until(lambda: lines(board) > 0, "a line")
    before = count()
    board.page.close()
    until(lambda: count() < before, "a board less")
