"""Open pages show changes: by streams, by polling, and after an outage."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from games.chat.services import post_line
from games.lobby.seats import join_game
from games.play.models import Game
from games.staff.services import extend_turn
from games.work import sweeper
from tests import cast
from tests.browser.waiting import AT_ONCE, comes_true
from tests.games.support import HALL, NOW, Table, later, sweep

pytestmark = pytest.mark.browser

COLLECT = """() => {
    window.told = [];
    for (const name of ["turn", "ready", "noted", "chat", "over", "lobby", "state"]) {
        document.addEventListener(`stream:${name}`, ({ detail }) => window.told.push([name, detail]));
    }
}"""


@pytest.fixture
def alice(transactional_db: None) -> User:
    return cast.alice()


@pytest.fixture
def bob(transactional_db: None) -> User:
    return cast.bob()


@pytest.fixture
def table(transactional_db: None) -> Table:
    return Table(HALL.saved())


@pytest.fixture
def game(table: Table, alice: User, bob: User) -> Game:
    return table.game(alice, bob)


def watch(page: Page, address: str) -> None:
    """Open a page, and record all its events."""
    page.add_init_script(f"({COLLECT})()")
    page.goto(address)


def wait_for(page: Page, condition: str, milliseconds: int = 20_000) -> None:
    comes_true(page, f"() => window.told.some(([name, detail]) => {condition})", seconds=milliseconds / 1000)


def names(page: Page) -> list[str]:
    told: list[str] = page.evaluate("window.told.map(([name]) => name)")
    return told


def test_an_open_page_gets_events_at_once(
    page: Page, game: Game, table: Table, alice: User, bob: User
) -> None:
    watch(page, game.get_absolute_url())
    wait_for(page, 'name === "state" && detail.state === "live"')
    assert names(page) == ["state"]  # the page knows the rest
    table.move(game, alice)
    wait_for(page, 'name === "ready" && detail.waiting_for.join() === "Bob"', AT_ONCE)
    post_line(user=bob, game_id=game.pk, text="In a moment", now=NOW)
    wait_for(page, 'name === "chat"', AT_ONCE)
    table.play(game, bob)
    wait_for(page, 'name === "turn" && detail.turn === 0', AT_ONCE)


def test_open_pages_show_staff_actions(page: Page, game: Game) -> None:
    watch(page, game.get_absolute_url())
    wait_for(page, 'name === "state" && detail.state === "live"')
    shows_extension(page, game)


def shows_extension(page: Page, game: Game) -> None:
    """Extend the deadline as staff, and wait until the open page shows it."""
    extend_turn(user=cast.erin(), game_id=game.pk, hours=24, reason="A storm.", now=NOW)
    said = "Staff extended the deadline of turn 0 by 1 day. “A storm.”"
    expect(page.locator("[data-part=notices]")).to_contain_text(said)
    expect(page.locator("[data-part=terms]")).to_contain_text(said)
    assert names(page).count("noted") == 1


def test_a_page_shows_changes_from_before_it_listens(page: Page, game: Game) -> None:
    erin = cast.erin()

    def listen(route: Route) -> None:
        extend_turn(user=erin, game_id=game.pk, hours=24, reason="A storm.", now=NOW)
        route.continue_()

    page.route("**/events/**", listen, times=1)
    page.goto(game.get_absolute_url())
    expect(page.locator("[data-part=notices]")).to_contain_text("Staff extended the deadline of turn 0")


def test_open_pages_show_an_outage(page: Page, game: Game) -> None:
    sweep(later(hours=1))
    watch(page, game.get_absolute_url())
    wait_for(page, 'name === "state" && detail.state === "live"')
    sweeper.sweep(now=later(hours=2))
    expect(page.locator("[data-part=notices]")).to_contain_text("The service was down from")


def test_a_lobby_shows_new_players_and_the_start(page: Page, table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, seats=2)
    watch(page, game.get_absolute_url())
    wait_for(page, 'name === "state" && detail.state === "live"')
    join_game(user=bob, game_id=game.pk, now=NOW)
    wait_for(page, 'name === "ready"', AT_ONCE)
    expect(page.locator("[data-part=crew]")).to_contain_text("Bob")


def test_a_page_polls_if_streams_are_blocked(
    page: Page, game: Game, table: Table, alice: User, bob: User
) -> None:
    page.route("**/events/**", lambda route: route.abort())
    watch(page, game.get_absolute_url())
    wait_for(page, 'name === "state" && detail.state === "polling"')
    shows_extension(page, game)
    post_line(user=bob, game_id=game.pk, text="Anybody there?", now=NOW)
    table.play(game, alice, bob)
    wait_for(page, 'name === "turn" && detail.turn === 0')
    wait_for(page, 'name === "chat"')


class Server:
    """The web server in a separate process. It can restart at the same address."""

    def __init__(self, database_url: str, log: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://localhost:{self.port}"
        self._variables = os.environ | {"DATABASE_URL": database_url, "BASE_URL": self.url}
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "uvicorn", "roborunner.asgi:application", f"--port={self.port}"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, env=self._variables, stdout=log, stderr=log)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            assert self._process.poll() is None, self._log.read_text()
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.1)
            else:
                return
        raise AssertionError("the server does not start")

    def stop(self) -> float:
        """Stop the server. Return the seconds that this took."""
        assert self._process
        begun = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(30)
        return time.monotonic() - begun


@pytest.fixture
def server(database_url: str, tmp_path: Path) -> Iterator[Server]:
    server = Server(database_url, tmp_path / "web.log")
    server.start()
    yield server
    server.stop()


def test_a_page_catches_up_after_an_outage(
    open_page: Callable[..., Page], server: Server, game: Game, table: Table, alice: User, bob: User
) -> None:
    page = open_page()
    watch(page, f"{server.url}{game.get_absolute_url()}")
    wait_for(page, 'name === "state" && detail.state === "live"')
    assert server.stop() < 10  # the open stream does not delay it
    post_line(user=alice, game_id=game.pk, text="Gone?", now=NOW)
    table.play(game, alice, bob)
    server.start()
    wait_for(page, 'name === "turn" && detail.turn === 0', 40_000)
    wait_for(page, 'name === "chat"')
    assert page.evaluate("window.told.filter(([name]) => name === 'turn').length") == 1
    comes_true(page, "() => window.told.findLast(([name]) => name === 'state')[1].state === 'live'")
