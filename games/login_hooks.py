"""Effects of logins, logouts and password changes on games and notifications."""

from collections.abc import Iterable

from allauth.core import context
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import guests
from accounts.adapter import AccountAdapter as PlainAdapter
from accounts.models import User, mailbox_of
from accounts.sessions import BROWSER_KEY, SessionStore, browser_of
from games.clubs.models import Candidate
from games.clubs.selectors import INVITATION_LASTS
from games.lobby.models import Invitation
from games.news.channels import browser as browsers
from games.people.services.deletion import adopt_guest
from games.people.tokens import revoke_tokens
from games.play.models import Game


class LoginAdapter(PlainAdapter):
    """The account adapter. At login, it also moves a guest's games to the person's account."""

    def login(self, request: HttpRequest, user: User) -> None:
        """Log a person in, and give them the games that they played as a guest in this browser."""
        guest = guests.guest_of(request)
        super().login(request, user)
        if guest and guest.pk != user.pk:
            adopt_guest(guest_id=guest.pk, user=user, now=timezone.now())
        request.session.pop(guests.GUEST_KEY, None)
        browsers.drop_devices_of_others(user=user, browser=browser_of(request))

    def is_invited(self, email: str) -> bool:
        """Return whether an open game or a club has invited this address by mail."""
        now, address = timezone.now(), mailbox_of(email)
        games = Invitation.objects.filter(email=address, game__status=Game.Status.OPEN)
        clubs = Candidate.objects.filter(
            email=address, status=Candidate.Status.OPEN, since__gt=now - INVITATION_LASTS
        )
        return bool(address) and (games.exists() or clubs.exists())

    def logout(self, request: HttpRequest) -> None:
        """Log a person out. This browser no longer shows their notifications."""
        if isinstance(request.user, User):
            browsers.drop_device_on_logout(user=request.user, browser=browser_of(request))
        super().logout(request)

    def set_password(self, user: User, password: str) -> None:
        """Set a new password. In the same transaction, `TokensEnd` revokes the person's tokens."""
        with transaction.atomic():
            super().set_password(user, password)


class SessionsAdapter(DefaultUserSessionsAdapter):  # type: ignore[misc]
    """The adapter that ends sessions in other browsers."""

    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        """End sessions. The browsers of these sessions no longer show the person's notifications."""
        for session in sessions:
            browser = SessionStore(session.session_key).get(BROWSER_KEY, "")
            browsers.drop_device_on_logout(user=session.user, browser=browser)
        super().end_sessions(sessions)


class TokensEnd:
    """A validator that accepts every password. When a password is set, it ends tokens and notifications.

    Django calls ``password_changed`` of every validator in ``AUTH_PASSWORD_VALIDATORS`` after it has saved a
    new password: after a change, a reset, an action of staff, or ``manage.py changepassword``.
    """

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Accept every password."""

    def password_changed(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Revoke all tokens of a user, and end their notifications in other browsers."""
        if isinstance(user, User):
            revoke_tokens(user=user)
            request = context.request
            own = request is not None and request.user == user
            browsers.drop_other_devices(user=user, browser=browser_of(request) if own else "")

    def get_help_text(self) -> str:
        return _("If you change the password, all API tokens for the account are revoked.")
