"""Simulate players with known skills, and measure how well ratings find these skills.

    .venv/bin/python -m bench.ratings                    all except speed, with a random seed
    .venv/bin/python -m bench.ratings --order --seed 7   only the order, again with the same players
    .venv/bin/python -m bench.ratings --drift --years 3  only the drift, over less time
    .venv/bin/python -m bench.ratings --sizes            one skill at tables of two to eight
    .venv/bin/python -m bench.ratings --speed            the number of results processed per second

Order: 500 players play 20 games each against players of similar rating. The spread of their skills equals the
spread of luck in a game. The figure is Spearman's correlation between the true order of players and the order
of their ratings. It must be at least 0.9 at tables of four and eight. With shuffled finishes, it must be near
0, or else the measurement is worthless.

Drift: 1,000 players play twelve games a year each over ten years. A fifth of the players leave each year, and
newcomers' skill grows by 5 within two years. The figure is the mean error of settled players' ratings in
points, compared with the computers. It is also measured without the monthly shift of the scale.

Sizes: a player who is better than Pilots by a known skill plays 300 games against them at tables of one size.
This is repeated twelve times. The figure is the mean rating after the first 75 games. It must be the same for
each size.

It needs the packages of the service, but no database.
"""

import argparse
import random
import secrets
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from math import sqrt
from statistics import NormalDist, mean
from typing import Final

from games.standings import ratings as fold
from games.standings.ratings import (
    ANCHORS,
    BETA,
    MU,
    POINTS_PER_MEAN,
    Finish,
    Member,
    Outcome,
    Pool,
    Standing,
    expected,
    points,
)

START: Final = datetime(2027, 1, 1, tzinfo=UTC)
PLAYERS: Final = 500
GAMES: Final = 20
YEARS: Final = 10

LEAVERS: Final = 0.2
"""The share of players who leave in a year. Newcomers replace them."""

IMPROVEMENT: Final = 5.0
"""The skill that a newcomer gains within two years, on the scale of `MU`."""

COMPUTERS: Final = {"pilot": MU, "ace": MU + NormalDist(0, BETA * sqrt(2)).inv_cdf(0.7625)}
"""The true skills of computers. An Ace's skill follows from its measured wins (docs/internals.md)."""

MAX_MEAN_ERROR: Final = 1500 / 20
"""The maximum mean error of ratings in points: a twentieth of a newcomer's rating."""

SIZES: Final = (2, 3, 4, 6, 8)

SKILL_ABOVE_PILOTS: Final = 8.0
"""The difference in skill between Pilots and the player measured at each table size."""

MAX_DIFFERENCE: Final = 100
"""The maximum difference in points between the ratings that one player gets at two table sizes."""

WITH_COMPUTERS: Final = 4
"""The interval of games with a computer: every fourth game has one."""


@dataclass(slots=True)
class Simulated:
    """A simulated player: the initial skill, the first day of play, and the skill gained within two years."""

    skill: float
    since: float = -1e9
    improves: float = 0.0

    def skill_on(self, day: float) -> float:
        return self.skill + self.improves * min(1.0, max(0.0, day - self.since) / 730)


def outcome(members: Sequence[Member], skills: Sequence[float], chance: random.Random, day: float) -> Outcome:
    """Play one game with a random performance of each player. Return the finishes.

    A performance is drawn from a normal distribution around the player's skill.
    """
    performed = sorted(zip(members, skills, strict=True), key=lambda each: -chance.gauss(each[1], BETA))
    finishes = tuple(Finish(rank, (member,)) for rank, (member, _) in enumerate(performed, 1))
    return Outcome(START + timedelta(days=day), finishes)


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's correlation of two rankings: 1 if equal, 0 if unrelated, -1 if opposite.

    >>> spearman([1, 2, 3], [10, 20, 30]), spearman([1, 2, 3], [3, 2, 1])
    (1.0, -1.0)
    """
    places = [
        {key: place for place, key in enumerate(sorted(range(len(each)), key=each.__getitem__))}
        for each in (one, other)
    ]
    squares = sum((places[0][key] - places[1][key]) ** 2 for key in places[0])
    return 1 - 6 * squares / (len(one) * (len(one) ** 2 - 1))


def learn(pool: Pool, table: dict[int, Standing], played: Outcome) -> None:
    table.update((person, standing) for person, (_, standing) in pool.apply(played, table).items())


def found_order(seed: str, *, seats: int, shuffled: bool = False) -> float:
    """Return the correlation between the order of ratings after 20 games and the true order."""
    chance = random.Random(f"{seed} order {seats}")
    skills = [chance.gauss(MU, BETA) for _ in range(PLAYERS)]
    pool, table = Pool(), dict[int, Standing]()
    for day in range(GAMES):
        for people in tables(range(PLAYERS), table, seats, chance):
            played = outcome(
                [Member(each) for each in people], [skills[each] for each in people], chance, day
            )
            learn(pool, table, shuffle(played, chance) if shuffled else played)
    return spearman(skills, [table[person].mu for person in range(PLAYERS)])


def rating_at(seed: str, *, seats: int, careers: int = 12, games: int = 300) -> int:
    """Return the mean rating that a player gets at tables of one size.

    The player's skill is `SKILL_ABOVE_PILOTS` above the skill of Pilots, who play the other seats.
    """
    found = []
    for career in range(careers):
        chance = random.Random(f"{seed} size {seats} {career}")
        pool, table = Pool(), dict[int, Standing]()
        members = [Member(1), *[Member(computer="pilot")] * (seats - 1)]
        skills = [MU + SKILL_ABOVE_PILOTS, *[MU] * (seats - 1)]
        for number in range(games):
            learn(pool, table, outcome(members, skills, chance, 0))
            if number >= games // 4:
                found.append(table[1].mu)
    return points(mean(found))


def shuffle(played: Outcome, chance: random.Random) -> Outcome:
    sides = [side.members for side in played.finishes]
    chance.shuffle(sides)
    return replace(played, finishes=tuple(Finish(rank, members) for rank, members in enumerate(sides, 1)))


def tables(
    people: Sequence[int], table: Mapping[int, Standing], seats: int, chance: random.Random
) -> Iterator[list[int]]:
    """Yield tables of players of similar rating. Players who do not fill a table do not play."""
    newcomer = Standing(MU)
    in_order = sorted(people, key=lambda person: chance.gauss(table.get(person, newcomer).mu, 1.5))
    for start in range(0, len(in_order) - seats + 1, seats):
        yield in_order[start : start + seats]


def drift(
    seed: str, *, years: int, improves: float, wanders: float = fold.OFFSET_DRIFT, players: int = 1000
) -> list[float]:
    """Return the mean error of settled players' ratings at the end of each year."""
    chance = random.Random(f"{seed} drift {improves}")
    people = {key: Simulated(chance.gauss(MU, BETA)) for key in range(players)}
    pool, table, errors = Pool(wanders=wanders), dict[int, Standing](), []
    for year in range(years):
        for month in range(12):
            day = 365 * year + 30.4 * month
            for number, sitting in enumerate(tables(list(people), table, 4, chance)):
                members = [Member(person) for person in sitting]
                skills = [people[person].skill_on(day) for person in sitting]
                if number % WITH_COMPUTERS == 0:
                    level = chance.choice(list(COMPUTERS))
                    members[-1], skills[-1] = Member(computer=level), COMPUTERS[level]
                learn(pool, table, outcome(members, skills, chance, day + 28 * chance.random() / 30))
            for person in chance.sample(sorted(people), round(players * LEAVERS / 12)):
                del people[person]
                table.pop(person, None)
                key = players + year * players + month * 100 + len(people)
                while key in people:
                    key += 1
                people[key] = Simulated(chance.gauss(MU, BETA) - improves, day, improves)
        day = 365 * (year + 1)
        settled = [
            (people[key].skill_on(day), table[key].mu + pool.offset, table[key].sigma)
            for key in people
            if key in table and not table[key].provisional
        ]
        errors.append(level_error(settled))
    return errors


def level_error(settled: Sequence[tuple[float, float, float]]) -> float:
    """Return the mean error of ratings, based on the true expected scores against computers.

    Each player in ``settled`` has a true skill, and the mean and deviation of a rating. True skills and
    ratings have different units, so the error is found by shifting all ratings until they predict the true
    number of wins.
    """
    true = sum(
        NormalDist(0, BETA * sqrt(2)).cdf(skill - computer)
        for skill, _, _ in settled
        for computer in COMPUTERS.values()
    )
    low, high = -50.0, 50.0
    while high - low > 1e-3:
        middle = (low + high) / 2
        promised = sum(
            expected(mu + middle, anchor, sigma) for _, mu, sigma in settled for anchor in ANCHORS.values()
        )
        low, high = (middle, high) if promised < true else (low, middle)
    return -low


def speed(seed: str) -> float:
    """Return the number of results of four players that ratings process per second."""
    chance = random.Random(seed)
    pool, table, played = Pool(), dict[int, Standing](), []
    for number in range(20_000):
        people = chance.sample(range(PLAYERS), 4)
        played.append(outcome([Member(each) for each in people], [MU] * 4, chance, number / 50))
    begun = time.perf_counter()
    for each in played:
        learn(pool, table, each)
    return len(played) / (time.perf_counter() - begun)


def say(title: str, value: Callable[[], object]) -> None:
    print(f"{title:<60} {value()}", flush=True)


def main() -> int:
    """Simulate players and print the figures. Return 1 if the ratings miss a required figure, or else 0."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.ratings", description="How well ratings find skills."
    )
    parser.add_argument("--seed", default=secrets.token_hex(8))
    parser.add_argument("--years", type=int, default=YEARS)
    for part in ("order", "drift", "sizes", "speed"):
        parser.add_argument(f"--{part}", action="store_true")
    options = parser.parse_args()
    whole = not (options.order or options.drift or options.sizes or options.speed)
    print(f"seed {options.seed}, computers at {dict(ANCHORS)}, settled below {fold.PROVISIONAL_SIGMA}")
    well = True
    if whole or options.order:
        for seats in (2, 4, 8):
            found = found_order(options.seed, seats=seats)
            well &= seats == 2 or found >= 0.9
            say(f"Spearman, {PLAYERS} players, {GAMES} games, tables of {seats}", lambda: f"{found:.3f}")  # noqa: B023
        say(
            "the same with shuffled finishes, tables of 4",
            lambda: f"{found_order(options.seed, seats=4, shuffled=True):.3f}",
        )
    if whole or options.drift:
        for title, improves, wanders in (
            ("skills stay", 0.0, fold.OFFSET_DRIFT),
            ("newcomers improve", IMPROVEMENT, fold.OFFSET_DRIFT),
            ("newcomers improve, the scale is never moved", IMPROVEMENT, 0.0),
        ):
            errors = drift(options.seed, years=options.years, improves=improves, wanders=wanders)
            off = [POINTS_PER_MEAN * error for error in errors]
            well &= not wanders or max(map(abs, off)) <= MAX_MEAN_ERROR
            say(f"points by year, {title}", lambda: " ".join(f"{each:+.0f}" for each in off))  # noqa: B023
    if whole or options.sizes:
        ratings = [rating_at(options.seed, seats=seats) for seats in SIZES]
        well &= max(ratings) - min(ratings) <= MAX_DIFFERENCE
        say(f"one skill at tables of {', '.join(map(str, SIZES))}", lambda: " ".join(map(str, ratings)))
    if options.speed:
        say("results a second, tables of 4", lambda: round(speed(options.seed)))
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
