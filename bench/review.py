"""Measure reviews of games: their speed, how well their chances predict winners, and the coach.

    python -m bench.review                       review a game of four robots, and print its cost
    python -m bench.review --calibrate 10000     compare chances to win with results, in games of all rulesets
    python -m bench.review --duels 100           let the coach play against an Ace

Games are played by Pilots, and one game in ten also by Aces, on ships of the fleet. A number determines a
game. Games that are not over after 60 turns do not count. The fit of the constants (`rules.review.chances`)
used other games. Duels are on the boards of `bench.computers`. Each deal is played twice, with swapped seats.

The commands need only Python. With ``RULES=interpreted``, they use no compiled modules.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from random import Random

import rules
from bench.computers import BOARDS, winner_of
from bench.processes import each_of
from bench.random_games import suitable
from bench.thinking import starships
from rules.review import Played, advise, chances, review_game, turn_to_json

KEYS = tuple(rules.RULESETS)
BLOCK = 40
"""The number of consecutive games with the same ruleset, ship, seats and options."""
MAX_TURNS = 60
BINS = 20
LIMIT = 0.03
"""The maximum expected calibration error."""
TURNS = 12
COACH = "coach"
FIRST_DUEL = 20_000
"""The number of the first duel. While the coach was developed, no duels with such numbers were played."""
MIN_DUELS = 0.55
"""The minimum share of duels that the coach must win."""


@dataclass(frozen=True)
class Terms:
    setup: rules.Setup
    seats: int


@cache
def terms(block: int) -> Terms:
    """Return the ruleset, ship, options and number of seats of a block of games."""
    key = KEYS[block % len(KEYS)]
    # Games with a power crystal take ten times as long as others.
    if key == "robo-recon" and block // len(KEYS) % 3:
        key = "robo-runner"
    chance, ruleset = Random(f"review/{block}"), rules.ruleset(key)
    while True:
        ship = chance.choice(suitable(key))
        seats = chance.choice((2, 4, 4, 6) if ruleset.squads else (2, 3, 4, 4, 4, 5, 6, 8))
        seats = max(2, ruleset.seats[0], min(seats, ruleset.seats[1]))
        if ruleset.start.own:
            seats = min(seats, len(ship.starts))
        if seats < 2:
            continue
        known = {option.key for option in ruleset.options}
        often = {"equipment": 0.3, "scanners": 0.2, "power_down": 0.5}
        options: dict[str, int | bool] = {
            option: 1 if option == "scanners" else True
            for option, share in often.items()
            if option in known and chance.random() < share
        }
        try:
            return Terms(rules.make_setup(ruleset, options, ship, seats), seats)
        except rules.SetupError:
            continue


def play(setup: rules.Setup, seats: int, levels: Sequence[str], number: int) -> Iterator[Played]:
    """Play a game between computers, and yield each turn. The level `COACH` is the coach's first choice."""
    ruleset = setup.ruleset
    chance = Random(f"review/models/{number}")
    squads = [ruleset.squads[seat % 2] for seat in range(seats)] if ruleset.squads else []
    models = [chance.choice(ruleset.models) for _ in range(seats)] if ruleset.models else []
    dealt = rules.begin(setup, [f"player{seat}" for seat in range(seats)], number, squads, models)
    while True:
        state, hands, orders = dealt.state, dict(dealt.hands), {}
        for index, level in enumerate(levels):
            if not rules.needs_orders(setup, state, index):
                continue
            if rules.computers.stays_off(setup, rules.view(state), index):
                orders[index] = rules.Orders(stay_down=True)
                continue
            if state.robots[index].was_down:
                state, hands[index] = rules.switch_on(setup, state, hands, index, number)
            seen, hand, seed = rules.view(state, index), hands.get(index, ()), f"{level} {number}"
            times, thinks = 0, "ace" if level == COACH else level
            while rules.computers.wants_redeal(setup, seen, index, hand, thinks, seed, times):
                hand = hands[index] = rules.redeal(setup, state, hands, index, number, times)
                times += 1
            if level == COACH:
                orders[index] = advise(setup, seen, index, hand, seed, 1)[0].orders
            else:
                orders[index] = rules.computers.choose(setup, seen, index, hand, level, seed)
        outcome = rules.resolve_turn(setup, state, hands, orders, number)
        yield Played(state, hands, orders, outcome.events)
        if outcome.state.over or state.turn >= MAX_TURNS:
            return
        dealt = rules.deal(setup, outcome.state, number)


Bins = list[tuple[int, float, int]]
"""For each bin of chances: the number of chances, their sum, and the number of wins."""


def predicted(number: int) -> Bins | None:
    """Play a game, and return its chances before each turn with its result. Return None if it is not over."""
    agreed = terms(number // BLOCK)
    chance = Random(f"review/levels/{number}")
    share = 0.5 if chance.random() < 0.1 else 0.0
    levels = ["ace" if chance.random() < share else "pilot" for _ in range(agreed.seats)]
    found, state = [], None
    for turn in play(agreed.setup, agreed.seats, levels, number):
        found.append((turn.state, chances(agreed.setup, _public(turn.state))))
        state = rules.fold(turn.state, turn.events)
    if state is None or not state.over or state.winner is None:
        return None
    bins: Bins = [(0, 0.0, 0)] * BINS
    for before, shares in found:
        sides = {
            robot.squad or robot.index: share for robot, share in zip(before.players, shares, strict=True)
        }
        if any(robot.place == 1 for robot in before.players):
            continue
        for side, share in sides.items():
            place = min(BINS - 1, int(share * BINS))
            count, total, wins = bins[place]
            bins[place] = count + 1, total + share, wins + (side == state.winner)
    return bins


def _public(state: rules.State) -> rules.State:
    seen = state.copy()
    seen.links = {origin: to for origin, to in state.links.items() if origin in state.known}
    return seen


def calibrate(games: int, processes: int) -> int:
    """Print predicted and true shares of wins. Return 1 if the error is above the limit, or else 0."""
    bins: Bins = [(0, 0.0, 0)] * BINS
    over = 0
    for found in each_of(predicted, range(games), processes):
        if found:
            over += 1
            bins = [
                (a + count, b + total, c + wins)
                for (a, b, c), (count, total, wins) in zip(bins, found, strict=True)
            ]
    print("| chances | predicted | won |", "|---|---|---|", sep="\n")
    for count, total, wins in bins:
        if count:
            print(f"| {count} | {total / count:.1%} | {wins / count:.1%} |")
    error = sum(abs(total - wins) for _, total, wins in bins) / max(1, sum(count for count, _, _ in bins))
    print(f"{over} of {games} games were over. The expected calibration error is {error:.2%}.")
    return int(error > LIMIT)


def duel(number: int) -> str | None:
    """Play a game of the coach against an Ace. Return the winner, or None if the game is not over."""
    deal, swapped = divmod(number, 2)
    key, name = BOARDS[deal % len(BOARDS)]
    setup = rules.make_setup(rules.ruleset(key), {}, starships()[name], 2)
    levels = ("ace", COACH) if swapped else (COACH, "ace")
    *_, last = play(setup, 2, levels, deal)
    return winner_of(rules.fold(last.state, last.events), levels)


def duels(games: int, processes: int) -> int:
    """Print how many duels the coach wins. Return 1 if it wins too few, or else 0."""
    numbers = range(FIRST_DUEL, FIRST_DUEL + games)
    found = Counter[str | None]()
    boards: dict[tuple[str, str], Counter[str | None]] = {board: Counter() for board in BOARDS}
    for number, winner in zip(numbers, each_of(duel, numbers, processes), strict=True):
        found[winner] += 1
        boards[BOARDS[number // 2 % len(BOARDS)]][winner] += 1
    print("| board | coach | ace | neither |", "|---|---|---|---|", sep="\n")
    for (key, name), wins in boards.items():
        print(f"| {name} ({key}) | {wins[COACH]} | {wins['ace']} | {wins[None]} |")
    print(f"The coach wins {found[COACH]} of {games} duels with an Ace, which wins {found['ace']}.")
    return int(found[COACH] < MIN_DUELS * games)


def review() -> int:
    """Review the first 12 turns of a game of four Pilots. Print the cost, and a digest of all figures."""
    setup = rules.make_setup(rules.ruleset("robo-runner"), {}, starships()["09-clover"], 4)
    turns = list(play(setup, 4, ["pilot"] * 4, 3))[: TURNS + 1]
    started = time.process_time()
    reviews = list(review_game(setup, turns))
    seconds = time.process_time() - started
    documents = [turn_to_json(review) for review in reviews]
    worst = max(
        abs(figures["deal"] + figures["decision"] + figures["collision"] - change)
        for turn in documents
        for figures in turn["figures"]
        for change in [turn["after"][figures["robot"] - 1] - turn["before"][figures["robot"] - 1]]
    )
    positions = sum(review.positions for review in reviews)
    print(f"{len(turns) - 1} turns of 4 robots: {seconds:.1f} s of a core, {positions} positions")
    print(f"The parts of each change add up to within {worst:.4%}.")
    print(f"The digest of all figures is {sha256(json.dumps(documents).encode()).hexdigest()[:16]}.")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.review", description="Measure reviews.")
    parser.add_argument("--calibrate", type=int, metavar="N", help="play N games, and compare chances")
    parser.add_argument("--duels", type=int, metavar="N", help="play N games of the coach with an Ace")
    parser.add_argument("--processes", type=int, default=2, help="games played at a time")
    given = parser.parse_args(arguments)
    if given.calibrate:
        return calibrate(given.calibrate, given.processes)
    return duels(given.duels, given.processes) if given.duels else review()


if __name__ == "__main__":
    sys.exit(main())
