"""Jobs of workers: review the turns of an analysis, one after another."""

import logging
import time
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

import rules
from accounts.models import User
from games.absence.models import SitterTurn
from games.analysis.models import Analysis
from games.analysis.selectors import numbers_to_review, reviewed_turns
from games.analysis.services import charge, offer
from games.play import stored
from games.play.models import Seat, Turn
from games.play.stored import TurnRecord
from games.work.jobs import encode_reason
from roborunner import faults
from roborunner.faults import time_limit
from roborunner.leases import take_back
from rules.review import SITTER, VERSION, Played, result_of, review_to_json, review_turn, turn_to_json

ATTEMPTS: Final = 3
"""The maximum number of attempts at a piece of an analysis. A faulty game may crash every worker."""

WORK_SECONDS: Final = 20.0
"""Seconds of work after which a worker stores its turns and ends its task. Another task continues.

Until then, no other job of its queue runs.
"""

LONGEST_TURN: Final = 60
"""The maximum duration of the review of one turn, in seconds. A longer review counts as failed."""

FAILURE_COST: Final = 100_000
"""The cost of a failure, in positions. A worker tries about this number in `LONGEST_TURN`.

A turn that takes too long would otherwise cost its player nothing, however often they ask for it again.
"""

TASK_TIME_LIMIT: Final = 120
"""Seconds after which a task is killed. This is longer than `WORK_SECONDS` plus `LONGEST_TURN`."""

LEASE: Final = timedelta(seconds=150)
"""The duration of a worker's claim on an analysis.

It is longer than `TASK_TIME_LIMIT`, so a worker whose claim has ended is dead.
"""

SECONDS_BETWEEN_WRITES: Final = 1.0
"""The minimum number of seconds between two writes of the turns reviewed so far."""

logger = logging.getLogger(__name__)


def analyses_to_continue(*, now: datetime) -> QuerySet[Analysis]:
    """Return the unfinished analyses that no worker has claimed, oldest first.

    Analyses of a newer version are left to the workers of the next release.
    """
    return Analysis.free(now).filter(version__lte=VERSION).order_by("asked_at")


def advance_analysis(*, analysis_id: int, now: datetime) -> bool:
    """Review the next turns of an analysis, unless another worker has claimed it.

    Returns whether turns were stored. A call is safe at any time, even if there is nothing to do. If workers
    die repeatedly on an analysis, it fails.
    """
    waiting = analyses_to_continue(now=now).select_related(
        "game__revision__starship", "game__course", "player", "asked_by"
    )
    claimed = waiting.filter(pk=analysis_id).first()
    working = Analysis.Status.WORKING
    if claimed is None or not claimed.claim(LEASE, now=now, offered_at=now, status=working):
        return False
    if claimed.version < VERSION:  # the site was upgraded meanwhile: its figures would not fit together
        return _stop(claimed, now)
    if claimed.attempts > ATTEMPTS:
        return _fail(claimed, encode_reason("deadly-analysis", ATTEMPTS), now)
    try:
        return _review(claimed, now)
    except Exception as error:
        if faults.is_temporary(error):  # not the game's fault: another attempt follows when the lease ends
            take_back([claimed], error)
            raise
        logger.exception("Analysis %d has failed", analysis_id)
        return _fail(claimed, encode_reason("analysis-fault"), now)


def _review(claimed: Analysis, now: datetime) -> bool:
    """Review turns of a claimed analysis for up to `WORK_SECONDS`, and store them.

    Returns False if the analysis was stopped. Then the last turns are not stored.
    """
    setup = stored.setup_of(claimed.game)
    documents = reviewed_turns(claimed)
    before = len(documents)
    asker = claimed.asked_by
    started = written = time.monotonic()
    for turn in _missing_turns(claimed, documents):
        with time_limit(LONGEST_TURN, f"it took longer than {LONGEST_TURN} s"):
            documents.append(review_of_turn(setup, turn, player=claimed.player))
        if asker is not None:
            charge(asker, documents[-1]["positions"])
        passed = time.monotonic()
        if passed - started > WORK_SECONDS:
            break
        if passed - written > SECONDS_BETWEEN_WRITES:
            written, review = passed, review_to_json(setup, documents)
            if not claimed.mine().update(review=review, reviewed=len(documents)):
                return False
    return _store(claimed, setup, documents, goes_on=len(documents) > before, now=now)


def _store(
    claimed: Analysis, setup: rules.Setup, documents: list[dict[str, Any]], *, goes_on: bool, now: datetime
) -> bool:
    """Store reviewed turns, and end the analysis or queue the next piece.

    The analysis stops unless it ``goes_on``. It cannot go on if its player has left the game. Returns False
    if it was stopped before, or another worker has claimed it. Then nothing is stored.
    """
    done = len(documents) >= claimed.turns
    result = _result(setup, claimed, documents) if done else None
    with transaction.atomic():
        analysis = claimed.lock_mine()
        if analysis is None:
            return False
        analysis.review, analysis.reviewed = review_to_json(setup, documents, result), len(documents)
        analysis.attempts, analysis.lease_until = 0, None
        if done:
            analysis.end(Analysis.Status.DONE, now)
            if analysis.player_id is None:  # nobody reads the others any more
                others = Analysis.objects.filter(game=analysis.game_id).exclude(pk=analysis.pk)
                others.exclude(Analysis.OPEN).delete()
        elif goes_on:
            analysis.save()
            offer(analysis, now)
        else:
            analysis.end(Analysis.Status.STOPPED, now)
    return goes_on


def _stop(claimed: Analysis, now: datetime) -> bool:
    """Stop a claimed analysis. Always return False."""
    with transaction.atomic():
        analysis = claimed.lock_mine()
        if analysis is not None:
            analysis.end(Analysis.Status.STOPPED, now)
    return False


def _fail(claimed: Analysis, failure: str, now: datetime) -> bool:
    """End a claimed analysis as failed, with a reason, and charge `FAILURE_COST`. Always return False."""
    with transaction.atomic():
        analysis = claimed.lock_mine()
        if analysis is not None and analysis.asked_by is not None:
            charge(analysis.asked_by, FAILURE_COST)
        return claimed.fail(failure, now)


def _result(setup: rules.Setup, claimed: Analysis, documents: list[dict[str, Any]]) -> list[float] | None:
    """Return each player's result in a finished game that did not end by its rules, else None."""
    game = claimed.game
    if claimed.player_id is not None or not game.ended_early:
        return None
    # Read in one query, because a robot may just have been renamed in both.
    last = game.turns.select_related("game").get(number=documents[-1]["turn"])
    record = stored.turn_record(last)
    winner: int | str | None = last.game.winner or None
    if winner in record.names:
        winner = record.names.index(str(winner))
    return result_of(setup, played_in(setup, record, None), winner)


def _missing_turns(claimed: Analysis, documents: list[dict[str, Any]]) -> Iterator[Turn]:
    """Yield the turns of an analysis that have not been reviewed yet. Each is read when it is needed."""
    numbers = numbers_to_review(game=claimed.game, player=claimed.player)
    done = {document["turn"] for document in documents}
    for number in numbers[: claimed.turns]:
        if number not in done:
            yield claimed.game.turns.get(number=number)


def review_of_turn(setup: rules.Setup, turn: Turn, *, player: User | None) -> dict[str, Any]:
    """Return the document of a turn's review: of all robots, or only of a ``player``'s own robot."""
    seats = None
    if player is not None:
        own = Seat.objects.filter(game=turn.game_id, user=player).values_list("number", flat=True)
        seats = [number - 1 for number in own]
    played = played_in(setup, stored.turn_record(turn), seats, by_sitter=_ordered_by_sitters(turn))
    return turn_to_json(review_turn(setup, played, seats))


def _ordered_by_sitters(turn: Turn) -> set[tuple[int, datetime]]:
    """Return the orders that sitters submitted for a turn: the robots' numbers, and the times."""
    rows = SitterTurn.objects.filter(game=turn.game_id, turn=turn.number)
    seats = rows.filter(sitting__owner__seats__game=turn.game_id)
    return {*seats.values_list("sitting__owner__seats__number", "ordered_at")}


def played_in(
    setup: rules.Setup,
    record: TurnRecord,
    seats: list[int] | None,
    *,
    by_sitter: Collection[tuple[int, datetime]] = (),
) -> Played:
    """Return a played turn for the engine, with the hands and orders of all robots, or only of these.

    A hand that stayed face down is left out in a player's own analysis, because the player never saw it.
    ``by_sitter`` has the orders of sitters (`_ordered_by_sitters`). They count if the player did not change
    them later.
    """
    ship = setup.starship
    start = stored.start_in(record, ship)
    known = [hand for hand in record.hands if seats is None or hand.robot - 1 in seats]
    programs = [(hand.robot - 1, hand.program) for hand in known if hand.program]
    return Played(
        start,
        {hand.robot - 1: stored.chips_of(hand) for hand in known if seats is None or not hand.face_down},
        {robot: stored.orders_of(program) for robot, program in programs},
        stored.events_in(record, ship, start),
        {
            robot: SITTER if (robot + 1, program.submitted_at) in by_sitter else program.by
            for robot, program in programs
        },
    )
