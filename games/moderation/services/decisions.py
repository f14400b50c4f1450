"""Take cases, decide about players, undo decisions, and answer appeals.

The forms of the admin check rules, texts and numbers of days before these services are called.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from accounts import robo_names
from accounts.models import User
from accounts.rights import tell_by_mail
from accounts.robo_names import RetiredName
from games import live
from games.chat.models import ChatLine
from games.clubs.models import Club, Membership
from games.clubs.services import rename_club, restore_club
from games.competitions.services.ladders import rest_all
from games.competitions.services.matching import stop_seeking
from games.competitions.services.tournaments import leave_running
from games.errors import Conflict, Forbidden, Invalid, NotFound, player_named, refuse_guests
from games.moderation.models import Appeal, Case, ConductEntry, Renaming, Sanction
from games.moderation.sanctions import (
    CASE_LEASE,
    MOST_UNCONFIRMED_DAYS,
    TIME_TO_APPEAL,
    UNCONFIRMED_DAYS_PERIOD,
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
    """Notify a person that staff made or changed a decision about them."""
    notify_people(users=[entry.person], kind="sanction", about=entry.pk, now=now)


def notify_of_answer(*, entry: ConductEntry, now: datetime) -> None:
    """Notify a person that staff have answered their appeal."""
    notify_people(users=[entry.person], kind="appeal", about=entry.pk, now=now)


def notify_reporters(*, entry: ConductEntry, now: datetime) -> None:
    """Tell the reporters of a case that staff imposed or undid a sanction, or dismissed the case."""
    reporters = User.objects.filter(reports__case=entry.case).distinct().order_by("pk")
    notify_people(users=reporters, kind="reported", about=entry.pk, now=now)


# --- Cases --------------------------------------------------------------------------------------------------


Status = Case.Status
Deed = ConductEntry.Deed


def begin_case(*, user: User, robo_name: str, now: datetime) -> Case:
    """Open a case about a player without a report, and take it for a member of staff.

    If a case about the player is already open, takes that case. Raises NotFound, Forbidden for anyone
    without the right to decide, and the errors of `take_case`.
    """
    check_role(user)
    person = player_named(robo_name)
    with transaction.atomic():
        lock_player(person)
        case = open_case(about=person, by=user, now=now)
        return take_case(user=user, case_id=case.pk, now=now)


def take_case(*, user: User, case_id: int, now: datetime) -> Case:
    """Take a case for a member of staff. For 24 hours, no other member can decide the case.

    Raises NotFound if there is no such case. Raises Forbidden if the user may not decide cases, or is
    involved in this case as its subject or as a reporter. Raises Conflict if the case is decided or another
    member of staff has taken it.
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
    """Give back a case that this member of staff has taken, so that others can take it.

    Raises Conflict if the case is not taken, and the errors of `take_case`.
    """
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
    """Close a case because no rule was broken, and notify the people who sent its reports.

    Raises the errors of `take_case`.
    """
    check_role(user)
    with transaction.atomic():
        case = locked_case(user, case_id, now)
        _refuse_decided(case)
        decide(case, entry=log_decision(Deed.DISMISSED, case, by=user, now=now), now=now)
    return case


def locked_case(user: User, case_id: int, now: datetime) -> Case:
    """Lock and return a case for a decision by a member of staff.

    Locks the row of the person before the row of the case. Raises NotFound; Forbidden if the case
    is about the member, if the member has sent a report in the case, or if the case is about staff and the
    member is not a superuser; and Conflict if another member has taken the case.
    """
    person = Case.objects.filter(pk=case_id).values_list("person", flat=True).first()
    lock_people([person] if person else [])
    held = Case.objects.select_for_update(no_key=True, of=("self",)).select_related("person", "taken_by")
    case = held.filter(pk=case_id, person__isnull=False).first()
    if case is None:  # the case may have vanished because its person's account was just deleted
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
    """Mark a case as decided, and notify its reporters, unless it was decided earlier.

    The caller must hold a lock on the case's row.
    """
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
"""The maximum number of a person's games that one pass of the sweeper rewrites."""


def rename_person(*, person: User, name: str, now: datetime) -> None:
    """Rename a person, and reserve the old name so that no one can take it.

    The caller must hold a lock on the person's row. Raises Invalid for a name that is not allowed or is
    taken.
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
    _rename(person, name, now)
    robo_names.retire(before)


def rename_on_request(*, user: User, person_id: int, name: str, reason: str, now: datetime) -> User:
    """Give a person another name because the person asked staff for it, and reserve the old name.

    Raises NotFound, Forbidden for members without the right to rename, and Invalid for a name that is not
    allowed or is taken.
    """
    check_role(user, Kind.RENAME)
    with transaction.atomic():
        person = User.objects.filter(pk=person_id, is_guest=False, deleted_at=None).first()
        if person is None:
            raise NotFound("no-person", _("There is no such account. It may be deleted."))
        require_other(user, person)
        lock_games(person)
        lock_people([person.pk])
        person.refresh_from_db()
        if person.deleted_at is not None:
            raise NotFound("no-person", _("There is no such account. It may be deleted."))
        before = person.robo_name
        rename_person(person=person, name=name, now=now)
        tell_by_mail(person, "renamed", now=now, reason=reason, before=before, after=name)
    return person


def rename_back(*, person: User, name: str, now: datetime) -> None:
    """Give a person their old name back, and release the reservation of that name.

    The caller must hold a lock on the person's row. Raises Conflict if another player has the name now.
    """
    if User.objects.filter(robo_name__iexact=name).exclude(pk=person.pk).exists():
        raise Conflict("taken", _("Another player has the old name now, so this decision can’t be undone."))
    digest = robo_names.digest_of(robo_names.skeleton(name))
    RetiredName.objects.filter(digest=digest).delete()
    _rename(person, name, now)


def rename_in_games(*, now: datetime) -> int:
    """Write the new names of renamed players into their games. Return the number of rewritten games."""
    return jobs.for_each_row(
        "renamings", Renaming.objects.order_by("pk"), _rename_in_games, most=GAMES_PER_PASS, now=now
    )


def _rename_in_games(renaming_id: int) -> int:
    """Rewrite up to `GAMES_PER_PASS` games with a person's old name. Return the number of rewritten games.

    Deletes the `Renaming` after the last game.
    """
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
    """Return the IDs of the games with a person's old name.

    If the person has the old name again, clears it from their seats, and returns an empty list.
    """
    before, user = renaming.before, renaming.user
    if before == user.robo_name:
        Seat.objects.filter(user=user, robot=before).update(robot="")
        return []
    seats = Seat.objects.filter(Q(user=user) | Q(replacements__was=user), robot=before)
    said = ChatLine.objects.filter(user=user, name=before)
    return sorted({*seats.values_list("game", flat=True), *said.values_list("game", flat=True)})


def _rename(person: User, name: str, now: datetime) -> None:
    before = person.robo_name
    # Until a game is rewritten, its robot has the old name, as in the game's log.
    Seat.objects.filter(user=person, robot="").update(robot=before)
    person.robo_name = name
    person.save(update_fields=["robo_name"])
    Renaming.objects.create(user=person, before=before, at=now)


def _refusal(detail: str) -> Invalid:
    return Invalid("name", detail, [{"code": "name", "detail": detail}])


# --- Sanctions ----------------------------------------------------------------------------------------------


Kind = Sanction.Kind

SanctionEffect = Callable[[Sanction], None]
"""A function to carry out a sanction. It stores the old values in the sanction, so that staff can undo it."""


def warn(*, user: User, case_id: int, rule: str, facts: str, now: datetime) -> Sanction:
    """Warn the player of a case on behalf of a member of staff. A warning restricts nothing.

    Raises NotFound, Forbidden for members without the right to warn and for members who are involved in the
    case, and Conflict if the case was dismissed or another member has taken it.
    """
    return _impose(user, case_id, Kind.WARNING, rule, facts, now)


def mute(*, user: User, case_id: int, rule: str, facts: str, days: int, now: datetime) -> Sanction:
    """Mute a player in chats, reviews and clubs for some days. Raises the errors of `warn`."""
    return _impose(user, case_id, Kind.MUTE, rule, facts, now, days=days)


def bar(*, user: User, case_id: int, rule: str, facts: str, days: int, now: datetime) -> Sanction:
    """Bar a player from tournaments, ladders and seasons for some days.

    The player leaves tournaments that are open or running, and stops getting games on ladders. Their games
    continue, and the results count. Raises the errors of `warn`.
    """
    with transaction.atomic():
        done = _impose(user, case_id, Kind.BAR, rule, facts, now, days=days)
        _take_out(done.user, now)
    return done


def suspend(*, user: User, case_id: int, rule: str, facts: str, days: int, now: datetime) -> Sanction:
    """Suspend a player for some days. The player's games continue.

    A suspended player cannot enter other games or competitions, publish ships, or write texts. The suspension
    ends after at most `MOST_UNCONFIRMED_DAYS` days, unless another member of staff confirms it. Earlier
    unconfirmed suspensions of the player by the same member within `UNCONFIRMED_DAYS_PERIOD` also count
    towards these days. Raises the errors of `warn`, and Conflict if the member has used up these days.
    """
    with transaction.atomic():
        done = _impose(user, case_id, Kind.SUSPENSION, rule, facts, now, days=days)
        _take_out(done.user, now)
        stop_seeking(user=done.user)
    return done


def confirm_suspension(*, user: User, sanction_id: int, now: datetime) -> Sanction:
    """Confirm a suspension as a second member of staff, so that its full length applies.

    Raises NotFound; Forbidden for members without the right to suspend and for the member who imposed the
    suspension; and Conflict if the suspension needs no confirmation, was confirmed earlier, or is over.
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
    """Hide a chat line by the player of a case. The line's text stays stored.

    Raises the errors of `warn`, NotFound for another player's line, and Conflict for a line that is already
    hidden.
    """
    game = ChatLine.objects.filter(pk=line_id).values_list("game", flat=True).first()

    def hide(sanction: Sanction) -> None:
        line = ChatLine.objects.filter(pk=line_id, user=sanction.user).first()
        if line is None:
            raise NotFound("no-line", _("This player didn’t write that line."))
        if line.hidden_at:
            raise Conflict("done", _("This line is already hidden."))
        line.hidden_at = now
        line.save(update_fields=["hidden_at"])
        sanction.line = line

    with transaction.atomic():
        held = locked_game(game) if game else None
        done = _impose(user, case_id, Kind.HIDE, rule, facts, now, apply=hide)
        if held:
            live.announce_change(held)
    return done


def rename(*, user: User, case_id: int, name: str, rule: str, facts: str, now: datetime) -> Sanction:
    """Rename the player of a case, and reserve the old name.

    Raises the errors of `warn`, and Invalid for a name that is not allowed or is taken.
    """

    def give(sanction: Sanction) -> None:
        sanction.before = sanction.user.robo_name
        rename_person(person=sanction.user, name=name, now=now)

    person = User.objects.filter(cases=case_id).first()
    with transaction.atomic():
        if person:
            lock_games(person)
        return _impose(user, case_id, Kind.RENAME, rule, facts, now, apply=give)


def change_club(
    *, user: User, case_id: int, slug: str, name: str, rule: str, facts: str, now: datetime
) -> Sanction:
    """Give a club another name and address, and remove its text. The player of the case must be its captain.

    Raises the errors of `warn`, NotFound if the player is not the club's captain, and Conflict if the name
    is taken.
    """

    def change(sanction: Sanction) -> None:
        led = Membership.objects.filter(user=sanction.user, role=Membership.Role.CAPTAIN)
        club = Club.objects.select_for_update(no_key=True).filter(slug=slug, memberships__in=led).first()
        if club is None:
            raise NotFound("no-club", _("This player doesn’t lead a club with that address."))
        sanction.club, sanction.before, sanction.text_before = club, club.name, club.text
        rename_club(club=club, name=name)

    return _impose(user, case_id, Kind.CLUB, rule, facts, now, apply=change)


def lift_sanction(*, user: User, sanction_id: int, now: datetime) -> Sanction:
    """Undo a decision, even without an appeal, and notify the player and the reporters.

    Raises NotFound, Forbidden for members without the right to this kind of decision, Conflict if the
    decision was already undone, and the other errors of `locked_case` and `undo`.
    """
    with transaction.atomic():
        sanction = locked_sanction(user, sanction_id, now)
        check_role(user, sanction.kind)
        undo(sanction, now)
        entry = log_decision(Deed.LIFTED, sanction.case, by=user, sanction=sanction, now=now)
        notify_person(entry=entry, now=now)
        notify_reporters(entry=entry, now=now)
    return sanction


def shorten_sanction(*, user: User, sanction_id: int, days: int, now: datetime) -> Sanction:
    """Shorten a mute, bar or suspension to ``days`` days after the decision, and notify the player.

    Raises NotFound, Forbidden for members without the right to this kind of decision, Conflict if the
    sanction has no end, is over, or would not end earlier but in the future, and the errors of `locked_case`.
    """
    with transaction.atomic():
        sanction = locked_sanction(user, sanction_id, now)
        check_role(user, sanction.kind)
        if sanction.ends_at is None or sanction.lifted_at or sanction.ends_at <= now:
            raise Conflict("over", _("This decision restricts nothing now, so it can’t be shortened."))
        end = sanction.at + timedelta(days=days)
        if not now < end < sanction.ends_at:
            detail = _("Choose an end between now and {time}. To end it now, undo the decision.")
            time = date_format(localtime(sanction.ends_at), "DATETIME_FORMAT")
            raise Conflict("not-shorter", detail.format(time=time))
        sanction.days, sanction.ends_at = days, end
        sanction.save(update_fields=["days", "ends_at"])
        entry = log_decision(Deed.SHORTENED, sanction.case, by=user, sanction=sanction, now=now)
        notify_person(entry=entry, now=now)
    return sanction


def undo(sanction: Sanction, now: datetime) -> None:
    """End a sanction, and undo its effects. The caller must hold the lock on the sanction's case.

    Raises Conflict if the sanction was already undone, or if another player or club has the old name now.
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
    """Lock the case of a sanction, and return the sanction.

    Raises NotFound, and the errors of `locked_case`.
    """
    found = Sanction.objects.select_related("user").filter(pk=sanction_id).first()
    if found is None:
        raise NotFound("no-sanction", _("There is no such decision."))
    if found.kind == Kind.RENAME:
        lock_games(found.user)  # games must be locked before the person
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
    apply: SanctionEffect | None = None,
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
            if kind == Kind.SUSPENSION:
                days = min(days, _unconfirmed_days_left(user, case.person, now))
            sanction.ends_at = now + timedelta(days=days)
        if apply:
            apply(sanction)
        sanction.save()
        entry = log_decision(Deed.SANCTIONED, case, by=user, sanction=sanction, now=now)
        decide(case, entry=entry, now=now)
        notify_person(entry=entry, now=now)
    return sanction


def _unconfirmed_days_left(user: User, person: User, now: datetime) -> int:
    """Return the maximum length, in days, of a suspension by one member of staff without confirmation.

    This is `MOST_UNCONFIRMED_DAYS`, minus the days of the member's own recent suspensions of the same person.
    Raises Conflict if no day is left.
    """
    earlier = Sanction.objects.filter(by=user, user=person, kind=Kind.SUSPENSION, confirmed_by=None)
    decided = earlier.filter(at__gt=now - UNCONFIRMED_DAYS_PERIOD, lifted_at=None, ends_at__isnull=False)
    spent = sum((end - at).days for at, end in decided.values_list("at", "ends_at") if end)
    if spent >= MOST_UNCONFIRMED_DAYS:
        detail = _(
            "You recently suspended this player for {days} days. Another member of staff must decide now."
        )
        raise Conflict("second-member", detail.format(days=spent))
    return MOST_UNCONFIRMED_DAYS - spent


def _take_out(person: User, now: datetime) -> None:
    """Remove a player from open and running tournaments, and stop giving the player games on ladders."""
    leave_running(user=person, now=now, barred=True)
    rest_all(user=person, now=now)


# --- Appeals ------------------------------------------------------------------------------------------------


def appeal(*, user: User, sanction_id: int, text: str, now: datetime) -> Appeal:
    """Appeal a decision about the user. Each decision can be appealed once, within six months.

    Raises NotFound for a decision about another player, Forbidden for guests, and Conflict if the decision
    was already appealed, was undone, or is too old.
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
    """Reject an appeal, as a second member of staff. ``answer`` is for the player.

    Raises NotFound; Forbidden for the members who made or confirmed the decision, for members who are
    involved in the case and for members without the right to this kind of decision; and Conflict if the
    appeal was answered earlier.
    """
    return _answer(user, appeal_id, Appeal.Outcome.UPHELD, answer, now)


def overturn(*, user: User, appeal_id: int, answer: str, now: datetime) -> Appeal:
    """Undo a decision because of its appeal. Raises the errors of `uphold` and `undo`."""
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
