"""Play the turns that players have missed: standing orders, stand-in computers and replacements."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db.models import QuerySet

import rules
from accounts.models import Standing, User
from accounts.settings import change_preferences
from games import live
from games.absence.models import Replacement
from games.absence.seats import SUBSTITUTE_LEVEL, replace_by_computer
from games.clocks.clock import Live
from games.clocks.selectors import planned_on
from games.errors import refuse_guests
from games.news.services import notify, notify_about_game, people_in
from games.play import lifecycle, stored
from games.play.computers import ComputerOrders, think
from games.play.deadlines import extend_deadlines, stop_clock
from games.play.history import add_entry
from games.play.lifecycle import end_without_winner
from games.play.models import Draft, Game, Hand, Program, Seat, Turn
from games.play.orders import put_aside_turning, switch_on
from games.play.policy import (
    COMPUTER,
    FULL_CLOCK_AFTER,
    SHORT_CLOCK_AFTER,
    STANDING,
    AbsenceRecord,
    ClockRecord,
    after_missing,
    after_playing,
    clock_after_missing,
    clock_after_playing,
)
from games.play.resolution import COMPUTERS_ANYWHERE_AFTER, resolve_turn
from games.play.selectors import program_of, turns_under_way
from games.play.services import locked_game
from games.play.stored import each_played
from games.play.viewers import game_for, has_sitter, own_seat
from games.work import enqueue
from games.work.jobs import for_each_row
from roborunner.postgres.queries import Pipeline

AHEAD_CHIPS: Final = ("1", "2", "3")
"""The kinds of chips that move a robot ahead. Standing orders put them in empty registers in this order."""


def change_standing(*, user: User, standing: str) -> None:
    """Change a player's standing orders for all games. Raises Forbidden for guests."""
    refuse_guests(user)
    change_preferences(user=user, standing=standing)


def change_standing_of_game(*, user: User, game_id: int, standing: str) -> Game:
    """Change a player's standing orders for one game.

    If ``standing`` is empty, the player's standing orders for all games apply. Raises Forbidden for guests
    and people without a seat, and NotFound if the person may not see the game.
    """
    refuse_guests(user)
    game = game_for(viewer=user, game_id=game_id)
    seat = own_seat(user=user, game=game)
    seat.standing = standing
    seat.save(update_fields=["standing"])
    return game


def standing_of(seat: Seat) -> Standing:
    """Return a person's standing orders: those for the game of the seat, or else those for all games."""
    assert seat.user is not None
    return Standing(seat.standing or seat.user.standing)


def standing_orders(
    *, setup: rules.Setup, state: rules.State, hand: Hand, seat: Seat, seed: str
) -> rules.Orders:
    """Return the orders that a person's standing orders give for a hand.

    The person's draft is played as it is. If the standing orders tell the robot to move ahead, its empty
    registers get chips that move ahead, as long as there are any. If they tell it to switch off, the robot is
    switched off, provided that the rules allow it. All registers that are still empty get random chips.

    If the result breaks the rules, only the draft is played, with random chips in its empty registers. If
    that breaks the rules too, all chips are random.
    """
    index, chips = seat.number - 1, stored.chips_of(hand)
    laid = _draft_orders(hand)
    wanted = _switched_off(setup, state, index, laid) if standing_of(seat) == Standing.DOWN else laid
    if standing_of(seat) == Standing.AHEAD:
        wanted = _with_moves_ahead(state, index, chips, wanted)
    for orders in (wanted, laid):
        completed = rules.complete(setup, state, index, chips, orders, seed)
        if not rules.problems(setup, state, index, chips, completed):
            return completed
    return rules.complete(setup, state, index, chips, None, seed)


def _draft_orders(hand: Hand) -> rules.Orders:
    draft = Draft.objects.filter(hand=hand).first()
    return rules.read_orders(stored.plain_orders(draft)) if draft else rules.Orders()


def _switched_off(setup: rules.Setup, state: rules.State, index: int, orders: rules.Orders) -> rules.Orders:
    if state.robots[index].down:
        return replace(orders, stay_down="stay_down" in setup.ruleset.orders)
    return replace(orders, power_down=state.turn > 0 and "power_down" in setup.ruleset.orders)


def _with_moves_ahead(
    state: rules.State, index: int, chips: rules.Hand, orders: rules.Orders
) -> rules.Orders:
    """Return these orders with chips that move ahead in the empty registers, as long as the hand has any."""
    robot = state.robots[index]
    if state.turn == 0 or robot.down:
        return orders
    given = list(orders.registers) + [None] * (rules.REGISTERS - len(orders.registers))
    free = [chip for kind in AHEAD_CHIPS for chip in chips if chip.kind == kind and chip not in given]
    for register in range(rules.REGISTERS):
        if register not in robot.locked and given[register] is None and free:
            given[register] = free.pop(0)
    return replace(orders, registers=tuple(given))


DESERTED_AFTER: Final = 5
"""The number of consecutive turns without orders from any player that ends a live game.

The game is then cancelled.
"""

FAILURES_WITH_COMPUTERS = 2
"""The maximum number of failed or interrupted attempts to resolve a turn with computers for late players.

After more attempts, late players get random orders, because a computer may have killed the workers.
"""


def needs_computer(*, game: Game, turn: Turn, seat: Seat) -> bool:
    """Return whether a computer must choose the orders for an overdue player."""
    if seat.user is None or _is_suspect(turn):
        return False
    return stored.absence_of(game).policy == COMPUTER or _after_missing(game, seat) is None


def submit_substitute_orders(
    *, game: Game, turn: Turn, hand: Hand, seat: Seat, setup: rules.Setup, now: datetime
) -> Program:
    """Submit orders for an overdue player, as the game's absence policy says.

    The caller must hold the lock on the game's row. If the robot is off and its player has not decided
    whether to switch it on, this switches it on (AM-5.2). If the player has missed too many turns, a computer
    replaces them and plays this turn. The last person in a game is never replaced, because no other person
    waits for them.
    """
    state = stored.start_of(turn, setup.starship)
    shortens = _counts_for_clock(game, hand, seat)
    stop_clock(game=game, turn=turn, hand=hand, seat=seat, now=now)
    before = seat.short_clock
    if shortens:
        record = clock_after_missing(ClockRecord(seat.missed_in_row, seat.short_clock))
        seat.missed_in_row, seat.short_clock = record
    state = switch_on(game=game, turn=turn, hand=hand, setup=setup, state=state)
    if seat.user is not None and not _excuse(game, seat):
        replace_by_computer(game=game, seat=seat, reason=Replacement.Reason.MISSED, now=now)
        put_aside_turning(game=game, turn=turn, hand=hand, seat=seat, setup=setup, state=state, now=now)
        thought = _substitute_orders(turn, setup, state, hand, seat)
    else:
        thought = _in_their_place(game, turn, setup, state, hand, seat, now)
        if seat.short_clock and not before:
            name = seat.robo_name
            add_entry(game=game, by=None, kind="short-clock", player=name, number=SHORT_CLOCK_AFTER, now=now)
    Draft.objects.filter(hand=hand).delete()
    return Program.objects.create(
        game=game,
        hand=hand,
        orders=stored.write_orders(thought.orders),
        by=thought.by,
        remark=thought.remark,
        submitted_at=now,
    )


def record_clean_turns(*, game: Game, hands: Iterable[Hand], pipeline: Pipeline, now: datetime) -> None:
    """Record which players submitted orders for a turn on time.

    These players earn back missed turns, and the full time if they have a shorter clock. The caller must hold
    the lock on the game's row. The writes are queued in the pipeline.
    """
    absence = stored.absence_of(game)
    if absence.excused is None and not game.shorter_clock:
        return
    for hand in hands:
        seat, program = hand.seat, program_of(hand)
        if seat is None or seat.user_id is None or program is None or program.by != Program.Author.PLAYER:
            continue
        record = after_playing(absence, AbsenceRecord(seat.excused, seat.clean_turns))
        if record != (seat.excused, seat.clean_turns):
            seat.excused, seat.clean_turns = record
            pipeline.update(seat, ["excused", "clean_turns"])
        if game.shorter_clock:
            _lengthen_clock(game, seat, pipeline, now)


def _lengthen_clock(game: Game, seat: Seat, pipeline: Pipeline, now: datetime) -> None:
    """Count a turn with orders on time towards the full time."""
    before = ClockRecord(seat.missed_in_row, seat.short_clock)
    record = clock_after_playing(before)
    if record == before:
        return
    seat.missed_in_row, seat.short_clock = record
    pipeline.update(seat, ["missed_in_row", "short_clock"])
    if before.short and not record.short:
        name = seat.robo_name
        add_entry(game=game, by=None, kind="full-clock", player=name, number=FULL_CLOCK_AFTER, now=now)


def _counts_for_clock(game: Game, hand: Hand, seat: Seat) -> bool:
    """Return whether a missed turn counts for the shorter clock. Call this before the hand's clock stops.

    It does not count if a vacation day, a pause or an outage stopped the clock in this turn, or if the time
    ran out during a planned vacation or a day on which a sitter could order.
    """
    user, deadline = seat.user, hand.deadline
    if not game.shorter_clock or user is None or deadline is None:
        return False
    if stored.clock_of(hand, start=hand.turn.opened_at, until=deadline).stops:
        return False
    return not planned_on(user=user, now=deadline) and not has_sitter(owner=user, game=game, now=deadline)


def cancel_deserted_game(*, game: Game, turn: Turn, now: datetime) -> None:
    """Cancel a live game after a turn if none of its players submits orders any more.

    Without this, the game would go on playing a turn after each time limit until its end.
    """
    if game.status != Game.Status.RUNNING or turn.number < DESERTED_AFTER:
        return
    if not isinstance(stored.pace_of(game), Live) or _is_attended(game, turn):
        return
    end_without_winner(game=game, by=Game.Ending.DESERTED, now=now)
    add_entry(game=game, by=None, kind="unattended", turns=DESERTED_AFTER, now=now)
    notify_about_game(users=people_in(game), kind="cancelled", game=game, now=now)


def _is_attended(game: Game, turn: Turn) -> bool:
    """Return whether any player submitted orders in the last `DESERTED_AFTER` turns, or no player had to."""
    people = {seat.number for seat in game.players.exclude(user=None)}
    lately = game.turns.filter(status=Turn.Status.RESOLVED, number__gt=turn.number - DESERTED_AFTER)
    given = [
        hand.program.by
        for _, played in each_played(lately)
        for hand in played.hands
        if hand.robot in people and hand.program
    ]
    return not given or Program.Author.PLAYER in given


def notify_missed(*, game: Game, turn: Turn, seat: Seat, now: datetime) -> None:
    """Notify a player who has missed a turn, while the turn still waits for other players."""
    if seat.user is not None:
        notify(users=[seat.user], kind="missed", game=game, turn=turn.number, now=now)


def _excuse(game: Game, seat: Seat) -> bool:
    """Record that a player missed a turn. Return whether the player keeps their seat."""
    record = _after_missing(game, seat)
    if record is None:
        return False
    seat.excused, seat.clean_turns = record
    seat.save(update_fields=["excused", "clean_turns", "missed_in_row", "short_clock"])
    return True


def _after_missing(game: Game, seat: Seat) -> AbsenceRecord | None:
    """Return a person's record after a missed turn, or None if a computer must replace them."""
    record = after_missing(stored.absence_of(game), AbsenceRecord(seat.excused, seat.clean_turns))
    if record is None and not game.players.exclude(user=None).exclude(pk=seat.pk).exists():
        return AbsenceRecord(0, 0)
    return record


def _is_suspect(turn: Turn) -> bool:
    """Return whether an attempt to resolve a turn may have killed the worker that made it."""
    return turn.attempts + turn.interruptions > FAILURES_WITH_COMPUTERS


def _in_their_place(
    game: Game, turn: Turn, setup: rules.Setup, state: rules.State, hand: Hand, seat: Seat, now: datetime
) -> ComputerOrders:
    """Return the orders to play in place of an overdue player, as the game's absence policy says."""
    policy = stored.absence_of(game).policy if seat.user else None
    if policy in (STANDING, COMPUTER):
        put_aside_turning(game=game, turn=turn, hand=hand, seat=seat, setup=setup, state=state, now=now)
    if policy == STANDING:
        orders = standing_orders(setup=setup, state=state, hand=hand, seat=seat, seed=game.seed)
        return ComputerOrders(orders, Program.Author.STANDING)
    if policy == COMPUTER:
        thought = _substitute_orders(turn, setup, state, hand, seat)
        if thought.by == Program.Author.COMPUTER:
            return ComputerOrders(thought.orders, Program.Author.STAND_IN)
    orders = rules.complete(setup, state, seat.number - 1, stored.chips_of(hand), None, game.seed)
    return ComputerOrders(orders, Program.Author.DEADLINE)


def _substitute_orders(
    turn: Turn, setup: rules.Setup, state: rules.State, hand: Hand, seat: Seat
) -> ComputerOrders:
    """Return orders that a computer chooses for a player.

    If computers may have killed the workers that ran them for this turn, return random orders instead.
    """
    if _is_suspect(turn):
        orders = rules.complete(setup, state, seat.number - 1, stored.chips_of(hand), None, turn.game.seed)
        return ComputerOrders(orders, Program.Author.DEADLINE)
    return think(turn, setup, state, hand, seat, SUBSTITUTE_LEVEL)


HANDS_PER_PASS = 500
"""The maximum number of hands that one pass of `play_overdue` handles. The next pass continues."""


def play_overdue(*, now: datetime) -> int:
    """Submit orders for overdue players in turns that still wait for other players.

    Return how many orders were submitted. If the time is up for all players, resolving the turn submits these
    orders instead. If a computer must choose the orders of a player, the turn goes to workers that run
    computers.
    """
    return _play_each(_overdue(now), now, thinks=False)


def play_overdue_of_turn(*, turn_id: int, now: datetime) -> int:
    """Submit orders for the overdue players of a turn. Return how many were submitted.

    If the time is up for all players, resolve the turn instead. In that case, return 1 if this call resolved
    the turn, else 0.
    """
    if turns_under_way().filter(pk=turn_id, ready_at=None, deadline__lte=now).exists():
        return int(resolve_turn(turn_id=turn_id, now=now))
    return _play_each(_overdue(now).filter(turn=turn_id), now, thinks=True)


def _overdue(now: datetime) -> QuerySet[Hand]:
    overdue = Hand.objects.filter(deadline__lte=now, turn__status=Turn.Status.OPEN, turn__deadline__gt=now)
    return overdue.filter(turn__game__status=Game.Status.RUNNING).order_by("deadline")


def _play_each(hands: QuerySet[Hand], now: datetime, *, thinks: bool) -> int:
    return for_each_row(
        "overdue players",
        hands,
        lambda hand_id: _play(hand_id, now, thinks=thinks),
        most=HANDS_PER_PASS,
        now=now,
        game="turn__game_id",
    )


def _play(hand_id: int, now: datetime, *, thinks: bool) -> bool:
    hand = Hand.objects.select_related("turn").get(pk=hand_id)
    game = locked_game(hand.turn.game_id)
    hand = Hand.objects.select_related("turn", "seat__user").get(pk=hand_id)
    turn, seat = hand.turn, hand.seat
    given = Program.objects.filter(hand=hand).exists()
    if not given:
        extend_deadlines(turn=turn, hands=[hand], now=now)
    still = hand.deadline is not None and hand.deadline <= now  # a pause may have moved the deadline
    if game.status != Game.Status.RUNNING or turn.status != Turn.Status.OPEN or given or not still:
        return False
    assert seat is not None and hand.deadline is not None
    if (
        not thinks
        and now < hand.deadline + COMPUTERS_ANYWHERE_AFTER
        and needs_computer(game=game, turn=turn, seat=seat)
    ):
        enqueue.play_computers(turn.pk, host=game.host_id)
        return False
    setup = stored.setup_of(game)
    submit_substitute_orders(game=game, turn=turn, hand=hand, seat=seat, setup=setup, now=now)
    notify_missed(game=game, turn=turn, seat=seat, now=now)
    if not turn.hands.filter(seat__isnull=False, program=None).exists():
        turn.ready_at, turn.offered_at = now, None
        turn.save(update_fields=["ready_at", "offered_at"])
        enqueue.resolve_turn(turn.pk)
    if seat.user is None:
        lifecycle.hooks.players_changed(game=game, now=now)
    live.announce_change(game)
    return True
