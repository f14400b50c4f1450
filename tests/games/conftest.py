"""Fixtures for tests of the service: people, a small starship, and games on it."""

from collections.abc import Iterator

import pytest
from celery import current_app
from django.db import transaction
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from games.fleet.models import Starship
from games.play.models import Game
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from games.work import enqueue
from tests import cast
from tests.games.admin_pages import permit
from tests.games.api_client import Api, ApiOf
from tests.games.reader import ReaderOf, reader
from tests.games.support import HALL, LANE, NOW, Table
from tests.support.receiver import Receiver


@pytest.fixture
def alice(db: None) -> User:
    return cast.alice()


@pytest.fixture
def bob(db: None) -> User:
    return cast.bob()


@pytest.fixture
def carol(db: None) -> User:
    return cast.carol()


@pytest.fixture
def dave(db: None) -> User:
    return cast.dave()


@pytest.fixture
def erin(db: None) -> User:
    return cast.erin()


@pytest.fixture
def grace(db: None) -> User:
    return cast.grace()


@pytest.fixture
def read(db: None) -> ReaderOf:
    """A function that makes readers of pages.

    ``read(alice)`` is logged in, and ``read(None)`` is a stranger.
    """
    return reader


@pytest.fixture
def api() -> ApiOf:
    """A function that makes clients of the API.

    ``api(alice)`` sends a token, and ``api(None)`` sends none.
    """
    return Api


@pytest.fixture
def staff(client: Client, erin: User) -> Client:
    """Erin's browser. She has every permission on games and starships."""
    permit(erin)
    client.force_login(erin)
    return client


@pytest.fixture
def starship(db: None) -> Starship:
    """A starship of the library with a small open board."""
    return HALL.saved()


@pytest.fixture
def table(starship: Starship) -> Table:
    return Table(starship)


@pytest.fixture
def duel(table: Table, alice: User, bob: User) -> Game:
    """A game of Alice and Bob in turn 0."""
    return table.game(alice, bob)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A web server of a player that receives POST requests."""
    receiver = Receiver()
    receiver.start()
    yield receiver
    receiver.stop()


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The messages to workers during the test: the name of each task and a row's ID.

    Messages are sent at once, as if each transaction had been committed. Daily runs and the search for
    puzzles are left out: almost no test has any, so many sweeps ask for them.
    """
    sent: list[tuple[str, int]] = []

    def send_task(name: str, args: list[int], **_: object) -> None:
        if name not in (enqueue.MAKE_DAILY_RUN, enqueue.MINE_GAME):
            sent.append((name.rpartition(".")[2], args[0]))

    monkeypatch.setattr(current_app, "send_task", send_task)
    monkeypatch.setattr(transaction, "on_commit", lambda send: send())
    monkeypatch.setattr(enqueue, "queue_length", lambda task: 0)  # from earlier tests
    return sent


@pytest.fixture
def lane(db: None) -> Table:
    """A table with short games: the board is a short lane."""
    return Table(LANE.saved())


@pytest.fixture
def solo_loss(lane: Table, alice: User) -> Game:
    """A practice game that Alice lost, because her robot left the board on its only life."""
    game = lane.game(alice, options={"lives": 1})
    submit_orders(user=alice, game_id=game.pk, turn_number=0, document={"heading": "S"}, now=NOW)
    assert resolve_turn(turn_id=game.turns.get().pk, now=NOW)
    game.refresh_from_db()
    while game.status == Game.Status.RUNNING:
        lane.play(game, alice)
    return game


@pytest.fixture
def trio(table: Table, alice: User, bob: User, carol: User) -> Game:
    """A game of Alice, Bob and Carol on seats 1 to 3, in turn 1."""
    game = table.game(alice, bob, carol)
    table.play(game, alice, bob, carol)
    return game


@pytest.fixture
def private_webhooks(settings: Settings) -> None:
    """Allow receivers on this machine."""
    settings.PRIVATE_WEBHOOKS = True


@pytest.fixture
def dealt(table: Table, duel: Game, alice: User, bob: User) -> Game:
    table.play(duel, alice, bob)
    return duel


@pytest.fixture
def played(table: Table, dealt: Game, alice: User, bob: User) -> Game:
    table.play(dealt, alice, bob)
    return dealt
