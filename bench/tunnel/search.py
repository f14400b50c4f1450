"""Test whether the wind tunnel finds ruins, and whether it has false findings on sound ships."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import rules
from bench.processes import each_of
from bench.tunnel import boards
from bench.tunnel.boards import Board
from bench.tunnel.fleet import later, tried
from bench.tunnel.ruins import RUINS, Sound, findings_of, ruin
from bench.tunnel.setting import flights_of
from rules.chance import Stream
from rules.design.genome import Brief
from rules.design.proposal import NoDesign, propose
from rules.design.themes import THEMES
from rules.tunnel.findings import RED
from rules.tunnel.run import judge

RUINED = 40
"""The number of ships to ruin in each way."""


class Found(NamedTuple):
    """The findings about a ship. ``kind`` is the kind of its ruin, or None if the ship is sound."""

    name: str
    kind: str | None
    findings: list[tuple[str, str]]


def sound_ships(seed: int) -> list[Sound]:
    """Return the ships to ruin: ships of the fleet that set no limits, and generated ships.

    There are at most as many generated ships as ships of the fleet.
    """
    ours = [Sound(base.name, base.ruleset) for base in (*tried(), *later())]
    return [*ours, *(each for number in range(len(ours)) if (each := _generated(seed, number)))]


def _generated(seed: int, number: int) -> Sound | None:
    keys, themes = [*rules.RULESETS], [*THEMES]
    ruleset = rules.ruleset(keys[number % len(keys)])
    brief = Brief(ruleset, 4, 12 + number % 3, 12, themes[number % len(themes)])
    try:
        ship = propose(brief, Stream(f"ruins {seed} {number}")).starship()
    except NoDesign:
        return None
    return Sound(f"generated {seed}-{number}", ruleset.key, ship)


def look_for_ruins(seed: int, processes: int) -> Iterator[str]:
    """Yield a table of the ruins found in each way, and then the findings about sound ships."""
    sound = sound_ships(seed)
    yield from ("| ruin | finding | found |", "|---|---|---|")
    for kind, each in RUINS.items():
        suited = [ship for ship in sound if each.suits(ship)]
        asked = [(kind, suited[n % len(suited)], f"{seed} {n}") for n in range(RUINED)]
        told = [found for found in each_of(_search, asked, processes) if found]
        right = sum(each.finding in dict(found.findings) for found in told)
        yield f"| {kind} | `{each.finding}` | {right} of {len(told)} |"
    false = Counter[str]()
    for found in each_of(_judge, sound, processes):
        false.update({f"{kind} ({severity})" for kind, severity in found.findings})
    yield from ("", f"Findings on {len(sound)} sound ships: {_counts(false)}.")


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in sorted(counts.items())) or "none"


def _search(asked: tuple[str, Sound, str]) -> Found | None:
    kind, sound, seed = asked
    ship = ruin(kind, sound, seed)
    return Found(sound.name, kind, findings_of(sound.ruleset, ship)) if ship else None


def _judge(sound: Sound) -> Found:
    return Found(sound.name, None, findings_of(sound.ruleset, sound.ship))


def judge_boards(folder: Path, key: str, processes: int) -> Iterator[str]:
    """Yield the number of boards that are red or amber without any flight, by finding."""
    found = [*each_of(_judge_board, boards.boards_in(folder, key), processes)]
    yield from _told(found, key, "without a flight")


def fly_boards(folder: Path, key: str, processes: int, kept: Path | None) -> Iterator[str]:
    """Yield the number of boards that are red or amber after their flights, by finding."""
    found = [*each_of(partial(_fly, kept), boards.tried(folder, key), processes)]
    yield from _told(found, key, f"after {boards.FLIGHTS} flights each")
    for each in found:
        if red := [kind for kind, severity in each.findings if severity == RED]:
            yield f"{each.name}: {', '.join(red)}"


def _told(found: Sequence[Found], key: str, when: str) -> Iterator[str]:
    red = [each for each in found if RED in dict(each.findings).values()]
    yield f"{len(found)} boards by {rules.ruleset(key).name}, {len(red)} of them red {when}"
    kinds: dict[str, Counter[str]] = {}
    for each in found:
        for kind, severity in set(each.findings):
            kinds.setdefault(severity, Counter())[kind] += 1
    yield from (f"{severity}: {_counts(counts)}" for severity, counts in sorted(kinds.items()))


def _judge_board(board: Board) -> Found:
    return Found(board.name, None, findings_of(board.ruleset, board.ship))


def _fly(kept: Path | None, board: Board) -> Found:
    findings = judge(board.run, flights_of(board, kept)).findings
    return Found(board.name, None, [(each.kind, each.severity) for each in findings])
