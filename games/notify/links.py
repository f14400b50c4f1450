"""The signed links by which a person stops the mail about one game without signing in."""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from games.models import Seat

_SIGNER = Signer(salt="games.unsubscribe")


def stop_url(*, user_id: int, game_id: int) -> str:
    """Return the address that stops mail about a game to somebody.

    A GET asks for confirmation, a POST does it. It stays good, since mails are kept for years.
    """
    mark = _SIGNER.sign(f"{user_id}-{game_id}").replace(":", "-", 1)
    return settings.BASE_URL + reverse("games:unsubscribe", args=[mark])


def seat_in(mark: str) -> Seat | None:
    """Return whose mail about which game a link's last part is to stop.

    None when it was not made here, or that person has no seat in the game any more.
    """
    try:
        user_id, game_id, signature = mark.split("-", 2)
        _SIGNER.unsign(f"{user_id}-{game_id}:{signature}")
    except (BadSignature, ValueError):
        return None
    return Seat.objects.select_related("game", "user").filter(user=int(user_id), game=int(game_id)).first()
