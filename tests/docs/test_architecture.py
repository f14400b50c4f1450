"""Imports between modules form no cycle.

The contracts in `pyproject.toml` check all other rules about imports.
"""

from graphlib import TopologicalSorter
from pathlib import Path

import grimp

ROOMS = ("roborunner", "games", "accounts", "rules", "embedded")


def test_imports_form_no_cycle_even_for_types(tmp_path: Path) -> None:
    house = grimp.build_graph(*ROOMS, cache_dir=str(tmp_path))
    known = {module: house.find_modules_directly_imported_by(module) for module in house.modules}
    assert len(known) > 400, "all rooms are read"
    TopologicalSorter(known).prepare()
