"""What is noted in the history of a game before it starts."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.play.history import Sentence
from games.wording import model_name

SETTINGS: Final = ("term", "board", "board-as-now")
"""Kinds of log entries about changed settings of a game."""


def _without_model(robot: str, model: str) -> str:
    said = gettext("{robot} gives up the model {model}, which the new rules do not have.")
    return said.format(robot=robot, model=model_name(model))


HISTORY: Final[Mapping[str, Sentence]] = {
    "joined": _("{player} joined."),
    "left": _("{player} left."),
    "removed": _("{player} took {robot} out."),
    "computer-added": _("{player} added {computer}, a computer."),
    "computer-changed": _("{player} changed {computer}."),
    "computer-renamed": _("{player} changed {was}, who is {computer} now."),
    "board": _("{player} changed the board to {starship}."),
    "board-as-now": _("{player} took the board {starship} as it is now."),
    "without-model": _without_model,
    "invited": _("{player} invited {guest}."),
    "invited-by-mail": _("{player} invited someone by email."),
    "declined": _("{player} declined the invitation."),
    "new-link": _("{player} made a new link."),
    "cancelled": _("{player} called the game off."),
    "expired": _("The game was cancelled because it never filled up."),
}
