"""Games with known results, and players with known ratings."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.play.computers import play_computers
from games.play.lifecycle import concede
from games.play.models import Game
from games.standings.models import PlayerRating, RatingPool, Result
from games.standings.ratings import Finish, Member, Outcome, Standing
from games.standings.selectors.results import rating_row
from games.standings.services import apply_results, lock_all, save_result
from tests.games.support import NOW, Table, open_turn
from tests.support.worlds import once


def under_way(table: Table, host: User, *others: User, turns: int = 4, **terms: object) -> Game:
    """Return a running game after ``turns`` turns, counting turn 0."""
    return play_on(table.game(host, *others, **terms), turns=turns)  # type: ignore[arg-type]


def play_on(game: Game, *, turns: int, now: datetime = NOW) -> Game:
    """Play more turns of a game. All people submit orders in time."""
    assert game.revision
    table = Table(game.revision.starship)
    for _ in range(turns):
        if game.players.exclude(computer="").exists():
            play_computers(turn_id=open_turn(game).pk, now=now)
        table.play(game, *_missing(game), now=now)
    return game


def _missing(game: Game) -> list[User]:
    seats = game.players.exclude(user=None).select_related("user").order_by("number")
    return [seat.user for seat in seats if seat.user]


def ended(table: Table, winner: User, *others: User, at: datetime = NOW, **more: object) -> Game:
    """Return a game that was conceded to its host after turn 3. All other players are tied."""
    game = once(_ended, table.starship, winner, *others, at=at, **more)
    game.refresh_from_db()
    return game


def _ended(starship: object, winner: User, *others: User, at: datetime, **more: object) -> Game:
    game = under_way(Table(starship), winner, *others, **more)  # type: ignore[arg-type]
    concede_to(game, winner, at=at)
    return game


def concede_to(game: Game, winner: User, *, at: datetime = NOW) -> None:
    seat = game.players.get(user=winner)
    with transaction.atomic():
        held = Game.objects.select_for_update().get(pk=game.pk)
        concede(game=held, winner=seat.squad or seat.robo_name, now=at)
    game.refresh_from_db()


def rate() -> None:
    apply_results(now=NOW)


def finish(
    ruleset: str,
    *sides: User | tuple[User, ...],
    at: datetime = NOW,
    number: int = 0,
    left: Sequence[User] = (),
) -> Result:
    """Rate a result without a real game. ``sides`` are in the order of their finish."""
    finishes = tuple(Finish(rank, _members(side)) for rank, side in enumerate(sides, 1))
    with transaction.atomic():
        lock_all(wait=True)
        return save_result(
            of_game=number or 10**6 + Result.objects.count(),
            ruleset=ruleset,
            outcome=Outcome(at, finishes, frozenset(each.pk for each in left)),
        )


def _members(side: User | tuple[User, ...]) -> tuple[Member, ...]:
    return tuple(Member(each.pk) for each in (side if isinstance(side, tuple) else (side,)))


def give_rating(
    user: User, *, pool: str = "all", mu: float = 25.0, sigma: float = 3.0, **more: object
) -> PlayerRating:
    """Give a player a rating in a pool, certain enough for the list of best players."""
    RatingPool.objects.get_or_create(key=pool)
    known = {"games": 30, "met": 8, "played_at": NOW, **more}
    row = rating_row(pool, user.pk, Standing(mu, sigma, **known))  # type: ignore[arg-type]
    row.save()
    return row
