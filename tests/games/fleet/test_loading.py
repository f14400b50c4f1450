"""Loading the built-in starships from files."""

import json
import shutil
from pathlib import Path

import pytest
from django.conf import settings

from accounts.models import User
from games.errors import Invalid
from games.fleet.models import Starship, StarshipRevision
from games.fleet.search import search
from games.fleet.services import Loaded, load_starships, save_starship
from tests.games.support import NOW
from tests.support.fleet import launch
from tests.support.worlds import once

FIXTURES = settings.BASE_DIR / "fixtures"


@pytest.fixture
def directory(db: None, tmp_path: Path) -> Path:
    """A copy of the built-in starships' files, all loaded. Tests may edit the copy."""
    once(launch)
    return Path(shutil.copytree(FIXTURES, tmp_path / "fixtures"))


def load(directory: Path) -> Loaded:
    return load_starships(directory=directory, now=NOW)


def edit(path: Path, **changes: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def hull_walker(directory: Path) -> Path:
    return directory / "starships" / "01-hull-walker.json"


def test_all_starships_are_loaded_in_order_and_loading_again_changes_nothing(db: None) -> None:
    loaded = load(FIXTURES)
    assert (loaded.new, loaded.changed) == (search().count(), 0)
    assert search(ruleset="robo-runner").count() >= 10
    missions = [ship.slug for ship in search(section="missions")]
    assert missions[:3] == ["hull-walker", "inspection-points", "tractor-beams"]
    assert len(missions) == 14
    revisions = StarshipRevision.objects.count()
    loaded = load(FIXTURES)
    assert (loaded.new, loaded.changed) == (0, 0)
    assert StarshipRevision.objects.count() == revisions


def test_a_new_edition_becomes_a_new_revision_at_the_same_position(directory: Path) -> None:
    Starship.objects.filter(slug="hull-walker").update(section="fleet", seats_most=3, retired=True)
    edit(hull_walker(directory), description="Mind the shafts.")
    assert load(directory).changed == 1
    ship = Starship.objects.get(slug="hull-walker")
    assert ship.current and ship.current.number == 2
    assert (ship.section, ship.seats_most, ship.retired) == ("fleet", 3, True)


def test_a_board_saved_by_staff_is_not_overwritten(directory: Path, erin: User) -> None:
    ship = Starship.objects.get(slug="hull-walker")
    document = {**json.loads(hull_walker(directory).read_text()), "description": "Erin's own."}
    save_starship(starship_id=ship.pk, document=document, section="missions", by=erin, now=NOW)
    edit(hull_walker(directory), description="Mind the shafts.")
    assert load(directory).changed == 0
    ship.refresh_from_db()
    assert ship.current and ship.current.document["description"] == "Erin's own."


def test_errors_are_listed_by_file_and_nothing_is_loaded(directory: Path) -> None:
    revisions = StarshipRevision.objects.count()
    edit(hull_walker(directory), rows=["a q"])
    edit(directory / "starships" / "02-inspection-points.json", description="Mind the shafts.")
    (directory / "starships" / "04-tin-canoe.json").write_text("{")
    (directory / "starships" / "05-quarter-turn.json").unlink()
    with pytest.raises(Invalid) as refused:
        load(directory)
    first, second, third = [problem["detail"] for problem in refused.value.problems]
    assert first == "01-hull-walker.json: row 1, column 2: the floor “q” is unknown"
    assert second.startswith("04-tin-canoe.json: not JSON")
    assert third.startswith("05-quarter-turn.json: ")
    assert StarshipRevision.objects.count() == revisions
