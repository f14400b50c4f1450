"""The pages of profile and settings."""

import json
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.settings import declarations, services
from accounts.settings.forms import PageSettingsForm, ProfileForm
from accounts.users.models import User


@login_required
def profile(request: HttpRequest) -> HttpResponse:
    """Robot, time zone, and who can see what of a person."""
    user = request.user
    assert isinstance(user, User)
    form = ProfileForm(request.POST or None, instance=user)
    if form.is_valid():
        services.change_preferences(user=user, **form.cleaned_data)
        messages.success(request, gettext("Your profile is saved."))
        return redirect("accounts:profile")
    return render(request, "account/profile.html", {"form": form})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """How pages are shown and turns played: as a page, and for scripts as JSON.

    A stranger sees the page, whose script keeps what is chosen in the browser; without a script there is
    no one for whom it could be kept.
    """
    user = request.user if isinstance(request.user, User) else None
    if request.headers.get("Accept") == "application/json":
        return _settings_as_json(request, user)
    if user is None and request.method == "POST":
        return redirect_to_login(request.path)
    form = PageSettingsForm(request.POST or None, instance=user)
    if user and form.is_valid():
        services.change_settings(user=user, chosen=form.cleaned_data)
        messages.success(request, gettext("Your settings are saved for all your devices."))
        return redirect("accounts:settings")
    if user:
        user.refresh_from_db(fields=[*declarations.SETTINGS])  # what was refused is shown in the form alone
    return render(request, "account/settings.html", {"form": form})


def _settings_as_json(request: HttpRequest, user: User | None) -> HttpResponse:
    """Answer what is kept, after keeping what was sent: 400 with `detail` when it will not do."""
    if user is None:
        return JsonResponse(
            {"detail": gettext("Log in first: you are no longer logged in here.")}, status=403
        )
    refused = ""
    if request.method == "POST":
        try:
            chosen = json.loads(request.body)
            if not isinstance(chosen, dict):
                raise ValueError
            services.change_settings(user=user, chosen=chosen)
        except ValidationError as error:
            refused = " ".join(error.messages)
        except (ValueError, RecursionError):
            refused = gettext("Settings come as a JSON object, such as {“speed”: 200}.")
    answer: dict[str, Any] = {"person": user.pk, "settings": services.settings_of(user)}
    if refused:
        answer["detail"] = refused
    return JsonResponse(answer, status=400 if refused else 200)
