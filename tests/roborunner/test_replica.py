"""A real streaming replica answers some reads. The site works without it too."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import redis

from embedded import paths, processes, up
from embedded.servers import Postgres, Servers
from games.reading import MAX_DELAY_SECONDS, SECONDS_AFTER_WRITE
from tests.games.together import wait_until
from tests.support.web import answer, frozen, serving

LIST = "/starships/"


class Two:
    """A server and its replica, and a web process that uses both."""

    def __init__(self, first: str, broker: str, replica: Postgres, directory: Path) -> None:
        self.first, self.replica, self.directory = first, replica, directory
        self.port = 0
        self._broker = broker
        self._named = 0

    def rename(self) -> str:
        """Rename a starship on the server. Return the new name."""
        self._named += 1
        name = f"Ship number {self._named}"
        with psycopg.connect(self.first, autocommit=True) as connection:
            connection.execute("UPDATE games_starship SET name = %s WHERE id = %s", [name, self.starship])
        return name

    @property
    def starship(self) -> int:
        """The ID of a starship."""
        with psycopg.connect(self.first) as connection:
            row = connection.execute("SELECT min(id) FROM games_starship WHERE NOT retired").fetchone()
        assert row
        return int(row[0])

    def shown(self, address: str = LIST) -> str:
        """Return the text of a page. Fail if the response takes 5 seconds or more."""
        status, seconds, text = answer(self.port, address)
        assert (status, seconds < 5) == (200, True), f"{status} after {seconds:.1f} s"
        return text

    def forget_who_wrote(self) -> None:
        """Clear the list of people who wrote recently, and so must not read the replica."""
        redis.Redis.from_url(self._broker).flushall()

    @contextmanager
    def behind(self) -> Iterator[None]:
        """Pause replication in the block, so that the replica has old data."""
        with psycopg.connect(self.replica.url, autocommit=True) as connection:
            connection.execute("SELECT pg_wal_replay_pause()")
            yield
            connection.execute("SELECT pg_wal_replay_resume()")

    def is_read(self) -> bool:
        """Return whether pages come from the replica. They then show old data."""
        with self.behind():
            return self.rename() not in self.shown()


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    place = tmp_path_factory.mktemp("two")
    with Servers(
        place / "first", {}, disposable=True, fill=lambda to: up.copy_database(to, os.environ)
    ) as servers:
        environment = {**os.environ, **servers.environment, "DATABASE_POOL": "1"}
        replica = Postgres(place / "replica", fill=_follower(servers.environment["DATABASE_URL"]))
        paths.socket_directory(place / "replica").mkdir(parents=True, mode=0o700)
        replica.start()
        found = Two(*servers.environment.values(), replica, place / "replica")
        with serving(environment | {"DATABASE_REPLICA_URL": replica.url}, place / "web.log") as found.port:
            yield found
        replica.stop()


def _follower(url: str) -> Callable[[Path], None]:
    """Return a function that makes a replica of the server at the given address."""

    def fill(place: Path) -> None:
        copy = [paths.postgres_program("pg_basebackup"), f"--dbname={url}", f"--pgdata={place}"]
        command = [*copy, "--write-recovery-conf", "--checkpoint=fast"]
        done = processes.finish(command, env=processes.server_environment(), never_root=True)
        assert not done.returncode, done.stderr

    return fill


@pytest.fixture(autouse=True)
def followed(two: Two) -> None:
    """Wait until the web process reads from the replica."""
    two.forget_who_wrote()
    wait_until(two.is_read)


def test_writers_see_their_changes_at_once(two: Two) -> None:
    with two.behind():
        name = two.rename()
        assert name not in two.shown()
        answer(two.port, "/accounts/login/", "POST")
        assert name in two.shown()
    assert SECONDS_AFTER_WRITE > MAX_DELAY_SECONDS


def test_rows_missing_on_the_replica_come_from_the_server(two: Two) -> None:
    with psycopg.connect(two.first, autocommit=True) as connection, two.behind():
        names = "builder, section, position, seats_least, seats_most, retired, current_id, created_at"
        connection.execute(
            f"INSERT INTO games_starship (slug, name, {names}) SELECT 'new', 'New', {names}"
            " FROM games_starship WHERE id = %s",
            [two.starship],
        )
        row = connection.execute("SELECT id FROM games_starship WHERE slug = 'new'").fetchone()
        assert row
        assert "New" in two.shown(f"{LIST}{row[0]}/")
        assert f'"{LIST}{row[0]}/"' not in two.shown()  # the list may be old
        connection.execute("DELETE FROM games_starship WHERE slug = 'new'")


def test_a_replica_too_far_behind_is_not_used(two: Two) -> None:
    with two.behind():
        name, begun = two.rename(), time.monotonic()
        assert name not in two.shown()
        wait_until(lambda: name in two.shown())
        assert time.monotonic() - begun > MAX_DELAY_SECONDS - 2


def test_pages_survive_the_death_and_return_of_the_replica(two: Two) -> None:
    name = two.rename()
    two.replica.kill()
    for _ in range(5):
        assert name in two.shown()
    two.replica.start()
    wait_until(two.is_read)


def test_a_frozen_replica_delays_only_one_page(two: Two) -> None:
    name = two.rename()
    with frozen(two.directory):
        assert name in two.shown()
        begun = time.monotonic()
        assert name in two.shown()
        assert time.monotonic() - begun < 1  # already known as frozen


def test_a_replica_promoted_to_a_server_is_not_used(two: Two) -> None:
    with psycopg.connect(two.replica.url, autocommit=True) as connection:
        connection.execute("SELECT pg_promote()")
    name = two.rename()
    wait_until(lambda: name in two.shown())
    assert two.rename() in two.shown()
