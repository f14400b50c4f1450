"""Whose mail about which game a link stops."""

from games.news.channels.mail import reader_and_game_in
from games.play.models import Seat


def seat_in(mark: str) -> Seat | None:
    """Return the seat about whose game a link's last part stops mail.

    None if the link was not made here, or the person has no seat in the game any more.
    """
    named = reader_and_game_in(mark)
    if named is None:
        return None
    user_id, game_id = named
    return Seat.objects.select_related("game", "user").filter(user=user_id, game=game_id).first()
