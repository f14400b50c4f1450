"""Who asks: the bearer of a token, or the person who is logged in on the site."""

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import User
from games.tokens.services import use_token

SCHEME = "Bearer"


class BearerAuthentication(BaseAuthentication):
    """``Authorization: Bearer TOKEN``; an unknown token is refused, whatever else the request has."""

    def authenticate(self, request: Request) -> tuple[User, str] | None:
        """Return whose token it is, or None without one."""
        scheme, __, token = request.headers.get("Authorization", "").strip().partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        user = use_token(token=token.strip(), now=timezone.now())
        if user is None:
            raise AuthenticationFailed(_("This token is not known here, or has expired."), "unknown-token")
        return user, token

    def authenticate_header(self, request: Request) -> str:
        return SCHEME
