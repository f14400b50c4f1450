"""What a game's page shows, read in as many queries however long the game is and however many play."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, TypeVar

from django.db.models import Model

from games.clocks.selectors import announced, foreseeable
from games.play.models import Game, Hand, Program, Seat, Turn
from roborunner.postgres.queries import Pipeline, PreparedQuery

Row = TypeVar("Row", bound=Model)


_SEATS: Final = PreparedQuery(
    lambda game: Seat.objects.select_related("user__reliability").filter(game=game).order_by("number"), int
)
_SEATS_AWAY: Final = PreparedQuery(
    lambda game, today, soon: (
        Seat.objects.select_related("user__reliability")
        .annotate(**announced(today, soon))
        .filter(game=game)
        .order_by("number")
    ),
    int,
    date,
    date,
)
_TURN: Final = PreparedQuery(lambda turn: Turn.objects.filter(pk=turn).order_by(), int)
_LAST_TURNS: Final = PreparedQuery(lambda game: Turn.objects.filter(game=game).order_by("-number")[:2], int)
_PLAYERS: Final = PreparedQuery(
    lambda game: Seat.objects.select_related("tally", "user__rest").filter(game=game).order_by("number"), int
)
_HANDS: Final = PreparedQuery(
    lambda turn: Hand.objects.select_related("program", "draft").filter(turn=turn).order_by("robot"), int
)


@dataclass(frozen=True, slots=True)
class Gathered:
    """The turn under way, or the last one of a game that is over, and the last that was played; None where
    there is none.
    """

    current: Turn | None
    played: Turn | None


def gather(*, game: Game, played: int | None) -> Gathered:
    """Read seats, turns and hands at once, for the selectors that are given them.

    ``played`` is the number of the last turn that was played. The seats stay with the game: whatever asks
    for ``game.players.all()`` has them, as they are now.
    """
    gather_seats(game=game)
    by_number = last_turns(game=game)
    for turn in by_number.values():
        if turn.status == Turn.Status.OPEN:
            gather_hands(turn=turn)
    current = None if game.turn is None else by_number[game.turn]
    return Gathered(current, None if played is None else by_number[played])


def last_turns(*, game: Game) -> dict[int, Turn]:
    """Return the last two turns of a game that there are, by number: what most ask for is among them."""
    turns = _LAST_TURNS(game.pk) if game.turn is not None else []
    for turn in turns:
        turn.game = game
    return {turn.number: turn for turn in turns}


def gather_seats(*, game: Game) -> list[Seat]:
    """Return who has a seat, in order: whatever asks for ``game.players.all()`` has them from then on."""
    if "players" not in getattr(game, "_prefetched_objects_cache", {}):
        _gathered(game, game.players, "players", _SEATS_AWAY(game.pk, *foreseeable()))
    return list(game.players.all())


def gather_for_orders(*, game: Game) -> list[Seat]:
    """Return who has a seat, as `gather_seats` does, but for who will be away: orders do without."""
    return _gathered(game, game.players, "players", _SEATS(game.pk))


def gather_players(*, game: Game) -> list[Seat]:
    """Return who has a seat, with what a turn changes: what their robots did so far, and when they rest."""
    if "players" in getattr(game, "_prefetched_objects_cache", {}):
        return list(game.players.all())
    return _gathered(game, game.players, "players", _PLAYERS(game.pk))


def forget_players(*, game: Game) -> None:
    """Have whatever asks for the seats of a game read them again, since some have changed hands."""
    getattr(game, "_prefetched_objects_cache", {}).pop("players", None)


def gather_hands(*, turn: Turn) -> list[Hand]:
    """Return the hands of a turn with what was ordered and drafted: ``turn.hands`` has them from then on."""
    if "hands" in getattr(turn, "_prefetched_objects_cache", {}):
        return list(turn.hands.all())
    return _gathered(turn, turn.hands, "hands", _HANDS(turn.pk))


def _gathered(one: Model, manager: Any, name: str, rows: list[Row]) -> list[Row]:
    """Keep what was read of the ``many`` rows of one, as Django keeps what it has prefetched."""
    for row in rows:
        manager.field.set_cached_value(row, one)
    kept = manager.all()
    kept._result_cache, kept._prefetch_done = rows, True
    vars(one).setdefault("_prefetched_objects_cache", {})[name] = kept
    return list(rows)


def seats_of(game: Game) -> list[Seat]:
    """Return who has a seat, in order, with their accounts; where they were gathered, it is these."""
    if "players" in getattr(game, "_prefetched_objects_cache", {}):
        return list(game.players.all())
    return list(game.players.select_related("user__reliability").order_by("number"))


def ask_to_play(*, game_id: int, turn_id: int, batch: Pipeline) -> Callable[[Game], tuple[Turn, list[Hand]]]:
    """Have a batch ask for what a turn is played from: players, the turn and its hands, as they are then.

    Return what gives turn and hands, once it was sent, and its players to the game.
    """
    players = _PLAYERS.ask(batch, game_id)
    turns = _TURN.ask(batch, turn_id)
    hands = _HANDS.ask(batch, turn_id)

    def gathered(game: Game) -> tuple[Turn, list[Hand]]:
        _gathered(game, game.players, "players", players())
        (turn,) = turns()
        turn.game = game
        return turn, hands()

    return gathered


def missing_hands(turn: Turn) -> list[Hand]:
    """Return the hands of a turn for which orders are missing: of those that were gathered, if they were."""
    if "hands" in getattr(turn, "_prefetched_objects_cache", {}):
        hands = turn.hands.all()
        return [hand for hand in hands if hand.seat_id is not None and program_of(hand) is None]
    return list(turn.hands.filter(seat__isnull=False, program=None).select_related("seat__user"))


def program_of(hand: Hand) -> Program | None:
    """Return the orders given for a hand, if there are any yet."""
    program: Program | None = getattr(hand, "program", None)
    return program
