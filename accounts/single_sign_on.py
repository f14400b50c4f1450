"""Single sign-on: people log in with their account at an OpenID Connect provider.

The operator configures one provider (``settings.OIDC``). allauth speaks the protocol (authorization code with
PKCE). This module decides who may log in:

- The provider's issuer and the person's subject there identify a person. An address never does: no claim
  about an address can open an existing account.
- A person links an existing account in the settings, after a login and a reauthentication.
- A new person chooses a Robo Name. Their address counts as confirmed only if the provider says so.

Accounts store only the issuer and the subject, no other claims (`SocialAccount`). If the operator changes the
provider, old links stay in the database but open nothing.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from time import time
from typing import Any, Final

import jwt
from allauth.account import app_settings
from allauth.account.adapter import get_adapter as account_adapter
from allauth.account.internal.flows import reauthentication
from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import perform_login
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, get_adapter
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.base.constants import AuthError
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.utils import generate_code_challenge
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from allauth.utils import build_absolute_uri
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language, gettext as _
from requests import RequestException

from accounts import robo_names, services
from accounts.models import User, mailbox_of

log = logging.getLogger(__name__)

LOGIN: Final = "login"
LINK: Final = "link"
REAUTHENTICATE: Final = "reauthenticate"
"""The purposes of a visit to the provider: log in or sign up, link the account, reauthenticate."""

ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""The accepted algorithms of signatures. Each uses a public key of the provider."""

CLOCK_SKEW: Final = 60
"""The maximum difference between the clocks of this site and the provider, in seconds."""

PENDING_KEY: Final = "provider_sign_up"
"""The session key for the identity of a new person. They still have to choose a Robo Name."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A person as the provider describes them.

    ``email`` is empty if the provider names no valid address. ``robo_name`` is a suggestion, or empty.
    """

    issuer: str
    subject: str
    email: str
    email_verified: bool
    robo_name: str


def provider_name() -> str:
    """Return the provider's name for people, or "" if no provider is configured."""
    return settings.OIDC.name if settings.OIDC else ""


def _issuer() -> str:
    return settings.OIDC.issuer if settings.OIDC else ""


# --- The conversation with the provider ---------------------------------------------------------------------


@contextmanager
def _provider_answers() -> Iterator[None]:
    """Raise OAuth2Error for errors that come from a malformed answer of the provider."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError, jwt.PyJWTError) as error:
        raise OAuth2Error(f"{type(error).__name__}: {error}") from error


class Provider(OpenIDConnectProvider):  # type: ignore[misc]
    """The operator's provider."""

    def get_pkce_params(self) -> dict[str, str]:
        parameters: dict[str, str] = generate_code_challenge()
        return parameters

    def get_oauth2_adapter(self, request: HttpRequest) -> "Client":
        return Client(request)


class Client(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """The client of the provider. It checks more than allauth: issuer, signature and subject."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request, _issuer())

    @property
    def openid_config(self) -> dict[str, Any]:
        """The provider's configuration document. Its issuer must be the configured one."""
        with _provider_answers():
            config: dict[str, Any] = super().openid_config
            if config["issuer"] != self.provider_id:
                raise OAuth2Error(f"the provider calls itself {config['issuer']}, not {self.provider_id}")
            for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
                if not config[name].startswith(("https://", "http://")):
                    raise OAuth2Error(f"{name} is not an address")
        return config

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        path = reverse("account_provider_callback")
        return str(build_absolute_uri(request, path, self.redirect_uri_protocol))

    def get_access_token_data(self, *given: Any, **more: Any) -> Any:
        """Return the provider's answer with the tokens."""
        with _provider_answers():
            return super().get_access_token_data(*given, **more)

    def parse_token(self, data: Any) -> SocialToken:
        with _provider_answers():
            return super().parse_token(data)

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any
    ) -> SocialLogin:
        """Return the login of the person in the provider's signed ID token."""
        with _provider_answers():
            claims = self._signed_claims(app, kwargs["response"]["id_token"])
            described = claims
            if "userinfo_endpoint" in self.openid_config:
                described = self._fetch_user_info(token.token)
                if described["sub"] != claims["sub"]:
                    raise OAuth2Error("the userinfo is about another person")
            identity = _identity_of(claims["sub"], claims if "email" not in described else described)
            name = described.get("preferred_username") or claims.get("preferred_username")
        login = SocialLogin(
            provider=self.get_provider(),
            account=SocialAccount(provider=identity.issuer, uid=identity.subject),
        )
        login.identity = Identity(**asdict(identity) | {"robo_name": suggested_name(name)})
        login.authenticated_at = claims.get("auth_time")
        return login

    def _signed_claims(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        """Return the claims of an ID token, after checking its signature, issuer, audience and age."""
        header = jwt.get_unverified_header(id_token)
        with get_adapter().get_requests_session() as session:
            answer = session.get(self.openid_config["jwks_uri"])
            answer.raise_for_status()
        keys = jwt.PyJWKSet.from_dict(answer.json()).keys
        wanted = header.get("kid")
        key = next((each for each in keys if wanted in (None, each.key_id)), None)
        if key is None:
            raise OAuth2Error(f"the provider has no key {wanted!r}")
        claims: dict[str, Any] = jwt.decode(
            id_token,
            key=key,
            algorithms=ALGORITHMS,
            issuer=self.openid_config["issuer"],
            audience=app.client_id,
            leeway=CLOCK_SKEW,
            options={"require": ["iss", "sub", "aud", "exp", "iat"]},
        )
        if claims.get("azp", app.client_id) != app.client_id:
            raise OAuth2Error("the ID token is for another client")
        return claims


MAX_SUBJECT_LENGTH: Final = 191
"""The maximum length of a person's identifier at the provider, in characters (allauth's column)."""


def _identity_of(subject: str, claims: dict[str, Any]) -> Identity:
    """Return a person's identity. Raises OAuth2Error for a subject that can't be stored."""
    if (
        not isinstance(subject, str)
        or not 0 < len(subject) <= MAX_SUBJECT_LENGTH
        or not subject.isprintable()
    ):
        raise OAuth2Error("the subject is empty, too long or not printable")
    email = claims.get("email")
    email = mailbox_of(email) if isinstance(email, str) else ""
    try:
        User._meta.get_field("email").run_validators(email)
    except ValidationError:
        email = ""
    if not email.isascii():
        email = ""
    # Some providers send "false" as text, so only true and "true" count.
    verified = bool(email) and claims.get("email_verified") in (True, "true")
    return Identity(_issuer(), subject, email, verified, "")


def suggested_name(name: object) -> str:
    """Return a Robo Name made from a user name at the provider, or "" if none can be made.

    >>> suggested_name("jane.doe@example.org"), suggested_name("admin"), suggested_name(None)
    ('jane-doe', '', '')
    """
    if not isinstance(name, str):
        return ""
    plain = "".join(each if each.isascii() and each.isalnum() else "-" for each in name.partition("@")[0])
    short = plain.strip("-")[: robo_names.MAX_LENGTH].strip("-")
    return "" if robo_names.problems(short) else short


class ProviderAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """allauth's adapter for providers. There is one provider, from the settings, and none in the database."""

    def get_provider(self, request: HttpRequest, provider: str, client_id: str | None = None) -> Provider:
        """Return the operator's provider. Raises `SocialApp.DoesNotExist` if none is configured."""
        known = settings.OIDC
        if known is None or provider not in (known.issuer, OpenIDConnectProvider.id):
            raise SocialApp.DoesNotExist
        app = SocialApp(
            provider=OpenIDConnectProvider.id,
            provider_id=known.issuer,
            name=known.name,
            client_id=known.client_id,
            secret=known.client_secret,
            settings={"server_url": known.issuer.rstrip("/")},
        )
        return Provider(request, app=app)

    def list_providers(self, request: HttpRequest) -> list[Provider]:
        return [self.get_provider(request, settings.OIDC.issuer)] if settings.OIDC else []

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Log in, link or reauthenticate the person. Always raises ImmediateHttpResponse.

        allauth's own way would store the whole account in the session while it waits for a second factor.
        """
        state = sociallogin.state
        if state["process"] == LOGIN:
            raise ImmediateHttpResponse(_log_in(request, sociallogin))
        if not isinstance(request.user, User) or request.user.pk != state.get("user_id"):
            raise PermissionDenied
        finish = _link if state["process"] == LINK else _reauthenticate
        raise ImmediateHttpResponse(finish(request, request.user, sociallogin))

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Provider,
        error: str | None = None,
        exception: Exception | None = None,
        extra_context: dict[str, Any] | None = None,
    ) -> None:
        """Lead the person back, with a message. Always raises ImmediateHttpResponse."""
        if error != AuthError.CANCELLED:
            log_failure(exception or request.GET.get("error") or error)
        state = (extra_context or {}).get("state") or {}
        raise ImmediateHttpResponse(failure(request, error=error, exception=exception, state=state))


def log_failure(reason: object) -> None:
    """Log the reason of a failure, for the operator."""
    log.warning("Single sign-on failed: %s", str(reason)[:300])


def failure(
    request: HttpRequest,
    *,
    error: str | None = None,
    exception: Exception | None = None,
    state: dict[str, Any] | None = None,
) -> HttpResponse:
    """Redirect to the login page or the settings, with a message about the failure."""
    name = provider_name()
    if error == AuthError.CANCELLED:
        said = _("You cancelled at {name}. Nothing has changed.")
    elif isinstance(exception, RequestException):
        said = _("{name} doesn’t answer right now. Try again in a few minutes.")
    else:
        said = _("{name} didn’t confirm who you are. Try again. If it fails again, contact the operator.")
    messages.error(request, said.format(name=name))
    if isinstance(request.user, User):
        return redirect("account_provider")
    return redirect(_with_next("account_login", (state or {}).get("next")))


def _with_next(view: str, next_url: str | None) -> str:
    return f"{reverse(view)}?{urlencode({'next': next_url})}" if next_url else reverse(view)


# --- To the provider and back -------------------------------------------------------------------------------


def go_to_provider(request: HttpRequest, *, process: str, next_url: str) -> HttpResponse:
    """Return a redirect to the provider. Raises RequestException or OAuth2Error if it does not answer."""
    parameters = {"ui_locales": get_language() or "en"}
    if process == REAUTHENTICATE:
        parameters |= {"prompt": "login", "max_age": "0"}
    provider = get_adapter(request).get_provider(request, _issuer())
    answer: HttpResponse = provider.redirect(
        request,
        process,
        next_url=next_url or None,
        auth_params=parameters,
        user_id=request.user.pk if isinstance(request.user, User) else None,
    )
    return answer


def _log_in(request: HttpRequest, login: SocialLogin) -> HttpResponse:
    """Log a person in, or ask a new person for a Robo Name. A second factor of this site is still needed."""
    if request.user.is_authenticated and request.user != login.user:
        account_adapter(request).logout(request)
    next_url = login.state.get("next")
    if not login.is_existing:
        request.session[PENDING_KEY] = asdict(login.identity)
        return redirect(_with_next("account_provider_signup", next_url))
    _record(request, login.user, login)
    answer: HttpResponse = perform_login(request, login.user, redirect_url=next_url)
    return answer


def _record(request: HttpRequest, user: User, login: SocialLogin, **more: Any) -> None:
    record_authentication(request, user, "socialaccount", provider=login.account.provider, **more)


def _link(request: HttpRequest, user: User, login: SocialLogin) -> HttpResponse:
    """Link a logged-in person's account with their account at the provider."""
    name = provider_name()
    if login.is_existing:
        said = (
            _("Your account is already linked with {name}.")
            if login.user == user
            else _("Another account here is linked with this account at {name}. Unlink it there first.")
        )
        messages.error(request, said.format(name=name))
    elif identity_of(user):
        said = _("Your account is linked with another account at {name}. Unlink that first.")
        messages.error(request, said.format(name=name))
    else:
        SocialAccount.objects.create(user=user, provider=login.identity.issuer, uid=login.identity.subject)
        _notify(user, linked=True)
        messages.success(request, _("You can now log in with {name}.").format(name=name))
    return redirect("account_provider")


def _reauthenticate(request: HttpRequest, user: User, login: SocialLogin) -> HttpResponse:
    """Record that a person has just logged in at the provider again, and resume their request."""
    next_url = login.state.get("next")
    since = login.authenticated_at
    stale = isinstance(since, int | float) and since < time() - app_settings.REAUTHENTICATION_TIMEOUT
    if not login.is_existing or login.user != user or stale:
        said = _("Log in at {name} with the account that is linked with {player}.")
        name = provider_name()
        messages.error(request, said.format(name=name, player=user.robo_name))
        return redirect(_with_next("account_provider_reauthenticate", next_url))
    _record(request, user, login, reauthenticated=True)
    request.GET = QueryDict(urlencode({"next": next_url or ""}))  # allauth looks here for the page
    resumed: HttpResponse | None = reauthentication.resume_request(request)
    return resumed or redirect("mfa_index")


# --- Accounts -----------------------------------------------------------------------------------------------


def identity_of(user: User) -> SocialAccount | None:
    """Return a person's link with the current provider, or None if there is none."""
    if settings.OIDC is None or user.pk is None:
        return None
    found: SocialAccount | None = SocialAccount.objects.filter(
        user=user, provider=settings.OIDC.issuer
    ).first()
    return found


def pending_identity(request: HttpRequest) -> Identity | None:
    """Return the identity of this browser's new person, or None if there is none."""
    stored = request.session.get(PENDING_KEY)
    if settings.OIDC is None or not stored or stored["issuer"] != settings.OIDC.issuer:
        return None
    return Identity(**stored)


def is_linked(identity: Identity) -> bool:
    """Return whether an account is linked with this identity, so that it cannot sign up again."""
    return bool(SocialAccount.objects.filter(provider=identity.issuer, uid=identity.subject).exists())


def sign_up(
    request: HttpRequest,
    *,
    identity: Identity,
    robo_name: str,
    email: str,
    time_zone: str,
    instead_of: User | None,
    now: datetime,
) -> User:
    """Save the sign-up of a new person from the provider. The account has no password.

    If the provider has verified the address, it is confirmed at once. Raises IntegrityError if another person
    took the name or the address, or if the identity was linked after the form was checked.
    """
    with transaction.atomic():
        user = services.sign_up(
            robo_name=robo_name,
            email=identity.email if identity.email_verified else email,
            password=None,
            time_zone=time_zone,
            language=get_language() or "",
            instead_of=instead_of,
            now=now,
        )
        SocialAccount.objects.create(user=user, provider=identity.issuer, uid=identity.subject)
        if identity.email_verified:
            user.email = identity.email
            user.save(update_fields=["email"])
            user.confirm_email()
    request.session.pop(PENDING_KEY, None)
    return user


def may_unlink(user: User) -> bool:
    """Return whether a person can still log in after unlinking: only with a password."""
    return user.has_usable_password()


def unlink(*, user: User) -> None:
    """Remove a person's link with the provider, and notify them by mail."""
    if identity := identity_of(user):
        identity.delete()
        _notify(user, linked=False)


def _notify(user: User, *, linked: bool) -> None:
    context = {"name": provider_name()}
    kind = "account/email/provider_linked" if linked else "account/email/provider_unlinked"
    account_adapter().send_notification_mail(kind, user, context)


def passwords_allowed(user: User) -> bool:
    """Return whether an account may have a password and passkeys.

    If the provider is the only way in, only accounts that already have a password keep these.
    """
    return settings.OIDC is None or not settings.OIDC.only or user.has_usable_password()


def with_provider(flows_of: Callable[[User], list[dict[str, Any]]]) -> Callable[[User], list[dict[str, Any]]]:
    """Return allauth's function for the ways to reauthenticate, with the provider as another way.

    Without it, allauth never asks people who have only the provider to reauthenticate.
    """

    def flows(user: User) -> list[dict[str, Any]]:
        ways = flows_of(user)
        if isinstance(user, User) and identity_of(user):
            ways = [*ways, {"id": "account_provider_reauthenticate"}]
        return ways

    return flows
