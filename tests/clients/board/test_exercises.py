"""Exercises: from a file, from the program, from the game; solved by moving, with hints and a score."""

import json

import pytest
from board import until

REST = {"goal": "win", "themes": ["sacrifice-1"], "depth": 3, "captured": 2, "lure": 0.0, "source": "test"}


def exercise(board, fen, plies, difficulty):
    """An exercise with the first legal moves as its solution, which is all the same to the page."""
    line = {"variant": "international", "start": fen, "moves": []}
    for _ in range(plies):
        line["moves"].append(board.program.ask("/api/position", line)["moves"][0]["text"])
    return {**REST, "variant": "international", "fen": fen, "solution": line["moves"], "difficulty": difficulty}


def open_file(board, exercises):
    text = "".join(json.dumps(one) + "\n" for one in exercises)
    board.page.set_input_files("#puzzle-file", {"name": "x.jsonl", "mimeType": "text/plain", "buffer": text.encode()})


def kept(board):
    return board.kept()["exercise"]


def state(board, text):
    until(lambda: text in board.page.inner_text("#exercise-state"), lambda: f"{text}, not {board.page.inner_text('#exercise-state')}")


def move(board, text):
    return next(move for move in board.position()["moves"] if move["text"] == text)


def two(board):
    first = exercise(board, "W:W31,32,33,38:B12,13,18,19", 3, 2.5)
    second = exercise(board, "B:W31,32,33,38:B12,13,18,19", 1, 8.0)
    return first, second


def test_an_exercise_is_solved_by_moving(board):
    page = board.page
    board.two_persons()
    board.play(move(board, "32-28"))
    first, second = two(board)
    open_file(board, [first, second])
    state(board, "White to move and win")
    board.settled()
    assert board.position()["fen"] == board.fen() and kept(board)["puzzle"]["fen"] == first["fen"]
    # A wrong move is not made.
    wrong = next(one for one in board.position()["moves"] if one["text"] != first["solution"][0])
    for square in (wrong["path"][0], wrong["path"][-1]):
        board.click(square)
    until(lambda: "not the right move" in board.status(), "word of a wrong move")
    assert board.moves() == []
    # The other side answers by itself.
    board.click(move(board, first["solution"][0])["path"][0])
    board.click(move(board, first["solution"][0])["path"][-1])
    until(lambda: board.moves() == first["solution"][:2], lambda: f"the answer: {board.moves()}")
    board.settled()
    assert kept(board)["state"] == "open"
    board.play(move(board, first["solution"][2]))
    state(board, "Solved, after a wrong move")
    assert "0 of 1" in page.inner_text("#exercise-score")
    assert "sacrifice (1)" in page.inner_text("#exercise-about")
    page.click("#next_exercise")
    state(board, "Black to move and win")
    board.settled()
    # Black is below.
    assert board.kept()["flipped"]
    board.play(move(board, second["solution"][0]))
    until(lambda: page.inner_text("#exercise-state") == "Solved", "solved without help")
    assert "1 of 2" in page.inner_text("#exercise-score")
    # A reload keeps exercise and score.
    page.reload()
    board.ready()
    assert page.inner_text("#exercise-state") == "Solved" and "1 of 2" in page.inner_text("#exercise-score")
    # The next one is the one that was not solved without help.
    page.click("#next_exercise")
    until(lambda: kept(board)["puzzle"]["fen"] == first["fen"], "the first again")
    # Back to the game that was on the board.
    page.click("#leave_exercises")
    until(lambda: board.moves() == ["32-28"], "the game")
    board.settled()
    assert kept(board) is None and not board.kept()["flipped"]


def test_a_move_that_wins_as_well_is_no_wrong_one(board):
    """Three kings and a man against a man: whatever is no gift wins. The solution is one of these moves."""
    page = board.page
    puzzle = exercise(board, "W:WK46,K47,K48,33:B5", 1, 2.5)
    open_file(board, [puzzle])
    state(board, "White to move and win")
    board.settled()

    def attempt(text):
        for square in (move(board, text)["path"][0], move(board, text)["path"][-1]):
            board.click(square)

    solution = puzzle["solution"][0]
    legal = [one["text"] for one in board.position()["moves"] if len(one["path"]) == 2]
    judged = {text: board.program.ask("/api/puzzles/try", {"variant": "international", "start": puzzle["fen"], "moves": [text],
                                                           "goal": "win"}) for text in legal if text != solution}
    winning = next(text for text, known in judged.items() if known["keeps"])
    attempt(winning)
    until(lambda: "wins too, but there is a better move" in board.status(), lambda: f"another word: {board.status()}")
    assert board.moves() == [] and kept(board)["slips"] == 0
    assert "0 of 0" in page.inner_text("#exercise-score")
    board.play(move(board, solution))
    until(lambda: page.inner_text("#exercise-state") == "Solved", "solved without help")


def test_hints_and_the_solution(board):
    page = board.page
    first, second = two(board)
    open_file(board, [first, second])
    state(board, "White")
    board.settled()
    own = lambda: (page.locator("#board circle.own").count(), page.locator("#board .own-head").count())
    page.click("#exercise_hint")
    assert own() == (1, 0)
    page.click("#exercise_hint")
    assert own() == (0, 1)
    assert page.inner_text("#exercise-line") == ""
    page.click("#solution")
    state(board, "The solution")
    until(lambda: board.moves() == first["solution"], "the solution on the board")
    # A hint is for one position, and the moves can be read in the panel.
    until(lambda: own() == (0, 0), "no hint")
    assert page.inner_text("#exercise-line") == "1. {} {} 2. {}".format(*first["solution"])
    assert "0 of 1" in page.inner_text("#exercise-score")
    assert page.locator("#solution").is_disabled()
    page.click("#again")
    until(lambda: board.moves() == [] and kept(board)["state"] == "open", "the exercise again")
    # By difficulty.
    board.choose(grade="hard")
    until(lambda: kept(board)["puzzle"]["fen"] == second["fen"], "the hard one")
    board.settled()
    page.click("#exercise_hint")
    assert own() == (1, 0)
    page.click("#leave_exercises")
    until(lambda: kept(board) is None and own() == (0, 0), "the game without a hint")


@pytest.mark.forgives("status of 422")
def test_a_file_that_is_none_is_refused(board):
    open_file(board, [{"variant": "chess"}])
    until(lambda: "line 1" in board.status(), "what is wrong")
    games = {"name": "games.pdn", "mimeType": "text/plain", "buffer": b'[Event "x"]\n1. 32-28 *\n'}
    board.page.set_input_files("#puzzle-file", games)
    until(lambda: board.status() == "This is no file of exercises: `kroon puzzles` makes one (.jsonl)", board.status)
    assert kept(board) is None


def test_an_exercise_is_saved_as_nobodys_game(board):
    begin_with_three(board)
    with board.page.expect_download() as download:
        board.page.click("#save_game")
    text = download.value.path().read_text()
    assert '[White "?"]' in text and '[Black "?"]' in text and '[Date "????.??.??"]' in text, text


def test_an_exercise_has_the_only_hint(board):
    page = board.page
    begin_with_three(board)
    assert page.get_by_role("button", name="Hint").count() == 1 and not page.locator("#new_game").is_visible()
    page.click("#leave_exercises")
    until(page.locator("#new_game").is_visible, "the orders of the game")


def test_those_of_the_program(board):
    count = len(board.program.ask("/api/puzzles/international"))
    assert count >= 300
    board.page.click("#builtin")
    state(board, "to move and")
    assert f"1 / {count}" in board.page.inner_text("#exercise-about")
    solution = kept(board)["puzzle"]["solution"]
    board.settled()
    board.page.click("#solution")
    until(lambda: board.moves() == solution, "its solution")


def test_the_search_in_a_game_shows_how_far_it_is_and_is_cancelled(board):
    page = board.page
    text = "[GameType \"20\"]\n" + "32-28 19-23 28x19 14x23 37-32 10-14 41-37 14-19 34-30 5-10 30-25 10-14 46-41 18-22 40-34 *\n"
    board.page.set_input_files("#pdn-file", {"name": "g.pdn", "mimeType": "text/plain", "buffer": text.encode()})
    until(lambda: len(board.kept()["tree"]["nodes"]) == 16, "the game")
    board.settled()
    progress = page.locator("#exercise-progress")
    assert not progress.is_visible()
    # More than one search: a game has more positions than a moment is long.
    page.evaluate("""() => {
        window.seen = [];
        const bar = document.querySelector('#exercise-progress');
        new MutationObserver(() => window.seen.push([bar.value, bar.max])).observe(bar, { attributes: true });
    }""")
    page.click("#puzzles_of_game")
    until(lambda: page.evaluate("window.seen.some(([value, max]) => value > 0 && max === 16)"), "progress")
    if progress.is_visible():
        page.click("#puzzles_of_game")
        until(lambda: not progress.is_visible(), "the end of the search")
        board.program.works_for()
        assert kept(board) is None and page.inner_text("#puzzles_of_game") == "From this game"
    # Another game ends it, too.
    page.click("#puzzles_of_game")
    page.click("#new_game")
    until(lambda: len(board.kept()["tree"]["nodes"]) == 1, "another game")
    until(lambda: not progress.is_visible(), "no search in another game")
    page.wait_for_timeout(500)
    assert kept(board) is None


def test_those_of_the_game(board):
    text = "[GameType \"20\"]\n1. 33-29 19-24 2. 39-33 24-30 3. 35x24 20-25 4. 44-39 *\n"
    board.page.set_input_files("#pdn-file", {"name": "g.pdn", "mimeType": "text/plain", "buffer": text.encode()})
    until(lambda: len(board.kept()["tree"]["nodes"]) == 8, "the game")
    board.settled()
    board.page.click("#puzzles_of_game")
    # Whether there are any is for others to test; here it comes to an end.
    until(lambda: kept(board) or "There are no exercises" in board.status(), "an end of the search")
    if kept(board):
        board.page.click("#leave_exercises")
    until(lambda: len(board.kept()["tree"]["nodes"]) == 8, "the game")


def begin_with_three(board):
    """An open exercise of three plies: the solver's, the answer, the solver's."""
    first = two(board)[0]
    open_file(board, [first])
    state(board, "White to move and win")
    board.settled()
    return first["solution"]


def line_is(board, moves):
    until(lambda: board.moves() == moves, lambda: f"{moves}, not {board.moves()}")
    board.settled()


def test_nobody_else_solves_an_exercise(board):
    begin_with_three(board)
    for seat in ("seat-white", "seat-black"):
        assert board.page.locator(f"#{seat}").is_disabled()
    board.page.click("#leave_exercises")
    until(lambda: board.page.locator("#seat-white").is_enabled(), "the game")


def test_going_through_an_exercise_ends_where_the_solver_moves(board):
    page = board.page
    solution = begin_with_three(board)
    board.play(move(board, solution[0]))
    line_is(board, solution[:2])
    page.click("#back")
    line_is(board, [])
    page.click("#forward")
    line_is(board, solution[:2])
    page.click("#start")
    line_is(board, [])
    page.click("#forward")
    line_is(board, solution[:2])
    # Without the answer it is made anew.
    page.click("#remove")
    line_is(board, solution[:2])
    board.play(move(board, solution[2]))
    state(board, "Solved")
    # What is solved can be gone through move by move.
    page.click("#back")
    line_is(board, solution[:2])
    page.click("#back")
    line_is(board, solution[:1])


def test_the_lines_of_the_engine_in_an_exercise(board):
    page = board.page
    board.choose(lines="5")
    solution = begin_with_three(board)
    page.click("#engine")
    first = lambda text: page.locator(".lines li", has=page.locator(".pv button:first-child", has_text=text))
    wrong = next(one["text"] for one in board.position()["moves"] if one["text"] != solution[0])
    until(lambda: page.locator(".lines li").count() == 5, "lines")
    # Their first moves are tried: what is right is answered.
    until(lambda: first(solution[0]).count() and first(wrong).count(), "these moves")
    first(wrong).locator(".pv button").first.click()
    until(lambda: board.status().startswith(wrong), board.status)
    assert board.moves() == []
    first(solution[0]).locator(".pv button").first.click()
    line_is(board, solution[:2])
    # Later moves are looked at, and the way back is said.
    page.click("#start")
    line_is(board, [])
    until(lambda: first(wrong).locator(".pv button:visible").count() > 1, "a line")
    first(wrong).locator(".pv button").nth(1).click()
    state(board, "Another line")
    assert page.locator("#exercise_hint").is_disabled()
    page.click("#start")
    state(board, "White to move and win")
    page.click("#forward")
    line_is(board, solution[:2])
    board.play(move(board, solution[2]))
    state(board, "Solved, with help")
    board.choose(variant="english")
    until(lambda: kept(board) is None, "a game")
    board.settled()
    # An exercise is no game.
    assert not page.locator("#kept-files").is_visible()


def test_an_exercise_is_beside_the_board_on_a_phone(judged, program):
    board = judged(program, viewport={"width": 375, "height": 667}, has_touch=True).open()
    page = board.page
    begin_with_three(board)
    until(lambda: page.evaluate("scrollY") == 0, "the top of the page")
    for part in ("#exercise-state", "#exercise_hint", "#solution"):
        box = board.box(part)
        assert box["y"] + box["height"] <= 667, (part, box)
    # The others are folded away meanwhile.
    assert not page.locator("#builtin").is_visible()
    page.click("#leave_exercises")
    until(page.locator("#builtin").is_visible, "all exercises")
