"""Views of a lobby: its history, invitations, changes of terms and the next step."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from zlib import crc32

from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_lazy as _, ngettext

import rules
from accounts.models import User
from games.lobby.models import Invitation
from games.play.game_view import GameView
from games.play.history import Sentence
from games.play.models import Game, LobbyEntry
from games.play.terms import SETTINGS
from games.play.viewers import Viewer
from games.wording import model_name, names_in_words

CHANGES: Final = ("term", "board", "board-as-now")
"""Kinds of history entries for changed settings."""


def _without_model(robot: str, model: str) -> str:
    said = gettext("{robot} loses the model {model}, because the new ruleset does not have it.")
    return said.format(robot=robot, model=model_name(model))


HISTORY: Final[Mapping[str, Sentence]] = {
    "joined": _("{player} joined."),
    "left": _("{player} left."),
    "removed": _("{player} removed {robot}."),
    "computer-added": _("{player} added {computer}, a computer."),
    "computer-changed": _("{player} changed {computer}."),
    "computer-renamed": _("{player} changed {was} to {computer}."),
    "board": _("{player} changed the board to {starship}."),
    "board-as-now": _("{player} updated {starship} to its latest version."),
    "without-model": _without_model,
    "invited": _("{player} invited {guest}."),
    "invited-by-mail": _("{player} invited someone by email."),
    "declined": _("{player} declined the invitation."),
    "new-link": _("{player} created a new link."),
    "cancelled": _("{player} cancelled the game."),
    "expired": _("The game was cancelled because it did not start in time."),
}


def not_ready(names: list[str]) -> str:
    told = ngettext("{players} is not ready yet.", "{players} are not ready yet.", len(names))
    return told.format(players=names_in_words(names))


def too_few(ruleset: rules.Ruleset) -> str:
    """Describe how many players a ruleset needs."""
    return gettext("{ruleset} needs at least {least} players.").format(
        ruleset=ruleset.name, least=ruleset.seats[0]
    )


def invitations_for(*, user: User) -> QuerySet[Invitation]:
    """Return a person's pending invitations to lobbies, the newest first."""
    return (
        Invitation.objects.filter(user=user, answer=Invitation.Answer.PENDING, game__status=Game.Status.OPEN)
        .select_related("invited_by", "game__host", "game__revision__starship", "game__course")
        .defer("game__revision__document", "game__course__document")
        .order_by("-created_at", "-pk")
    )


def people_in_lobby(game: Game) -> list[User]:
    """Return a game's players and, before its start, people with open invitations."""
    seats = game.players.exclude(user=None).select_related("user").order_by("number")
    people = {each.user.pk: each.user for each in seats if each.user}
    if game.started_at is None:
        open_ones = game.invitations.filter(answer=Invitation.Answer.PENDING).exclude(user=None)
        people |= {each.user.pk: each.user for each in open_ones.select_related("user") if each.user}
    return list(people.values())


def invitation_for(*, viewer: Viewer, game: Game) -> Invitation | None:
    """Return the viewer's pending invitation to a game, or None."""
    if not isinstance(viewer, User):
        return None
    return invitations_for(user=viewer).filter(game=game).first()


AGREED_FIELDS = (*SETTINGS, "version", "revision_id", "course_id")
"""Fields of a game covered by its players' agreement."""


def terms_mark(game: Game) -> str:
    """Return a hash of a game's terms. Players send it back when they agree."""
    terms = [getattr(game, name) for name in AGREED_FIELDS]
    return f"{crc32(repr(terms).encode()):08x}"


def changes_after(game: Game, seen: int = 0) -> QuerySet[LobbyEntry]:
    """Return changes to a lobby's settings after number ``seen``, the oldest first."""
    return game.lobby.filter(kind__in=CHANGES, pk__gt=seen).order_by("pk")


def changed_since_joining(*, user: User, game: Game) -> bool:
    """Return True if others changed the settings of a lobby since the player joined."""
    joined = game.lobby.filter(kind="joined", by=user).values_list("pk", flat=True).last()
    return changes_after(game, joined or 0).exclude(by=user).exists()


def last_change(game: Game) -> int:
    """Return the number of the last change to a lobby's settings, or 0."""
    return changes_after(game).values_list("pk", flat=True).last() or 0


class NextStep(StrEnum):
    """The next step in a lobby. The page has at most one primary button for it."""

    JOIN = "join"
    READY = "ready"
    COPY_LINK = "copy-link"
    ADD_COMPUTER = "add-computer"
    START = "start"
    WAIT = "wait"


@dataclass(frozen=True, slots=True)
class LobbyState:
    """The state of a lobby for one viewer.

    ``ready`` is the viewer's own readiness. ``waiting`` is True if another player is not ready, ``awaited``
    if an invitation is unanswered, ``companions`` if other people have a seat, ``computers`` if computers
    have one, and ``startable`` if the present players could start.
    """

    seated: bool = True
    hosts: bool = False
    free: bool = True
    ready: bool = True
    waiting: bool = False
    awaited: bool = False
    companions: bool = False
    computers: bool = False
    startable: bool = True


def next_step(lobby: LobbyState) -> NextStep:
    """Return the next step.

    | viewer | state of the lobby | step |
    |---|---|---|
    | without a seat | a seat is free, or the lobby is full | join, or wait |
    | with a seat | not ready | ready |
    | a player | ready | wait |
    | the host | seats are free, and only computers have joined | add a computer |
    | the host | seats are free: invitations are pending, or anyone may join | copy the link |
    | the host | full, a player is not ready, or the squads differ | wait |
    | the host | full, and all are ready | start |
    """
    if not lobby.seated:
        return NextStep.JOIN if lobby.free else NextStep.WAIT
    if not lobby.ready:
        return NextStep.READY
    if not lobby.hosts:
        return NextStep.WAIT
    if lobby.free:
        alone_with_computers = lobby.computers and not lobby.companions and not lobby.awaited
        return NextStep.ADD_COMPUTER if alone_with_computers else NextStep.COPY_LINK
    return NextStep.START if lobby.startable and not lobby.waiting else NextStep.WAIT


def lobby_step(*, viewer: Viewer, host_id: int, seen: GameView, startable: bool) -> NextStep:
    """Return the next step of a viewer, from their view of a lobby (`game_view`)."""
    mine = seen.me.seat if seen.me else None
    others = [seat for seat in seen.seats if seat.seat != mine]
    return next_step(
        LobbyState(
            seated=mine is not None,
            hosts=viewer.pk == host_id,
            free=len(seen.seats) < seen.seats_total,
            ready=all(seat.ready for seat in seen.seats if seat.seat == mine),
            waiting=not all(seat.ready for seat in others),
            awaited=any(each.answer == "pending" for each in seen.invitations),
            companions=any(not seat.computer for seat in others),
            computers=any(seat.computer for seat in others),
            startable=startable,
        )
    )
