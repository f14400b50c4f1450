"""API calls to report players and starships, and to read and appeal decisions about the caller."""

from django.utils import timezone
from rest_framework.request import Request

from games.errors import refuse_guests
from games.moderation import selectors
from games.moderation.inputs import NewAppeal, NewPlayerReport, NewReport, NewReportOfShip
from games.moderation.services import reports
from games.moderation.services.decisions import appeal
from games.moderation.services.reports import report_player
from games.web.answers import Checks
from games.web.api import Answered, Values, call, person


@call(
    "POST",
    "Report a player",
    selectors.PlayerReportView,
    409,
    422,
    takes=NewPlayerReport,
    guests=False,
    example={"about": "behaviour", "rule": "polite", "text": "Threats in every game that we played."},
    group="conduct",
)
def send_player_report(request: Request, robo_name: str, asked: Values) -> Answered:
    """Reports a player to staff.

    Only staff see who sent a report. `GET me/conduct` has the outcome. 409 `reported` if you already
    sent the same report and staff have not decided. 429 after 10 reports in a day, or 5 for new players.
    """
    now = timezone.now()
    return selectors.player_report_view(
        report_player(user=person(request), robo_name=robo_name, now=now, **asked)
    )


@call("GET", "List staff decisions about you, and your reports", selectors.ConductView, group="conduct")
def get_conduct(request: Request) -> Answered:
    """Returns staff decisions about you, and your reports of players, newest first."""
    user = person(request)
    refuse_guests(user)
    return selectors.conduct_view(user=user, now=timezone.now())


@call(
    "POST",
    "Appeal a decision",
    selectors.SanctionView,
    409,
    422,
    takes=NewAppeal,
    guests=False,
    example={"text": "It was a quote from the rulebook."},
    group="conduct",
)
def send_appeal(request: Request, sanction_id: int, asked: Values) -> Answered:
    """Appeals a decision about you. You can appeal each decision once, within six months.

    A different member of staff answers. 409 if you cannot appeal the decision.
    """
    now = timezone.now()
    made = appeal(user=person(request), sanction_id=sanction_id, now=now, **asked)
    return selectors.sanction_view(made.sanction, now=now)


# --- Starships and reviews ----------------------------------------------------------------------------------


@call(
    "POST",
    "Report a starship",
    selectors.ReportView,
    409,
    410,
    422,
    takes=NewReportOfShip,
    guests=False,
    example={"reason": "copied", "text": "It is the Tin Canoe, mirrored."},
    group="reports",
)
def send_report(request: Request, starship_id: int, asked: Values) -> Answered:
    """Reports another person's ship, or a review of the ship, to staff.

    Only staff see who sent a report. 403 `own` for your own ship or review, and `not-of-people` for ships
    that came with the site. 409 `reported` if you already reported this and staff have not decided. 429
    after 10 reports in a day.
    """
    review = asked.pop("review")
    given = {"user": person(request), "starship_id": starship_id, **asked, "now": timezone.now()}
    if review is None:
        return selectors.ship_report_view(reports.report_starship(**given))
    return selectors.ship_report_view(reports.report_review(review_id=review, **given))


@call(
    "POST",
    "Report a shared starship",
    selectors.ReportView,
    409,
    422,
    takes=NewReport,
    guests=False,
    example={"reason": "offensive", "text": "Look at the shafts."},
    throttle_classes=(Checks,),
    group="reports",
)
def send_report_of_shared_starship(request: Request, link: str, asked: Values) -> Answered:
    """Reports a starship that another person shared by a link.

    Works like `POST starships/{starship_id}/reports`.
    """
    report = reports.report_shared(user=person(request), link=link, now=timezone.now(), **asked)
    return selectors.ship_report_view(report)
