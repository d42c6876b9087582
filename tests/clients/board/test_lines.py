"""The engine's lines: what is shown of them, how the search is chosen, how one steps into them."""

from board import until


def facts(board):
    return board.page.inner_text("#facts")


def analyse(board, lines):
    board.choose(lines=str(lines))
    board.page.click("#engine")
    until(lambda: board.page.locator(".lines li").count() == lines, "the lines")


def test_five_lines_have_score_chances_and_moves(board):
    board.two_persons()
    analyse(board, 5)
    for line in board.page.locator(".lines li").all():
        assert float(line.locator(".score").inner_text().replace("−", "-")) < 5
        chances = line.locator(".quiet").inner_text()
        assert 98 <= sum(int(share) for share in chances.removesuffix(" %").split("/")) <= 102, chances
        assert line.locator(".pv button:visible").count() > 0
    assert "depth" in facts(board) and "nodes" in facts(board) and "/s" in facts(board)


def test_the_other_search_counts_visits(board):
    board.two_persons("english")
    analyse(board, 2)
    with board.page.expect_request("**/go") as asked:
        board.choose(search="mcts")
    assert asked.value.post_data_json["options"]["search"] == "mcts"
    until(lambda: "visits" in facts(board), "visits")
    with board.page.expect_request("**/go") as asked:
        board.choose(hash="2")
    options = asked.value.post_data_json["options"]
    assert options["hash"] == "2" and options["mcts-hash"] == "2"
    until(lambda: "visits" in facts(board), "visits")


def test_a_line_is_added_or_stepped_into(board):
    board.two_persons()
    analyse(board, 1)
    until(lambda: board.page.locator(".lines .pv button:visible").count() > 3, "a line")
    board.page.locator(".lines .add").click()
    until(lambda: len(board.kept()["tree"]["nodes"]) > 3, "a variation")
    assert board.moves() == []
    board.page.locator(".lines .pv button").nth(2).click()
    until(lambda: len(board.moves()) == 3, "three moves on")
    board.settled()


def test_the_keyboard_does_not_lose_its_place_in_the_lines(board):
    board.two_persons()
    analyse(board, 2)
    until(lambda: board.page.locator(".lines .pv button:visible").count() > 6, "two lines")
    board.page.locator(".lines li").nth(1).locator(".pv button").nth(1).focus()
    board.page.keyboard.press("Enter")
    until(lambda: len(board.moves()) == 2, "two moves on")
    board.settled()
    # The lines of the position before are gone: with the next press of a key one goes on at the board or in the new lines.
    for _ in range(5):
        focused = board.page.locator(":focus")
        assert focused.count() and focused.evaluate("(element) => Boolean(element.closest('.lines, #board'))")
        board.page.wait_for_timeout(50)
