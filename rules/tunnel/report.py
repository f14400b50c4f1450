"""The report of a wind tunnel run, as a ``tunnel/1`` document and as text."""

from collections.abc import Iterator
from typing import Any, Final

from rules.grid import Pos
from rules.language import ENGLISH, N_, Words, place, told
from rules.tunnel.figures import Figures, Measured, Start, counts_to_json
from rules.tunnel.findings import AMBER, GREEN, RED, Finding, percentage, rounded
from rules.tunnel.outlook import describe
from rules.tunnel.play import most_of
from rules.tunnel.run import Run, Verdict

TUNNEL_FORMAT: Final = "tunnel/1"

COLOURS: Final = {
    GREEN: N_("Green: ready."),
    AMBER: N_("Amber: possible problems."),
    RED: N_("Red: fix this first."),
}
"""The sentence for each colour of a verdict."""

WORST_CELLS: Final = 5
"""The maximum number of cells listed for a finding or a kind of event, in the text report."""


def report_of(run: Run, verdict: Verdict, _: Words = ENGLISH) -> dict[str, Any]:
    """Return the report of a run as a ``tunnel/1`` document, with sentences in the reader's language."""
    setup, figures = run.setup, verdict.figures
    return {
        "format": TUNNEL_FORMAT,
        "starship": setup.starship.name,
        "ruleset": setup.ruleset.key,
        "version": setup.ruleset.version,
        "players": run.players,
        "seed": str(run.seed),
        "flights": run.flights,
        "flown": verdict.flown,
        "final": verdict.final,
        "verdict": verdict.colour,
        "findings": [_finding(finding, _) for finding in verdict.findings],
        "risk": round(figures.risk, 4),
        "figures": {key: _measured(measured) for key, measured in sorted(figures.measured.items())},
        "board": {key: round(value, 4) for key, value in describe(setup.starship, run.start_cells).items()},
        "length": {
            "shortest_tenth": round(figures.length[0], 1),
            "longest_tenth": round(figures.length[1], 1),
            "median": {level: round(turns, 1) for level, turns in figures.turns.items()},
        },
        "drama": None if figures.drama is None else round(figures.drama, 4),
        "lead_changes": round(figures.lead_changes, 4),
        "fair": {
            "chance": round(figures.starts.chance, 6),
            "flights": figures.starts.flights,
            "starts": [_start(start) for start in figures.starts.starts],
        },
        "legs": {str(number): round(slow, 4) for number, slow in figures.legs.items()},
        "causes": dict(sorted(figures.causes.items())),
        "cells": {
            "entered": counts_to_json(figures.entered),
            "deaths": counts_to_json(figures.deaths),
            "burnt": counts_to_json(figures.burnt),
            "unused": [list(pos) for pos in figures.unused],
        },
        "failed": [
            {
                "number": flight.number,
                "level": flight.level,
                "seed": flight.seed,
                "turn": flight.turns,
                "failure": flight.failure,
            }
            for flight in verdict.failed
        ],
    }


def _finding(finding: Finding, _: Words) -> dict[str, Any]:
    return {
        "kind": finding.kind,
        "severity": finding.severity,
        "message": told(finding.message, _),
        "certainty": told(finding.certainty, _),
        "advice": told(finding.advice, _),
        "cells": [list(pos) for pos in finding.cells],
        "value": round(finding.value, 4),
        "limit": None if finding.limit is None else round(finding.limit, 4),
        "interval": None if finding.interval is None else [_finite(end) for end in finding.interval],
    }


def _measured(measured: Measured) -> dict[str, float | None]:
    """Return a figure and its interval as JSON. An infinite end of the interval is null."""
    value, low, high = measured
    return {"value": round(value, 4), "low": _finite(low), "high": _finite(high)}


def _finite(value: float) -> float | None:
    return None if value in (float("-inf"), float("inf")) else round(value, 4)


def _start(start: Start) -> dict[str, Any]:
    return {
        "at": list(start.at),
        "robots": start.robots,
        "wins": start.wins,
        "win_share": _measured(start.win_share),
        "place": round(start.place, 4),
        "shift": round(start.shift, 4),
    }


# As text


TITLE: Final = N_("{ruleset}, {players} players, {flown} of {flights} flights")
WHERE: Final = N_("Where: {cells}")
LENGTH: Final = N_(
    "Length with Pilots: {median} turns in the median flight, {shortest} to {longest} turns in 8 of 10"
    " flights."
)
LEVELS: Final = N_("Rookies take {rookie} turns, and Aces take {ace}.")
UNFINISHED: Final = N_("Unfinished: {share}.")
DRAMA: Final = N_(
    "The lead changes {changes} times. The half-time leader loses {half} of the flights,"
    " and the leader before the last turn {last}."
)
ONE_START: Final = N_("Fair: all robots share one start.")
START: Final = N_("Start cell at {at}: place {place} on average, {share} of wins ({low} to {high}).")
CAUSES: Final = N_("Deaths: {causes}.")
NO_DEATHS: Final = N_("Deaths: none.")
MOST_DEATHS: Final = N_("Most deaths: {cells}.")
MOST_ENTERED: Final = N_("Most entered: {cells}.")
NEVER: Final = N_("Never entered: {share} of the cells.")
WAITING: Final = N_("Robots are virtual for {share} of their turns.")
FIRE: Final = N_("Ship’s lasers: {damage} damage to a robot per 100 turns.")
LEGS: Final = N_("Legs compared with their best possible time: {legs}.")


def text_of(run: Run, verdict: Verdict, _: Words = ENGLISH) -> Iterator[str]:
    """Yield the lines of a text report: the verdict, the findings, and the figures."""
    yield _(
        TITLE, ruleset=run.setup.ruleset.name, players=run.players, flown=verdict.flown, flights=run.flights
    )
    yield _(COLOURS[verdict.colour])
    for index, finding in enumerate(verdict.findings, 1):
        yield f"  {index}. {told(finding.message, _)}"
        if finding.cells:
            yield f"     {_(WHERE, cells=_cells(finding.cells[:WORST_CELLS]))}"
        yield f"     {told(finding.certainty, _)}"
        yield f"     {told(finding.advice, _)}"
    if verdict.figures.flights:
        for line in _figures(verdict.figures, _):
            yield f"  {line}"


def _figures(figures: Figures, _: Words) -> Iterator[str]:
    measured, turns = figures.measured, figures.turns
    if "length" in measured:
        shortest, longest = map(rounded, figures.length)
        yield _(LENGTH, median=rounded(measured["length"].value), shortest=shortest, longest=longest)
    if "rookie" in turns and "ace" in turns:
        yield _(LEVELS, rookie=rounded(turns["rookie"]), ace=rounded(turns["ace"]))
    yield _(UNFINISHED, share=_share(measured["unfinished"].value, _))
    if "half_time" in measured and "last_turn" in measured:
        half, last = (_share(measured[key].value, _) for key in ("half_time", "last_turn"))
        yield _(DRAMA, changes=rounded(figures.lead_changes), half=half, last=last)
    if not figures.starts.starts:
        yield _(ONE_START)
    for start in figures.starts.starts:
        share, low, high = (_share(value, _) for value in start.win_share)
        at = told(place(start.at), _)
        yield _(START, at=at, place=rounded(start.place), share=share, low=low, high=high)
    causes = ", ".join(f"{cause} {times}" for cause, times in sorted(figures.causes.items()))
    yield _(CAUSES, causes=causes) if causes else _(NO_DEATHS)
    if figures.deaths:
        yield _(MOST_DEATHS, cells=_cells(most_of(figures.deaths)[:WORST_CELLS], figures.deaths))
    if figures.entered:
        yield _(MOST_ENTERED, cells=_cells(most_of(figures.entered)[:WORST_CELLS], figures.entered))
    if "unused" in measured:
        yield _(NEVER, share=_share(measured["unused"].value, _))
    yield _(WAITING, share=_share(measured["waiting"].value, _))
    yield _(FIRE, damage=rounded(measured["fire"].value))
    if figures.legs:
        legs = ", ".join(f"{number}: {told(rounded(slow), _)}" for number, slow in figures.legs.items())
        yield _(LEGS, legs=legs)


def _share(value: float, _: Words) -> str:
    return told(percentage(value), _)


def _cells(cells: tuple[Pos, ...] | list[Pos], counts: dict[Pos, int] | None = None) -> str:
    """Return cells as text, each as [x, y], with its count if ``counts`` is given."""
    return ", ".join(f"[{x}, {y}]" + (f" {counts[x, y]}" if counts else "") for x, y in cells)
