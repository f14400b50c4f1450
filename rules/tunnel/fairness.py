"""Whether all starts are equally good: by the places of the robots that start there, and by the ways."""

from collections.abc import Iterator, Mapping
from typing import Final

from rules.grid import Pos
from rules.language import N_, Sentence, place
from rules.setup import Setup
from rules.tunnel.counting import best_way
from rules.tunnel.figures import Start, Starts
from rules.tunnel.findings import AMBER, RED, Finding, number, past_ceiling, shown
from rules.tunnel.limits import BEHIND, SHIFT_AMBER, SHIFT_RED
from rules.tunnel.standings import races

PLACES: Final = N_(
    "A robot that starts in {at} is number {place} of {robots} in the mean, and wins {wins} of {flights}"
    " flights (fair: {fair})."
)
"""What is said of a start that is better or worse than the others."""
FAR: Final = N_("The start in {at} is {phases} phases farther from the first checkpoint than the others.")
NEARER: Final = N_("Move this start nearer to the first checkpoint, or open a better way from it.")
FARTHER: Final = N_("Move this start farther away from the first checkpoint, or the others nearer.")
LIKE_OTHERS: Final = N_("Give all starts the same room, the same shelter and the same ways.")
TESTED: Final = N_("{percent} % sure, by the places in {flights} flights of Pilots.")
CONFIRMED: Final = N_("The board shows it, and the places in {flights} flights of Pilots confirm it.")
UNSURE: Final = N_("Not sure yet, by the places in {flights} flights of Pilots.")

CHANCE: Final = 0.01
"""How likely places may be among equal starts to be amber."""


def ways_behind(setup: Setup, starts: list[int]) -> dict[Pos, float]:
    """Return by how many phases each start is farther from the first checkpoint than the others in the mean.

    It is empty where robots do not race, or share one start, or where a way needs transporters.
    """
    goal = setup.starship.checkpoints.get(setup.ruleset.start.next)
    if goal is None or len(starts) < 2 or not races(setup.ruleset):
        return {}
    return _behind({setup.starship.pos(cell): best_way(setup, cell, goal) for cell in starts})


def far_starts(ways: Mapping[Pos, float | None]) -> Iterator[Finding]:
    """Yield the start that is farthest behind by its way to the first checkpoint, without any flight."""
    behind = _behind(ways)
    far = max(behind, key=lambda at: behind[at], default=None)
    if far is not None and behind[far] > BEHIND:
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
    """Yield the start that is farthest from a fair one, by places or else by its way to the first checkpoint.

    Places are red if they are less likely than ``risk`` among equal starts, and if all of the interval in
    which the shift lies is past its limit. A way is red only if places confirm that the start is behind.
    ``behind`` is from `ways_behind`.
    """
    worst = max(starts.starts, key=lambda start: abs(start.shift), default=None)
    if worst and _surely(worst) >= SHIFT_RED and starts.chance < risk:
        yield _by_places(setup, RED, worst, starts)
        return
    far = max(behind, key=lambda at: behind[at], default=None)
    if far is not None and behind[far] > BEHIND:
        yield _by_way(far, behind[far], starts, risk)
    elif worst and abs(worst.shift) >= SHIFT_AMBER and starts.chance < CHANCE:
        yield _by_places(setup, AMBER, worst, starts)


def _surely(start: Start) -> float:
    """Return how far the mean place of a start is from the middle one at least, as its interval says."""
    low, high = start.between
    return low if start.shift > 0 else -high


def _by_places(setup: Setup, severity: str, start: Start, starts: Starts) -> Finding:
    robots = sum(each.robots for each in starts.starts)
    message = Sentence(
        PLACES,
        at=place(start.at),
        place=number(start.place, "{:.1f}"),
        robots=robots,
        wins=start.wins,
        flights=starts.flights,
        fair=number(start.robots / robots, "{:.0%}"),
    )
    advice = LIKE_OTHERS if not races(setup.ruleset) else NEARER if start.shift > 0 else FARTHER
    sure = Sentence(UNSURE, flights=starts.flights)
    if severity == RED:
        percent = f"{100 * (1 - max(starts.chance, 1e-4)):.2f}"
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
    message = Sentence(FAR, at=place(at), phases=number(phases, "{:.1f}"))
    loses = any(start.at == at and start.between[0] > 0 for start in starts.starts)
    confirmed = loses and starts.chance < risk
    return Finding(
        "fairness",
        RED if confirmed else AMBER,
        message,
        Sentence(NEARER),
        Sentence(CONFIRMED, flights=starts.flights) if confirmed else shown(),
        phases,
        BEHIND,
        cells=(at,),
        excess=past_ceiling(phases, BEHIND),
    )
