"""Deleting accounts: at once no one can log in any more, and then workers have every game forget the person.

What is a person's alone is deleted. What others share in stays as it was, with a name in it that stands for
no one; so games stay readable, and as true as they were. ``docs/privacy.md`` tells it to people.
"""

import logging
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import ManyToOneRel, Model, Q
from django.utils.translation import gettext as _

from accounts import mail as outbox
from accounts.models import User
from accounts.rights import is_last_superuser
from accounts.services import close_account, say_farewell
from games.clubs import services as members
from games.competitions.services import ladders, seasons, tournaments
from games.errors import Conflict, Forbidden
from games.lobby.models import Invitation
from games.news.models import Notice
from games.people.models import Deletion, Forgetting
from games.people.services.scrubbing import rename_in_staff_log
from games.play.models import Draft, Game, Hand, Seat
from games.rights import Right, require, require_other
from games.shipyard.models import StarshipDraft
from games.shipyard.services import forget_name
from games.work import enqueue

logger = logging.getLogger(__name__)

STAYS: Final = {
    "games.Game.host": "the game passes on, or stays as its players knew it",
    "games.Seat.user": "a place in a game that others played as well; in one under way a computer takes it",
    "games.ChatLine.user": "others have answered; the words go where the person says so",
    "games.LobbyEntry.by": "what was changed in a lobby, for those who were in it",
    "games.Invitation.invited_by": "those who were invited may still come, and the host asks them",
    "games.Intervention.by": "what somebody of the staff did about a game, which its players see",
    "games.Replacement.was": "who played a seat up to when, which its game tells",
    "games.Replacement.became": "the same",
    "games.Share.user": "what a robot did, counted, as the robot's tally, which is its game's",
    "games.PlayerRating.user": "what ratings of others followed from; it is listed nowhere",
    "games.RatingChange.user": "the same, game by game",
    "games.Vote.asked_by": "what the players of a game have decided, and who has asked for it",
    "games.Ballot.user": "what somebody has said to it, by which it was counted",
    "games.Tournament.host": "a tournament that others play; staff take it over",
    "games.Entrant.user": "a place in the table of a tournament; who leaves an open one is not in it",
    "games.LadderGame.challenger": "a challenge that another has met, and what came of it",
    "games.LadderGame.challenged": "the same",
    "games.PromotionVote.user": "what the design committee decided, and why; an open vote no longer counts",
    "games.Starship.owner": "who built a ship, on which others play; its builder is the placeholder then",
    "games.Review.author": "what somebody thinks of a ship, which counts; the words go where they say so",
    "games.Moderation.by": "what somebody of the staff did about a review, which its author sees",
    "games.StarshipRevision.saved_by": "boards of the library, on which games are played",
    "games.Mission.saved_by": "missions that others fly",
    "games.Sanction.by": "who of the staff decided about another player",
    "games.Sanction.confirmed_by": "the same",
    "games.Case.taken_by": "who of the staff looks at a case",
    "games.Appeal.answered_by": "who of the staff answered an appeal",
    "games.Renaming.user": "a name that staff took, until games know it no more",
    "games.ConductEntry.person": "that staff decided something, without any word of it",
    "games.ConductEntry.by": "who of the staff did",
    "games.Deletion.user": "the deletion itself",
    "games.Deletion.by": "who of the staff deleted an account",
    "admin.LogEntry.user": "what somebody of the staff did, for those who come after",
}
"""Rows that refer to a person and stay, referring to the placeholder, and why. All others are deleted."""

Reference = tuple[type[Model], str]
"""A table that refers to people, and the column that does."""


def delete_account(
    *, user: User, by: User | None = None, takes_chat: bool = False, now: datetime
) -> Deletion:
    """Delete an account for good: the person's own, or another's ``by`` staff.

    From then on the person is `closing.placeholder_of` them: without name, address, settings, password,
    tokens and whatever else is theirs alone; no one is given that name again. A worker has games forget them,
    with ``takes_chat`` also what they said. Raises Forbidden for guests, who are forgotten by themselves
    (unless they sit in another's game, which the admin alone can bring about: those are deleted by staff),
    and for staff who may not do this to that person, and Conflict for an account that is deleted already and
    for the last that may do everything here.
    """
    with transaction.atomic():
        hold_games(user)
        held = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        _check(held, by)
        deletion = Deletion.objects.create(
            user=held, by=by, name=held.robo_name, address=held.email, takes_chat=takes_chat, asked_at=now
        )
        note_games(deletion=deletion)
        # Till a game is rewritten its robot is called as its log has it.
        Seat.objects.filter(user=held, robot="").update(robot=held.robo_name)
        members.leave_all(user=held, now=now)
        tournaments.leave_all(user=held, now=now)
        ladders.leave_all(user=held)
        seasons.leave_all(user=held)
        outbox.discard_mail(user=held)
        delete_rows(deletion=deletion)
        if held.email:
            say_farewell(held.email, now=now)
        close_account(user=held, now=now)
        enqueue.erase(deletion.pk)
    logger.info("The account of person %d was closed for good", user.pk)
    return deletion


def references() -> Iterator[Reference]:
    """Yield every table that refers to people, with the column that does."""
    for relation in User._meta.get_fields(include_hidden=True):
        if isinstance(relation, ManyToOneRel):
            yield relation.related_model, relation.field.name


def label_of(reference: Reference) -> str:
    """Return a reference as `STAYS` names it.

    >>> label_of((Seat, "user"))
    'games.Seat.user'
    """
    model, column = reference
    return f"{model._meta.label}.{column}"


def note_games(*, deletion: Deletion) -> None:
    """Note every game that may know of the person, by any row that refers to both."""
    person = deletion.user_id
    games = set(Game.objects.filter(host=person).values_list("pk", flat=True))
    for model, column in references():
        if (path := _path_to_game(model)) is not None:
            rows = model._default_manager.filter(**{column: person}).order_by()
            games |= set(rows.values_list(path, flat=True).distinct())
    for addressed in (Invitation, Notice):
        rows = addressed._default_manager.filter(email__iexact=deletion.address).exclude(email="")
        games |= set(rows.values_list("game", flat=True))
    noted = (Forgetting(deletion=deletion, game_id=game) for game in sorted(games - {None}))
    Forgetting.objects.bulk_create(noted, ignore_conflicts=True, batch_size=5000)


def delete_rows(*, deletion: Deletion) -> None:
    """Delete all rows that are the person's alone."""
    person = deletion.user_id
    rename_in_staff_log(deletion=deletion)  # while its rows are still there
    forget_name(StarshipDraft.objects.filter(user=person))
    for model, column in references():
        if label_of((model, column)) not in STAYS:
            model._default_manager.filter(**{column: person}).delete()
    Draft.objects.filter(hand__seat__user=person).delete()
    Hand.objects.filter(seat__user=person, remind_at__isnull=False).update(remind_at=None)
    if deletion.address:
        Invitation.objects.filter(email__iexact=deletion.address).delete()
        Notice.objects.filter(email__iexact=deletion.address).delete()


def hold_games(user: User) -> None:
    """Hold the rows of games that go on until the transaction ends: always before the person's own."""
    going_on = Game.objects.filter(ended_at=None).filter(Q(host=user) | Q(players__user=user))
    held = Game.objects.select_for_update(no_key=True).filter(pk__in=going_on.values("pk"))
    list(held.order_by("pk").values_list("pk"))


def _check(user: User, by: User | None) -> None:
    if user.is_guest and (by is None or not _sits_in_anothers_game(user)):
        raise Forbidden("guest", _("Guests have no account to delete: their data is removed automatically."))
    if user.deleted_at is not None:
        raise Conflict("deleted", _("This account has already been deleted."))
    if by is not None and by.pk != user.pk:
        require(by, Right.DELETE_ACCOUNTS)
        require_other(by, user)
    if is_last_superuser(user):
        raise Conflict(
            "last",
            _("This is the last superuser. Make another account a superuser before you delete this one."),
        )


def _sits_in_anothers_game(user: User) -> bool:
    return Seat.objects.filter(user=user).exclude(game__host=user).exists()


def _path_to_game(model: type[Model]) -> str | None:
    """Return by which columns a row of a table leads to a game, where it does."""
    names = {field.name: field for field in model._meta.concrete_fields}
    if "game" in names:
        return "game"
    for name in ("seat", "turn", "hand"):
        if name in names and (related := names[name].related_model) is not None:
            inner: Any = _path_to_game(related)
            return inner and f"{name}__{inner}"
    return None
