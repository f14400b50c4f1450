"""Check all games, programs and notifications after a run of the fault test."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

import rules
from bench.faults.ledger import Ledger
from bench.faults.machine import Outage
from games.news.models import Notice
from games.play import stored
from games.play.models import Game, Program, Turn
from games.play.news import OVER, TURN
from games.play.stored import PlayedHand, TurnRecord, played_hands, state_at_start, turn_record

RECOVERY_SECONDS = 120.0
"""The maximum seconds until a game continues after all parts have recovered."""

RECORD_SECONDS = 5.0
"""The maximum seconds for a worker to record that a notification was sent, while the database is up."""


def faults_of_game(game: Game, ledger: Ledger) -> Iterator[str]:
    """Yield the faults in a game's turns, logs, states and programs, as text."""
    setup = stored.setup_of(game)
    turns = list(game.turns.order_by("number").prefetch_related("hands__program", "hands__seat__user"))
    first = turns[0].number
    if [turn.number for turn in turns] != list(range(first, first + len(turns))) or first > 1:
        yield "its turns are not numbered without a gap"
    unplayed = [turn for turn in turns if turn.status != Turn.Status.RESOLVED]
    if unplayed != (turns[-1:] if game.status == Game.Status.RUNNING else []):
        yield f"turns {[turn.number for turn in unplayed]} were not played"
    kept = {turn: turn_record(turn) for turn in turns if turn.status == Turn.Status.RESOLVED}
    seqs = [seq for played in kept.values() for seq in range(played.first_seq, played.last_seq + 1)]
    if seqs != list(range(1, game.last_seq + 1)):
        yield "its log has gaps, or entries twice"
    for turn in turns:
        hands = kept[turn].hands if turn in kept else played_hands(turn.hands.all())
        yield from (
            f"turn {turn.number}: {fault}" for fault in _faults_of_programs(game, turn, hands, ledger)
        )
        if turn in kept:
            yield from (
                f"turn {turn.number}: {fault}" for fault in _faults_of_outcome(game, setup, kept[turn])
            )
    for turn, following in pairwise(turns):
        if turn not in kept:
            continue
        hands = kept[following].hands if following in kept else played_hands(following.hands.all())
        numbered = sorted(
            (number, hand.robot - 1) for hand in hands for number, _ in stored.aside_of(hand) if number
        )
        deal = rules.drawn_in_order(
            setup,
            rules.deal(setup, stored.end_in(kept[turn], setup.starship), game.seed),
            [index for _, index in numbered],
            game.seed,
        )
        if rules.state_to_json(setup.starship, deal.state) != state_at_start(following):
            yield f"turn {following.number} does not begin as turn {turn.number} ended"
        for hand in hands:
            if stored.chips_of(hand) != tuple(deal.hands.get(hand.robot - 1, ())):
                yield f"turn {following.number}: the hand of robot {hand.robot} is not the one dealt"


def _faults_of_outcome(game: Game, setup: rules.Setup, played: TurnRecord) -> Iterator[str]:
    ship = setup.starship
    before = stored.start_in(played, ship)
    chips = {hand.robot - 1: stored.chips_of(hand) for hand in played.hands}
    orders = {hand.robot - 1: stored.orders_of(hand.program) for hand in played.hands if hand.program}
    outcome = rules.resolve_turn(setup, before, chips, orders, game.seed)
    terms = stored.vocabulary_of(ship, outcome.state)
    if rules.events_to_json(terms, outcome.events) != list(played.events):
        yield "what its programs lead to is not what its log says"
    if stored.end_in(played, ship) != outcome.state:
        yield "its log does not fold to the state that its programs lead to"


def _faults_of_programs(game: Game, turn: Turn, hands: Sequence[PlayedHand], ledger: Ledger) -> Iterator[str]:
    seats = {seat.number: seat for seat in game.players.select_related("user")}
    state = rules.state_from_json(stored.ship_of(game), state_at_start(turn))
    for hand in hands:
        if state.robots[hand.robot - 1].scanner:
            continue
        seat, program = seats[hand.robot], hand.program
        if program is None:
            if turn.status == Turn.Status.RESOLVED:
                yield f"it was played without orders of {seat.robo_name}"
            elif seat.user and ledger.possible_orders((game.pk, turn.number, seat.robo_name))[1]:
                yield f"the orders of {seat.robo_name} were accepted, and are lost"
            continue
        if seat.user is None:
            continue
        possible, has_to_be = ledger.possible_orders((game.pk, turn.number, seat.robo_name))
        if program.by == Program.Author.PLAYER:
            if _plain(program.orders) not in [_plain(orders) for orders in possible]:
                yield f"{seat.robo_name} never gave the orders that were played, or replaced them"
        elif has_to_be:
            yield f"the orders of {seat.robo_name} were accepted, and others were played"


def _plain(orders: dict[str, Any]) -> str:
    return json.dumps(orders, sort_keys=True)


def faults_of_notices(game: Game, taken: dict[int, list[float]]) -> Iterator[str]:
    """Yield the faults in a game's notifications, as text.

    ``taken`` has the times at which the mail server received each notification.
    """
    notices = list(game.notices.select_related("user"))
    told = {(notice.kind, notice.turn, notice.user_id) for notice in notices}
    if len(told) != len(notices):
        yield "someone has two notices of the same"
    people = {seat.user_id for seat in game.players.all() if seat.user_id}
    alone = len(people) == 1 and game.players.exclude(computer="").exists()
    people_of = {seat.number: seat.user_id for seat in game.players.all() if seat.user_id}
    played = {turn.number: turn for turn in game.turns.all()}
    for number, turn in played.items():
        hands = (
            turn_record(turn).hands if turn.status == Turn.Status.RESOLVED else played_hands(turn.hands.all())
        )
        waiting = {people_of[hand.robot] for hand in hands if hand.robot in people_of}
        found = {user for kind, of_turn, user in told if kind == TURN.name and of_turn == number}
        if found - waiting or (waiting - found and not alone):
            yield f"of turn {number} {len(found)} people were told, and {len(waiting)} had to be"
    at_end = {user for kind, _, user in told if kind == OVER.name}
    if at_end != (people if game.status == Game.Status.OVER else set()):
        yield f"of its end {len(at_end)} people were told, and {len(people)} play it"
    for notice in notices:
        name = f"the {notice.kind} notice of turn {notice.turn} to {notice.user}"
        arrived = len(taken.get(notice.pk, []))
        if notice.status in (Notice.Status.PENDING, Notice.Status.GIVEN_UP):
            yield f"{name} is {notice.status}: {notice.last_error or 'no error'}"
        if notice.status == Notice.Status.SENT and not arrived:
            yield f"{name} counts as sent, and never reached the mail server"
        if notice.status == Notice.Status.OUTDATED and _still_waits(notice, played.get(notice.turn)):
            yield f"{name} counts as outdated, and is not"


def _still_waits(notice: Notice, turn: Turn | None) -> bool:
    running = notice.game.status == Game.Status.RUNNING
    return running and turn is not None and turn.status == Turn.Status.OPEN


def faults_of_doubles(taken: dict[int, list[float]], outages: Sequence[Outage]) -> Iterator[str]:
    """Yield notifications that were sent twice although no worker died between the two emails.

    ``taken`` has the times at which the mail server received each notification.
    """
    deaths = [outage.begin for outage in outages if outage.part == "worker"]
    for notice, times in taken.items():
        for first, again in pairwise(sorted(times)):
            last = first + RECORD_SECONDS + _away("postgres", first, again, outages)
            if not any(first - 0.5 <= death <= min(again, last) for death in deaths):
                yield f"notice {notice} was sent twice, and no worker had died"


def _away(part: str, begin: float, end: float, outages: Sequence[Outage]) -> float:
    """Return for how many seconds of a period a part of the site was out of service."""
    spans = ((max(begin, each.begin), min(end, each.end)) for each in outages if each.part == part)
    return sum(max(0.0, until - since) for since, until in spans)


def longest_calm(begin: float, end: float, outages: Sequence[Outage]) -> float:
    """Return the longest time without an outage within a period, in seconds."""
    longest, since = 0.0, begin
    for outage in sorted(outages, key=lambda each: each.begin):
        if outage.end <= since:
            continue
        if outage.begin >= end:
            break
        longest = max(longest, outage.begin - since)
        since = outage.end
    return max(longest, end - since)


def waits(outages: Sequence[Outage]) -> dict[str, list[tuple[float, float, str]]]:
    """Return all waits of turns, computers' orders and notifications, by kind.

    Each wait has its total seconds, the seconds of its longest stretch without an outage, and a name.
    """
    found: dict[str, list[tuple[float, float, str]]] = {"turns": [], "orders of computers": [], "notices": []}

    def add(kind: str, due: datetime, done: datetime, name: str) -> None:
        begin, end = due.timestamp(), done.timestamp()
        if end > begin:
            found[kind].append((end - begin, longest_calm(begin, end, outages), name))

    for turn in Turn.objects.filter(status=Turn.Status.RESOLVED):
        due = min(time for time in (turn.ready_at, turn.deadline, turn.resolved_at) if time)
        assert turn.resolved_at
        add("turns", due, turn.resolved_at, f"turn {turn.number} of game {turn.game_id}")
    for program in Program.objects.filter(hand__seat__user=None).select_related("hand__turn"):
        turn = program.hand.turn
        if program.by != Program.Author.DEADLINE:
            name = f"orders of robot {program.hand.robot} in turn {turn.number} of game {turn.game_id}"
            add("orders of computers", turn.opened_at, program.submitted_at, name)
    for notice in Notice.objects.filter(status=Notice.Status.SENT):
        assert notice.sent_at
        add("notices", notice.created_at, notice.sent_at, f"notice {notice.pk}")
    return found


def faults_of_waits(found: dict[str, list[tuple[float, float, str]]]) -> Iterator[str]:
    """Yield turns and orders of computers that waited too long without an outage.

    Notifications are not checked, because mail may take longer.
    """
    for kind in ("turns", "orders of computers"):
        for _, calmly, name in found.get(kind, []):
            if calmly > RECOVERY_SECONDS:
                yield f"{kind}: {name} took {calmly:.0f} s without a failure"
