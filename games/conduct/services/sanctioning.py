"""What staff decide about players: each names the rule, the facts, how long it lasts, and who decided.

The person reads all of that but the name. The first decision closes a case; others may follow in it.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games import live
from games.chat.models import ChatLine
from games.clubs.models import Club, Membership
from games.clubs.services import rename_club, restore_club
from games.competitions.models import Ticket
from games.competitions.services.ladders import rest_all
from games.competitions.services.tournaments import leave_running
from games.conduct.models import Case, ConductEntry
from games.conduct.roles import check_role
from games.conduct.services.cases import checked_facts, decide, held_case
from games.conduct.services.log import log
from games.conduct.services.notices import tell_person, tell_reporters
from games.conduct.services.renaming import rename_back, rename_person
from games.conduct.terms import ALONE_WITHIN, MOST_ALONE, MOST_DAYS
from games.errors import Conflict, Forbidden, Invalid, NotFound
from games.people.services.deletion import hold_games
from games.play.services.locks import locked_game
from games.sanctions.models import Rule, Sanction

Kind = Sanction.Kind
Deed = ConductEntry.Deed

Fill = Callable[[Sanction, Case], None]
"""Does what a sanction is, and notes in it what is needed to undo it."""


def warn(*, user: User, case_id: int, rule: str, facts: str, now: datetime) -> Sanction:
    """Warn a player, as staff: that is all that happens.

    Raises Forbidden for those whose role does not allow it or who have part in the case, NotFound, Invalid
    for an unknown rule and without facts, and Conflict for a case that another member has taken.
    """
    return _impose(user, case_id, Kind.WARNING, rule, facts, now)


def mute(*, user: User, case_id: int, rule: str, facts: str, days: int, now: datetime) -> Sanction:
    """Keep a player from writing in chats, reviews and clubs for some days; raises as `warn` does."""
    return _impose(user, case_id, Kind.MUTE, rule, facts, now, days=_checked_days(days))


def bar(*, user: User, case_id: int, rule: str, facts: str, days: int, now: datetime) -> Sanction:
    """Keep a player out of tournaments, ladders and seasons for some days; raises as `warn` does.

    They leave those that are open or being played; the games under way go on, and results stand.
    """
    with transaction.atomic():
        done = _impose(user, case_id, Kind.BAR, rule, facts, now, days=_checked_days(days))
        _take_out(done.user, now)
    return done


def suspend(*, user: User, case_id: int, rule: str, facts: str, days: int, now: datetime) -> Sanction:
    """Have a player begin nothing new for some days, and write nothing; their games go on.

    Of more than `MOST_ALONE` days only those hold until another member confirms it. What the same member
    decided `ALONE_WITHIN` before counts with it. Raises as `warn` does, and Conflict if no day is left.
    """
    with transaction.atomic():
        done = _impose(user, case_id, Kind.SUSPENSION, rule, facts, now, days=_checked_days(days))
        _take_out(done.user, now)
        Ticket.objects.filter(user=done.user).delete()
    return done


def confirm_suspension(*, user: User, sanction_id: int, now: datetime) -> Sanction:
    """Have a suspension last for all its days, as a second member of staff.

    Raises Forbidden for those whose role does not allow it, and for the one who decided it, NotFound, and
    Conflict for one that needs no second member, was confirmed, or is over.
    """
    check_role(user, Kind.SUSPENSION)
    with transaction.atomic():
        sanction = held_sanction(user, sanction_id, now)
        if sanction.by_id == user.pk:
            raise Forbidden("decided-by-you", _("You decided this. Another member of staff confirms it."))
        days = sanction.days or 0
        whole = sanction.at + timedelta(days=days)
        if sanction.kind != Kind.SUSPENSION or sanction.ends_at == whole or sanction.confirmed_by_id:
            raise Conflict("confirmed", _("There is nothing to confirm."))
        if sanction.lifted_at or not sanction.ends_at or sanction.ends_at <= now:
            raise Conflict("over", _("This suspension is over."))
        sanction.confirmed_by, sanction.ends_at = user, whole
        sanction.save(update_fields=["confirmed_by", "ends_at"])
        entry = log(Deed.CONFIRMED, sanction.case, by=user, sanction=sanction, now=now)
        tell_person(entry=entry, now=now)
    return sanction


def hide_line(*, user: User, case_id: int, line_id: int, rule: str, facts: str, now: datetime) -> Sanction:
    """Hide a line of chat that the person wrote; its text is kept. Raises as `warn` does.

    NotFound as well for a line that is not theirs, and Conflict for one that is hidden.
    """
    game = ChatLine.objects.filter(pk=line_id).values_list("game", flat=True).first()

    def hide(sanction: Sanction, case: Case) -> None:
        line = ChatLine.objects.filter(pk=line_id, user=case.person_id).first()
        if line is None:
            raise NotFound("no-line", _("There is no such line of this player."))
        if line.hidden_at:
            raise Conflict("done", _("This line is hidden already."))
        line.hidden_at = now
        line.save(update_fields=["hidden_at"])
        sanction.line = line

    with transaction.atomic():
        held = locked_game(game) if game else None
        done = _impose(user, case_id, Kind.HIDE, rule, facts, now, fill=hide)
        if held:
            live.announce_change(held)
    return done


def rename(*, user: User, case_id: int, name: str, rule: str, facts: str, now: datetime) -> Sanction:
    """Give a player another Robo Name; no one else gets the one they had. Raises as `warn` does.

    Invalid as well for a name that there cannot be, or that is taken.
    """

    def give(sanction: Sanction, case: Case) -> None:
        sanction.before = case.person.robo_name
        rename_person(person=case.person, name=name, now=now)

    person = User.objects.filter(cases=case_id).first()
    with transaction.atomic():
        if person:
            hold_games(person)
        return _impose(user, case_id, Kind.RENAME, rule, facts, now, fill=give)


def change_club(
    *, user: User, case_id: int, slug: str, name: str, rule: str, facts: str, now: datetime
) -> Sanction:
    """Give a club of which the person is captain another name and address, and no text.

    Raises as `warn` does, NotFound as well for a club that is not theirs, and Conflict for a name that is
    taken.
    """

    def change(sanction: Sanction, case: Case) -> None:
        led = Membership.objects.filter(user=case.person_id, role=Membership.Role.CAPTAIN)
        club = Club.objects.select_for_update(no_key=True).filter(slug=slug, memberships__in=led).first()
        if club is None:
            raise NotFound("no-club", _("This player leads no such club."))
        sanction.club, sanction.before, sanction.text_before = club, club.name, club.text
        rename_club(club=club, name=name)

    return _impose(user, case_id, Kind.CLUB, rule, facts, now, fill=change)


def lift_sanction(*, user: User, sanction_id: int, now: datetime) -> Sanction:
    """Undo a decision of staff, without an appeal; the person is told, and who reported them.

    Raises Forbidden for those whose role does not allow such a decision, NotFound, and Conflict for one that
    was lifted.
    """
    with transaction.atomic():
        sanction = held_sanction(user, sanction_id, now)
        check_role(user, sanction.kind)
        undo(sanction, now)
        entry = log(Deed.LIFTED, sanction.case, by=user, sanction=sanction, now=now)
        tell_person(entry=entry, now=now)
        tell_reporters(entry=entry, now=now)
    return sanction


def undo(sanction: Sanction, now: datetime) -> None:
    """End a sanction whose case is held, and bring back what it has changed.

    Raises Conflict for one that was lifted, and where the name before belongs to another by now.
    """
    if sanction.lifted_at:
        raise Conflict("done", _("This decision is undone already."))
    if sanction.kind == Kind.HIDE and sanction.line:
        sanction.line.hidden_at = None
        sanction.line.save(update_fields=["hidden_at"])
        live.announce_change(sanction.line.game)
    elif sanction.kind == Kind.RENAME:
        rename_back(person=sanction.user, name=sanction.before, now=now)
    elif sanction.kind == Kind.CLUB and sanction.club:
        restore_club(club=sanction.club, name=sanction.before, text=sanction.text_before)
    sanction.lifted_at = now
    sanction.save(update_fields=["lifted_at"])


def held_sanction(user: User, sanction_id: int, now: datetime) -> Sanction:
    """Return a sanction whose case is held (`held_case`); raises NotFound and what that raises."""
    found = Sanction.objects.select_related("user").filter(pk=sanction_id).first()
    if found is None:
        raise NotFound("no-sanction", _("There is no such decision."))
    if found.kind == Kind.RENAME:
        hold_games(found.user)  # always before the person
    case = held_case(user, found.case_id, now)
    return case.sanctions.select_related("user", "line__game", "club", "case__person").get(pk=sanction_id)


def _impose(
    user: User,
    case_id: int,
    kind: str,
    rule: str,
    facts: str,
    now: datetime,
    *,
    days: int | None = None,
    fill: Fill | None = None,
) -> Sanction:
    check_role(user, kind)
    if rule not in Rule.values:
        detail = _("Choose which rule was broken.")
        raise Invalid("rule", detail, [{"code": "rule", "detail": detail}])
    tidy = checked_facts(facts)
    with transaction.atomic():
        case = held_case(user, case_id, now)
        if case.dismissed:
            raise Conflict("decided", _("This case is closed: no rule was broken. Open another one."))
        kept: dict[str, Any] = {"case": case, "user": case.person, "kind": kind, "rule": rule, "facts": tidy}
        sanction = Sanction(**kept, by=user, at=now, days=days)
        if days:
            alone = min(days, _days_alone(user, case.person, now)) if kind == Kind.SUSPENSION else days
            sanction.ends_at = now + timedelta(days=alone)
        if fill:
            fill(sanction, case)
        sanction.save()
        entry = log(Deed.SANCTIONED, case, by=user, sanction=sanction, now=now)
        decide(case, entry=entry, now=now)
        tell_person(entry=entry, now=now)
    return sanction


def _days_alone(user: User, person: User, now: datetime) -> int:
    """Return for how many days a member may suspend a person alone; raises Conflict if there are none."""
    earlier = Sanction.objects.filter(by=user, user=person, kind=Kind.SUSPENSION, confirmed_by=None)
    decided = earlier.filter(at__gt=now - ALONE_WITHIN, lifted_at=None, ends_at__isnull=False)
    spent = sum((end - at).days for at, end in decided.values_list("at", "ends_at") if end)
    if spent >= MOST_ALONE:
        detail = _("You suspended this player for {days} days lately. Another member of staff decides now.")
        raise Conflict("second-member", detail.format(days=spent))
    return MOST_ALONE - spent


def _take_out(person: User, now: datetime) -> None:
    """Take a player out of tournaments and ladders that go on."""
    leave_running(user=person, now=now, barred=True)
    rest_all(user=person, now=now)


def _checked_days(days: int) -> int:
    if not 1 <= days <= MOST_DAYS:
        detail = _("Choose 1 to {most} days.").format(most=MOST_DAYS)
        raise Invalid("days", detail, [{"code": "days", "detail": detail}])
    return days
