"""Which texts count as rude: plain abuse does, what is said of robots does not."""

import doctest
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
def test_rude_words_are_found_also_in_disguise(text: str) -> None:
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
def test_what_is_ordinary_in_a_game_of_robots_is_not_rude(text: str) -> None:
    assert not is_rude(text)


def test_a_character_that_stands_for_many_letters_costs_no_more_than_others() -> None:
    for number in range(0x80, 0x20000):
        assert len(unicodedata.normalize("NFKD", selectors._bounded(chr(number)))) <= selectors.MOST_LETTERS
    assert is_rude("\ufdfa" * 40 + "fuck"), "and hides nothing"


def test_its_examples_hold() -> None:
    assert not doctest.testmod(selectors).failed


def test_each_word_left_out_is_one_that_the_lists_have_and_none_is_added_that_they_have() -> None:
    from glin_profanity import Filter

    listed = Filter({"languages": list(selectors.LANGUAGES)}).words
    assert not selectors.words("ordinary") - listed
    assert not listed & selectors.words("rude")


def test_the_lists_are_not_loaded_before_a_text_is_asked_about() -> None:
    script = (
        "import sys, django; django.setup(); import games.chat.selectors;"
        " print('glin_profanity' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", script], text=True) == "False\n"
