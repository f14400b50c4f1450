"""Achievements as medals."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString

from rules.drawing import medal

Document = Mapping[str, Any]

FRAMES = ("badge", "washer", "nut", "gear")
"""Frames of medals by step; what is done in one game has no step."""


@dataclass(frozen=True, slots=True)
class Medal:
    """An achievement to show: ``goal`` is 0 where there is no progress towards it."""

    key: str
    german: str
    english: str
    condition: str
    picture: SafeString
    progress: int
    goal: int
    earned_at: datetime | None
    game: Document | None


def medal_of(achievement: Document) -> Medal:
    return Medal(
        key=achievement["key"],
        german=achievement["german"],
        english=achievement["english"],
        condition=achievement["condition"],
        picture=medal_picture(achievement, earned=achievement["earned_at"] is not None),
        progress=achievement.get("value", 0),
        goal=0 if achievement["in_one_game"] else achievement["goal"],
        earned_at=achievement["earned_at"],
        game=achievement["game"],
    )


def medal_picture(achievement: Document, *, earned: bool = True, name: str = "") -> SafeString:
    """Draw an achievement's medal: decoration, where it has no ``name``."""
    frame = FRAMES[achievement["step"]]
    return SafeString(medal(achievement["motif"], frame, earned=earned, name=name, theme="page"))
