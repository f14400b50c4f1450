"""Score tables when their game is over, or their round ends."""

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Final

from django.db import DatabaseError, InterfaceError, transaction
from django.db.models import QuerySet

from games.competitions.models import Table, TablePlace
from games.competitions.selectors.results import PARTS_PER_POINT, parts_of
from games.competitions.services.tournaments import tournament_locked_by_table
from games.play.models import Game, Program, Turn
from games.play.stored import each_played
from games.reading import read_safely
from games.standings.selectors.results import result_order
from games.work import jobs
from games.work.models import Alarm

UNREADABLE_JOB: Final = "unreadable tables"
"""The name of the job that scores tables again if their game's log was unreadable when their round ended."""

TABLES_PER_PASS: Final = 200
"""The maximum number of tables to score in one pass of the sweeper."""


def score_tables(*, now: datetime) -> int:
    """Score the tables of ended games. Return their number."""

    def score(table_id: int) -> int:
        return score_table(table_id, now=now)

    ended = (Game.Status.OVER, Game.Status.CANCELLED)
    over = Table.objects.filter(scored_at=None, link__game__status__in=ended).order_by("pk")
    return jobs.for_each_row("tables", over, score, most=TABLES_PER_PASS, now=now, game="link__game_id")


def score_table(table_id: int, *, now: datetime) -> int:
    """Score a table from the present state of its game.

    If this was the last unscored table of its round, the tournament becomes due for its next step. Returns 1,
    or 0 if the table is already scored.
    """
    held = tournament_locked_by_table(table_id)
    table = Table.objects.select_related("round").get(pk=table_id)
    if table.scored_at is not None:
        return 0
    score(table, now=now)
    if held.ended_at is None and not table.round.tables.filter(scored_at=None).exists():
        held.due_at = now
        held.save(update_fields=["due_at"])
    return 1


def score(table: Table, *, now: datetime) -> None:
    """Score a table from the present state of its game. The caller must lock the tournament."""
    game = Game.objects.filter(at_table__table=table).select_related("revision", "course").first()
    table.scored_at = now
    if game and game.ended_at is None:
        table.scored_turn = game.last_played
        _note_orders(table, game)
    _save_results(table, game)
    table.save(update_fields=["scored_at", "scored_turn"])


def _note_orders(table: Table, game: Game) -> None:
    """Save which players of a table have submitted orders at any time in its game.

    Leaves out players who lost their seat.
    """
    # Read the current turn's orders first. If the turn is resolved meanwhile, they are also in the log.
    given = Program.objects.filter(hand__turn__game=game, by=Program.Author.PLAYER)
    ordered = set(given.values_list("hand__robot", flat=True))
    owners = dict(game.players.values_list("number", "user"))
    places = list(table.places.select_related("entrant"))
    for _turn, kept in each_played(game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")):
        if ordered.issuperset(place.seat for place in places):
            break
        ordered |= {
            hand.robot for hand in kept.hands if hand.program and hand.program.by == Program.Author.PLAYER
        }
    for place in places:
        has_seat = owners.get(place.seat) == place.entrant.user_id
        place.ordered = place.seat in ordered if has_seat else None
    TablePlace.objects.bulk_update(places, ["ordered"])


def _after_orders(ranks: dict[int, int], places: Iterable[TablePlace]) -> dict[int, int]:
    """Rank players without submitted orders below the other players, but above players who left.

    >>> some = [TablePlace(seat=1, ordered=False), TablePlace(seat=2, ordered=True), TablePlace(seat=3)]
    >>> _after_orders({1: 1, 2: 1, 3: 3}, some)
    {1: 2, 2: 1, 3: 3}
    """
    ordered = {place.seat: place.ordered for place in places}
    if False not in ordered.values():
        return ranks
    groups = {True: 0, False: 1, None: 2}
    keys = {seat: (groups[ordered.get(seat, True)], rank) for seat, rank in ranks.items()}
    return {seat: 1 + sum(other < key for other in keys.values()) for seat, key in keys.items()}


def score_or_set_aside(table: Table, *, now: datetime) -> None:
    """Score a table at the end of its round. Raise an alarm if its game's log is unreadable.

    In that case, only the winner counts, so that the table does not delay the tournament. `score_unreadable`
    scores the table again later.
    """
    try:
        with transaction.atomic():
            score(table, now=now)
    except (DatabaseError, InterfaceError, TimeoutError):
        raise
    except Exception as error:
        game = Game.objects.filter(at_table__table=table).first()
        table.scored_at = now
        table.scored_turn = game.last_played if game and game.ended_at is None else None
        _settle(list(table.places.all()), _known_ranks(game))
        table.save(update_fields=["scored_at", "scored_turn"])
        number = game.pk if game else None
        jobs.set_aside(UNREADABLE_JOB, kind="table", row=table.pk, game_id=number, error=error, now=now)


def score_unreadable(*, now: datetime) -> int:
    """Score tables again if their game's log was unreadable when the round ended. Return their number."""

    def again(table_id: int) -> int:
        return _rescore(table_id) is not None

    alarms = Alarm.objects.filter(job=UNREADABLE_JOB, closed_at=None, row__gt=0).values("row")
    rows = Table.objects.filter(pk__in=alarms).order_by("pk")
    return jobs.for_each_row(UNREADABLE_JOB, rows, again, most=TABLES_PER_PASS, now=now, game="link__game_id")


def _known_ranks(game: Game | None) -> dict[int, int]:
    """Return the ranks of a game with an unreadable log, by seat: the winner first, all others equal."""
    if game is None:
        return {}
    seats = game.players.select_related("user")
    won = {seat.number for seat in seats if game.winner and (seat.robot or seat.robo_name) == game.winner}
    return {seat.number: 1 if seat.number in won else 1 + len(won) for seat in seats}


def rescore_tables() -> int:
    """Score all tables again from their games' logs. Return the number of changed tables.

    Does not change the final places in tournaments.
    """
    wrong = 0
    for table_id in list(_scored().values_list("pk", flat=True)):
        with transaction.atomic():
            wrong += read_safely(partial(_rescore, table_id), table_id) or 0
    return wrong


def _rescore(table_id: int) -> bool:
    """Score a table again from its game's log. Return whether any result changed."""
    tournament_locked_by_table(table_id)
    table = _scored().filter(pk=table_id).first()
    return table is not None and _save_results(table, table.game)


def _scored() -> QuerySet[Table]:
    scored = Table.objects.exclude(scored_at=None).exclude(link=None)
    return (
        scored.select_related("link__game__revision", "link__game__course")
        .prefetch_related("places")
        .order_by("pk")
    )


def _save_results(table: Table, game: Game | None) -> bool:
    """Calculate and save the results of a table's players. Return whether any result changed.

    If the table has no game, because of a bye or because the game was deleted, all players get the same
    result.
    """
    ranks: dict[int, int] = {}
    places = list(table.places.all())
    if game is not None:
        at = None if table.scored_turn is None else table.scored_at
        ranks = result_order(game, turn=table.scored_turn, at=at).ranks
        ranks = _after_orders(ranks, places)
    return _settle(places, ranks)


def _settle(places: list[TablePlace], ranks: dict[int, int]) -> bool:
    """Save the results of a table's players from their ranks by seat. Return whether any result changed."""
    ranks = ranks or {place.seat: 1 for place in places}
    changed = []
    for place in places:
        rank = ranks[place.seat]
        points = parts_of(rank, ranks.values()) if len(ranks) > 1 else PARTS_PER_POINT // 2
        if (place.rank, place.points) != (rank, points):
            place.rank, place.points = rank, points
            changed.append(place)
    TablePlace.objects.bulk_update(changed, ["rank", "points"])
    return bool(changed)
