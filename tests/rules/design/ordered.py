"""Helpers for tests of the starship generator: briefs and proposed ships."""

import rules
from rules.chance import Stream
from rules.design.genome import Brief, Genome
from rules.design.proposal import propose


def brief_of(
    theme: str | None = None,
    key: str = "robo-runner",
    size: tuple[int, int] = (12, 12),
    players: int = 4,
    symmetry: str | None = None,
) -> Brief:
    return Brief(rules.ruleset(key), players, *size, theme, symmetry)


def proposed(brief: Brief, seed: object = 1) -> Genome:
    return propose(brief, Stream(f"test {seed}"))
