"""Appeals: a player asks for another look, and someone else than who decided answers."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games import errors
from games.conduct.models import Appeal, Case, ConductEntry
from games.conduct.models.appeals import LONGEST_APPEAL
from games.conduct.roles import check_role
from games.conduct.services.cases import checked_facts
from games.conduct.services.log import log
from games.conduct.services.notices import tell_of_answer, tell_reporters
from games.conduct.services.sanctioning import held_sanction, undo
from games.conduct.terms import OPEN_FOR
from games.errors import Conflict, Forbidden, Invalid, NotFound, refuse_guests
from games.play.services.locks import hold_person
from games.sanctions.models import Sanction

Deed = ConductEntry.Deed


def appeal(*, user: User, sanction_id: int, text: str, now: datetime) -> Appeal:
    """Ask for another look at a decision about oneself, once and within six months.

    Raises Forbidden for guests, NotFound for a decision that is not about them, Conflict for one that they
    have appealed, that was lifted or is too old, and Invalid.
    """
    refuse_guests(user)
    tidy = errors.tidied(text)
    needed = _("Write why the decision is wrong.")
    if problems := errors.problems_of(tidy, longest=LONGEST_APPEAL, needed=needed):
        raise Invalid("text", problems[0]["detail"], problems)
    with transaction.atomic():
        hold_person(user)
        sanction = Sanction.objects.filter(pk=sanction_id, user=user).select_related("case").first()
        if sanction is None:
            raise NotFound("no-sanction", _("There is no such decision about you."))
        if Appeal.objects.filter(sanction=sanction).exists():
            raise Conflict("appealed", _("You have appealed this decision already."))
        if sanction.lifted_at:
            raise Conflict("lifted", _("This decision is undone already."))
        if now - sanction.at > OPEN_FOR:
            raise Conflict("too-late", _("You can appeal within six months. This decision is older."))
        made = Appeal.objects.create(sanction=sanction, text=tidy, at=now)
        _set(sanction.case, Case.Status.APPEALED)
        log(Deed.APPEALED, sanction.case, sanction=sanction, now=now)
    return made


def uphold(*, user: User, appeal_id: int, answer: str, now: datetime) -> Appeal:
    """Have a decision stand, as another member of staff than decided it.

    Raises Forbidden for those who decided it, have part in it, or whose role does not allow such a decision;
    NotFound, Invalid without an answer, and Conflict for an appeal that was answered.
    """
    return _answer(user, appeal_id, Appeal.Outcome.UPHELD, answer, now)


def overturn(*, user: User, appeal_id: int, answer: str, now: datetime) -> Appeal:
    """Undo a decision that was appealed; raises as `uphold` does, and as `undo` does."""
    return _answer(user, appeal_id, Appeal.Outcome.OVERTURNED, answer, now)


def _answer(user: User, appeal_id: int, outcome: Appeal.Outcome, answer: str, now: datetime) -> Appeal:
    tidy = checked_facts(answer, "answer")
    found = Appeal.objects.filter(pk=appeal_id).values_list("sanction", flat=True).first()
    if found is None:
        raise NotFound("no-appeal", _("There is no such appeal."))
    with transaction.atomic():
        sanction = held_sanction(user, found, now)
        check_role(user, sanction.kind)
        if user.pk in (sanction.by_id, sanction.confirmed_by_id):
            detail = _("You decided this. Another member of staff answers the appeal.")
            raise Forbidden("decided-by-you", detail)
        held = Appeal.objects.get(pk=appeal_id)
        if held.answered_at:
            raise Conflict("answered", _("This appeal is answered already."))
        held.answered_by, held.answered_at, held.outcome, held.answer = user, now, outcome, tidy
        held.save(update_fields=["answered_by", "answered_at", "outcome", "answer"])
        overturned = outcome == Appeal.Outcome.OVERTURNED
        if overturned and not sanction.lifted_at:
            undo(sanction, now)
        _set(sanction.case, Case.Status.OVERTURNED if overturned else Case.Status.UPHELD)
        deed = Deed.OVERTURNED if overturned else Deed.UPHELD
        entry = log(deed, sanction.case, by=user, sanction=sanction, now=now)
        tell_of_answer(entry=entry, now=now)
        if overturned:
            tell_reporters(entry=entry, now=now)
    return held


def _set(case: Case, status: Case.Status) -> None:
    case.status = status
    case.save(update_fields=["status"])
