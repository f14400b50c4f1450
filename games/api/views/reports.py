"""What I report to staff."""

from django.utils import timezone
from rest_framework.request import Request

from games.dock.models.reports import LONGEST_REPORT, Report
from games.dock.selectors.reports import ReportView, report_view
from games.dock.services import reports
from games.web.answers import Checks
from games.web.api import Answered, Values, call, person
from games.web.inputs import LARGEST_ID, Strict, Text, WholeNumber


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
    return report_view(report)


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
    return report_view(report)
