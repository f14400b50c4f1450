"""What is held about a person, for that person to take along, or to be deleted."""

from io import BytesIO

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.services import placeholder_of
from games.errors import ServiceError
from games.people.forms import PartingForm
from games.people.selectors.data_file import write_data_file
from games.people.selectors.partings import parting_of
from games.people.services.deletion import delete_account
from games.web.pages import for_people, user_of


@require_safe
@login_required
@for_people
def data(request: HttpRequest) -> HttpResponse:
    """Say what is held about the person who asks, and let them take it along."""
    return render(request, "people/data.html")


@require_safe
@never_cache
@login_required
@for_people
@reauthentication_required  # type: ignore[untyped-decorator]
def data_file(request: HttpRequest) -> HttpResponse:
    """Answer with all of it as a person/1 document, once they have given their password."""
    file = BytesIO()
    write_data_file(file, user=user_of(request), now=timezone.now())
    attached = 'attachment; filename="robo-runner-my-data.json"'
    return HttpResponse(
        file.getvalue(), content_type="application/json", headers={"Content-Disposition": attached}
    )


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]
def delete(request: HttpRequest) -> HttpResponse:
    """Say what becomes of an account that is deleted; delete it, once its person has given their password."""
    user = user_of(request)
    form = PartingForm(request.POST or None, user=user)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            delete_account(user=user, takes_chat=form.cleaned_data["takes_chat"], now=timezone.now())
        except ServiceError as refusal:
            form.add_error(None, refusal.detail)
            status = refusal.status
        else:
            logout(request)
            messages.success(request, _("Your account is deleted. Goodbye."))
            return redirect("pages:home")
    context = {
        "form": form,
        "parting": parting_of(user=user),
        "placeholder": placeholder_of(user),
    }
    return render(request, "people/delete.html", context, status=status)
