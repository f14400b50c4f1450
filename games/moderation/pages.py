"""Report players, starships and reviews; read decisions about oneself, and appeal."""

from collections.abc import Callable, Iterable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.navigation import only_by_form
from games.dock.reviews import is_builder, review_for
from games.errors import NotFound, player_named
from games.fleet.models import Starship
from games.fleet.selectors import starship_for
from games.moderation.models import LONGEST_APPEAL, LONGEST_REPORT, PlayerReport, Report, Rule
from games.moderation.selectors import (
    decisions_about,
    games_of_both,
    has_reported,
    may_report,
    reported_thing,
    reports_by,
    takedown_of,
)
from games.moderation.services.decisions import appeal
from games.moderation.services.reports import report_player, report_review, report_shared, report_starship
from games.play.models import Game
from games.play.viewers import Viewer
from games.rights import Right, may
from games.shipyard.pages.drafts import title_of, unsearched
from games.shipyard.selectors import shared_draft
from games.web.inputs import Refusable
from games.web.pages import for_people, hides_what_is_not_there, user_of, viewer_of

OF_A_PLAYER = (PlayerReport.About.BEHAVIOUR, PlayerReport.About.NAME)


class PlayerReportForm(Refusable):
    """Which rule was broken; of a player as such also whether it is the name or how they behave."""

    about = forms.ChoiceField(
        label=_("What is it about?"),
        choices=[(each.value, each.label) for each in OF_A_PLAYER],
        initial=PlayerReport.About.BEHAVIOUR,
        widget=forms.RadioSelect,
    )
    game = forms.TypedChoiceField(label=_("In which game?"), required=False, coerce=int, empty_value=None)
    rule = forms.ChoiceField(
        label=_("Which rule was broken?"),
        choices=Rule.choices,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose which rule was broken.")},
    )
    text = forms.CharField(
        label=_("What happened"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4, "maxlength": LONGEST_REPORT}),
        help_text=_("Only staff read this. For behaviour, say what happened and when."),
    )

    def __init__(self, *args: Any, about: str = "", games: Iterable[Game] = (), **more: Any) -> None:
        """Ask what it is about, and in which of these ``games`` it happened, unless that is known."""
        super().__init__(*args, **more)
        choices = [(game.pk, game.name) for game in games]
        if about:
            del self.fields["about"], self.fields["game"]
        elif choices:
            self.fields["game"].choices = [("", _("No game")), *choices]  # type: ignore[attr-defined]
        else:
            del self.fields["game"]


class AppealForm(Refusable):
    """Why a decision is wrong."""

    text = forms.CharField(
        label=_("Why is this decision wrong?"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "maxlength": LONGEST_APPEAL}),
        error_messages={"required": _("Write why the decision is wrong.")},
    )


# --- Reporting players --------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def report_player_page(request: HttpRequest, robo_name: str) -> HttpResponse:
    """Ask which rule a player broke; on POST report them.

    ``?line=`` names a line of chat that they wrote, ``?club=`` a club that they lead.
    """
    user, person = user_of(request), player_named(robo_name)
    thing = reported_thing(
        viewer=user,
        person=person,
        line=request.GET.get("line", ""),
        club=request.GET.get("club", ""),
    )
    form = PlayerReportForm(
        request.POST if request.method == "POST" else None,
        about=thing.about,
        games=games_of_both(viewer=user, person=person),
    )
    status = 200
    if request.method == "POST":
        given: dict[str, Any] = {"user": user, "robo_name": person.robo_name, "now": timezone.now()}
        given |= {"line": thing.line and thing.line.pk}
        given |= {"club": thing.club.slug if thing.club else ""}
        given |= {"about": thing.about} if thing.about else {}
        refused = form.refused_by(report_player, **given)
        if refused is None:
            messages.success(request, gettext("Thank you. Staff look at it, and you hear what came of it."))
            return redirect("conduct:mine")
        status = refused
    context = {"form": form, "person": person, "thing": thing}
    return render(request, "moderation/report_player.html", context, status=status)


# --- Decisions ----------------------------------------------------------------------------------------------


@require_safe
@never_cache
@login_required
@for_people
def my_conduct(request: HttpRequest) -> HttpResponse:
    """Show decisions about the reader, and what they reported."""
    return _conduct_page(request)


@only_by_form
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def appeal_decision(request: HttpRequest, sanction_id: int) -> HttpResponse:
    """Appeal a decision."""
    form = AppealForm(request.POST)
    given = {"user": user_of(request), "sanction_id": sanction_id, "now": timezone.now()}
    if status := form.refused_by(appeal, **given):
        return _conduct_page(request, sanction_id, form, status)
    messages.success(request, gettext("Your appeal is sent. Another member of staff answers it."))
    return redirect("conduct:mine")


def _conduct_page(
    request: HttpRequest, about: int = 0, form: AppealForm | None = None, status: int = 200
) -> HttpResponse:
    user = user_of(request)
    context = {
        "decisions": decisions_about(user=user, now=timezone.now()),
        "reports": [(each, PlayerReport.About(each["about"]).label) for each in reports_by(user=user)],
        "appealed": about,
        "form": form or AppealForm(),
    }
    return render(request, "moderation/my_conduct.html", context, status=status)


# --- Reporting starships and reviews ------------------------------------------------------------------------


class ShipReportForm(Refusable):
    """What is wrong."""

    reason = forms.ChoiceField(
        label=_("What is wrong?"),
        choices=Report.Reason.choices,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what is wrong.")},
    )
    text = forms.CharField(
        label=_("Details"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4, "maxlength": LONGEST_REPORT}),
        help_text=_("If it was copied, say from which ship. Only staff read this."),
    )


class ReviewReportForm(ShipReportForm):
    """What is wrong with a review."""

    reason = forms.ChoiceField(
        label=_("What is wrong?"),
        choices=[each for each in Report.Reason.choices if each[0] != Report.Reason.UNPLAYABLE],
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what is wrong.")},
    )


def report_part(*, viewer: Viewer, starship: Starship) -> dict[str, Any]:
    """Return whether the viewer may report a ship, or has, for `moderation/report_ship_link.html`."""
    return {
        "may_report": may_report(viewer=viewer)
        and starship.owner_id is not None
        and not is_builder(viewer, starship),
        "has_reported": has_reported(viewer=viewer, thing=starship),
    }


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def report_ship(request: HttpRequest, starship_id: int) -> HttpResponse:
    """Ask what is wrong with a ship; on POST report it."""
    ship = starship_for(starship_id=starship_id)
    back = reverse("starships:detail", args=[starship_id])

    def send(**given: Any) -> Report:
        return report_starship(starship_id=starship_id, **given)

    return _report_page(request, send, back, {"heading": ship.name})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def report_a_review(request: HttpRequest, starship_id: int, review_id: int) -> HttpResponse:
    """Ask what is wrong with a review; on POST report it."""
    ship = starship_for(starship_id=starship_id)
    review = review_for(viewer=viewer_of(request), review_id=review_id)
    if review.starship_id != starship_id:
        raise NotFound("no-review", gettext("There is no such review."))
    back = f"{reverse('starships:reviews', args=[starship_id])}#review-{review_id}"

    def send(**given: Any) -> Report:
        return report_review(starship_id=starship_id, review_id=review_id, **given)

    return _report_page(request, send, back, {"heading": ship.name, "review": review})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@unsearched
@login_required
@for_people
@hides_what_is_not_there
def report_shared_ship(request: HttpRequest, link: str) -> HttpResponse:
    """Ask what is wrong with a ship that is shared by a link; on POST report it."""
    draft = shared_draft(link=link)

    def send(**given: Any) -> Report:
        return report_shared(link=link, **given)

    return _report_page(request, send, reverse("shipyard:shared", args=[link]), {"heading": title_of(draft)})


def taken_down_page(request: HttpRequest, starship: Starship) -> HttpResponse:
    """Answer that a ship was taken down; its builder and staff read why."""
    viewer = viewer_of(request)
    reads = is_builder(viewer, starship) or may(viewer, Right.SEE_MODERATIONS)
    told = takedown_of(starship) if reads else None
    context = {"takedown": told, "builds": is_builder(viewer, starship)}
    return render(request, "410.html", context, status=410)


def _report_page(
    request: HttpRequest, send: Callable[..., Report], back: str, context: dict[str, Any]
) -> HttpResponse:
    kind = ReviewReportForm if "review" in context else ShipReportForm
    form, status = kind(request.POST if request.method == "POST" else None), 200
    if request.method == "POST":
        refused = form.refused_by(send, user=user_of(request), now=timezone.now())
        if refused is None:
            messages.success(request, gettext("Thank you. Staff will look at it."))
            return redirect(back)
        status = refused
    context = {"form": form, "back": back, **context}
    return render(request, "moderation/report_ship.html", context, status=status)
