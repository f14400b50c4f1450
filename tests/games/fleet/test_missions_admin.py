"""Editing missions in the admin."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.fleet.missions import save_mission
from games.fleet.models import Mission
from rules.rulesets import RULESETS
from tests.games.admin_pages import permit
from tests.games.fleet.test_missions import LESSON
from tests.games.support import HALL

LIST = "/admin/games/mission/"
OPTIONS = {
    option.key: option.default for option in RULESETS["robo-runner"].options if option.default is not False
}
"""The fields of the form for all options, with default values."""


@pytest.fixture
def mission(db: None) -> Mission:
    return save_mission(
        slug="hall", number=1, title="A hall", starship=HALL.saved(), options={}, lesson=LESSON
    )


def fields(mission: Mission, lesson: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """Return the admin form of a mission, with its own lesson by default."""
    lesson = lesson or mission.lesson
    notes = [
        {"text": note["text"], "cells": " ".join(f"{x + 1},{y + 1}" for x, y in note["cells"])}
        for note in lesson["notes"]
    ]
    given = {
        "number": mission.number,
        "title": mission.title,
        "starship": mission.starship_id,
        **{name: lesson.get(name, "") for name in ("introduction", "goal", "closing", "filled")},
        **rows("notes", notes, len(mission.lesson["notes"])),
        **rows("hints", lesson.get("hints", []), len(mission.lesson.get("hints", []))),
        **{f"options-{key}": value for key, value in OPTIONS.items()},
    }
    return {**given, **changes}


def rows(prefix: str, filled: list[dict[str, Any]], there: int) -> dict[str, Any]:
    """Return the form fields of notes or hints.

    ``there`` is the number of rows that were already stored.
    """
    sent: dict[str, Any] = {f"{prefix}-TOTAL_FORMS": len(filled) + 2, f"{prefix}-INITIAL_FORMS": there}
    for number, row in enumerate(filled):
        sent |= {f"{prefix}-{number}-{name}": value for name, value in row.items()}
    return sent


def test_an_outdated_page_does_not_overwrite_a_newer_lesson(staff: Client, mission: Mission) -> None:
    page = f"{LIST}{mission.pk}/change/"
    seen = staff.get(page).context["adminform"].form.initial["instead_of"]
    other = {**mission.lesson, "notes": [{**mission.lesson["notes"][0], "text": "Look here."}]}
    assert staff.post(page, fields(mission, other, title="A", instead_of=seen)).status_code == 302
    stale = staff.post(page, fields(mission, title="B", instead_of=seen))
    told = "since you opened this page: Title, Notes. Check them, then save again."
    assert told in stale.content.decode()
    mission.refresh_from_db()
    assert mission.title == "A"
    now = stale.context["adminform"].form.data["instead_of"]
    assert f'value="{now}"' in stale.content.decode()


def test_a_mission_saved_by_staff_is_marked_as_theirs(staff: Client, erin: User, mission: Mission) -> None:
    page = staff.post(f"{LIST}{mission.pk}/change/", fields(mission, title="The great hall"))
    assert page.status_code == 302
    mission.refresh_from_db()
    assert (mission.slug, mission.title, mission.saved_by) == ("hall", "The great hall", erin)
    assert (mission.lesson, mission.options) == (LESSON, {}), "and the rest is as it was"


def test_a_new_mission_is_created(staff: Client, mission: Mission) -> None:
    page = staff.post(f"{LIST}add/", fields(mission, slug="again", number=2, title="Again"))
    assert page.status_code == 302
    assert Mission.objects.get(slug="again").number == 2


def test_a_lesson_can_be_changed_in_parts(staff: Client, mission: Mission) -> None:
    lesson = {
        **LESSON,
        "goal": "Run about.",
        "notes": [{"cells": [[0, 0], [7, 7]], "text": "Corners."}, {"cells": [[1, 2]], "text": "A wall."}],
        "hints": [{"when": "later", "text": "Go on."}],
        "filled": 2,
    }
    sent = fields(mission, lesson, **{"notes-0-ORDER": 2, "notes-1-ORDER": 1, "options-lives": 2})
    assert staff.post(f"{LIST}{mission.pk}/change/", sent).status_code == 302
    mission.refresh_from_db()
    assert mission.lesson == {**lesson, "notes": lesson["notes"][::-1]}
    assert mission.options == {"lives": 2}
    page = staff.get(f"{LIST}{mission.pk}/change/").content.decode()
    assert 'value="1,1 8,8"' in page, "cells count from 1, as the rulers of the board do"
    sent = fields(mission, **{"notes-0-DELETE": "on", "hints-0-DELETE": "on", "options-lives": 3})
    assert staff.post(f"{LIST}{mission.pk}/change/", sent).status_code == 302
    mission.refresh_from_db()
    assert [note["text"] for note in mission.lesson["notes"]] == ["Corners."]
    assert ("hints" in mission.lesson, mission.options) == (False, {})


def test_every_error_of_a_mission_is_shown_beside_its_field(staff: Client, mission: Mission) -> None:
    outside = {**LESSON, "notes": [{"cells": [[9, 9]], "text": "Out."}]}
    page = staff.post(f"{LIST}{mission.pk}/change/", fields(mission, outside)).content.decode()
    assert "Note 1 points at column 10, row 10, but the board has 8 × 8 cells." in page
    faulty: list[tuple[dict[str, Any], str]] = [
        ({"goal": " "}, "This field is required."),
        ({"notes-0-cells": "3;4"}, "Write each cell as column and row, such as 3,4."),
        ({"notes-0-cells": "1,1 " * 13}, "A note can point at 12 cells at most."),
        ({"notes-0-DELETE": "on"}, "There must be 1 to 9 notes."),
        ({"hints-0-when": "raining"}, "raining is not one of the available choices"),
        ({"notes-TOTAL_FORMS": ""}, "ManagementForm data is missing"),
    ]
    for changes, told in faulty:
        answer = staff.post(f"{LIST}{mission.pk}/change/", fields(mission, **changes))
        page = answer.content.decode()
        assert answer.status_code == 200, changes
        assert told in page, changes
        assert "Please correct the error" in page, changes
        assert "This is a hall." in page, "nothing is lost"
    mission.refresh_from_db()
    assert mission.lesson == LESSON


def test_staff_with_only_the_right_to_view_see_the_lesson(
    erin: User, staff: Client, mission: Mission
) -> None:
    erin.user_permissions.clear()
    permit(erin, "view_mission")
    page = staff.get(f"{LIST}{mission.pk}/change/").content.decode()
    assert "This is a hall." in page
    assert 'name="goal"' not in page
