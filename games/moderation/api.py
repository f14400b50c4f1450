"""The API of reports, and of decisions about the caller."""

from django.utils import timezone
from rest_framework.request import Request

from games.errors import refuse_guests
from games.moderation.models import LONGEST_APPEAL, LONGEST_REPORT, PlayerReport, Report, Rule
from games.moderation.selectors import (
    ConductView,
    PlayerReportView,
    ReportView,
    SanctionView,
    conduct_view,
    player_report_view,
    sanction_view,
    ship_report_view,
)
from games.moderation.services import reports
from games.moderation.services.decisions import appeal
from games.moderation.services.reports import report_player
from games.web.answers import Checks
from games.web.api import Answered, Values, call, person
from games.web.inputs import LARGEST_ID, Choice, Strict, Text, WholeNumber


class NewPlayerReportSerializer(Strict):
    """What a player did."""

    about = Choice(
        PlayerReport.About.values,
        help_text="`chat` needs `line`, `club` needs `club`; `behaviour` needs `text`, and may have `game`.",
    )
    rule = Choice(Rule.values, help_text="The rule of conduct that was broken.")
    text = Text(
        default="",
        allow_blank=True,
        trim_whitespace=False,
        help_text=f"What happened: at most {LONGEST_REPORT} characters.",
    )
    line = WholeNumber(
        default=None,
        allow_null=True,
        min_value=1,
        max_value=LARGEST_ID,
        help_text="A line of chat of theirs.",
    )
    club = Text(default="", allow_blank=True, help_text="A club whose captain they are, as in its address.")
    game = WholeNumber(
        default=None, allow_null=True, min_value=1, max_value=LARGEST_ID, help_text="Where it happened."
    )


class NewAppealSerializer(Strict):
    """Why a decision is wrong."""

    text = Text(trim_whitespace=False, help_text=f"At most {LONGEST_APPEAL} characters.")


@call(
    "POST",
    "Report a player",
    PlayerReportView,
    409,
    422,
    takes=NewPlayerReportSerializer,
    example={"about": "behaviour", "rule": "polite", "text": "Threats in every game that we played."},
    group="conduct",
)
def send_player_report(request: Request, robo_name: str, asked: Values) -> Answered:
    """To staff; the player does not learn who did. `GET me/conduct` tells what came of it.

    409 `reported` for the same until staff have decided, 429 beyond 10 reports a day, 5 for newcomers.
    """
    now = timezone.now()
    return player_report_view(report_player(user=person(request), robo_name=robo_name, now=now, **asked))


@call("GET", "Decisions about me, and my reports", ConductView, group="conduct")
def get_conduct(request: Request) -> Answered:
    """What staff decided about me, and what came of what I reported; the last first."""
    user = person(request)
    refuse_guests(user)
    return conduct_view(user=user, now=timezone.now())


@call(
    "POST",
    "Appeal a decision",
    SanctionView,
    409,
    422,
    takes=NewAppealSerializer,
    example={"text": "It was a quote from the rulebook."},
    group="conduct",
)
def send_appeal(request: Request, sanction_id: int, asked: Values) -> Answered:
    """Once, and within six months; another member of staff answers. 409 for one that cannot be appealed."""
    now = timezone.now()
    made = appeal(user=person(request), sanction_id=sanction_id, now=now, **asked)
    return sanction_view(made.sanction, now=now)


# --- Starships and reviews ----------------------------------------------------------------------------------


class NewReportSerializer(Strict):
    """What is wrong."""

    reason = Text(help_text=f"One of {', '.join(f'`{reason}`' for reason in Report.Reason.values)}.")
    text = Text(
        default="",
        allow_blank=True,
        trim_whitespace=False,
        help_text=f"Details, as plain text of at most {LONGEST_REPORT} characters; needed for `other`.",
    )


class NewReportOfShipSerializer(NewReportSerializer):
    """What is wrong with a starship, or with a review of it."""

    review = WholeNumber(
        default=None,
        allow_null=True,
        min_value=1,
        max_value=LARGEST_ID,
        help_text="A review of this ship that it is about; else it is about the ship itself.",
    )


@call(
    "POST",
    "Report a starship",
    ReportView,
    409,
    410,
    422,
    takes=NewReportOfShipSerializer,
    example={"reason": "copied", "text": "It is the Tin Canoe, mirrored."},
    group="reports",
)
def send_report(request: Request, starship_id: int, asked: Values) -> Answered:
    """Report a ship that another person has built, or a review of it, to staff; no one else learns who did.

    403 `own` for what is mine, and `not-of-people` for ships that came with the site. 409 `reported` until
    staff have decided, 429 beyond 10 reports a day.
    """
    given = {"reason": asked["reason"], "text": asked["text"], "now": timezone.now()}
    if asked["review"] is None:
        report = reports.report_starship(user=person(request), starship_id=starship_id, **given)
    else:
        report = reports.report_review(
            user=person(request), starship_id=starship_id, review_id=asked["review"], **given
        )
    return ship_report_view(report)


@call(
    "POST",
    "Report a shared starship",
    ReportView,
    409,
    422,
    takes=NewReportSerializer,
    example={"reason": "offensive", "text": "Look at the shafts."},
    throttle_classes=(Checks,),
    group="reports",
)
def send_report_of_shared_starship(request: Request, link: str, asked: Values) -> Answered:
    """Report a starship that another person shares by a link; as `POST starships/{starship_id}/reports`."""
    report = reports.report_shared(user=person(request), link=link, now=timezone.now(), **asked)
    return ship_report_view(report)
