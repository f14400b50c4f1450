"""Run a site with a few games and a ship, with or without Caddy, and list its pages."""

import logging
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import django

from bench.orders import first_chips
from embedded import paths
from embedded.paths import Failure
from embedded.processes import PROJECT

PEOPLE = ("Alice", "Bob", "Carol", "Dave")
PASSWORD = "robots-in-orbit"  # noqa: S105 - the site exists only for a few minutes
TURNS = 4
"""The number of turns that the players of the game play. The next turn waits for their orders."""


REPORT_SECONDS = 240
"""The maximum seconds for the wind tunnel to judge its first flights."""


class Page(NamedTuple):
    """A page to measure. ``cookie`` is its reader's session cookie, or empty for a logged-out visitor."""

    name: str
    path: str
    cookie: str = ""


CADDYFILE = """{{
	admin off
	skip_install_trust
	auto_https disable_redirects
	storage file_system {storage}
}}
{address} {{
	tls internal
	reverse_proxy 127.0.0.1:{port}
}}
"""


@contextmanager
def site(directory: Path, *, caddy: bool) -> Iterator[str]:
    """Run a new site in a directory, with Caddy in front if ``caddy`` is True. Yield its address."""
    port, door = _free_port(), _free_port()
    address = f"https://localhost:{door}" if caddy else f"http://localhost:{port}"
    command = [sys.executable, "-m", "embedded", "--directory", str(directory), "up"]
    own = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    variables = {**own, "PORT": str(port), "BASE_URL": address, "FORWARDED_ALLOW_IPS": "127.0.0.1"}
    with ExitStack() as stack:
        process = subprocess.Popen(command, cwd=PROJECT, env=variables, stdout=subprocess.PIPE, text=True)
        stack.callback(_end, process)
        if not process.stdout or "is at http" not in process.stdout.readline():
            raise Failure("The site does not start.")
        if caddy:
            file = directory / "Caddyfile"
            file.write_text(CADDYFILE.format(storage=directory / "caddy", address=address, port=port))
            serve = ["caddy", "run", "--config", file, "--adapter", "caddyfile"]
            with (directory / "caddy.log").open("wb") as log:
                stack.callback(_end, subprocess.Popen(serve, stdout=log, stderr=log))
        _wait_for(door if caddy else port)
        yield address


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _wait_for(port: int) -> None:
    end = time.monotonic() + 60
    while True:
        try:
            return socket.create_connection(("localhost", port), 1).close()
        except OSError:
            if time.monotonic() > end:
                raise Failure("Caddy does not start.") from None
            time.sleep(0.1)


def _end(process: subprocess.Popen[Any]) -> None:
    process.terminate()
    process.wait(60)


def connect(directory: Path, address: str) -> None:
    """Configure Django in this process to use the site in the directory."""
    os.environ |= {
        "BASE_URL": address,
        "DATABASE_URL": paths.database_url(directory),
        "REDIS_URL": paths.redis_url(directory),
        "SECRET_KEY": paths.secret_key(directory),
        "EMAIL_URL": (directory.resolve() / "mail").as_uri(),
        "DJANGO_SETTINGS_MODULE": "roborunner.settings",
    }
    django.setup()
    logging.disable(logging.INFO)


def make_pages() -> list[Page]:
    """Play some turns with four people, open a lobby, and return the pages to measure."""
    from django.conf import settings

    from games.models import Starship

    clients = players()
    ship = Starship.objects.get(slug="patchwork").pk
    game = play(clients, ship)
    lobby = call(clients[0], "games", {"name": "Come in", "starship": ship, "seats": 4})["id"]
    cookie = f"{settings.SESSION_COOKIE_NAME}={clients[0].cookies[settings.SESSION_COOKIE_NAME].value}"
    return [*_pages(cookie, game, lobby, ship), *_yard(clients[0], cookie, ship)]


def players() -> list[Any]:
    """Create an account for each of `PEOPLE`, and return their logged-in clients."""
    from django.conf import settings
    from django.test import Client

    from accounts.services import open_account

    clients = []
    for name in PEOPLE:
        person = open_account(robo_name=name, email=f"{name.lower()}@example.org", password=PASSWORD)
        client = Client(headers={"host": urlsplit(settings.BASE_URL).netloc})
        client.force_login(person)
        clients.append(client)
    return clients


def _yard(client: Any, cookie: str, ship: int) -> Iterator[Page]:
    """Copy a ship, publish it as a prototype, run the wind tunnel, and yield the pages of the shipyard."""
    drawn = call(client, f"starships/{ship}")["document"] | {"name": "Quilt"}
    draft = call(client, "shipyard/drafts", {"document": drawn})["id"]
    tried = call(client, "shipyard/prototypes", {"draft": draft, "agrees": True})["id"]
    run = call(client, f"shipyard/drafts/{draft}/tunnel", {})["id"]
    end = time.monotonic() + REPORT_SECONDS
    while not call(client, f"shipyard/tunnel/{run}")["report"] and time.monotonic() < end:
        time.sleep(1)
    yield Page("a prototype", f"/starships/{tried}/")
    for name, path in {
        "Space Dock": "/shipyard/",
        "new ship": "/shipyard/new/",
        "suggest a ship": "/shipyard/suggest/",
        "editor of ships": f"/shipyard/{draft}/",
        "wind tunnel": f"/shipyard/{draft}/tunnel/",
        "report of the wind tunnel": f"/shipyard/{draft}/tunnel/{run}/",
        "versions of a ship": f"/shipyard/{draft}/history/",
    }.items():
        yield Page(name, path, cookie)


def play(clients: list[Any], ship: int) -> int:
    """Play some turns of a public game on a starship, and return the game's ID."""
    from games import tasks
    from games.models import Turn

    game: int = call(clients[0], "games", {"name": "Round and round", "starship": ship, "seats": 4})["id"]
    for client in clients[1:]:
        call(client, f"games/{game}/join", {})
    for number in range(TURNS):
        turn = Turn.objects.get(game=game, number=number)
        for index, client in enumerate(clients):
            seen = call(client, f"games/{game}")
            if seen["turn"] == number:
                orders = first_chips(seen, seen["robots"][index])
                call(client, f"games/{game}/turns/{number}/orders", orders)
        tasks.resolve_turn(turn.pk)
    call(clients[1], f"games/{game}/chat", {"text": "Out of my way, Alice!"})
    return game


def call(client: Any, path: str, document: Any = None) -> Any:
    """Call the API and return the answer. Raises Failure after a refusal or an error."""
    more = {} if document is None else {"data": document, "content_type": "application/json"}
    ask = client.get if document is None else client.post
    answer = ask(f"/api/v1/{path}", secure=os.environ["BASE_URL"].startswith("https:"), **more)
    if answer.status_code >= 400:
        raise Failure(f"{path}: {answer.status_code} {answer.content[:300]!r}")
    return answer.json()


def _pages(cookie: str, game: int, lobby: int, ship: int) -> Iterator[Page]:
    for name, path in {
        "front page": "/",
        "game, watched": f"/games/{game}/",
        "film of a turn": f"/games/{game}/turns/2/",
        "lobby, watched": f"/games/{lobby}/",
        "Game Room": "/games/",
        "open seats": "/seats/",
        "against computers": "/games/quick/",
        "missions": "/missions/",
        "a mission": "/missions/hull-walker/",
        "starships": "/starships/",
        "a starship": f"/starships/{ship}/",
        "players": "/players/",
        "a player": "/players/Bob/",
        "a robot": f"/games/{game}/robots/1/",
        "help": "/help/",
        "story": "/story/",
        "rules": "/rules/",
        "a rulebook": "/rulebook/robo-runner/",
        "docs": "/docs/",
        "docs of the API": "/docs/api/",
        "reference of the API": "/api/v1/docs",
        "a part of the reference": "/api/v1/docs/turns",
        "privacy": "/privacy/",
        "log in": "/accounts/login/",
        "sign up": "/accounts/signup/",
        "forgotten password": "/accounts/password/reset/",
    }.items():
        yield Page(name, path)
    for name, path in {
        "front page, logged in": "/",
        "game, own hand": f"/games/{game}/",
        "own lobby": f"/games/{lobby}/",
        "New game": "/games/new/",
        "My Room": "/my-room/",
        "chat": f"/games/{game}/chat/",
        "votes": f"/games/{game}/votes/",
        "news of a game": f"/games/{game}/news/",
        "resign": f"/games/{game}/resign/",
        "own page": "/players/Alice/",
        "settings: display": "/settings/",
        "settings: profile": "/settings/profile/",
        "settings: time": "/settings/time/",
        "settings: standing orders": "/settings/standing/",
        "settings: notifications": "/settings/news/",
        "settings: tokens": "/settings/tokens/",
        "settings: data": "/settings/data/",
        "security": "/accounts/2fa/",
        "logins": "/accounts/sessions/",
    }.items():
        yield Page(name, path, cookie)
