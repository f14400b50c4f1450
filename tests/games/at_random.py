"""Random games of every ruleset, played by the service."""

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.utils.text import slugify

import rules
from accounts.models import User
from games.fleet.boards import lay_out
from games.fleet.models import Starship
from games.fleet.services import save_starship
from games.lobby.seats import join_game
from games.lobby.services import create_game
from games.play import stored
from games.play.models import Game, Hand, Turn
from games.play.orders import redeal_hand, submit_orders, wake_robot
from games.play.resolution import resolve_turn
from games.play.terms import Terms
from rules.orders import PAUSE
from tests import cast
from tests.games.support import NOW, game_seen, open_turn

SHIPS = [
    rules.read_starship(json.loads(path.read_text()))
    for path in sorted((settings.BASE_DIR / "fixtures" / "starships").glob("*.json"))
]
ROBOTS = 9
"""The maximum number of robots with a hand of nine from one deck of 84 chips."""

PEOPLE = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank")


def play_turn(game: Game, chance: random.Random) -> None:
    """Submit random orders for all players, and resolve the turn."""
    turn = open_turn(game)
    for hand in turn.hands.filter(seat__isnull=False).select_related("seat__user"):
        order(game, turn, hand, chance)
    assert resolve_turn(turn_id=turn.pk, now=NOW)
    game.refresh_from_db()


def play_game(key: str, chance: random.Random, *, turns: int) -> Game:
    """Create a random game of a ruleset, and play it to its end or for ``turns`` turns."""
    game = new_game(rules.ruleset(key), chance)
    while game.status == Game.Status.RUNNING and (game.turn or 0) < turns:
        play_turn(game, chance)
    return game


def new_game(ruleset: rules.Ruleset, chance: random.Random) -> Game:
    """Create a full game with random options and house rules."""
    least, most = ruleset.seats
    seats = chance.randint(least, min(most, len(PEOPLE)))
    seats -= seats % max(1, len(ruleset.squads))
    players = [person(name) for name in PEOPLE[:seats]]
    options = dict(at_random(ruleset.options, chance)) | {"lives": chance.choice([1, 1, 2])}
    if "checkpoints" in options:
        options["checkpoints"] = chance.randint(0, 2)
    if "scanners" in options:
        options["scanners"] = min(options["scanners"], ROBOTS - seats)
    laid = board(ruleset, chance)
    if options.get("random_checkpoints"):
        laid.pop("checkpoints", None)
    game = create_game(
        host=players[0],
        terms=Terms(
            name="At random",
            ruleset=ruleset.key,
            options=options,
            house_rules=dict(at_random(ruleset.house_rules, chance)),
            seats=seats,
            **laid,
        ),
        now=NOW,
    )
    for player in players[1:]:
        model = chance.choice(["", *ruleset.models])
        join_game(user=player, game_id=game.pk, model=model, now=NOW)
    game.refresh_from_db()
    return game


def person(name: str) -> User:
    return User.objects.filter(robo_name=name).first() or cast.person(name)


def at_random(options: Iterable[rules.Option], chance: random.Random) -> Iterator[tuple[str, Any]]:
    """Yield the key and value of each option. Most values are the default."""
    for option in options:
        drawn: Any = chance.choice([True, False])
        if not option.yes_or_no:
            drawn = chance.randint(option.least, option.most)
        yield option.key, drawn if chance.random() < 0.4 else option.default


def board(ruleset: rules.Ruleset, chance: random.Random) -> dict[str, Any]:
    """Return the part of a new game's terms about its starship or its joined boards.

    If the ruleset allows it, the game usually has two joined boards.
    """
    suitable = [ship for ship in SHIPS if not rules.reasons_against(ruleset, ship)]
    if ruleset.boards == 1 or chance.random() < 0.3:
        return {"starship": saved(chance.choice(suitable))}
    halls = [ship for ship in suitable if (ship.width, ship.height) == (12, 12)]
    boards = [
        {"starship": saved(hall), "at": [column, 0], "turned": chance.randrange(4)}
        for column, hall in enumerate(chance.sample(halls, 2))
    ]
    joined = lay_out(ruleset=ruleset.key, boards=boards).ship
    plain = [joined.pos(cell) for cell in sorted(joined.hull) if not joined.crushers.get(cell)]
    return {"boards": boards, "checkpoints": [list(cell) for cell in chance.sample(plain, 2)]}


def saved(ship: rules.Starship) -> int:
    """Return the ID of a starship in the library. Save the ship if necessary."""
    if there := Starship.objects.filter(slug=slugify(ship.name)).first():
        return there.pk
    document = rules.write_starship(ship)
    return save_starship(document=document, section="fleet", now=NOW).pk


def order(game: Game, turn: Turn, hand: Hand, chance: random.Random) -> None:
    """Submit the best of a few random orders."""
    setup = stored.setup_of(game)
    state = stored.start_of(turn, setup.starship)
    assert hand.seat
    player, index = hand.seat.user, hand.robot - 1
    given = {"user": player, "game_id": game.pk, "turn_number": turn.number, "now": NOW}
    if hand.face_down:
        if chance.random() < 0.5:
            submit_orders(**given, document={"stay_down": True})
            return
        wake_robot(**given)
        hand.refresh_from_db()
        turn.refresh_from_db()
        state = stored.start_of(turn, setup.starship)
    while game_seen(viewer=player, game=game)["redeal"] and chance.random() < 0.5:
        redeal_hand(**given)
        hand.refresh_from_db()
    drawn = [drawn_orders(setup, state, hand, chance) for _ in range(1 if turn.number == 0 else 3)]
    document = rules.write_orders(max(drawn, key=lambda orders: promise(setup, state, index, orders)))
    submit_orders(**given, document=document)


def drawn_orders(setup: rules.Setup, state: rules.State, hand: Hand, chance: random.Random) -> rules.Orders:
    """Return random allowed orders: random chips, and sometimes other choices."""
    index, chips = hand.robot - 1, stored.chips_of(hand)
    orders = rules.complete(setup, state, index, chips, None, chance.getrandbits(32))
    robot = state.robots[index]
    paused = tuple(PAUSE if number == 2 else chip for number, chip in enumerate(orders.registers))
    wishes: list[dict[str, Any]] = [
        {"power_down": robot.damage > 4},
        {"heading": chance.choice(rules.HEADINGS)},
        {"engaged": True},
        {"equipment": frozenset({chance.randint(1, 5)})},
        {"unlock": (5, 4)},
        {"place": beside(setup.starship, robot.archive, chance)},
        {"registers": paused},
    ]
    for wish in wishes:
        wished = replace(orders, **wish)
        if chance.random() < 0.5 and not rules.problems(setup, state, index, chips, wished):
            orders = wished
    return orders


def beside(ship: rules.Starship, cell: int, chance: random.Random) -> tuple[int, int]:
    x, y = ship.pos(cell + chance.choice(ship.steps))
    return x, y


def promise(setup: rules.Setup, state: rules.State, index: int, orders: rules.Orders) -> tuple[int, ...]:
    """Rate orders by survival, then checkpoints, then the distance to the next checkpoint.

    Other robots are ignored. A higher rating is better.
    """
    robot = rules.preview(setup, state, index, orders).state.robots[index]
    ship = setup.starship
    if not (robot.on_board and robot.lives == state.robots[index].lives):
        return (0, robot.next, 0)
    if robot.next not in ship.checkpoints:
        return (1, robot.next, 0)
    (x, y), (to_x, to_y) = ship.pos(robot.cell), ship.pos(ship.checkpoints[robot.next])
    return (1, robot.next, -abs(x - to_x) - abs(y - to_y))
