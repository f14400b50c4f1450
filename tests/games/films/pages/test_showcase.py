"""The film on the front page follows the rules: five chips, one push, and a checkpoint."""

from pathlib import Path
from typing import Any

from django.utils import translation

from games.films.pages.showcase import showcase
from tests.support.languages import speak_german, translation as catalogue


def test_the_film_has_five_chips_and_one_push() -> None:
    made = showcase()
    frames = made.document["film"]["frames"]
    assert made.chips == ("2", "R", "3", "L", "1")
    pushes = [frame for frame in frames if "push" in frame.get("cues", [])]
    assert len(pushes) == 1
    assert pushes[0]["poses"]["A"]["at"] == [4, 1], "the robot that pushes moves in the same instant"
    assert pushes[0]["poses"]["B"]["at"] == [5, 1]


def test_the_film_ends_on_the_checkpoint_after_robot_b_is_lost() -> None:
    film = showcase().document["film"]
    marks = [mark["kind"] for frame in film["frames"] for mark in frame.get("marks", [])]
    assert marks == ["destroyed", "goal", "finish", "win"]
    last = [frame["poses"]["A"]["at"] for frame in film["frames"] if "A" in frame.get("poses", {})][-1]
    assert last == [4, 0]


def test_no_shot_distracts_from_the_push() -> None:
    assert not any("shots" in frame for frame in showcase().document["film"]["frames"])


def test_the_still_picture_shows_two_robots_apart_and_the_push() -> None:
    board = showcase().board
    assert board.count('class="robot"') == 2
    assert 'data-x="3" data-y="1"' in board and 'data-x="4" data-y="1"' in board
    assert board.count('class="way way-push"') == 1
    assert board.index('class="way"') < board.index('class="robots"') < board.index("way-push")


def test_the_film_is_told_in_the_reader_s_language() -> None:
    english = showcase().document["words"][0]
    with translation.override("de"):
        assert showcase().document["words"][0] != english


def test_a_new_translation_replaces_the_words_that_are_kept(settings: Any, tmp_path: Path) -> None:
    with translation.override("de"):
        told = showcase().document["words"][0]
        speak_german(settings, tmp_path, catalogue({}))
        assert showcase().document["words"][0] != told
