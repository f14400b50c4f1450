"""Sign-up, settings, and the link that stops mail."""

import json

from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.views import SignupView
from allauth.decorators import rate_limit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts import services, signing_up, unsubscribing
from accounts.forms import CorrectAddressForm, ProfileForm, SettingsForm, SignUpForm
from accounts.models import User


class SignUpView(SignupView):  # type: ignore[misc]
    """Sign-up, also when two people want one name in the same instant."""

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        """Make the account, or show what is wrong with the form by now."""
        answer: HttpResponse
        try:
            answer = super().form_valid(form)
        except IntegrityError:
            form.full_clean()  # the name is seen to be taken now
            answer = super().form_valid(form) if form.is_valid() else self.form_invalid(form)
        return answer


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@rate_limit(action="signup")  # type: ignore[untyped-decorator]
def verification_sent(request: HttpRequest) -> HttpResponse:
    """Say that a mail is on its way; send it again, or to the right address, where one has signed up here."""
    waiting = signing_up.waiting(request)
    if request.method == "POST" and waiting is None:
        messages.error(request, "No sign-up waits in this browser any more. Log in or sign up again.")
        return redirect("account_login")
    typed = signing_up.address_of(waiting) if waiting else None
    form = CorrectAddressForm(
        request.POST if "email" in request.POST else None,
        initial={"email": typed.email} if typed else None,
    )
    if waiting and request.method == "POST" and (not form.is_bound or form.is_valid()):
        if form.is_bound:
            address = signing_up.correct_address(user=waiting, email=form.cleaned_data["email"])
        else:
            address = signing_up.address_of(waiting)
        if address and not send_verification_email_to_address(request, address, signup=True):
            messages.warning(request, "A mail has just gone there. Wait a minute before you ask for another.")
        return redirect("account_email_verification_sent")
    address = signing_up.address_of(waiting) if waiting else None
    return render(request, "account/verification_sent.html", {"address": address, "form": form})


@login_required
def profile(request: HttpRequest) -> HttpResponse:
    """Robot, time zone, and who can see what of a person."""
    user = request.user
    assert isinstance(user, User)
    form = ProfileForm(request.POST or None, instance=user)
    if form.is_valid():
        services.change_preferences(user=user, **form.cleaned_data)
        messages.success(request, "Your profile is saved.")
        return redirect("accounts:profile")
    return render(request, "account/profile.html", {"form": form})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """How pages are shown and turns played: as a page, and for scripts as JSON.

    A stranger sees the page, whose script keeps what is chosen in the browser; without a script there is
    nobody for whom it could be kept.
    """
    user = request.user if isinstance(request.user, User) else None
    if request.headers.get("Accept") == "application/json":
        return _settings_as_json(request, user)
    if user is None and request.method == "POST":
        return redirect_to_login(request.path)
    form = SettingsForm(request.POST or None, instance=user)
    if user and form.is_valid():
        services.change_settings(user=user, chosen=form.cleaned_data)
        messages.success(request, "Your settings are kept, for every device of yours.")
        return redirect("accounts:settings")
    if user:
        user.refresh_from_db(fields=services.SETTINGS)  # what was refused is shown in the form alone
    return render(request, "account/settings.html", {"form": form})


def _settings_as_json(request: HttpRequest, user: User | None) -> HttpResponse:
    """Answer what is kept, after keeping what was sent: 400 with `detail` when it will not do."""
    if user is None:
        return JsonResponse({"detail": "Log in first: you are not logged in here any more."}, status=403)
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
            refused = "Settings come as a JSON object, such as {“speed”: 200}."
    answer = {"settings": services.settings_of(user)} | ({"detail": refused} if refused else {})
    return JsonResponse(answer, status=400 if refused else 200)


@csrf_exempt  # mail programs post without a cookie; the signature in the address is what counts
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether mail about games should stop; on POST stop it."""
    person = unsubscribing.user_of(token)
    if person is None:
        return render(request, "account/unsubscribe_unknown.html", status=404)
    if request.method == "POST":
        services.stop_mail(user=person)
    return render(request, "account/unsubscribe.html", {"person": person})
