"""Moving what an earlier release has kept into the form of this one, while games go on.

Played turns go from rows into documents, and rows get the number of the game that they belong to. Whatever
ends it, each turn and each row has either its old form or its new one, and it goes on where it stopped.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import F, Min
from django.db.models.functions import Greatest

import rules
from games import belonging
from games.errors import NotFound, reason_of
from games.play import stored
from games.play.models import Game, LogEntry, Program, Seat, Transition, Turn
from games.play.played import AT_ONCE, Played, kept_of, read, write
from games.play.services.keeping import ROWS, drop_hands
from games.play.services.locks import locked_game


class Moved(NamedTuple):
    """How many turns of a game were moved at once, and a sentence for each that could not be."""

    turns: int
    faults: list[str]


def end_transition() -> None:
    """Have turns be kept as documents from now on: the release before this one reads them no more."""
    Transition.objects.filter(name=ROWS).delete()


def move_turns() -> Iterator[Moved]:
    """Move all played turns that have rows, some of one game at a time; games go on in between.

    Where the rows of a turn do not lead from its start to its end, or cannot be read, they stay as they are.
    """
    unmoved = Turn.objects.filter(status=Turn.Status.RESOLVED, record=None)
    for game_id in unmoved.order_by("game").values_list("game", flat=True).distinct().iterator():
        last = -1
        while numbers := list(
            unmoved.filter(game=game_id, number__gt=last)
            .order_by("number")
            .values_list("number", flat=True)[:AT_ONCE]
        ):
            yield _move(game_id, first=numbers[0], last=numbers[-1])
            last = numbers[-1]


def note_games() -> Iterator[int]:
    """Note on rows which game they belong to, those of one game and table at a time; yield how many.

    The game's row is held, as by anyone who writes such rows: what was read without the number is not
    written over it.
    """
    for model, way in belonging.tables():
        rows = belonging.strays(model, way)
        for game_id in rows.order_by(way).values_list(way, flat=True).distinct().iterator():
            with transaction.atomic():
                try:
                    locked_game(game_id)
                except NotFound:  # it was deleted meanwhile
                    continue
                noted = rows.filter(**{way: game_id}).update(game=game_id)
            yield noted


def _move(game_id: int, *, first: int, last: int) -> Moved:
    """Move turns of a game in one transaction."""
    with transaction.atomic():
        try:
            game = locked_game(game_id)
        except NotFound:  # it was deleted meanwhile
            return Moved(0, [])
        turns = game.turns.filter(status=Turn.Status.RESOLVED, record=None, number__range=(first, last))
        moved, faults, ordered = [], [], {}
        for turn in turns.annotate(first_row=Min("log")).order_by("number"):
            try:
                played = _checked(game, turn)
            except Exception as error:
                faults.append(f"turn {turn.number} of game {game.pk}: {reason_of(error)}")
                continue
            turn.record, turn.snapshot, turn.outcome = write(played), None, None
            turn.first_seq, turn.last_seq = played.first_seq, played.last_seq
            turn.recorded = turn.first_row
            moved.append(turn)
            for hand in played.hands:
                if hand.program and hand.program.by == Program.Author.PLAYER:
                    ordered[hand.robot] = hand.program.submitted_at
        columns = ["record", "snapshot", "outcome", "first_seq", "last_seq", "recorded"]
        Turn.objects.bulk_update(moved, columns)
        _note_orders(game, ordered)
        LogEntry.objects.filter(turn__in=moved).delete()
        drop_hands([turn.pk for turn in moved])
    return Moved(len(moved), faults)


def _checked(game: Game, turn: Turn) -> Played:
    """Return what is kept of a turn in rows; raises ValueError where that contradicts itself."""
    played = kept_of(turn)
    if [entry.seq for entry in turn.log.all()] != list(range(played.first_seq, played.last_seq + 1)):
        raise ValueError("its log has gaps")
    ship = stored.ship_of(game)
    if stored.end_in(played, ship) != rules.state_from_json(ship, turn.outcome or {}):
        raise ValueError("its log does not lead to its end")
    if read(write(played), played.first_seq) != played:
        raise ValueError("its document does not say the same as its rows")
    return played


def _note_orders(game: Game, ordered: dict[int, datetime]) -> None:
    """Note on seats when their players last gave orders, which their programs have told so far."""
    for number, at in ordered.items():
        Seat.objects.filter(game=game, number=number).update(ordered_at=Greatest(F("ordered_at"), at))
