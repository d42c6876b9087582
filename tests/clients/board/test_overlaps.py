"""What is done while something else has not come to its end: nothing is lost, and the last wish counts."""

import os
import subprocess

import pytest
from board import until
from test_clock import clock, seconds
from test_exercises import exercise, state
from test_exercises import open_file as open_exercises
from test_files import games, open_file, opened

# Answers of one address come late: so many milliseconds for each request, in turn, and none behind the last.
LATE = """([address, waits]) => {
    const ask = window.fetch;
    window.fetch = async (asked, ...more) => {
        const wait = asked === address ? waits.shift() ?? 0 : 0;
        const answer = await ask(asked, ...more);
        await new Promise((done) => setTimeout(done, wait));
        return answer;
    };
}"""


# Orders of one kind set out late, in the same way.
LATE_ORDERS = """([order, waits]) => {
    const ask = window.fetch;
    window.fetch = async (asked, ...more) => {
        const wait = String(asked).endsWith(order) ? waits.shift() ?? 0 : 0;
        await new Promise((done) => setTimeout(done, wait));
        return ask(asked, ...more);
    };
}"""


# Both in one moment: the move is being shown at the second click.
BOTH = """([first, second]) => {
    document.querySelector(first).click();
    document.querySelector(second).click();
}"""


def late(board, address, *waits):
    board.page.evaluate(LATE, [address, list(waits)])


def write(board, text):
    board.page.locator("#comment").fill(text)


def comments(board):
    return [comment for node in board.kept()["tree"]["nodes"] for comment in node.get("comments") or []]


def game_of_file(board, index):
    board.page.locator(".games button").nth(index).click()
    until(lambda: board.kept()["game"] == index, f"game {index}")
    board.settled()


def test_what_is_written_while_the_file_is_saved_stays(board):
    open_file(board, "two.pdn", games(2))
    opened(board)
    write(board, "first")
    late(board, "/api/pdn/write", 1500)
    with board.page.expect_download():
        board.page.click("#save_file")
        write(board, "first and second")
    game_of_file(board, 1)
    game_of_file(board, 0)
    assert "first and second" in comments(board)


def test_what_is_written_while_another_game_is_fetched_stays(board):
    open_file(board, "two.pdn", games(2))
    opened(board)
    late(board, "/api/pdn/game", 1500)
    board.page.locator(".games button").nth(1).click()
    write(board, "in time")
    until(lambda: board.kept()["game"] == 1, "game 1")
    board.settled()
    # What comes later is of the other game.
    board.page.locator("#comment").press("End")
    board.page.keyboard.type("late")
    assert comments(board)[0] == "late"
    game_of_file(board, 0)
    assert "in time" in comments(board)


def test_a_comment_is_none_of_the_game_that_comes(board):
    open_file(board, "one.pdn", games(1))
    opened(board)
    board.page.locator("#comment").click()
    board.page.keyboard.type("of the first")
    open_file(board, "two.pdn", games(2))
    until(lambda: "two.pdn" in board.page.locator("#found").inner_text(), "the other file")
    board.settled()
    board.page.keyboard.type("!")
    assert comments(board) == ["!", "comment 0"]


def test_a_game_that_goes_on_while_it_is_left_is_left_once(board):
    board.choose(seconds="0.1", seat_white="player:random", seat_black="player:random")
    until(lambda: len(board.moves()) > 3, "moves of the game")
    late(board, "/api/pdn/write", 400, 400, 400)
    board.page.click("#new_game")
    until(lambda: board.left(), "the game that was left")
    board.page.wait_for_timeout(2000)
    assert len(board.left()) == 1


def test_a_new_game_has_all_of_its_time(board):
    board.two_persons()
    clock(board, minutes=5, increment=0)
    until(lambda: seconds(board, "bottom") < 298, "some seconds of thought")
    open_exercises(board, [exercise(board, "W:W31,32,33,38:B12,13,18,19", 1, 2.5)])
    state(board, "White to move and win")
    board.page.click("#leave_exercises")
    until(lambda: board.kept()["exercise"] is None, "the game")
    board.settled()
    # The game that was left goes on with its time, another one begins.
    assert seconds(board, "bottom") < 298
    board.page.click("#new_game")
    until(lambda: seconds(board, "bottom") > 298, "a new clock")


def test_a_comment_that_is_written_while_an_exercise_comes_stays(board):
    open_file(board, "one.pdn", games(1))
    opened(board)
    late(board, "/api/position", 1500)
    open_exercises(board, [exercise(board, "W:W31,32,33,38:B12,13,18,19", 1, 2.5)])
    board.page.wait_for_timeout(200)
    write(board, "in time")
    state(board, "White to move and win")
    board.page.click("#leave_exercises")
    until(lambda: board.kept()["exercise"] is None, "the game")
    board.settled()
    assert "in time" in comments(board)


def test_the_game_that_is_asked_for_last_is_shown(board):
    open_file(board, "two.pdn", games(3))
    opened(board)
    late(board, "/api/pdn/game", 1500)
    board.page.locator(".games button").nth(1).click()
    board.page.locator(".games button").nth(2).click()
    until(lambda: board.kept()["game"] == 2, "game 2")
    board.page.wait_for_timeout(1800)
    board.settled()
    assert board.kept()["game"] == 2


def test_the_variant_that_is_chosen_last_is_played(board):
    board.two_persons()
    board.choose(opening="ballot3")
    late(board, "/api/ballot", 1000)
    board.choose(variant="brazilian")
    board.choose(variant="english")
    until(lambda: board.kept()["variant"] == "english", "the game")
    board.page.wait_for_timeout(1500)
    board.settled()
    assert board.kept()["variant"] == "english" and len(board.moves()) == 3


def test_a_file_that_is_worked_on_is_not_the_one_that_makes_room(board):
    def kept():
        return board.page.locator("#kept-files option").all_inner_texts()

    for number in range(8):
        open_file(board, f"f{number}.pdn", games(2))
        until(lambda: f"f{number}.pdn: 2 / 2" in board.page.locator("#found").inner_text(), f"file {number}")
        board.settled()
    board.choose(kept_files={"label": "f0.pdn"})
    until(lambda: "f0.pdn: 2 / 2" in board.page.locator("#found").inner_text(), "the first file")
    board.settled()
    write(board, "not to be lost")
    open_file(board, "f8.pdn", games(2))
    until(lambda: "f8.pdn: 2 / 2" in board.page.locator("#found").inner_text(), "the last file")
    board.settled()
    # The one that was used last is the first of the list.
    assert kept()[1:3] == ["f8.pdn", "f0.pdn"] and "f1.pdn" not in kept() and len(kept()) == 9
    board.choose(kept_files={"label": "f0.pdn"})
    until(lambda: "not to be lost" in comments(board), lambda: f"the comment: {comments(board)}")
    board.settled()


def test_an_exercise_that_is_begun_again_is_not_solved_by_the_solution(judged, program):
    board = judged(program, reduced_motion="no-preference").open()
    open_exercises(board, [exercise(board, "W:W31,32,33,38:B12,13,18,19", 5, 2.5)])
    state(board, "White to move and win")
    board.settled()
    # At different moments of the moves that are shown.
    for wait in (100, 250, 400, 550, 700):
        board.page.click("#solution")
        board.page.wait_for_timeout(wait)
        board.page.click("#again")
        board.page.wait_for_timeout(1500)
        board.settled()
        assert board.moves() == [] and board.kept()["exercise"]["state"] == "open"
    assert "0 of 1" in board.page.inner_text("#exercise-score")


def test_a_move_that_is_being_shown_leaves_the_editor_alone(judged, program):
    board = judged(program, reduced_motion="no-preference").open()
    board.two_persons()
    clock(board, minutes=5)
    before = board.fen()
    until(lambda: board.page.locator(".book button").count() > 0, "moves of the book")
    board.page.evaluate(BOTH, [".book button", "#edit"])
    board.page.wait_for_timeout(800)
    assert board.kept()["tree"]["nodes"][0]["children"] == [] and board.fen() == before
    board.page.click("#cancel_edit")
    board.settled()
    # The game goes on, and its clock.
    until(lambda: seconds(board, "bottom") < 303, "the clock runs")
    board.play(board.position()["moves"][0])


def test_a_step_back_and_forward_gives_no_time(board):
    board.two_persons()
    clock(board, minutes=5, increment=0)
    board.play(board.position()["moves"][0])
    until(lambda: seconds(board, "top") < 298, "some seconds of thought")
    board.page.click("#back")
    board.settled()
    board.page.click("#forward")
    board.settled()
    assert seconds(board, "top") < 298
    board.page.click("#go_on")
    assert seconds(board, "top") < 298
    # A move where the game was left takes the time, too, without another click.
    board.page.click("#back")
    board.settled()
    board.page.click("#forward")
    board.settled()
    board.play(board.position()["moves"][0])
    assert board.kept()["tree"]["nodes"][2]["used"] > 2


def test_a_step_back_while_a_move_is_shown_gives_no_time(judged, program):
    board = judged(program, reduced_motion="no-preference").open()
    board.two_persons()
    clock(board, minutes=5, increment=0)
    board.page.locator(".book button").first.click()
    until(lambda: len(board.moves()) == 1 and board.page.locator(".book button").count() > 0, "moves of the book")
    until(lambda: seconds(board, "top") < 298, "some seconds of thought")
    board.page.evaluate(BOTH, [".book button", "#back"])
    # Whoever is back before the move is shown makes it after all.
    board.page.wait_for_timeout(800)
    board.settled()
    assert board.moves() == []
    board.page.click("#forward")
    board.settled()
    assert len(board.moves()) == 1 and seconds(board, "top") < 298


def test_a_clock_takes_whole_moves(board):
    board.choose(clock="moves")
    field = board.page.locator("#clock-moves")
    field.fill("1.5")
    field.press("Tab")
    until(lambda: board.kept()["clock"] == "2/300+3", lambda: board.kept()["clock"])
    board.settled()
    field = board.page.locator("#clock-minutes")
    for text, control in [("0.00001", "2/0+3"), ("9999", "2/84000+3")]:
        field.fill(text)
        field.press("Tab")
        until(lambda: board.kept()["clock"] == control, lambda: board.kept()["clock"])
        board.settled()


def test_a_comment_stays_with_its_move_when_an_engine_moves(board):
    board.choose(seconds="0.1", seat_white="player:random", seat_black="level:1")
    until(lambda: len(board.moves()) > 1, "moves of the game")
    field = board.page.locator("#comment")
    field.click()
    before = len(board.moves())
    field.press_sequentially("one two three", delay=120)
    assert len(board.moves()) > before and field.input_value() == "one two three"
    until(lambda: comments(board) == ["one two three"], lambda: comments(board))
    # Behind it the field is that of the move that is shown.
    field.blur()
    until(lambda: field.input_value() == "", "an empty field")


def test_a_new_game_is_not_played_with_the_answer_of_the_last_one(board):
    page = board.page
    board.unfold(page.locator("#ponder"))
    page.check("#ponder")
    with page.expect_request(lambda request: "ponder" in (request.post_data or "")) as asked:
        board.choose(seat_black="person", seat_white="level:0", seconds="0.5")
    expected = asked.value.post_data_json["moves"][-1]
    board.settled()
    found = next(move for move in board.position()["moves"] if move["text"] == expected)
    late(board, "/api/position", 300, 0)
    for square in (found["path"][0], found["path"][-1]):
        board.click(square)
    with page.expect_request(lambda request: request.url.endswith("/go") and '"moves":[]' in (request.post_data or "")):
        page.click("#new_game")
    until(lambda: len(board.moves()) == 1, "the first move of the new game")
    board.settled()


def test_a_book_that_does_not_fit_ends_no_analysis(judged, programs, tmp_path):
    pdn, book = tmp_path / "games.pdn", tmp_path / "games.book"
    pdn.write_text('[GameType "21"]\n[Result "1-0"]\n1. 11-15 22-18 1-0\n')
    subprocess.run([os.environ["KROON"], "book", "import", "--variant", "english", "--pdn", pdn, "--out", book], check=True, timeout=600)
    board = judged(programs("--book-file", str(book))).open()
    board.two_persons()
    board.page.click("#engine")
    until(lambda: "book" in board.status(), board.status)
    until(lambda: board.page.locator(".lines li").count() > 0, "lines of the analysis")
    with board.page.expect_request(lambda request: request.url.endswith("/stop")):
        board.page.click("#engine")


def test_an_order_that_is_late_does_not_take_the_place_of_a_later_one(board):
    board.two_persons()
    board.page.evaluate(LATE_ORDERS, ["/go", [400]])
    board.choose(seat_white="level:2", seconds="0.1")
    board.choose(seat_white="level:1")
    until(lambda: len(board.moves()) == 1, lambda: f"Kroon's move: {board.status()}")
    board.settled()


def test_a_file_that_is_closed_keeps_no_new_game_away(board):
    open_file(board, "two.pdn", games(2))
    opened(board)
    late(board, "/api/position", 1500)
    board.page.click("#new_game")
    board.page.click("#close_file")
    until(lambda: board.moves() == [] and len(board.kept()["tree"]["nodes"]) == 1, "the new game")
    board.settled()
    assert board.kept()["fileKey"] is None


@pytest.mark.forgives("status of 4")
def test_a_file_that_is_none_leaves_the_game_going_on(board):
    board.choose(seconds="0.1", seat_white="player:random", seat_black="level:1")
    until(lambda: len(board.moves()) > 1, "moves of the game")
    open_file(board, "none.pdn", "this is no game")
    until(lambda: board.status() != "", "a word")
    before = len(board.moves())
    until(lambda: len(board.moves()) > before + 2, "more moves")


@pytest.mark.forgives("ERR_FAILED")
def test_a_position_that_did_not_come_can_be_edited(board):
    board.two_persons()
    board.play(board.position()["moves"][0])
    board.page.click("#back")
    board.settled()
    board.page.route("**/api/position", lambda route: route.abort(), times=1)
    board.page.click("#forward")
    until(lambda: "server is away" in board.status(), board.status)
    board.page.click("#edit")
    until(lambda: board.page.locator("#brush-white-man").is_visible(), "the editor")
