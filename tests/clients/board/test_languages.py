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
