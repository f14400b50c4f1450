"""Account pages that allauth lacks, or that differ from allauth's."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.internal.flows.reauthentication import is_reauthentication_required
from allauth.account.models import Login
from allauth.account.utils import get_next_redirect_url
from allauth.account.views import (
    BaseReauthenticateView,
    ConfirmEmailView,
    PasswordResetView,
    PasswordSetView,
    SignupView,
)
from allauth.core.exceptions import ReauthenticationRequired
from allauth.decorators import rate_limit
from allauth.mfa.webauthn.internal import flows
from allauth.mfa.webauthn.views import LoginWebAuthnView, ReauthenticateWebAuthnView
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.usersessions.internal.flows.sessions import end_sessions
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from requests import RequestException

from accounts import (
    admission,
    challenges,
    inputs,
    services,
    sessions,
    settings as declarations,
    single_sign_on,
)
from accounts.languages import as_read_by
from accounts.mail import stop_mail, user_of
from accounts.models import User
from accounts.navigation import NEXT, mail_link_page, next_url_of, post_only, reverse_with_next
from accounts.sign_ups import SignUpMode

SIGN_UP_CHALLENGE = "sign-up"
"""The name of the sign-up form for puzzles (`challenges`)."""


class SignUpView(SignupView):  # type: ignore[misc]
    """The sign-up page. It also handles two people who sign up with the same name at the same moment."""

    only_with_password = True
    verified_address = ""
    """The address that the provider has verified, if the person comes from there."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Sign up, unless the provider is the only way in."""
        if self.only_with_password and settings.OIDC and settings.OIDC.only:
            return redirect("account_signup")
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def is_open(self) -> bool:
        """Return whether the person can sign up."""
        return not get_adapter().sign_up_refusal(self.request, verified_address=self.verified_address)

    def closed(self) -> HttpResponse:
        """Show the page about closed sign-up, with the reason and the next step."""
        query = {services.INVITED_BY_MAIL: "1", NEXT: next_url_of(self.request)}
        given = urlencode({name: value for name, value in query.items() if value})
        refusal = get_adapter().sign_up_refusal(self.request, verified_address=self.verified_address)
        context = {
            "why": refusal,
            "by_mail_url": f"{self.request.path}?{given}",
            "verified_address": self.verified_address,
        }
        return render(self.request, "account/signup_closed.html", context)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the puzzle, if many people are signing up, and the next step after the form."""
        now = timezone.now()
        context: dict[str, Any] = super().get_context_data(**kwargs)
        if self.only_with_password and challenges.is_required(now=now):
            context["challenge"] = challenges.new_challenge(SIGN_UP_CHALLENGE, request=self.request, now=now)
        current = admission.mode()
        by_mail = current == SignUpMode.INVITED and self.request.session.get(services.INVITED_BY_MAIL)
        return context | {
            "by_mail": by_mail and not self.verified_address,
            "approved": current == SignUpMode.APPROVED,
        }

    def form_valid(self, form: inputs.SignUpForm) -> HttpResponse:
        """Create the account. If another person just took the name, show the form with that error."""
        answer: HttpResponse
        now = timezone.now()
        required = self.only_with_password and challenges.is_required(now=now)
        if required and (detail := challenges.refusal_of(self.request, SIGN_UP_CHALLENGE, now=now)):
            form.add_error(None, detail)
            return cast("HttpResponse", self.form_invalid(form))
        try:
            answer = super().form_valid(form)
        except IntegrityError:
            form.full_clean()  # now the validation finds that the name is taken
            answer = super().form_valid(form) if form.is_valid() else self.form_invalid(form)
        return answer


def provider_page(view: Callable[..., Any]) -> Callable[..., Any]:
    """Declare a view as a part of single sign-on. Without a provider, it does not exist (404)."""

    @never_cache
    @wraps(view)
    def page(request: HttpRequest, *args: Any, **more: Any) -> Any:
        if settings.OIDC is None:
            raise Http404
        return view(request, *args, **more)

    return page


@method_decorator(provider_page, name="dispatch")
class ProviderSignUpView(SignUpView):
    """The page to choose a Robo Name, for a new person from the provider."""

    template_name = "account/provider_signup.html"
    only_with_password = False

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the login page if this browser has no new person from the provider."""
        self.identity = single_sign_on.pending_identity(request)
        if self.identity is None:
            return redirect("account_login")
        self.verified_address = self.identity.email if self.identity.email_verified else ""
        answer: HttpResponse = super().dispatch(request, *args, **kwargs)
        return answer

    def get_form_class(self) -> type[inputs.ProviderSignUpForm]:
        return inputs.ProviderSignUpForm

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "identity": self.identity}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the address of the login page. After a login there, a person can link their account."""
        told: dict[str, Any] = super().get_context_data(**kwargs)
        return told | {"link_login": reverse_with_next("account_login", reverse("account_provider"))}


@post_only
@provider_page
@rate_limit(action="login")  # type: ignore[untyped-decorator]
def provider_login(request: HttpRequest) -> HttpResponse:
    """Send a person to the provider, to log in, sign up or link the account.

    The answer is a page that refreshes itself, because browsers apply ``form-action`` of the content
    security policy to redirects after a form.
    """
    process = single_sign_on.LINK if "link" in request.POST else single_sign_on.LOGIN
    if process == single_sign_on.LINK:
        if not isinstance(request.user, User):
            return redirect_to_login(reverse("account_provider"))
        if is_reauthentication_required(request, app="accounts"):
            raise ReauthenticationRequired
    return _to_provider(request, process)


def _to_provider(request: HttpRequest, process: str) -> HttpResponse:
    next_url = next_url_of(request)
    try:
        answer = single_sign_on.go_to_provider(request, process=process, next_url=next_url)
    except (OAuth2Error, RequestException) as error:
        single_sign_on.log_failure(error)
        return single_sign_on.failure(request, exception=error, state={"next": next_url})
    address = answer["Location"]
    context = {"address": address, "refresh": f"0; url={address}"}
    return render(request, "account/provider_redirect.html", context)


@require_safe
@provider_page
def provider_callback(request: HttpRequest) -> HttpResponse:
    """Take the provider's answer, and log the person in, sign them up, or link their account."""
    try:
        answer: HttpResponse = OAuth2CallbackView.adapter_view(single_sign_on.Client)(request)
    except (IntegrityError, OAuth2Error, RequestException) as error:
        single_sign_on.log_failure(error)
        answer = single_sign_on.failure(request, exception=error)
    return answer


@require_safe
@never_cache
@login_required
def provider_settings(request: HttpRequest) -> HttpResponse:
    """Show whether a person's account is linked with the provider, with a button to link or unlink it."""
    assert isinstance(request.user, User)
    if settings.OIDC is None:
        return redirect("mfa_index")
    identity = single_sign_on.identity_of(request.user)
    context = {"identity": identity, "may_unlink": single_sign_on.may_unlink(request.user)}
    return render(request, "account/provider.html", context)


@post_only
@provider_page
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def provider_unlink(request: HttpRequest) -> HttpResponse:
    """Unlink a person's account from the provider, if they can still log in afterwards."""
    assert isinstance(request.user, User)
    if single_sign_on.may_unlink(request.user):
        single_sign_on.unlink(user=request.user)
        messages.success(request, _("The link is removed. Log in with your password from now on."))
    else:
        messages.error(request, _("Set a password first. Without one, you couldn’t log in any more."))
    return redirect("account_provider")


@method_decorator(provider_page, name="dispatch")
@method_decorator(login_required, name="dispatch")
class ProviderReauthenticateView(BaseReauthenticateView):  # type: ignore[misc]
    """Reauthenticates a person by another login at the provider."""

    form_class = Form
    template_name = "account/provider_reauthenticate.html"

    def form_valid(self, form: Form) -> HttpResponse:
        return _to_provider(self.request, single_sign_on.REAUTHENTICATE)


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
        confirmed = services.confirmed_by(self.kwargs["key"])
        if confirmed and admission.is_waiting(confirmed.user):
            return reverse("accounts:waiting")
        if not self.request.user.is_authenticated:
            return reverse_with_next("account_login", next_url)
        return next_url or resolve_url(settings.LOGIN_REDIRECT_URL)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@rate_limit(action="signup")  # type: ignore[untyped-decorator]
def verification_sent(request: HttpRequest) -> HttpResponse:
    """Say that a confirmation email was sent. The same browser can resend it or correct the address."""
    waiting_for_mail = services.waiting_sign_up(request)
    next_url = next_url_of(request)
    if request.method == "POST" and waiting_for_mail is None:
        messages.error(
            request, _("No sign-up is waiting to be confirmed in this browser. Log in or sign up again.")
        )
        return redirect(reverse_with_next("account_login", next_url))
    typed = services.address_of(waiting_for_mail) if waiting_for_mail else None
    form = inputs.CorrectAddressForm(
        request.POST if "email" in request.POST else None, initial={"email": typed.email} if typed else None
    )
    if waiting_for_mail and request.method == "POST" and (not form.is_bound or form.is_valid()):
        if form.is_bound:
            address = services.correct_address(user=waiting_for_mail, email=form.cleaned_data["email"])
        else:
            address = services.address_of(waiting_for_mail)
        if address and not send_verification_email_to_address(request, address, signup=True):
            messages.warning(
                request, _("We just sent an email to this address. Wait a minute before you ask for another.")
            )
        return redirect(reverse_with_next("account_email_verification_sent", next_url))
    address = services.address_of(waiting_for_mail) if waiting_for_mail else None
    context = {
        "address": address,
        "form": form,
        "next_url": next_url,
        "next_field": NEXT,
        "confirmed": waiting_for_mail is None and services.was_confirmed(request),
        "held": services.is_held(request),
    }
    return render(request, "account/verification_sent.html", context)


@require_safe
def waiting(request: HttpRequest) -> HttpResponse:
    """Show the page about an account that waits for staff."""
    return render(request, "account/waiting.html")


@require_safe
@never_cache
def join(request: HttpRequest, mark: str) -> HttpResponse:
    """Remember an invitation link, and redirect to the sign-up page. Explain a link that has ended."""
    if isinstance(request.user, User) and not request.user.is_guest:
        return redirect(settings.LOGIN_REDIRECT_URL)
    if admission.valid_link(mark, now=timezone.now()) is None:
        return render(request, "account/invitation_over.html", status=404)
    request.session[services.INVITATION_KEY] = mark
    return redirect("account_signup")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitations(request: HttpRequest) -> HttpResponse:
    """Show a person's open invitation links. On POST, make one."""
    user, now = request.user, timezone.now()
    assert isinstance(user, User)
    form = inputs.InvitationLinkForm(request.POST or None)
    if form.is_valid():
        try:
            admission.make_link(user=user, most=form.cleaned_data["most"], now=now)
        except ValidationError as refusal:
            form.add_error(None, refusal)
        else:
            messages.success(request, _("Your link is ready. Send it to the people you want to invite."))
            return redirect("accounts:invitations")
    context = {
        "form": form,
        "links": admission.links_of(user, now=now),
        "mode": admission.mode(),
        "site_url": settings.BASE_URL,
    }
    return render(request, "account/invitations.html", context)


@post_only
@login_required
def end_invitation(request: HttpRequest, number: int) -> HttpResponse:
    """End one of a person's invitation links."""
    assert isinstance(request.user, User)
    if admission.end_link(user=request.user, link_id=number, now=timezone.now()):
        messages.success(request, _("That link no longer works."))
    return redirect("accounts:invitations")


class AskForPasswordView(PasswordResetView):  # type: ignore[misc]
    """The form to request a password reset by mail.

    The link in the mail leads on to the page given as ``next``.
    """

    def get_success_url(self) -> str:
        """Return the address of the page about the mail that was sent.

        allauth would redirect to the requested page at once. On this site, the link in the mail leads there.
        """
        return reverse_with_next("account_reset_password_done", next_url_of(self.request))


class SetPasswordView(PasswordSetView):  # type: ignore[misc]
    """The form for the first password of an account, unless the provider is the only way in."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Lead to the page about security if this account cannot have a password."""
        if isinstance(request.user, User) and not single_sign_on.passwords_allowed(request.user):
            messages.error(request, _("Accounts on this site have no passwords."))
            return redirect("mfa_index")
        answer: HttpResponse = super().dispatch(request, *args, **kwargs)
        return answer


class PasskeyLoginView(LoginWebAuthnView):  # type: ignore[misc]
    """Logs a person in with only a passkey, and redirects to the requested page."""

    def form_valid(self, form: inputs.PasskeyLoginForm) -> HttpResponse:
        passkey = form.cleaned_data["credential"]
        if not single_sign_on.passwords_allowed(passkey.user):
            messages.error(self.request, _("Passkeys are only a second factor here. Log in with the button."))
            return _redirect_keeping_next(self.request, "account_login")
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
