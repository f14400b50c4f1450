"""Start games, open their turns, and end games early.

Other rooms (packages of `games`) react to these events through `hooks`.
"""

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
from games.play.deadlines import fill_banks, start_clocks, stop_clocks, when_to_remind
from games.play.heads import first_head_of
from games.play.history import UNRATED, add_entry
from games.play.models import Draft, Game, Hand, Program, Seat, Turn
from games.play.selectors import prefetch_players
from games.play.stored import Document
from games.work import enqueue
from roborunner.postgres.queries import Answer, Pipeline
from rules.position import begin_at, read_position


class Consequences(Protocol):
    """The hooks that other rooms (packages of `games`) provide for events of a game.

    They run in the transaction of the event, with the game's row locked.
    """

    def time_is_up(
        self, *, game: Game, turn: Turn, hand: Hand, seat: Seat, setup: rules.Setup, now: datetime
    ) -> Program:
        """Return the orders to play for a player whose time has run out."""

    def asks_computers(self, *, game: Game, turn: Turn, seats: Iterable[Seat]) -> bool:
        """Return whether a computer must choose the orders of any of these late players."""

    def game_started(self, *, game: Game, now: datetime) -> None:
        """React to the start of a game. By then, the first turn is open."""

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
        """Save the consequences of a resolved turn, before the turn and its log are saved.

        The pipeline already contains queries. The hook sends these, and then queues its own writes in the
        pipeline.
        """

    def turn_resolved(self, *, game: Game, turn: Turn, now: datetime) -> None:
        """React to a resolved turn. By then, the next turn is open or the game is over."""

    def game_ended(self, *, game: Game, now: datetime) -> None:
        """Close the votes and open seats of a game that has ended. The game might not be saved yet."""

    def player_leaving(self, *, seat: Seat, user: User) -> None:
        """Credit a leaving player, ``user``, with their share of the robot's record.

        The player still has the seat at this point.
        """

    def players_changed(self, *, game: Game, now: datetime) -> None:
        """Close the votes of a game that are decided now that its players have changed."""


hooks: Consequences


FIRST_TURN = 1
"""The number of the first turn with a program. In turn 0, players choose headings."""


def begin_first_program(
    *, mission: Mission, setup: rules.Setup, state: rules.State, hands: Iterable[Hand], now: datetime
) -> None:
    """Save a draft for the first turn of a mission, if the mission's lesson provides part of a program."""
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
    """The results of the queries queued by `ask_ahead`.

    ``key`` is the ID for the next turn. ``reach`` has the notification channels of the game's players.
    """

    key: Answer
    reach: Reach


def ask_ahead(*, game: Game, pipeline: Pipeline) -> NextTurn:
    """Queue in a pipeline the queries that `open_turn` needs, and return their future results.

    The results can be read once the pipeline has been sent.
    """
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
    """Open the next turn of a game, notify its players, and request the orders of computers.

    The caller must hold the lock on the game's row. ``head`` is the hash of the game so far (`play.heads`).
    If no player has orders to give, the turn is ready to be resolved at once. A person who plays only against
    computers gets a notification only if they ``missed`` the last turn. Missions, test flights and games on
    one screen send no notifications.

    ``ahead`` is the result of `ask_ahead`. Its pipeline must have been sent. The writes are queued in
    ``pipeline``.
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
        if not (game.is_practice or game.is_on_one_screen) and (missed or not alone):
            notify(
                users=people,
                kind="turn",
                game=game,
                turn=turn.number,
                reach=ahead.reach,
                pipeline=pipeline,
                now=now,
            )
        if turn.asks_computers:
            enqueue.play_computers(turn.pk, host=game.host_id)
        if turn.deadline is not None and turn.deadline - now <= enqueue.MESSAGE_HORIZON:
            enqueue.keep_deadline(turn.pk, deadline=turn.deadline, now=now)
    else:
        enqueue.resolve_turn(turn.pk)
    game.turn = turn.number
    return turn


def _aside(hands: Iterable[rules.Hand]) -> Document:
    """Return an aside/1 document of the hands that were put aside face up while dealing (AM-1.4)."""
    return stored.write_aside(stored.Aside(None, hand) for hand in hands)


def start(*, game: Game, now: datetime) -> None:
    """Start a game with all seats taken, and save it. The caller must hold the lock on the game's row.

    If two of the game's players live together, a history entry says that the game is unrated.
    """
    setup = stored.setup_of(game)
    seats = list(game.players.select_related("user").order_by("number"))
    names = [seat.robo_name for seat in seats]
    squads = [seat.squad for seat in seats if seat.squad]
    models = [seat.model for seat in seats if seat.model]
    if game.is_played_on:
        position = read_position(game.position, setup)
        dealt = begin_at(position, setup, names, game.seed, squads, models)
    else:
        dealt = rules.begin(setup, names, game.seed, squads, models)
    game.status = Game.Status.RUNNING
    game.started_at = game.moved_at = now
    fill_banks(game=game)
    game.players.update(excused=stored.absence_of(game).excused or 0)
    for seat in seats if game.is_played_on else ():
        robot = dealt.state.robots[seat.number - 1]
        if robot.out or robot.place is not None:
            game.players.filter(pk=seat.pk).update(out=robot.out, place=robot.place)
    head = first_head_of(game, seats)
    pipeline = Pipeline()
    ahead = ask_ahead(game=game, pipeline=pipeline)
    pipeline.send()
    open_turn(game=game, setup=setup, dealt=dealt, head=head, ahead=ahead, pipeline=pipeline, now=now)
    pipeline.send()
    game.save()
    hooks.game_started(game=game, now=now)  # noqa: F821 # set when the service starts
    if game.may_be_rated and live_together(seat.user_id for seat in seats):
        add_entry(game=game, by=None, kind=UNRATED, now=now)
    live.announce_change(game)


def end_without_winner(*, game: Game, by: Game.Ending, now: datetime) -> None:
    """End a game without a winner. The caller must hold the lock on the game's row.

    ``by`` is the reason. It is stored only if the game has started.
    """
    _end_early(game, Game.Status.CANCELLED, by if game.started_at else None, now)


def concede(*, game: Game, winner: str, now: datetime) -> None:
    """End a running game that was conceded. The caller must hold the lock on the game's row.

    ``winner`` is the name of the winning robot or squad.
    """
    game.winner = winner
    _end_early(game, Game.Status.OVER, Game.Ending.CONCEDED, now)


def resign(*, game: Game, winner: str, now: datetime) -> None:
    """End a running game by resignation. The caller must hold the lock on the game's row.

    ``winner`` is the name of the winning robot or squad. It is empty if no robot or squad has won.
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
