"""Start games, open their turns, end them early, and call hooks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import rules
from accounts.models import User
from games import live
from games.fleet.missions import lesson_of
from games.fleet.models import Mission
from games.news.services import Reach, ask_reach, notify
from games.people.contacts import live_together
from games.play import stored
from games.play.deadlines import fill_banks, start_clocks, stop_clocks
from games.play.heads import first_head_of
from games.play.history import UNRATED, add_entry
from games.play.models import Draft, Game, Hand, Program, Seat, Turn
from games.play.selectors import prefetch_players, when_to_remind
from games.play.stored import Document
from games.work import enqueue
from roborunner.postgres.queries import Answer, Pipeline


class Consequences(Protocol):
    """Hooks in the transaction of an event, with the game's row locked."""

    def time_is_up(
        self, *, game: Game, turn: Turn, hand: Hand, seat: Seat, setup: rules.Setup, now: datetime
    ) -> Program:
        """Return the orders to play for a late player."""

    def asks_computers(self, *, game: Game, turn: Turn, seats: Iterable[Seat]) -> bool:
        """Return whether a computer must play for any of these late players."""

    def turn_played(
        self,
        *,
        game: Game,
        turn: Turn,
        hands: Mapping[int, Hand],
        before: rules.State,
        events: Sequence[rules.Event],
        pipeline: Pipeline,
        now: datetime,
    ) -> None:
        """Save the consequences of a turn, before the turn and the log.

        The pipeline has open queries. This sends it, then adds its own writes.
        """

    def turn_resolved(self, *, game: Game, turn: Turn, now: datetime) -> None:
        """React to a resolved turn. The next turn is open, or the game is over."""

    def game_ended(self, *, game: Game, now: datetime) -> None:
        """Close open decisions of a game. The game is not saved yet."""

    def seat_passes_on(self, *, seat: Seat, user: User) -> None:
        """Split the robot's record between its players. The old player still has the seat."""

    def players_changed(self, *, game: Game, now: datetime) -> None:
        """Settle the votes of a game after a change of players."""


hooks: Consequences


FIRST_TURN = 1
"""The first turn with a program. In turn 0 players choose headings."""


def begin_first_program(
    *, mission: Mission, setup: rules.Setup, state: rules.State, hands: Iterable[Hand], now: datetime
) -> None:
    """Save a draft for the first program of a mission, if its lesson has one."""
    if state.turn != FIRST_TURN:
        return
    lesson = lesson_of(mission, ship=setup.starship)
    if lesson is None or not lesson.filled:
        return
    for hand in hands:
        if hand.seat_id is not None:
            orders = rules.computers.begin_program(
                setup, rules.view(state), hand.robot - 1, stored.chips_of(hand), lesson.filled
            )
            written = stored.write_orders(orders)
            Draft.objects.create(game_id=hand.game_id, hand=hand, orders=written, saved_at=now)


@dataclass(frozen=True, slots=True)
class NextTurn:
    """The id of the next turn, and the channels of its players."""

    key: Answer
    reach: Reach


def ask_ahead(*, game: Game, pipeline: Pipeline) -> NextTurn:
    """Queue the queries for `open_turn`."""
    people = [seat.user for seat in prefetch_players(game=game) if seat.user]
    return NextTurn(
        pipeline.ask("SELECT nextval(pg_get_serial_sequence('games_turn', 'id'))"),
        ask_reach(users=people, pipeline=pipeline),
    )


def open_turn(
    *,
    game: Game,
    setup: rules.Setup,
    dealt: rules.Deal,
    head: str,
    missed: bool = False,
    ahead: NextTurn,
    pipeline: Pipeline,
    now: datetime,
) -> Turn:
    """Open the next turn of a game. Its row must be locked.

    A turn without missing orders is ready at once. ``head`` is the head after the last turn, or the first
    head. A single person among computers gets a notification only if they ``missed`` the last turn, and
    never in missions and test flights. The pipeline writes the turn. It must have been sent after
    `ask_ahead`.
    """
    state = dealt.state
    turn = Turn(
        pk=ahead.key.rows[0][0],
        game=game,
        number=state.turn,
        snapshot=rules.state_to_json(setup.starship, state),
        head_before=head,
        opened_at=now,
    )
    seats = {seat.number: seat for seat in prefetch_players(game=game)}
    deciding = {
        number: seat for number, seat in seats.items() if rules.needs_orders(setup, state, number - 1)
    }
    scanners = {robot.index + 1 for robot in state.robots if robot.scanner}
    hands = [
        Hand(
            game=game,
            turn=turn,
            robot=number,
            seat=deciding.get(number),
            chips=stored.write_hand(dealt.hands.get(number - 1, ())),
            aside=_aside(dealt.aside[number - 1]) if dealt.aside.get(number - 1) else None,
            face_down=state.robots[number - 1].was_down,
        )
        for number in sorted(scanners | deciding.keys())
    ]
    start_clocks(game=game, turn=turn, hands=hands)
    for hand in hands if game.has_deadlines else ():
        hand.remind_at = when_to_remind(turn=turn, hand=hand)
    turn.ready_at = None if deciding else now
    turn.asks_computers = any(seat.computer for seat in deciding.values())
    pipeline.insert([turn])
    pipeline.insert(hands, keys=True)
    if game.mission is not None:
        pipeline.send()
        begin_first_program(mission=game.mission, setup=setup, state=state, hands=hands, now=now)
    if deciding:
        people = [seat.user for seat in deciding.values() if seat.user]
        computers = sum(bool(seat.computer and not seat.robot) for seat in seats.values())
        alone = computers > 0 and len(seats) - computers == 1
        if not game.is_practice and (missed or not alone):
            notify(
                users=people,
                kind="turn",
                game=game,
                turn=turn.number,
                reach=ahead.reach,
                pipeline=pipeline,
                now=now,
            )
        if len(people) < len(deciding):
            enqueue.play_computers(turn.pk, host=game.host_id)
        if turn.deadline is not None and turn.deadline - now <= enqueue.MESSAGE_HORIZON:
            enqueue.keep_deadline(turn.pk, deadline=turn.deadline, now=now)
    else:
        enqueue.resolve_turn(turn.pk)
    game.turn = turn.number
    return turn


def _aside(hands: Iterable[rules.Hand]) -> Document:
    """Write the public hands put aside while dealing (AM-1.4)."""
    return stored.write_aside(stored.Aside(None, hand) for hand in hands)


def start(*, game: Game, now: datetime) -> None:
    """Start a full game and save it. Its row must be locked.

    If two of its players live together, the game is unrated, and its history says so.
    """
    setup = stored.setup_of(game)
    seats = list(game.players.select_related("user").order_by("number"))
    dealt = rules.begin(
        setup,
        [seat.robo_name for seat in seats],
        game.seed,
        squads=[seat.squad for seat in seats if seat.squad],
        models=[seat.model for seat in seats if seat.model],
    )
    game.status = Game.Status.RUNNING
    game.started_at = game.moved_at = now
    fill_banks(game=game)
    game.players.update(excused=stored.absence_of(game).excused or 0)
    head = first_head_of(game, seats)
    pipeline = Pipeline()
    ahead = ask_ahead(game=game, pipeline=pipeline)
    pipeline.send()
    open_turn(game=game, setup=setup, dealt=dealt, head=head, ahead=ahead, pipeline=pipeline, now=now)
    pipeline.send()
    game.save()
    if game.may_be_rated and live_together(seat.user_id for seat in seats):
        add_entry(game=game, by=None, kind=UNRATED, now=now)
    live.announce_change(game)


def end_without_winner(*, game: Game, by: Game.Ending, now: datetime) -> None:
    """End a game without a winner. Its row must be locked.

    ``by`` is the ending of a started game.
    """
    _end_early(game, Game.Status.CANCELLED, by if game.started_at else None, now)


def concede(*, game: Game, winner: str, now: datetime) -> None:
    """End a running game with a winner, a robot's name or a squad. Its row must be locked."""
    game.winner = winner
    _end_early(game, Game.Status.OVER, Game.Ending.CONCEDED, now)


def resign(*, game: Game, winner: str, now: datetime) -> None:
    """End a running game by resignation. Its row must be locked.

    All players have resigned, or all except the winner.
    """
    game.winner = winner
    _end_early(game, Game.Status.OVER, Game.Ending.RESIGNED, now)


def _end_early(game: Game, status: Game.Status, ending: Game.Ending | None, now: datetime) -> None:
    game.status = status
    game.ending = ending or ""
    game.ended_at = game.moved_at = now
    game.save()
    stop_clocks(game=game)
    hooks.game_ended(game=game, now=now)  # noqa: F821 # set when the service starts
    Hand.objects.filter(turn__game=game, remind_at__isnull=False).update(remind_at=None)
    live.announce_change(game)
