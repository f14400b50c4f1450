"""Opening turns: the state at their start, hands, deadline, and word to those who are to move."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import rules
from games.news.services import Reach, ask_reach, tell
from games.play import stored
from games.play.models import Game, Hand, Turn
from games.play.selectors.gathering import gather_players
from games.play.selectors.reminders import when_to_remind
from games.play.services.clocks import start_clocks
from games.play.services.first_program import begin_first_program
from games.play.stored import Document
from games.work import enqueue
from roborunner.postgres.queries import Answer, Pipeline


@dataclass(frozen=True, slots=True)
class Ahead:
    """What the next turn of a game needs: its key, and how players are reached."""

    key: Answer
    reach: Reach


def ask_ahead(*, game: Game, batch: Pipeline) -> Ahead:
    """Ask for what the next turn of a game will need."""
    people = [seat.user for seat in gather_players(game=game) if seat.user]
    return Ahead(
        batch.ask("SELECT nextval(pg_get_serial_sequence('games_turn', 'id'))"),
        ask_reach(users=people, batch=batch),
    )


def open_turn(
    *,
    game: Game,
    setup: rules.Setup,
    dealt: rules.Deal,
    head: str,
    missed: bool = False,
    ahead: Ahead,
    batch: Pipeline,
    now: datetime,
) -> Turn:
    """Open the next turn of a game whose row is held; where no one has orders to give it is complete.

    ``head`` is the one after the turn before, or the first. Who plays alone among computers is there, and is
    told of a turn only if they ``missed`` the last one; of a mission or a test flight no one is told. The
    batch writes it; what `ask_ahead` has asked was answered.
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
    seats = {seat.number: seat for seat in gather_players(game=game)}
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
    batch.insert([turn])
    batch.insert(hands, keys=True)
    if game.mission is not None:
        batch.send()
        begin_first_program(mission=game.mission, setup=setup, state=state, hands=hands, now=now)
    if deciding:
        people = [seat.user for seat in deciding.values() if seat.user]
        computers = sum(bool(seat.computer and not seat.robot) for seat in seats.values())
        alone = computers > 0 and len(seats) - computers == 1
        if not game.is_practice and (missed or not alone):
            tell(
                users=people,
                kind="turn",
                game=game,
                turn=turn.number,
                reach=ahead.reach,
                batch=batch,
                now=now,
            )
        if len(people) < len(deciding):
            enqueue.play_computers(turn.pk, host=game.host_id)
        if turn.deadline is not None and turn.deadline - now <= enqueue.SOON:
            enqueue.keep_deadline(turn.pk, deadline=turn.deadline, now=now)
    else:
        enqueue.resolve_turn(turn.pk)
    game.turn = turn.number
    return turn


def _aside(hands: Iterable[rules.Hand]) -> Document:
    """Write the hands of a robot that were put aside while dealing, for all to see (AM-1.4)."""
    return stored.write_aside(stored.Aside(None, hand) for hand in hands)
