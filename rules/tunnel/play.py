"""Findings about a starship from its flights: faults in play, and the fairness of its starts."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from rules.grid import Pos
from rules.language import N_, Sentence, place
from rules.setup import Ruleset, Setup
from rules.starship import Starship
from rules.tunnel import findings as fixed
from rules.tunnel.figures import Counts, Figures, Measured, Start, Starts
from rules.tunnel.findings import (
    AMBER,
    CELLS_PER_FINDING,
    GREEN,
    MAX_EXTRA_PHASES,
    RED,
    SHIFT_AMBER,
    SHIFT_RED,
    Finding,
    Form,
    Limits,
    certain,
    how_sure,
    judge_ceiling,
    judge_floor,
    past_ceiling,
    past_floor,
    percentage,
    rounded,
)
from rules.tunnel.flying import NEAR_START_STEPS, best_way, max_turns, races

PLACES: Final = N_(
    "A robot that starts at {at} finishes in place {place} of {robots} on average, and wins {wins} of"
    " {flights} flights (a fair share is {fair})."
)
"""The message about a start that is better or worse than the other starts."""
FAR: Final = N_(
    "The start cell at {at} is {phases} phases farther from the first checkpoint than the others."
)
NEARER: Final = N_("Move this start nearer to the first checkpoint, or open a better way from it.")
FARTHER: Final = N_("Move this start farther away from the first checkpoint, or move the others nearer.")
LIKE_OTHERS: Final = N_("Give all starts equal space, equal shelter and equally good ways.")
TESTED: Final = N_("{percent} % sure, based on the places in {flights} flights by Pilots.")
CONFIRMED: Final = N_("The board shows it, and the places in {flights} flights by Pilots confirm it.")
UNSURE: Final = N_("Not sure yet, based on the places in {flights} flights by Pilots.")

CHANCE: Final = 0.01
"""The limit of `Starts.chance`. If the value is below it, an unfair start causes an amber finding."""


def ways_behind(setup: Setup, starts: list[int]) -> dict[Pos, float]:
    """Return each start's extra phases to the first checkpoint, compared with the mean of the others.

    The dictionary is empty if robots do not race, if all robots share one start, or if a way needs
    transporters.
    """
    goal = setup.starship.checkpoints.get(setup.ruleset.start.next)
    if goal is None or len(starts) < 2 or not races(setup.ruleset):
        return {}
    return _behind({setup.starship.pos(cell): best_way(setup, cell, goal) for cell in starts})


def far_starts(ways: Mapping[Pos, float | None]) -> Iterator[Finding]:
    """Yield a finding if the start farthest from the first checkpoint is too far from it.

    The finding needs no flights. ``ways`` has the phases from each start to the first checkpoint.
    """
    behind = _behind(ways)
    far = max(behind, key=lambda at: behind[at], default=None)
    if far is not None and behind[far] > MAX_EXTRA_PHASES:
        yield _by_way(far, behind[far], Starts(), 0.0)


def _behind(ways: Mapping[Pos, float | None]) -> dict[Pos, float]:
    known = {at: way for at, way in ways.items() if way is not None}
    if len(known) < max(2, len(ways)):
        return {}
    total = sum(known.values())
    return {at: way - (total - way) / (len(known) - 1) for at, way in known.items()}


def fairness_findings(
    setup: Setup, starts: Starts, behind: Mapping[Pos, float], risk: float
) -> Iterator[Finding]:
    """Yield a finding about the least fair start, if it is unfair.

    A finding from places is red if `Starts.chance` is below ``risk``, and if the whole interval of the
    start's shift is past its limit. A finding from the way to the first checkpoint is red only if places
    confirm that robots from the start do worse. ``behind`` comes from `ways_behind`.
    """
    worst = max(starts.starts, key=lambda start: abs(start.shift), default=None)
    if worst and _surely(worst) >= SHIFT_RED and starts.chance < risk:
        yield _by_places(setup, RED, worst, starts)
        return
    far = max(behind, key=lambda at: behind[at], default=None)
    if far is not None and behind[far] > MAX_EXTRA_PHASES:
        yield _by_way(far, behind[far], starts, risk)
    elif worst and abs(worst.shift) >= SHIFT_AMBER and starts.chance < CHANCE:
        yield _by_places(setup, AMBER, worst, starts)


def _surely(start: Start) -> float:
    """Return the minimum size of a start's shift, according to its confidence interval.

    The result is negative if the interval includes 0, because the direction of the shift is then uncertain.
    """
    low, high = start.between
    return low if start.shift > 0 else -high


def _by_places(setup: Setup, severity: str, start: Start, starts: Starts) -> Finding:
    robots = sum(each.robots for each in starts.starts)
    message = Sentence(
        PLACES,
        at=place(start.at),
        place=rounded(start.place),
        robots=robots,
        wins=start.wins,
        flights=starts.flights,
        fair=percentage(start.robots / robots),
    )
    advice = LIKE_OTHERS if not races(setup.ruleset) else NEARER if start.shift > 0 else FARTHER
    sure = Sentence(UNSURE, flights=starts.flights)
    if severity == RED:
        percent = rounded(100 * (1 - max(starts.chance, 1e-4)), 2)
        sure = Sentence(TESTED, percent=percent, flights=starts.flights)
    return Finding(
        "fairness",
        severity,
        message,
        Sentence(advice),
        sure,
        start.shift,
        SHIFT_RED if start.shift > 0 else -SHIFT_RED,
        None if start.between[0] == float("-inf") else start.between,
        cells=(start.at,),
        excess=abs(start.shift) / SHIFT_RED - 1,
    )


def _by_way(at: Pos, phases: float, starts: Starts, risk: float) -> Finding:
    message = Sentence(FAR, at=place(at), phases=rounded(phases))
    loses = any(start.at == at and start.between[0] > 0 for start in starts.starts)
    confirmed = loses and starts.chance < risk
    return Finding(
        "fairness",
        RED if confirmed else AMBER,
        message,
        Sentence(NEARER),
        Sentence(CONFIRMED, flights=starts.flights) if confirmed else certain(),
        phases,
        MAX_EXTRA_PHASES,
        cells=(at,),
        excess=past_ceiling(phases, MAX_EXTRA_PHASES),
    )


HUNDREDTHS: Final = partial(rounded, places=2)

UNFINISHED = N_("{value} of the flights were not over after {turns} turns.")
UNFINISHED_ADVICE = N_("Open a way to every checkpoint, and remove elements that keep destroying robots.")
LONG = N_("The median game takes {value} turns. The maximum for a ship of this size is {limit}.")
LONG_ADVICE = N_("Move checkpoints nearer to each other, or clear the ways between them.")
SHORT = N_("The median game takes {value} turns. The minimum for a ship of this size is {limit}.")
SHORT_ADVICE = N_("Move a checkpoint farther away from the others, or add one.")
TOGETHER = N_("Bring robots together: crop the ship, or open ways between the starts.")
APART = N_("Keep robots apart for longer: give them more room, or put rails between the starts.")
"""The advice against short games in rulesets without a race to checkpoints."""
DECIDED = N_("The half-time leader loses only {value} of the flights.")
DECIDED_ADVICE = N_("Add a second way to one of the later checkpoints.")
LOTTERY = N_("The leader before the last turn loses {value} of the flights.")
LOTTERY_ADVICE = N_("Make the way to the last checkpoint safer. Too much of it depends on luck.")
DEADLY = N_("{value} of all deaths happen in one cell.")
DEADLY_ADVICE = N_("Put a rail on an edge of this cell, or guide robots around it.")
AIRLOCK = N_("On average, a Rookie is destroyed {value} times within two steps of its start.")
AIRLOCK_ADVICE = N_("Fill the shafts around the start, or put rails in front of them.")
UNUSED = N_("No robot entered {value} of the cells.")
UNUSED_ADVICE = N_("Crop this part of the ship, or open a way through it.")
WAITING = N_("Robots are virtual for {value} of their turns.")
WAITING_ADVICE = N_("Add an airlock, or open another way out of the airlock.")
LEG = N_("The leg to checkpoint {checkpoint} is {value} times as slow as the others.")
LEG_ADVICE = N_("Clear the approach to checkpoint {checkpoint}.")
FIRE = N_("The ship’s lasers do {value} damage to a robot per 100 turns. The maximum is {limit}.")
FIRE_ADVICE = N_("Remove a laser, or put a rail in its line of fire.")


class Play:
    """Judges the flights of a starship: compares their figures with the ruleset's limits."""

    def __init__(
        self, ruleset: Ruleset, ship: Starship, starts: Sequence[Pos], limits: Limits, figures: Figures
    ) -> None:
        self.ruleset, self.ship, self.limits, self.figures = ruleset, ship, limits, figures
        self.starts = starts

    def findings(self) -> Iterator[Finding]:
        """Yield a finding for each figure past its limit, even if the finding is not certain."""
        limits = self.limits
        turns = max_turns(self.ruleset)
        yield from self._above(
            "unfinished", fixed.UNFINISHED, UNFINISHED, UNFINISHED_ADVICE, percentage, turns=turns
        )
        yield from self._length()
        yield from self._below("half_time", limits.half_time, DECIDED, DECIDED_ADVICE, percentage)
        yield from self._above("last_turn", limits.last_turn, LOTTERY, LOTTERY_ADVICE, percentage)
        yield from self._deaths()
        yield from self._above("waiting", limits.waiting, WAITING, WAITING_ADVICE, percentage)
        yield from self._leg()
        burnt = most_of(self.figures.burnt)
        yield from self._above("fire", limits.fire, FIRE, FIRE_ADVICE, rounded, burnt)
        if self.figures.flights >= fixed.UNUSED_FLIGHTS:
            unused = self.figures.unused
            yield from self._above("unused", limits.unused, UNUSED, UNUSED_ADVICE, percentage, unused)

    def _length(self) -> Iterator[Finding]:
        least, most = self.limits.length_of(self.ship)
        longer, shorter = (SHORT_ADVICE, LONG_ADVICE) if races(self.ruleset) else (APART, TOGETHER)
        yield from self._above("length", most, LONG, shorter, rounded)
        yield from self._below("length", least, SHORT, longer, rounded)

    def _deaths(self) -> Iterator[Finding]:
        deaths = self.figures.deaths
        if sum(deaths.values()) >= fixed.FEWEST_DEATHS:
            worst = most_of(deaths)[:1]
            yield from self._above("deadly", self.limits.deadly, DEADLY, DEADLY_ADVICE, percentage, worst)
        near = [
            pos
            for pos in most_of(deaths)
            if any(steps(pos, start) <= NEAR_START_STEPS for start in self.starts)
        ]
        limit = self.limits.airlock
        yield from self._above("airlock", limit, AIRLOCK, AIRLOCK_ADVICE, HUNDREDTHS, near)

    def _leg(self) -> Iterator[Finding]:
        if legs := self.figures.legs:
            worst = max(legs, key=lambda number: legs[number])
            at = self.ship.pos(self.ship.checkpoints[worst])
            yield from self._above("leg", self.limits.leg, LEG, LEG_ADVICE, rounded, [at], checkpoint=worst)

    def _above(
        self,
        kind: str,
        limit: float,
        message: str,
        advice: str,
        form: Form,
        cells: Sequence[Pos] = (),
        **values: int,
    ) -> Iterator[Finding]:
        """Yield a finding if the figure of this kind is above its limit."""
        measured = self.figures.measured.get(kind)
        if measured and (severity := judge_ceiling(measured, limit)) != GREEN:
            excess = past_ceiling(measured.value, limit)
            yield self._finding(kind, severity, measured, limit, excess, message, advice, form, cells, values)

    def _below(self, kind: str, limit: float, message: str, advice: str, form: Form) -> Iterator[Finding]:
        """Yield a finding if the figure of this kind is below its limit."""
        measured = self.figures.measured.get(kind)
        if measured and (severity := judge_floor(measured, limit)) != GREEN:
            excess = past_floor(measured.value, limit)
            yield self._finding(kind, severity, measured, limit, excess, message, advice, form, (), {})

    def _finding(
        self,
        kind: str,
        severity: str,
        measured: Measured,
        limit: float,
        excess: float,
        message: str,
        advice: str,
        form: Form,
        cells: Sequence[Pos],
        values: Mapping[str, int],
    ) -> Finding:
        said = {"value": form(measured.value), "limit": form(limit), **values}
        return Finding(
            kind,
            severity,
            Sentence(message, **said),
            Sentence(advice, **values),
            how_sure(measured, self.figures.flights, self.figures.risk, severity, form),
            measured.value,
            limit,
            (measured.low, measured.high),
            tuple(cells[:CELLS_PER_FINDING]),
            excess,
        )


def most_of(counts: Counts) -> list[Pos]:
    """Return the cells in descending order of their counts. Cells with equal counts go row by row."""
    return sorted(counts, key=lambda pos: (-counts[pos], pos[::-1]))


def steps(one: Pos, other: Pos) -> int:
    """Return the number of steps between two cells if there are no obstacles."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
