"""Calculate ratings: the scale, the effect of a game, and pools. Does not use the database."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import combinations
from math import exp, sqrt
from typing import Any, Final

from openskill.models import BradleyTerryFull


def share_beaten(rank: int, ranks: Iterable[int]) -> Fraction:
    """Return the share of opponents beaten at a table. A tie counts half.

    >>> [str(share_beaten(rank, [1, 2, 2, 4])) for rank in (1, 2, 4)]
    ['1', '1/2', '0']
    """
    every = list(ranks)
    if len(every) < 2:
        return Fraction(0)
    beaten = sum(other > rank for other in every)
    tied = sum(other == rank for other in every) - 1
    return Fraction(2 * beaten + tied, 2 * (len(every) - 1))


# --- The scale ----------------------------------------------------------------------------------------------


MU: Final = 25.0
"""The mean of a newcomer's skill."""

SIGMA: Final = MU / 3
"""The standard deviation of a newcomer's skill: the uncertainty of their rating."""

BETA: Final = MU / 6
"""The influence of luck: the standard deviation of a player's performance in one game from their skill."""

LOSERS_WEIGHT: Final = 0.25
"""The relative weight of a comparison between two players behind the winner.

Such a comparison says less than a comparison with the winner, because the game ends before the others finish.
`bench.finishes` measures the difference.
"""

LEAST_SIGMA: Final = 2.5
"""The smallest deviation of a rated skill. A smaller one would make ratings seem too certain."""

YEARLY_VARIANCE: Final = 9.0
"""The growth of a skill's variance in a year without games."""

FIXED_SIGMA: Final = 1e-6
"""The deviation of a fixed skill. It is not 0, because the model divides by it."""

NEWCOMER_POINTS: Final = 1500
"""A newcomer's displayed rating."""

POINTS_PER_MEAN: Final = 40
"""The number of displayed points for 1.0 of the mean."""

DIGITS: Final = 6
"""The number of stored decimals. Rounding makes the values the same on every machine."""


@dataclass(frozen=True, slots=True)
class Skill:
    """A player's skill: mean and deviation. Games do not change the ``fixed`` skill of a computer."""

    mu: float = MU
    sigma: float = SIGMA
    fixed: bool = False

    def after(self, years: float) -> "Skill":
        """Return the skill after years without games: the mean is the same, and the deviation is larger."""
        if self.fixed or years <= 0:
            return self
        return Skill(self.mu, round(min(SIGMA, sqrt(self.sigma**2 + YEARLY_VARIANCE * years)), DIGITS))


def points(mu: float) -> int:
    """Return the displayed rating for a mean.

    >>> points(25.0), points(32.5)
    (1500, 1800)
    """
    return round(NEWCOMER_POINTS + POINTS_PER_MEAN * (mu - MU))


def margin_of_error(sigma: float) -> int:
    """Return the uncertainty of a displayed rating, in points, from the skill's deviation.

    In 19 of 20 cases, the true rating is at most this far from the displayed rating.

    >>> margin_of_error(2.5)
    200
    """
    return round(2 * POINTS_PER_MEAN * sigma)


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a game. ``rank`` 1 is best, and equal ranks are ties."""

    rank: int
    skills: tuple[Skill, ...]


def weight_of(pair: Sequence[float], ranks: Sequence[int]) -> float:
    """Return the weight of comparing the two ranks ``pair`` in a game with these ``ranks``.

    A comparison between two players behind the winner has `LOSERS_WEIGHT` times the weight of a comparison
    with the winner. One performance decides all comparisons of a player, so they are not independent. Among n
    equal players, a player's score has the variance (n − 1) / 4 + k² (n − 1) (n − 2) / 12, with k =
    `LOSERS_WEIGHT`. If the comparisons were independent, it would be (n − 1) (2 + k (n − 2)) / 4n. The weight
    makes these variances equal. Without it, ratings from large tables would claim to be more accurate than
    they are.

    >>> [round(weight_of([1, 2], range(1, seats + 1)), 2) for seats in (2, 4, 8)]
    [1.0, 0.6, 0.39]
    >>> round(weight_of([2, 3], [1, 2, 3, 4]), 2)
    0.15
    """
    behind = len(ranks) - 2
    weight = (2 + LOSERS_WEIGHT * behind) / (len(ranks) * (1 + LOSERS_WEIGHT**2 * behind / 3))
    return weight if min(ranks) in pair else LOSERS_WEIGHT * weight


def rate(sides: Sequence[Side]) -> list[list[Skill]]:
    """Return the skills of all sides after a game, in the order of ``sides``."""
    ranks = [side.rank for side in sides]
    # The order of the arguments must not change the result, not even its last digit.
    places = sorted(range(len(sides)), key=lambda place: (sides[place].rank, _key(sides[place])))
    teams = [[_MODEL.rating(each.mu, _deviation(each)) for each in side.skills] for side in sides]
    moves = [[_Move() for _ in side.skills] for side in sides]
    for pair in combinations(places, 2):
        compared = [float(ranks[place]) for place in pair]
        weight = weight_of(compared, ranks)
        rated = _MODEL.rate([teams[place] for place in pair], ranks=compared)
        for place, found in zip(pair, rated, strict=True):
            for move, before, after in zip(moves[place], teams[place], found, strict=True):
                move.mean += weight * (after.mu - before.mu)
                move.shrinks += weight * (1 - (after.sigma / before.sigma) ** 2)
    return [
        [move.of(skill) for move, skill in zip(moved, side.skills, strict=True)]
        for moved, side in zip(moves, sides, strict=True)
    ]


@dataclass(slots=True)
class _Move:
    """The effect of a game on a skill: the change of its mean, and the relative decrease of its variance."""

    mean: float = 0.0
    shrinks: float = 0.0

    def of(self, skill: Skill) -> Skill:
        if skill.fixed:
            return skill
        sigma = skill.sigma * sqrt(max(0.0, 1 - self.shrinks))
        return Skill(round(skill.mu + self.mean, DIGITS), round(max(LEAST_SIGMA, sigma), DIGITS))


def _gamma(*_: Any, **__: Any) -> float:
    """Return the factor that damps changes of deviations in the rating model. It is 1: no damping."""
    return 1.0


_MODEL: Final = BradleyTerryFull(mu=MU, sigma=SIGMA, beta=BETA, tau=0.0, gamma=_gamma)


def _deviation(skill: Skill) -> float:
    return FIXED_SIGMA if skill.fixed else skill.sigma


def _key(side: Side) -> tuple[tuple[float, float], ...]:
    return tuple((skill.mu, _deviation(skill)) for skill in side.skills)


# --- Pools --------------------------------------------------------------------------------------------------


ANCHORS: Final[Mapping[str, float]] = {"pilot": 25.0, "ace": 32.5}
"""The fixed mean of the skill of each computer, by level. An Ace beats a Pilot in 76 % of games."""

PROVISIONAL_SIGMA: Final = 5.5
"""The largest deviation of a rating that is not provisional."""

SETTLED_GAMES: Final = 10
"""The minimum number of games for a rating that is not provisional.

A rating with fewer games is provisional even if its deviation is small.
"""

LISTED_SIGMA: Final = 4.5
"""The largest deviation of a rating in the list of the best players."""

LISTED_GAMES: Final = 20
"""The minimum number of games for a player in the list of the best players."""

LISTED_OPPONENTS: Final = 8
"""The minimum number of different opponents for a player in the list of the best players.

The site counts a player's opponents only up to this number.
"""

YEAR: Final = timedelta(days=365)

OFFSET_DRIFT: Final = 0.1
"""How far a pool's true offset is expected to drift in a month, on the scale of the mean."""

REPEAT_FACTOR: Final = 2.0
"""The factor to multiply `Pool.noise` by, because the same people play many of the games."""


@dataclass(frozen=True, slots=True)
class Member:
    """A participant of a game: a person by their key, or a computer by its level."""

    person: int | None = None
    computer: str = ""


@dataclass(frozen=True, slots=True)
class Finish:
    """A side in the result of a game, with its rank. Rank 1 is best."""

    rank: int
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a game: its sides with their ranks.

    People who ``left`` a squad rank last. The rank of their squad does not change.
    """

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
        """Return the people who played on other sides than this person."""
        return set(self.people) - {member.person for member in self.side_of(person).members if member.person}

    def rank_of(self, person: int) -> int:
        """Return the rank of a person's side, or the last rank if they left their squad."""
        return len(self.finishes) + 1 if person in self.left else self.side_of(person).rank

    def share_beaten(self, person: int) -> Fraction:
        """Return the share of the other human sides that a person has beaten.

        A tie counts half. A squad is one side: all its players get the same share, unless they left it.
        """
        if person not in self.people:  # a revision of the result no longer counts the game
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
    """A person's rating in a pool, without the pool's offset.

    ``met`` is the number of different opponents, counted up to `LISTED_OPPONENTS`.
    """

    mu: float
    sigma: float = SIGMA
    games: int = 0
    met: int = 0
    played_at: datetime | None = None

    @property
    def provisional(self) -> bool:
        return self.sigma > PROVISIONAL_SIGMA or self.games < SETTLED_GAMES

    def skill_at(self, moment: datetime) -> Skill:
        """Return the skill at a moment. Its deviation grows with the time since the last game."""
        years = (moment - self.played_at) / YEAR if self.played_at else 0.0
        return Skill(self.mu, self.sigma).after(years)


@dataclass(frozen=True, slots=True)
class Shift:
    """The shift of a pool's rating scale after a month, as a partial correction of a measured error."""

    month: date
    error: float
    amount: float


@dataclass(slots=True)
class Pool:
    """The state of a rating pool: its offset, and people's scores against computers in the month so far.

    ``residual`` is the sum of the differences between scores and expected scores. ``noise`` is the variance
    that this sum has by chance. ``slope`` is how fast the expected scores rise with the mean. ``variance`` is
    the uncertainty of the offset, and ``wanders`` is the offset's expected drift in a month.
    """

    offset: float = 0.0
    variance: float = 0.0
    month: date | None = None
    residual: float = 0.0
    noise: float = 0.0
    slope: float = 0.0
    wanders: float = OFFSET_DRIFT
    shifts: list[Shift] = field(default_factory=list)

    def newcomer(self) -> Standing:
        return Standing(round(MU - self.offset, DIGITS))

    def apply(self, outcome: Outcome, known: Mapping[int, Standing]) -> dict[int, tuple[Skill, Standing]]:
        """Apply a game to the pool. Return each person's skill before the game, and their standing after it.

        ``known`` has the people's standings before the game. Does not update `Standing.met`.
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
            # A player who left is rated as for a defeat, whatever the squad's result. Other members are not.
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
        """Add people's scores against computers to the month's sums.

        Skips people with a provisional rating, and games with squads.
        """
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
                # Rounded, so that sums do not depend on the order of games in a month.
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
            gain = self.variance / (self.variance + REPEAT_FACTOR * self.noise / self.slope**2)
            shift = Shift(month, round(error, DIGITS), round(gain * error, DIGITS))
            self.shifts.append(shift)
            self.offset = round(self.offset + shift.amount, DIGITS)
            self.variance *= 1 - gain
        self.residual = self.noise = self.slope = 0.0


def expected(mu: float, anchor: float, sigma: float) -> float:
    """Return a player's expected share of wins against a computer with the mean ``anchor``."""
    return 1 / (1 + exp((anchor - mu) / _spread(sigma)))


def _spread(sigma: float) -> float:
    return sqrt(2 * BETA**2 + sigma**2)
