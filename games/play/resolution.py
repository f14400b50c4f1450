"""Resolve turns: exactly once, however often and by however many workers it is tried."""

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
from games.errors import reason_of
from games.news.services import outdate, people_in, tell
from games.play import lifecycle, stored
from games.play.deadlines import catch_up
from games.play.heads import bind_turn
from games.play.lifecycle import ask_ahead, open_turn
from games.play.models import MISSED, Game, Hand, Seat, Turn
from games.play.selectors import ask_to_play, gather_players, missing_hands, program_of, turns_under_way
from games.play.services import ask_locked, locked_game
from games.play.stored import Played, dealt, each_played, write
from games.work import enqueue, jobs
from games.work.jobs import encode_reason
from roborunner import faults
from roborunner.postgres.queries import Pipeline

SECONDS: Final = 120.0
"""How long such a process may take: starting it takes seconds, and a turn less than one."""


IDLE: Final = 3
"""The code with which such a process ends where it did not play the turn, since it was not due any more."""


def play(turn_id: int) -> tuple[bool, str]:
    """Play a turn in another process.

    Returns whether that process played it, and how it was ended, empty if it ended itself. The process notes
    failures that do not end it.
    """
    command = [sys.executable, "-m", "django", "play_turn", str(turn_id)]
    try:
        ended = subprocess.run(
            command, cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL, preexec_fn=_first_to_go, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return False, encode_reason("too-slow", f"{SECONDS:g}")
    if ended.returncode < 0:
        name = signal.Signals(-ended.returncode).name
        return False, encode_reason("ended-by", name)
    return ended.returncode == 0, ""


def _first_to_go() -> None:
    """Have the kernel end this process rather than the worker where memory runs out."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


_NEXT: Final = "nextval('games_turn_recorded_seq')"
"""The next number of all turns, in the order in which they are played."""


def keep_played(*, turn: Turn, played: Played, pipeline: Pipeline) -> None:
    """Have a pipeline keep a turn as played and delete its hands, in the transaction that plays it."""
    turn.status = Turn.Status.RESOLVED
    turn.record, turn.snapshot = write(played), None
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
"""In one statement: Django would read the hands first, and then delete from each table."""


def rewrite(*, game: Game, change: Callable[[Played], Played]) -> None:
    """Replace the records of all played turns of a game, whose row is held, by ``change``."""
    for turn, played in each_played(game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")):
        if (changed := change(played)) != played:
            Turn.objects.filter(pk=turn.pk).update(record=write(changed))


logger = logging.getLogger(__name__)

ATTEMPTS = 5
"""How often a turn may fail by its own fault before it waits for staff."""

SUSPECT = 3
"""After how many interruptions a turn is played in a process of its own, whose end is watched."""

COUNTED = 1000
"""Interruptions up to which they are counted."""

THINKERS: Final = timedelta(minutes=2)
"""How late a turn may be before a worker thinks that otherwise only resolves turns."""

NEVER: Final = 2**31
"""More interruptions than a turn can have."""

NOTING = 20.0
"""Seconds for which a worker tries to note that an attempt failed; else it was one more interruption."""


def resolve_turn(*, turn_id: int, thinks: bool = True, now: datetime) -> bool:
    """Play a turn whose orders are all in or whose time is up, and open the next one or end the game.

    Returns whether this call did it: a turn that is not due, was resolved already, or failed too often is
    left alone. Everything is written in one transaction, so a worker that dies leaves the turn as it was. If
    computers play for people, and this worker never ``thinks``, another one gets the turn.

    A turn that was interrupted several times may kill its workers, or operators ended them. Another process
    finds out which: see `watching`.
    """
    if game_id := _begin(turn_id, SUSPECT, now):
        return _attempt(turn_id, game_id, thinks, now)
    turn = _due(turn_id, now).only("game_id").first()
    if turn is None:
        return False
    with transaction.atomic():
        locked_game(turn.game_id)  # workers that are at it hold it: they were not interrupted
    return _due(turn_id, now).exists() and _resolve_watched(turn_id)


def is_complete(*, turn_id: int) -> bool:
    """Return whether all orders of a turn are in."""
    return Turn.objects.filter(pk=turn_id, ready_at__isnull=False).exists()


def play_turn(*, turn_id: int, now: datetime) -> bool:
    """Play a turn in this process, as `resolve_turn` does, however often it was interrupted."""
    game_id = _begin(turn_id, None, now)
    return game_id is not None and _attempt(turn_id, game_id, True, now)


def _due(turn_id: int, now: datetime) -> QuerySet[Turn]:
    due = Q(ready_at__isnull=False) | Q(deadline__lte=now)
    running = Exists(Game.objects.filter(pk=OuterRef("game"), status=Game.Status.RUNNING))
    return Turn.objects.filter(due, running, status=Turn.Status.OPEN, pk=turn_id, attempts__lt=ATTEMPTS)


def _begin(turn_id: int, suspect: int | None, now: datetime) -> int | None:
    """Count an attempt so that it survives any outcome. Return the game, if there is an attempt to make.

    Return None if the turn was already interrupted ``suspect`` times.
    """
    pipeline = Pipeline()
    begun = pipeline.ask(
        _BEGIN, COUNTED, encode_reason("unfinished"), turn_id, ATTEMPTS, now, suspect or NEVER
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
"""What `_due` finds. Whatever stands in ``interruptions``, one more has room.

It need not be on the disk at once: if Postgres dies in that moment, the turn did not end its worker.
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
    """Note the failure of an attempt. It counts only if it is the turn's own fault."""
    reason = reason_of(error)
    turns = Turn.objects.filter(pk=turn_id, interruptions__gt=0)
    if faults.is_temporary(error):
        noted: dict[str, Any] = {
            "interruptions": F("interruptions") - 1,
            "error": encode_reason("passing", reason),
        }
    else:
        noted = {"interruptions": 0, "attempts": F("attempts") + 1, "error": reason}
    faults.write_despite_outage(
        lambda: turns.update(**noted), f"Turn {turn_id} failed ({reason})", seconds=NOTING
    )


def _resolve_watched(turn_id: int) -> bool:
    """Play a turn in another process. If only that one is killed, the turn did it."""
    played, ending = play(turn_id)
    if ending:
        logger.error("A turn ended the process that played it. %s", ending, extra={"turn": turn_id})
        Turn.objects.filter(pk=turn_id, status=Turn.Status.OPEN).update(
            attempts=F("attempts") + 1, error=ending
        )
    return played


def _resolve(turn_id: int, game_id: int, thinks: bool, now: datetime) -> bool:
    pipeline = Pipeline()
    held = ask_locked(game_id, pipeline=pipeline)  # what follows is read after that, as it may have changed
    gathered = ask_to_play(game_id=game_id, turn_id=turn_id, pipeline=pipeline)
    pipeline.send()
    game = held()
    turn, found = gathered(game)
    seats = {seat.number: seat for seat in gather_players(game=game)}
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
    state = stored.start_of(turn, setup.starship)  # robots may have been switched on
    chips = {index: stored.chips_of(hand) for index, hand in hands.items()}
    outcome = rules.resolve_turn(setup, state, chips, orders, game.seed)
    ahead = ask_ahead(game=game, pipeline=pipeline)
    lifecycle.hooks.turn_played(
        game=game, turn=turn, hands=hands, before=state, events=outcome.events, pipeline=pipeline, now=now
    )
    assert turn.snapshot is not None
    played = Played(
        first_seq=game.last_seq + 1,
        start=turn.snapshot,
        hands=dealt(hands.values()),
        events=tuple(rules.events_to_json(stored.vocabulary_of(setup.starship, state), outcome.events)),
    )
    bind_turn(game=game, turn=turn, played=played)
    game.last_seq, game.moved_at = played.last_seq, now
    _note_ends(game, outcome.state)
    turn.resolved_at, turn.error = now, ""
    keep_played(turn=turn, played=played, pipeline=pipeline)
    outdate(game_id=game.pk, turn=turn.number, kinds=("turn", "reminder"), pipeline=pipeline)
    if outcome.state.over:
        _end(game, outcome.state, now)
    else:
        deal = rules.deal(setup, outcome.state, game.seed)
        given = [program_of(hand) for hand in hands.values()]
        missed = any(program.by in MISSED for program in given if program)
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
    """Return whether the time for a turn is up, all considered; if not, there was nothing to attempt."""
    catch_up(turn=turn, hands=missing_hands(turn), now=now)
    if turn.deadline is not None and turn.deadline <= now:
        return True
    turn.attempts, turn.interruptions, turn.error, turn.offered_at = 0, 0, "", None
    turn.save(update_fields=["attempts", "interruptions", "error", "offered_at"])
    return False


def _is_left_to_thinkers(game: Game, turn: Turn, hands: Iterable[Hand], now: datetime) -> bool:
    """Leave a turn to the workers that think, if computers think in players' places; return whether they do.

    An attempt that ends so does not count.
    """
    if turn.deadline is None or now >= turn.deadline + THINKERS:
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
    """Return all players' orders, or the orders in place of players whose time is up."""
    programs = {index: program_of(hand) for index, hand in hands.items() if hand.seat_id is not None}
    for index in [index for index, program in programs.items() if program is None]:
        hand = hands[index]
        assert hand.seat is not None
        programs[index] = lifecycle.hooks.time_is_up(
            game=game, turn=turn, hand=hand, seat=hand.seat, setup=setup, now=now
        )
    return {index: stored.orders_of(program) for index, program in programs.items() if program}


def _note_ends(game: Game, state: rules.State) -> None:
    """Note whose robots are out of the game, and the places that were taken."""
    changed = []
    for seat in game.players.all():
        robot = state.robots[seat.number - 1]
        if (seat.out, seat.place) != (robot.out, robot.place):
            seat.out, seat.place = robot.out, robot.place
            changed.append(seat)
    if changed:
        Seat.objects.bulk_update(changed, ["out", "place"])


def _end(game: Game, state: rules.State, now: datetime) -> None:
    """End a game, and notify its players, except of missions and test flights."""
    game.status = Game.Status.OVER
    game.ended_at = now
    winner = state.winner
    game.winner = state.robots[winner].name if isinstance(winner, int) else winner or ""
    lifecycle.hooks.game_ended(game=game, now=now)
    if game.is_practice:
        return
    tell(users=people_in(game), kind="over", game=game, turn=state.turn, now=now)


def keep_deadline(*, turn_id: int, now: datetime) -> bool:
    """Play a turn whose time is up, or look at it again later if it has some left.

    A message that comes early, late or twice, or after an extension, does no harm. Returns whether this call
    played the turn.
    """
    if resolve_turn(turn_id=turn_id, thinks=False, now=now):
        return True
    turn = turns_under_way().filter(pk=turn_id, ready_at=None, deadline__gt=now).only("deadline").first()
    if turn is not None and turn.deadline is not None:
        enqueue.keep_deadline(turn_id, deadline=turn.deadline, now=now)
    return False
