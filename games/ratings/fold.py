"""Ratings as a fold over results, one pool at a time: the same results in the same order give the same rows.

The order is that in which the games ended.

Pure arithmetic, without a database: workers apply one result to rows, `recount` and `bench.ratings` all of
them in memory.

People and computers stand on one scale, on which computers are fixed (`ANCHORS`). If people improve, all of
them are rated too low: they take their points from each other. So at the end of each month people's scores
against computers are compared with what their ratings promised, and the pool's ``offset`` follows the error,
as far as the month's games are worth (a Kalman filter). Rows keep raw numbers: a shift changes none of them,
and places computers and newcomers instead.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from fractions import Fraction
from math import exp, sqrt
from typing import Final

from games.ratings.scale import BETA, DIGITS, MU, SIGMA, Side, Skill, rate, weight_of
from games.ratings.shares import share_beaten

ANCHORS: Final[Mapping[str, float]] = {"pilot": 25.0, "ace": 32.5}
"""The fixed means of the computers that tell something: an Ace beats a Pilot in 76 % of games.

A Rookie loses to a Pilot in 99 %, so that a game against it tells nothing (docs/ratings.md).
"""

PROVISIONAL: Final = 5.5
"""The deviation above which a rating is provisional."""

SETTLED_GAMES: Final = 10
"""The games without which a rating is provisional, however small its deviation."""

LISTED: Final = 4.5
"""The largest deviation of those who are listed among the best."""

LISTED_GAMES: Final = 20
"""How many games they have played."""

LISTED_OPPONENTS: Final = 8
"""How many people they have met; rows count no further."""

YEAR: Final = timedelta(days=365)

WANDERS: Final = 0.1
"""By how much a pool's true offset is expected to wander in a month."""

REPEATED: Final = 2.0
"""How much less games tell about an offset than as many of strangers: the same people play them."""


@dataclass(frozen=True, slots=True)
class Member:
    """One who took part: a person by their key, or a computer by its level."""

    person: int | None = None
    computer: str = ""


@dataclass(frozen=True, slots=True)
class Finish:
    """A side of a result, with the rank that it took, 1 for the best."""

    rank: int
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: its sides, and who had ``left`` a squad, which cannot come last without them."""

    ended_at: datetime
    finishes: tuple[Finish, ...]
    left: frozenset[int] = frozenset()

    @property
    def people(self) -> list[int]:
        return sorted(
            each.person for side in self.finishes for each in side.members if each.person is not None
        )

    def side_of(self, person: int) -> Finish:
        return next(side for side in self.finishes if Member(person) in side.members)

    def opponents(self, person: int) -> set[int]:
        """Return the people on other sides than a person's."""
        return set(self.people) - {member.person for member in self.side_of(person).members if member.person}

    def rank_of(self, person: int) -> int:
        """Return the rank of a person: of their side, or the last if they left their squad."""
        return len(self.finishes) + 1 if person in self.left else self.side_of(person).rank

    def share_beaten(self, person: int) -> Fraction:
        """Return the share of the other sides with people that a person has beaten; a tie counts half.

        A squad is one side: all its players get the same, unless they left it.
        """
        if person not in self.people:  # the game has just stopped counting
            return Fraction(0)
        own, rank = self.side_of(person), self.rank_of(person)
        others = [
            side.rank
            for side in self.finishes
            if side is not own and any(member.person is not None for member in side.members)
        ]
        return share_beaten(rank, [rank, *others])


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a person stands in a pool, in its raw numbers; ``met`` counts people up to `LISTED_OPPONENTS`."""

    mu: float
    sigma: float = SIGMA
    games: int = 0
    met: int = 0
    played_at: datetime | None = None

    @property
    def provisional(self) -> bool:
        return self.sigma > PROVISIONAL or self.games < SETTLED_GAMES

    def skill_at(self, moment: datetime) -> Skill:
        """Return the skill at a moment: less certain the longer ago the last game is."""
        years = (moment - self.played_at) / YEAR if self.played_at else 0.0
        return Skill(self.mu, self.sigma).after(years)


@dataclass(frozen=True, slots=True)
class Shift:
    """By how much a pool's scale moved when a month was over, and the error that was measured."""

    month: date
    error: float
    amount: float


@dataclass(slots=True)
class Pool:
    """What all standings of a pool share: its offset, and the running month's scores against computers.

    ``residual`` sums by how much people scored more than their ratings promised, ``noise`` the variance that
    chance gives it, and ``slope`` how much promises change with a mean. ``variance`` says how uncertain the
    offset is.
    """

    offset: float = 0.0
    variance: float = 0.0
    month: date | None = None
    residual: float = 0.0
    noise: float = 0.0
    slope: float = 0.0
    wanders: float = WANDERS
    shifts: list[Shift] = field(default_factory=list)

    def newcomer(self) -> Standing:
        return Standing(round(MU - self.offset, DIGITS))

    def apply(self, outcome: Outcome, known: Mapping[int, Standing]) -> dict[int, tuple[Skill, Standing]]:
        """Return, for each person, their skill before the game and their standing after it.

        ``known`` has the standing of each that has one. How many people they have met is not counted here.
        """
        self._turn_month(outcome.ended_at)
        before = {person: (known.get(person) or self.newcomer()) for person in outcome.people}
        skills = {person: standing.skill_at(outcome.ended_at) for person, standing in before.items()}
        self._compare(outcome, before, skills)
        changed = self._rated(outcome, skills)
        return {
            person: (
                skills[person],
                Standing(
                    skill.mu, skill.sigma, before[person].games + 1, before[person].met, outcome.ended_at
                ),
            )
            for person, skill in changed.items()
        }

    def skill_of(self, member: Member, skills: Mapping[int, Skill]) -> Skill:
        if member.person is not None:
            return skills[member.person]
        return Skill(ANCHORS[member.computer] - self.offset, 0.0, fixed=True)

    def _rated(self, outcome: Outcome, skills: Mapping[int, Skill]) -> dict[int, Skill]:
        changed = self._rate(outcome.finishes, skills)
        for person in outcome.left:
            # Who left a squad gets what its defeat is worth, whatever became of it; the others do not.
            own = outcome.side_of(person)
            lost = [Finish(2 if side is own else 1, side.members) for side in outcome.finishes]
            changed[person] = self._rate(lost, skills)[person]
        return changed

    def _rate(
        self, finishes: "tuple[Finish, ...] | list[Finish]", skills: Mapping[int, Skill]
    ) -> dict[int, Skill]:
        sides = [
            Side(side.rank, tuple(self.skill_of(member, skills) for member in side.members))
            for side in finishes
        ]
        return {
            member.person: skill
            for side, after in zip(finishes, rate(sides), strict=True)
            for member, skill in zip(side.members, after, strict=True)
            if member.person is not None
        }

    def _compare(self, outcome: Outcome, before: Mapping[int, Standing], skills: Mapping[int, Skill]) -> None:
        """Add what settled people scored against each computer; squads tell too little."""
        if any(len(side.members) > 1 for side in outcome.finishes):
            return
        computers = [side for side in outcome.finishes if side.members[0].computer]
        ranks = [side.rank for side in outcome.finishes]
        for side in outcome.finishes:
            person = side.members[0].person
            if person is None or before[person].provisional:
                continue
            for other in computers:
                skill, anchor = skills[person], self.skill_of(other.members[0], skills)
                promised = expected(skill.mu, anchor.mu, skill.sigma)
                score = (side.rank < other.rank) + (side.rank == other.rank) / 2
                weight = weight_of([side.rank, other.rank], ranks)
                chance = weight * promised * (1 - promised)
                # Rounded, so that sums do not depend on the order of the games of a month.
                self.residual = round(self.residual + weight * (score - promised), DIGITS)
                self.noise = round(self.noise + chance, DIGITS)
                self.slope = round(self.slope + chance / _spread(skill.sigma), DIGITS)

    def _turn_month(self, moment: datetime) -> None:
        month = moment.date().replace(day=1)
        if self.month is not None and month > self.month:
            self._shift(self.month)
        if self.month is None or month > self.month:
            self.month = month

    def _shift(self, month: date) -> None:
        self.variance += self.wanders**2
        if self.slope > 0:
            error = self.residual / self.slope
            gain = self.variance / (self.variance + REPEATED * self.noise / self.slope**2)
            shift = Shift(month, round(error, DIGITS), round(gain * error, DIGITS))
            self.shifts.append(shift)
            self.offset = round(self.offset + shift.amount, DIGITS)
            self.variance *= 1 - gain
        self.residual = self.noise = self.slope = 0.0


def expected(mu: float, anchor: float, sigma: float) -> float:
    """Return what share of games against a computer a rating promises."""
    return 1 / (1 + exp((anchor - mu) / _spread(sigma)))


def _spread(sigma: float) -> float:
    return sqrt(2 * BETA**2 + sigma**2)
