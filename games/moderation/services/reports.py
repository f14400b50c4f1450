"""Receive players' reports of players, starships and reviews."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.limits import Limit
from accounts.models import User
from games.dock.reviews import locked_starship
from games.errors import Conflict, Forbidden, Gone, NotFound, player_named, refuse_guests
from games.moderation.models import Case, ConductEntry, Report, Sanction
from games.moderation.sanctions import NEWCOMER_REPORTS_A_DAY, PLAYER_REPORTS_A_DAY, REPORTS_KEPT
from games.moderation.selectors import (
    CASE_COLUMNS,
    ShipThing,
    Thing,
    led_club,
    open_cases,
    said_line,
    shared_game,
)
from games.people.contacts import other_player
from games.play.services import lock_people
from games.play.viewers import is_newcomer
from games.shipyard.models import StarshipDraft
from games.shipyard.selectors import shared_draft
from games.work.models import DAY, consume_limit, lock_person


def log_decision(
    deed: ConductEntry.Deed,
    case: Case,
    *,
    by: User | None = None,
    sanction: Sanction | None = None,
    now: datetime,
) -> ConductEntry:
    """Log an action in the case of a person, and return the log entry. Entries can never be deleted."""
    assert case.person_id
    return ConductEntry.objects.create(
        at=now,
        deed=deed,
        person_id=case.person_id,
        by=by,
        case=case.pk,
        sanction=sanction.pk if sanction else None,
        kind=sanction.kind if sanction else "",
    )


def open_case(*, about: Thing, by: User | None = None, now: datetime) -> Case:
    """Return the open case about a person, ship, draft or review. If there is none, open one.

    The caller must hold a lock on the row that the case is about.
    """
    case = open_cases(about).first()
    if case is None:
        case = Case.objects.create(**{CASE_COLUMNS[type(about)]: about}, opened_at=now)
        if case.person_id:
            log_decision(ConductEntry.Deed.OPENED, case, by=by, now=now)
    return case


def close_case(*, about: ShipThing, dismissed: bool = False, now: datetime) -> None:
    """Close the open case about a ship, draft or review, if there is one.

    The caller must hold a lock on the ship's or draft's row.
    """
    closed = {"status": Case.Status.DECIDED, "decided_at": now, "dismissed": dismissed}
    open_cases(about).update(**closed)


def forget_reports(*, now: datetime) -> int:
    """Delete the reports of cases that were decided long ago (`REPORTS_KEPT`). Return the number of reports.

    If such a case has no sanction, the case is deleted too.
    """
    old = Case.objects.filter(decided_at__lte=now - REPORTS_KEPT)
    number: int = Report.objects.filter(case__in=old).delete()[0]
    old.filter(sanctions=None).delete()
    return number


def _add_report(report: Report, thing: Thing, limit: Limit) -> Report:
    """Add a report to the open case about a person, ship, draft or review.

    The caller must hold locks on the reporter's row and on the reported row. Raises Conflict if the reporter
    has already reported the same thing and staff have not decided, and TooMany if the reporter has reached
    the ``limit``.
    """
    report.case = open_case(about=thing, now=report.at)
    same = {name: getattr(report, name) for name in ("about", "line", "club", "game")}
    if report.case.reports.filter(reporter=report.reporter, **same).exists():
        raise Conflict("reported", _("You have already reported this. Staff will look at it."))
    detail = _("You sent {most} reports within a day, which is the limit. Try again later.").format(
        most=limit.most
    )
    consume_limit(limit, user=report.reporter, detail=detail, now=report.at)
    report.save()
    return report


# --- Players ------------------------------------------------------------------------------------------------


About = Report.About


def report_player(
    *,
    user: User,
    robo_name: str,
    about: str,
    rule: str,
    text: str = "",
    line: int | None = None,
    club: str = "",
    game: int | None = None,
    now: datetime,
) -> Report:
    """Report a player to staff because of a chat line, their name, a club or their behaviour.

    ``line`` and ``game`` are IDs, and ``club`` is a slug. ``game`` is the game of the incident, if any.

    Raises NotFound if the player did not write the line, does not lead the club or is not in the game, or if
    the reporter may not see the line or game; Forbidden for guests and for a report of oneself; Conflict if
    the reporter has already reported the same thing and staff have not decided; and TooMany after too many
    reports within a day.
    """
    person = other_player(user=user, robo_name=robo_name)
    found = Report(reporter=user, about=about, reason=rule, text=text, at=now)
    if about == About.CHAT:
        found.line = said_line(viewer=user, person=person, number=line)
        found.game = found.line.game
    elif about == About.CLUB:
        found.club = led_club(person=person, slug=club)
    elif about == About.BEHAVIOUR and game is not None:
        found.game = shared_game(viewer=user, person=person, number=game)
    most = NEWCOMER_REPORTS_A_DAY if is_newcomer(user=user, now=now) else PLAYER_REPORTS_A_DAY
    with transaction.atomic():
        lock_player(person, user)
        return _add_report(found, person, Limit("player-reports", most, DAY))


def lock_player(person: User, *others: User) -> None:
    """Lock the rows of a player and of other people. Raises NotFound if the player's account is deleted."""
    lock_people([each.pk for each in (person, *others)])
    player_named(person.robo_name)


# --- Starships and reviews ----------------------------------------------------------------------------------


SHIP_REPORTS: Final = Limit("reports", 10, DAY)
"""The limit on reports of ships and reviews by one person: 10 in a day."""


def report_starship(*, user: User, starship_id: int, reason: str, text: str = "", now: datetime) -> Report:
    """Report another person's starship to staff.

    Raises NotFound; Forbidden for guests, for the builder, and for ships that came with the site; Gone if
    the ship was taken down; Conflict if the person has already reported it and staff have not decided; and
    TooMany after too many reports within a day.
    """
    with transaction.atomic():
        _lock_reports(user)
        starship = locked_starship(starship_id)
        if starship.taken_down_at:
            raise Gone("taken-down", _("Staff have already taken this ship down."))
        if starship.owner_id is None:
            detail = _("Ships that came with the site can’t be reported. Use the contact page instead.")
            raise Forbidden("not-of-people", detail)
        return _report(user, starship, starship.owner_id, reason, text, now)


def report_review(
    *, user: User, starship_id: int, review_id: int, reason: str, text: str = "", now: datetime
) -> Report:
    """Report another person's review of a ship, or the builder's answer to the review.

    Raises NotFound for a review that is hidden or on hold, for a review of another ship, and if the ship
    was taken down. Also raises the errors of `report_starship`.
    """
    with transaction.atomic():
        _lock_reports(user)
        starship = locked_starship(starship_id)
        review = starship.reviews.filter(pk=review_id, held_until=None, hidden_at=None).first()
        if review is None or starship.taken_down_at:
            raise NotFound("no-review", _("There is no such review."))
        return _report(user, review, review.author_id, reason, text, now)


def report_shared(*, user: User, link: str, reason: str, text: str = "", now: datetime) -> Report:
    """Report a draft that another person has shared by a link. Raises the errors of `report_starship`."""
    with transaction.atomic():
        _lock_reports(user)
        held = StarshipDraft.objects.select_for_update(no_key=True).filter(pk=shared_draft(link=link).pk)
        list(held.order_by().values_list("pk"))
        draft = shared_draft(link=link)  # the draft may have changed before it was locked
        return _report(user, draft, draft.user_id, reason, text, now)


def _lock_reports(user: User) -> None:
    refuse_guests(user)
    lock_person(user)


def _report(user: User, thing: ShipThing, author: int, reason: str, text: str, now: datetime) -> Report:
    if author == user.pk:
        raise Forbidden("own", _("You can’t report your own work. Change or delete it instead."))
    return _add_report(Report(reporter=user, reason=reason, text=text, at=now), thing, SHIP_REPORTS)
