"""The analysis of a whole game: progress, curve, marks, accuracy; and that it ends when nobody wants it."""

import json
import re

from board import until

# A game in which White gives a man for nothing at move 3: 28-22 is taken by 17x28.
BLUNDER = """[GameType "20"]
1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 32-28? 23x32 5. 38x27 5-10 *
"""

# White and Black let men be taken.
ERRORS = '[GameType "20"]\n1. 33-29 19-24 2. 39-33 24-30 3. 35x24 20-25 4. 44-39 *\n'


def open_game(board, text=BLUNDER, nodes=11):
    content = {"name": "game.pdn", "mimeType": "text/plain", "buffer": text.encode()}
    board.page.set_input_files("#pdn-file", content)
    until(lambda: len(board.kept()["tree"]["nodes"]) >= nodes, "the game")
    board.settled()


def analyse(board, effort="quick"):
    board.choose(effort=effort)
    board.page.click("#report")


def report(board):
    return board.kept()["report"]


def analysed(board):
    until(lambda: (report(board) or {}).get("sides"), lambda: f"the analysis: {report(board)}, {board.status()}")


def test_a_game_is_analysed(board):
    page = board.page
    open_game(board)
    assert not page.locator("#curve").is_visible()
    analyse(board)
    analysed(board)
    moves = report(board)["moves"]
    assert [move["played"] for move in moves] == [node["text"] for node in board.kept()["tree"]["nodes"][1:]]
    # The table has an accuracy for each side.
    cells = page.locator(".sides tr").nth(1).locator("td").all_inner_texts()
    assert len(cells) == 2 and all(re.fullmatch(r"\d+\.\d %", cell) for cell in cells), cells
    # Every error is in the list, is marked in the list of moves, and is a point of the curve.
    errors = {"inaccuracy", "mistake", "blunder", "missed-win", "missed-combination"}
    wrong = [move for move in moves if move["class"] in errors]
    assert page.locator(".errors li").count() == len(wrong) == page.locator("#curve .curve-mark").count()
    assert page.locator(".moves .mark:not(.only)").count() == len(wrong)
    # A click on the curve goes to that move, by keys one goes on.
    box = board.box("#curve")
    page.locator("#curve").click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    until(lambda: len(board.moves()) == 5, "the middle of the game")
    board.settled()
    assert page.locator("#curve .curve-now").get_attribute("data-ply") == "5"
    assert page.locator("#judgement").inner_text().startswith(board.moves()[-1])
    # A reload keeps it, another game has none.
    page.reload()
    board.ready()
    assert page.locator("#curve").is_visible() and page.locator(".errors li").count() == len(wrong)
    page.click("#new_game")
    until(lambda: report(board) is None, "no analysis")
    until(lambda: not page.locator("#curve").is_visible(), "no curve")


def test_an_error_is_shown_with_the_better_line(board):
    page = board.page
    # White to move lets a man be taken.
    open_game(board, ERRORS, 8)
    analyse(board)
    analysed(board)
    # 24-30 gives a man for nothing.
    grave = page.locator(".errors li", has_text="24-30")
    until(lambda: grave.count() == 1, "the error in the list")
    assert "better: " in grave.inner_text()
    assert page.locator(".moves button", has_text="24-30").locator(".mark").count() == 1
    nodes = len(board.kept()["tree"]["nodes"])
    grave.locator(".add").click()
    until(lambda: len(board.kept()["tree"]["nodes"]) > nodes, "the better line as a variation")
    # The main line is what it was, and what is said of it stays.
    assert page.locator(".errors li", has_text="24-30").count() == 1
    grave.locator("button").first.click()
    until(lambda: board.moves() == ["33-29", "19-24", "39-33", "24-30"], "the error on the board")


def test_an_error_is_seen_on_a_phone(judged, program):
    board = judged(program, viewport={"width": 390, "height": 844}, has_touch=True).open()
    page = board.page
    open_game(board, ERRORS, 8)
    analyse(board)
    analysed(board)
    # The points are round, and all of each is within the frame.
    until(lambda: page.locator("#curve .curve-mark").count() > 0, "a point")
    frame = board.box("#curve")
    for point in page.locator("#curve .curve-mark").all():
        box = point.bounding_box()
        assert abs(box["width"] - box["height"]) < 0.1
        assert all(frame[at] <= box[at] and box[at] + box[size] <= frame[at] + frame[size] for at, size in (("x", "width"), ("y", "height")))
    error = page.locator(".errors button").first
    error.scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 0
    error.tap()
    until(lambda: board.moves() and page.evaluate("scrollY") == 0, "the board")


def test_an_analysis_of_another_main_line_is_none_of_the_game(board):
    page = board.page
    board.two_persons()
    open_game(board, '[GameType "20"]\n1. 32-28 19-23 2. 28x19 14x23 *\n', 5)
    analyse(board)
    analysed(board)
    assert page.locator(".sides").is_visible() and page.locator("#report-other").inner_text() == ""
    page.locator(".moves button").first.click()
    board.settled()
    board.play(next(move for move in board.position()["moves"] if move["text"] == "18-23"))
    # A variation changes nothing of that.
    assert page.locator(".sides").is_visible()
    page.click("#promote")
    until(lambda: "another line" in page.locator("#report-other").inner_text(), "word of another line")
    assert not page.locator(".sides").is_visible()


def test_an_analysis_is_written_into_the_game_and_taken_out(board):
    page = board.page
    open_game(board, '[White "A"] [GameType "20"]\n1. 33-29 19-24 {mine} 2. 39-33 24-30 (2... 17-22) 3. 35x24 20-25 4. 44-39 *\n', 9)
    before = board.kept()["tree"]
    assert not page.locator("#write_report").is_visible() and not page.locator("#unwrite_report").is_visible()
    analyse(board)
    analysed(board)
    page.locator(".errors li", has_text="24-30").locator("button").first.click()
    board.settled()
    line = board.moves()
    page.click("#write_report")
    until(lambda: page.locator("#unwrite_report").is_visible(), "the notes in the game")
    # The same place, the words in the list without the commands for programs, the sign once.
    assert board.moves() == line
    shown = page.locator(".moves").inner_text()
    assert "expected result" in shown and "mine" in shown and "[%" not in shown, shown
    error = page.locator(".moves > button", has_text="24-30")
    assert error.inner_text().endswith("24-30" + error.locator(".mark").inner_text())
    nodes = board.kept()["tree"]["nodes"]
    node = nodes[0]
    while node["children"]:
        node = nodes[node["children"][0]]
        assert "[%eval" in node["comments"][-1]
    assert len(nodes) > len(before["nodes"]) and ["Annotator"] == [name for name, _ in board.kept()["tags"] if name == "Annotator"]
    # Once more is no more.
    page.click("#write_report")
    page.wait_for_timeout(300)
    assert board.kept()["tree"]["nodes"] == nodes
    # It is what the program writes into files.
    with page.expect_download() as download:
        page.click("#save_game")
    text = download.value.path().read_text()
    # Wherever its lines break.
    words = " ".join(text.split())
    assert "{mine} {[%eval " in words and "[%kroon" in words and "(2... 17-22)" in words, text
    page.click("#unwrite_report")
    until(lambda: not page.locator("#unwrite_report").is_visible(), "the game without notes")
    after = board.kept()["tree"]["nodes"]
    assert [(node["text"], node.get("comments"), node.get("nags")) for node in after] == [
        (node["text"], node.get("comments"), node.get("nags")) for node in before["nodes"]]
    assert report(board)["sides"] and page.locator("#write_report").is_visible()
    # The notes of a file can be taken out without an analysis.
    open_game(board, text, 9)
    until(lambda: report(board) is None and page.locator("#unwrite_report").is_visible(), "notes of a file")
    page.click("#unwrite_report")
    until(lambda: not page.locator("#unwrite_report").is_visible(), "the file's game without notes")


def test_a_result_that_is_taken_back_is_not_kept_by_the_notes(board):
    page = board.page

    def play(*moves):
        for text in moves:
            board.play(next(move for move in board.position()["moves"] if move["text"] == text))

    def saved():
        with page.expect_download() as download:
            page.click("#save_game")
        return download.value.path().read_text()

    board.two_persons()
    play("32-28", "19-23")
    board.resign()
    until(lambda: "Black wins (by resignation)" in board.status(), "the end")
    analyse(board)
    analysed(board)
    page.click("#write_report")
    until(lambda: page.locator("#unwrite_report").is_visible(), "the notes in the game")
    assert '[Result "0-2"]' in saved()
    page.click("#take_back")
    until(lambda: len(board.moves()) == 1, "a move less")
    board.settled()
    play("20-24")
    assert '[Result "*"]' in saved()
    play("28-22")
    board.resign()
    until(lambda: "White wins (by resignation)" in board.status(), "the other end")
    assert '[Result "2-0"]' in saved()


def test_an_analysis_is_cancelled_and_ends_with_its_tab(judged, programs):
    program = programs()
    long = '[GameType "20"]\n' + "32-28 19-23 28x19 14x23 37-32 10-14 41-37 14-19 34-30 5-10 30-25 10-14 46-41 18-22 40-34 *\n"
    board = judged(program).open()
    open_game(board, long, 16)
    analyse(board, "thorough")
    page = board.page
    until(lambda: page.locator("#report-progress").is_visible(), "progress")
    until(lambda: report(board)["done"] > 0, "a move")
    # Meanwhile one can go through the game.
    page.click("#start")
    until(lambda: board.moves() == [], "the start")
    assert report(board)["running"]
    page.click("#report")
    assert not page.locator("#report-progress").is_visible()
    program.works_for()
    done = report(board)["done"]
    page.wait_for_timeout(500)
    assert report(board)["done"] == done < 15 and not report(board)["running"]
    analyse(board, "thorough")
    until(lambda: report(board)["running"], "the analysis again")
    page.close()
    program.works_for()
    until(lambda: program.ask("/api/about")["boards"] == 0, "no board")


# Plies of a long game of two kings, which go to and fro.
PLIES = 900
# The stream of events of the page, into which a test can put events.
STREAM = """
    const Real = EventSource;
    window.EventSource = class extends Real {
        constructor(...given) {
            super(...given);
            window.stream = this;
        }
    };
    // Writes of the state, which come with every change of it.
    window.writes = 0;
    const real = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key, value) {
        if (this === sessionStorage && key === "kroon.game") window.writes += 1;
        return real.call(this, key, value);
    };
"""


def test_results_that_come_quickly_do_not_freeze_the_page(judged, program):
    board = judged(program)
    page = board.page
    page.add_init_script(STREAM)
    page.route("**/api/engine/*/game", lambda route: route.fulfill(status=204))
    board.open()
    # No rule ends it: a list of moves of persons may go on.
    moves = [["36-41", "4-15", "41-36", "15-4"][ply % 4] for ply in range(PLIES)]
    open_game(board, f'[GameType "20"]\n[SetUp "1"]\n[FEN "W:WK36:BK4"]\n{" ".join(moves)} *\n', PLIES + 1)
    with page.expect_request("**/api/engine/*/game") as asked:
        analyse(board)
    request = asked.value.post_data_json["request"]
    steps = [{"request": request, "done": ply + 1, "total": PLIES, "move": {
        "ply": ply + 1, "played": moves[ply], "color": ["white", "black"][ply % 2], "class": "best", "loss": 0,
        "after": {"expected": 0.5}, "best": moves[ply:ply + 10]}} for ply in range(PLIES)]
    page.evaluate("""(steps) => {
        window.writes = 0;
        for (const step of steps) window.stream.dispatchEvent(new MessageEvent("step", { data: step }));
    }""", [json.dumps(step) for step in steps[:-1]])
    until(lambda: report(board)["done"] == PLIES - 1, lambda: f"all of them: {report(board)['done']}")
    assert [move["played"] for move in report(board)["moves"][:-1]] == moves[:-1]
    # One change for all that came in a moment.
    assert page.evaluate("window.writes") == 1
    # What is on its way does not come when the analysis is cancelled.
    page.evaluate("""(step) => {
        document.querySelector("#report").click();
        window.stream.dispatchEvent(new MessageEvent("step", { data: step }));
    }""", json.dumps(steps[-1]))
    page.wait_for_timeout(300)
    assert report(board)["done"] == PLIES - 1 and not report(board)["running"]
