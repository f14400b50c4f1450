"""Invitations that wait for an answer."""

from django.db.models import QuerySet

from accounts.models import User
from games.lobby.models import Invitation
from games.play.models import Game
from games.play.selectors.viewers import Viewer


def invitations_for(*, user: User) -> QuerySet[Invitation]:
    """Return what a person is asked to join and has not answered, the newest first."""
    return (
        Invitation.objects.filter(user=user, answer=Invitation.Answer.PENDING, game__status=Game.Status.OPEN)
        .select_related("invited_by", "game__host", "game__revision__starship", "game__course")
        .defer("game__revision__document", "game__course__document")
        .order_by("-created_at", "-pk")
    )


def people_in_lobby(game: Game) -> list[User]:
    """Return the players of a game and, before it starts, those with an open invitation, each once."""
    seats = game.players.exclude(user=None).select_related("user").order_by("number")
    people = {each.user.pk: each.user for each in seats if each.user}
    if game.started_at is None:
        open_ones = game.invitations.filter(answer=Invitation.Answer.PENDING).exclude(user=None)
        people |= {each.user.pk: each.user for each in open_ones.select_related("user") if each.user}
    return list(people.values())


def invitation_for(*, viewer: Viewer, game: Game) -> Invitation | None:
    """Return the viewer's invitation to a game, as long as it waits for an answer."""
    if not isinstance(viewer, User):
        return None
    return invitations_for(user=viewer).filter(game=game).first()
