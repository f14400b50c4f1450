"""Pages to report players, ships and reviews, and to read and appeal decisions."""

from collections.abc import Callable, Iterable
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.dock.reviews import is_builder, review_for
from games.errors import NotFound, ServiceError, player_named
from games.fleet.models import Starship
from games.fleet.selectors import starship_for
from games.moderation import selectors
from games.moderation.inputs import NewAppeal, NewPlayerReport, NewReport, NewReportOfReview
from games.moderation.models import Report
from games.moderation.services.decisions import appeal
from games.moderation.services.reports import report_player, report_review, report_shared, report_starship
from games.play.models import Game
from games.play.viewers import Viewer
from games.rights import Right, may
from games.shipyard.pages.drafts import title_of, unsearched
from games.shipyard.selectors import shared_draft
from games.web.actions import Done, Outcome, Page, action
from games.web.forms import InputForm, form_of
from games.web.pages import require_account, user_of, viewer_of

Values = dict[str, Any]

AppealForm = form_of(NewAppeal)


class PlayerReportForm(form_of(NewPlayerReport)):  # type: ignore[misc] # a class that is made at run time
    """The form to report a player. It asks for the subject and the game unless the subject is known."""

    game = forms.TypedChoiceField(label=_("In which game?"), required=False, coerce=int, empty_value=None)
    field_order = ("rule", "about", "game", "text")

    def __init__(self, *args: Any, about: str = "", games: Iterable[Game] = (), **more: Any) -> None:
        """Set up the form. If ``about`` is empty, the form asks for the subject and for one of ``games``."""
        super().__init__(*args, **more)
        choices = [(game.pk, game.name) for game in games]
        if about:
            del self.fields["about"], self.fields["game"]
            self.fields["text"].often_needed = False
        elif choices:
            self.fields["game"].choices = [("", _("No game")), *choices]
        else:
            del self.fields["game"]


# --- Reporting players --------------------------------------------------------------------------------------


def _player_to_report(request: HttpRequest, robo_name: str) -> dict[str, Any]:
    user, person = user_of(request), player_named(robo_name)
    asked = {name: request.GET.get(name, "") for name in ("line", "club")}
    thing = selectors.reported_thing(viewer=user, person=person, **asked)
    games = selectors.games_of_both(viewer=user, person=person)
    return {"person": person, "thing": thing, "given": {"about": thing.about, "games": games}}


@never_cache
@action(
    PlayerReportForm,
    template="moderation/report_player.html",
    context=_player_to_report,
    says=_("Report sent. You’ll get a notification when staff have decided."),
    then="conduct:mine",
)
def report_player_page(request: HttpRequest, robo_name: str, asked: Values) -> None:
    """Ask what happened, and report a player.

    ``?line=`` is the ID of a chat line that the player wrote, and ``?club=`` the slug of a club that the
    player leads.
    """
    thing = _player_to_report(request, robo_name)["thing"]
    if thing.about:
        asked |= {"about": thing.about, "line": thing.line and thing.line.pk}
        asked |= {"club": thing.club.slug if thing.club else ""}
    report_player(user=user_of(request), robo_name=robo_name, **asked, now=timezone.now())


# --- Decisions ----------------------------------------------------------------------------------------------


@require_safe
@never_cache
@login_required
@require_account
def my_conduct(request: HttpRequest) -> HttpResponse:
    """Show the staff decisions about the reader, and the reader's reports."""
    return conduct_page(request)


def conduct_page(
    request: HttpRequest,
    sanction_id: int = 0,
    form: InputForm | None = None,
    refusal: ServiceError | None = None,
) -> HttpResponse:
    """Show the staff decisions about the reader, and the reader's reports.

    After a refused appeal against ``sanction_id``, ``form`` has the errors and ``refusal`` sets the status.
    """
    user = user_of(request)
    form = form or AppealForm()
    form.auto_id = f"appeal-{sanction_id}-%s"
    context = {
        "decisions": selectors.decisions_about(user=user, now=timezone.now()),
        "reports": [(each, Report.About(each["about"]).label) for each in selectors.reports_by(user=user)],
        "appealed": sanction_id,
        "form": form,
    }
    return render(request, "moderation/my_conduct.html", context, status=refusal.status if refusal else 200)


@never_cache
@action(
    AppealForm,
    refused_on=conduct_page,
    says=_("Appeal sent. Another member of staff will answer it."),
    then="conduct:mine",
)
def appeal_decision(request: HttpRequest, sanction_id: int, asked: Values) -> None:
    appeal(user=user_of(request), sanction_id=sanction_id, **asked, now=timezone.now())


# --- Reporting starships and reviews ------------------------------------------------------------------------


def report_part(*, viewer: Viewer, starship: Starship) -> dict[str, Any]:
    """Return template context: whether the viewer may report a ship, and whether they have reported it."""
    return {
        "may_report": selectors.may_report(viewer=viewer)
        and starship.owner_id is not None
        and not is_builder(viewer, starship),
        "has_reported": selectors.has_reported(viewer=viewer, thing=starship),
    }


def _report_page(
    kind: type[NewReport], context: Callable[..., Values]
) -> Callable[[Callable[..., Outcome]], Page]:
    """Declare a page with a form to report a ship or a review."""
    says = _("Report sent. Staff will look at it.")
    return action(form_of(kind), template="moderation/report_ship.html", context=context, says=says)


def _ship_to_report(request: HttpRequest, starship_id: int) -> Values:
    ship = starship_for(starship_id=starship_id)
    return {"heading": ship.name, "back": reverse("starships:detail", args=[starship_id])}


@never_cache
@_report_page(NewReport, _ship_to_report)
def report_ship(request: HttpRequest, starship_id: int, asked: Values) -> None:
    report_starship(user=user_of(request), starship_id=starship_id, **asked, now=timezone.now())


def _review_to_report(request: HttpRequest, starship_id: int, review_id: int) -> Values:
    ship = starship_for(starship_id=starship_id)
    review = review_for(viewer=viewer_of(request), review_id=review_id)
    if review.starship_id != starship_id:
        raise NotFound("no-review", gettext("There is no such review."))
    return {"heading": ship.name, "review": review, "back": _page_of_review(starship_id, review_id)}


@never_cache
@_report_page(NewReportOfReview, _review_to_report)
def report_a_review(request: HttpRequest, starship_id: int, review_id: int, asked: Values) -> Done:
    given: Values = {"starship_id": starship_id, "review_id": review_id}
    report_review(user=user_of(request), **given, **asked, now=timezone.now())
    return Done(then=_page_of_review(starship_id, review_id))


def _page_of_review(starship_id: int, review_id: int) -> str:
    return f"{reverse('starships:reviews', args=[starship_id])}#review-{review_id}"


def _shared_to_report(request: HttpRequest, link: str) -> Values:
    return {"heading": title_of(shared_draft(link=link)), "back": reverse("shipyard:shared", args=[link])}


@never_cache
@unsearched
@_report_page(NewReport, _shared_to_report)
def report_shared_ship(request: HttpRequest, link: str, asked: Values) -> None:
    """Report a starship that another person shared by a link."""
    report_shared(user=user_of(request), link=link, **asked, now=timezone.now())


def taken_down_page(request: HttpRequest, starship: Starship) -> HttpResponse:
    """Show the page of a ship that was taken down. Only its builder and staff can read the reason."""
    viewer = viewer_of(request)
    reads = is_builder(viewer, starship) or may(viewer, Right.SEE_MODERATIONS)
    takedown = selectors.takedown_of(starship) if reads else None
    context = {"takedown": takedown, "builds": is_builder(viewer, starship)}
    return render(request, "410.html", context, status=410)
