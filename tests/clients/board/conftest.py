"""One browser and one program for all tests; a fresh profile and the judge of errors for each."""

import re

import pytest
from board import PATIENCE, BoardPage, Program
from playwright.sync_api import sync_playwright

CHROMIUM = "/usr/bin/chromium-headless-shell"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--no-first-run"]


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("state"))
    yield program
    program.kill()


@pytest.fixture
def programs(tmp_path):
    """Starts programs with other arguments; they end after the pages that show them."""
    started = []

    def start(*args):
        started.append(Program(tmp_path, *args))
        return started[-1]

    yield start
    for program in started:
        program.kill()


@pytest.fixture
def judged(browser, programs, request):
    """Opens pages. A test fails where one reports an error or asks another host.

    The marker `forgives(PATTERN)` lets errors pass that the test provokes."""
    marker = request.node.get_closest_marker("forgives")
    pattern = re.compile(marker.args[0]) if marker else None
    faults, contexts = [], []

    def fault(text):
        if not (pattern and pattern.search(text)):
            faults.append(text)

    def open_page(program, **options):
        options = {"viewport": {"width": 1280, "height": 860}, "reduced_motion": "reduce", "locale": "en", **options}
        context = browser.new_context(**options)
        context.set_default_timeout(1000 * PATIENCE)
        contexts.append(context)
        page = context.new_page()

        def asked(request):
            if not request.url.startswith((f"http://{program.host}/", "data:", "blob:", "about:")):
                fault(f"a request to {request.url}")

        page.on("console", lambda message: message.type == "error" and fault(f"console: {message.text}"))
        page.on("pageerror", lambda error: fault(f"exception: {error}"))
        page.on("request", asked)
        return BoardPage(page, program)

    yield open_page
    for context in contexts:
        context.close()
    assert not faults, faults


@pytest.fixture
def board(judged, program):
    """The page after the first contact, as a new visitor sees it."""
    return judged(program).open()


def pytest_configure(config):
    config.addinivalue_line("markers", "forgives(pattern): errors that the test provokes")
