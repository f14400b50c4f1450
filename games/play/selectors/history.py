"""What came before a game and what came after it: changes in its lobby, invitations, the rematch."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.play.history import SENTENCES, sentence_of
from games.play.models import Game
from games.play.selectors.viewers import Viewer, seat_of

SHOWN = 50
"""Changes that are shown, the newest."""


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
    """Return what was changed in a lobby, the newest first, without kinds that only a later release has."""
    entries = game.lobby.filter(kind__in=SENTENCES).select_related("by").order_by("-pk")[:SHOWN]
    return [
        LobbyEntryView(at=entry.at, by=entry.by.robo_name if entry.by else None, text=sentence_of(entry))
        for entry in entries
    ]


def invitations_of(*, viewer: Viewer, game: Game) -> list[Invited]:
    """Return who was asked to join, for those who have a seat; addresses for who asked them alone.

    Whether an address has an account is for no one to see: it is named as it was typed.
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
        return email if mine else _("someone by mail")
    assert user is not None
    return user.robo_name


def rematch_of(*, viewer: Viewer, game: Game) -> int | None:
    """Return the number of the rematch that was made of a game that is over, for those who played."""
    if seat_of(viewer=viewer, game=game) is None:
        return None
    return rematches(game).values_list("pk", flat=True).first()


def rematches(game: Game) -> QuerySet[Game]:
    """Return the game that was made again of another, if there is one that was not called off."""
    return Game.objects.filter(rematch_of=game).exclude(status=Game.Status.CANCELLED)
