"""Nothing is lost: reload, restart of the server, links."""

import pytest
from board import until


def play(board, *texts):
    for text in texts:
        board.play(next(move for move in board.position()["moves"] if move["text"] == text))


def test_a_reload_keeps_the_tree(board):
    board.two_persons()
    play(board, "32-28", "19-23", "28x19")
    board.page.locator("#start").click()
    board.settled()
    play(board, "33-28", "18-23")
    board.page.locator("#flip").click()
    tree, fen = board.kept()["tree"], board.fen()
    board.page.reload()
    board.ready().shows(fen)
    assert board.kept()["tree"] == tree and len(tree["nodes"]) == 6
    assert board.kept()["flipped"]
    assert board.page.locator(".moves button").count() == 5


# The browser says itself that it cannot connect.
@pytest.mark.forgives("ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_SOCKET_NOT_CONNECTED")
def test_a_killed_server_is_missed_and_found_again(judged, programs):
    program = programs()
    board = judged(program).open()
    board.two_persons()
    play(board, "32-28", "19-23")
    tree = board.kept()["tree"]
    program.kill()
    until(lambda: "server is away" in board.status(), "word of the lost server")
    program.restart()
    until(lambda: "server is away" not in board.status(), "word of the server")
    assert board.kept()["tree"] == tree
    play(board, "28x19")


def test_the_page_begins_once(judged, program):
    board = judged(program)
    asked = []
    board.page.on("request", lambda request: asked.append(request.url.rpartition("/api/")[2]))
    board.open()
    # The stream of the engine is open by now.
    until(lambda: any(one.startswith("engine") for one in asked), "a session")
    board.choose(variant="english")
    until(lambda: board.kept()["variant"] == "english", "a game")
    assert asked.count("about") == 1


def test_the_address_has_the_position(board, judged):
    board.two_persons("russian")
    play(board, "c3-d4")
    fen = board.fen()
    address = until(lambda: "fen=" in board.page.url and board.page.url, "an address with the position")
    assert "token" not in address
    other = judged(board.program).open()
    # Nobody replies.
    other.two_persons("english")
    other.open(address)
    other.shows(fen)
    assert other.kept()["variant"] == "russian"
    # A link that is pasted into the open page.
    other.page.evaluate("location.hash = 'variant=english&fen=W:WK32:BK1'")
    other.shows("W:WK32:BK1")
    assert other.kept()["variant"] == "english"


@pytest.mark.forgives("status of 422")
def test_an_address_with_nonsense_changes_nothing(board):
    board.two_persons()
    play(board, "32-28")
    tree = board.kept()["tree"]
    board.page.evaluate("location.hash = 'variant=english&fen=W:W99:B1'")
    until(lambda: "99" in board.status(), "what is wrong")
    assert board.kept()["tree"] == tree


def test_each_tab_has_its_game(board):
    board.two_persons()
    play(board, "32-28")
    other = type(board)(board.page.context.new_page(), board.program).open(f"http://{board.program.host}/")
    # The new tab begins with the last game, and goes its own way.
    assert len(other.kept()["tree"]["nodes"]) == 2
    other.two_persons("russian")
    board.page.reload()
    board.ready()
    until(lambda: "28" in board.pieces(), "the game of the first tab")
    assert board.page.locator("#variant").input_value() == "international"


def test_a_game_that_gives_way_to_another_is_kept(board):
    page = board.page
    board.two_persons()
    assert not page.locator("#kept-files").is_visible()
    play(board, "32-28", "19-23")
    fen = board.fen()
    page.click("#new_game")
    until(lambda: board.moves() == [], "a new game")
    board.settled()
    play(board, "31-26")
    # A file takes the place of the next one.
    content = {"name": "one.pdn", "mimeType": "text/plain", "buffer": b"[GameType \"20\"]\n1. 33-29 19-23 *\n"}
    page.set_input_files("#pdn-file", content)
    until(lambda: "one.pdn" in page.locator("#found").inner_text(), "the file")
    board.settled()
    page.reload()
    board.ready()
    board.choose(kept_files={"label": "Games that were not saved"})
    until(lambda: page.locator(".games li").count() == 2, "two games")
    page.locator("#end").click()
    until(lambda: board.moves() == ["31-26"], "the last of them")
    page.locator(".games button").first.click()
    until(lambda: board.kept()["game"] == 0, "the first of them")
    page.locator("#end").click()
    board.shows(fen)
    # The file is there, too, and nothing is kept twice.
    board.choose(kept_files={"label": "one.pdn"})
    until(lambda: page.locator(".games li").count() == 1, "the file again")
    board.choose(kept_files={"label": "Games that were not saved"})
    until(lambda: page.locator(".games li").count() == 2, "two games still")


def test_a_saved_game_is_not_kept_once_more(board):
    board.two_persons()
    play(board, "32-28")
    with board.page.expect_download():
        board.page.click("#save_game")
    until(lambda: not board.kept()["changed"], "a saved game")
    board.page.click("#new_game")
    until(lambda: board.moves() == [], "a new game")
    assert not board.page.locator("#kept-files").is_visible()
