"""Take cases, decide about players, undo decisions, and answer appeals.

The admin's forms check rules, texts and days.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts import robo_names
from accounts.models import User
from accounts.robo_names import RetiredName
from games import live
from games.chat.models import ChatLine
from games.clubs.models import Club, Membership
from games.clubs.services import rename_club, restore_club
from games.competitions.models import Ticket
from games.competitions.services.ladders import rest_all
from games.competitions.services.tournaments import leave_running
from games.errors import Conflict, Forbidden, Invalid, NotFound, player_named, refuse_guests
from games.moderation.models import Appeal, Case, ConductEntry, Renaming, Sanction
from games.moderation.sanctions import (
    CASE_LEASE,
    DAYS_ALONE_PERIOD,
    MOST_DAYS_ALONE,
    TIME_TO_APPEAL,
    check_role,
)
from games.moderation.services.reports import lock_player, log_decision, open_case
from games.news.services import notify_people
from games.people.services.deletion import lock_games
from games.people.services.scrubbing import Scrubber, rename_player
from games.play.models import Seat
from games.play.services import lock_people, locked_game
from games.rights import require_other
from games.work import jobs
from games.work.models import lock_person


def notify_person(*, entry: ConductEntry, now: datetime) -> None:
    """Notify a person of a staff decision about them, or a change to it."""
    notify_people(users=[entry.person], kind="sanction", about=entry.pk, now=now)


def notify_of_answer(*, entry: ConductEntry, now: datetime) -> None:
    """Notify a person about the answer to their appeal."""
    notify_people(users=[entry.person], kind="appeal", about=entry.pk, now=now)


def notify_reporters(*, entry: ConductEntry, now: datetime) -> None:
    """Notify a case's reporters of a decision, a dismissal or an undone decision."""
    reporters = User.objects.filter(reports__case=entry.case).distinct().order_by("pk")
    notify_people(users=reporters, kind="reported", about=entry.pk, now=now)


# --- Cases --------------------------------------------------------------------------------------------------


Status = Case.Status
Deed = ConductEntry.Deed


def begin_case(*, user: User, robo_name: str, now: datetime) -> Case:
    """Open and take a case about a player without a report, for staff.

    If a case is open, takes that one. Raises Forbidden for anyone without the right to decide, NotFound, and
    Conflict as `take_case` does.
    """
    check_role(user)
    person = player_named(robo_name)
    with transaction.atomic():
        lock_player(person)
        case = open_case(about=person, by=user, now=now)
        return take_case(user=user, case_id=case.pk, now=now)


def take_case(*, user: User, case_id: int, now: datetime) -> Case:
    """Take a case for a day, for staff. Meanwhile no other member decides it.

    Raises Forbidden for anyone who may not decide or is involved, NotFound, and Conflict if the case is
    decided, or if another member has taken it.
    """
    check_role(user)
    with transaction.atomic():
        case = locked_case(user, case_id, now)
        _refuse_decided(case)
        case.status, case.taken_by, case.taken_until = Status.TAKEN, user, now + CASE_LEASE
        case.save(update_fields=["status", "taken_by", "taken_until"])
        log_decision(Deed.TAKEN, case, by=user, now=now)
    return case


def release_case(*, user: User, case_id: int, now: datetime) -> Case:
    """Give back a taken case. Raises as `take_case` does."""
    check_role(user)
    with transaction.atomic():
        case = locked_case(user, case_id, now)
        if case.status != Status.TAKEN:
            raise Conflict("not-taken", _("You have not taken this case. Take it first."))
        case.status, case.taken_by, case.taken_until = Status.OPEN, None, None
        case.save(update_fields=["status", "taken_by", "taken_until"])
        log_decision(Deed.RELEASED, case, by=user, now=now)
    return case


def dismiss_case(*, user: User, case_id: int, now: datetime) -> Case:
    """Dismiss a case and notify its reporters. Raises as `take_case` does."""
    check_role(user)
    with transaction.atomic():
        case = locked_case(user, case_id, now)
        _refuse_decided(case)
        decide(case, entry=log_decision(Deed.DISMISSED, case, by=user, now=now), now=now)
    return case


def locked_case(user: User, case_id: int, now: datetime) -> Case:
    """Lock and return a case for a decision by a member of staff.

    Locks the person's row first. Raises NotFound, Forbidden if the member is involved, or if the case is
    about staff and the member is no superuser, and Conflict if another member has taken the case.
    """
    person = Case.objects.filter(pk=case_id).values_list("person", flat=True).first()
    lock_people([person] if person else [])
    held = Case.objects.select_for_update(no_key=True, of=("self",)).select_related("person", "taken_by")
    case = held.filter(pk=case_id, person__isnull=False).first()
    if case is None:  # or the person's account was just deleted
        raise NotFound("no-case", _("There is no such case."))
    if case.person_id == user.pk or case.reports.filter(reporter=user).exists():
        raise Forbidden(
            "own-case", _("You are involved in this case. Another member of staff must decide it.")
        )
    require_other(user, case.person)
    if is_taken(case, now) and case.taken_by_id != user.pk:
        detail = _("{player} has taken this case. You can take it when it is free again.")
        raise Conflict("taken", detail.format(player=case.taken_by))
    return case


def is_taken(case: Case, now: datetime) -> bool:
    return case.status == Status.TAKEN and case.taken_until is not None and case.taken_until > now


def decide(case: Case, *, entry: ConductEntry, now: datetime) -> None:
    """Mark an open case as decided and notify its reporters. Its row is locked."""
    if case.decided_at is None:
        case.status, case.decided_at, case.dismissed = Status.DECIDED, now, entry.deed == Deed.DISMISSED
        case.taken_by, case.taken_until = None, None
        case.save(update_fields=["status", "decided_at", "dismissed", "taken_by", "taken_until"])
        notify_reporters(entry=entry, now=now)


def _refuse_decided(case: Case) -> None:
    if case.decided_at is not None:
        raise Conflict("decided", _("This case is already decided."))


# --- Robo Names ---------------------------------------------------------------------------------------------


GAMES_PER_PASS: Final = 20
"""Maximum number of games to rewrite for a person in one pass of the sweeper."""


def rename_person(*, person: User, name: str, now: datetime) -> None:
    """Rename a person and retire the old name. The caller locks the person's row.

    Raises Invalid for a name that is not allowed or is taken.
    """
    try:
        robo_names.validate(name)
        robo_names.refuse_lookalike(name, among=User.objects.exclude(pk=person.pk))
        robo_names.refuse_retired(name)
    except ValidationError as refused:
        raise _refusal(" ".join(refused.messages)) from None
    if User.objects.filter(robo_name__iexact=name).exists():
        raise _refusal(_("This Robo Name is taken. Choose another."))
    before = person.robo_name
    _call(person, name, now)
    robo_names.retire(before)


def rename_back(*, person: User, name: str, now: datetime) -> None:
    """Give a person their old name back. The person's row is locked.

    Raises Conflict if another player has the name now.
    """
    if User.objects.filter(robo_name__iexact=name).exclude(pk=person.pk).exists():
        raise Conflict("taken", _("Another player has the old name now, so this decision can’t be undone."))
    digest = robo_names.digest_of(robo_names.skeleton(name))
    RetiredName.objects.filter(digest=digest).delete()
    _call(person, name, now)


def rename_in_games(*, now: datetime) -> int:
    """Rewrite renamed players' games. Return the number of rewritten games."""
    return jobs.for_each_row(
        "renamings", Renaming.objects.order_by("pk"), _rename_in_games, most=GAMES_PER_PASS, now=now
    )


def _rename_in_games(renaming_id: int) -> int:
    """Rewrite some games with the old name. Delete the renaming if none are left."""
    renaming = Renaming.objects.select_related("user").get(pk=renaming_id)
    games = _games_of(renaming)
    scrubber = Scrubber(renaming.before, "", renaming.user.robo_name)
    for game_id in games[:GAMES_PER_PASS]:
        game = locked_game(game_id)
        rename_player(game=game, user=renaming.user, scrubber=scrubber)
        live.announce_change(game)
    if len(games) <= GAMES_PER_PASS:
        renaming.delete()
    return len(games[:GAMES_PER_PASS])


def _games_of(renaming: Renaming) -> list[int]:
    """Return the games with the old name. Return none if the person has it again."""
    before, user = renaming.before, renaming.user
    if before == user.robo_name:
        Seat.objects.filter(user=user, robot=before).update(robot="")
        return []
    seats = Seat.objects.filter(Q(user=user) | Q(replacements__was=user), robot=before)
    said = ChatLine.objects.filter(user=user, name=before)
    return sorted({*seats.values_list("game", flat=True), *said.values_list("game", flat=True)})


def _call(person: User, name: str, now: datetime) -> None:
    before = person.robo_name
    # Until a game is rewritten, its robot keeps the name in the game's log.
    Seat.objects.filter(user=person, robot="").update(robot=before)
    person.robo_name = name
    person.save(update_fields=["robo_name"])
    Renaming.objects.create(user=person, before=before, at=now)


def _refusal(detail: str) -> Invalid:
    return Invalid("name", detail, [{"code": "name", "detail": detail}])


# --- Sanctions ----------------------------------------------------------------------------------------------


Kind = Sanction.Kind

Fill = Callable[[Sanction], None]
"""Carries out a sanction and stores the old values, to undo it."""


def warn(*, user: User, case_id: int, rule: str, facts: str, now: datetime) -> Sanction:
    """Warn a player, for staff. Nothing else changes.

    Raises Forbidden for roles without that right and for members who are involved, NotFound, and Conflict if
    another member has taken the case.
    """
    return _impose(user, case_id, Kind.WARNING, rule, facts, now)


def mute(*, user: User, case_id: int, rule: str, facts: str, days: int, now: datetime) -> Sanction:
    """Mute a player in chats, reviews and clubs. Raises as `warn` does."""
    return _impose(user, case_id, Kind.MUTE, rule, facts, now, days=days)


def bar(*, user: User, case_id: int, rule: str, facts: str, days: int, now: datetime) -> Sanction:
    """Bar a player from tournaments, ladders and seasons for some days.

    They leave those that are open or running. Their games continue, and results count. Raises as `warn` does.
    """
    with transaction.atomic():
        done = _impose(user, case_id, Kind.BAR, rule, facts, now, days=days)
        _take_out(done.user, now)
    return done


def suspend(*, user: User, case_id: int, rule: str, facts: str, days: int, now: datetime) -> Sanction:
    """Suspend a player for some days. They cannot start anything or write.

    Their games continue. After `MOST_DAYS_ALONE` days, the suspension ends unless another member confirms
    it. Other suspensions by the same member within `DAYS_ALONE_PERIOD` count towards these days. Raises as
    `warn` does, and Conflict if no day is left.
    """
    with transaction.atomic():
        done = _impose(user, case_id, Kind.SUSPENSION, rule, facts, now, days=days)
        _take_out(done.user, now)
        Ticket.objects.filter(user=done.user).delete()
    return done


def confirm_suspension(*, user: User, sanction_id: int, now: datetime) -> Sanction:
    """Confirm a suspension for its full length, as a second member of staff.

    Raises NotFound. Raises Forbidden for roles without that right and for the author of the decision. Raises
    Conflict if the suspension needs no confirmation, was confirmed, or is over.
    """
    check_role(user, Kind.SUSPENSION)
    with transaction.atomic():
        sanction = locked_sanction(user, sanction_id, now)
        if sanction.by_id == user.pk:
            raise Forbidden(
                "decided-by-you", _("You made this decision. Another member of staff must confirm it.")
            )
        days = sanction.days or 0
        whole = sanction.at + timedelta(days=days)
        if sanction.kind != Kind.SUSPENSION or sanction.ends_at == whole or sanction.confirmed_by_id:
            raise Conflict("confirmed", _("There is nothing to confirm."))
        if sanction.lifted_at or not sanction.ends_at or sanction.ends_at <= now:
            raise Conflict("over", _("This suspension is over."))
        sanction.confirmed_by, sanction.ends_at = user, whole
        sanction.save(update_fields=["confirmed_by", "ends_at"])
        entry = log_decision(Deed.CONFIRMED, sanction.case, by=user, sanction=sanction, now=now)
        notify_person(entry=entry, now=now)
    return sanction


def hide_line(*, user: User, case_id: int, line_id: int, rule: str, facts: str, now: datetime) -> Sanction:
    """Hide a line of the player's chat, and keep its text.

    Raises as `warn` does, NotFound for another player's line, and Conflict for a hidden line.
    """
    game = ChatLine.objects.filter(pk=line_id).values_list("game", flat=True).first()

    def hide(sanction: Sanction) -> None:
        line = ChatLine.objects.filter(pk=line_id, user=sanction.user).first()
        if line is None:
            raise NotFound("no-line", _("This player wrote no such line."))
        if line.hidden_at:
            raise Conflict("done", _("This line is already hidden."))
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
    """Rename a player, and reserve the old name.

    Raises as `warn` does, and Invalid for a name that is not allowed or is taken.
    """

    def give(sanction: Sanction) -> None:
        sanction.before = sanction.user.robo_name
        rename_person(person=sanction.user, name=name, now=now)

    person = User.objects.filter(cases=case_id).first()
    with transaction.atomic():
        if person:
            lock_games(person)
        return _impose(user, case_id, Kind.RENAME, rule, facts, now, fill=give)


def change_club(
    *, user: User, case_id: int, slug: str, name: str, rule: str, facts: str, now: datetime
) -> Sanction:
    """Give a player's club another name and address, and remove its text.

    Raises as `warn` does, NotFound if the player is not the club's captain, and Conflict if the name is
    taken.
    """

    def change(sanction: Sanction) -> None:
        led = Membership.objects.filter(user=sanction.user, role=Membership.Role.CAPTAIN)
        club = Club.objects.select_for_update(no_key=True).filter(slug=slug, memberships__in=led).first()
        if club is None:
            raise NotFound("no-club", _("This player leads no such club."))
        sanction.club, sanction.before, sanction.text_before = club, club.name, club.text
        rename_club(club=club, name=name)

    return _impose(user, case_id, Kind.CLUB, rule, facts, now, fill=change)


def lift_sanction(*, user: User, sanction_id: int, now: datetime) -> Sanction:
    """Undo a decision without an appeal, and notify the player and the reporters.

    Raises Forbidden for roles without that right, NotFound, and Conflict if the decision was lifted.
    """
    with transaction.atomic():
        sanction = locked_sanction(user, sanction_id, now)
        check_role(user, sanction.kind)
        undo(sanction, now)
        entry = log_decision(Deed.LIFTED, sanction.case, by=user, sanction=sanction, now=now)
        notify_person(entry=entry, now=now)
        notify_reporters(entry=entry, now=now)
    return sanction


def undo(sanction: Sanction, now: datetime) -> None:
    """End a sanction and undo its effects. Its case is locked.

    Raises Conflict if it was lifted, or if another player has the old name now.
    """
    if sanction.lifted_at:
        raise Conflict("done", _("This decision is already undone."))
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


def locked_sanction(user: User, sanction_id: int, now: datetime) -> Sanction:
    """Return a sanction and lock its case. Raises NotFound, and as `locked_case` does."""
    found = Sanction.objects.select_related("user").filter(pk=sanction_id).first()
    if found is None:
        raise NotFound("no-sanction", _("There is no such decision."))
    if found.kind == Kind.RENAME:
        lock_games(found.user)  # always before the person
    case = locked_case(user, found.case_id, now)
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
    with transaction.atomic():
        case = locked_case(user, case_id, now)
        if case.dismissed:
            raise Conflict("decided", _("This case is closed because no rule was broken. Open a new case."))
        assert case.person
        kept: dict[str, Any] = {"case": case, "user": case.person, "kind": kind, "rule": rule, "facts": facts}
        sanction = Sanction(**kept, by=user, at=now, days=days)
        if days:
            alone = min(days, _days_alone(user, case.person, now)) if kind == Kind.SUSPENSION else days
            sanction.ends_at = now + timedelta(days=alone)
        if fill:
            fill(sanction)
        sanction.save()
        entry = log_decision(Deed.SANCTIONED, case, by=user, sanction=sanction, now=now)
        decide(case, entry=entry, now=now)
        notify_person(entry=entry, now=now)
    return sanction


def _days_alone(user: User, person: User, now: datetime) -> int:
    """Return the maximum days of a suspension by one member. Raises Conflict if 0."""
    earlier = Sanction.objects.filter(by=user, user=person, kind=Kind.SUSPENSION, confirmed_by=None)
    decided = earlier.filter(at__gt=now - DAYS_ALONE_PERIOD, lifted_at=None, ends_at__isnull=False)
    spent = sum((end - at).days for at, end in decided.values_list("at", "ends_at") if end)
    if spent >= MOST_DAYS_ALONE:
        detail = _(
            "You recently suspended this player for {days} days. Another member of staff must decide now."
        )
        raise Conflict("second-member", detail.format(days=spent))
    return MOST_DAYS_ALONE - spent


def _take_out(person: User, now: datetime) -> None:
    """Take a player out of running tournaments and ladders."""
    leave_running(user=person, now=now, barred=True)
    rest_all(user=person, now=now)


# --- Appeals ------------------------------------------------------------------------------------------------


def appeal(*, user: User, sanction_id: int, text: str, now: datetime) -> Appeal:
    """Appeal a decision about the user, once and within six months.

    Raises Forbidden for guests, NotFound for a decision about another player, and Conflict if the decision
    was appealed or lifted, or is too old.
    """
    refuse_guests(user)
    with transaction.atomic():
        lock_person(user)
        sanction = Sanction.objects.filter(pk=sanction_id, user=user).select_related("case").first()
        if sanction is None:
            raise NotFound("no-sanction", _("There is no such decision about you."))
        if Appeal.objects.filter(sanction=sanction).exists():
            raise Conflict("appealed", _("You have already appealed this decision."))
        if sanction.lifted_at:
            raise Conflict("lifted", _("This decision is already undone."))
        if now - sanction.at > TIME_TO_APPEAL:
            raise Conflict(
                "too-late", _("This decision is more than six months old, so you can’t appeal it any more.")
            )
        made = Appeal.objects.create(sanction=sanction, text=text, at=now)
        _close_appeal(sanction.case, Case.Status.APPEALED)
        log_decision(Deed.APPEALED, sanction.case, sanction=sanction, now=now)
    return made


def uphold(*, user: User, appeal_id: int, answer: str, now: datetime) -> Appeal:
    """Reject an appeal, for a second member of staff.

    Raises Forbidden for the member who decided, for members who are involved and for roles without that
    right, NotFound, and Conflict if the appeal was answered.
    """
    return _answer(user, appeal_id, Appeal.Outcome.UPHELD, answer, now)


def overturn(*, user: User, appeal_id: int, answer: str, now: datetime) -> Appeal:
    """Undo a decision after an appeal. Raises as `uphold` and `lift_sanction` do."""
    return _answer(user, appeal_id, Appeal.Outcome.OVERTURNED, answer, now)


def _answer(user: User, appeal_id: int, outcome: Appeal.Outcome, answer: str, now: datetime) -> Appeal:
    found = Appeal.objects.filter(pk=appeal_id).values_list("sanction", flat=True).first()
    if found is None:
        raise NotFound("no-appeal", _("There is no such appeal."))
    with transaction.atomic():
        sanction = locked_sanction(user, found, now)
        check_role(user, sanction.kind)
        if user.pk in (sanction.by_id, sanction.confirmed_by_id):
            detail = _("You made this decision. Another member of staff must answer the appeal.")
            raise Forbidden("decided-by-you", detail)
        held = Appeal.objects.get(pk=appeal_id)
        if held.answered_at:
            raise Conflict("answered", _("This appeal is already answered."))
        held.answered_by, held.answered_at, held.outcome, held.answer = user, now, outcome, answer
        held.save(update_fields=["answered_by", "answered_at", "outcome", "answer"])
        overturned = outcome == Appeal.Outcome.OVERTURNED
        if overturned and not sanction.lifted_at:
            undo(sanction, now)
        _close_appeal(sanction.case, Case.Status.OVERTURNED if overturned else Case.Status.UPHELD)
        deed = Deed.OVERTURNED if overturned else Deed.UPHELD
        entry = log_decision(deed, sanction.case, by=user, sanction=sanction, now=now)
        notify_of_answer(entry=entry, now=now)
        if overturned:
            notify_reporters(entry=entry, now=now)
    return held


def _close_appeal(case: Case, status: Case.Status) -> None:
    case.status = status
    case.save(update_fields=["status"])
