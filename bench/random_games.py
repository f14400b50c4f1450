"""Play random games of every ruleset, and look for faults of the engine.

    python -m bench.random_games                   10,000 games
    python -m bench.random_games 500 --processes 2
    python -m bench.random_games --seed 4711       one game, described turn by turn

A seed determines everything: ruleset, board, options, house rules, squads, models and orders. Boards are
random, or from the fleet, or joined from several boards if the ruleset allows that. After each turn, four
checks are made: applying the log to the state before the turn gives the engine's state after it; no two real
robots share a cell; no deck contains a chip twice; and the chosen orders are legal. The first fault ends the
run with exit status 1.

It needs only Python.
"""

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import rules
from bench.processes import each_of
from tests.rules.strategies import RandomGame, chips_in_play, crowded_cells

STARSHIPS = Path(__file__).parents[1] / "fixtures" / "starships"
KEYS = tuple(rules.RULESETS)
GAMES = 10_000
MAX_TURNS = 400
"""The maximum number of turns in a game. A longer game counts as unfinished."""
UNFINISHED = "unfinished"


@dataclass(frozen=True)
class Result:
    """The result of one game: the reason for its end, and a fault if one was found."""

    seed: int
    key: str
    turns: int
    reason: str
    fault: str = ""


# Boards


@cache
def fleet() -> tuple[rules.Starship, ...]:
    """Return the starships of the fleet."""
    return tuple(
        rules.read_starship(rules.parse(file.read_bytes())) for file in sorted(STARSHIPS.glob("*.json"))
    )


@cache
def suitable(key: str) -> tuple[rules.Starship, ...]:
    """Return the starships of the fleet that suit a ruleset."""
    return tuple(ship for ship in fleet() if not rules.reasons_against(rules.ruleset(key), ship))


def board(chance: Random, key: str) -> rules.Starship | None:
    """Return a board of the fleet, perhaps joined to another, or None if the game needs a random board."""
    if chance.random() < 0.5:
        return None
    ship = chance.choice(suitable(key))
    if rules.ruleset(key).boards > 1 and chance.random() < 0.4:
        return joined(chance, ship, suitable(key))
    return ship


def joined(chance: Random, first: rules.Starship, others: Sequence[rules.Starship]) -> rules.Starship:
    """Join a square board to another board of the same size, and place new checkpoints on both.

    Both boards are rotated at random. A board that is not square is returned as it is.
    """
    if first.width != first.height:
        return first
    fitting = [ship for ship in others if (ship.width, ship.height) == (first.width, first.height)]
    beside = chance.choice([(1, 0), (0, 1)])
    ship = rules.join(
        [
            rules.Tile(first, (0, 0), chance.randrange(4)),
            rules.Tile(chance.choice(fitting), beside, chance.randrange(4)),
        ]
    )
    cells = chance.sample(sorted(ship.hull - ship.crushers.keys()), chance.randint(2, 4))
    return rules.with_checkpoints(ship, [ship.pos(cell) for cell in cells])


# Games


def game_of(seed: int) -> RandomGame:
    """Return the game that a seed determines, ready for its first turn."""
    key = KEYS[seed % len(KEYS)]
    return RandomGame(seed, key, board(Random(f"board/{seed}"), key))


def play(seed: int) -> Result:
    """Play the game that a seed determines, and return its result. Any exception counts as a fault."""
    key = KEYS[seed % len(KEYS)]
    turns = 0
    try:
        game = game_of(seed)
        for outcome in game.turns(MAX_TURNS):
            turns = game.state.turn
            if found := "; ".join(faults(game, outcome)):
                return Result(seed, key, turns, UNFINISHED, f"turn {turns}: {found}")
            if outcome.state.over:
                return Result(seed, key, turns, reason_of(outcome))
    except Exception:
        return Result(seed, key, turns, UNFINISHED, f"after turn {turns}:\n{traceback.format_exc()}")
    return Result(seed, key, turns, UNFINISHED)


def reason_of(outcome: rules.Outcome) -> str:
    """Return the reason that the last event gives for a game's end."""
    return str(getattr(outcome.events[-1], "reason", "no event says why"))


def faults(game: RandomGame, outcome: rules.Outcome) -> Iterator[str]:
    """Yield the faults of a turn, as text.

    Call this function while the game still has the state before the turn. ``outcome`` has the state after the
    turn.
    """
    for index, orders in game.orders.items():
        if problems := game.problems(index, orders):
            yield f"orders of {game.state.robots[index].name}: {problems}"
    for chips in chips_in_play(game):
        if len(chips) != len(set(chips)) or not set(chips) <= set(rules.DECK):
            yield "a deck holds a chip twice, or one that is none of its 84"
    if rules.fold(game.state, outcome.events) != outcome.state:
        yield "the log does not fold to the state after the turn"
    for cell in crowded_cells(outcome.state.robots):
        yield f"more than one real robot at {game.ship.pos(cell)}"


# The command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.random_games", description="Play random games.")
    parser.add_argument("games", nargs="?", type=int, default=GAMES, help=f"how many, {GAMES} if not given")
    parser.add_argument("--processes", type=int, default=1, help="how many games are played at a time")
    parser.add_argument("--seed", type=int, help="tell the one game of this seed")
    given = parser.parse_args(arguments)
    if given.seed is not None:
        return tell(given.seed)
    if given.games < 1 or given.processes < 1:
        parser.error("games and processes are counted from 1")
    return play_many(range(given.games), given.processes)


def play_many(seeds: Sequence[int], processes: int) -> int:
    """Play the games of these seeds, and print a report. Stop at the first fault.

    Returns the exit status.
    """
    started = time.perf_counter()
    results: list[Result] = []
    for result in played(seeds, processes):
        if result.fault:
            say(f"fault in the game of seed {result.seed} ({result.key}), {result.fault}")
            return 1
        results.append(result)
    report(results, time.perf_counter() - started, processes)
    return 0


def played(seeds: Sequence[int], processes: int) -> Iterator[Result]:
    """Play the games of these seeds in parallel, and yield each result."""
    yield from each_of(play, seeds, processes)


def report(results: Sequence[Result], seconds: float, processes: int) -> None:
    """Print how the games of each ruleset ended, and the total time."""
    for key in KEYS:
        own = [result for result in results if result.key == key]
        reasons = Counter(result.reason for result in own)
        ended = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
        turns = sum(result.turns for result in own)
        say(f"{key:13} {len(own):6} games {turns:8} turns   {ended}")
    games, turns = len(results), sum(result.turns for result in results)
    finished = sum(result.reason != UNFINISHED for result in results)
    unfinished = f"{games - finished} unfinished after {MAX_TURNS} turns"
    say(f"{games} games without a fault: {finished} ended, {unfinished}")
    say(
        f"{turns} turns in {seconds:.0f} s, checks included, {processes} at a time: "
        f"{games / seconds:.1f} games and {turns / seconds:.0f} turns a second"
    )


def tell(seed: int) -> int:
    """Play one game, and print all its events as sentences. Return 1 if it has a fault, or else 0."""
    game = game_of(seed)
    for line in rules.write_starship(game.ship)["rows"]:
        say(line)
    say(f"{game.setup.ruleset.key}, options {game.setup.options}, house rules {game.setup.house_rules}")
    for outcome in game.turns(MAX_TURNS):
        say(f"Turn {game.state.turn}")
        for event in rules.events_to_json(game.terms, outcome.events):
            say(f"  {rules.sentence(event)}")
        for fault in faults(game, outcome):
            say(f"FAULT: {fault}")
            return 1
    return 0


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main())
