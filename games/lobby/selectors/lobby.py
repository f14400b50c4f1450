"""What is to be seen in a lobby, and of how a game came about."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from zlib import crc32

from django.db.models import QuerySet

from accounts.models import User
from games.absence.selectors.open_seats import is_offered
from games.absence.selectors.reliability import percent_of
from games.play.models import Game, Seat
from games.play.selectors.viewers import Viewer, seat_of
from games.play.terms import SETTINGS

SHOWN = 50
"""Changes that are shown, the newest."""

AGREED = (*SETTINGS, "version", "revision_id", "course_id")
"""Fields of a game that its players agree to."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatView:
    """Someone who plays."""

    seat: int
    name: str
    place: Annotated[int | None, "Their place in the end."]
    squad: str | None
    model: Annotated[str | None, "Of their robot."]
    look: Annotated[int, "Which of the eight robots."]
    computer: Annotated[str | None, "The strength of a computer, null for a person."]
    steered_by: Annotated[str | None, "Who plays it, where that is not whose name it bears."]
    offered: Annotated[bool, "A computer holds it until a player takes it over."]
    ready: Annotated[bool, "They agree to the game as it is set up."]
    reliability: Annotated[int | None, "How reliable its player is, in percent; null for a computer."]


@dataclass(frozen=True, kw_only=True, slots=True)
class LobbyEntryView:
    """Something that was done in a lobby."""

    at: datetime
    by: str | None
    text: Annotated[str, "A sentence."]


@dataclass(frozen=True, kw_only=True, slots=True)
class Invited:
    """Someone who was asked to join."""

    id: int
    name: Annotated[str, "A Robo Name, or an address that I typed."]
    by: str
    answer: Annotated[str, "Pending, accepted or declined; of addresses always pending."]


def lobby_of(game: Game) -> list[LobbyEntryView]:
    """Return what was changed in a lobby, the newest first; nothing once the game has started."""
    if game.status != Game.Status.OPEN:
        return []
    entries = game.lobby.select_related("by").order_by("-pk")[:SHOWN]
    return [
        LobbyEntryView(at=entry.at, by=entry.by.robo_name if entry.by else None, text=entry.text)
        for entry in entries
    ]


def invitations_of(*, viewer: Viewer, game: Game) -> list[Invited]:
    """Return who was asked to join, for those who have a seat; addresses for who asked them alone.

    Whether an address has an account is for no one to see: it is named as it was typed.
    """
    if game.status != Game.Status.OPEN or not isinstance(viewer, User):
        return []
    if seat_of(viewer=viewer, game=game) is None:
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
        return email if mine else "somebody by mail"
    assert user is not None
    return user.robo_name


def terms_mark(game: Game) -> str:
    """Return what changes with the terms of a game: who agrees says by it to which."""
    terms = [getattr(game, name) for name in AGREED]
    return f"{crc32(repr(terms).encode()):08x}"


def rematch_of(*, viewer: Viewer, game: Game) -> int | None:
    """Return the number of the rematch that was made of a game, for those who played."""
    if game.status != Game.Status.OVER or seat_of(viewer=viewer, game=game) is None:
        return None
    return rematches(game).values_list("pk", flat=True).first()


def rematches(game: Game) -> QuerySet[Game]:
    """Return the game that was made again of another, if there is one that was not called off."""
    return Game.objects.filter(rematch_of=game).exclude(status=Game.Status.CANCELLED)


def seated(seat: Seat) -> SeatView:
    """Return a seat that is taken, as lists and views of games show it."""
    return SeatView(
        seat=seat.number,
        name=seat.robo_name,
        place=seat.place,
        squad=seat.squad or None,
        model=seat.model or None,
        look=seat.look,
        computer=seat.computer or None,
        steered_by=seat.steered_by or None,
        offered=is_offered(seat),
        ready=seat.ready,
        reliability=percent_of(seat),
    )
