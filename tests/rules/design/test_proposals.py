"""Proposed ships are complete, suit their ruleset, and look like their theme."""

from typing import Any

import pytest

import rules
from rules.chance import Stream
from rules.design import proposal
from rules.design.canvas import images_of
from rules.design.goals import distances, legs_of, two_ways
from rules.design.proposal import MAX_KINDS, NoDesign, faults, kinds_of, mutate, propose
from rules.design.themes import THEMES
from rules.tunnel.geometry import corners, lines_of_fire
from rules.tunnel.run import Run
from tests.rules.design.ordered import brief_of, proposed

SIZES = [(12, 12), (13, 11), (16, 14)]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("key", rules.RULESETS)
def test_every_ship_of_every_theme_and_ruleset_is_valid_and_suits(theme: str, key: str) -> None:
    """Together, the cases combine each theme and each ruleset with each size."""
    seed = ([*THEMES].index(theme) + [*rules.RULESETS].index(key)) % len(SIZES)
    brief = brief_of(theme, key, SIZES[seed])
    ship = proposed(brief, seed).starship()
    report = rules.check_starship(rules.write_starship(ship))
    assert report.problems == ()
    assert rules.reasons_against(brief.ruleset, ship) == []
    assert (ship.width, ship.height) == SIZES[seed]
    assert len(kinds_of(ship)) <= MAX_KINDS
    assert not corners(ship)
    assert not lines_of_fire(ship)


@pytest.mark.parametrize("theme", THEMES)
def test_two_safe_ways_lead_to_each_checkpoint(theme: str) -> None:
    brief = brief_of(theme, size=(13, 13))
    ship = proposed(brief, "ways").starship()
    setup = rules.make_setup(brief.ruleset, {}, ship, brief.players)
    legs = legs_of(ship, brief.ruleset, Run(setup, brief.players).start_cells)
    assert len(legs) >= len(ship.checkpoints)
    assert all(two_ways(ship, one, other) for one, other in legs)


@pytest.mark.parametrize("theme", THEMES)
def test_every_cell_can_be_reached(theme: str) -> None:
    ship = proposed(brief_of(theme), "reach").starship()
    reached = distances(ship, ship.airlocks[0])
    standing = {cell for cell, each in ship.numbered() if each.floor.token not in ("~", "o")}
    assert standing == reached.keys()


@pytest.mark.parametrize("symmetry", ["two", "four"])
@pytest.mark.parametrize("theme", THEMES)
def test_a_symmetric_ship_has_a_symmetric_hull(theme: str, symmetry: str) -> None:
    genome = proposed(brief_of(theme, symmetry=symmetry))
    assert len(genome.symmetry) == {"two": 2, "four": 4}[symmetry]
    for pos in genome.hull:
        assert genome.hull.issuperset(images_of(pos, genome.symmetry, genome.width, genome.height))


@pytest.mark.parametrize("size", [(8, 8), (24, 24), (20, 9)])
def test_small_and_large_ships_can_be_proposed(size: tuple[int, int]) -> None:
    brief = brief_of("ring", size=size, players=3)
    assert not list(faults(proposed(brief), brief))


def test_the_same_seed_proposes_the_same_ship() -> None:
    brief = brief_of()
    one, same, other = (proposed(brief, seed) for seed in (1, 1, 2))
    assert one == same != other


def test_an_impossible_brief_is_refused(monkeypatch: Any) -> None:
    monkeypatch.setattr(proposal, "faults", lambda *_: ["always"])
    monkeypatch.setattr(proposal, "PROPOSAL_ATTEMPTS", 3)
    with pytest.raises(NoDesign, match="another size"):
        propose(brief_of("islands"), Stream("few"))


@pytest.mark.parametrize("theme", THEMES)
def test_a_changed_ship_is_another_one_without_faults(theme: str) -> None:
    brief = brief_of(theme)
    genome = proposed(brief)
    changed = mutate(genome, brief, Stream("change"))
    assert changed is not None
    assert changed.starship().cells != genome.starship().cells
    assert not list(faults(changed, brief))


def test_each_robot_has_a_start_cell_if_the_ruleset_needs_it() -> None:
    ship = proposed(brief_of("factory", "websocket", players=6)).starship()
    assert sorted(ship.starts) == [1, 2, 3, 4, 5, 6]


def test_squads_start_a_ship_width_apart() -> None:
    ship = proposed(brief_of("fortress", "robo-recon")).starship()
    (red,), (blue,) = ship.squad_airlocks["red"], ship.squad_airlocks["blue"]
    (x, y), (to_x, to_y) = ship.pos(red), ship.pos(blue)
    assert abs(x - to_x) + abs(y - to_y) >= 8
    assert ship.grapplers
