"""Who is still in a game under way, and who may win it."""

from games.play.models import Game, Seat
from games.play.selectors.gathering import seats_of


def people_playing(game: Game) -> tuple[Seat, ...]:
    """Return the seats of people whose robots still play, in seat order."""
    return tuple(seat for seat in seats_of(game) if seat.user_id and not seat.out and seat.place is None)


def contenders(game: Game) -> list[Seat]:
    """Return to whom a game may be conceded: the first finisher, else all whose robots are not out."""
    seats = seats_of(game)
    return [seat for seat in seats if seat.place == 1] or [seat for seat in seats if not seat.out]


def winner_by(seat: Seat) -> str:
    """Return who has won if the game is conceded to a seat: its robot, or its squad."""
    return seat.squad or seat.robo_name


def was_begun(game: Game) -> bool:
    """Return whether a turn of a game was played, so that there is something to win."""
    return game.last_seq > 0
