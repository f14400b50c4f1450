"""Editing missions in the admin."""

import json
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.fleet.models import Mission
from games.fleet.services.missions import save_mission
from tests.games.fleet.services.test_missions import LESSON
from tests.games.support import HALL

LIST = "/admin/games/mission/"


@pytest.fixture
def mission(db: None) -> Mission:
    return save_mission(
        slug="hall", number=1, title="A hall", starship=HALL.saved(), options={}, lesson=LESSON
    )


def fields(mission: Mission, **changes: Any) -> dict[str, Any]:
    given = {
        "number": mission.number,
        "title": mission.title,
        "starship": mission.starship_id,
        "options": json.dumps(mission.options),
        "lesson": json.dumps(mission.lesson),
    }
    return {**given, **changes}


def test_what_staff_save_is_theirs(staff: Client, erin: User, mission: Mission) -> None:
    page = staff.post(f"{LIST}{mission.pk}/change/", fields(mission, title="The great hall"))
    assert page.status_code == 302
    mission.refresh_from_db()
    assert (mission.slug, mission.title, mission.saved_by) == ("hall", "The great hall", erin)


def test_a_new_mission_is_made(staff: Client, mission: Mission) -> None:
    page = staff.post(f"{LIST}add/", fields(mission, slug="again", number=2, title="Again"))
    assert page.status_code == 302
    assert Mission.objects.get(slug="again").number == 2


def test_every_fault_is_told_at_once(staff: Client, mission: Mission) -> None:
    lesson = json.dumps({**LESSON, "goal": "", "notes": [{"cells": [[9, 9]], "text": "Out."}]})
    page = staff.post(
        f"{LIST}{mission.pk}/change/", fields(mission, lesson=lesson, options='{"lives": 0}')
    ).content.decode()
    assert "The lesson: “goal” must be a text." in page
    assert "Note 1 points at [9, 9], but the board has 8 × 8 cells." in page
    assert "lives" in page
    mission.refresh_from_db()
    assert mission.lesson == LESSON


def test_what_is_no_json_is_said_so(staff: Client, mission: Mission) -> None:
    page = staff.post(f"{LIST}{mission.pk}/change/", fields(mission, lesson="{", options="[1]"))
    assert page.status_code == 200
    assert "valid JSON" in page.content.decode()


def test_missions_are_listed_and_shown(staff: Client, mission: Mission) -> None:
    assert "A hall" in staff.get(LIST).content.decode()
    assert "This is a hall." in staff.get(f"{LIST}{mission.pk}/change/").content.decode()
