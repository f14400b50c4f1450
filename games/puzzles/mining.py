"""Add puzzles: from finished public games, and from simulated games."""

import logging
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any, Final

from django.db import transaction
from django.db.models import Q

import rules
from games.analysis.selectors import complete_review, games_under_analysis
from games.fleet.boards import starship_of
from games.fleet.models import OFFERED, Starship, StarshipRevision
from games.play import stored
from games.play.models import Game
from games.puzzles.models import Puzzle
from games.standings.ratings import MU
from games.work import enqueue, jobs
from roborunner.faults import time_limit
from rules.puzzles.documents import write_puzzle
from rules.puzzles.mining import Puzzle as Position, puzzles_in
from rules.puzzles.simulation import puzzles_of_game, suits
from rules.review import Played
from rules.rulesets import ROBO_RUNNER

PUZZLES_JOB: Final = "puzzles"

SEARCH_SECONDS: Final = 30.0
"""Seconds of search after which the rest of a game is left out.

With `LONGEST_TURN`, this is less than the minute after which the database ends an idle transaction, and less
than the time limit of the task. Otherwise, very long games would be searched again and again.
"""

LONGEST_TURN: Final = 20
"""The maximum duration of the search of one turn, in seconds. A turn that takes longer is left out."""

GAMES_PER_PASS: Final = 20
"""The maximum number of ended games that one pass of the sweeper offers to workers."""

DIRECT: Final = -3.0
"""The difference of a new puzzle's rating, if its solution is also the best program on an empty board."""

RARE: Final = 0.01
"""The share of programs that are right below which a new puzzle gets a higher rating."""


logger = logging.getLogger(__name__)


def may_mine(game: Game) -> bool:
    """Return whether a game may be searched for puzzles.

    This is true for public games by the rulebook, without house rules, on a ship of the fleet.
    """
    return (
        not game.private
        and game.ruleset == ROBO_RUNNER.key
        and game.mission_id is None
        and game.leaves_records
        and not stored.house_rules_of(game)
    )


def offer_ended_games(*, now: datetime) -> int:
    """Ask workers to search ended games for puzzles, earliest end first. Return the number of games.

    Asks for no games while earlier messages wait. A game waits while its analysis is under way, because the
    search costs less with it.
    """
    if enqueue.queue_length(enqueue.MINE_GAME):
        return 0
    waiting = Q(game__in=jobs.rows_set_aside(PUZZLES_JOB, now=now)) | Q(game__in=games_under_analysis())
    due = jobs.ended_games(PUZZLES_JOB).exclude(waiting)
    games = list(due.values_list("game", flat=True)[:GAMES_PER_PASS])
    for game_id in games:
        enqueue.mine_game(game_id)
    return len(games)


def mine_ended_game(*, game_id: int, now: datetime) -> None:
    """Search an ended game for puzzles, once. If that fails, raise an alarm, and try again later."""
    try:
        with transaction.atomic():
            jobs.count_ended_game(PUZZLES_JOB, lambda each: _mine_game(each, now), game_id)
    except Exception as error:
        jobs.set_aside(PUZZLES_JOB, kind="game", row=game_id, game_id=game_id, error=error, now=now)
    else:
        jobs.close_alarm(PUZZLES_JOB, row=game_id, now=now)


def _mine_game(game_id: int, now: datetime) -> bool:
    game = Game.objects.select_related("revision__starship", "course").get(pk=game_id)
    mine(game, complete_review(game=game), now=now)
    return True


def mine(game: Game, review: Mapping[str, Any] | None = None, *, now: datetime) -> int:
    """Search a finished game for puzzles, and add them. Return their number.

    ``review`` is the game's ``review/1`` document. With it, the search leaves out positions if the
    chosen program shows that there is no puzzle. Private games have no puzzles. After `SEARCH_SECONDS`, the
    rest of the game is left out.
    """
    if game.status != Game.Status.OVER or not may_mine(game) or game.revision is None:
        return 0
    setup, ship = stored.setup_of(game), stored.ship_of(game)
    reviewed = {turn["turn"]: turn for turn in review["turns"]} if review else {}
    added, began = 0, time.monotonic()
    for turn, played in _turns(game, ship):
        if time.monotonic() - began > SEARCH_SECONDS:
            logger.info("Game %d is searched for puzzles only before turn %d", game.pk, turn)
            break
        for puzzle in _puzzles_of_turn(game, setup, played, reviewed.get(turn)):
            origin = f"game/{game.pk}/{turn}/{puzzle.robot + 1}"
            added += add_puzzle(puzzle, revision=game.revision, origin=origin, now=now)
    return added


def _puzzles_of_turn(
    game: Game, setup: rules.Setup, played: Played, reviewed: dict[str, Any] | None
) -> list[Position]:
    """Return the puzzles of a turn, or an empty list if the search takes longer than `LONGEST_TURN`."""
    try:
        with time_limit(LONGEST_TURN, f"it took longer than {LONGEST_TURN} s"):
            return list(puzzles_in(setup, played, reviewed))
    except TimeoutError:
        logger.warning("Turn %d of game %d is left out of puzzles", played.state.turn, game.pk)
        return []


def _turns(game: Game, ship: rules.Starship) -> Iterator[tuple[int, Played]]:
    for turn, record in stored.each_played(game.turns.filter(record__isnull=False).order_by("number")):
        start = stored.start_in(record, ship)
        hands = {hand.robot - 1: stored.chips_of(hand) for hand in record.hands}
        orders = {hand.robot - 1: stored.orders_of(hand.program) for hand in record.hands if hand.program}
        yield turn.number, Played(start, hands, orders, stored.events_in(record, ship, start))


def add_puzzle(puzzle: Position, *, revision: StarshipRevision, origin: str, now: datetime) -> bool:
    """Store a puzzle. Return False if it is stored already."""
    values = {
        "revision": revision,
        "document": write_puzzle(puzzle),
        "made_at": now,
        "mu": first_rating(puzzle),
    }
    return Puzzle.objects.get_or_create(origin=origin, defaults=values)[1]


def first_rating(puzzle: Position) -> float:
    """Return the rating of a puzzle that no one has tried yet, on the scale of `Skill.mu`.

    A solution that is also the best program on an empty board is easier to find. A solution among few
    programs is harder.
    """
    share = puzzle.best.orders / puzzle.best.programs
    return MU + (DIRECT if puzzle.direct else -DIRECT) + (1.0 if share < RARE else -1.0)


# --- Simulated games ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a simulation: the games played in this call, and the puzzles of this seed so far."""

    games: int
    puzzles: int


def simulate(*, puzzles: int, seed: str, now: datetime) -> Iterator[Progress]:
    """Play simulated games until there are this many puzzles from them. Yield the progress after each game.

    The games of a seed come in the same order on every site with the same fleet, and always have the same
    puzzles. A new call continues after the last game with a puzzle.
    """
    boards = [_newest(ship) for ship in Starship.objects.filter(OFFERED).order_by("pk")]
    boards = [board for board in boards if not board.prototype and suits(starship_of(board))]
    ships = [starship_of(board) for board in boards]
    if not ships:
        raise ValueError("there is no starship in the fleet that suits simulated games")
    known = Puzzle.objects.filter(origin__startswith=f"simulated/{seed}/")
    found, last = known.count(), known.order_by("-pk").first()
    first = int(last.origin.split("/")[2]) if last else 0
    for games in count(1):
        if found >= puzzles:
            return
        number = first + games - 1
        for place, puzzle in puzzles_of_game(ships, seed, number):
            origin = f"simulated/{seed}/{number}/{puzzle.state.turn}/{puzzle.robot + 1}"
            found += add_puzzle(puzzle, revision=boards[place], origin=origin, now=now)
        yield Progress(games, found)


def _newest(ship: Starship) -> StarshipRevision:
    return ship.revisions.order_by("-number")[0]
