"""Puzzles as ``puzzle/1`` documents, and tries at puzzles.

A document has everything but the board. Robots have letters instead of names: the robot to program is A.
"""

from typing import Any, Final, NamedTuple

from rules.chance import Chance
from rules.codec import read_chip, state_from_json, state_to_json
from rules.document import check_format
from rules.engine import Outcome, play, programs_of
from rules.events import read_log
from rules.orders import Orders
from rules.puzzles.mining import SEED, Puzzle
from rules.puzzles.search import Best, Program, without_ranks
from rules.resolution import Resolution
from rules.review.chances import VERSION, Chances
from rules.rulesets import ruleset
from rules.setup import Setup, as_played
from rules.starship import Starship

PUZZLE_FORMAT: Final = "puzzle/1"
LETTERS: Final = "ABCDEFGH"
"""The names of the robots. The robot to program is A, and the others follow in the order of their seats."""

PLACES: Final = 4


def names_of(puzzle: Puzzle) -> list[str]:
    """Return the letters of all robots, in the order of their indexes."""
    return [LETTERS[number] for number in numbers_of(puzzle)]


def numbers_of(puzzle: Puzzle) -> list[int]:
    """Return the places of all robots in `LETTERS`, in the order of their indexes."""
    mine = puzzle.robot
    return [0 if index == mine else index + (index < mine) for index in range(len(puzzle.state.robots))]


def write_puzzle(puzzle: Puzzle) -> dict[str, Any]:
    """Write a puzzle as a ``puzzle/1`` document, without its board."""
    setup, names, best = puzzle.setup, names_of(puzzle), puzzle.best
    state = puzzle.state.copy()
    for robot, name in zip(state.robots, names, strict=True):
        robot.name = name
    programs = programs_of(state, dict(puzzle.programs))
    return {
        "format": PUZZLE_FORMAT,
        "ruleset": setup.ruleset.key,
        "version": setup.ruleset.version,
        "options": dict(setup.options),
        "house_rules": dict(setup.house_rules),
        "state": state_to_json(setup.starship, state),
        "hand": [str(chip) for chip in puzzle.hand],
        "programs": {
            name: [chip and str(chip) for chip in programs[robot.index]]
            for robot, name in zip(state.robots, names, strict=True)
            if robot.index != puzzle.robot and robot.on_board and not robot.down
        },
        "solution": [str(chip) for chip in puzzle.solution],
        "values": VERSION,
        "chances": {
            "best": round(best.shown, PLACES),
            "next": round(best.next_shown, PLACES),
            "best_guessed": round(best.guessed, PLACES),
            "next_guessed": round(best.next_guessed, PLACES),
        },
        "solving": best.orders,
        "programs_in_all": best.programs,
        "direct": puzzle.direct,
    }


def read_puzzle(document: object, ship: Starship) -> Puzzle:
    """Read a ``puzzle/1`` document that this module has written, and its board. Its proof is not checked.

    Raises NotationError for another format, and for a malformed state.
    """
    found = check_format(document, PUZZLE_FORMAT)
    played = ruleset(found["ruleset"], found["version"])
    options, departures = found["options"], found["house_rules"]
    setup = Setup(as_played(played, options, departures), options, ship, departures)
    state = state_from_json(ship, found["state"])
    letters = [robot.name for robot in state.robots]
    mine = letters.index(LETTERS[0])
    programs = {}
    for name, chips in found["programs"].items():
        robot = state.robots[letters.index(name)]
        registers = [None if chip is None else read_chip(chip) for chip in chips]
        for register in robot.locked:
            robot.registers[register], registers[register] = registers[register], None
        programs[robot.index] = Orders(registers=tuple(registers))
    chances = found["chances"]
    solution = [read_chip(chip) for chip in found["solution"]]
    best = Best(
        "".join(chip.kind for chip in solution),
        chances["best"],
        chances["next"],
        chances["best_guessed"],
        chances["next_guessed"],
        found["solving"],
        found["programs_in_all"],
    )
    hand = tuple(read_chip(chip) for chip in found["hand"])
    return Puzzle(setup, state, mine, hand, programs, best, found["direct"])


class Try(NamedTuple):
    """A program that was tried: the outcome of the turn, the chance to win after it, and whether it is right.

    Every program that ends the turn in the same state as the solution is right.
    """

    outcome: Outcome
    chance: float
    right: bool


def try_program(puzzle: Puzzle, program: Program) -> Try:
    """Play a program against the shown programs, and judge it."""
    world = puzzle.world()
    end = world.after(program)
    chances = Chances(world.setup, puzzle.state)
    chance = chances.of(world.state(end))[chances.players.index(puzzle.robot)]
    return Try(outcome_of(puzzle, program), round(chance, PLACES), end == world.after(puzzle.solution))


def outcome_of(puzzle: Puzzle, program: Program) -> Outcome:
    """Return the outcome of the puzzle's turn with a program, with all its events."""
    state = puzzle.state.copy()
    setup = without_ranks(puzzle.setup)
    programs = {**programs_of(state, dict(puzzle.programs)), puzzle.robot: list(program)}
    turn = Resolution(setup, state, dict(puzzle.programs), programs, Chance(SEED, state.turn))
    play(turn)
    return Outcome(turn.state, read_log(turn.log))
