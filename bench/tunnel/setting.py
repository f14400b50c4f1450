"""Sets the limits: what the ships of one half of the fleet come to, and a margin."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.tunnel.fleet import Base, measured, setup_of
from rules.tunnel.figures import Figures, figures_of
from rules.tunnel.flight import Flight, flight_from_json, flight_to_json
from rules.tunnel.geometry import elements_share, floor, shelter
from rules.tunnel.limits import side_of
from rules.tunnel.pool import Flyer
from rules.tunnel.run import RISK, Run
from rules.tunnel.schedule import FLIGHTS

MARGIN = 2.0
"""How many times as far as the worst ship measured a limit lies: few ships are measured of each ruleset."""
MOST = 0.9
"""The largest share of all deaths that one cell may have."""
LASERS = 10.0
"""Damage by lasers of the board in 100 turns of robots, from which on a ship has lasers to speak of."""
CEILINGS = {"last_turn": 0.5, "deadly": 0.35, "airlock": 0.2, "waiting": 0.45}
CEILINGS |= {"leg": 3.0, "unused": 0.3}
"""What may always be, whatever the fleet has."""
FLOORS = {"half_time": 0.2, "shelter": 0.25, "elements": 0.08}
"""What is always enough."""


class Shown(NamedTuple):
    """What the flights of a ship came to, with the figures of its board."""

    base: Base
    figures: Figures
    values: dict[str, float]


def show(base: Base, processes: int, kept: Path | None) -> Shown:
    """Fly a ship, or read its flights where they are kept, and return what they come to."""
    setup, players = setup_of(base.ruleset, base.ship)
    run = Run(setup, players, seed=f"fleet {base.name} {base.ruleset}")
    flights = _flights(run, kept / f"{base.name}.{base.ruleset}.jsonl" if kept else None, processes)
    figures = figures_of(flights, floor(base.ship), RISK)
    values = {key: each.value for key, each in figures.measured.items()}
    values["elements"] = elements_share(base.ship)
    if setup.ruleset.virtual_start:
        values["shelter"] = shelter(base.ship, run.start_cells)[0]
    return Shown(base, figures, values)


def _flights(run: Run, file: Path | None, processes: int) -> list[Flight]:
    if file and file.exists():
        return [flight_from_json(json.loads(line)) for line in file.read_text().splitlines()]
    with Flyer(run, processes) as fly:
        flights = fly(range(FLIGHTS))
    if file:
        file.write_text("\n".join(json.dumps(flight_to_json(flight)) for flight in flights))
    return flights


def tell(processes: int, kept: Path | None) -> Iterator[str]:
    """Yield the table of what was measured, and the lines of `rules.tunnel.limits` that follow from it."""
    keys = ("length", "unfinished", "half_time", *CEILINGS, "fire", "shelter", "elements")
    yield f"| starship | ruleset | players | {' | '.join(keys)} |"
    yield "|---|---|---|" + "---|" * len(keys)
    found: list[Shown] = []
    for base in measured():
        found.append(shown := show(base, processes, kept))
        cells = [f"{shown.values[key]:.2f}" if key in shown.values else "" for key in keys]
        players = setup_of(base.ruleset, base.ship)[1]
        yield f"| {base.name} | {base.ruleset} | {players} | {' | '.join(cells)} |"
    yield ""
    hottest = max(shown.values["fire"] for shown in found)
    for key in dict.fromkeys(shown.base.ruleset for shown in found):
        yield from limits_of(key, [shown for shown in found if shown.base.ruleset == key], hottest)


def limits_of(key: str, found: Sequence[Shown], hottest: float) -> Iterator[str]:
    """Yield the limits of a ruleset as they stand in `rules.tunnel.limits`.

    Where none of its ships has lasers, that for fire comes from the one of all rulesets that has most.
    """
    yield f'    "{key}": Limits('
    yield f"        length={_lengths(found)},"
    for name, always in CEILINGS.items():
        worst = max((shown.values[name] for shown in found if name in shown.values), default=0.0)
        limit = max(always, worst * MARGIN)
        yield f"        {name}={min(MOST, limit) if name == 'deadly' else limit:.2f},"
    fire = max(shown.values["fire"] for shown in found)
    yield f"        fire={MARGIN * (fire if fire >= LASERS else hottest):.0f},"
    for name, enough in FLOORS.items():
        values = [shown.values[name] for shown in found if name in shown.values]
        yield (
            f"        {name}={min(enough, min(values) / MARGIN):.2f}," if values else f"        {name}=None,"
        )
    yield "    ),"


def _lengths(found: Sequence[Shown]) -> str:
    """Write the fewest and the most turns, for each cell along the side of a square board."""
    lengths = [shown.values["length"] / side_of(shown.base.ship) for shown in found]
    return f"({min(lengths) / MARGIN:.2f}, {max(lengths) * MARGIN:.2f})"
