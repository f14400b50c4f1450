"""Create, change and delete branches."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import limits
from accounts.models import User
from games.branches.models import BRANCH_FORMAT, Branch
from games.branches.selectors import basis_of, own_branch, turns_of
from games.errors import Conflict, TooMany, new_token, refuse_guests
from games.play.models import Game
from games.play.services import keep_game
from games.play.viewers import refuse_words
from games.work.models import lock_person

BRANCHES_PER_GAME: Final = 20
"""The maximum number of a person's branches in one game."""

MOST_BRANCHES: Final = 500
"""The maximum number of a person's branches in all games."""


def create_branch(
    *,
    user: User,
    game: Game,
    turn: int,
    name: str = "",
    orders: Mapping[str, Any],
    headings: Mapping[str, str],
    computers: int = 0,
    now: datetime,
) -> Branch:
    """Create a branch of a played turn.

    The user must be able to see the game. While the game is running, they must play in it, and the branch
    uses only what they may see.

    Raises NotFound for a turn that was not played; Forbidden for guests; Conflict at the limits, and for a
    running game of others; TooMany if the person has used up their turns of the day; Malformed for unknown
    seats and unreadable orders; Invalid with all problems of the changes; and the errors of `refuse_words`
    for the name.
    """
    refuse_guests(user)
    _charge(user, computers)
    made = Branch(game=game, owner=user, token=new_token(), created_at=now)
    made.turn = turn
    _write(made, user, game, name, orders, headings, computers, now)
    with transaction.atomic():
        keep_game(game.pk)
        lock_person(user)
        mine = Branch.objects.filter(owner=user)
        for rows, most, detail in (
            (
                mine.filter(game=game),
                BRANCHES_PER_GAME,
                _("You have {most} branches of this game, which is the limit. Delete one first."),
            ),
            (mine, MOST_BRANCHES, _("You have {most} branches, which is the limit. Delete one first.")),
        ):
            if rows.count() >= most:
                raise Conflict("too-many", detail.format(most=most))
        made.save(force_insert=True)
    return made


def change_branch(
    *,
    user: User,
    game: Game,
    token: str,
    name: str = "",
    orders: Mapping[str, Any],
    headings: Mapping[str, str],
    computers: int = 0,
    now: datetime,
) -> Branch:
    """Replace the name and the changes of one of the user's branches.

    Raises NotFound for a branch of another person, and the errors of `create_branch`.
    """
    refuse_guests(user)
    _charge(user, computers)
    with transaction.atomic():
        made = own_branch(user=user, game=game, token=token, lock=True)
        _write(made, user, game, name, orders, headings, computers, now, before=[made.name])
        made.save()
    return made


def delete_branch(*, user: User, game: Game, token: str) -> None:
    """Delete one of the user's branches. Raises NotFound for a branch of another person."""
    own_branch(user=user, game=game, token=token).delete()


def _charge(user: User, computers: int) -> None:
    """Count the turns of a branch towards the person's limit, since the engine plays them at once."""
    if wait := limits.consume(limits.BRANCHES, f"person:{user.pk}", 1 + computers):
        raise TooMany(_("You have played too many branches today. Try again tomorrow."), wait)


def _write(
    made: Branch,
    user: User,
    game: Game,
    name: str,
    orders: Mapping[str, Any],
    headings: Mapping[str, str],
    computers: int,
    now: datetime,
    before: Sequence[str] = (),
) -> None:
    """Write the name and the changes into a branch, and play its turns to check them."""
    basis = basis_of(game=game, turn=made.turn, viewer=user)
    made.blind, made.seat = basis.blind, basis.own
    document = {"format": BRANCH_FORMAT, "orders": dict(orders), "headings": dict(headings)}
    made.name, made.document, made.more, made.changed_at = name, document, computers, now
    refuse_words(user=user, words=[name], before=before, now=now)
    turns_of(made, basis=basis)
