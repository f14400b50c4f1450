"""Missed turns: what is played in the place of players whose time is up, and what becomes of them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

import rules
from games.absence.services.replacements import STRENGTH, replace_by_computer
from games.absence.services.standing_orders import standing_orders
from games.clocks.clock import Live
from games.news.services.notifications import people_in, tell, tell_of_lobby
from games.play import stored
from games.play.models import Draft, Game, Hand, Program, Replacement, Seat, Turn
from games.play.played import each_played
from games.play.policy import COMPUTER, STANDING, Record, after_missing, after_playing
from games.play.selectors.gathering import program_of
from games.play.services.clocks import stop_clock
from games.play.services.computers import Thought, think
from games.play.services.endings import call_off
from games.play.services.hands import put_aside_turning, switch_on
from games.play.services.history import note
from roborunner.postgres.queries import Pipeline

UNATTENDED: Final = 5
"""After how many turns in a row for which no player gave orders a live game is called off."""

TRIES = 2
"""How often a turn may have failed before it is played without asking computers what they think."""


def asks_computer(*, game: Game, turn: Turn, seat: Seat) -> bool:
    """Return whether a computer thinks in the place of a player whose time is up."""
    if seat.user is None or _is_suspect(turn):
        return False
    return stored.absence_of(game).policy == COMPUTER or _after_missing(game, seat) is None


def play_missing(
    *, game: Game, turn: Turn, hand: Hand, seat: Seat, setup: rules.Setup, now: datetime
) -> Program:
    """Give the orders of a player whose time is up, as the game has it, with the game's row held.

    Their clock has run out, which switches a robot on that was off (AM-5.2). Who has missed too many turns is
    replaced by a computer, which plays this one, unless they are the last person: then no one would be left
    to wait for them.
    """
    state = stored.start_of(turn, setup.starship)
    stop_clock(game=game, turn=turn, hand=hand, seat=seat, now=now)
    state = switch_on(game=game, turn=turn, hand=hand, setup=setup, state=state)
    if seat.user is not None and not _excuse(game, seat):
        replace_by_computer(game=game, seat=seat, reason=Replacement.Reason.MISSED, now=now)
        put_aside_turning(game=game, turn=turn, hand=hand, seat=seat, setup=setup, state=state, now=now)
        thought = _thought(turn, setup, state, hand, seat)
    else:
        thought = _in_their_place(game, turn, setup, state, hand, seat, now)
    Draft.objects.filter(hand=hand).delete()
    return Program.objects.create(
        game=game,
        hand=hand,
        orders=stored.write_orders(thought.orders),
        by=thought.by,
        remark=thought.remark,
        submitted_at=now,
    )


def note_clean(*, game: Game, hands: Iterable[Hand], batch: Pipeline) -> None:
    """Note which players gave their orders in time, once their turn is played, with the game's row held.

    The batch writes it.
    """
    absence = stored.absence_of(game)
    if absence.excused is None:
        return
    for hand in hands:
        seat, program = hand.seat, program_of(hand)
        if seat is None or seat.user_id is None or program is None or program.by != Program.Author.PLAYER:
            continue
        record = after_playing(absence, Record(seat.excused, seat.clean_turns))
        if record != (seat.excused, seat.clean_turns):
            seat.excused, seat.clean_turns = record
            batch.update(seat, ["excused", "clean_turns"])


def call_off_deserted(*, game: Game, turn: Turn, now: datetime) -> None:
    """Call a live game off that goes on alone, now that a turn was played: its players have all gone.

    It would play a turn each minute for as long as its rules let it.
    """
    if game.status != Game.Status.RUNNING or turn.number < UNATTENDED:
        return
    if not isinstance(stored.pace_of(game), Live) or _attended(game, turn):
        return
    call_off(game=game, by=Game.Ending.DESERTED, now=now)
    note(game=game, by=None, kind="unattended", turns=UNATTENDED, now=now)
    tell_of_lobby(users=people_in(game), kind="cancelled", game=game, now=now)


def _attended(game: Game, turn: Turn) -> bool:
    """Return whether a player gave orders in the last turns, or no turn of these had a player."""
    people = {seat.number for seat in game.players.exclude(user=None)}
    lately = game.turns.filter(status=Turn.Status.RESOLVED, number__gt=turn.number - UNATTENDED)
    given = [
        hand.program.by
        for _, played in each_played(lately)
        for hand in played.hands
        if hand.robot in people and hand.program
    ]
    return not given or Program.Author.PLAYER in given


def tell_missed(*, game: Game, turn: Turn, seat: Seat, now: datetime) -> None:
    """Tell a player that they have missed a turn which others still have time for."""
    if seat.user is not None:
        tell(users=[seat.user], kind="missed", game=game, turn=turn.number, now=now)


def _excuse(game: Game, seat: Seat) -> bool:
    """Note that a person has missed a turn; return whether they keep their seat."""
    record = _after_missing(game, seat)
    if record is None:
        return False
    seat.excused, seat.clean_turns = record
    seat.save(update_fields=["excused", "clean_turns"])
    return True


def _after_missing(game: Game, seat: Seat) -> Record | None:
    """Return how a person stands after missing a turn, or None if a computer replaces them."""
    record = after_missing(stored.absence_of(game), Record(seat.excused, seat.clean_turns))
    if record is None and not game.players.exclude(user=None).exclude(pk=seat.pk).exists():
        return Record(0, 0)
    return record


def _is_suspect(turn: Turn) -> bool:
    """Return whether a thought about a turn may have killed workers."""
    return turn.attempts + turn.interruptions > TRIES


def _in_their_place(
    game: Game, turn: Turn, setup: rules.Setup, state: rules.State, hand: Hand, seat: Seat, now: datetime
) -> Thought:
    """Return what is played for someone who keeps their seat."""
    policy = stored.absence_of(game).policy if seat.user else None
    if policy in (STANDING, COMPUTER):
        put_aside_turning(game=game, turn=turn, hand=hand, seat=seat, setup=setup, state=state, now=now)
    if policy == STANDING:
        orders = standing_orders(setup=setup, state=state, hand=hand, seat=seat, seed=game.seed)
        return Thought(orders, Program.Author.STANDING)
    if policy == COMPUTER:
        thought = _thought(turn, setup, state, hand, seat)
        if thought.by == Program.Author.COMPUTER:
            return Thought(thought.orders, Program.Author.STAND_IN)
    orders = rules.complete(setup, state, seat.number - 1, stored.chips_of(hand), None, game.seed)
    return Thought(orders, Program.Author.DEADLINE)


def _thought(turn: Turn, setup: rules.Setup, state: rules.State, hand: Hand, seat: Seat) -> Thought:
    """Return what a computer thinks in someone's place; where that may have killed workers, chance plays."""
    if _is_suspect(turn):
        orders = rules.complete(setup, state, seat.number - 1, stored.chips_of(hand), None, turn.game.seed)
        return Thought(orders, Program.Author.DEADLINE)
    return think(turn, setup, state, hand, seat, STRENGTH)
