"""Receive players' reports: about players, starships and reviews."""

from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.limits import Limit
from accounts.models import User
from games.dock.models import Review
from games.dock.reviews import locked_starship
from games.errors import Conflict, Forbidden, Gone, NotFound, refuse_guests
from games.fleet.models import Starship
from games.moderation.models import Case, ConductEntry, PlayerReport, Report, Sanction
from games.moderation.sanctions import NEWCOMER_REPORTS_A_DAY, PLAYER_REPORTS_A_DAY, REPORTS_KEPT
from games.moderation.selectors import led_club, said_line, shared_game
from games.people.contacts import other_player
from games.play.services import hold_people
from games.play.viewers import is_newcomer
from games.shipyard.models import StarshipDraft
from games.shipyard.selectors import shared_draft
from games.work.models import DAY, hold_person, spend


def log_decision(
    deed: ConductEntry.Deed,
    case: Case,
    *,
    by: User | None = None,
    sanction: Sanction | None = None,
    now: datetime,
) -> ConductEntry:
    """Keep a deed for good, and return its entry."""
    return ConductEntry.objects.create(
        at=now,
        deed=deed,
        person_id=case.person_id,
        by=by,
        case=case.pk,
        sanction=sanction.pk if sanction else None,
        kind=sanction.kind if sanction else "",
    )


# --- Players ------------------------------------------------------------------------------------------------


About = PlayerReport.About


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
) -> PlayerReport:
    """Report a player to staff: a ``line`` of chat, their name, a ``club`` they lead, or how they behave.

    ``game`` is where they behaved so, if it was in one. Raises NotFound for what the reporter may not know
    of, or what is not that player's; Forbidden for guests and for oneself, Conflict for what they have
    reported already and staff have not decided, and TooMany.
    """
    person = other_player(user=user, robo_name=robo_name)
    found = PlayerReport(reporter=user, about=about, rule=rule, text=text, at=now)
    if about == About.CHAT:
        found.line = said_line(viewer=user, person=person, number=line)
        found.game = found.line.game
    elif about == About.CLUB:
        found.club = led_club(person=person, slug=club)
    elif about == About.BEHAVIOUR and game is not None:
        found.game = shared_game(viewer=user, person=person, number=game)
    with transaction.atomic():
        hold_people([user.pk, person.pk])
        found.case = open_case(person=person, now=now)
        _refuse_twice(found)
        _refuse_many(user, now)
        found.save()
    return found


def open_case(*, person: User, by: User | None = None, now: datetime) -> Case:
    """Return the open case of a person whose row is held, a new one if there is none."""
    case = Case.objects.filter(person=person, decided_at=None).first()
    if case is None:
        case = Case.objects.create(person=person, opened_at=now)
        log_decision(ConductEntry.Deed.OPENED, case, by=by, now=now)
    return case


def forget_player_reports(*, now: datetime) -> int:
    """Delete reports that staff decided about long ago, and cases that nothing came of; return how many."""
    old = Case.objects.filter(decided_at__lte=now - REPORTS_KEPT)
    number: int = PlayerReport.objects.filter(case__in=old).delete()[0]
    old.filter(sanctions=None).delete()
    return number


def _refuse_twice(found: PlayerReport) -> None:
    same = {"about": found.about, "line": found.line, "club": found.club, "game": found.game}
    if found.case.reports.filter(reporter=found.reporter, **same).exists():
        raise Conflict("reported", _("You have reported this already. Staff will look at it."))


def _refuse_many(user: User, now: datetime) -> None:
    most = NEWCOMER_REPORTS_A_DAY if is_newcomer(user=user, now=now) else PLAYER_REPORTS_A_DAY
    detail = _("You have sent {most} reports within a day. Try again later.").format(most=most)
    spend(Limit("player-reports", most, DAY), user=user, detail=detail, now=now)


# --- Starships and reviews ----------------------------------------------------------------------------------


SHIP_REPORTS_A_DAY: Final = 10
"""Reports that a person may send within a day."""

SHIP_REPORTS_KEPT: Final = timedelta(days=365)
"""How long a report is kept after staff have decided."""

Thing = Starship | StarshipDraft | Review


def report_starship(*, user: User, starship_id: int, reason: str, text: str = "", now: datetime) -> Report:
    """Report a starship that another person has built.

    Raises Forbidden for guests, the builder, and ships that came with the site, NotFound, Gone for one that
    was taken down, Conflict for one that the person has reported already, and TooMany.
    """
    with transaction.atomic():
        _hold_reports(user)
        starship = locked_starship(starship_id)
        if starship.taken_down_at:
            raise Gone("taken-down", _("Staff took this ship down. There is nothing to report any more."))
        if starship.owner_id is None:
            detail = _("This ship came with the site. If something is wrong with it, use the contact page.")
            raise Forbidden("not-of-people", detail)
        return _add_report(user, starship, starship.owner_id, reason, text, now)


def report_review(
    *, user: User, starship_id: int, review_id: int, reason: str, text: str = "", now: datetime
) -> Report:
    """Report a review that another person has written of a ship, or its answer; raises as `report_starship`.

    A review that others do not see is not found, and neither is one of another ship.
    """
    with transaction.atomic():
        _hold_reports(user)
        starship = locked_starship(starship_id)
        review = starship.reviews.filter(pk=review_id, held_until=None, hidden_at=None).first()
        if review is None or starship.taken_down_at:
            raise NotFound("no-review", _("There is no such review."))
        return _add_report(user, review, review.author_id, reason, text, now)


def report_shared(*, user: User, link: str, reason: str, text: str = "", now: datetime) -> Report:
    """Report a draft that another person shares by a link; raises as `report_starship`."""
    with transaction.atomic():
        _hold_reports(user)
        held = StarshipDraft.objects.select_for_update(no_key=True).filter(pk=shared_draft(link=link).pk)
        list(held.order_by().values_list("pk"))
        draft = shared_draft(link=link)  # as it is now that it is held
        return _add_report(user, draft, draft.user_id, reason, text, now)


def close_reports(*, thing: Thing, outcome: Report.Outcome, now: datetime) -> int:
    """Close what is open about a thing, whose row is held; return how many reports there were."""
    return open_reports_of(thing).update(outcome=outcome, closed_at=now)


def open_reports_of(thing: Thing) -> QuerySet[Report]:
    """Return the reports of a thing about which staff have not decided."""
    return Report.objects.filter(closed_at=None, **_reports_about(thing))


def forget_reports(*, now: datetime) -> int:
    """Delete reports that staff decided about long ago; return how many."""
    return Report.objects.filter(closed_at__lte=now - SHIP_REPORTS_KEPT).delete()[0]


def _hold_reports(user: User) -> None:
    refuse_guests(user)
    hold_person(user)


def _add_report(user: User, thing: Thing, author: int, reason: str, text: str, now: datetime) -> Report:
    """Keep a report about a thing; both person and thing are held."""
    if author == user.pk:
        raise Forbidden("own", _("This is yours: you can change it, or delete it."))
    if open_reports_of(thing).filter(reporter=user).exists():
        raise Conflict("reported", _("You have reported this already. Staff will look at it."))
    detail = _("You have sent {most} reports within a day. Try again later.").format(most=SHIP_REPORTS_A_DAY)
    spend(Limit("reports", SHIP_REPORTS_A_DAY, DAY), user=user, detail=detail, now=now)
    return Report.objects.create(
        **_reports_about(thing), reporter=user, reason=reason, text=text, created_at=now
    )


def _reports_about(thing: Thing) -> dict[str, Any]:
    """Return a thing by the column of a report that leads to it."""
    columns = {Starship: "starship", StarshipDraft: "draft", Review: "review"}
    return {columns[type(thing)]: thing}
