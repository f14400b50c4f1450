"""Training missions, loaded from files and saved by staff."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

import rules
from accounts.models import User
from games.errors import Invalid
from games.fleet import missions as fleet_missions
from games.fleet.boards import starship_of
from games.fleet.missions import load_missions, save_mission
from games.fleet.models import Mission, Starship
from tests.games.support import HALL
from tests.support import fleet
from tests.support.worlds import once

FIXTURES = settings.BASE_DIR / "fixtures"

LESSON: dict[str, Any] = {
    "format": "lesson/1",
    "introduction": "This is a hall.",
    "goal": "Walk about.",
    "notes": [{"cells": [[7, 0]], "text": "A corner."}],
    "hints": [{"when": "heading", "text": "Any way will do."}],
    "closing": "That was a hall.",
}


@pytest.fixture
def directory(db: None, tmp_path: Path) -> Path:
    """A copy of the built-in files, with the starships loaded. Tests may edit the copy."""
    once(fleet.launch)
    return Path(shutil.copytree(FIXTURES, tmp_path / "fixtures"))


def edit(directory: Path, slug: str, **changes: object) -> None:
    path = directory / "lessons" / f"{slug}.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def saved(starship: Starship, **changes: Any) -> Mission:
    given: dict[str, Any] = {"title": "A hall", "options": {}, "lesson": LESSON} | changes
    return save_mission(slug="hall", number=1, starship=starship, **given)


def test_all_missions_are_loaded_in_order_each_with_ship_and_lesson(directory: Path) -> None:
    loaded = load_missions(directory=directory)
    missions = list(Mission.objects.select_related("starship__current"))
    assert (loaded.new, loaded.changed, loaded.all) == (len(missions), 0, len(missions))
    assert [mission.slug for mission in missions[:3]] == ["hull-walker", "inspection-points", "tractor-beams"]
    assert [mission.number for mission in missions] == list(range(1, len(missions) + 1))
    for mission in missions:
        assert mission.starship.current
        lesson = fleet_missions.read_lesson(mission.lesson, starship_of(mission.starship.current))
        assert {"heading", "program"} <= {hint.when for hint in lesson.hints}
    assert {path.stem for path in (directory / "lessons").iterdir()} == {each.slug for each in missions}
    assert not Starship.objects.filter(section="missions", missions=None).exists()
    again = load_missions(directory=directory)
    assert (again.new, again.changed) == (0, 0)


def test_a_new_edition_replaces_the_old(directory: Path) -> None:
    load_missions(directory=directory)
    Mission.objects.filter(slug="tractor-beams").update(number=77)
    edit(directory, "tractor-beams", goal="Ride.")
    assert load_missions(directory=directory).changed == 1
    mission = Mission.objects.get(slug="tractor-beams")
    assert (mission.number, mission.lesson["goal"]) == (77, "Ride.")


def test_a_mission_saved_by_staff_is_not_overwritten(directory: Path, erin: User) -> None:
    load_missions(directory=directory)
    before = Mission.objects.get(slug="hull-walker")
    kept = {"starship": before.starship, "lesson": before.lesson}
    save_mission(slug=before.slug, number=1, title="Erin's walk", options={}, by=erin, **kept)
    edit(directory, "hull-walker", goal="Walk.")
    assert load_missions(directory=directory).changed == 0
    assert Mission.objects.get(slug="hull-walker").title == "Erin's walk"


def test_errors_are_listed_by_mission_and_nothing_is_loaded(directory: Path) -> None:
    edit(directory, "hull-walker", goal="")
    (directory / "lessons" / "thrusters.json").unlink()
    with pytest.raises(Invalid) as refused:
        load_missions(directory=directory)
    said = [problem["detail"] for problem in refused.value.problems]
    assert said[0] == "hull-walker: The lesson: “goal” must be text."
    assert said[1].startswith("thrusters: ")
    assert not Mission.objects.exists()


def test_a_file_cannot_contain_a_title_that_the_admin_refuses(directory: Path) -> None:
    listed = directory / "missions.toml"
    listed.write_text(re.sub('title = ".*?"', 'title = "Ca\u200bnoe"', listed.read_text(), count=1))
    with pytest.raises(Invalid) as refused:
        load_missions(directory=directory)
    (problem,) = refused.value.problems
    assert "U+200B" in problem["detail"]


def test_a_mission_needs_its_starship(db: None) -> None:
    with pytest.raises(Invalid) as refused:
        load_missions(directory=FIXTURES)
    assert "Load the starships first" in refused.value.problems[0]["detail"]


def test_a_mission_can_be_saved_repeatedly(db: None) -> None:
    hall = HALL.saved()
    first = saved(hall)
    again = saved(hall, title="The same hall", options={"lives": 1})
    assert first.pk == again.pk
    assert (again.title, again.options) == ("The same hall", {"lives": 1})


def test_every_error_of_a_mission_is_reported_together(db: None) -> None:
    lesson = {
        **LESSON,
        "format": "lesson/2",
        "notes": [{"cells": [[8, 0]], "text": "Outside."}, {"cells": [], "text": 7}, "no note"],
        "hints": [{"when": "raining", "text": "x" * 401}],
        "filled": 5,
        "moral": "None.",
    }
    del lesson["closing"]
    with pytest.raises(Invalid) as refused:
        saved(HALL.saved(), options={"lives": 0, "wings": 2}, lesson=lesson)
    said = "\n".join(problem["detail"] for problem in refused.value.problems)
    for fault in (
        "lives",
        "wings",
        "“format” must be “lesson/1”",
        "Note 1 points at column 9, row 1, but the board has 8 × 8 cells.",
        "Note 2 must point at 1 to 12 cells.",
        "Note 2: “text” must be text.",
        "Note 3 must be an object.",
        "Hint 1: there is no situation “raining”",
        "Hint 1: “text” is longer than 400 characters.",
        "“filled” must be a number of registers, from 0 to 4.",
        "The lesson has an unknown key “moral”.",
        "The lesson needs “closing”.",
    ):
        assert fault in said


def test_a_document_that_is_no_lesson_is_refused(db: None) -> None:
    with pytest.raises(Invalid) as refused:
        saved(HALL.saved(), lesson=["format"])
    assert refused.value.problems == [{"code": "lesson", "detail": "The lesson must be an object."}]


def test_the_documented_lesson_is_valid_and_lists_all_situations() -> None:
    page = (settings.BASE_DIR / "docs" / "formats.md").read_text()
    chapter = page.split("## Lesson, `lesson/1`")[1].split("\n## ")[0]
    example = json.loads(chapter.split("```json\n")[1].split("```")[0])
    ship = rules.read_starship(HALL.document)
    assert fleet_missions.read_lesson(example, ship).notes[1].cells == ((3, 0), (3, 1))
    assert set(re.findall(r"^\| `([a-z]+)`", chapter, re.MULTILINE)) == set(fleet_missions.SITUATIONS)


def robot(**changes: Any) -> dict[str, Any]:
    return {"returned": False, "damage": 0, "locked": {}, "down": False, "next": 1} | changes


@pytest.mark.parametrize(
    ("turn", "draft", "stands", "told"),
    [
        (0, False, robot(returned=True), {"heading"}),
        (1, False, robot(), {"program", "empty"}),
        (1, True, robot(), {"program", "filled"}),
        (2, True, robot(), {"later"}),
        (5, False, robot(returned=True, damage=2), {"later", "destroyed"}),
        (5, False, robot(damage=2), {"later", "damaged"}),
        (5, False, robot(damage=5, locked={"5": "1"}, next=2), {"later", "locked", "inspected"}),
        (5, False, robot(down=True), {"later", "down"}),
    ],
)
def test_hints_are_given_in_their_situation(
    turn: int, draft: bool, stands: dict[str, Any], told: set[str]
) -> None:
    hints = [{"when": when, "text": when} for when in fleet_missions.SITUATIONS]
    lesson = fleet_missions.read_lesson({**LESSON, "hints": hints}, rules.read_starship(HALL.document))
    assert set(lesson.hints_for(turn, stands, draft=draft)) == told
