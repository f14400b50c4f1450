"""Texts of lessons agree with the chips, boards and pages."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from games.fleet.boards import starship_of
from games.fleet.missions import load_missions
from games.fleet.models import Mission
from games.lobby.practice import start_mission
from games.play.models import Game
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from tests.games.reader import ReaderOf
from tests.games.support import NOW, open_turn
from tests.support import fleet
from tests.support.worlds import once

FIXTURES = Path(__file__).parents[4] / "fixtures"
CHIP_LETTERS = re.compile(
    r"\b(?:[BLRUP]|[Aa]n? [123]|(?:no|the|and) [123](?= or\b| in\b| lands\b))\b|\bmarked\b"
)
OLD_WORDS = re.compile(
    r"(?i)\b(?:inspect\w*|points? \d|whoever|shall|reckon\w*|nobody|about with|hair lines?)\b"
)
QUOTED = re.compile(r"“([^”]+)”")
CONTROLS = re.compile(r"(?s)<(button|a|summary|label)\b[^>]*>(.*?)</\1>")
PHASES = re.compile(r"phases? (\d(?:(?:, | and )\d)*)")
ACTS_IN = re.compile(r"(?:^d|\+[rpx])(\d+)")


@pytest.fixture
def missions(db: None) -> list[Mission]:
    once(fleet.launch)
    once(load_missions, directory=FIXTURES)
    return list(Mission.objects.select_related("starship__current"))


def texts_of(mission: Mission) -> Iterator[str]:
    lesson: dict[str, Any] = mission.lesson
    yield from (lesson[key] for key in ("introduction", "goal", "closing"))
    yield from (each["text"] for each in (*lesson["notes"], *lesson["hints"]))


def token_at(mission: Mission, x: int, y: int) -> str:
    assert mission.starship.current
    return starship_of(mission.starship.current).at(x, y).token


def test_lessons_name_only_letters_and_numbers_on_chips(missions: list[Mission]) -> None:
    found = {m.slug: [t for t in texts_of(m) if CHIP_LETTERS.search(t)] for m in missions}
    assert not {slug: texts for slug, texts in found.items() if texts}
    assert CHIP_LETTERS.search("Those marked 1, 2 and 3 drive so many cells ahead, B backs up one.")
    assert CHIP_LETTERS.search("From the cell before it, a 2 or a 3.")


def test_lessons_use_the_page_s_word_for_checkpoints(missions: list[Mission]) -> None:
    found = {m.slug: [t for t in texts_of(m) if OLD_WORDS.search(t)] for m in missions}
    assert not {slug: texts for slug, texts in found.items() if texts}


def test_controls_quoted_in_lessons_are_on_the_page(
    missions: list[Mission], alice: User, read: ReaderOf
) -> None:
    quoted = {m.slug: found for m in missions if (found := set(QUOTED.findall(" ".join(texts_of(m)))))}
    assert quoted["hull-walker"] == {"Run"}
    for slug, names in quoted.items():
        game = start_mission(user=alice, slug=slug, now=NOW)
        submit_orders(user=alice, game_id=game.pk, turn_number=0, document={"heading": "E"}, now=NOW)
        resolve_turn(turn_id=open_turn(game).pk, now=NOW)
        html = read(alice).get(Game.objects.get(pk=game.pk).get_absolute_url()).html
        shown = [unescape(re.sub(r"<[^>]+>", "", inner)).strip() for _, inner in CONTROLS.findall(html)]
        for name in names:
            assert any(re.match(rf"{re.escape(name)}\b", text) for text in shown), (slug, name)


def test_notes_point_at_their_subjects(missions: list[Mission]) -> None:
    """The cell of a note has the checkpoint or the machine that the note mentions."""
    checkpoints = phases = 0
    for mission in missions:
        for note in mission.lesson["notes"]:
            tokens = [token_at(mission, *cell) for cell in note["cells"]]
            if number := re.match(r"Checkpoint (\d)", note["text"]):
                checkpoints += 1
                assert all(f"+i{number[1]}" in token for token in tokens), (mission.slug, note)
            acting = [set(found[1]) for token in tokens if (found := ACTS_IN.search(token))]
            if acting and (named := PHASES.search(note["text"])):
                phases += 1
                assert all(set(re.findall(r"\d", named[1])) == each for each in acting), (mission.slug, note)
    assert checkpoints > 25
    assert phases >= 7
