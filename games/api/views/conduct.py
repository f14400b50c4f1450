"""Reports of players, and what staff decided about the caller."""

from django.utils import timezone
from rest_framework.request import Request

from games.conduct.models import PlayerReport
from games.conduct.models.appeals import LONGEST_APPEAL
from games.conduct.models.cases import LONGEST_REPORT
from games.conduct.selectors.mine import (
    ConductView,
    PlayerReportView,
    SanctionView,
    conduct_of,
    report_view,
    sanction_view,
)
from games.conduct.services.appeals import appeal
from games.conduct.services.reports import report_player
from games.errors import refuse_guests
from games.sanctions.models import Rule
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
    return report_view(report_player(user=person(request), robo_name=robo_name, now=now, **asked))


@call("GET", "Decisions about me, and my reports", ConductView, group="conduct")
def get_conduct(request: Request) -> Answered:
    """What staff decided about me, and what came of what I reported; the last first."""
    user = person(request)
    refuse_guests(user)
    return conduct_of(user=user, now=timezone.now())


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
