"""How the history of a game is told: what was done in it besides playing turns.

Stored are the kind of an entry and its parameters. Each room declares the sentences of its kinds in its
module `history`, and `games/panels.py` lists the rooms.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.play.models import LobbyEntry
from games.play.terms import SETTINGS

FORMAT: Final = "entry/1"
"""What the parameters of an entry are written in."""

Sentence = Promise | Callable[..., str]
"""A sentence with the names of its parameters in it, or what makes one of the parameters."""

UNRATED: Final = "unrated"
"""What is noted of a game that changes no ratings, whatever its host has chosen."""

PEOPLE: Final = ("player", "guest", "robot")
"""The parameters that are names of people, or of robots that bear them."""

OTHERS: Final = ("computer", "was", "starship", "reason", "text")
"""The parameters that are names of computers and ships, or words."""

Parameters = Mapping[str, Any]


def _changed_term(*, term: str, **parameters: Any) -> str:
    return SETTINGS[term].tell(**parameters)


HISTORY: Final[Mapping[str, Sentence]] = {
    "host": _("{player} is the host now."),
    "term": _changed_term,
    UNRATED: _("This game changes no ratings: two of its players live together."),
    "put-aside": _("{player} put a hand of turning chips aside."),
    "vacation": _("{player} is on vacation and has one more day."),
    "outage": _("The service was down. All clocks got that time back."),
}

SENTENCES: Final[dict[str, Sentence]] = {}
"""How each kind of entry is told, filled when the site starts."""


def sentence_of(entry: LobbyEntry) -> str:
    """Tell an entry in the reader's language."""
    return tell(entry.kind, entry.parameters)


def tell(kind: str, parameters: Parameters) -> str:
    """Return the sentence of a kind of entry."""
    sentence = SENTENCES[kind]
    named = {name: value for name, value in parameters.items() if name != "format"}
    return sentence(**named) if callable(sentence) else str(sentence).format(**named)


def renamed(parameters: Parameters, before: str, after: str) -> dict[str, Any]:
    """Return parameters in which a person called ``before`` is called ``after``.

    >>> renamed({"term": "robot", "player": "robot", "text": "robot"}, "robot", "Ann")
    {'term': 'robot', 'player': 'Ann', 'text': 'robot'}
    """
    return {key: after if key in PEOPLE and value == before else value for key, value in parameters.items()}
