"""How long it takes in the browser from a click to the shown reply of the server, while the engine analyses.

usage: KROON=target/release/kroon python latency.py [CLICKS]

Plays both sides by clicks with the engine on, on all threads of the machine. The time of a move is from the event of its
last click to the first frame for which its position is on the page.
"""

import os
import statistics
import sys
import tempfile

from board import BoardPage, Program, until
from conftest import CHROMIUM, FLAGS
from playwright.sync_api import sync_playwright

# Notes when the last click came, and when the position behind it is about to be painted.
WATCH = """() => {
    window.times = [];
    let clicked = 0;
    const svg = document.querySelector("#board svg");
    svg.addEventListener("pointerdown", (event) => { clicked = event.timeStamp; }, true);
    const fen = document.querySelector("#fen");
    let shown = fen.value;
    new MutationObserver(() => {
        if (fen.value === shown) return;
        shown = fen.value;
        requestAnimationFrame((frame) => window.times.push(Math.max(frame, performance.now()) - clicked));
    }).observe(document.querySelector("#status"), { childList: true, characterData: true, subtree: true });
}"""


def measure(board, clicks):
    """The milliseconds of so many moves."""
    page = board.page
    board.two_persons()
    page.click("#engine")
    until(lambda: page.locator("#panels .lines li").count() > 0, "a line")
    page.evaluate(WATCH)
    # By its place: the board is drawn anew with every line of the engine.
    click = lambda square: page.mouse.click(*board.middle(square))
    for _ in range(clicks):
        moves = board.position()["moves"]
        if not moves:
            page.click("#new_game")
            until(lambda: board.moves() == [], "a new game")
            board.settled()
            continue
        # The search is deep in its work.
        page.wait_for_timeout(150)
        board.play(moves[0], click)
    return page.evaluate("window.times")


def main(clicks):
    threads = os.cpu_count()
    with tempfile.TemporaryDirectory() as state, sync_playwright() as playwright:
        program = Program(state, threads=threads)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce", locale="en")
            times = sorted(measure(BoardPage(context.new_page(), program).open(), clicks))
        finally:
            browser.close()
            program.kill()
    print(f"click to the shown reply, {threads} threads at work: {len(times)} times, median {statistics.median(times):.1f} ms, "
          f"95 % {times[int(0.95 * (len(times) - 1))]:.1f} ms, slowest {times[-1]:.1f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
