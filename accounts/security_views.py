"""Second factors and sessions, where allauth's own pages do not do."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.models import Login
from allauth.account.utils import get_next_redirect_url
from allauth.mfa.webauthn.internal import flows
from allauth.mfa.webauthn.views import LoginWebAuthnView, ReauthenticateWebAuthnView
from allauth.usersessions.internal.flows.sessions import end_sessions
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.views.decorators.http import require_POST

from accounts import sessions
from accounts.models import User
from accounts.security_forms import ReauthenticateByPasskeyForm, SignInByPasskeyForm


class SignInByPasskeyView(LoginWebAuthnView):  # type: ignore[misc]
    """Logging in by a passkey alone, which leads on to the page that somebody came for."""

    def form_valid(self, form: SignInByPasskeyForm) -> HttpResponse:
        """Log in whose passkey it is."""
        passkey = form.cleaned_data["credential"]
        login = Login(user=passkey.user, redirect_url=get_next_redirect_url(self.request))
        answer: HttpResponse = flows.perform_passwordless_login(self.request, passkey, login)
        return answer

    def form_invalid(self, form: SignInByPasskeyForm) -> HttpResponse:
        """Lead back to where one may try again."""
        _say_what_is_wrong(self.request, form)
        return _again(self.request, "account_login")


class ReauthenticateByPasskeyView(ReauthenticateWebAuthnView):  # type: ignore[misc]
    """Showing a passkey once more, as often as it takes."""

    def form_invalid(self, form: ReauthenticateByPasskeyForm) -> HttpResponse:
        """Lead back to where one may try again."""
        _say_what_is_wrong(self.request, form)
        return _again(self.request, "mfa_reauthenticate_webauthn")


def _say_what_is_wrong(request: HttpRequest, form: Any) -> None:
    for said in dict.fromkeys(sentence for errors in form.errors.values() for sentence in errors):
        messages.error(request, said)


def _again(request: HttpRequest, name: str) -> HttpResponse:
    answer = redirect(name)
    if onwards := get_next_redirect_url(request):
        answer["Location"] += f"?{urlencode({'next': onwards})}"
    return answer


class SessionsView(ListUserSessionsView):  # type: ignore[misc]
    """Where somebody is logged in, and logging out everywhere else."""

    @method_decorator(reauthentication_required)
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """End all other sessions."""
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Say it in words."""
        user = self.request.user
        assert isinstance(user, User)
        signed_in = sessions.of(user)
        told: dict[str, Any] = super().get_context_data(**kwargs)
        return told | {"sessions": signed_in, "session_count": len(signed_in)}


@require_POST
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def end_session(request: HttpRequest, number: int) -> HttpResponse:
    """Log out in one of the browsers in which whoever asks is logged in."""
    assert isinstance(request.user, User)
    end_sessions(request, [get_object_or_404(UserSession, pk=number, user=request.user)])
    messages.success(request, "You are logged out there.")
    return redirect("usersessions_list")
