"""Play one computer against weaker ones at tables of two, four and eight, and rate it.

    python -m bench.finishes                         an Ace among Pilots, 216 games at each size of table
    python -m bench.finishes --games 54              fewer games
    python -m bench.finishes --pairing pilot rookie  other levels

Games rotate through the boards below, and the stronger computer through the seats. Players finish in the same
order as in games that count for ratings. For each size of table, the report has the share of games in which
the stronger computer finishes ahead of a weaker one: first for pairs that include the winner, then for pairs
that do not. A tie counts half.

The last column is the rating that these games give to the stronger level, if the weaker level keeps its fixed
rating. It should be the same for each size of table.

It needs the packages of the service, but no database.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean

import rules
from bench.computers import play_out, starship
from bench.processes import each_of
from bench.ratings import START, learn
from games.standings import ratings
from games.standings.ratings import ANCHORS, Finish, Member, Outcome, Standing, points
from rules.statistics import rank_sides

BOARDS = (
    ("robo-runner", "06-ferry-crossing"),
    ("amigo-1999", "22-elbow-room"),
    ("robo-runner", "07-slide-rule"),
    ("factory-1999", "26-bottling-line"),
    ("robo-runner", "08-knuckle-works"),
    ("group-11", "31-slipway"),
    ("robo-runner", "12-red-shift"),
    ("amigo-1999", "67-paternoster"),
    ("robo-runner", "13-patchwork"),
)
SIZES = (2, 4, 8)
GAMES = 216
PAIRING = ("ace", "pilot")
ROUNDS = 10
"""The number of passes over all games, to make the rating stable. Each pass has its own random order."""


@dataclass(frozen=True)
class Finished:
    """A finished game.

    ``strong`` is the seat of the stronger computer. ``groups`` has the seats in order of result, the best
    first. Seats in the same group are tied.
    """

    strong: int
    groups: tuple[tuple[int, ...], ...]
    turns: int

    def scores(self, *, winners: bool) -> list[float]:
        """Return the stronger computer's score against each other player: 1, or 0.5 for a tie, or 0.

        If ``winners`` is True, returns only scores of pairs that include the winner. Otherwise, returns only
        scores of the other pairs.
        """
        rank = {seat: rank for rank, group in enumerate(self.groups) for seat in group}
        own = rank.pop(self.strong)
        others = [other for other in rank.values() if (0 in (own, other)) == winners]
        return [(own < other) + (own == other) / 2 for other in others]


def play(number: int, size: int, pairing: tuple[str, str]) -> Finished:
    """Play the game with this number at a table with ``size`` seats. The first game has the number 0."""
    key, name = BOARDS[number % len(BOARDS)]
    strong = number // len(BOARDS) % size
    levels = [pairing[seat != strong] for seat in range(size)]
    ruleset = rules.ruleset(key)
    setup = rules.make_setup(ruleset, {}, starship(name), size)
    models = [ruleset.models[number % len(ruleset.models)]] * size if ruleset.models else []
    dealt = rules.begin(setup, [f"robot {seat}" for seat in range(size)], number, ruleset.squads, models)
    state, departed = play_out(setup, dealt, levels, number, {level: [] for level in pairing})
    groups = rank_sides(state, departed, state.winner if state.over else None)
    return Finished(strong, tuple(tuple(seat for (seat,) in group) for group in groups), state.turn)


def _play(task: tuple[int, int, tuple[str, str]]) -> Finished:
    return play(*task)


def results(games: int, size: int, pairing: tuple[str, str], processes: int) -> list[Finished]:
    """Play ``games`` games at tables with ``size`` seats. Return the results in order."""
    tasks = [(number, size, pairing) for number in range(games)]
    return [*each_of(_play, tasks, processes)]


def rating_of(played: Sequence[Finished], weak: str) -> int:
    """Return the stronger computer's rating from games. The weaker level keeps its fixed rating."""
    pool, table, found = ratings.Pool(), dict[int, Standing](), []
    for number in range(ROUNDS):
        for game in random.Random(number).sample(played, len(played)):
            finishes: list[Finish] = []
            for group in game.groups:
                rank = len(finishes) + 1
                for seat in group:
                    member = Member(1) if seat == game.strong else Member(computer=weak)
                    finishes.append(Finish(rank, (member,)))
            learn(pool, table, Outcome(START, tuple(finishes)))
            if number:
                found.append(table[1].mu)
    return points(mean(found))


def report(size: int, weak: str, played: Sequence[Finished]) -> str:
    """Return a line of the results table in docs/internals.md."""
    shares = []
    for winners in (True, False):
        scores = [score for game in played for score in game.scores(winners=winners)]
        shares.append(f"{mean(scores):.0%} of {len(scores)}" if scores else "-")
    rating = rating_of(played, weak) if weak in ANCHORS else "-"
    won = mean(game.groups[0] == (game.strong,) for game in played)
    return f"| {size} | {len(played)} | {won:.0%} | {shares[0]} | {shares[1]} | {rating} |"


def lines(games: int, pairing: tuple[str, str], processes: int) -> Iterator[str]:
    """Yield the results as a Markdown table, with a line for each number of seats."""
    strong, weak = pairing
    yield f"| table | games | won by {strong} | ahead, if one of them won | ahead, if neither won | rating |"
    yield "|---|---|---|---|---|---|"
    for size in SIZES:
        yield report(size, weak, results(games, size, pairing, processes))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.finishes", description="Rate a computer at tables of each size."
    )
    parser.add_argument("--games", type=int, default=GAMES, help=f"at each table, {GAMES} if not given")
    parser.add_argument("--processes", type=int, default=2, help="games played at a time")
    parser.add_argument(
        "--pairing", nargs=2, metavar="LEVEL", default=PAIRING, choices=tuple(rules.computers.LEVELS)
    )
    given = parser.parse_args(arguments)
    if given.games < 1 or given.processes < 1:
        parser.error("games and processes are counted from 1")
    started = time.perf_counter()
    for line in lines(given.games, (given.pairing[0], given.pairing[1]), given.processes):
        print(line, flush=True)
    print(f"{time.perf_counter() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
