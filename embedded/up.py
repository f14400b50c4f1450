"""Run the whole site on this machine: servers, data, web, four workers and beat.

An empty site's database and the static files take a long time to build, and are the same for all new sites.
They are built once for the current sources, stored in ``.made`` beside the sources, and copied into each new
site.
"""

import fcntl
import hashlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from signal import SIGTERM

from embedded import paths, processes
from embedded.paths import Failure
from embedded.processes import PROJECT, manage
from embedded.servers import Postgres, Servers

STORE = PROJECT / ".made"

_LOCK = "requirements-dev.lock"  # packages bring tables and files
_PYTHON = tuple(f"{part}/**/*.py" for part in ("accounts", "embedded", "games", "roborunner", "rules"))
DATABASE_SOURCES = (*_PYTHON, "fixtures/**/*", _LOCK)
_STATIC_SOURCES = ("static/**/*", "roborunner/templates.py", "roborunner/settings.py", _LOCK)

# Values only for reading the settings. The stored copies contain nothing signed with this key.
_BUILD_ENVIRONMENT = {
    "SECRET_KEY": "for-making-what-is-kept-and-nothing-else-at-all",
    "REDIS_URL": "redis://localhost",
}


def copy_database(to: Path, given: Mapping[str, str] = os.environ) -> None:
    """Create a Postgres cluster in `to` with the database of an empty site.

    Raises `Failure` if that fails.
    """
    with stored_copy("database", DATABASE_SOURCES, lambda place: _make_database(place, given)) as kept:
        _copy(kept / "postgres", to, never_root=True)
    # Sync it to the disk, as initdb does.
    _finish([paths.postgres_program("initdb"), "--sync-only", f"--pgdata={to}"], never_root=True)


def copy_static(to: Path, given: Mapping[str, str]) -> None:
    """Copy the static files to the directory `to`, replacing it. Raises `Failure` if that fails."""
    shutil.rmtree(to, ignore_errors=True)
    with stored_copy("static", _STATIC_SOURCES, lambda place: _collect(place, given)) as kept:
        _copy(kept, to)


def make(given: Mapping[str, str]) -> None:
    """Build the stored copies of the empty database and the static files, if missing or out of date."""
    with stored_copy("database", DATABASE_SOURCES, lambda place: _make_database(place, given)):
        pass
    with stored_copy("static", _STATIC_SOURCES, lambda place: _collect(place, given)):
        pass


@contextmanager
def stored_copy(name: str, patterns: tuple[str, ...], make: Callable[[Path], None]) -> Iterator[Path]:
    """Yield the directory of the stored copy called `name`. If the sources have changed, rebuild it first.

    Only one process at a time builds or uses the copy.
    """
    STORE.mkdir(exist_ok=True)
    descriptor = os.open(STORE / f"{name}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        directory, stamp = STORE / name, STORE / f"{name}.stamp"
        now = _digest(patterns)
        if not (directory.exists() and stamp.exists() and stamp.read_text() == now):
            unfinished = STORE / f"{name}.unfinished"
            for gone in (unfinished, directory):
                shutil.rmtree(gone, ignore_errors=True)
            make(unfinished)
            unfinished.rename(directory)
            stamp.write_text(now)
        yield directory
    finally:
        os.close(descriptor)


def _digest(patterns: tuple[str, ...]) -> str:
    """Return a hash of the names and contents of files."""
    found = sorted(path for pattern in patterns for path in PROJECT.glob(pattern) if path.is_file())
    digest = hashlib.sha256()
    for path in found:
        digest.update(f"{path.relative_to(PROJECT)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _make_database(place: Path, given: Mapping[str, str]) -> None:
    """Build a Postgres cluster with all tables, starships and missions. Stop its server at the end."""
    place.mkdir(mode=0o700)
    sockets = paths.socket_directory(place)
    sockets.mkdir(parents=True, exist_ok=True, mode=0o700)
    server = Postgres(place)
    try:
        server.start()
        manage({**given, **_BUILD_ENVIRONMENT, "DATABASE_URL": server.url}, "prepare", "--verbosity=0")
    finally:
        server.stop()
        shutil.rmtree(sockets, ignore_errors=True)


def _collect(place: Path, given: Mapping[str, str]) -> None:
    told = {**given, **_BUILD_ENVIRONMENT, "STATIC_ROOT": str(place)}
    manage(told, "collectstatic", "--noinput", "--verbosity=0")


def _copy(what: Path, to: Path, *, never_root: bool = False) -> None:
    # Postgres never runs as root, so `cp` runs as its account. `cp` shares blocks if the file system can.
    _finish(["cp", "-Rp", what, to], never_root=never_root)


def _finish(command: Sequence[str | Path], *, never_root: bool) -> None:
    done = processes.finish(command, env=processes.server_environment(), never_root=never_root)
    if done.returncode:
        raise Failure(done.stderr.strip() or f"{command[0]} failed with status {done.returncode}.")


_FIRST_PORT = 8000
_PORTS = 100  # the number of ports to try if no port is given
_NICE = {"thinker": "10", "lab": "19"}  # lower priority than turns and pages
_READY_IN = 60.0  # seconds until web and worker must be ready


def run(directory: Path, given: Mapping[str, str]) -> None:
    """Start all servers and processes, print the address, and supervise them until interrupted."""
    port = _choose_port(given.get("PORT", ""))
    new = False

    def fill(place: Path) -> None:
        nonlocal new
        copy_database(place, given)
        new = True

    with ExitStack() as stack:
        servers = stack.enter_context(Servers(directory, given, fill=fill))
        environment = {
            "BASE_URL": f"http://localhost:{port}",
            "EMAIL_URL": (directory.resolve() / "mail").as_uri(),
            "SECRET_KEY": paths.secret_key(directory),
            # uvicorn's default trusts X-Forwarded-For from every program on this machine.
            "FORWARDED_ALLOW_IPS": "",
            **_static(directory, given),
            **given,
            **servers.environment,
        }
        if not new:
            manage(environment, "prepare", "--verbosity=0")
        site = _Site(directory, environment, port, stack)
        site.start("web", "worker")
        site.wait()
        print(f"Robo Runner is at {environment['BASE_URL']} (Ctrl-C stops it)", flush=True)
        site.start("thinker", "caller", "lab", "beat")
        print(manage(environment, "make_demo"), end="", flush=True)
        while True:
            site.check()
            if ended := servers.ended():
                raise Failure(f"{ended} ended by itself; see {directory / ended.lower()}.log.")
            time.sleep(0.5)


def _static(directory: Path, given: Mapping[str, str]) -> dict[str, str]:
    """Copy the static files for a new site, and return the variable STATIC_ROOT.

    Copies nothing if the variable is given, or if DEBUG serves the files from their sources.
    """
    if given.get("STATIC_ROOT") or given.get("DEBUG"):
        return {}
    place = directory.resolve() / "static"
    copy_static(place, given)
    return {"STATIC_ROOT": str(place)}


def commands(port: int) -> dict[str, list[str]]:
    """Return the arguments after ``python -m`` to start each process of the site, by process name."""
    return {
        "worker": [
            *("celery", "--app=roborunner", "worker", "--queues=sweeps,celery,mail"),
            *("--concurrency=2", "--loglevel=INFO"),
            *("--without-gossip", "--without-mingle"),  # a search for other workers would take a second
        ],
        # Computers think separately, so that they never delay the turns of people.
        "thinker": [
            *("celery", "--app=roborunner", "worker", "--queues=thinking", "--hostname=thinker@%h"),
            *("--concurrency=1", "--loglevel=INFO"),
            *("--without-gossip", "--without-mingle"),
        ],
        # External servers may keep this worker waiting. Waiting threads cost little.
        "caller": [
            *("celery", "--app=roborunner", "worker", "--queues=webhooks,push", "--hostname=caller@%h"),
            *("--pool=threads", "--concurrency=8", "--loglevel=INFO"),
            *("--without-gossip", "--without-mingle"),
        ],
        # The wind tunnel flies ships while all other processes are idle.
        "lab": [
            *("celery", "--app=roborunner", "worker", "--queues=lab", "--hostname=lab@%h"),
            *("--concurrency=1", "--loglevel=INFO"),
            *("--without-gossip", "--without-mingle"),
        ],
        "beat": [
            *("celery", "--app=roborunner", "beat", "--pidfile="),
            "--scheduler=celery.beat:Scheduler",  # stores no state, since one sweep too many does no harm
        ],
        "web": [
            *("uvicorn", "roborunner.asgi:application", "--host=127.0.0.1", f"--port={port}"),
            *("--http=roborunner.protocol:Bounded", "--no-access-log", "--lifespan=off"),
            "--timeout-graceful-shutdown=3",
        ],
    }


def _choose_port(wanted: str) -> int:
    if not wanted:
        return next(filter(_is_free, range(_FIRST_PORT, _FIRST_PORT + _PORTS)), _FIRST_PORT)
    if not wanted.isdecimal() or not 0 < int(wanted) < 65536:
        raise Failure(f"The variable PORT is wrong: {wanted} is not a number from 1 to 65535.")
    if not _is_free(int(wanted)):
        raise Failure(f"Port {wanted} is taken: choose another, or leave PORT out to get a free one.")
    return int(wanted)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


class _Site:
    """The processes of the site.

    When `stack` closes, it stops them: the web process first, the main worker last.
    """

    def __init__(self, directory: Path, environment: Mapping[str, str], port: int, stack: ExitStack) -> None:
        self._directory = directory
        self._environment = environment
        self._port = port
        self._commands = commands(port)
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._worker_ready = directory / "worker-ready"
        self._worker_ready.unlink(missing_ok=True)
        stack.callback(self._stop)

    def start(self, *names: str) -> None:
        special = {
            "worker": {"WORKER_READY_FILE": str(self._worker_ready.resolve())},
            # The main worker serves the metrics of all workers, and only it runs Django's checks.
            "caller": {"WORKER_METRICS_PORT": "", "CELERY_SKIP_CHECKS": "1"},
            "lab": {"WORKER_METRICS_PORT": "", "CELERY_SKIP_CHECKS": "1"},
            "thinker": {"WORKER_METRICS_PORT": "", "CELERY_SKIP_CHECKS": "1"},
            "web": {"DATABASE_POOL": "1"},
        }
        own = {"DATABASE_PREPARES": "1"}  # there is no pooler between the site and Postgres
        nice = shutil.which("nice")
        for name in names:
            humble = [nice, "-n", _NICE[name]] if nice and name in _NICE else []
            self._processes[name] = processes.start(
                [*humble, sys.executable, "-m", *self._commands[name]],
                env={**own, **self._environment, **special.get(name, {})},
                log=self._directory / f"{name}.log",
                directory=PROJECT,
            )

    def wait(self) -> None:
        """Wait until the web process and the main worker are ready.

        Raises `Failure` if that takes too long.
        """
        end = time.monotonic() + _READY_IN
        while not (_answers(self._directory, self._port) and self._worker_ready.exists()):
            self.check()
            if time.monotonic() > end:
                raise Failure(
                    f"Web or worker is not ready after {_READY_IN:.0f} s. See the logs in {self._directory}."
                )
            time.sleep(0.05)

    def check(self) -> None:
        """Raise `Failure` if a process of the site has ended."""
        for name, process in self._processes.items():
            status = process.poll()
            if status is not None:
                raise Failure(
                    f"The {name} process ended with status {status}; see {self._directory / name}.log."
                )

    def _stop(self) -> None:
        for name in reversed(self._commands):
            if name in self._processes:
                processes.stop(self._processes[name], SIGTERM, timeout=20.0)


def _answers(directory: Path, port: int) -> bool:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).close()
    except urllib.error.HTTPError as error:
        error.close()
        if error.code >= 500:
            raise Failure(
                f"The web process answers with error {error.code}; see {directory / 'web.log'}."
            ) from None
    except OSError:
        return False
    return True
