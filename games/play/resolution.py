"""Resolve turns. Each turn is resolved once, even if several workers try at the same time."""

import logging
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

import rules
from games import live
from games.errors import describe_error
from games.news.services import notify, outdate, people_in
from games.news.timing import REMINDERS
from games.play import lifecycle, stored
from games.play.deadlines import extend_deadlines
from games.play.heads import set_head
from games.play.lifecycle import ask_ahead, open_turn
from games.play.models import SUBSTITUTE_AUTHORS, Game, Hand, Seat, Turn
from games.play.selectors import ask_to_play, missing_hands, prefetch_players, program_of, turns_under_way
from games.play.services import ask_locked, locked_game
from games.play.stored import TurnRecord, each_played, encode_record, played_hands
from games.work import enqueue, jobs
from games.work.jobs import encode_reason
from roborunner import faults
from roborunner.postgres.queries import Pipeline

TIMEOUT_SECONDS: Final = 120.0
"""The time limit for the process that `play` starts, in seconds.

Starting the process takes longer than resolving the turn.
"""


NOT_DUE_EXIT_CODE: Final = 3
"""The exit code of the command ``play_turn`` if the turn was no longer due."""


def play(turn_id: int) -> tuple[bool, str]:
    """Resolve a turn in a separate process.

    Return whether the turn was resolved, and an encoded reason (`games.work.jobs`) if the process was killed
    or exceeded `TIMEOUT_SECONDS`. Otherwise the reason is empty, because the process itself records failures.
    """
    command = [sys.executable, "-m", "django", "play_turn", str(turn_id)]
    try:
        ended = subprocess.run(
            command,
            cwd=settings.BASE_DIR,
            stdin=subprocess.DEVNULL,
            preexec_fn=_first_to_go,
            timeout=TIMEOUT_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return False, encode_reason("too-slow", f"{TIMEOUT_SECONDS:g}")
    if ended.returncode < 0:
        name = signal.Signals(-ended.returncode).name
        return False, encode_reason("ended-by", name)
    return ended.returncode == 0, ""


def _first_to_go() -> None:
    """Make the kernel kill this process before the worker if memory runs out."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


_NEXT: Final = "nextval('games_turn_recorded_seq')"
"""The SQL expression for the next value of `Turn.recorded`, which numbers the resolved turns of all games."""


def save_played_turn(*, turn: Turn, played: TurnRecord, pipeline: Pipeline) -> None:
    """Save a turn as resolved, and delete its hands. The writes are queued in a pipeline.

    This runs in the transaction that resolves the turn.
    """
    turn.status = Turn.Status.RESOLVED
    turn.record, turn.snapshot = encode_record(played), None
    turn.first_seq, turn.last_seq = played.first_seq, played.last_seq
    pipeline.ask(_DROP_HANDS, turn.pk)
    pipeline.update(
        turn,
        [
            *("status", "record", "snapshot", "first_seq", "last_seq"),
            *("head_before", "head", "resolved_at", "error"),
        ],
        recorded=_NEXT,
    )


_DROP_HANDS: Final = """
WITH gone AS (SELECT id FROM games_hand WHERE turn_id = %s),
    programs AS (DELETE FROM games_program USING gone WHERE hand_id = gone.id),
    drafts AS (DELETE FROM games_draft USING gone WHERE hand_id = gone.id)
DELETE FROM games_hand USING gone WHERE games_hand.id = gone.id
"""
"""SQL to delete a turn's hands with their programs and drafts, in one statement.

Django would read the hands first, and then run one query for each table.
"""


def rewrite_played_turns(*, game: Game, change: Callable[[TurnRecord], TurnRecord]) -> None:
    """Apply ``change`` to the records of all played turns of a game.

    The caller must hold the lock on the game's row.
    """
    for turn, played in each_played(game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")):
        if (changed := change(played)) != played:
            Turn.objects.filter(pk=turn.pk).update(record=encode_record(changed))


logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 5
"""The maximum number of failed attempts to resolve a turn. After that, the turn waits for staff."""

SUSPECT_AFTER = 3
"""The number of interrupted attempts after which a turn is resolved in a separate process."""

MAX_INTERRUPTIONS = 1000
"""The maximum of a turn's counter ``interruptions``. The counter stops there, so it cannot overflow."""

COMPUTERS_ANYWHERE_AFTER: Final = timedelta(minutes=2)
"""The delay after a deadline before all workers, not only the dedicated ones, may run computers."""

NO_LIMIT: Final = 2**31
"""A limit for ``interruptions`` that the counter can never reach."""

FAILURE_NOTE_SECONDS = 20.0
"""The maximum time to record a failed attempt, in seconds.

A failure that could not be recorded counts as an interruption.
"""


def resolve_turn(*, turn_id: int, thinks: bool = True, now: datetime) -> bool:
    """Resolve a due turn, and open the next turn or end the game.

    A turn is due once all orders are in or time is up. Return whether this call resolved the turn. Nothing
    happens if the turn is not due, is already resolved, or has failed too often. One transaction writes
    everything, so the turn stays intact if the worker dies. If a computer must play for a late player, and
    this worker does not run computers (``thinks`` is False), the turn goes to another worker.

    Several interrupted attempts mean either that the turn kills its workers, or that operators stopped them.
    To tell which, `_resolve_watched` then resolves the turn in a separate process.
    """
    if game_id := _begin(turn_id, SUSPECT_AFTER, now):
        return _attempt(turn_id, game_id, thinks, now)
    turn = _due(turn_id, now).only("game_id").first()
    if turn is None:
        return False
    with transaction.atomic():
        locked_game(turn.game_id)  # a running attempt counts as interrupted: wait for its end
    return _due(turn_id, now).exists() and _resolve_watched(turn_id)


def is_complete(*, turn_id: int) -> bool:
    """Return whether all orders of a turn are in."""
    return Turn.objects.filter(pk=turn_id, ready_at__isnull=False).exists()


def play_turn(*, turn_id: int, now: datetime) -> bool:
    """Resolve a due turn in this process, however often its attempts were interrupted.

    Return whether this call resolved the turn.
    """
    game_id = _begin(turn_id, None, now)
    return game_id is not None and _attempt(turn_id, game_id, True, now)


def _due(turn_id: int, now: datetime) -> QuerySet[Turn]:
    due = Q(ready_at__isnull=False) | Q(deadline__lte=now)
    running = Exists(Game.objects.filter(pk=OuterRef("game"), status=Game.Status.RUNNING))
    return Turn.objects.filter(due, running, status=Turn.Status.OPEN, pk=turn_id, attempts__lt=MAX_ATTEMPTS)


def _begin(turn_id: int, suspect: int | None, now: datetime) -> int | None:
    """Count an attempt to resolve a turn, in its own transaction. Return the ID of the turn's game.

    Return None if the turn is not due, has failed too often, or was interrupted ``suspect`` times. If
    ``suspect`` is None, interruptions have no limit.
    """
    pipeline = Pipeline()
    begun = pipeline.ask(
        _BEGIN,
        MAX_INTERRUPTIONS,
        encode_reason("unfinished"),
        turn_id,
        MAX_ATTEMPTS,
        now,
        suspect or NO_LIMIT,
    )
    pipeline.send()
    return begun.rows[0][0] if begun.rows else None


_BEGIN: Final = """
UPDATE games_turn SET interruptions = least(interruptions, %s) + 1, error = %s
    WHERE id = %s AND status = 'open' AND attempts < %s AND (ready_at IS NOT NULL OR deadline <= %s)
        AND interruptions < %s
        AND EXISTS (SELECT 1 FROM games_game WHERE games_game.id = game_id AND games_game.status = 'running')
        AND set_config('synchronous_commit', 'off', true) = 'off'
    RETURNING game_id
"""
"""SQL to count an attempt to resolve a turn, under the conditions of `_due`. The counter cannot overflow.

The commit does not wait for the disk. It can be lost only if Postgres dies. Then the attempt need not
count, because it was not the turn that killed its worker.
"""


def _attempt(turn_id: int, game_id: int, thinks: bool, now: datetime) -> bool:
    begun = perf_counter()
    try:
        with transaction.atomic(durable=True):
            done = _resolve(turn_id, game_id, thinks, now)
    except Exception as error:
        _note_failure(turn_id, error)
        raise
    if done:
        jobs.TURN_RESOLUTION.observe(perf_counter() - begun)
    return done


def _note_failure(turn_id: int, error: Exception) -> None:
    """Record a failed attempt. After a temporary fault, the attempt does not count against the turn."""
    reason = describe_error(error)
    turns = Turn.objects.filter(pk=turn_id, interruptions__gt=0)
    if faults.is_temporary(error):
        noted: dict[str, Any] = {
            "interruptions": F("interruptions") - 1,
            "error": encode_reason("passing", reason),
        }
    else:
        noted = {"interruptions": 0, "attempts": F("attempts") + 1, "error": reason}
    faults.write_despite_outage(
        lambda: turns.update(**noted), f"Turn {turn_id} failed ({reason})", seconds=FAILURE_NOTE_SECONDS
    )


def _resolve_watched(turn_id: int) -> bool:
    """Resolve a turn in a separate process. If the process dies, this counts as a failed attempt."""
    played, ending = play(turn_id)
    if ending:
        logger.error("A turn ended the process that played it. %s", ending, extra={"turn": turn_id})
        Turn.objects.filter(pk=turn_id, status=Turn.Status.OPEN).update(
            attempts=F("attempts") + 1, error=ending
        )
    return played


def _resolve(turn_id: int, game_id: int, thinks: bool, now: datetime) -> bool:
    pipeline = Pipeline()
    held = ask_locked(game_id, pipeline=pipeline)  # read the rest only once the row is locked
    gathered = ask_to_play(game_id=game_id, turn_id=turn_id, pipeline=pipeline)
    pipeline.send()
    game = held()
    turn, found = gathered(game)
    seats = {seat.number: seat for seat in prefetch_players(game=game)}
    if turn.status != Turn.Status.OPEN or game.status != Game.Status.RUNNING:
        return False
    if turn.ready_at is None and not _is_due(turn, now):
        return False
    hands = {hand.robot - 1: hand for hand in found}
    for hand in found:
        hand.turn, hand.seat = turn, seats[hand.robot] if hand.seat_id else None
    if not thinks and turn.ready_at is None and _is_left_to_thinkers(game, turn, found, now):
        return False
    setup = stored.setup_of(game)
    orders = _orders(game, turn, setup, hands, now)
    state = stored.start_of(turn, setup.starship)  # robots may have been switched on meanwhile
    chips = {index: stored.chips_of(hand) for index, hand in hands.items()}
    outcome = rules.resolve_turn(setup, state, chips, orders, game.seed)
    ahead = ask_ahead(game=game, pipeline=pipeline)
    lifecycle.hooks.turn_played(
        game=game, turn=turn, hands=hands, before=state, events=outcome.events, pipeline=pipeline, now=now
    )
    assert turn.snapshot is not None
    played = TurnRecord(
        first_seq=game.last_seq + 1,
        start=turn.snapshot,
        hands=played_hands(hands.values()),
        events=tuple(rules.events_to_json(stored.vocabulary_of(setup.starship, state), outcome.events)),
    )
    set_head(game=game, turn=turn, played=played)
    game.last_seq, game.moved_at = played.last_seq, now
    _note_ends(game, outcome.state)
    turn.resolved_at, turn.error = now, ""
    save_played_turn(turn=turn, played=played, pipeline=pipeline)
    outdate(game_id=game.pk, turn=turn.number, kinds=("turn", *REMINDERS), pipeline=pipeline)
    if outcome.state.over:
        _end(game, outcome.state, now)
    else:
        deal = rules.deal(setup, outcome.state, game.seed)
        given = [program_of(hand) for hand in hands.values()]
        missed = any(program.by in SUBSTITUTE_AUTHORS for program in given if program)
        open_turn(
            game=game,
            setup=setup,
            dealt=deal,
            head=turn.head,
            missed=missed,
            ahead=ahead,
            pipeline=pipeline,
            now=now,
        )
    pipeline.update(
        game, ["turn", "last_seq", "heads_from", "moved_at", "status", "winner", "ending", "ended_at"]
    )
    pipeline.send()
    lifecycle.hooks.turn_resolved(game=game, turn=turn, now=now)
    live.announce_change(game)
    logger.info("Turn %d was played", turn.number, extra={"game": game.pk, "turn": turn.pk})
    jobs.TURN_WAIT.observe((now - min(filter(None, [turn.ready_at, turn.deadline]))).total_seconds())
    return True


def _is_due(turn: Turn, now: datetime) -> bool:
    """Return whether a turn's time is up, even with outages and vacation added to its deadlines.

    If it is not, the counters of the turn's attempts are set to 0.
    """
    extend_deadlines(turn=turn, hands=missing_hands(turn), now=now)
    if turn.deadline is not None and turn.deadline <= now:
        return True
    turn.attempts, turn.interruptions, turn.error, turn.offered_at = 0, 0, "", None
    turn.save(update_fields=["attempts", "interruptions", "error", "offered_at"])
    return False


def _is_left_to_thinkers(game: Game, turn: Turn, hands: Iterable[Hand], now: datetime) -> bool:
    """Pass a late turn to the workers for computers, if a computer must play for one of its players.

    Return whether the turn was passed on. This does not count as an attempt to resolve the turn.
    """
    if turn.deadline is None or now >= turn.deadline + COMPUTERS_ANYWHERE_AFTER:
        return False
    missing = [hand.seat for hand in hands if hand.seat is not None and program_of(hand) is None]
    if not lifecycle.hooks.asks_computers(game=game, turn=turn, seats=missing):
        return False
    turn.interruptions, turn.error = max(0, turn.interruptions - 1), ""
    turn.save(update_fields=["interruptions", "error"])
    enqueue.play_computers(turn.pk, host=game.host_id)
    return True


def _orders(
    game: Game, turn: Turn, setup: rules.Setup, hands: Mapping[int, Hand], now: datetime
) -> dict[int, rules.Orders]:
    """Return the orders of all players by robot index, with substitute orders for late players."""
    programs = {index: program_of(hand) for index, hand in hands.items() if hand.seat_id is not None}
    for index in [index for index, program in programs.items() if program is None]:
        hand = hands[index]
        assert hand.seat is not None
        programs[index] = lifecycle.hooks.time_is_up(
            game=game, turn=turn, hand=hand, seat=hand.seat, setup=setup, now=now
        )
    return {index: stored.orders_of(program) for index, program in programs.items() if program}


def _note_ends(game: Game, state: rules.State) -> None:
    """Save which robots are out of the game, and their places in the result."""
    changed = []
    for seat in game.players.all():
        robot = state.robots[seat.number - 1]
        if (seat.out, seat.place) != (robot.out, robot.place):
            seat.out, seat.place = robot.out, robot.place
            changed.append(seat)
    if changed:
        Seat.objects.bulk_update(changed, ["out", "place"])


def _end(game: Game, state: rules.State, now: datetime) -> None:
    """Mark a game as over, and notify its players.

    In missions, test flights and games on one screen, no player is notified. The caller saves the game.
    """
    game.status = Game.Status.OVER
    game.ended_at = now
    winner = state.winner
    game.winner = state.robots[winner].name if isinstance(winner, int) else winner or ""
    lifecycle.hooks.game_ended(game=game, now=now)
    if game.is_practice or game.is_on_one_screen:
        return
    notify(users=people_in(game), kind="over", game=game, turn=state.turn, now=now)


def keep_deadline(*, turn_id: int, now: datetime) -> bool:
    """Resolve a turn at its deadline. If the deadline has moved, schedule another check.

    It is safe to call this early, late or repeatedly. Return whether this call resolved the turn.
    """
    if resolve_turn(turn_id=turn_id, thinks=False, now=now):
        return True
    turn = turns_under_way().filter(pk=turn_id, ready_at=None, deadline__gt=now).only("deadline").first()
    if turn is not None and turn.deadline is not None:
        enqueue.keep_deadline(turn_id, deadline=turn.deadline, now=now)
    return False
