"""The documented script plays real games on the real site."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from accounts.models import User
from games.play.models import Game
from tests import cast
from tests.support import fleet
from tests.support.loaded import ForkedWorker
from tests.support.site import Site

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "docs" / "play_a_game.py"


@pytest.fixture
def player(transactional_db: None) -> User:
    """Return Alice. The built-in starships are loaded."""
    fleet.launch()
    return cast.alice()


def play(site: Site, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), site.url, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)


def test_the_script_plays_a_mission_to_its_end(site: Site, worker: ForkedWorker, player: User) -> None:
    done = play(site, player.robo_name, cast.password_of(player.robo_name), "Hull Walker")
    assert done.returncode == 0, done.stderr
    game = Game.objects.get()
    assert game.status == Game.Status.OVER
    over = ast.literal_eval(done.stdout)
    # The script programs at random: its robot may lose all lives before the last checkpoint.
    assert (over["type"], over["winner"] or "", over["seq"]) == ("over", game.winner, game.last_seq)
    assert game.winner in {player.robo_name, ""}


def test_the_script_fits_on_a_page() -> None:
    assert len(SCRIPT.read_text().splitlines()) <= 46
