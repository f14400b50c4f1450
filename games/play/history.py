"""The history of a game: changes to its terms, players and clocks, as sentences."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

from accounts.models import User
from games import live
from games.lobby.models import LobbyEntry
from games.play.models import Game
from games.play.terms import SETTINGS
from games.play.viewers import Viewer, seat_of

FORMAT: Final = "entry/1"
"""The format of the parameters of a history entry."""

Sentence = Promise | Callable[..., str]
"""A text with named parameters, or a function that takes the parameters and returns a text."""

UNRATED: Final = "unrated"
"""The kind of history entry for a game that is unrated because two of its players live together."""

PERSON_PARAMETERS: Final = ("player", "guest", "robot", "sitter")
"""The parameters of history entries that hold the name of a person or of their robot."""

OTHER_PARAMETERS: Final = ("computer", "was", "starship", "text")
"""The parameters of history entries that hold names of computers or ships, or free text."""

Parameters = Mapping[str, Any]


def _changed_term(*, term: str, **parameters: Any) -> str:
    return SETTINGS[term].sentence(**parameters)


HISTORY: Final[Mapping[str, Sentence]] = {
    "host": _("{player} is the host now."),
    "term": _changed_term,
    UNRATED: _("This game is unrated, because two of its players live together."),
    "put-aside": _("{player} put aside a hand that had only turning chips."),
    "vacation": _("{player} is on vacation and gets 1 more day."),
    "sitter": _("{sitter} submitted orders for {player} in turn {number}, as their sitter."),
    "short-clock": _("{player} missed {number} turns in a row and gets half the time now."),
    "full-clock": _("{player} submitted {number} turns in a row on time and gets the full time again."),
    "outage": _("The service was down. All clocks got that time back."),
}

SENTENCES: Final[dict[str, Sentence]] = {}
"""The sentences of all kinds of history entry. The packages of `games` add theirs at start-up."""


def sentence_of(entry: LobbyEntry) -> str:
    """Return the sentence of a history entry, in the reader's language."""
    return entry_sentence(entry.kind, entry.parameters)


def entry_sentence(kind: str, parameters: Parameters) -> str:
    sentence = SENTENCES[kind]
    named = {name: value for name, value in parameters.items() if name != "format"}
    return sentence(**named) if callable(sentence) else str(sentence).format(**named)


def rename_person(parameters: Parameters, before: str, after: str) -> dict[str, Any]:
    """Replace a person's name in the parameters of a history entry.

    >>> rename_person({"term": "robot", "player": "robot", "text": "robot"}, "robot", "Ann")
    {'term': 'robot', 'player': 'Ann', 'text': 'robot'}
    """
    return {
        key: after if key in PERSON_PARAMETERS and value == before else value
        for key, value in parameters.items()
    }


def add_entry(*, game: Game, kind: str, by: User | None, now: datetime, **parameters: Any) -> None:
    """Add an entry to a game's history, and update open pages of the game.

    ``by`` is the person who made the change, or None if the service did. Raises KeyError for an unknown kind
    or a missing parameter.
    """
    entry_sentence(kind, parameters)
    noted = {"format": FORMAT, **parameters}
    LobbyEntry.objects.create(game=game, by=by, kind=kind, parameters=noted, at=now)
    live.announce_change(game)


ENTRIES_SHOWN = 50
"""The maximum number of history entries that the page of a game shows."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LobbyEntryView:
    """A change to a game."""

    at: datetime
    by: str | None
    text: Annotated[str, "The change as a sentence."]


@dataclass(frozen=True, kw_only=True, slots=True)
class Invited:
    """An invitation to a game, with the name or email address of the invited person."""

    id: int
    name: Annotated[str, "A Robo Name, or an address that you typed."]
    by: str
    answer: Annotated[str, "Pending, accepted or declined. Always pending for an address."]


def lobby_of(game: Game) -> list[LobbyEntryView]:
    """Return the history of a game before its start, newest first. Entries of unknown kinds are left out."""
    return _newest(game, SENTENCES)


IN_PLAY: Final = ("sitter", "short-clock", "full-clock")
"""The kinds of history entry that the page of a game shows after the start."""


def history_in_play(game: Game) -> list[LobbyEntryView]:
    """Return what a game's page shows to everyone after the start, newest first: sitters and clocks."""
    return _newest(game, IN_PLAY) if game.started_at and (game.sitters or game.shorter_clock) else []


def _newest(game: Game, kinds: Iterable[str]) -> list[LobbyEntryView]:
    entries = game.lobby.filter(kind__in=kinds).select_related("by").order_by("-pk")[:ENTRIES_SHOWN]
    return [
        LobbyEntryView(at=entry.at, by=entry.by.robo_name if entry.by else None, text=sentence_of(entry))
        for entry in entries
    ]


def invitations_of(*, viewer: Viewer, game: Game) -> list[Invited]:
    """Return the invitations to a game, or an empty list if the viewer has no seat in the game.

    Only the sender of an invitation by mail sees the address. It is shown as the sender typed it, so that the
    sender cannot learn whether the address belongs to an account.
    """
    if not isinstance(viewer, User) or seat_of(viewer=viewer, game=game) is None:
        return []
    invitations = game.invitations.select_related("user", "invited_by").order_by("pk")
    return [
        Invited(
            id=invitation.pk,
            name=_invited(invitation.email, invitation.user, mine=invitation.invited_by_id == viewer.pk),
            by=invitation.invited_by.robo_name,
            answer="pending" if invitation.email else invitation.answer,
        )
        for invitation in invitations
    ]


def _invited(email: str, user: User | None, *, mine: bool) -> str:
    if email:
        return email if mine else gettext("someone invited by email")
    assert user is not None
    return user.robo_name


def rematch_of(*, viewer: Viewer, game: Game) -> int | None:
    """Return the ID of a game's rematch, or None if there is none or the viewer has no seat in the game."""
    if seat_of(viewer=viewer, game=game) is None:
        return None
    return rematches(game).values_list("pk", flat=True).first()


def rematches(game: Game) -> QuerySet[Game]:
    """Return a query for the rematch of a game. A cancelled rematch is left out."""
    return Game.objects.filter(rematch_of=game).exclude(status=Game.Status.CANCELLED)
