"""Cases: a member of staff takes one, gives it back, or finds that no rule was broken."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games import errors
from games.conduct.models import Case, ConductEntry
from games.conduct.roles import check_role
from games.conduct.services.log import log
from games.conduct.services.notices import tell_reporters
from games.conduct.services.reports import open_case
from games.conduct.terms import TAKEN_FOR
from games.errors import Conflict, Forbidden, Invalid, NotFound, player_named
from games.play.services.locks import hold_people
from games.rights import require_other
from games.sanctions.models import LONGEST_FACTS

Status = Case.Status
Deed = ConductEntry.Deed


def begin_case(*, user: User, robo_name: str, now: datetime) -> Case:
    """Open and take a case about a player, as staff, without a report; an open one is taken.

    Raises Forbidden for those who may decide nothing, NotFound, and Conflict as `take_case` does.
    """
    check_role(user)
    person = player_named(robo_name)
    with transaction.atomic():
        hold_people([person.pk])
        case = open_case(person=person, by=user, now=now)
        return take_case(user=user, case_id=case.pk, now=now)


def take_case(*, user: User, case_id: int, now: datetime) -> Case:
    """Take a case for a day, as staff: meanwhile no other member decides.

    Raises Forbidden for those who may decide nothing, or have part in it, NotFound, and Conflict for a case
    that is decided, or that another has taken.
    """
    check_role(user)
    with transaction.atomic():
        case = held_case(user, case_id, now)
        _refuse_decided(case)
        case.status, case.taken_by, case.taken_until = Status.TAKEN, user, now + TAKEN_FOR
        case.save(update_fields=["status", "taken_by", "taken_until"])
        log(Deed.TAKEN, case, by=user, now=now)
    return case


def release_case(*, user: User, case_id: int, now: datetime) -> Case:
    """Give a case back that one has taken; raises as `take_case` does."""
    check_role(user)
    with transaction.atomic():
        case = held_case(user, case_id, now)
        if case.status != Status.TAKEN:
            raise Conflict("not-taken", _("You have not taken this case."))
        case.status, case.taken_by, case.taken_until = Status.OPEN, None, None
        case.save(update_fields=["status", "taken_by", "taken_until"])
        log(Deed.RELEASED, case, by=user, now=now)
    return case


def dismiss_case(*, user: User, case_id: int, now: datetime) -> Case:
    """Close a case, since no rule was broken; its reporters hear of it. Raises as `take_case` does."""
    check_role(user)
    with transaction.atomic():
        case = held_case(user, case_id, now)
        _refuse_decided(case)
        decide(case, entry=log(Deed.DISMISSED, case, by=user, now=now), now=now)
    return case


def held_case(user: User, case_id: int, now: datetime) -> Case:
    """Return a case in which a member of staff may decide; the person's row and its own are held.

    Raises NotFound, Forbidden for people who have part in it and for cases of other staff, which superusers
    decide, and Conflict for a case that another has taken.
    """
    person = Case.objects.filter(pk=case_id).values_list("person", flat=True).first()
    if person is None:
        raise NotFound("no-case", _("There is no such case."))
    hold_people([person])
    held = Case.objects.select_for_update(no_key=True, of=("self",)).select_related("person", "taken_by")
    case = held.get(pk=case_id)
    if case.person_id == user.pk or case.reports.filter(reporter=user).exists():
        raise Forbidden("own-case", _("You have part in this case. Another member of staff decides it."))
    require_other(user, case.person)
    if is_taken(case, now) and case.taken_by_id != user.pk:
        detail = _("{player} has taken this case. You can take it once it is free.")
        raise Conflict("taken", detail.format(player=case.taken_by))
    return case


def is_taken(case: Case, now: datetime) -> bool:
    """Return whether a member of staff has a case at present."""
    return case.status == Status.TAKEN and case.taken_until is not None and case.taken_until > now


def decide(case: Case, *, entry: ConductEntry, now: datetime) -> None:
    """Note that an open case, whose row is held, is decided by what was logged, and tell its reporters."""
    if case.decided_at is None:
        case.status, case.decided_at, case.dismissed = Status.DECIDED, now, entry.deed == Deed.DISMISSED
        case.taken_by, case.taken_until = None, None
        case.save(update_fields=["status", "decided_at", "dismissed", "taken_by", "taken_until"])
        tell_reporters(entry=entry, now=now)


def checked_facts(facts: str, key: str = "facts") -> str:
    """Return what staff say has happened as it is kept; raises Invalid."""
    tidy = errors.tidied(facts)
    needed = _("Write what happened: the player reads it.")
    if problems := errors.problems_of(tidy, longest=LONGEST_FACTS, code=key, needed=needed):
        raise Invalid(key, problems[0]["detail"], problems)
    return tidy


def _refuse_decided(case: Case) -> None:
    if case.decided_at is not None:
        raise Conflict("decided", _("This case is decided already."))
