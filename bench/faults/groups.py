"""Count the announcements that arrive in group channels while parts of the site are killed."""

import json
import re
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any, Final

from django.db import DatabaseError, InterfaceError, connection, transaction
from django.utils import timezone

import rules
from accounts.models import User
from games.errors import ServiceError
from games.fleet.selectors import best_ships
from games.groups.models import Announcement, GroupChannel, Service, all_news
from games.lobby.services import create_game
from games.play import stored
from games.play.models import Game, Hand, Turn
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from games.play.terms import Terms

ANSWER_SECONDS: Final = 0.03
"""The time that a service takes to answer."""

GAMES_AT_ONCE: Final = 12
"""The number of games that `play_turns` plays at the same time."""

MOST_WAITING: Final = 1500
"""The number of waiting announcements at which `play_turns` pauses."""

PLAYED: Final = re.compile(r"Turn (\d+) was played|All headings are set")

Key = tuple[int, int]
"""The ID of a channel, and the number of a turn."""


class Services:
    """Chat services and a program on one port. `arrived` counts each played turn in each channel.

    Like the real ones, the Matrix server and the program recognise a message that they already have by its
    key, and ignore it. `repeats` counts such messages.
    """

    def __init__(self) -> None:
        self.arrived: Counter[Key] = Counter()
        self.repeats: Counter[str] = Counter()
        self.messages: Counter[str] = Counter()
        self._keys: set[tuple[int, str]] = set()
        self._lock = threading.Lock()
        services = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                time.sleep(ANSWER_SECONDS)
                answer = services._receive(self.path, dict(self.headers.items()), body)
                self.send_response(200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_PUT = do_POST  # noqa: N815

            def log_message(self, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # a worker was killed during its call

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True).start()

    def add_channels(self, game: Game) -> None:
        """Add a channel of each service to a game."""
        keys = {"room": "!room:example.org", "token": "token", "secret": "whsec_c2VjcmV0"}
        with transaction.atomic():
            for service in Service.values:
                channel = GroupChannel.objects.create(
                    game=game,
                    service=service,
                    address=str(service),
                    language="en",
                    news=all_news(),
                    made_by=game.host,
                    made_at=timezone.now(),
                    **keys,
                )
                address = f"http://127.0.0.1:{self.port}/{channel.pk}"
                GroupChannel.objects.filter(pk=channel.pk).update(address=address)

    def stop(self) -> None:
        self._server.shutdown()

    def _receive(self, path: str, headers: dict[str, str], body: bytes) -> bytes:
        if "/media/" in path:
            return b'{"content_uri": "mxc://example.org/board"}'
        channel = int(path.split("/")[1])
        document = json.loads(body)
        key = headers.get("webhook-id", "")
        if "/send/" in path:
            service, key, text = "matrix", path.rpartition("/")[2], document["body"]
        elif "embeds" in document:
            service, text = "discord", "\n".join(each["description"] for each in document["embeds"])
        elif "attachments" in document:
            service, text = "slack", "\n".join(each["text"] for each in document["attachments"])
        else:
            service, text = "webhook", document["text"]
        with self._lock:
            self.messages[service] += 1
            if key and (channel, key) in self._keys:
                self.repeats[service] += 1
                return b"{}"
            self._keys.add((channel, key))
            for number in PLAYED.findall(text):
                self.arrived[channel, int(number or 0)] += 1
        return b'{"event_id": "$1"}'


def unposted() -> Iterator[str]:
    """Yield the announcements that still wait."""
    for row in Announcement.objects.filter(status="pending")[:50]:
        yield f"announcement {row.pk}"


def count_arrivals(services: Services) -> dict[str, dict[str, int]]:
    """Return for each service how many played turns arrived once, never, or several times."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    channels = GroupChannel.objects.filter(switched_off_at=None).values_list("pk", "service", "game")
    played: dict[int, list[int]] = defaultdict(list)
    turns = Turn.objects.filter(status=Turn.Status.RESOLVED).values_list("game", "number")
    for game_id, number in turns:
        played[game_id].append(number)
    for channel, service, game_id in channels:
        for number in played[game_id]:
            times = services.arrived[channel, number]
            found[service][{0: "never", 1: "once"}.get(times, "several times")] += 1
    return {service: dict(counts) for service, counts in sorted(found.items())}


def play_turns(services: Services, turns: int, chance: Random, stop: threading.Event) -> None:
    """Play turns of games of one player in this process, until there are enough of them."""
    user = User.objects.create_user("Announcer", "announcer@example.org")
    user.confirm_email()
    ruleset = rules.ruleset("robo-runner")
    ships = best_ships(ruleset=ruleset, robots=1, most=5)
    games: list[int] = []
    done = 0
    while done < turns and not stop.is_set():
        try:
            if len(games) < GAMES_AT_ONCE:
                terms = Terms(
                    name=f"Announced {done}", ruleset="robo-runner", starship=chance.choice(ships).pk, seats=1
                )
                made = create_game(host=user, terms=terms, now=timezone.now())
                services.add_channels(made)
                games.append(made.pk)
                continue
            if Announcement.objects.filter(status="pending").count() > MOST_WAITING:
                time.sleep(1)
                continue
            for game_id in list(games):
                if not _play_turn(game_id, user, chance.randrange(10**9)):
                    games.remove(game_id)
            done = Turn.objects.filter(status=Turn.Status.RESOLVED).count()
        except (DatabaseError, InterfaceError):
            connection.close()
            time.sleep(0.5)


def _play_turn(game_id: int, user: User, seed: int) -> bool:
    """Play the open turn of a game. Return whether the game is still running."""
    game = Game.objects.select_related("revision__starship", "course").get(pk=game_id)
    if game.status != Game.Status.RUNNING:
        return False
    turn = game.turns.get(status=Turn.Status.OPEN)
    hand = Hand.objects.select_related("turn").filter(turn=turn, seat__user=user, program=None).first()
    if hand is not None:
        setup = stored.setup_of(game)
        state = stored.start_of(turn, setup.starship)
        orders = rules.complete(setup, state, hand.robot - 1, stored.chips_of(hand), None, seed)
        with suppress(ServiceError):  # a worker was faster
            submit_orders(
                user=user,
                game_id=game_id,
                turn_number=turn.number,
                document=rules.write_orders(orders),
                now=timezone.now(),
            )
    resolve_turn(turn_id=turn.pk, now=timezone.now())
    return True
