"""Play computers against each other, two in each game, and count their wins.

    python -m bench.computers                       200 games ace v pilot, then 200 pilot v rookie
    python -m bench.computers --games 20            20 games of each
    python -m bench.computers --processes 1         one game at a time (2 if not given)
    python -m bench.computers --pairing ace pilot   only one pairing
    python -m bench.computers --first 200           other games: those from number 200 on
    python -m bench.computers --search              a Pilot's time to search all programs of nine chips
    python -m bench.computers --thinking            an Ace's time among eight robots, and whole games of four

Games rotate through the boards below. Each deal is played twice, with swapped seats: first with the pairing's
first level in seat 1, then with that level in seat 2. The number of the deal is the seed of both games. A
game without a winner, or one that is not over after 60 turns, counts as a win for neither level.

It needs only Python.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import mean

import rules
from bench import thinking
from bench.processes import each_of
from rules.statistics import Instant, departures

STARSHIPS = Path(__file__).parents[1] / "fixtures" / "starships"
BOARDS = (
    ("robo-runner", "04-tin-canoe"),
    ("robo-runner", "05-quarter-turn"),
    ("robo-runner", "06-ferry-crossing"),
    ("robo-runner", "07-slide-rule"),
    ("robo-runner", "08-knuckle-works"),
    ("robo-runner", "13-patchwork"),
    ("amigo-1999", "22-elbow-room"),
    ("factory-1999", "26-bottling-line"),
    ("group-11", "31-slipway"),
    ("websocket", "34-gangway-dash"),
)
PAIRINGS = (("ace", "pilot"), ("pilot", "rookie"))
GAMES = 200
MAX_TURNS = 60
"""The maximum number of turns in a game. An unfinished game then ends without a winner."""


@dataclass(frozen=True)
class Result:
    """The result of a game.

    ``winner`` is the level of the winner, or None. ``thinking`` has the processor seconds of each decision,
    by level.
    """

    board: tuple[str, str]
    winner: str | None
    turns: int
    thinking: dict[str, tuple[float, ...]]


@cache
def starship(name: str) -> rules.Starship:
    return rules.read_starship(json.loads((STARSHIPS / f"{name}.json").read_text()))


def play(number: int, pairing: tuple[str, str]) -> Result:
    """Play the game with this number to its end. The first game has the number 0."""
    deal_number, swapped = divmod(number, 2)
    key, name = BOARDS[deal_number % len(BOARDS)]
    levels = pairing[::-1] if swapped else pairing
    ruleset = rules.ruleset(key)
    setup = rules.make_setup(ruleset, {}, starship(name), len(levels))
    models = [ruleset.models[deal_number // len(BOARDS) % len(ruleset.models)]] * 2 if ruleset.models else []
    dealt = rules.begin(setup, ["first", "second"], deal_number, ruleset.squads, models)
    thinking: dict[str, list[float]] = {level: [] for level in pairing}
    state, _ = play_out(setup, dealt, levels, deal_number, thinking)
    return Result(
        (key, name),
        winner_of(state, levels),
        state.turn,
        {level: tuple(times) for level, times in thinking.items()},
    )


def play_out(
    setup: rules.Setup,
    dealt: rules.Deal,
    levels: Sequence[str],
    deal_number: int,
    thinking: dict[str, list[float]],
) -> tuple[rules.State, dict[int, Instant]]:
    """Play a game to its end. Return its last state, and the time when each robot left the game.

    Only robots that left before the end are included. The processor seconds of each decision are added to
    ``thinking``, by level. A game ends after at most `MAX_TURNS` turns.
    """
    state, hands = dealt.state, dict(dealt.hands)
    departed: dict[int, Instant] = {}
    while state.turn < MAX_TURNS:
        orders = {}
        for index, level in enumerate(levels):
            if rules.needs_orders(setup, state, index):
                started = time.process_time()
                seen, seed = rules.view(state), f"{level} thinks in game {deal_number}"
                if rules.computers.stays_off(setup, seen, index):
                    orders[index] = rules.Orders(stay_down=True)
                    continue
                if state.robots[index].was_down:
                    state, hands[index] = rules.switch_on(setup, state, hands, index, deal_number)
                    seen = rules.view(state, index)
                times = 0
                while rules.computers.wants_redeal(
                    setup, seen, index, hands.get(index, ()), level, seed, times
                ):
                    hands[index] = rules.redeal(setup, state, hands, index, deal_number, times)
                    times += 1
                orders[index] = rules.computers.choose(setup, seen, index, hands.get(index, ()), level, seed)
                thinking[level].append(time.process_time() - started)
        played = rules.resolve_turn(setup, state, hands, orders, deal_number)
        departed |= departures(state, played.events)
        state = played.state
        if state.over:
            break
        dealt = rules.deal(setup, state, deal_number)
        state, hands = dealt.state, dict(dealt.hands)
    return state, departed


def winner_of(state: rules.State, levels: Sequence[str]) -> str | None:
    """Return the level of the winning robot or squad, or None if there is no winner."""
    for robot, level in zip(state.players, levels, strict=True):
        if state.over and state.winner is not None and state.winner in (robot.index, robot.squad):
            return level
    return None


def _play(task: tuple[int, tuple[str, str]]) -> Result:
    return play(*task)


def results(games: int, pairing: tuple[str, str], processes: int, first: int = 0) -> list[Result]:
    """Play ``games`` games of a pairing, from game number ``first``. Return the results in order."""
    tasks = [(number, pairing) for number in range(first, first + games)]
    return [*each_of(_play, tasks, processes)]


def report(pairing: tuple[str, str], played: Sequence[Result]) -> Iterator[str]:
    """Yield the lines of a table of wins by board, in Markdown."""
    first, second = pairing
    yield f"| {first} v {second} | games | {first} | {second} | neither | turns |"
    yield "|---|---|---|---|---|---|"
    for board in BOARDS:
        if here := [result for result in played if result.board == board]:
            yield _row(f"{board[1]} ({board[0]})", pairing, here)
    yield _row("all", pairing, played)
    share = sum(result.winner == first for result in played) / len(played)
    times = {
        level: sorted(seconds for result in played for seconds in result.thinking[level]) for level in pairing
    }
    yield ""
    yield f"{first} wins {share:.1%} of the games." + "".join(
        f" {level} thinks {mean(seconds):.3f} s about a turn, at most {seconds[-1]:.3f} s."
        for level, seconds in times.items()
    )


def _row(title: str, pairing: tuple[str, str], played: Sequence[Result]) -> str:
    wins = Counter(result.winner for result in played)
    turns = mean(result.turns for result in played)
    numbers = (len(played), wins[pairing[0]], wins[pairing[1]], wins[None])
    return f"| {title} | " + " | ".join(map(str, numbers)) + f" | {turns:.1f} |"


# The time of a search


HANDS = ("1123BLLRU", "12233LRUU", "112BLLRRU")
"""Hands of nine chips, each written as the kinds of its chips."""
PLACES = 12
"""The number of measured searches of a Pilot on each board, each from a different cell."""


def searches() -> Iterator[tuple[str, list[float]]]:
    """Yield each board of 144 cells, with the processor seconds of a Pilot's searches on it.

    The first search on a board includes the time to calculate the distances on the board.
    """
    for file in sorted(STARSHIPS.glob("*.json")):
        ship = rules.read_starship(json.loads(file.read_text()))
        ruleset = next(
            (known for known in rules.RULESETS.values() if not rules.reasons_against(known, ship)), None
        )
        if (ship.width, ship.height) == (12, 12) and ruleset:
            yield file.stem, list(_searched(rules.make_setup(ruleset, {}, ship, ruleset.seats[0])))


def _searched(setup: rules.Setup) -> Iterator[float]:
    names = [f"player{seat}" for seat in range(setup.ruleset.seats[0])]
    models = setup.ruleset.models[: len(names)]
    state = rules.new_game(setup, names, 1, setup.ruleset.squads, models)
    state = rules.deal(setup, state, 1).state
    robot, ship = state.robots[0], setup.starship
    cells = sorted(ship.hull)
    for number in range(PLACES):
        robot.cell, robot.heading, robot.returned = cells[number * len(cells) // PLACES], number % 4, False
        hand = tuple(_chips(HANDS[number % len(HANDS)]))
        started = time.process_time()
        rules.computers.choose(setup, rules.view(state), 0, hand, "pilot", 1)
        yield time.process_time() - started


def _chips(kinds: str) -> Iterator[rules.Chip]:
    spare = list(rules.DECK)
    for kind in kinds:
        chip = next(chip for chip in spare if chip.kind == kind)
        spare.remove(chip)
        yield chip


def report_searches() -> int:
    """Print the times of searches. Return 1 if a search took more than half a second, or else 0."""
    print("| board | with its chart | longest of the others |", "|---|---|---|", sep="\n")
    longest = 0.0
    for name, seconds in searches():
        longest = max(longest, *seconds)
        print(f"| {name} | {seconds[0]:.3f} s | {max(seconds[1:]):.3f} s |")
    return int(longest > 0.5)


# The command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Return 1 if a stronger level wins less than 65 % of its games, or else 0."""
    parser = argparse.ArgumentParser(prog="python -m bench.computers", description="Play computers.")
    parser.add_argument("--games", type=int, default=GAMES, help=f"of each pairing, {GAMES} if not given")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game, 0 if not given")
    parser.add_argument("--processes", type=int, default=2, help="games played at a time")
    parser.add_argument("--pairing", nargs=2, metavar="LEVEL", choices=tuple(rules.computers.LEVELS))
    parser.add_argument("--search", action="store_true", help="measure how long searches take")
    parser.add_argument(
        "--thinking", action="store_true", help="measure turns among eight, and games of four"
    )
    given = parser.parse_args(arguments)
    if given.thinking:
        for line in thinking.report():
            print(line, flush=True)
        return 0
    if given.search:
        return report_searches()
    if given.games < 1 or given.processes < 1:
        parser.error("games and processes are counted from 1")
    started = time.perf_counter()
    weak = False
    for pairing in [tuple(given.pairing)] if given.pairing else PAIRINGS:
        played = results(given.games, pairing, given.processes, given.first)
        print(*report(pairing, played), "", sep="\n", flush=True)
        weak |= sum(result.winner == pairing[0] for result in played) < 0.65 * len(played)
    print(f"{time.perf_counter() - started:.0f} s")
    return int(weak)


if __name__ == "__main__":
    sys.exit(main())
