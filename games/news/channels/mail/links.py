"""The signed links that work without logging in, to stop mail."""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from accounts import mail
from accounts.models import User
from games.news.models import Notice

_SIGNER = Signer(salt="games.unsubscribe")
_LOBBIES = Signer(salt="games.lobby-mail")
_STARSHIPS = Signer(salt="games.starship-mail")


def stop_url(*, user_id: int, game_id: int) -> str:
    """Return the address that stops mail about a game to someone.

    A GET asks for confirmation, a POST does it. It stays good, since mails are kept for years.
    """
    mark = _SIGNER.sign(f"{user_id}-{game_id}").replace(":", "-", 1)
    return settings.BASE_URL + reverse("games:unsubscribe", args=[mark])


def reader_and_game_in(mark: str) -> tuple[int, int] | None:
    """Return the numbers of the person and the game that a link's last part names.

    None if it was not made here.
    """
    try:
        user_id, game_id, signature = mark.split("-", 2)
        _SIGNER.unsign(f"{user_id}-{game_id}:{signature}")
    except (BadSignature, ValueError):
        return None
    return int(user_id), int(game_id)


def lobby_stop_url(notice: Notice) -> str:
    """Return the address that stops mail about games that have not started, to whom a notification tells.

    Of those without an account, it holds the hash of their address alone.
    """
    whom = str(notice.user_id) if notice.user_id else mail.digest_of(notice.email)
    mark = _LOBBIES.sign(whom).replace(":", "-", 1)
    return settings.BASE_URL + reverse("games:unsubscribe_lobby", args=[mark])


def starships_stop_url(*, user_id: int) -> str:
    """Return the address that stops mail about starships to someone."""
    mark = _STARSHIPS.sign(str(user_id)).replace(":", "-", 1)
    return settings.BASE_URL + reverse("games:unsubscribe_starships", args=[mark])


def reader_in(mark: str) -> User | None:
    """Return who stops mail about starships by a link's last part; None as with `whom_in`."""
    try:
        return User.objects.filter(pk=int(_STARSHIPS.unsign(mark.replace("-", ":", 1)))).first()
    except BadSignature:
        return None


def whom_in(mark: str) -> User | str | None:
    """Return who stops mail about lobbies by a link's last part: a person, or the hash of an address.

    None when it was not made here, or there is no such person any more.
    """
    try:
        whom = _LOBBIES.unsign(mark.replace("-", ":", 1))
    except BadSignature:
        return None
    return User.objects.filter(pk=int(whom)).first() if len(whom) < 19 else whom
