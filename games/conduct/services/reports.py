"""Reports of players about players: all of one person join a case."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.limits import Limit
from accounts.models import User
from games import errors
from games.conduct.models import Case, ConductEntry, PlayerReport
from games.conduct.models.cases import LONGEST_REPORT
from games.conduct.selectors.reported import led_club, said_line, shared_game
from games.conduct.services.log import log
from games.conduct.terms import KEPT, MOST_A_DAY, MOST_OF_NEWCOMERS
from games.contacts.selectors import other_player
from games.errors import Conflict, Invalid
from games.play.selectors.newcomers import is_newcomer
from games.play.services.locks import hold_people
from games.sanctions.models import Rule
from games.work.models import DAY, spend

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
    reported already and staff have not decided, Invalid with all that is wrong, and TooMany.
    """
    person = other_player(user=user, robo_name=robo_name)
    tidy = _checked(about, rule, text)
    found = PlayerReport(reporter=user, about=about, rule=rule, text=tidy, at=now)
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
        log(ConductEntry.Deed.OPENED, case, by=by, now=now)
    return case


def forget_player_reports(*, now: datetime) -> int:
    """Delete reports that staff decided about long ago, and cases that nothing came of; return how many."""
    old = Case.objects.filter(decided_at__lte=now - KEPT)
    number: int = PlayerReport.objects.filter(case__in=old).delete()[0]
    old.filter(sanctions=None).delete()
    return number


def _refuse_twice(found: PlayerReport) -> None:
    same = {"about": found.about, "line": found.line, "club": found.club, "game": found.game}
    if found.case.reports.filter(reporter=found.reporter, **same).exists():
        raise Conflict("reported", _("You have reported this already. Staff will look at it."))


def _refuse_many(user: User, now: datetime) -> None:
    most = MOST_OF_NEWCOMERS if is_newcomer(user=user, now=now) else MOST_A_DAY
    detail = _("You have sent {most} reports within a day. Try again later.").format(most=most)
    spend(Limit("player-reports", most, DAY), user=user, detail=detail, now=now)


def _checked(about: str, rule: str, text: str) -> str:
    """Return the text of a report as it is kept; raises Invalid with all that is wrong."""
    tidy = errors.tidied(text)
    problems = []
    if about not in About.values:
        known = ", ".join(About.values)
        detail = _("Choose one of these: {choices}.").format(choices=known)
        problems.append({"code": "about", "detail": detail})
    if rule not in Rule.values:
        problems.append({"code": "rule", "detail": _("Choose which rule was broken.")})
    needed = _("Write what happened, so that staff can find it.") if about == About.BEHAVIOUR else ""
    problems += errors.problems_of(tidy, longest=LONGEST_REPORT, needed=needed)
    if problems:
        raise Invalid("no-report", _("Your report cannot be sent like this."), problems)
    return tidy
