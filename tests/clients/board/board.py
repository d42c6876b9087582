"""What every test of the board needs: a running program, and a page of it that is used as a person uses it."""

import json
import os
import pathlib
import re
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

# Longest wait for anything, in seconds: for a machine under load, not a demand.
PATIENCE = float(os.environ.get("PATIENCE", 60))
# Where the files of the page come from while they are written, in place of those in the program: a folder.
PAGE = pathlib.Path(os.environ["PAGE"]).resolve() if "PAGE" in os.environ else None


# The browser has no room for files: what it stores fails at the end of the transaction, as Chromium does it.
FULL = """() => {
    const put = IDBObjectStore.prototype.put;
    window.put = put;
    IDBObjectStore.prototype.put = function (value) {
        const request = put.call(this, value);
        request.addEventListener("success", () => request.transaction.abort());
        return request;
    };
}"""


def until(condition, what):
    """Waits until the condition gives something true, and returns that. `what` is a text, or makes one in the end."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"in vain: {what() if callable(what) else what}")


class Program:
    """A running `kroon play`. It can be killed and started again at the same address."""

    def __init__(self, folder, *args, threads=1):
        self.kroon = os.environ["KROON"]
        self.threads = threads
        self.folder = folder
        self.args = args
        self.start(0)

    def start(self, port):
        command = [self.kroon, "play", "--no-open", "--port", str(port), "--threads", str(self.threads), "--hash", "16"]
        command += self.args if "--sessions" in self.args else ["--sessions", "100", *self.args]
        environment = {**os.environ, "XDG_STATE_HOME": str(self.folder)}
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://(127\.0\.0\.1:(\d+))/#token=([a-z0-9]+)(&.*)?", self.url)
        assert found, self.url
        self.host, self.port, self.token = found[1], int(found[2]), found[3]

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def restart(self):
        self.start(self.port)

    def processor_time(self):
        """Seconds of processor time that the program has used."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def works_for(self):
        """Seconds from now until the program rests: it uses less than a tenth of a processor from then on."""
        began = last = time.monotonic()
        used = self.processor_time()
        while time.monotonic() < last + 0.6:
            assert time.monotonic() < began + PATIENCE, "the program works on"
            time.sleep(0.1)
            now = self.processor_time()
            if now - used > 0.01:
                last = time.monotonic()
            used = now
        return last - began

    def ask(self, path, body=None):
        """The answer of the server to a question in JSON."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.host}{path}", data, {"x-kroon-token": self.token})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path} {body}: {error.read().decode()}") from None


class BoardPage:
    """The page, in the words of a player."""

    def __init__(self, page, program):
        self.page = page
        self.program = program
        if PAGE:
            page.route("**/page/*", lambda route: route.fulfill(path=PAGE / route.request.url.rsplit("/", 1)[1]))
            # With the headers of the program: its policy holds for these files too.
            page.route(f"http://{program.host}/", lambda route: route.fulfill(response=route.fetch(), path=PAGE / "index.html"))

    def open(self, address=None):
        self.page.goto("about:blank")
        self.page.goto(address or self.program.url)
        return self.ready()

    def ready(self):
        until(lambda: self.page.locator("#fen").input_value(), "a position")
        return self

    def kept(self):
        """What the page keeps of the game for a reload; other tabs have games of their own."""
        return json.loads(self.page.evaluate("sessionStorage['kroon.game']"))

    def left(self):
        """The games that gave way to others, as the browser keeps them, in PDN."""
        return self.page.evaluate("""() => new Promise((done) => {
            const opened = indexedDB.open("kroon", 1);
            opened.onsuccess = () => {
                const asked = opened.result.transaction("files").objectStore("files").get("~left/kroon-games.pdn");
                asked.onsuccess = () => done(Object.values(asked.result?.texts ?? {}));
            };
        })""")

    def line(self):
        """The line of play up to the move that is shown."""
        kept = self.kept()
        nodes, at = kept["tree"]["nodes"], kept["tree"]["current"]
        moves = []
        while at > 0:
            moves.insert(0, nodes[at]["text"])
            at = nodes[at]["parent"]
        return {"variant": kept["variant"], "start": kept["start"], "moves": moves}

    def moves(self):
        return self.line()["moves"]

    def position(self):
        """The position as the server sees it, with its legal moves."""
        return self.program.ask("/api/position", self.line())

    def box(self, selector):
        """Where the first such element is on the screen: while it is drawn anew it is nowhere for a moment."""
        return until(lambda: self.page.locator(selector).first.bounding_box(), f"{selector} on the screen")

    def middle(self, name):
        """The middle of a square on the screen."""
        box = self.box(f"#board [data-name='{name}']")
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def fen(self):
        return self.page.locator("#fen").input_value()

    def shows(self, fen):
        until(lambda: self.fen() == fen, lambda: f"{fen} instead of {self.fen()}: {self.status()}")

    def status(self):
        return self.page.locator("#status").inner_text()

    def pieces(self):
        """The squares with pieces and the class of each."""
        found = self.page.locator("#board .piece").evaluate_all(
            "all => all.map(piece => [piece.dataset.square, piece.getAttribute('class')])")
        return {square: kind.replace("piece ", "") for square, kind in found}

    def click(self, square, **options):
        self.page.locator(f"#board [data-name='{square}']").click(force=True, **options)

    def tap(self, square):
        self.page.locator(f"#board [data-name='{square}']").tap(force=True)

    def play(self, move, click=None):
        """Makes a move by clicking its squares until it is played."""
        before = self.moves()
        for square in move["path"]:
            if self.moves() != before:
                break
            (click or self.click)(square)
        self.played(before)

    def played(self, before):
        """Waits until there is a move more, and the board shows the position behind it."""
        until(lambda: len(self.moves()) > len(before), lambda: f"a move after {before}: {self.status()}")
        self.settled()

    def settled(self):
        """Waits until the board shows the position of the game."""
        # Asked anew each time: an engine may have moved meanwhile.
        until(self.is_settled, lambda: f"{self.position()['fen']} instead of {self.fen()}: {self.status()}")

    def is_settled(self):
        # What a test has written in the field says nothing of the board; the address changes with it.
        line, view = self.line(), self.position()
        address = f"variant={line['variant']}&fen={urllib.parse.quote(view['fen'], safe='')}"
        return self.fen() == view["fen"] and self.page.url.endswith(address)

    def set_up(self, fen, **chosen):
        """Sets up a position, after the choices, which are values of selects by their names."""
        self.choose(**chosen)
        field = self.page.locator("#fen")
        field.fill(fen)
        field.press("Enter")
        until(lambda: self.kept()["start"] == fen, f"start {fen}")
        self.settled()
        field.blur()

    def resign(self):
        self.page.click("#resign")
        self.page.click("#accept")

    def choose(self, **chosen):
        for name, value in chosen.items():
            choice = self.page.locator(f"#{name.replace('_', '-')}")
            self.unfold(choice)
            choice.select_option(**value) if isinstance(value, dict) else choice.select_option(value)
            choice.blur()

    @staticmethod
    def unfold(element):
        """Shows an element that may be folded away, and goes there, so that it stays."""
        element.evaluate("""one => {
            for (let at = one; at; at = at.parentElement) if (at.localName === "details") at.open = true;
            one.focus();
        }""")

    def two_persons(self, variant="international"):
        self.choose(seat_white="person", seat_black="person")
        before = self.kept()
        if before["variant"] != variant or len(before["tree"]["nodes"]) > 1:
            self.choose(variant=variant)
        # Otherwise there is nothing to wait for, and a new game would begin at some time in the middle of a test.
        until(lambda: self.kept()["variant"] == variant and not self.moves(), variant)
        self.settled()

    def squares(self):
        """The squares of the variant: name to column and row."""
        variant = self.kept()["variant"]
        about = self.program.ask("/api/about")
        squares = next(known["squares"] for known in about["variants"] if known["name"] == variant)
        return {square["name"]: (square["column"], square["row"]) for square in squares}
