"""Shared fixtures and hooks of all tests.

Modules that need Django import it inside functions: the rules' tests run without it.
"""

import gc
import math
import os
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch
from urllib.parse import urlsplit, urlunsplit

import pytest
from hypothesis import settings as hypothesis_settings

if TYPE_CHECKING:
    from pytest_django import DjangoDbBlocker
    from pytest_django.fixtures import Settings

    from tests.support.loaded import ForkedWorker, Loaded
    from tests.support.mailbox import Mailbox
    from tests.support.site import Site
    from tests.support.worker import Worker


# Examples may be slow on a busy machine. Hypothesis's profile for CI has no deadline either.
hypothesis_settings.register_profile("patient", deadline=None)
if os.environ.get("CI") != "true":
    hypothesis_settings.load_profile("patient")


@pytest.fixture(scope="session", autouse=True)
def _quick_settings(pytestconfig: pytest.Config) -> Iterator[None]:
    """Replace slow settings. Hashing one password with Argon2 would take 0.1 seconds."""
    if not pytestconfig.pluginmanager.hasplugin("django"):
        yield
        return
    from django.test import override_settings

    from roborunner.operations.errors import RECORDER, Recorder
    from tests.support import middleware, worlds

    quick = {
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
        "MIDDLEWARE": middleware.WITHOUT_FILES,
        "NEWCOMER_GAMES": 0,  # tests about newcomers set both
        "NEWCOMER_DAYS": 0,
    }
    # A thread that stores errors would write while a test empties the tables. Importing the ASGI application
    # starts the recorder, and pytest may have done so when it collected the tests.
    no_thread = patch.multiple(RECORDER, _started=False, _faults={})
    no_start = patch.object(Recorder, "start", lambda self: None)
    with override_settings(**quick), middleware.loaded_once(), no_thread, no_start:
        worlds.usual()
        yield


@pytest.fixture(scope="session", autouse=True)
def _compute_once(pytestconfig: pytest.Config) -> Iterator[None]:
    """Cache slow results: folded names, pictures of boards, and lengths of games."""
    if not pytestconfig.pluginmanager.hasplugin("django"):
        yield
        return
    import resvg_py

    import rules
    from accounts import robo_names
    from games.fleet import search

    computed: dict[tuple[str, str, int], int | None] = {}
    compute = search.expected_turns

    def expected_turns(ship: rules.Starship, ruleset: rules.Ruleset, players: int) -> int | None:
        key = str(rules.write_starship(ship)), f"{ruleset.key} {ruleset.version}", players
        if key not in computed:
            computed[key] = compute(ship, ruleset, players)
        return computed[key]

    with (
        patch.object(search, "expected_turns", expected_turns),
        patch.object(robo_names, "scrypt", lru_cache(256)(robo_names.scrypt)),
        patch.object(resvg_py, "svg_to_bytes", lru_cache(256)(resvg_py.svg_to_bytes)),
    ):
        yield


@pytest.fixture(scope="session", autouse=True)
def _empty_quickly(pytestconfig: pytest.Config) -> Iterator[None]:
    """Delete the rows that a test committed, instead of truncating all tables."""
    if not pytestconfig.pluginmanager.hasplugin("django"):
        yield
        return
    from django.test import TransactionTestCase

    from tests.support.emptying import empty

    with patch.object(TransactionTestCase, "_fixture_teardown", empty):
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
    django_db_blocker: "DjangoDbBlocker",
    pytestconfig: pytest.Config,
) -> None:
    """Copy the test database from a migrated template, if this run has its own server."""
    keeps = pytestconfig.pluginmanager.hasplugin("cacheprovider")
    if not (keeps and os.environ.get("ROBO_RUNNER_TEST_POSTGRES")) or pytestconfig.getvalue("nomigrations"):
        return
    from django.db import connection

    from tests.support.schema import template

    assert pytestconfig.cache is not None
    with django_db_blocker.unblock():
        made = template(os.environ["DATABASE_URL"], pytestconfig.cache.mkdir("schema"))
    connection.settings_dict["TEST"]["TEMPLATE"] = made


@pytest.fixture(autouse=True)
def _forget_earlier_tests(request: pytest.FixtureRequest) -> None:
    """Clear the cache, remembered values, the watched games, and the turns that wait for computers.

    Games and people of different tests can have the same IDs (see `worlds`).
    """
    marked = request.node.get_closest_marker("django_db") is not None
    if marked or {"db", "transactional_db"} & set(request.fixturenames):
        from django.core.cache import cache

        from games import live
        from games.clocks import maintenance
        from games.news import site_notices
        from games.work import enqueue

        cache.clear()
        for memo in (maintenance.COMING, site_notices.COMING):
            # Read only after a change, so that no test has a query more than others.
            memo.kept, memo.expires = (), math.inf
        redis = live._client()
        signs: list[bytes] = redis.keys(live._key("*", "*")) + redis.keys(f"{enqueue.HOSTS_KEY}*")  # type: ignore[operator]
        if signs:
            redis.delete(*signs)


@pytest.fixture
def mailbox(settings: "Settings") -> Iterator["Mailbox"]:
    """A real SMTP server that gets the mail of this process and its workers."""
    from tests.support.mailbox import Mailbox

    mailbox = Mailbox()
    mailbox.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    settings.EMAIL_PORT = mailbox.port
    yield mailbox
    mailbox.stop()


@pytest.fixture
def mailoutbox(mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Django's outbox of sent mail. Account mail arrives at once, without a worker."""
    from django.utils import timezone

    from accounts import mail
    from games.news.delivery import send_account_mail

    monkeypatch.setattr(
        mail, "send_soon", lambda mail_id: send_account_mail(mail_id=mail_id, now=timezone.now())
    )
    return mailoutbox


@pytest.fixture(scope="session")
def _site(django_db_setup: None, django_db_blocker: "DjangoDbBlocker") -> Iterator["Site"]:
    from tests.support.emptying import disconnect
    from tests.support.site import Site

    site = Site()
    site.start()
    yield site
    site.stop()
    with django_db_blocker.unblock():
        disconnect()


@pytest.fixture
def site(_site: "Site", transactional_db: None, settings: "Settings") -> Iterator["Site"]:
    """The real web server, connected to the test's database."""
    settings.BASE_URL = _site.url
    yield _site
    _site.rest()


@pytest.fixture
def database_url(transactional_db: None) -> str:
    """Return the address of the test's database for other processes.

    Other processes see only committed rows.
    """
    return _database_url()


def _database_url() -> str:
    from django.db import connection

    return urlunsplit(
        urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    )


@pytest.fixture
def start_worker(
    request: pytest.FixtureRequest,
    database_url: str,
    settings: "Settings",
    mailbox: "Mailbox",
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[..., "Worker"]]:
    """A function that starts real Celery workers.

    A worker started with ``beat=True`` also sweeps every second.
    """
    from roborunner.celery import app
    from tests.support import worlds
    from tests.support.worker import Worker

    worlds.end()
    app.control.purge()  # messages of earlier tests
    workers: list[Worker] = []

    def start(*, beat: bool = False, command: Sequence[str] | None = None, **more: str) -> Worker:
        variables = {
            "DATABASE_URL": database_url,
            "EMAIL_URL": mailbox.url,
            "BASE_URL": settings.BASE_URL,
            "SWEEP_SECONDS": "1",
            **more,
        }
        worker = Worker(tmp_path_factory.mktemp("worker"), variables)
        workers.append(worker)
        worker.start(beat=beat, command=command)
        return worker

    if "site" in request.fixturenames:
        request.getfixturevalue("site")  # sets the address for links in mail
    yield start
    for worker in workers:
        worker.kill()  # the test is over


@pytest.fixture(scope="session")
def _loaded(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator["Loaded"]:
    from tests.support.loaded import Loaded

    loaded = Loaded(
        tmp_path_factory.mktemp("loaded"),
        {"DATABASE_URL": _database_url(), "EMAIL_URL": "smtp://127.0.0.1:25", "SWEEP_SECONDS": "1"},
    )
    loaded.start()
    yield loaded
    loaded.stop()


@pytest.fixture
def fork_worker(
    start_worker: Callable[..., "Worker"],
    _loaded: "Loaded",
    mailbox: "Mailbox",
    settings: "Settings",
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[..., "ForkedWorker"]]:
    """A faster `start_worker`: it forks a process that has loaded the project."""
    workers: list[ForkedWorker] = []

    def fork(**options: Any) -> "ForkedWorker":
        directory = tmp_path_factory.mktemp("worker")
        worker = _loaded.worker(directory, base_url=settings.BASE_URL, port=mailbox.port, **options)
        workers.append(worker)
        return worker

    yield fork
    for worker in workers:
        worker.kill()  # the test is over


@pytest.fixture
def worker(fork_worker: Callable[..., "ForkedWorker"]) -> "ForkedWorker":
    return fork_worker()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Disable garbage collection while tests are collected. There is no garbage then."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Exempt all loaded modules and tests from garbage collection."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark browser tests and run them last. Within both groups, run long tests first.

    Browser tests leave an event loop running.
    """
    browser = Path(__file__).parent / "browser"
    for item in items:
        if browser in item.path.parents:
            item.add_marker("browser")
    marked = pytest.Item.get_closest_marker
    items.sort(key=lambda item: (marked(item, "browser") is not None, marked(item, "long") is None))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Start each test's fixtures from a prepared world (see `worlds`)."""
    if not item.config.pluginmanager.hasplugin("django"):
        return (yield)
    from tests.support import worlds

    names: list[str] = getattr(item, "fixturenames", [])
    with worlds.beginning(committed="site" in names):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Give each test its own clock, and let browser tests use the database.

    Django refuses database access while an event loop runs, as in browser tests. A fixture would end the
    permission too early, before the database is emptied.
    """
    if not item.config.pluginmanager.hasplugin("django"):
        return (yield)
    from tests.support import clock

    with clock.of_test(item):
        if item.get_closest_marker("browser") is None:
            return (yield)
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
        try:
            return (yield)
        finally:
            del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(params=["planned each time", "planned once"])
def planning(request: pytest.FixtureRequest, db: None) -> Iterator[None]:
    """Make Postgres either plan each statement every time, or reuse its plans."""
    from django.db import connection

    connection.ensure_connection()
    before = connection.connection.prepare_threshold
    connection.connection.prepare_threshold = None if request.param == "planned each time" else 0
    yield
    connection.connection.prepare_threshold = before
