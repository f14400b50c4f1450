"""Change the rules of sign-up as staff, decide about people who wait, and remove waves of accounts.

A removal is a list of accounts (`RemovalEntry`). Workers take a few of them at a time, remove each in its own
transaction, and delete the entry with it. So a removal continues after a failure, and removes each once.
"""

import logging
import secrets
from collections.abc import Collection
from datetime import datetime
from functools import partial
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext

from accounts import admission
from accounts.models import User
from accounts.rights import staff_accounts
from accounts.sign_ups import SignUpBlock, SignUpRule
from games.admission.models import Removal, RemovalEntry
from games.admission.selectors import MAX_PEOPLE, Criteria, marks_of, people_in
from games.clubs.models import Membership
from games.clubs.services import locked_club, rename_club
from games.competitions.models import Tournament
from games.dock.models import Review
from games.dock.reviews import locked_starship, rate
from games.errors import Conflict, Invalid, NotFound
from games.fleet.models import Starship
from games.lobby.models import LobbyEntry
from games.people.services import deletion, scrubbing
from games.play.models import Game
from games.rights import Right, require
from games.work import enqueue
from games.work.jobs import for_each_row

logger = logging.getLogger(__name__)


def change_mode(*, user: User, mode: str, reason: str, now: datetime) -> SignUpRule:
    """Choose who can sign up, as staff. An empty mode is the setting's.

    Raises Forbidden without the right.
    """
    require(user, Right.CHANGE_SIGN_UP)
    logger.warning("%s set sign-up to %s", user.robo_name, mode or "the setting", extra={"person": user.pk})
    return SignUpRule.objects.create(mode=mode, reason=reason, by=user, at=now)


def block(*, user: User, kind: str, value: str, reason: str, ends_at: datetime | None, now: datetime) -> None:
    """Block a mail domain, an address or a network, or extend its block, as staff.

    Raises Forbidden without the right, and Invalid for an invalid value.
    """
    require(user, Right.BLOCK_SIGN_UPS)
    try:
        value = admission.normal_block(kind, value)
    except ValidationError as error:
        raise Invalid("value", " ".join(error.messages)) from error
    given = {"reason": reason, "by": user, "made_at": now, "ends_at": ends_at}
    SignUpBlock.objects.update_or_create(kind=kind, value=value, defaults=given)


def approve(*, user: User, person_id: int, now: datetime) -> None:
    """Admit a person who waits. Raises Forbidden without the right, and Conflict if they don't wait."""
    require(user, Right.DECIDE_SIGN_UPS)
    if not admission.approve(user_id=person_id, now=now):
        raise _decided()


def decline(*, user: User, person_id: int, reason: str, now: datetime) -> None:
    """Decline a person who waits, tell them the reason by mail, and delete the account.

    Raises Forbidden without the right, and Conflict if they don't wait.
    """
    require(user, Right.DECIDE_SIGN_UPS)
    if not admission.decline(user_id=person_id, reason=reason, now=now):
        raise _decided()


def _decided() -> Conflict:
    return Conflict("decided", gettext("This person does not wait any more."))


# --- Waves --------------------------------------------------------------------------------------------------


PEOPLE_PER_MESSAGE: Final = 20
"""The number of accounts that a worker removes for one queue message. Workers play turns between messages."""

JOB: Final = "waves"


def remove_wave(
    *,
    user: User,
    criteria: Criteria,
    keep: Collection[int],
    include: Collection[int],
    reason: str,
    now: datetime,
) -> Removal:
    """Remove the accounts of a wave with everything they wrote, as staff. Workers do it soon.

    Probably real people stay, unless their numbers are among ``include``. People among ``keep`` stay too.
    Raises Forbidden without the right, and Conflict if no account is left.
    """
    require(user, Right.DELETE_ACCOUNTS)
    wave = people_in(criteria)
    numbers = list(wave.values_list("pk", flat=True)[:MAX_PEOPLE])
    real = {number for number, _mark in marks_of(numbers, group=wave)} - set(include)
    chosen = [number for number in numbers if number not in real and number not in keep]
    if not chosen:
        raise Conflict("empty", gettext("No account is left to remove."))
    with transaction.atomic():
        removal = Removal.objects.create(
            by=user,
            reason=reason,
            since=criteria.since,
            until=criteria.until,
            network=criteria.network,
            domain=criteria.domain,
            total=len(chosen),
            asked_at=now,
        )
        entries = (RemovalEntry(removal=removal, person=each, forced=each in include) for each in chosen)
        RemovalEntry.objects.bulk_create(entries)
        enqueue.remove_wave(removal.pk)
    about = {"person": user.pk, "removal": removal.pk}
    logger.warning("%s removes a wave of %d accounts", user.robo_name, len(chosen), extra=about)
    return removal


def removals_to_continue() -> QuerySet[Removal]:
    return Removal.objects.filter(done_at=None)


def continue_removal(*, removal_id: int, now: datetime) -> bool:
    """Remove the next accounts of a wave. Return whether this call completes the removal.

    The function may run any number of times, and in several workers at once.
    """
    removal = removals_to_continue().filter(pk=removal_id).first()
    if removal is None:
        return False
    entries = RemovalEntry.objects.filter(removal=removal).order_by("pk")
    # Looked at again, because an account may have turned out to be real since staff chose it.
    numbers = list(entries.filter(forced=False).values_list("person", flat=True))
    wave = people_in(Criteria(removal.since, removal.until, removal.network, removal.domain))
    real = {number for number, _mark in marks_of(numbers, group=wave)}
    remove = partial(_remove, real=real, by=removal.by, now=now)
    done = for_each_row(JOB, entries, remove, most=PEOPLE_PER_MESSAGE, now=now)
    if not entries.exists():
        return bool(removals_to_continue().filter(pk=removal_id).update(done_at=now))
    if done:  # otherwise the sweeper tries again later
        enqueue.remove_wave(removal.pk)
    return False


def _remove(entry_id: int, *, real: Collection[int], by: User | None, now: datetime) -> int:
    """Remove the account of an entry, unless it turned out to be real. Return 1."""
    entry = RemovalEntry.objects.select_for_update().filter(pk=entry_id).first()
    if entry is None:
        raise _busy()
    person = User.objects.filter(pk=entry.person, deleted_at=None).first()
    kept = (entry.person in real and not entry.forced) or staff_accounts().filter(pk=entry.person).exists()
    spared = person is not None and kept
    if person is not None and not spared:
        _erase(person, by=by, now=now)
    entry.delete()
    counted = {"spared": F("spared") + 1} if spared else {"removed": F("removed") + 1}
    Removal.objects.filter(pk=entry.removal_id).update(**counted)
    return 1


def _erase(person: User, *, by: User | None, now: datetime) -> None:
    """Delete an account that was never admitted as a row, and any other account as its owner could.

    Raises NotFound if the person is confirming the address at this moment. The next pass tries again.
    """
    if person.awaits_confirmation:
        if not deletion.forget_sign_up(person.pk):
            raise _busy()
    elif not admission.discard(user_id=person.pk):
        deletion.lock_games(person)
        _forget_words(person, now)
        deletion.delete_account(user=person, by=by, takes_chat=True, tells=False, now=now)


def _busy() -> NotFound:
    return NotFound("busy", gettext("This account is being changed."))


def _forget_words(person: User, now: datetime) -> None:
    """Remove reviews, and replace names and texts that a deletion would keep.

    These are names and texts of games, tournaments, clubs and ships.
    """
    reviewed = Starship.objects.filter(reviews__author=person).order_by("pk").distinct()
    for number in reviewed.values_list("pk", flat=True):
        ship = locked_starship(number)
        Review.objects.filter(starship=ship, author=person).delete()
        rate(ship)
    founded = Membership.objects.filter(user=person, since=F("club__created_at")).order_by("club")
    for slug in founded.values_list("club__slug", flat=True):
        club = locked_club(slug)  # real people may have joined it
        try:
            rename_club(club=club, name=f"Club {club.pk}")
        except Conflict:
            rename_club(club=club, name=f"Club {club.pk}-{secrets.token_hex(3)}")
    for game in Game.objects.filter(host=person).only("pk"):
        neutral = f"Game {game.pk}"  # readers of all languages see the same name
        Game.objects.filter(pk=game.pk).update(name=neutral)
        for entry in LobbyEntry.objects.filter(game=game, parameters__term="name"):
            entry.parameters = {**entry.parameters, "before": neutral, "after": neutral}
            entry.save(update_fields=["parameters"])
    for number in Tournament.objects.filter(host=person).values_list("pk", flat=True):
        Tournament.objects.filter(pk=number).update(name=f"Tournament {number}", text="")
    scrubbing.rename_ships(builder=person, scrub=_without_words, now=now)


def _without_words(text: str) -> str:
    return ""
