"""Fifty games of Robo Runner at random, by services: the log of each leads to the stored states."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings

import rules
from games import services, stored
from games.models import Game, Hand, Starship, Turn
from rules.view import watch
from tests import cast
from tests.games.support import NOW, Table, open_turn

SHIPS = [
    path
    for path in sorted((settings.BASE_DIR / "fixtures" / "starships").glob("*.json"))
    if not rules.unsuitable(rules.ruleset("robo-runner"), rules.read_starship(json.loads(path.read_text())))
]
PEOPLE = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank")
TURNS = 150
"""By then every game has ended."""


@pytest.mark.django_db
@pytest.mark.parametrize("number", range(50))
def test_the_log_of_a_random_game_leads_to_the_stored_states(number: int) -> None:
    chance = random.Random(number)
    table = Table(starship(SHIPS[number % len(SHIPS)]))
    players = [cast.person(name) for name in PEOPLE[: 1 + number % len(PEOPLE)]]
    options = {
        "lives": 1 if len(players) > 3 else chance.choice([1, 1, 2]),
        "hull_damage": chance.choice([True, False]),
        "scanners": chance.choice([0, 0, 1, 2]),
        "equipment": chance.choice([True, False]),
    }
    game = table.game(*players, options=options, seed=f"seed {number}")
    while game.status == Game.Status.RUNNING and (game.turn or 0) < TURNS:
        turn = open_turn(game)
        for orders, hand in programs(game, turn, chance):
            assert hand.seat
            document = rules.write_orders(orders)
            services.submit_orders(
                user=hand.seat.user, game_id=game.pk, turn_number=turn.number, document=document, now=NOW
            )
        assert services.resolve_turn(turn_id=turn.pk, now=NOW)
        game.refresh_from_db()
    assert game.status == Game.Status.OVER
    check_log(game)


def starship(path: Path) -> Starship:
    """Save a starship of the fixtures."""
    return services.save_starship(document=json.loads(path.read_text()), section="fleet", now=NOW)


def programs(game: Game, turn: Turn, chance: random.Random) -> Iterator[tuple[rules.Orders, Hand]]:
    """Yield allowed orders for every player: of a few drawn at random those that promise most."""
    setup = stored.setup_of(game)
    state = stored.start_of(turn, setup.starship)
    for hand in turn.hands.filter(seat__isnull=False).select_related("seat__user"):
        drawn = [at_random(setup, state, hand, chance) for _ in range(1 if turn.number == 0 else 3)]
        yield max(drawn, key=lambda orders: promise(setup, state, hand.robot - 1, orders)), hand


def at_random(setup: rules.Setup, state: rules.State, hand: Hand, chance: random.Random) -> rules.Orders:
    """Draw orders: any chips, now and then a reboot or equipment, a heading where one may be chosen."""
    index, chips = hand.robot - 1, stored.chips_of(hand)
    orders = rules.complete(setup, state, index, chips, None, chance.getrandbits(32))
    if state.turn == 0:
        return orders
    robot = state.robots[index]
    orders = replace(orders, power_down=robot.damage > 4 and chance.random() < 0.3)
    if robot.returned:
        orders = replace(orders, heading=chance.choice(rules.HEADINGS))
    if robot.ammo and robot.equipment in rules.HAND_EQUIPMENT:
        orders = replace(orders, engaged=True)
    elif robot.ammo:
        orders = replace(orders, equipment=frozenset({chance.randint(1, 5)}))
    return orders


def promise(setup: rules.Setup, state: rules.State, index: int, orders: rules.Orders) -> tuple[int, ...]:
    """Say how far orders would bring a robot that is alone: alive, checkpoints, nearness to the next."""
    robot = rules.preview(setup, state, index, orders).state.robots[index]
    ship = setup.starship
    if not (robot.on_board and robot.lives == state.robots[index].lives):
        return (0, robot.next, 0)
    if robot.next not in ship.checkpoints:
        return (1, robot.next, 0)
    (x, y), (to_x, to_y) = ship.pos(robot.cell), ship.pos(ship.checkpoints[robot.next])
    return (1, robot.next, -abs(x - to_x) - abs(y - to_y))


def check_log(game: Game) -> None:
    """Fold each turn's stored events over its stored start, for the service and for those who watch."""
    setup = stored.setup_of(game)
    ship = setup.starship
    turns = list(game.turns.order_by("number"))
    assert [turn.number for turn in turns] == list(range((game.turn or 0) + 1))
    seqs: list[int] = []
    for turn, following in zip(turns, [*turns[1:], None], strict=True):
        start, end = stored.start_of(turn, ship), stored.end_of(turn, ship)
        entries = list(turn.log.order_by("seq"))
        seqs += [entry.seq for entry in entries]
        events = stored.events_of(ship, start, entries)
        assert rules.fold(start, events) == end
        seen = rules.view(start)
        for event in events:
            watch(seen, event)
        assert seen == rules.view(end)
        if following:
            assert stored.start_of(following, ship) == rules.deal(setup, end, game.seed).state
    assert seqs == list(range(1, game.last_seq + 1))
    out = {seat.number: seat.out for seat in game.players.all()}
    assert out == {robot.index + 1: robot.out for robot in end.players}
    assert game.last_seq == game.log.count()
