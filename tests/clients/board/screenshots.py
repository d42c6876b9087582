"""Pictures of the page for people to look at: start, game, phone, analysis, report, exercise, editor.

usage: KROON=target/release/kroon python screenshots.py FOLDER
"""

import pathlib
import sys
import tempfile

from board import BoardPage, Program, until
from conftest import CHROMIUM, FLAGS
from playwright.sync_api import sync_playwright

GAME = """[Event "Example"]
[White "A. Player"]
[Black "Kroon, level 5"]
[GameType "20"]
1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 {keeps the centre} 4. 41-37 14-19! 5. 34-30 (5. 46-41 5-10 6. 32-28!?
23x32 7. 37x28) 5-10 6. 30-25 10-14 7. 46-41 18-22 8. 40-34 *
"""

# A man is given for nothing.
ERRORS = """[Event "Example"]
[White "A. Player"]
[Black "Kroon, level 5"]
[GameType "20"]
1. 33-29 19-24 2. 39-33 24-30 3. 35x24 20-25 4. 44-39 *
"""


def settle(board):
    board.page.mouse.move(5, 5)
    board.page.evaluate("document.activeElement.blur()")
    board.page.wait_for_timeout(300)


def game(board, text=GAME):
    content = {"name": "example.pdn", "mimeType": "text/plain", "buffer": text.encode()}
    board.page.set_input_files("#pdn-file", content)
    until(lambda: len(board.kept()["tree"]["nodes"]) > 7, "the game")
    board.page.locator("#end").click()
    board.settled()


def analysis(board):
    board.choose(lines="3")
    board.page.locator("#engine").click()
    until(lambda: board.page.locator("#panels .lines li").count() == 3, "three lines")
    board.page.wait_for_timeout(3000)


def report(board):
    game(board, ERRORS)
    board.choose(effort="quick")
    board.page.locator("#report").click()
    until(lambda: (board.kept()["report"] or {}).get("sides"), "the analysis of the game")
    board.page.locator("#report").evaluate("one => one.scrollIntoView()")


def exercise(board):
    board.page.locator("#builtin").click()
    until(lambda: board.kept()["exercise"], "an exercise")
    board.settled()


def editor(board):
    board.page.locator("#edit").click()


SCREENS = {
    "start": ((1280, 860), []),
    "game": ((1280, 860), [game]),
    "phone": ((360, 740), [game]),
    "analysis": ((1280, 860), [game, analysis]),
    "report": ((1280, 1000), [report]),
    "report-phone": ((360, 740), [report]),
    "exercise": ((1280, 1000), [exercise]),
    "editor": ((1280, 860), [editor]),
    "editor-phone": ((360, 740), [editor]),
}


def main(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as state, sync_playwright() as playwright:
        program = Program(state)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            for name, ((width, height), steps) in SCREENS.items():
                page = browser.new_context(viewport={"width": width, "height": height}, locale="en").new_page()
                board = BoardPage(page, program).open()
                for step in steps:
                    step(board)
                settle(board)
                page.screenshot(path=folder / f"{name}.png")
                page.context.close()
                print(folder / f"{name}.png")
        finally:
            browser.close()
            program.kill()


if __name__ == "__main__":
    main(sys.argv[1])
