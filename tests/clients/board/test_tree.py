"""The tree of moves: variations, comments, signs, keys, promotion, deletion."""

from board import until


def make_tree(board):
    """1. 32-28 19-23 (1... 18-23 2. 33-29) 2. 28x19"""
    board.two_persons()
    for texts in (["32-28", "19-23", "28x19"], ["18-23", "33-29"]):
        for text in texts:
            board.play(next(move for move in board.position()["moves"] if move["text"] == text))
        board.page.locator("#start").click()
        board.settled()
        board.page.locator("#forward").click()
        board.settled()
    assert board.moves() == ["32-28"]


def press(board, key, moves):
    board.page.keyboard.press(key)
    until(lambda: board.moves() == moves, lambda: f"{key}: {board.moves()} instead of {moves}")
    board.settled()


def test_keys_go_through_the_tree(board):
    make_tree(board)
    board.page.evaluate("document.activeElement.blur()")
    press(board, "ArrowRight", ["32-28", "19-23"])
    press(board, "ArrowDown", ["32-28", "18-23"])
    press(board, "End", ["32-28", "18-23", "33-29"])
    press(board, "ArrowLeft", ["32-28", "18-23"])
    press(board, "ArrowUp", ["32-28", "19-23"])
    press(board, "Home", [])
    press(board, "ArrowLeft", [])
    # The same after a click on the board, where keys pressed after Tab move the cursor.
    board.click("28")
    press(board, "ArrowRight", ["32-28"])


def test_promote_and_delete(board):
    make_tree(board)
    assert board.page.locator("#promote").is_disabled()
    board.page.evaluate("document.activeElement.blur()")
    for key, moves in [("ArrowRight", ["32-28", "19-23"]), ("ArrowDown", ["32-28", "18-23"]), ("End", ["32-28", "18-23", "33-29"])]:
        press(board, key, moves)
    # From any move of the variation.
    board.page.locator("#promote").click()
    press(board, "Home", [])
    press(board, "End", ["32-28", "18-23", "33-29"])
    board.page.locator("#remove").click()
    until(lambda: board.moves() == ["32-28", "18-23"], "one move less")
    board.settled()
    assert board.page.locator(".moves button").count() == 4


def test_the_result_goes_with_the_last_moves_alone(board):
    make_tree(board)
    page = board.page
    board.page.evaluate("document.activeElement.blur()")
    press(board, "End", ["32-28", "19-23", "28x19"])
    page.click("#go_on")
    board.resign()
    until(lambda: "by resignation" in board.status(), board.status)
    # A variation has no part in it.
    for key, moves in [("Home", []), ("ArrowRight", ["32-28"]), ("ArrowRight", ["32-28", "19-23"]), ("ArrowDown", ["32-28", "18-23"])]:
        press(board, key, moves)
    page.click("#remove")
    until(lambda: board.moves() == ["32-28"], "no variation")
    board.settled()
    assert board.kept()["ended"] and len(board.kept()["tree"]["nodes"][1]["children"]) == 1
    press(board, "End", ["32-28", "19-23", "28x19"])
    page.click("#remove")
    until(lambda: board.moves() == ["32-28", "19-23"], "one move less")
    board.settled()
    assert board.kept()["ended"] is None and "resignation" not in board.status()


def test_steps_are_said(board):
    make_tree(board)
    board.page.evaluate("document.activeElement.blur()")
    for key, moves, said in [("End", ["32-28", "19-23", "28x19"], "White 28x19"), ("ArrowLeft", ["32-28", "19-23"], "Black 19-23"),
                             ("Home", [], "at the start")]:
        press(board, key, moves)
        until(lambda: board.page.inner_text("#announcer") == said, lambda: board.page.inner_text("#announcer"))


def test_comments_and_signs(board):
    make_tree(board)
    page = board.page
    page.locator("#comment").fill("first\nsecond {one}")
    page.locator(".glyphs button", has_text="!?").click()
    until(lambda: "32-28!?" in page.locator(".moves").inner_text(), "the sign")
    assert [one.inner_text() for one in page.locator(".moves .comment").all()] == ["first", "second {one}"]
    page.reload()
    board.ready()
    assert page.locator("#comment").input_value() == "first\nsecond {one}"
    with page.expect_download() as download:
        page.locator("#save_game").click()
    text = open(download.value.path()).read()
    assert "1. 32-28!? {first} {second {one)} 19-23 (1... 18-23 2. 33-29) 2. 28x19 *" in " ".join(text.split())
    page.locator(".glyphs button", has_text="!?").click()
    until(lambda: "32-28!?" not in page.locator(".moves").inner_text(), "no sign")
    # Keys in the field are text, not steps through the game.
    page.locator("#comment").press("Home")
    assert board.moves() == ["32-28"]


NESTED = """[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]
[GameType "20"]

1. 32-28 (1. 33-29 (1. 34-30 (1. 31-26) 19-23) 19-23) (1. 35-30) 19-23 *

"""


def test_variations_of_variations_keep_their_places(board):
    page = board.page
    content = {"name": "nested.pdn", "mimeType": "text/plain", "buffer": NESTED.encode()}
    page.set_input_files("#pdn-file", content)
    until(lambda: len(board.kept()["tree"]["nodes"]) == 9, "the game")

    def saved():
        with page.expect_download() as download:
            page.click("#save_game")
        return open(download.value.path()).read()

    assert saved() == NESTED
    depths = [page.locator(f".moves .variation button:text-is('{text}')").evaluate(
        "one => { let depth = 0; while ((one = one.parentElement.closest('.variation'))) depth += 1; return depth; }")
        for text in ("1. 33-29", "1. 34-30", "1. 31-26", "1. 35-30")]
    assert depths == [1, 2, 3, 1]
    # The innermost becomes the main line; what it was a variation of is one of it.
    page.click(".moves button:text-is('1. 31-26')")
    board.settled()
    page.click("#promote")
    text = until(lambda: "1. 31-26 (1. 32-28" in " ".join(saved().split()) and " ".join(saved().split()), "the main line")
    assert text.endswith("1. 31-26 (1. 32-28 19-23) (1. 33-29 (1. 34-30 19-23) 19-23) (1. 35-30) *"), text
    # Without the variation that it replaces, a variation is one of the main move.
    page.click(".moves button:text-is('1. 33-29')")
    board.settled()
    page.click("#remove")
    board.settled()
    text = " ".join(saved().split())
    assert text.endswith("1. 31-26 (1. 32-28 19-23) (1. 34-30 19-23) (1. 35-30) *"), text
