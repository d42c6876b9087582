"""What happens at an unlucky moment: during a step, while the server is slow or away, while somebody types."""

import pytest
from board import until

# The browser says itself that it cannot connect.
AWAY = "ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_SOCKET_NOT_CONNECTED|ERR_FAILED"
POSITION = "**/api/position"


# The server answers questions for positions late from now on.
SLOW = """() => {
    const ask = window.fetch;
    window.fetch = async (address, ...more) => {
        const answer = await ask(address, ...more);
        if (address === "/api/position") await new Promise((done) => setTimeout(done, 400));
        return answer;
    };
}"""


def is_legal(board):
    """Whether the server takes the line of the page."""
    return bool(board.position()["fen"])


def test_a_move_of_a_position_that_is_gone_is_none(board):
    board.two_persons()
    board.page.evaluate(SLOW)
    board.click("32")
    board.click("28")
    until(lambda: board.moves() == ["32-28"], "the first move")
    # White's, in the position that is still shown.
    board.click("31")
    board.click("26")
    board.page.wait_for_timeout(1000)
    board.settled()
    assert board.moves() == ["32-28"] and is_legal(board)


def test_a_seat_taken_while_a_game_begins_is_kept(board):
    board.page.evaluate(SLOW)
    board.choose(variant="english", seat_black="player:random")
    until(lambda: board.kept()["variant"] == "english", "the game")
    board.page.wait_for_timeout(600)
    assert board.kept()["seats"]["black"] == "player:random"
    until(lambda: len(board.moves()) == 1, "its move")


def test_a_second_click_during_a_step_is_none(judged, program):
    board = judged(program, reduced_motion="no-preference").open()
    board.two_persons()
    board.settled()
    for first, second in [("32", "28"), ("19", "23")]:
        board.click(first)
        board.click(second)
        board.settled()
    board.page.locator("#start").click()
    board.settled()
    for _ in range(2):
        board.page.evaluate("""async () => {
            const first = () => document.querySelector(".book button").click();
            first();
            await new Promise((done) => setTimeout(done, 70));
            first();
        }""")
        board.settled()
        assert is_legal(board)


@pytest.mark.forgives(AWAY)
def test_what_was_moved_while_the_server_was_away_is_answered(judged, programs):
    program = programs()
    board = judged(program).open()
    board.choose(seconds="0.1")
    program.kill()
    until(lambda: "server is away" in board.status(), "word of the lost server")
    board.click("32")
    board.click("28")
    until(lambda: board.moves() == ["32-28"], "the move")
    # The board shows the position before it.
    board.click("33")
    board.click("29")
    assert board.moves() == ["32-28"]
    program.restart()
    until(lambda: len(board.moves()) == 2, lambda: f"Kroon's answer: {board.status()}")
    board.settled()


@pytest.mark.forgives(AWAY)
def test_a_step_that_failed_can_be_made_again(board):
    board.two_persons()
    start = board.fen()
    board.play(board.position()["moves"][0])
    board.page.route(POSITION, lambda route: route.abort())
    board.page.click("#start")
    until(lambda: "server is away" in board.status(), lambda: f"what is wrong: {board.status()}")
    board.page.unroute(POSITION)
    board.page.click("#start")
    board.shows(start)


@pytest.mark.forgives(AWAY)
def test_a_reload_follows_no_address_of_its_own(board):
    board.two_persons()
    board.page.route(POSITION, lambda route: route.abort())
    board.click("32")
    board.click("28")
    until(lambda: board.moves() == ["32-28"], "the move")
    board.page.unroute(POSITION)
    board.page.reload()
    board.ready()
    board.page.wait_for_timeout(1000)
    board.settled()
    assert board.moves() == ["32-28"] and board.kept()["start"] is None


@pytest.mark.forgives("status of 422")
def test_a_game_that_cannot_be_written_is_not_in_the_way(board):
    board.two_persons()
    # As a page of an older program may have kept it.
    board.page.evaluate("""() => {
        const node = (parent, text, children) => ({ parent, text, color: "white", children });
        const tree = { nodes: [node(-1, "", [1]), node(0, "32-28", [2]), node(1, "31-26", [])], current: 0 };
        const kept = JSON.parse(sessionStorage["kroon.game"]);
        sessionStorage["kroon.game"] = JSON.stringify({ ...kept, tree, changed: true });
    }""")
    board.page.reload()
    board.ready()
    board.choose(variant="english")
    until(lambda: board.kept()["variant"] == "english", lambda: f"another game: {board.status()}")
    board.settled()
    # Nor is it lost.
    text, = board.left()
    assert "{32-28 31-26}" in text


def test_typing_keeps_no_move_from_the_board(judged, program):
    board = judged(program, reduced_motion="no-preference").open()
    board.choose(seconds="0.5")
    board.set_up("W:W27,28,32,33,34,38,39,43,48,49:B4,8,9,12,13,14,18,19,23,24")
    board.click("49")
    board.click("44")
    board.page.locator("#comment").press_sequentially("a comment that takes its time", delay=60)
    until(lambda: len(board.moves()) == 2, lambda: f"Kroon's move: {board.status()}")


def test_the_expected_reply_after_a_look_back(board):
    page = board.page
    board.choose(variant="english", seat_white="level:20", seat_black="person", seconds="0.1")
    board.unfold(page.locator("#ponder"))
    page.check("#ponder")
    page.click("#new_game")
    until(lambda: board.moves() == [], "a new game")
    board.settled()
    with page.expect_request(lambda request: '"ponder"' in (request.post_data or "")) as asked:
        board.play(board.position()["moves"][0])
    expected = asked.value.post_data_json["moves"][-1]
    page.locator("#back").click()
    board.settled()
    page.locator("#forward").click()
    board.settled()
    board.play(next(move for move in board.position()["moves"] if move["text"] == expected))
    until(lambda: len(board.moves()) == 4, lambda: f"White's answer: {board.status()}")


def test_what_was_taken_back_is_a_variation(board):
    board.two_persons()
    board.set_up("W:W31,36,50:B22")

    def play(text):
        board.play(next(move for move in board.position()["moves"] if move["text"] == text))

    play("50-45")
    board.page.click("#take_back")
    until(lambda: board.moves() == [], "the start")
    board.settled()
    for text in ["31-27", "22x31", "36x27"]:
        play(text)
    nodes = board.kept()["tree"]["nodes"]
    assert [nodes[child]["text"] for child in nodes[0]["children"]] == ["31-27", "50-45"]
    assert "White wins" in board.status()


@pytest.mark.forgives("status of 503|status of 429|ERR_ABORTED")
def test_a_full_server_says_so(judged, programs):
    program = programs("--sessions", "1")
    judged(program).open()
    board = judged(program)
    board.page.goto(program.url)
    until(lambda: "boards are open already" in board.status(), board.status)


def test_a_position_that_is_being_written_stays_when_an_engine_moves(board):
    field, text = board.page.locator("#fen"), "W:W31,K46:B1,20"
    board.choose(seconds="0.1", seat_white="player:random", seat_black="level:1")
    field.fill(text)
    before = len(board.moves())
    until(lambda: len(board.moves()) > before + 2, "moves of the game")
    assert board.fen() == text
    field.press("Enter")
    until(lambda: board.kept()["start"] == text, "the position")
