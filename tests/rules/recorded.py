"""Random games as ``game/1`` files, as the service would write them."""

from collections.abc import Iterator
from typing import Any

import rules
from rules.game_file import CHANCE, DEADLINE
from rules.position import begin_at, position_of, read_position
from tests.rules.strategies import RandomGame

Document = dict[str, Any]

LONGEST = 15
"""The number of turns after which a random game is cancelled."""


class RecordedGame(RandomGame):
    """A random game with computers and missed turns. It records the author of all orders."""

    def __init__(self, seed: int, key: str = "robo-runner", ship: rules.Starship | None = None) -> None:
        super().__init__(seed, key, ship)
        self.by: dict[int, str] = {}

    def order(self) -> None:
        """Redraw some hands in random order, then draw random orders, each with a random author."""
        self.by = {}
        players = list(self.state.players)
        self.redraw(self.chance.sample(players, len(players)))
        self.orders = {}
        for robot in list(self.state.players):
            if rules.needs_orders(self.setup, self.state, robot.index):
                by = self.chance.choice(["player", "player", "computer", DEADLINE, CHANCE])
                # When time runs out, a robot is switched on (AM-5.2).
                off = robot.was_down and self.stays_off(robot)
                self.by[robot.index] = "player" if off else by
                self.orders[robot.index] = self._given(robot)

    def _given(self, robot: rules.Robot) -> rules.Orders:
        seed: rules.Seed = self.seed
        if self.by[robot.index] not in (DEADLINE, CHANCE):
            return self._orders(robot)
        if self.by[robot.index] == CHANCE:
            seed = rules.computer_seed(seed, self.state.turn, robot.index + 1)
        hand = self.hands.get(robot.index, ())
        return rules.complete(self.setup, self.state, robot.index, hand, None, seed)


class PositionedGame(RecordedGame):
    """A random game that begins at a position: after some turns of another random game."""

    def __init__(self, seed: int, key: str, turns: int) -> None:
        super().__init__(seed, key)
        self.position = position_of(self.setup, self.state)
        for outcome in self.turns(turns):
            if not outcome.state.over:
                self.position = position_of(self.setup, rules.deal(self.setup, outcome.state, seed).state)
        at = read_position(self.position, self.setup)
        names = [robot.name for robot in self.state.players]
        dealt = begin_at(at, self.setup, names, seed, at.squads, at.models)
        self.state, self.hands, self.put_aside = dealt.state, dealt.hands, dealt.aside


def recorded(
    seed: int, key: str = "robo-runner", ship: rules.Starship | None = None, longest: int = LONGEST
) -> Document:
    """Return a random game as a ``game/1`` document, cancelled after ``longest`` turns."""
    return recording_of(RecordedGame(seed, key, ship), longest)


def recording_of(game: RecordedGame, longest: int = LONGEST) -> Document:
    """Play a game to its end, or for ``longest`` turns, and return it as a ``game/1`` document."""
    key, seed = game.setup.ruleset.key, game.seed
    first = game.state
    positioned = {"position": game.position} if isinstance(game, PositionedGame) else {}
    players = list(first.players)
    turns = list(_turns(game, longest))
    end = turns.pop()
    return rules.with_digest(
        {
            "format": "game/1",
            "about": {"id": 7, "name": "At random"},
            "ruleset": key,
            "version": rules.ruleset(key).version,
            "options": dict(game.setup.options),
            "house_rules": dict(game.setup.house_rules),
            "starship": rules.write_starship(game.ship),
            "seats": [
                {
                    "seat": robot.index + 1,
                    "name": robot.name,
                    "squad": robot.squad,
                    "model": robot.model,
                    "computer": None,
                }
                for robot in players
            ],
            "seed": str(seed),
            "commitment": rules.commitment(seed),
            "turns": turns,
            "end": end,
            "winner": end["winner"],
            **positioned,
        }
    )


def _redrawn(aside: list[tuple[int | None, rules.Hand]]) -> Document:
    """Return the keys ``redealt`` and ``aside`` of a hand, about the robot's earlier hands."""
    if not aside:
        return {"redealt": None}
    hands = [{"number": number, "chips": [chip.number for chip in hand]} for number, hand in aside]
    return {"redealt": aside[-1][0], "aside": hands}


def _turns(game: RecordedGame, longest: int) -> Iterator[Document]:
    """Yield each turn as a document, and finally the state after all turns."""
    state = game.state
    for outcome in game.turns(longest):
        owners = {*game.orders, *(robot.index for robot in game.state.robots if robot.scanner)}
        names = game.terms.names
        yield {
            "turn": game.state.turn,
            "hands": [
                {
                    "robot": names[index],
                    "chips": [chip.number for chip in game.hands.get(index, ())],
                    **_redrawn(game.aside.get(index, [])),
                }
                for index in sorted(owners)
            ],
            "orders": [
                {"robot": names[index], "by": game.by[index], "orders": rules.write_orders(orders)}
                for index, orders in game.orders.items()
            ],
            "events": rules.events_to_json(game.terms, outcome.events),
        }
        state = outcome.state
    yield rules.state_to_json(game.ship, state)
