"""More tabs than a browser has connections to one server: none of them freezes."""

from board import BoardPage, until

HIDE = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def look_away(board, hidden=True):
    """As if another tab were in front of this one; the browser of the tests shows all of them."""
    board.page.evaluate(HIDE, hidden)


def boards(program):
    return program.ask("/api/about")["boards"]


def test_hidden_tabs_without_work_leave_the_connections_to_others(judged, programs):
    program = programs()
    tabs = [judged(program).open()]
    tabs[0].two_persons()
    for _ in range(6):
        look_away(tabs[-1])
        tabs.append(BoardPage(tabs[0].page.context.new_page(), program).open(f"http://{program.host}/"))
        tabs[-1].play(tabs[-1].position()["moves"][0])
    assert len(tabs[-1].moves()) == 6
    until(lambda: boards(program) == 1, lambda: f"one stream, not {boards(program)}")
    # Whoever comes back has the engine again.
    look_away(tabs[-1])
    look_away(tabs[0], False)
    tabs[0].choose(seconds="0.1", seat_black="level:1")
    tabs[0].play(tabs[0].position()["moves"][0])
    until(lambda: len(tabs[0].moves()) >= 2, "Kroon's move")


def test_a_hidden_tab_works_on(judged, programs):
    program = programs()
    board = judged(program).open()
    board.choose(seconds="0.1", seat_white="level:1", seat_black="level:1")
    look_away(board)
    other = BoardPage(board.page.context.new_page(), program).open(f"http://{program.host}/")
    other.two_persons("english")
    before = len(board.moves())
    until(lambda: len(board.moves()) > before + 4, "moves in the hidden tab")


def test_one_tab_too_many_says_so(judged, programs):
    program = programs()
    tabs = [judged(program).open()]
    tabs[0].two_persons()
    for _ in range(5):
        tabs.append(BoardPage(tabs[0].page.context.new_page(), program).open(f"http://{program.host}/"))
    last = tabs[-1]
    until(lambda: "Too many tabs of Kroon" in last.status(), last.status)
    until(lambda: boards(program) == 5, lambda: f"five streams, not {boards(program)}")
    # All of them go on, the last one without an engine until another is closed.
    for tab in tabs:
        tab.play(tab.position()["moves"][0])
    tabs[2].page.close()
    until(lambda: "to move" in last.status(), last.status)
    until(lambda: boards(program) == 5, lambda: f"five streams, not {boards(program)}")
