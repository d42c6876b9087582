"""What a player may do besides moving, and who can play."""

import os

import pytest
from board import until


def status(board, text):
    until(lambda: text in board.status(), f"{text!r}, not {board.status()!r}")


def test_persons_resign_and_agree(board):
    page = board.page
    board.two_persons()
    page.click("#draw")
    page.click("#decline")
    status(board, "declined")
    page.click("#draw")
    page.click("#accept")
    status(board, "Draw (agreed)")
    page.click("#new_game")
    status(board, "White to move")
    board.play(board.position()["moves"][0])
    board.resign()
    status(board, "White wins (by resignation)")
    # What is moved at an earlier place is a variation.
    page.click("#start")
    board.settled()
    board.play(board.position()["moves"][1])
    status(board, "White wins (by resignation)")
    assert len(board.kept()["tree"]["nodes"][0]["children"]) == 2
    # Behind the last move it takes the result back, and nobody plays by himself.
    page.click("#start")
    board.settled()
    page.click("#forward")
    board.settled()
    board.play(board.position()["moves"][0])
    status(board, "The result is taken back")
    assert board.kept()["ended"] is None and not board.kept()["playing"]
    page.click("#take_back")
    status(board, "Black to move")


def test_a_line_behind_the_end_takes_the_result_back(board):
    page = board.page
    board.two_persons()
    board.play(next(move for move in board.position()["moves"] if move["text"] == "32-28"))
    board.resign()
    status(board, "White wins (by resignation)")
    page.locator(".book button").first.click()
    status(board, "The result is taken back")
    assert len(board.moves()) == 2 and board.kept()["ended"] is None


def test_who_resigns_is_asked(board):
    page = board.page
    board.two_persons()
    focused = lambda: page.evaluate("document.activeElement.id")
    # A key that is pressed twice by mistake does not resign.
    page.locator("#resign").press("Enter")
    until(lambda: focused() == "decline", focused)
    assert page.locator("#decline").inner_text() == "Play on"
    page.keyboard.press("Enter")
    until(lambda: not page.locator("#accept").is_visible() and focused() == "resign", focused)
    for key in ("Enter", "Escape"):
        page.keyboard.press(key)
        until(lambda: page.locator("#accept").is_visible() == (key == "Enter"), key)
    assert board.kept()["ended"] is None
    # A move is an answer, too.
    page.click("#resign")
    board.play(board.position()["moves"][0])
    until(lambda: not page.locator("#accept").is_visible(), "no question")
    page.locator("#resign").press("Enter")
    page.locator("#accept").press("Enter")
    status(board, "White wins (by resignation)")
    until(lambda: focused() == "new_game", focused)


def test_nobody_resigns_in_a_game_that_is_gone_through(board):
    page = board.page
    orders = [page.locator(f"#{order}") for order in ("draw", "resign")]
    board.two_persons()
    board.play(board.position()["moves"][0])
    assert all(order.is_enabled() for order in orders)
    page.click("#draw")
    page.click("#back")
    until(lambda: all(order.is_disabled() for order in orders), "no game that is played")
    assert not page.locator("#accept").is_visible()
    page.click("#go_on")
    until(lambda: all(order.is_enabled() for order in orders), "the game goes on")
    content = {"name": "game.pdn", "mimeType": "text/plain", "buffer": b'[GameType "20"]\n1. 33-29 19-23 *\n'}
    page.set_input_files("#pdn-file", content)
    until(lambda: board.kept()["game"] == 0, "the game of the file")
    assert all(order.is_disabled() for order in orders)


def test_the_engine_answers_by_its_score(board):
    page = board.page
    board.choose(variant="english", seconds="0.1")
    until(lambda: len(board.moves()) == 1, "Black's first move")
    status(board, "White to move")
    page.click("#draw")
    # Too early, however even the game.
    status(board, "declined")
    board.choose(seat_white="player:random", seat_black="player:random")
    until(lambda: len(board.moves()) >= 20, "an old game")
    board.choose(seat_black="person")
    status(board, "Black to move")
    page.click("#draw")
    until(lambda: "declined" in board.status() or "agreed" in board.status(), "an answer")
    if "declined" in board.status():
        # Who stands too well for a draw offers one himself; his move, by lot, makes it no better.
        board.choose(seat_white="person")
        board.play(board.position()["moves"][0])
        board.choose(seat_black="player:random")
        page.click("#draw")
    status(board, "Draw (agreed)")


def test_a_hint_is_said_and_drawn(board):
    board.two_persons()
    board.choose(seconds="0.1")
    board.page.click("#hint")
    status(board, "Hint: ")
    text = board.status().removeprefix("Hint: ")
    assert text in [move["text"] for move in board.position()["moves"]]
    assert board.page.locator("#board .own-head").count() == 1


def right_drag(board, start, end):
    board.page.mouse.move(*board.middle(start))
    board.page.mouse.down(button="right")
    board.page.mouse.move(*board.middle(end))
    board.page.mouse.up(button="right")


@pytest.mark.parametrize("order", ["#back", "#take_back", "#new_game", "#resign"])
def test_a_hint_is_for_one_position(board, order):
    page = board.page
    arrows = lambda: page.locator("#board .own-head").count()
    board.two_persons()
    board.choose(seconds="0.1")
    board.play(board.position()["moves"][0])
    right_drag(board, "31", "27")
    page.click("#hint")
    status(board, "Hint: ")
    # Arrows of the user stay beside it.
    assert arrows() == 2
    page.click(order)
    if order == "#resign":
        page.click("#accept")
        until(lambda: arrows() == 1, "no hint in a game that is over")
    else:
        until(lambda: arrows() == 0, "another position without arrows")


def test_a_move_ends_the_search_for_a_hint(board):
    board.two_persons()
    board.choose(seconds="30")
    with board.page.expect_request("**/go") as asked:
        board.page.click("#hint")
    assert asked.value.post_data_json["move_time"] == 3
    board.play(next(move for move in board.position()["moves"] if move["text"] == "32-28"))
    status(board, "Black to move")
    assert board.page.locator("#hint").is_enabled()


def test_ballots_and_colours_by_lot(board):
    page = board.page
    board.two_persons("english")
    board.choose(seat_black="level:1")
    board.choose(opening="ballot2", colors="swapped")
    drawn = set()
    for _ in range(5):
        before = board.kept()["seats"]
        page.click("#new_game")
        until(lambda: board.kept()["seats"] == {"white": before["black"], "black": before["white"]}, "other colours")
        until(lambda: len(board.moves()) >= 2, "a ballot")
        drawn.add(tuple(board.moves()[:2]))
    assert len(drawn) > 1
    board.choose(opening="start", seat_white="person", seat_black="person")
    page.click("#new_game")
    until(lambda: board.moves() == [], "a game from the start")
    board.settled()
    board.play(board.position()["moves"][0])
    fen = board.fen()
    board.choose(opening="here")
    page.click("#new_game")
    until(lambda: board.kept()["start"] == fen and board.moves() == [], "a game from here")


def test_engines_play_each_other_and_can_be_paused(board):
    page = board.page
    board.choose(variant="russian", seat_white="player:greedy", seat_black="level:1")
    until(lambda: len(board.moves()) > 4, "moves")
    page.click("#go_on")
    board.page.wait_for_timeout(300)
    board.settled()
    count = len(board.moves())
    board.page.wait_for_timeout(500)
    assert len(board.moves()) == count and page.inner_text("#go_on") == "Play on from here"
    page.click("#go_on")
    until(lambda: len(board.moves()) > count, "more moves")


def test_what_is_pressed_while_a_move_is_shown_counts(judged, program):
    """Moves take a while to be shown, but for who wants no motion."""
    board = judged(program, reduced_motion="no-preference").open()
    page = board.page
    board.choose(variant="russian", seat_white="level:1", seat_black="level:1")
    for _ in range(4):
        # As soon as a move is said it begins to be shown.
        said = page.inner_text("#announcer")
        until(lambda: page.inner_text("#announcer") != said, "another move")
        page.evaluate("document.getElementById('go_on').click()")
        page.wait_for_timeout(700)
        count = len(board.moves())
        page.wait_for_timeout(700)
        assert len(board.moves()) == count and page.inner_text("#go_on") == "Play on from here"
        page.click("#go_on")
        until(lambda: len(board.moves()) > count, "more moves")
    # Whoever is asked whether to resign is asked until there is an answer.
    board.choose(seat_white="person", variant="international")
    until(lambda: board.moves() == [] and board.position()["turn"] == "white", "a new game")
    board.settled()
    # The page scrolls smoothly for who has nothing against motion, and a square is to be met.
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    page.wait_for_timeout(500)
    page.evaluate("""() => {
        const announcer = document.getElementById("announcer");
        const press = () => { if (announcer.textContent.startsWith("Black")) document.getElementById("resign").click(); };
        new MutationObserver(press).observe(announcer, { childList: true, characterData: true, subtree: true });
    }""")
    board.play(next(move for move in board.position()["moves"] if move["text"] == "32-28"))
    until(lambda: len(board.moves()) == 2, "an answer")
    board.settled()
    assert page.locator("#accept").is_visible()


def test_a_move_is_made_though_no_frame_comes_to_show_it(judged, program):
    """As in a tab that is hidden while a move is shown."""
    board = judged(program, reduced_motion="no-preference").open()
    board.two_persons()
    board.page.evaluate("window.requestAnimationFrame = () => 0")
    board.play(next(move for move in board.position()["moves"] if move["text"] == "32-28"))
    assert board.moves() == ["32-28"]


def test_a_game_of_engines_is_taken_back_move_by_move(board):
    page = board.page
    board.choose(variant="russian", seat_white="player:greedy", seat_black="level:1")
    until(lambda: len(board.moves()) > 4, "moves")
    page.click("#go_on")
    page.wait_for_timeout(300)
    board.settled()
    moves = board.moves()
    page.click("#take_back")
    until(lambda: board.moves() == moves[:-1], lambda: f"{board.moves()} instead of {moves[:-1]}")
    page.wait_for_timeout(300)
    assert board.moves() == moves[:-1] and page.inner_text("#go_on") == "Play on from here"


def reply_to_a_move(board):
    """Makes a move, and waits for that of the engine."""
    before = board.moves()
    board.play(board.position()["moves"][0])
    board.played([*before, None])


def test_kroon_ponders_only_if_asked(board):
    page = board.page
    wants = []
    page.on("request", lambda request: request.url.endswith("/go") and wants.append(request.post_data_json.get("want")))
    board.choose(seat_black="person", variant="english", seconds="0.1")
    board.choose(seat_white="level:0")
    reply_to_a_move(board)
    page.wait_for_timeout(300)
    assert "ponder" not in wants
    board.unfold(page.locator("#ponder"))
    page.check("#ponder")
    with page.expect_request(lambda request: "ponder" in (request.post_data or "")) as asked:
        reply_to_a_move(board)
    expected = asked.value.post_data_json["moves"][-1]
    with page.expect_request("**/hit"):
        board.play(next(move for move in board.position()["moves"] if move["text"] == expected))
    until(lambda: board.position()["turn"] == "black", "the reply")


def test_other_engines_play_and_their_faults_are_said(judged, programs):
    other = f"cmd=\"'{os.environ['KROON']}' hub\" name=Other nodes=100 param.hash=1"
    program = programs("--engine", other, "--engine", "cmd=false name=Broken")
    board = judged(program).open()
    board.choose(variant="frisian", seat_white="engine:Other", seat_black="player:greedy")
    until(lambda: len(board.moves()) > 5, "moves")
    board.choose(seat_white="engine:Broken")
    status(board, "Broken: ")
    count = len(board.moves())
    board.choose(seat_white="engine:Other")
    until(lambda: len(board.moves()) > count, "more moves")
