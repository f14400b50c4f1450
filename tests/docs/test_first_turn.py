"""The commands on the API's page play the first turn of a game, unchanged."""

import html
import json
import re
import subprocess
import time
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from accounts.models import User
from games.play.models import Game
from tests import cast
from tests.support import fleet
from tests.support.loaded import ForkedWorker
from tests.support.site import Site

ROOT = Path(__file__).parents[2]


@pytest.fixture
def reader(transactional_db: None) -> User:
    """Return Alice, the reader of the page. The built-in starships are loaded."""
    fleet.launch()
    return cast.alice()


class Terminal:
    """A shell that keeps its variables between commands."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def run(self, block: str) -> Any:
        """Run the commands of a block. Return the JSON document of the response."""
        lines = block.splitlines()
        self._lines += [line for line in lines if re.match("[A-Z]+=", line)]
        command = [line for line in lines if line not in self._lines]
        script = "\n".join([*self._lines, *command])
        done = subprocess.run(["bash", "-ec", script], capture_output=True, text=True, timeout=60, check=True)
        return json.loads(done.stdout)


def commands(site: Site) -> list[str]:
    with urlopen(f"{site.url}/api/v1/docs") as page:
        text = page.read().decode()
    steps = re.search(r'<ol class="first-turn">(.*?)</ol>', text, re.DOTALL)
    assert steps
    blocks = re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", steps[1], re.DOTALL)
    return [html.unescape(block) for block in blocks]


def put(block: str, **values: object) -> str:
    """Fill in placeholders of a command, as a reader of the page does."""
    for what, value in values.items():
        shown = {"game": "GAME=7", "chips": "490, 70, 670, 130, 820"}.get(what, f"YOUR {what.upper()}")
        assert shown in block
        block = block.replace(shown, f"GAME={value}" if what == "game" else str(value))
    return block


def test_the_commands_on_the_page_play_a_turn(site: Site, worker: ForkedWorker, reader: User) -> None:
    sign_in, start, face, look, submit, read = commands(site)
    shell = Terminal()
    name, password = reader.robo_name, cast.password_of(reader.robo_name)
    token = shell.run(put(sign_in, name=name, password=password))["token"]
    game = shell.run(put(start, token=token))
    assert shell.run(put(face, game=game["id"]))["me"]["orders"] == {"heading": "N"}
    end = time.monotonic() + 60
    while (seen := shell.run(look))["turn"] == 0 and time.monotonic() < end:
        time.sleep(0.5)
    hand = [chip["number"] for chip in seen["me"]["hand"]]
    assert len(hand) == 9
    given = shell.run(put(submit, chips=", ".join(map(str, hand[:5]))))
    assert given["me"]["orders"] == {"registers": hand[:5]} or given["turn"] == 2
    while Game.objects.get().turn == 1 and time.monotonic() < end:
        time.sleep(0.5)
    events = shell.run(read)["events"]
    assert {event["turn"] for event in events} >= {0, 1}
    assert not [event for event in events if "error" in event]
