"""PDN files: opened, looked through, changed, saved."""

import pathlib
import re

import pytest
from board import FULL, until

GAME = """[Event "{event}"]
[Site "?"]
[Date "2024.{month:02}.01"]
[Round "?"]
[White "{white}"]
[Black "{black}"]
[Result "{result}"]
[GameType "20"]

1. 32-28 {{comment {number}}} 19-23 2. 28x19 14x23 (2... 13x24! $16) {result}

"""


def games(count):
    """A file of games, as the writer of PDN writes it."""
    names = ["Sijbrands", "Wiersma", "Ünal", "Чижов", "Keller"]
    return "".join(
        GAME.format(event=f"Event {number // 10}", month=1 + number % 12, white=names[number % 5],
                    black=f"Player {number}", result=["2-0", "1-1", "0-2"][number % 3], number=number)
        for number in range(count))


def open_file(board, name, content):
    content = content if isinstance(content, bytes) else content.encode()
    board.page.set_input_files("#pdn-file", {"name": name, "mimeType": "text/plain", "buffer": content})


def listed(board):
    return board.page.locator(".games li").count()


def found(board):
    return board.page.locator("#found").inner_text()


def saved(board, button):
    with board.page.expect_download() as download:
        board.page.locator(button).click()
    return download.value.suggested_filename, pathlib.Path(download.value.path()).read_bytes()


def opened(board, moves=5):
    until(lambda: len(board.kept()["tree"]["nodes"]) > moves, "the game's moves")
    board.settled()


def test_fifty_games_in_and_out(board):
    text = games(50).encode()
    open_file(board, "fifty.pdn", text)
    opened(board)
    assert listed(board) == 50 and "fifty.pdn: 50 / 50" in found(board)
    assert saved(board, "#save_file") == ("fifty.pdn", text)
    # Each game as the page has it is the same text again.
    for index in (0, 17, 49):
        board.page.locator(".games button").nth(index).click()
        until(lambda: board.kept()["game"] == index, f"game {index}")
        board.settled()
        _, game = saved(board, "#save_game")
        assert game.decode() == "[Event" + text.decode().split("[Event")[index + 1]


def test_a_changed_game_changes_nothing_else(board):
    text = games(3)
    open_file(board, "three.pdn", text)
    opened(board)
    board.page.locator(".games button").nth(1).click()
    until(lambda: board.kept()["game"] == 1, "game 1")
    board.settled()
    board.page.locator("#end").click()
    board.settled()
    board.page.locator("#comment").fill("the last move")
    board.page.locator(".games button").nth(2).click()
    until(lambda: board.kept()["game"] == 2, "game 2")
    board.page.reload()
    board.ready()
    until(lambda: listed(board) == 3, "the file after a reload")
    _, content = saved(board, "#save_file")
    before, after = text.split("[Event"), content.decode().split("[Event")
    assert (before[1], before[3]) == (after[1], after[3])
    assert "14x23 {the last move} (2... 13x24! $16) 1-1" in re.sub(r"\s+", " ", after[2])
    # What was saved opens again with the change in it.
    open_file(board, "again.pdn", content)
    until(lambda: "again.pdn" in found(board), "the file again")
    assert saved(board, "#save_file")[1] == content


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_changed_game_has_the_line_ends_of_its_file(board, end):
    text = games(2).rstrip().replace("\n", end)
    open_file(board, "windows.pdn", text)
    opened(board)
    # The second game, which was read, and a third one, which comes behind it and is changed again.
    board.page.locator(".games button").nth(1).click()
    until(lambda: board.kept()["game"] == 1, "game 1")
    board.settled()
    board.page.locator("#comment").fill("the second")
    board.page.locator(".games button").nth(0).click()
    until(lambda: board.kept()["game"] == 0, "game 0")
    board.settled()
    board.page.click("#add_game")
    until(lambda: listed(board) == 3 and board.kept()["game"] == 2, "three games")
    board.page.locator("#comment").fill("the third")
    content = saved(board, "#save_file")[1].decode()
    assert content.startswith(games(1).replace("\n", end)) and [content.count(words) for words in ("the second", "the third")] == [1, 1]
    assert content.replace(end, "").count("\n") == 0 == content.replace(end, "").count("\r")
    assert content.count(end + end + "[Event") == 2 and content.count("[Event") == 3




def test_what_the_browser_cannot_keep_is_in_the_file_that_is_saved(board):
    open_file(board, "three.pdn", games(3))
    opened(board)
    board.page.evaluate(FULL)
    for words in ("the first", "and more"):
        board.page.locator("#end").click()
        board.settled()
        board.page.locator("#comment").fill(words)
        for index in (1, 2, 0):
            board.page.locator(".games button").nth(index).click()
            until(lambda: board.kept()["game"] == index, f"game {index}")
            until(lambda: "cannot keep this file" in board.status(), lambda: f"what is wrong: {board.status()}")
            board.settled()
    content = saved(board, "#save_file")[1].decode()
    assert "{and more}" in content and content.count("[Event") == 3
    # It is not closed without a word.
    board.page.locator("#end").click()
    board.settled()
    board.page.click("#close_file")
    until(lambda: "cannot keep this file" in board.status(), lambda: f"what is wrong: {board.status()}")
    assert listed(board) == 3
    board.page.click("#close_file")
    until(lambda: not board.page.locator(".games").is_visible(), "no file")


def test_a_file_that_can_be_kept_again_takes_no_other_tabs_change(board):
    open_file(board, "three.pdn", games(3))
    opened(board)
    board.page.evaluate(FULL)
    board.page.locator("#comment").fill("not kept")
    board.page.locator(".games button").nth(1).click()
    until(lambda: "cannot keep this file" in board.status(), lambda: f"what is wrong: {board.status()}")
    board.page.evaluate("() => { IDBObjectStore.prototype.put = window.put; }")
    board.settled()
    board.page.locator("#comment").fill("kept again")
    board.page.locator(".games button").nth(2).click()
    # Beside the one that was kept first.
    until(lambda: board.page.locator("#kept-files option").count() == 3, "two files and none")
    until(lambda: board.kept()["game"] == 2, "game 2")
    content = saved(board, "#save_file")[1].decode()
    assert "{not kept" in content and "{kept again" in content


def test_games_that_are_not_listed_stay_in_the_file(board):
    text = "1. 32-28 *\n\n" * 100_000 + '[White "Unlisted"]\n\n1. 33-29 *\n'
    open_file(board, "huge.pdn", text)
    opened(board, 1)
    assert "100000 / 100000+ " in found(board)
    board.page.locator("#end").click()
    board.settled()
    board.page.locator("#comment").fill("changed")
    content = saved(board, "#save_file")[1].decode()
    assert content.count("{changed}") == 1 and content.endswith('1. 32-28 *\n\n[White "Unlisted"]\n\n1. 33-29 *\n')


def test_five_thousand_games_are_looked_through(board):
    open_file(board, "many.pdn", games(5000))
    until(lambda: "5000 / 5000" in found(board), "five thousand games")
    opened(board)
    assert listed(board) == 100
    search = board.page.locator("#find-game")
    for words, count in [("player 4999", 1), ("unal 2-0", 333), ("чижов", 1000), ("nobody", 0), ("2024.12.01 event 7", None)]:
        search.fill(words)
        if count is not None:
            until(lambda: f"{count} / 5000" in found(board), lambda: f"{words}: {found(board)}")
            assert listed(board) == min(count, 100)
    search.fill("player 4999")
    until(lambda: listed(board) == 1, "one game")
    board.page.locator(".games button").click()
    until(lambda: board.kept()["game"] == 4999, "game 4999")
    board.settled()
    assert board.page.locator(".moves .comment").first.inner_text() == "comment 4999"


def test_a_file_is_dropped_on_the_page(board):
    data = board.page.evaluate_handle("""(text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "dropped.pdn"));
        return data;
    }""", games(2))
    for event in ("dragover", "drop"):
        board.page.dispatch_event("#board", event, {"dataTransfer": data})
    until(lambda: listed(board) == 2, "two games")


def paste(board, text, where="body"):
    board.page.evaluate("""([text, where]) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text", text);
        document.querySelector(where).dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }""", [text, where])


@pytest.mark.parametrize("where", ["body", "#fen"])
def test_games_are_pasted(board, where):
    paste(board, games(1), where)
    opened(board)
    assert board.kept()["game"] is None and listed(board) == 0 and board.page.locator("#tag-white").input_value() == "Sijbrands"
    paste(board, "1. 33-29 19-24", where)
    until(lambda: [node["text"] for node in board.kept()["tree"]["nodes"][1:]] == ["33-29", "19-24"], "moves alone")
    board.settled()
    # Several are a file.
    paste(board, games(3), where)
    until(lambda: listed(board) == 3 and "pasted.pdn" in found(board), "three games")
    opened(board)


@pytest.mark.forgives("status of 422")
def test_positions_are_pasted_but_not_over_a_text(board):
    board.two_persons()
    paste(board, "W:W31-33:B1-3\n")
    until(lambda: board.kept()["start"] == "W:W31-33:B1-3", lambda: board.kept()["start"])
    board.settled()
    fen = board.fen()
    paste(board, "nothing of the kind")
    until(lambda: board.page.inner_text("#fen-fault"), "what is wrong")
    paste(board, "W:W50:B1", "#comment")
    board.page.wait_for_timeout(200)
    assert board.fen() == fen
    # Typed with Enter, a game is one, too.
    board.page.locator("#fen").fill("1. 32-28 19-23")
    board.page.locator("#fen").press("Enter")
    opened(board, 2)


@pytest.mark.parametrize("allowed", [True, False])
def test_a_game_is_copied(board, allowed):
    page = board.page
    if allowed:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    else:
        page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error()); document.execCommand = () => false;")
    paste(board, games(1))
    opened(board)
    page.click("#copy_game")
    note = page.locator("#game-copied")
    if allowed:
        until(lambda: note.inner_text() == "Copied", note.inner_text)
        assert page.evaluate("navigator.clipboard.readText()") == games(1) and not page.locator("#game-text").is_visible()
    else:
        until(lambda: "Ctrl+C" in note.inner_text(), note.inner_text)
        assert page.evaluate("getSelection().toString()") == games(1)


def test_a_chosen_game_is_seen_on_a_phone(judged, program):
    board = judged(program, viewport={"width": 390, "height": 844}, has_touch=True).open()
    open_file(board, "two.pdn", games(2))
    opened(board)
    game = board.page.locator(".games button").nth(1)
    game.scroll_into_view_if_needed()
    assert board.page.evaluate("scrollY") > 0
    game.tap()
    until(lambda: board.kept()["game"] == 1 and board.page.evaluate("scrollY") == 0, "the board")


def test_the_games_of_a_file_are_seen(board):
    open_file(board, "many.pdn", games(30))
    opened(board)
    box = until(lambda: board.page.evaluate("scrollY") and board.box(".games"), "the list")
    assert box["y"] >= 0 and box["y"] + box["height"] <= 860


def test_a_file_of_the_command_line(judged, programs, tmp_path):
    path = tmp_path / "line.pdn"
    path.write_bytes("[White \"Müller “A”\"]\n[GameType \"20\"]\n1. 32–28 *\n".encode("windows-1252"))
    board = judged(programs("--pdn", str(path))).open()
    until(lambda: listed(board) == 1, "its game")
    assert "Müller “A”" in board.page.locator(".games").inner_text()
    opened(board, 1)
    # A reload goes on with what is on the board.
    board.page.locator("#end").click()
    board.settled()
    fen = board.fen()
    board.page.reload()
    board.ready().shows(fen)
    assert saved(board, "#save_file")[1] == path.read_bytes()


@pytest.mark.forgives("status of 422")
def test_what_is_wrong_in_a_file_is_said(board):
    open_file(board, "bad.pdn", "{nothing")
    until(lambda: "no game" in board.status(), "word of an empty file")
    open_file(board, "fault.pdn", "1. 32-28 *\n\n[GameType \"20\"]\n1. 33-29 50-1 *\n")
    until(lambda: listed(board) == 2, "two games")
    assert "game 2: line 4, column 10" in board.page.locator(".games button").nth(1).get_attribute("title")
    board.page.locator(".games button").nth(1).click()
    until(lambda: "50-1" in board.status(), "what is wrong")
    # It is the same line, of the file.
    assert board.status().startswith("Game 2: line 4, column 10"), board.status()
    assert len(board.kept()["tree"]["nodes"]) == 2


def test_a_game_that_was_played_is_added(board):
    board.two_persons()
    open_file(board, "one.pdn", games(1))
    opened(board)
    board.page.locator("#new_game").click()
    until(lambda: board.kept()["game"] is None, "a new game")
    board.settled()
    board.play(board.position()["moves"][0])
    board.page.locator("#add_game").click()
    until(lambda: listed(board) == 2, "two games")
    board.page.locator("#game-data summary").click()
    board.page.locator("#tag-white").fill("Me")
    board.page.locator("#tag-white").blur()
    name, content = saved(board, "#save_file")
    assert content.decode().startswith(games(1)) and '[White "Me"]' in content.decode()


def test_who_names_the_event_keeps_the_players(board):
    board.choose(seconds="0.1")
    board.play(board.position()["moves"][0])
    board.page.locator("#game-data summary").click()
    board.page.locator("#tag-event").fill("A match")
    board.page.locator("#tag-event").blur()
    _, content = saved(board, "#save_game")
    text = content.decode()
    assert '[Event "A match"]' in text and '[Black "Kroon, level 5"]' in text and '[Date "????' not in text
