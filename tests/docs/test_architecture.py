"""No module leads back to itself by what it imports; contracts in `pyproject.toml` hold the rest."""

from graphlib import TopologicalSorter
from pathlib import Path

import grimp

ROOMS = ("roborunner", "games", "accounts", "rules", "embedded")


def test_no_imports_run_in_a_circle_even_for_types_alone(tmp_path: Path) -> None:
    house = grimp.build_graph(*ROOMS, cache_dir=str(tmp_path))
    known = {module: house.find_modules_directly_imported_by(module) for module in house.modules}
    assert len(known) > 400, "all rooms are read"
    TopologicalSorter(known).prepare()
