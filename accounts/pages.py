"""Account pages that allauth lacks, or that differ from allauth's."""

import json
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.models import Login
from allauth.account.utils import get_next_redirect_url
from allauth.account.views import ConfirmEmailView, PasswordResetView, SignupView
from allauth.decorators import rate_limit
from allauth.mfa.webauthn.internal import flows
from allauth.mfa.webauthn.views import LoginWebAuthnView, ReauthenticateWebAuthnView
from allauth.usersessions.internal.flows.sessions import end_sessions
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import inputs, services, sessions, settings as declarations
from accounts.languages import as_read_by
from accounts.mail import stop_mail, user_of
from accounts.models import User
from accounts.navigation import NEXT, mail_link_page, next_url_of, post_only, reverse_with_next


class SignUpView(SignupView):  # type: ignore[misc]
    """The sign-up page. It also handles two people who sign up with the same name at the same moment."""

    def form_valid(self, form: inputs.SignUpForm) -> HttpResponse:
        """Create the account. If another person just took the name, show the form with that error."""
        answer: HttpResponse
        try:
            answer = super().form_valid(form)
        except IntegrityError:
            form.full_clean()  # now the validation finds that the name is taken
            answer = super().form_valid(form) if form.is_valid() else self.form_invalid(form)
        return answer


@method_decorator(never_cache, name="dispatch")
class ConfirmAddressView(ConfirmEmailView):  # type: ignore[misc]
    """The page that confirms an address by the link in an email. It works in any browser."""

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """Confirm the address, or explain why the link no longer works."""
        answer: HttpResponse
        try:
            answer = super().post(*args, **kwargs)
        except Http404:
            self.object = None
            context = self.get_context_data()
            answer = self.render_to_response(context, status=200 if context["confirmed"] else 404)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the address to the context if the link has already confirmed it.

        This reveals nothing to others, because only the owner of the address has the link.
        """
        context: dict[str, Any] = super().get_context_data(**kwargs)
        confirmed = None if self.object else services.confirmed_by(self.kwargs["key"])
        return {**context, "confirmed": confirmed, "next_url": next_url_of(self.request)}

    def get_redirect_url(self) -> str:
        """Return the requested page, or the login page first if the person is not logged in."""
        next_url = next_url_of(self.request)
        if not self.request.user.is_authenticated:
            return reverse_with_next("account_login", next_url)
        return next_url or resolve_url(settings.LOGIN_REDIRECT_URL)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@rate_limit(action="signup")  # type: ignore[untyped-decorator]
def verification_sent(request: HttpRequest) -> HttpResponse:
    """Say that a confirmation email was sent. The same browser can resend it or correct the address."""
    waiting = services.waiting_sign_up(request)
    next_url = next_url_of(request)
    if request.method == "POST" and waiting is None:
        messages.error(
            request, _("No sign-up is waiting to be confirmed in this browser. Log in or sign up again.")
        )
        return redirect(reverse_with_next("account_login", next_url))
    typed = services.address_of(waiting) if waiting else None
    form = inputs.CorrectAddressForm(
        request.POST if "email" in request.POST else None, initial={"email": typed.email} if typed else None
    )
    if waiting and request.method == "POST" and (not form.is_bound or form.is_valid()):
        if form.is_bound:
            address = services.correct_address(user=waiting, email=form.cleaned_data["email"])
        else:
            address = services.address_of(waiting)
        if address and not send_verification_email_to_address(request, address, signup=True):
            messages.warning(
                request, _("We just sent an email to this address. Wait a minute before you ask for another.")
            )
        return redirect(reverse_with_next("account_email_verification_sent", next_url))
    address = services.address_of(waiting) if waiting else None
    context = {
        "address": address,
        "form": form,
        "next_url": next_url,
        "next_field": NEXT,
        "confirmed": waiting is None and services.was_confirmed(request),
    }
    return render(request, "account/verification_sent.html", context)


class AskForPasswordView(PasswordResetView):  # type: ignore[misc]
    """The form to request a password reset by mail.

    The link in the mail leads on to the page given as ``next``.
    """

    def get_success_url(self) -> str:
        """Return the address of the page about the mail that was sent.

        allauth would redirect to the requested page at once. On this site, the link in the mail leads there.
        """
        return reverse_with_next("account_reset_password_done", next_url_of(self.request))


class PasskeyLoginView(LoginWebAuthnView):  # type: ignore[misc]
    """Logs a person in with only a passkey, and redirects to the requested page."""

    def form_valid(self, form: inputs.PasskeyLoginForm) -> HttpResponse:
        passkey = form.cleaned_data["credential"]
        login = Login(user=passkey.user, redirect_url=get_next_redirect_url(self.request))
        answer: HttpResponse = flows.perform_passwordless_login(self.request, passkey, login)
        return answer

    def form_invalid(self, form: inputs.PasskeyLoginForm) -> HttpResponse:
        """Show the errors on the login page, where the person can try again."""
        _say_what_is_wrong(self.request, form)
        return _redirect_keeping_next(self.request, "account_login")


class ReauthenticateByPasskeyView(ReauthenticateWebAuthnView):  # type: ignore[misc]
    """Reauthenticates a person with a passkey. The number of attempts is not limited."""

    def form_invalid(self, form: inputs.ReauthenticateByPasskeyForm) -> HttpResponse:
        """Show the errors on the reauthentication page, where the person can try again."""
        _say_what_is_wrong(self.request, form)
        return _redirect_keeping_next(self.request, "mfa_reauthenticate_webauthn")


def _say_what_is_wrong(request: HttpRequest, form: Any) -> None:
    for said in dict.fromkeys(sentence for errors in form.errors.values() for sentence in errors):
        messages.error(request, said)


def _redirect_keeping_next(request: HttpRequest, name: str) -> HttpResponse:
    answer = redirect(name)
    if onwards := get_next_redirect_url(request):
        answer["Location"] += f"?{urlencode({'next': onwards})}"
    return answer


class SessionsView(ListUserSessionsView):  # type: ignore[misc]
    """The list of a person's sessions, with a button to end all except the current one."""

    @method_decorator(reauthentication_required)
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        user = self.request.user
        assert isinstance(user, User)
        signed_in = sessions.sessions_of(user)
        told: dict[str, Any] = super().get_context_data(**kwargs)
        return told | {"sessions": signed_in, "session_count": len(signed_in)}


@post_only
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def end_session(request: HttpRequest, number: int) -> HttpResponse:
    """Log a person out of one of their other browsers. ``number`` is the ID of the session."""
    assert isinstance(request.user, User)
    end_sessions(request, [get_object_or_404(UserSession, pk=number, user=request.user)])
    messages.success(request, _("That browser is now logged out."))
    return redirect("usersessions_list")


@login_required
def profile(request: HttpRequest) -> HttpResponse:
    """Show or change a person's robot, time zone, language and privacy settings."""
    user = request.user
    assert isinstance(user, User)
    form = inputs.ProfileForm(request.POST or None, instance=user)
    if form.is_valid():
        declarations.change_preferences(user=user, **form.cleaned_data)
        with as_read_by(user):
            messages.success(request, gettext("Your profile is saved."))
        return redirect("accounts:profile")
    return render(request, "account/profile.html", {"form": form})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page_settings(request: HttpRequest) -> HttpResponse:
    """Show or save the settings of pages and turns, as a page or as JSON for scripts.

    For strangers, a script stores the settings in the browser. Without scripts, strangers cannot store them.
    """
    user = request.user if isinstance(request.user, User) else None
    if request.headers.get("Accept") == "application/json":
        return _settings_as_json(request, user)
    if user is None and request.method == "POST":
        return redirect_to_login(request.path)
    form = inputs.PageSettingsForm(request.POST or None, instance=user)
    if user and form.is_valid():
        declarations.change_settings(user=user, chosen=form.cleaned_data)
        messages.success(request, gettext("Your settings are saved for all your devices."))
        return redirect("accounts:settings")
    if user:
        user.refresh_from_db(fields=[*declarations.SETTINGS])  # so that only the form shows refused values
    return render(request, "account/settings.html", {"form": form})


def _settings_as_json(request: HttpRequest, user: User | None) -> HttpResponse:
    """Save new settings, and return the stored settings as JSON. Errors are 400 or 403 with `detail`."""
    if user is None:
        return JsonResponse({"detail": gettext("You were logged out. Log in, then try again.")}, status=403)
    refused = ""
    if request.method == "POST":
        try:
            chosen = json.loads(request.body)
            if not isinstance(chosen, dict):
                raise ValueError
            declarations.change_settings(user=user, chosen=chosen)
        except ValidationError as error:
            refused = " ".join(error.messages)
        except (ValueError, RecursionError):
            refused = gettext("Send the settings as a JSON object, such as {“speed”: 200}.")
    answer: dict[str, Any] = {"person": user.pk, "settings": declarations.settings_of(user)}
    if refused:
        answer["detail"] = refused
    return JsonResponse(answer, status=400 if refused else 200)


@mail_link_page(user_of)
def unsubscribe(request: HttpRequest, person: User) -> HttpResponse:
    """Ask whether to stop mail about games. On POST, stop the mail."""
    if request.method == "POST":
        stop_mail(user=person)
    return render(request, "account/unsubscribe.html", {"person": person})
