"""Every language: by the browser's setting, by choice, and the choice is kept."""

import pytest
from board import until

NEW_GAME = {"en": "New game", "nl": "Nieuwe partij", "fr": "Nouvelle partie", "ru": "Новая партия"}
CHOICE = {"en": "Language", "nl": "Taal", "fr": "Langue", "ru": "Язык"}


@pytest.mark.parametrize("language", NEW_GAME)
def test_the_browser_chooses_the_language(judged, program, language):
    board = judged(program, locale=language).open()
    until(lambda: board.page.locator("#new_game").inner_text() == NEW_GAME[language], language)
    assert board.page.evaluate("document.documentElement.lang") == language
    assert board.page.get_by_role("combobox", name=CHOICE[language], exact=True).count() == 1
    # Each variant has a name of its own, and none is the key of a text.
    names = board.page.locator("#variant option").all_inner_texts()
    assert len(set(names)) == len(board.program.ask("/api/about")["variants"])
    assert not [name for name in names if "_" in name]
    # The same words on a small screen do not break the page.
    board.page.set_viewport_size({"width": 360, "height": 740})
    assert board.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_choice_of_language_is_kept(board):
    for language, text in NEW_GAME.items():
        board.page.select_option("#language", language)
        until(lambda: board.page.locator("#new_game").inner_text() == text, text)
    board.page.reload()
    board.ready()
    assert board.page.locator("#new_game").inner_text() == NEW_GAME["ru"]


@pytest.mark.parametrize(
    ("language", "words"),
    {
        "en": ["1 ply", "2 plies", "5 plies", "11 plies", "21 plies"],
        "nl": ["1 halve zet", "2 halve zetten", "5 halve zetten", "11 halve zetten", "21 halve zetten"],
        "fr": ["1 demi-coup", "2 demi-coups", "5 demi-coups", "11 demi-coups", "21 demi-coups"],
        "ru": ["1 полуход", "2 полухода", "5 полуходов", "11 полуходов", "21 полуход"],
    }.items(),
)
def test_what_is_counted_has_the_form_of_its_number(judged, program, language, words):
    board = judged(program, locale=language).open()
    counted = board.page.evaluate("""async () => {
        const { counted, t } = await import("/page/texts.js");
        return [1, 2, 5, 11, 21].map((count) => counted(count, t("table_plies")));
    }""")
    for text, word in zip(counted, words, strict=True):
        assert text.startswith(f"{word} "), text


def test_pieces_and_colons_are_those_of_the_language(judged, program):
    board = judged(program, locale="fr").open()
    board.page.click("#edit")
    assert board.page.inner_text("#brush-black-king") == "dame noire"
    board.page.click("#cancel_edit")
    # A space that does not break stands before the colon.
    assert board.page.locator("#clock-bottom").inner_text().startswith("Blancs\u00a0: ")
