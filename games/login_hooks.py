"""Effects of logging in, logging out and a new password on games and notifications."""

from collections.abc import Iterable

from allauth.core import context
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts import guests
from accounts.adapter import AccountAdapter as PlainAdapter
from accounts.models import User
from accounts.sessions import BROWSER, SessionStore, browser_of
from games.news.channels import browser as browsers
from games.people.services.deletion import adopt_guest
from games.people.tokens import revoke_tokens


class LoginAdapter(PlainAdapter):
    """Accounts as they are without games, but that what guests have flown goes over to people."""

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign someone in; missions that were flown in this browser by a guest are theirs from now on."""
        guest = guests.guest_of(request)
        super().login(request, user)
        if guest and guest.pk != user.pk:
            adopt_guest(guest_id=guest.pk, user=user)
        request.session.pop(guests.CLAIM, None)
        browsers.log_in_to(user=user, browser=browser_of(request))

    def logout(self, request: HttpRequest) -> None:
        """Log out; the browser shows the person's notifications no more."""
        if isinstance(request.user, User):
            browsers.log_out_of(user=request.user, browser=browser_of(request))
        super().logout(request)

    def set_password(self, user: User, password: str) -> None:
        """Give someone a new password, and end their tokens with it (`TokensEnd`)."""
        with transaction.atomic():
            super().set_password(user, password)


class SessionsAdapter(DefaultUserSessionsAdapter):  # type: ignore[misc]
    """Sessions that a person ends in other browsers."""

    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        """End sessions; their browsers show the person's notifications no more."""
        for session in sessions:
            browser = SessionStore(session.session_key).get(BROWSER, "")
            browsers.log_out_of(user=session.user, browser=browser)
        super().end_sessions(sessions)


class TokensEnd:
    """Ends tokens, and notifications in other browsers, whenever a person gets a new password.

    Django asks each of ``AUTH_PASSWORD_VALIDATORS`` to take note of a new password once it is saved: when it
    is changed or reset, by staff, and by ``manage.py changepassword``.
    """

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Refuse nothing."""

    def password_changed(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Revoke the tokens that were made by the old password, and end what other browsers show."""
        if isinstance(user, User):
            revoke_tokens(user=user)
            request = context.request
            own = request is not None and request.user == user
            browsers.keep_only(user=user, browser=browser_of(request) if own else "")

    def get_help_text(self) -> str:
        return _("A new password revokes all API tokens of the account.")
