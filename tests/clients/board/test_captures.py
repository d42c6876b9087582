"""Captures: what must be taken is shown, and a route among several is chosen by its squares."""

from board import until

# The man on 31 takes two men over 22 or over 24, and ends on 15 both times.
TWO_ROUTES = "W:W31:B18,19,26,27"


def test_a_route_is_chosen_by_its_squares(board):
    board.two_persons("english")
    board.set_up(TWO_ROUTES)
    # The man that must capture is marked.
    assert board.page.locator("#board .source").count() == 1
    board.click("31")
    assert board.page.locator("#board .victim").count() == 4
    # The last square leaves both routes open.
    board.click("15")
    assert board.moves() == []
    board.page.keyboard.press("Escape")
    board.click("31")
    board.click("24")
    board.played([])
    assert board.pieces().keys() == {"15", "18", "26"}
    board.page.locator("#back").click()
    until(lambda: len(board.pieces()) == 5, "the start again")
    board.click("31")
    board.click("22")
    until(lambda: board.pieces().keys() == {"15", "19", "27"}, "the other route")


def test_a_short_route_may_be_part_of_a_longer_one(board):
    # The king takes the man on 7, or three men on its way round to the same square.
    board.two_persons("pool")
    board.set_up("W:WK14:B7,18,25,26")
    for square in ("14", "3"):
        board.click(square)
    assert board.moves() == []
    board.click("3")
    board.played([])
    assert board.pieces().keys() == {"3", "18", "25", "26"}
    board.page.locator("#back").click()
    until(lambda: len(board.pieces()) == 5, "the start again")
    for square in ("14", "23"):
        board.click(square)
    board.played([])
    assert len(board.pieces()) < 4


def test_an_unambiguous_capture_plays_at_once(board):
    board.two_persons()
    board.set_up("W:W48:B42,32,3")
    board.click("48")
    board.click("28")
    board.played([])
    assert board.pieces().keys() == {"28", "3"}


def test_a_king_may_land_on_any_square_behind_a_piece(board):
    # The server names 32 as the square between the two captures.
    board.two_persons()
    board.set_up("W:WK46:B37,19")
    # 41 is on the way to the first capture, 28 behind it.
    for square in ("46", "41", "28", "23", "14"):
        assert board.moves() == []
        board.click(square)
    board.played([])
    assert board.pieces().keys() == {"14"}


# Remembers where pieces are drawn from now on.
WATCH = """() => {
    window.places = new Set();
    const note = (changes) => changes.forEach((change) => window.places.add(change.target.getAttribute("transform")));
    const what = { subtree: true, attributes: true, attributeFilter: ["transform"] };
    new MutationObserver(note).observe(document.querySelector("#board svg"), what);
}"""


def test_a_capture_is_shown_step_by_step_but_not_to_those_who_want_no_motion(judged, program):
    seen = {}
    for motion in ("no-preference", "reduce"):
        board = judged(program, reduced_motion=motion).open()
        board.two_persons()
        board.set_up("W:W48:B42,32,3")
        column, row = board.squares()["37"]
        board.click("48")
        board.page.evaluate(WATCH)
        board.click("28")
        board.played([])
        places = board.page.evaluate("[...window.places]")
        rested = lambda places: any(place.startswith(f"translate({column + 0.5} {row + 0.5})") for place in places)
        seen[motion] = [rested(places)]
        assert board.pieces().keys() == {"28", "3"}
        # The same where one goes through the game; not so back.
        for key, fen in (("ArrowLeft", "W:W48:B3,32,42"), ("ArrowRight", board.fen())):
            board.page.evaluate("window.places.clear()")
            board.page.keyboard.press(key)
            board.shows(fen)
            seen[motion].append(rested(board.page.evaluate("[...window.places]")))
    # The man rests on the square between the two men that it takes, or is at once behind them.
    assert seen == {"no-preference": [True, False, True], "reduce": [False, False, False]}
