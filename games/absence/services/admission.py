"""Who may come into a game that is for reliable players, or for members of a club."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import User
from games.clubs.selectors import club_of_game
from games.contacts.selectors import lives_with
from games.errors import Forbidden
from games.play.models import Game, Seat
from games.play.selectors.newcomers import is_newcomer, refuse_busy_newcomer
from games.play.services.locks import hold_person
from games.reliability.selectors import reliability_of
from games.sanctions.selectors import refuse_suspended


def refuse_limited(*, user: User, now: datetime) -> None:
    """Raise Forbidden for those who may begin no further game with others.

    They are suspended, or new here and in as many as newcomers may have: the games of a newcomer are counted
    one after another. No one else is held up by a turn of theirs that a worker resolves meanwhile.
    """
    refuse_suspended(user=user, now=now)
    if is_newcomer(user=user, now=now):
        hold_person(user)
        refuse_busy_newcomer(user=user)


def refuse_housemate(*, game: Game, seats: Sequence[Seat], user: User) -> None:
    """Raise Forbidden for those who live with a player of a game that would be rated."""
    among_people = not any(seat.computer for seat in seats)
    if not game.may_be_rated or (game.rated == Game.Rated.USUAL and not among_people):
        return
    if lives_with(user=user, people=[seat.user_id for seat in seats]):
        raise Forbidden(
            "household",
            _("You live with one of the players, and this game is rated. You can join unrated games."),
        )


def refuse_others(*, game: Game, user: User) -> None:
    """Raise Forbidden for those whom a game is not for, unless its host has invited them.

    It may be for members of a club, and for players who are reliable to some degree. A game of a
    tournament or a ladder is for its players alone.
    """
    if game.in_competition:
        raise Forbidden(
            "tournament", _("This game belongs to a tournament or a ladder. Its seats stay as they are.")
        )
    club, percent = club_of_game(game.pk), reliability_of(user).percent
    belongs = club is None or club.memberships.filter(user=user).exists()
    if belongs and percent >= game.least_reliability:
        return
    if game.invitations.filter(user=user, invited_by=game.host_id).exists():
        return
    if club and not belongs:
        raise Forbidden("members-only", _("This game is for members of {club}.").format(club=club.name))
    detail = _("This game is for players with a reliability of at least {minimum} %. Yours is {yours} %.")
    raise Forbidden("unreliable", detail.format(minimum=game.least_reliability, yours=percent))
