"""Selectors for lobbies: history, invitations, changed settings and the next step."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from zlib import crc32

from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_lazy as _, ngettext

import rules
from accounts.models import User
from games.lobby.models import Invitation, LobbyEntry
from games.play.game_view import GameView
from games.play.history import Sentence
from games.play.models import Game
from games.play.terms import SETTINGS
from games.play.viewers import Viewer
from games.wording import model_name, names_in_words

CHANGES: Final = ("term", "board", "board-as-now")
"""The kinds of lobby history entries for changed settings."""


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
    "board": _("{player} changed the starship to {starship}."),
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
    message = ngettext("{players} is not ready yet.", "{players} are not ready yet.", len(names))
    return message.format(players=names_in_words(names))


def too_few(ruleset: rules.Ruleset) -> str:
    """Return the message about too few players for a ruleset."""
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
    """Return a game's players and, until it starts, the people with pending invitations."""
    seats = game.players.exclude(user=None).select_related("user").order_by("number")
    people = {each.user.pk: each.user for each in seats if each.user}
    if game.started_at is None:
        open_ones = game.invitations.filter(answer=Invitation.Answer.PENDING).exclude(user=None)
        people |= {each.user.pk: each.user for each in open_ones.select_related("user") if each.user}
    return list(people.values())


def invitation_for(*, viewer: Viewer, game: Game) -> Invitation | None:
    """Return the viewer's pending invitation to a game, or None if there is none."""
    if not isinstance(viewer, User):
        return None
    return invitations_for(user=viewer).filter(game=game).first()


AGREED_FIELDS = (*SETTINGS, "version", "revision_id", "course_id")
"""The fields of `Game` with its terms. Players agree to these terms before the game starts."""


def terms_mark(game: Game) -> str:
    """Return a hash of a game's terms. Players send it back when they agree to the terms."""
    terms = [getattr(game, name) for name in AGREED_FIELDS]
    return f"{crc32(repr(terms).encode()):08x}"


def changes_after(game: Game, seen: int = 0) -> QuerySet[LobbyEntry]:
    """Return changes to a lobby's settings, oldest first.

    If ``seen`` is the ID of a history entry, returns only changes after this entry.
    """
    return game.lobby.filter(kind__in=CHANGES, pk__gt=seen).order_by("pk")


def changed_since_joining(*, user: User, game: Game) -> bool:
    """Return whether other people changed a lobby's settings since the player joined."""
    joined = game.lobby.filter(kind="joined", by=user).values_list("pk", flat=True).last()
    return changes_after(game, joined or 0).exclude(by=user).exists()


def last_change(game: Game) -> int:
    """Return the ID of the last settings change in a lobby's history, or 0 if there is none."""
    return changes_after(game).values_list("pk", flat=True).last() or 0


class NextStep(StrEnum):
    """The next step for a viewer of a lobby. It decides which button of the lobby page is the primary one."""

    JOIN = "join"
    READY = "ready"
    COPY_LINK = "copy-link"
    ADD_COMPUTER = "add-computer"
    START = "start"
    WAIT = "wait"


@dataclass(frozen=True, slots=True)
class LobbyState:
    """The state of a lobby for one viewer.

    About the viewer: ``seated`` is True if they have a seat, ``hosts`` if they are the host, and ``ready`` if
    they are ready. About the lobby: ``free`` is True if a seat is free, ``waiting`` if another player is not
    ready, ``pending_invitation`` if an invitation is unanswered, ``other_people`` if other people have seats,
    ``computers`` if computers have seats, and ``startable`` if the host could start the game with the present
    players.
    """

    seated: bool = True
    hosts: bool = False
    free: bool = True
    ready: bool = True
    waiting: bool = False
    pending_invitation: bool = False
    other_people: bool = False
    computers: bool = False
    startable: bool = True


def next_step(lobby: LobbyState) -> NextStep:
    """Return the next step for the viewer of a lobby.

    | viewer | state of the lobby | step |
    |---|---|---|
    | without a seat | a seat is free | join |
    | without a seat | all seats are taken | wait |
    | with a seat | the viewer is not ready | ready |
    | a player who is not the host | the viewer is ready | wait |
    | the host | seats are free, only computers have joined, no invitation is pending | add a computer |
    | the host | seats are free in any other case | copy the link |
    | the host | all seats are taken, but a player is not ready or the squads differ in size | wait |
    | the host | all seats are taken, and all players are ready | start |
    """
    if not lobby.seated:
        return NextStep.JOIN if lobby.free else NextStep.WAIT
    if not lobby.ready:
        return NextStep.READY
    if not lobby.hosts:
        return NextStep.WAIT
    if lobby.free:
        alone_with_computers = lobby.computers and not lobby.other_people and not lobby.pending_invitation
        return NextStep.ADD_COMPUTER if alone_with_computers else NextStep.COPY_LINK
    return NextStep.START if lobby.startable and not lobby.waiting else NextStep.WAIT


def lobby_step(*, viewer: Viewer, host_id: int, seen: GameView, startable: bool) -> NextStep:
    """Return the next step for a viewer, from their view of a lobby (`game_view`).

    ``startable`` says whether the host could start the game now.
    """
    mine = seen.me.seat if seen.me else None
    others = [seat for seat in seen.seats if seat.seat != mine]
    return next_step(
        LobbyState(
            seated=mine is not None,
            hosts=viewer.pk == host_id,
            free=len(seen.seats) < seen.seats_total,
            ready=all(seat.ready for seat in seen.seats if seat.seat == mine),
            waiting=not all(seat.ready for seat in others),
            pending_invitation=any(each.answer == "pending" for each in seen.invitations),
            other_people=any(not seat.computer for seat in others),
            computers=any(seat.computer for seat in others),
            startable=startable,
        )
    )
