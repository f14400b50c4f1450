"""Print playthroughs: a short whole game of each ruleset, for people to read.

Each file in ``playthroughs/`` contains the set-up, the orders and all their results. To change a file, edit
its head or its orders. Then print all files again with ``python -m tests.rules.playthrough``.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rules
from rules import events as ev
from rules.orders import PAUSE

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
STARSHIPS = Path(__file__).parents[2] / "fixtures" / "starships"
WAYS = {"N": "north", "E": "east", "S": "south", "W": "west", None: "nowhere yet"}


@dataclass
class Turn:
    """The orders of a turn by player name, and the players who redraw their hands (GR-1.2)."""

    orders: dict[str, rules.Orders] = field(default_factory=dict)
    redeals: list[str] = field(default_factory=list)


@dataclass
class Script:
    """The input of a playthrough.

    ``boards`` are files of built-in starships, each with its column and row, counted in boards, and its
    number of quarter turns. ``players`` are names, each with a squad or model if the ruleset has them.
    """

    ruleset: rules.Ruleset
    seed: rules.Seed
    boards: list[tuple[str, tuple[int, int], int]]
    players: list[tuple[str, str | None]]
    checkpoints: list[tuple[int, int]] = field(default_factory=list)
    options: dict[str, int | bool] = field(default_factory=dict)
    house_rules: dict[str, int | bool] = field(default_factory=dict)
    turns: list[Turn] = field(default_factory=list)

    @property
    def starship(self) -> rules.Starship:
        """The starship, joined from all boards, with the script's checkpoints if it has any."""
        pieces = [rules.Tile(starship_of(file), at, turned) for file, at, turned in self.boards]
        ship = rules.join(pieces)
        return rules.with_checkpoints(ship, self.checkpoints) if self.checkpoints else ship

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.players]

    def setup(self) -> rules.Setup:
        seats = len(self.players)
        return rules.make_setup(self.ruleset, self.options, self.starship, seats, self.house_rules)

    def begin(self, setup: rules.Setup) -> rules.Deal:
        kinds = [kind for _, kind in self.players if kind]
        squads, models = (kinds, []) if self.ruleset.squads else ([], kinds)
        return rules.begin(setup, self.names, self.seed, squads, models)


def starship_of(file: str) -> rules.Starship:
    return rules.read_starship(rules.parse((STARSHIPS / file).read_bytes()))


def read_script(text: str) -> Script:
    """Read the script of a playthrough from its printed text."""
    head, *turns = re.split(r"^Turn \d+$", text, flags=re.MULTILINE)
    found: dict[str, list[str]] = {}
    for key, value in re.findall(r"^([\w-]+) +(.+)$", head, re.MULTILINE):
        found.setdefault(key, []).append(value)
    return Script(
        ruleset=rules.ruleset(found["ruleset"][0]),
        seed=json.loads(found["seed"][0]),
        boards=[_read_board(value) for value in found["starship"]],
        players=[_read_player(value) for value in found["player"]],
        checkpoints=[tuple(pos) for pos in json.loads(found.get("checkpoints", ["[]"])[0])],
        options=json.loads(found.get("options", ["{}"])[0]),
        house_rules=json.loads(found.get("house-rules", ["{}"])[0]),
        turns=[_read_turn(turn) for turn in turns],
    )


def _read_board(value: str) -> tuple[str, tuple[int, int], int]:
    file, *placed = value.split(maxsplit=1)
    (column, row), turned = json.loads(f"[{placed[0]}]") if placed else ((0, 0), 0)
    return file, (column, row), turned


def _read_player(value: str) -> tuple[str, str | None]:
    name, *kind = value.split()
    return name, kind[0] if kind else None


def _read_turn(text: str) -> Turn:
    orders = {
        name: _read_orders(value) for name, value in re.findall(r"^  (\w+) orders (.+)$", text, re.MULTILINE)
    }
    return Turn(orders, re.findall(r"^  (\w+) redeals ", text, re.MULTILINE))


def _read_orders(text: str) -> rules.Orders:
    chips, brace, rest = text.partition("{")
    document: dict[str, Any] = json.loads(brace + rest) if brace else {}
    numbers = [_read_chip(chip) for chip in chips.split()]
    return rules.read_orders(document | ({"registers": numbers} if numbers else {}))


def _read_chip(text: str) -> int | str | None:
    return None if text == "-" else text if text == PAUSE.kind else int(text.partition("@")[2])


def printed(script: Script) -> Iterator[str]:
    """Play a script and yield the lines of its playthrough."""
    setup = script.setup()
    yield from _head(script, setup)
    dealt = script.begin(setup)
    for turn in script.turns:
        state, hands = dealt.state, dict(dealt.hands)
        yield f"Turn {state.turn}"
        yield ""
        yield from _hands(setup, state, hands, turn, script.seed)
        orders = {script.names.index(name): given for name, given in turn.orders.items()}
        for index, given in orders.items():
            if state.robots[index].was_down and not given.stay_down:
                state, hands[index] = rules.switch_on(setup, state, hands, index, script.seed)
                yield f"  {_holding(state.robots[index], hands[index], 'is switched on, and holds')}"
        for index, given in orders.items():
            yield f"  {script.names[index]} orders {orders_in_text(given)}"
            if faults := rules.problems(setup, state, index, hands.get(index, ()), given):
                raise ValueError(f"turn {state.turn}: {script.names[index]}: {faults}")
        outcome = rules.resolve_turn(setup, state, hands, orders, script.seed)
        yield ""
        yield from _log(setup, outcome)
        yield ""
        yield from _state(setup, outcome.state)
        yield ""
        if outcome.state.over:
            yield from (f"The end: {event.reason}." for event in outcome.events if isinstance(event, ev.Over))
            return
        dealt = rules.deal(setup, outcome.state, script.seed)


def _head(script: Script, setup: rules.Setup) -> Iterator[str]:
    yield f"{script.ruleset.name}, a game from its first turn to its last"
    yield ""
    yield f"ruleset      {script.ruleset.key}"
    yield f"seed         {json.dumps(script.seed)}"
    for file, at, turned in script.boards:
        joined = len(script.boards) > 1 or turned
        yield f"starship     {file}" + (f" {list(at)}, {turned}" if joined else "")
    if script.checkpoints:
        yield f"checkpoints  {json.dumps(script.checkpoints)}"
    for name, kind in script.players:
        yield f"player       {name}" + (f" {kind}" if kind else "")
    if script.options:
        yield f"options      {json.dumps(script.options)}"
    if script.house_rules:
        yield f"house-rules  {json.dumps(script.house_rules)}"
    yield ""
    yield from (f"  {row}" for row in rules.write_starship(setup.starship)["rows"])
    yield ""


def _hands(
    setup: rules.Setup, state: rules.State, hands: dict[int, rules.Hand], turn: Turn, seed: rules.Seed
) -> Iterator[str]:
    """Yield lines about all hands. Redraw hands in the order of the script."""
    for robot in state.players:
        if robot.index in hands:
            yield f"  {_holding(robot, hands[robot.index], 'holds')}"
    for name in turn.redeals:
        index = next(robot.index for robot in state.players if robot.name == name)
        hands[index] = rules.redeal(setup, state, hands, index, seed)
        yield f"  {name} redeals {_chips(hands[index])}"


def _holding(robot: rules.Robot, hand: rules.Hand, holds: str) -> str:
    locked = [f"; register {n + 1} is locked with {robot.registers[n]}" for n in robot.locked]
    return f"{robot.name} {holds} {_chips(hand)}{''.join(locked)}"


def _chips(hand: rules.Hand) -> str:
    return " ".join(map(str, sorted(hand, reverse=True)))


def orders_in_text(orders: rules.Orders) -> str:
    """Return orders as one line: chips, ``-`` for locked registers, then all else as JSON."""
    document = rules.write_orders(orders)
    document.pop("registers", None)
    chips = ["-" if chip is None else str(chip) for chip in orders.registers]
    return " ".join([*chips, json.dumps(document)] if document or not chips else chips)


def _log(setup: rules.Setup, outcome: rules.Outcome) -> Iterator[str]:
    terms = rules.Vocabulary(setup.starship, [robot.name for robot in outcome.state.robots])
    for event in rules.events_to_json(terms, outcome.events):
        yield ("  " if event["type"] == "phase" else "    ") + rules.sentence(event)


def _state(setup: rules.Setup, state: rules.State) -> Iterator[str]:
    seen = rules.view_to_json(setup.starship, rules.view(state))
    for robot in seen["robots"]:
        yield f"  {robot['name']}: {_robot(robot)}"
    if setup.ruleset.crystal:
        yield f"  power crystal: {_place(seen['crystal'])}"
    if any(seen["hull"].values()):
        left = ", ".join(f"{left} at checkpoint {number}" for number, left in seen["hull"].items())
        yield f"  hull: repairs left: {left}"


def _robot(robot: Mapping[str, Any]) -> str:
    place = [f"place {robot['place']}"] if robot["place"] else []
    if robot["at"] is None:
        return ", ".join([*place, f"off the board, lives {robot['lives']}"])
    told = [_place(robot["at"]), f"facing {WAYS[robot['heading']]}", *place]
    told += [f"damage {robot['damage']}", f"lives {robot['lives']}", f"next checkpoint {robot['next']}"]
    told += [f"rank {robot['rank']}"] if robot["rank"] else []
    told += [flag for flag in ("virtual", "down") if robot[flag]]
    return ", ".join([*told, f"archive {_place(robot['archive'])}"])


def _place(pos: list[int] | None) -> str:
    return "off the board" if pos is None else f"column {pos[0] + 1}, row {pos[1] + 1}"


def file_of(key: str) -> Path:
    return PLAYTHROUGHS / f"{key}.txt"


def print_again(key: str) -> None:
    """Play a ruleset's playthrough again from its script, and rewrite the file."""
    lines = printed(read_script(file_of(key).read_text()))
    file_of(key).write_text("\n".join(lines).rstrip() + "\n")


if __name__ == "__main__":
    for key in rules.RULESETS:
        print_again(key)
