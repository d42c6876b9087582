"""Nothing is lost: reload, restart of the server, links."""

import pathlib

import pytest
from board import FULL, until


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


def test_a_game_that_the_browser_cannot_keep_is_let_go_at_the_second_try(board):
    board.two_persons()
    play(board, "32-28")
    board.page.evaluate(FULL)
    board.page.click("#new_game")
    until(lambda: "cannot keep this game" in board.status(), lambda: f"what is wrong: {board.status()}")
    assert board.moves() == ["32-28"]
    board.page.click("#new_game")
    until(lambda: board.moves() == [], "a new game")


@pytest.mark.forgives("ERR_FAILED")
def test_a_game_is_not_let_go_where_only_the_server_is_away(board):
    board.two_persons()
    play(board, "32-28")
    board.page.route("**/api/pdn/*", lambda route: route.abort())
    for _ in range(2):
        board.page.click("#new_game")
        until(lambda: "server is away" in board.status(), lambda: f"what is wrong: {board.status()}")
        board.page.evaluate("() => { document.querySelector('#status').textContent = ''; }")
    board.page.unroute("**/api/pdn/*")
    board.page.click("#new_game")
    until(lambda: board.moves() == [], "a new game")
    assert len(board.left()) == 1


# The browser says itself that it cannot connect.
AWAY = "ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_SOCKET_NOT_CONNECTED"


@pytest.mark.forgives(AWAY)
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


def test_a_program_is_started_with_a_position(judged, programs):
    start = "W:WKc3,a1:Bf8,h8"
    board = judged(programs("--variant", "russian", "--fen", "W:Wa1,Kc3:Bh8,f8")).open()
    board.shows(start)
    assert board.page.locator("#variant").input_value() == "russian"
    # A reload goes on with what was played, and the printed address begins once more.
    board.two_persons("russian")
    play(board, "c3-d4")
    after = board.fen()
    assert after != start
    board.page.reload()
    board.ready().shows(after)
    board.open()
    board.shows(start)
    until(lambda: any("c3-d4" in text for text in board.left()), "the game before in the list of those that gave way")


def test_a_program_is_started_with_a_variant(judged, programs):
    board = judged(programs("--variant", "frisian")).open()
    until(lambda: board.page.locator("#variant").input_value() == "frisian", "the variant")
    assert len(board.pieces()) == 40


def test_a_game_of_the_variant_begins_at_once(judged, programs):
    program = programs("--variant", "english")
    board = judged(program).open()
    # Black begins, and is the engine's.
    until(lambda: board.moves(), lambda: f"no move: {board.status()}")
    board.two_persons("english")
    play(board, board.position()["moves"][0]["text"])
    play(board, board.position()["moves"][0]["text"])
    board.choose(seat_black="level:1")
    # The printed address begins another game.
    board.open()
    until(lambda: board.left(), "the game before in the list of those that gave way")
    until(lambda: len(board.moves()) == 1 and board.position()["turn"] == "white", lambda: f"{board.moves()}: {board.status()}")


def test_what_is_written_before_the_first_move_is_kept(board):
    board.two_persons()
    board.page.locator("#comment").fill("an exercise")
    until(lambda: board.kept()["changed"], "a change")
    board.page.click("#new_game")
    text, = until(lambda: board.left(), "the game that was left")
    assert "{an exercise}" in text


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
    board.settled()
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


def new_game(board):
    board.page.click("#new_game")
    until(lambda: board.moves() == [], lambda: f"a new game: {board.status()}")
    board.settled()


def test_a_result_is_chosen(board):
    board.two_persons()
    play(board, "32-28")
    board.page.locator("#game-data summary").click()
    board.page.select_option("#tag-result", "2-0")
    until(lambda: board.kept()["end"] == "2-0", "the result")
    new_game(board)
    text, = until(lambda: board.left(), "the game that was left")
    assert '[Result "2-0"]' in text and "1. 32-28 2-0" in text


@pytest.mark.forgives("status of 422")
def test_no_result_loses_a_game(board):
    board.two_persons()
    play(board, "32-28")
    # As a page of an older program may have kept it.
    board.page.evaluate("""() => {
        const kept = JSON.parse(sessionStorage["kroon.game"]);
        sessionStorage["kroon.game"] = JSON.stringify({ ...kept, tags: [["Result", "white wins"]], end: "white wins", changed: true });
    }""")
    board.page.reload()
    board.ready().settled()
    new_game(board)
    text, = until(lambda: board.left(), "the game that was left")
    assert "1. 32-28 *" in text


def test_a_result_of_a_saved_game_is_kept(board):
    board.two_persons()
    play(board, "32-28")
    with board.page.expect_download():
        board.page.click("#save_game")
    until(lambda: not board.kept()["changed"], "a saved game")
    board.resign()
    until(lambda: board.kept()["ended"], "the end")
    new_game(board)
    text, = until(lambda: board.left(), "the game that was left")
    assert '[Result "2-0"]' in text


def comment(board, index, text):
    """Writes a comment into a game of the file, and goes to another one, so that it is kept."""
    board.page.locator(".games button").nth(index).click()
    until(lambda: board.kept()["game"] == index, f"game {index}")
    board.settled()
    board.page.locator("#comment").fill(text)
    until(lambda: board.kept()["changed"], "the comment")


def saved_file(board):
    with board.page.expect_download() as download:
        board.page.click("#save_file")
    return pathlib.Path(download.value.path()).read_text()


def test_two_tabs_change_one_file(board):
    text = "".join(f'[White "{name}"]\n[GameType "20"]\n\n1. 32-28 *\n\n' for name in "ABC")
    board.page.set_input_files("#pdn-file", {"name": "x.pdn", "mimeType": "text/plain", "buffer": text.encode()})
    until(lambda: board.page.locator(".games li").count() == 3, "three games")
    board.settled()
    other = type(board)(board.page.context.new_page(), board.program).open(f"http://{board.program.host}/")
    until(lambda: other.page.locator(".games li").count() == 3, "three games in the other tab")
    # Each changes a game of its own, and both change the last one.
    comment(board, 0, "of the first tab")
    comment(other, 1, "of the second tab")
    comment(board, 2, "the first tab's last game")
    comment(other, 2, "the second tab's last game")
    assert "the first tab's last game" in saved_file(board)
    content = saved_file(other)
    until(lambda: "changed this game, too" in other.status(), other.status)
    assert other.kept()["game"] == 3 and other.page.locator(".games li").count() == 4
    assert [content.count(words) for words in ("of the first", "of the second", "first tab's last", "second tab's last")] == [1, 1, 1, 1]
    # What is changed further goes to the same place.
    other.page.locator("#comment").fill("the end of it")
    assert saved_file(other).count("the end of it") == 1 and other.page.locator(".games li").count() == 4


def test_two_tabs_leave_games_at_once(board):
    board.two_persons()
    play(board, "32-28")
    other = type(board)(board.page.context.new_page(), board.program).open(f"http://{board.program.host}/")
    play(other, "19-23")
    play(board, "20-25")
    for one in (board, other):
        one.page.evaluate("document.querySelector('#new_game').click()")
    for one in (board, other):
        until(lambda one=one: one.moves() == [], "a new game")
    until(lambda: len(board.left()) == 2, lambda: f"two games: {board.left()}")


@pytest.mark.forgives(AWAY)
def test_what_failed_without_the_server_is_no_news_with_it(judged, programs):
    program = programs()
    board = judged(program).open()
    board.two_persons()
    program.kill()
    until(lambda: "server is away" in board.status(), "word of the lost server")
    board.page.click("#new_game")
    error = board.page.locator(".error[role=alert]").last
    until(lambda: error.inner_text(), "why there is no new game")
    program.restart()
    until(lambda: board.status() == "White to move", board.status)
    assert not error.inner_text()


@pytest.mark.forgives(AWAY)
def test_kroon_takes_the_seat_of_an_engine_that_is_gone(judged, programs):
    program = programs("--engine", "cmd=false name=Broken")
    board = judged(program).open()
    board.choose(seat_black="engine:Broken")
    until(lambda: board.kept()["seats"]["black"] == "engine:Broken", "the engine's seat")
    program.kill()
    program.args = ()
    program.restart()
    said = "Broken is not there any more; Kroon has its place"
    until(lambda: board.status() == said, lambda: f"what became of it: {board.status()}")
    assert board.page.locator("#seat-black").input_value() == "level:0"
    # As a new visit finds it.
    board.page.evaluate("""() => {
        const kept = JSON.parse(sessionStorage["kroon.game"]);
        sessionStorage["kroon.game"] = JSON.stringify({ ...kept, seats: { white: "person", black: "engine:Broken" } });
    }""")
    board.page.reload()
    board.ready()
    until(lambda: board.status() == said, lambda: f"what became of it: {board.status()}")
    assert board.page.locator("#seat-black").input_value() == "level:0"


@pytest.mark.forgives("status of 422")
def test_a_game_that_is_too_long_to_be_followed_is_kept(board):
    page = board.page
    moves = ["36-41", "4-15", "41-36", "15-4"] * 510
    text = f'[GameType "20"]\n[SetUp "1"]\n[FEN "W:WK36:BK4"]\n{" ".join(moves)} *\n'
    page.set_input_files("#pdn-file", {"name": "long.pdn", "mimeType": "text/plain", "buffer": text.encode()})
    until(lambda: len(board.kept()["tree"]["nodes"]) == len(moves) + 1, "the game")
    board.settled()
    page.click("#forward")
    until(lambda: board.moves() == moves[:1], "a move")
    board.settled()
    # The place stays that on the board, and why is said.
    said = "2040 moves, at most 2000 are followed"
    page.click("#end")
    until(lambda: board.status() == said, board.status)
    assert board.moves() == moves[:1]
    page.reload()
    board.ready().settled()
    assert board.moves() == moves[:1] and len(board.kept()["tree"]["nodes"]) == len(moves) + 1
    # As a page of an older program may have left it.
    page.evaluate("""() => {
        const kept = JSON.parse(sessionStorage["kroon.game"]);
        sessionStorage["kroon.game"] = JSON.stringify({ ...kept, tree: { ...kept.tree, current: 2040 } });
    }""")
    page.reload()
    board.ready()
    until(lambda: board.status() == said, board.status)
    assert board.moves() == [] and len(board.kept()["tree"]["nodes"]) == len(moves) + 1
    assert board.kept()["game"] == 0
