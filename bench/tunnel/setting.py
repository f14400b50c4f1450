"""Set the wind tunnel's limits from the figures of the fleet and of boards by other authors.

`measured.csv` has a line with figures for each ship and ruleset. The limits are calculated from these.
"""

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields as fields_of
from functools import partial
from math import inf
from pathlib import Path
from typing import Final, TextIO

import rules
from bench.processes import each_of
from bench.tunnel import boards, fleet
from bench.tunnel.boards import Board
from bench.tunnel.fleet import Base
from rules.tunnel.figures import Flight, figures_of, flight_from_json, flight_to_json
from rules.tunnel.findings import FEWEST_DEATHS, Limits, side_of
from rules.tunnel.flying import fly
from rules.tunnel.geometry import elements_share, floor, shelter
from rules.tunnel.run import RISK

FILE: Final = Path(__file__).with_name("measured.csv")
"""The file with the stored measurements."""
MARGIN: Final = 2.0
"""The factor between the figure of the fleet's worst ship and the limit.

It is large because there are few ships.
"""
MARGIN_OF_BOARDS: Final = 1.25
"""The factor for boards by other authors. It is smaller than `MARGIN`, because there are many boards."""
MAX_SHARE: Final = 0.9
"""The highest limit for a figure that is a share."""
SHARES: Final = frozenset({"last_turn", "deadly", "waiting", "unused"})
CEILINGS: Final = {
    "last_turn": 0.5,
    "deadly": 0.35,
    "airlock": 0.2,
    "waiting": 0.45,
    "leg": 3.0,
    "unused": 0.3,
}
"""The strictest limit for each figure with a maximum. Lower calculated limits are raised to this value."""
FLOORS: Final = {"half_time": 0.2, "shelter": 0.25, "elements": 0.08}
"""The strictest limit for each figure with a minimum. Higher calculated limits are lowered to this value."""
FIGURES: Final = ("length", "unfinished", *CEILINGS, "fire", *FLOORS)
LASERS: Final = 10.0
"""The minimum laser damage per 100 turns for a ship to count as one with lasers."""
MAX_UNFINISHED: Final = 0.15
"""A ship sets no limits if at least this share of its flights is unfinished."""
FLEET_ONLY: Final = frozenset({"airlock", "unused", "elements"})
"""Figures whose limits do not depend on boards by other authors.

Those boards have random starts, too few flights to enter each cell, and fewer elements than originally.
"""
UNSHELTERED: Final = 0.05
"""The share of boards by other authors that may have less shelter than the limit."""


@dataclass(frozen=True)
class Record:
    """The figures of a ship in a ruleset. ``ours`` is True for ships of the fleet.

    The figure ``length`` is the number of turns divided by the side, in cells, of a square board with the
    same area.
    """

    ship: str
    ruleset: str
    ours: bool
    players: int
    values: dict[str, float]


def records() -> list[Record]:
    """Read the stored measurements."""
    with FILE.open(newline="") as file:
        return [_read(line) for line in csv.DictReader(file)]


def measure(processes: int, kept: Path | None, folder: Path | None) -> Iterator[str]:
    """Fly the ships that set limits, store their figures, and yield the name of each ship.

    Flights that are stored in the folder ``kept`` are not flown again. If no ``folder`` of boards is given,
    the stored figures of boards stay as they are.
    """
    ships: list[Base | Board] = [*fleet.measured()]
    if folder:
        ships += (board for key in rules.RULESETS for board in boards.measured(folder, key))
    stay = [] if folder else [record for record in records() if not record.ours]
    found: list[Record] = []
    for record in each_of(partial(_measure, kept), ships, processes):
        found.append(record)
        yield f"{record.ship}, {record.ruleset}"
    with FILE.open("w", newline="") as file:
        write(file, [*found, *stay])


def write(file: TextIO, found: Sequence[Record]) -> None:
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(("ship", "ruleset", "author", "players", *FIGURES))
    for each in found:
        author = "fleet" if each.ours else "other"
        figures = [f"{each.values[key]:g}" if key in each.values else "" for key in FIGURES]
        rows.writerow((each.ship, each.ruleset, author, each.players, *figures))


def _read(line: dict[str, str]) -> Record:
    values = {key: float(line[key]) for key in FIGURES if line[key]}
    return Record(line["ship"], line["ruleset"], line["author"] == "fleet", int(line["players"]), values)


def _measure(kept: Path | None, subject: Base | Board) -> Record:
    run, ship = subject.run, subject.ship
    flights = flights_of(subject, kept)
    figures = figures_of(flights, floor(ship), RISK)
    values = {key: each.value for key, each in figures.measured.items()}
    values["length"] /= side_of(ship)
    values["elements"] = elements_share(ship)
    if sum(figures.deaths.values()) < FEWEST_DEATHS:
        values.pop("deadly", None)
    if run.setup.ruleset.virtual_start:
        values["shelter"] = shelter(ship, run.start_cells)[0]
    rounded = {key: round(value, 3) for key, value in values.items()}
    return Record(subject.name, subject.ruleset, isinstance(subject, Base), run.players, rounded)


def flights_of(subject: Base | Board, kept: Path | None) -> list[Flight]:
    """Return the flights of a ship.

    If the folder ``kept`` is given, reads the flights stored there, or else flies them and stores them there.
    """
    file = kept / f"{subject.name}.{subject.ruleset}.jsonl" if kept else None
    if file and file.exists():
        return [flight_from_json(json.loads(line)) for line in file.read_text().splitlines()]
    run = subject.run
    flights = [fly(run.setup, run.players, run.seed, number) for number in subject.numbers]
    if file:
        file.write_text("\n".join(json.dumps(flight_to_json(flight)) for flight in flights))
    return flights


def tell() -> Iterator[str]:
    """Yield a table of the fleet's figures, and then the limits as code for `rules.tunnel.findings`."""
    found = records()
    yield f"| starship | ruleset | players | {' | '.join(f'`{key}`' for key in FIGURES)} |"
    yield "|---|---|---|" + "---|" * len(FIGURES)
    for record in found:
        if record.ours:
            cells = [f"{record.values[key]:.2f}" if key in record.values else "" for key in FIGURES]
            yield f"| {record.ship} | {record.ruleset} | {record.players} | {' | '.join(cells)} |"
    yield ""
    for key, limits in limits_from(found).items():
        yield f'    "{key}": Limits('
        for field in fields_of(limits):
            yield f"        {field.name}={_written(getattr(limits, field.name))},"
        yield "    ),"


def _written(value: float | tuple[float, float] | None) -> str:
    if isinstance(value, tuple):
        return f"({value[0]:.2f}, {value[1]:.2f})"
    return str(value) if value is None or isinstance(value, int) else f"{value:.2f}"


def limits_from(found: Sequence[Record]) -> dict[str, Limits]:
    """Return the limits of each ruleset.

    Ships with too many unfinished flights set no limits. If no ship of the fleet in a ruleset has lasers, the
    limit for laser damage comes from the fleet's ship with the most laser damage in any ruleset.
    """
    ended = [each for each in found if each.values["unfinished"] < MAX_UNFINISHED]
    hottest = max((each.values["fire"] for each in ended if each.ours), default=0.0)
    keys = dict.fromkeys(record.ruleset for record in ended)
    return {key: _limits([each for each in ended if each.ruleset == key], hottest) for key in keys}


def _limits(found: Sequence[Record], hottest: float) -> Limits:
    limits: dict[str, float | None] = {}
    for key, lowest in CEILINGS.items():
        limit = max(lowest, _highest(found, key))
        limits[key] = round(min(MAX_SHARE, limit) if key in SHARES else limit, 2)
    for key, highest in FLOORS.items():
        known = any(key in each.values for each in found)
        limits[key] = round(min(highest, _lowest(found, key)), 2) if known else None
    fire = max((each.values["fire"] for each in found if each.ours), default=0.0)
    others = max((each.values["fire"] for each in found if not each.ours), default=0.0)
    fire = MARGIN * (fire if fire >= LASERS else hottest)
    limits["fire"] = round(max(fire, MARGIN_OF_BOARDS * others))
    length = round(_lowest(found, "length"), 2), round(_highest(found, "length"), 2)
    return Limits(length=length, **limits)  # type: ignore[arg-type]


def _highest(found: Sequence[Record], key: str) -> float:
    ours, others = _values(found, key)
    values = [MARGIN * value for value in ours] + [MARGIN_OF_BOARDS * value for value in others]
    return max(values, default=0.0)


def _lowest(found: Sequence[Record], key: str) -> float:
    ours, others = _values(found, key)
    left_out = int(UNSHELTERED * len(others)) if key == "shelter" else 0
    values = [value / MARGIN for value in ours]
    values += [value / MARGIN_OF_BOARDS for value in sorted(others)[left_out:]]
    return min(values, default=inf)


def _values(found: Sequence[Record], key: str) -> tuple[list[float], list[float]]:
    """Return a figure's values for ships of the fleet, and for boards by other authors.

    The second list is empty if these boards do not set the figure's limit.
    """
    ours = [each.values[key] for each in found if each.ours and key in each.values]
    others = [each.values[key] for each in found if not each.ours and key in each.values]
    return ours, [] if key in FLEET_ONLY else others
