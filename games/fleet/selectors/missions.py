"""Training missions, and what they teach."""

from django.db.models import QuerySet

import rules
from games.errors import Invalid
from games.fleet.lessons import Lesson, read_lesson
from games.fleet.models import Mission, offered_by


def offered() -> QuerySet[Mission]:
    """Return the missions that can be flown, in their order."""
    missions = Mission.objects.filter(offered_by("starship"))
    return missions.select_related("starship__current").order_by("number")


def mission_after(*, mission: Mission) -> Mission | None:
    """Return the mission that follows, if there is one."""
    return offered().filter(number__gt=mission.number).first()


def lesson_of(mission: Mission, *, ship: rules.Starship) -> Lesson | None:
    """Return the lesson of a mission, for the board of its game; None where it does not fit."""
    try:
        return read_lesson(mission.lesson, ship)
    except Invalid:  # staff have given the mission another board since
        return None
