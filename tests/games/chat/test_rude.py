"""The filter for rude texts: it finds plain abuse, and ignores words about robots."""

import subprocess
import sys
import unicodedata

import pytest

from games.chat import selectors
from games.chat.selectors import is_rude


@pytest.mark.parametrize(
    "text",
    [
        "Fuck off",
        "What a bullshit move!",
        "you ASSHOLE",
        "such assholes",
        "f*ck this laser",
        "**f*ck** this laser",
        "what a sh#t",
        "$hit",
        "s h i t",
        "s.h.i.t",
        "fuuuuuck",
        "ｆｕｃｋ",
        "@Bob you b!tch",
        "motherfucking belts",
        "Du Arschloch",
        "Scheiße, wieder im Loch",
        "So eine Scheisse",
        "HURENSOHN",
    ],
)
def test_disguised_rude_words_are_found(text: str) -> None:
    assert is_rude(text)


@pytest.mark.parametrize(
    "text",
    [
        "hell of a turn",
        "What the hell? Damn it, my robot!",
        "I live in Scunthorpe",
        "assemble the class",
        "in the cockpit",
        "shiitake for dinner",
        "Charles Dickens wrote it",
        "analysis of a canal",
        "robots kill robots",
        "shoot him",
        "die, robot, die",
        "destroy it all",
        "suck the damage",
        "How to kill a robot? Push it into the pit.",
        "Moby Dick",
        "We are tied up on the belt; tit for tat",
        "domination by push, wtf, xx",
        "a butt end, an escort, hardcore racing",
        "I did *it*, **hit** and all",
        "**at the wall, as* and or** and **its end**",
        "@hit @its #it, $5, 2*it and a*b",
        "Rosette, Bonze, Nippel: bitte",
        "Mit den Vögeln bumsen die Roboter",
        "3 5 5, then 1 2 3 and U-turn",
        "",
    ],
)
def test_words_common_in_a_game_of_robots_are_not_rude(text: str) -> None:
    assert not is_rude(text)


def test_a_character_that_expands_to_many_letters_costs_no_more_than_others() -> None:
    for number in range(0x80, 0x20000):
        assert (
            len(unicodedata.normalize("NFKD", selectors._bounded(chr(number))))
            <= selectors.LETTERS_PER_CHARACTER
        )
    assert is_rude("\ufdfa" * 40 + "fuck"), "and hides nothing"


def test_excluded_words_are_in_the_lists_and_added_words_are_missing_there() -> None:
    from glin_profanity import Filter

    listed = Filter({"languages": list(selectors.LANGUAGES)}).words
    assert not selectors.read_word_list("ordinary") - listed
    assert not listed & selectors.read_word_list("rude")


def test_the_lists_are_loaded_only_when_a_text_is_checked() -> None:
    script = (
        "import sys, django; django.setup(); import games.chat.selectors;"
        " print('glin_profanity' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", script], text=True) == "False\n"
