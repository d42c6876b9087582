"""Games with clocks: what is shown, what a reload keeps, how a flag falls, and that Kroon keeps to its time."""

from board import until


def clock(board, kind="game", **numbers):
    """Chooses a clock for the game on the board, in which nobody has moved."""
    board.choose(clock=kind)
    for name, number in numbers.items():
        field = board.page.locator(f"#clock-{name}")
        field.fill(str(number))
        field.press("Tab")
    has = {**board.kept()["clockSetup"], **numbers}
    count = f"{has['moves']}/" if kind == "moves" else ""
    control = f"{count}{60 * has['minutes']:g}+{has['increment']:g}"
    until(lambda: board.kept()["clock"] == control, lambda: f"{control}, not {board.kept()['clock']}")
    board.settled()
    assert board.moves() == []


def seconds(board, place):
    """What a clock shows, in seconds: of the side at the top or at the bottom."""
    text = board.page.locator(f"#clock-{place} .time").inner_text()
    return sum(60 ** at * float(part) for at, part in enumerate(reversed(text.split(":"))))


def first_move(board):
    board.play(board.position()["moves"][0])


def test_the_clocks_of_two_persons(board):
    board.two_persons("english")
    assert not board.page.locator("#clock-top .time").is_visible()
    clock(board, minutes=2, increment=5)
    # Black begins; the increment is there before the move.
    assert seconds(board, "bottom") == 120 and 115 < seconds(board, "top") <= 125
    until(lambda: seconds(board, "top") < 125, "the clock runs")
    first_move(board)
    standing = seconds(board, "top")
    until(lambda: seconds(board, "bottom") < 125, "the other clock runs")
    assert seconds(board, "top") == standing
    used = board.kept()["tree"]["nodes"][1]["used"]
    assert 0 < used and abs(standing - (125 - used)) < 1.1


def test_a_clock_that_is_chosen_before_the_first_move_counts(board):
    page = board.page
    board.two_persons()
    note = lambda: page.locator("#clock-note").inner_text()
    clock(board, minutes=5, increment=3)
    until(lambda: page.locator("#clock-top .time").is_visible(), "clocks")
    assert note() == ""
    first_move(board)
    assert board.kept()["tree"]["nodes"][1]["used"] > 0
    until(lambda: seconds(board, "top") < 303, "the clock runs")
    # From the first move on it stays as it is, which is said.
    board.choose(clock="none")
    until(lambda: note() == "This choice counts from the next new game on", note)
    assert board.kept()["clock"] == "300+3" and page.locator("#clock-top .time").is_visible()
    page.click("#new_game")
    until(lambda: board.kept()["clock"] is None, "a game without a clock")
    until(lambda: not page.locator("#clock-top .time").is_visible() and note() == "", "no clock")


def test_a_clock_that_is_chosen_in_the_editor_is_that_of_the_game(board):
    page = board.page
    board.two_persons()
    page.click("#edit")
    until(lambda: page.locator("#cancel_edit").is_visible(), "the editor")
    board.choose(clock="game")
    page.wait_for_timeout(200)
    assert not page.locator("#clock-top .time").is_visible() and page.locator("#cancel_edit").is_visible()
    page.click("#cancel_edit")
    until(lambda: page.locator("#clock-top .time").is_visible(), "clocks")


def test_a_reload_keeps_the_clocks_and_taking_back_gives_time_back(board):
    board.two_persons()
    clock(board, minutes=2, increment=0)
    first_move(board)
    until(lambda: seconds(board, "top") < 119, "a second")
    before = [seconds(board, place) for place in ("top", "bottom")]
    board.page.reload()
    board.ready().settled()
    assert seconds(board, "top") <= before[0] and seconds(board, "bottom") == before[1]
    board.page.click("#take_back")
    until(lambda: board.moves() == [], "no move")
    until(lambda: seconds(board, "top") == 120, "the time that Black had")
    assert seconds(board, "bottom") > 118


def test_a_step_that_leads_nowhere_disturbs_no_game(board):
    board.two_persons()
    clock(board, minutes=2, increment=0)
    first_move(board)
    until(lambda: seconds(board, "top") < 119, "a second")
    for step in (lambda: board.page.keyboard.press("ArrowRight"), lambda: board.page.keyboard.press("ArrowDown"),
                 lambda: board.page.click("#end")):
        step()
    board.page.wait_for_timeout(300)
    assert seconds(board, "top") < 119 and board.kept()["playing"]


def test_a_fallen_flag_ends_the_game(board):
    board.two_persons()
    clock(board, minutes=0.05, increment=0)
    # The clock of the first player runs from the beginning.
    until(lambda: board.status() == "Black wins (on time)", "a fallen flag")
    assert seconds(board, "bottom") == 0 and board.page.locator("#clock-bottom.low").count() == 1
    assert board.kept()["ended"] == {"winner": "black", "reason": "time"}
    # It is still so after a reload, and the game can be gone through.
    board.page.reload()
    board.ready()
    until(lambda: board.status() == "Black wins (on time)", "the end")
    until(lambda: seconds(board, "bottom") == 0, lambda: f"no time: {seconds(board, 'bottom')}")


def test_kroon_plays_by_the_clock(board):
    board.choose(seat_black="person", variant="english", seat_white="level:0")
    with board.page.expect_request("**/go") as asked:
        clock(board, "moves", moves=9, minutes=0.25, increment=0)
        for _ in range(3):
            before = board.moves()
            board.play(board.position()["moves"][0])
            board.played([*before, None])
    assert "move_time" not in asked.value.post_data_json
    assert asked.value.post_data_json["clock"]["control"] == "9/15+0"
    used = [node["used"] for node in board.kept()["tree"]["nodes"] if node["color"] == "white"]
    # Fifteen seconds are for nine moves, of which these are three.
    assert len(used) == 3 and 0 < sum(used) < 12


def test_a_clock_without_time_is_none(judged, program):
    board = judged(program, locale="nl").open()
    board.choose(clock="game")
    for name in ("minutes", "increment"):
        board.page.fill(f"#clock-{name}", "0")
        board.page.press(f"#clock-{name}", "Tab")
    said = "Een klok heeft tijd nodig"
    until(lambda: said in board.page.locator("#clock-fault").inner_text(), "what is wrong")
    board.page.click("#new_game")
    until(lambda: said in board.status(), lambda: f"why there is no game: {board.status()}")
    board.page.fill("#clock-increment", "2")
    board.page.press("#clock-increment", "Tab")
    until(lambda: said not in board.page.locator("body").inner_text(), "nothing wrong")
    board.page.click("#new_game")
    until(lambda: board.kept()["clock"] == "0+2", "a game")
