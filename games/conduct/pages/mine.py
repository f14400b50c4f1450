"""What someone reads about conduct: decisions about them, appeals, and what they reported."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.navigation import only_by_form
from games.conduct.forms import AppealForm
from games.conduct.models import PlayerReport
from games.conduct.selectors.mine import decisions_about, reports_by
from games.conduct.services.appeals import appeal
from games.web.pages import for_people, hides_what_is_not_there, user_of


@require_safe
@never_cache
@login_required
@for_people
def mine(request: HttpRequest) -> HttpResponse:
    """Show decisions about the reader, and what they reported."""
    return _page(request)


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
        return _page(request, sanction_id, form, status)
    messages.success(request, _("Your appeal is sent. Another member of staff answers it."))
    return redirect("conduct:mine")


def _page(
    request: HttpRequest, about: int = 0, form: AppealForm | None = None, status: int = 200
) -> HttpResponse:
    user = user_of(request)
    context = {
        "decisions": decisions_about(user=user, now=timezone.now()),
        "reports": [(each, PlayerReport.About(each["about"]).label) for each in reports_by(user=user)],
        "appealed": about,
        "form": form or AppealForm(),
    }
    return render(request, "conduct/mine.html", context, status=status)
