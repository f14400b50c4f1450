"""The client that openapi-python-client makes of the OpenAPI document plays a game from start to end."""

import importlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from games.play.models import Game
from games.web.reference import openapi
from tests import cast
from tests.games.support import LANE
from tests.support.loaded import ForkedWorker
from tests.support.site import Site

PACKAGE = "robo_runner_client"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the client is; nothing about the document was worth a warning."""
    directory = tmp_path_factory.mktemp("client")
    document = directory / "openapi.json"
    document.write_text(json.dumps(openapi()))
    tools = Path(sys.executable).parent
    command = [
        *(str(tools / "openapi-python-client"), "generate", "--meta", "none", "--fail-on-warning"),
        *("--path", str(document), "--output-path", str(directory / PACKAGE)),
    ]
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"  # it tidies up with ruff
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in (done.stdout + done.stderr).lower(), done.stdout + done.stderr
    sys.path.insert(0, str(directory))
    yield PACKAGE
    sys.path.remove(str(directory))


def named(package: str, path: str, name: str) -> Any:
    """Return something of the client by its name."""
    return getattr(importlib.import_module(f"{package}.{path}"), name)


class Bot:
    """Plays with nothing but the client; each answer is one of its types, and never an `Error`."""

    def __init__(self, package: str, site: Site, login: str, password: str) -> None:
        self.package = package
        client = named(package, "client", "Client")(base_url=site.url)
        token = self.call(
            "people", "create_token", client, body=self.model("Login", login=login, password=password)
        )
        self.client = named(package, "client", "AuthenticatedClient")(base_url=site.url, token=token.token)

    def model(self, kind: str, **values: Any) -> Any:
        """Return a body."""
        return named(self.package, "models", kind)(**values)

    def call(self, group: str, name: str, client: Any = None, *where: int, **more: Any) -> Any:
        """Make a call, and return the document that it answers."""
        answer = named(self.package, f"api.{group}.{name}", "sync")(
            *where, client=client or self.client, **more
        )
        kind = type(answer).__name__
        assert kind not in ("Error", "NoneType"), answer
        return answer

    def programs(self, game: Any) -> Iterator[Any]:
        """Yield orders for the turn under way, each drawn at random."""
        for way in "ENSW":
            if game.turn == 0:
                yield self.model("Orders", heading=named(self.package, "models", "OrdersHeading")(way))
        locked = game.robots[0].locked
        for _ in range(24 if game.turn else 0):
            chips = random.sample(game.me.hand, k=len(game.me.hand))
            registers = [None if str(n) in locked else chips.pop().number for n in range(1, 6)]
            yield self.model("Orders", registers=registers)

    def worth(self, game: Any, orders: Any) -> tuple[int, int, int]:
        """Return what orders lead to: lives, checkpoints, and how far east the robot is then."""
        robot = self.call("turns", "preview_orders", None, game.id, game.turn, body=orders).robot
        return robot.lives, robot.next_, robot.at[0] if robot.at else -1


@pytest.fixture
def alice(transactional_db: None) -> User:
    """Alice, and a lane to fly along."""
    LANE.saved()
    return cast.alice()


def test_a_game_is_played_from_start_to_end_with_a_generated_client(
    generated: str, site: Site, worker: ForkedWorker, alice: User
) -> None:
    bot = Bot(generated, site, alice.robo_name, cast.password_of(alice.robo_name))
    assert bot.call("people", "get_me").robo_name == alice.robo_name
    [ship] = bot.call("library", "list_starships").results
    options = bot.model("NewGameOptions", hull_damage=False, lives=9)
    new = bot.model("NewGame", name="By a client", starship=ship.id, seats=1, options=options)
    game = bot.call("games", "create_game", body=new)
    end = time.monotonic() + 120
    while game.status != "over":
        assert time.monotonic() < end, "the game does not come to its end"
        if game.waiting_for:
            orders = max(bot.programs(game), key=lambda orders: bot.worth(game, orders))
            bot.call("turns", "submit_orders", None, game.id, game.turn, body=orders)
        game = bot.call("games", "get_game", None, game.id)
    assert game.winner == alice.robo_name
    assert Game.objects.get().winner == alice.robo_name

    log = bot.call("turns", "get_log", None, game.id)
    assert [event.seq for event in log.events] == list(range(1, game.seq + 1))
    assert {type(event).__name__ for event in log.events} >= {"LoggedMoveEvent", "LoggedInspectEvent"}
    assert type(log.events[-1]).__name__ == "LoggedOverEvent"
    played = bot.call("turns", "get_turn", None, game.id, 1)
    assert [chip for chip in played.programs[0].orders.registers if isinstance(chip, int)]
    assert played.events[0].turn == 1
    told = bot.call("records", "get_game_file", None, game.id)
    assert told.turns[0].events[0].type_
    assert told.to_dict()["digest"] == told.digest


def test_what_the_client_reads_it_writes_the_same(generated: str) -> None:
    orders = {
        "registers": [490, "P", None, 70, None],
        "power_down": True,
        "equipment": [1, 3],
        "heading": "N",
        "place": [3, 4],
        "unlock": [5],
        "stay_down": False,
    }
    assert named(generated, "models", "Orders").from_dict(orders).to_dict() == orders
    rank = {
        "type": "rank",
        "phase": 6,
        "step": "rank",
        "ranks": {"A": 1},
        "weights": {"A": 9},
        "seq": 3,
        "turn": 1,
    }
    assert named(generated, "models", "LoggedRankEvent").from_dict(rank).to_dict() == rank
