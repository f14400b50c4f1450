"""The trial of a release upgrades a site while people play, and detects faults."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.utils import timezone

from bench.release import WEB_AWAY, Player, Trial, breaches_of, differences
from games.fleet.models import Starship
from games.people.tokens import make_token
from games.play.models import Program
from tests import cast
from tests.games.support import HALL
from tests.games.together import wait_until
from tests.support.site import Site

READY = {"status": "ready", "missing": {}}


def test_its_people_create_games_and_submit_orders(
    transactional_db: None, site: Site, tmp_path: Path
) -> None:
    Starship.objects.filter(pk=HALL.saved().pk).update(slug="tin-canoe")  # the trial plays on this ship
    token = make_token(user=cast.alice(), now=timezone.now())
    trial = Trial(tmp_path, tmp_path, {}, urlsplit(site.url).port or 0)
    player = Player(trial, token, games=2)
    player.start()
    wait_until(lambda: Program.objects.filter(by=Program.Author.PLAYER).count() == 2)
    trial.ended.set()
    player.join(20)
    assert set(trial.answers["the old release alone"]) == {"200", "201"}


@pytest.mark.parametrize("trouble", ["500", "502", "503", "ConnectionRefusedError", "TimeoutError"])
def test_a_failed_request_is_a_breach_unless_the_web_is_replaced(trouble: str) -> None:
    step = "the old release on the new database"
    assert breaches_of({step: {"200": 7, trouble: 1}}, READY) == [f"{step}: {{'{trouble}': 1}}"]
    assert breaches_of({WEB_AWAY: {"200": 7, trouble: 1}}, READY) == []
    assert breaches_of({step: {"200": 7, "201": 1, "409": 2}}, READY) == []


def test_an_incomplete_release_is_a_breach() -> None:
    missing = {"status": "not ready", "missing": {"migrations": "The database needs migrations."}}
    assert breaches_of({}, missing) == [f"the new release is not ready: {missing['missing']}"]


def test_an_answer_while_the_web_is_away_counts_for_that_step(
    tmp_path: Path,
) -> None:
    trial = Trial(tmp_path, tmp_path, {}, 1)
    asked, trial.step = trial.step, WEB_AWAY
    trial.count(asked, "RemoteDisconnected")
    assert trial.answers == {WEB_AWAY: {"RemoteDisconnected": 1}}


def test_changed_responses_are_differences_but_new_fields_are_allowed() -> None:
    before = {"robots": [{"rank": 1, "lives": 3}], "turn": 4, "log": [1, 2]}
    same = {"robots": [{"rank": 1, "lives": 3, "new": 0}], "turn": 4, "log": [1, 2]}
    assert list(differences(before, same, "games/7")) == []
    other = {"robots": [{"rank": None}], "turn": 4, "log": [1]}
    assert list(differences(before, other, "games/7")) == [
        "games/7.robots[0].rank: 1 is None",
        "games/7.robots[0].lives is gone",
        "games/7.log: [1, 2] is [1]",
    ]
