"""The pages of passkeys, where allauth's own do not fit."""

from typing import Any

from allauth.account.models import Login
from allauth.account.utils import get_next_redirect_url
from allauth.mfa.webauthn.internal import flows
from allauth.mfa.webauthn.views import LoginWebAuthnView, ReauthenticateWebAuthnView
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import urlencode

from accounts.second_factor.forms import ReauthenticateByPasskeyForm, SignInByPasskeyForm


class SignInByPasskeyView(LoginWebAuthnView):  # type: ignore[misc]
    """Logging in by a passkey alone, which leads on to the page that someone came for."""

    def form_valid(self, form: SignInByPasskeyForm) -> HttpResponse:
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
