"""The whole site on this machine: servers, migrations, starships, demo, web, four workers and beat.

A new site gets a copy of a database that has all but the demo, so that web and worker start at once. The demo
is made, and the rest starts, when the site answers: until then two processors have enough to do.
"""

import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from signal import SIGTERM

from embedded import children, kept, secret
from embedded.managing import PROJECT, manage
from embedded.problem import Failure
from embedded.servers import Servers

_FIRST_PORT = 8000
_PORTS = 100  # tried in turn when no port is given
_NICE = {"thinker": "10", "lab": "19"}  # how far they stand behind turns and pages
_PATIENCE = 60.0  # seconds for web and worker to be ready


def run(directory: Path, given: Mapping[str, str]) -> None:
    """Start everything, print the address when all is ready, and look after it until interrupted."""
    port = _choose_port(given.get("PORT", ""))
    new = False

    def fill(place: Path) -> None:
        nonlocal new
        kept.copy_database(place, given)
        new = True

    with ExitStack() as stack:
        servers = stack.enter_context(Servers(directory, given, fill=fill))
        environment = {
            "BASE_URL": f"http://localhost:{port}",
            "EMAIL_URL": (directory.resolve() / "mail").as_uri(),
            "SECRET_KEY": secret.key(directory),
            # By itself uvicorn believes X-Forwarded-For from every program on this machine.
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
        print(manage(environment, "make_demo", "--skip-checks"), end="", flush=True)
        while True:
            site.check()
            if ended := servers.ended():
                raise Failure(f"{ended} ended by itself; see {directory / ended.lower()}.log.")
            time.sleep(0.5)


def _static(directory: Path, given: Mapping[str, str]) -> dict[str, str]:
    """Return where ready static files are served from; with DEBUG it is the sources, as they change."""
    if given.get("STATIC_ROOT") or given.get("DEBUG"):
        return {}
    place = directory.resolve() / "static"
    kept.copy_static(place, given)
    return {"STATIC_ROOT": str(place)}


def commands(port: int) -> dict[str, list[str]]:
    """Return how the processes of the site are called, by their names, after ``python -m``."""
    return {
        "worker": [
            *("celery", "--app=roborunner", "worker", "--queues=sweeps,celery,mail"),
            *("--concurrency=2", "--loglevel=INFO"),
            *("--without-gossip", "--without-mingle"),  # which look for other workers, for a second
        ],
        # Computers think behind turns: however many wait here, those that people have ordered are played.
        "thinker": [
            *("celery", "--app=roborunner", "worker", "--queues=thinking", "--hostname=thinker@%h"),
            *("--concurrency=1", "--loglevel=INFO"),
            *("--without-gossip", "--without-mingle"),
        ],
        # Machines outside may keep it waiting: nothing else waits with it, and threads cost little.
        "caller": [
            *("celery", "--app=roborunner", "worker", "--queues=webhooks,push", "--hostname=caller@%h"),
            *("--pool=threads", "--concurrency=8", "--loglevel=INFO"),
            *("--without-gossip", "--without-mingle"),
        ],
        # The wind tunnel flies ships while nothing else has anything to do.
        "lab": [
            *("celery", "--app=roborunner", "worker", "--queues=lab", "--hostname=lab@%h"),
            *("--concurrency=1", "--loglevel=INFO"),
            *("--without-gossip", "--without-mingle"),
        ],
        "beat": [
            *("celery", "--app=roborunner", "beat", "--pidfile="),
            "--scheduler=celery.beat:Scheduler",  # remembers nothing: the sweep may well come once too often
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
    """The processes of the site; `stack` stops them, first web, last the worker."""

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
        """Start some of the processes."""
        special = {
            "worker": {"WORKER_READY_FILE": str(self._worker_ready.resolve())},
            # The worker shows for all what METRICS_DIRECTORY holds, and what it checks is checked once.
            "caller": {"WORKER_METRICS_PORT": "", "CELERY_SKIP_CHECKS": "1"},
            "lab": {"WORKER_METRICS_PORT": "", "CELERY_SKIP_CHECKS": "1"},
            "thinker": {"WORKER_METRICS_PORT": "", "CELERY_SKIP_CHECKS": "1"},
            "web": {"DATABASE_POOL": "1"},
        }
        own = {"DATABASE_PREPARES": "1"}  # between them and their Postgres there is nothing
        nice = shutil.which("nice")
        for name in names:
            humble = [nice, "-n", _NICE[name]] if nice and name in _NICE else []
            self._processes[name] = children.start(
                [*humble, sys.executable, "-m", *self._commands[name]],
                env={**own, **self._environment, **special.get(name, {})},
                log=self._directory / f"{name}.log",
                directory=PROJECT,
            )

    def wait(self) -> None:
        """Return once web and worker are ready; raise `Failure` if they do not come."""
        end = time.monotonic() + _PATIENCE
        while not (_answers(self._directory, self._port) and self._worker_ready.exists()):
            self.check()
            if time.monotonic() > end:
                raise Failure(
                    f"Web or worker is not ready after {_PATIENCE:.0f} s; see the logs in {self._directory}."
                )
            time.sleep(0.05)

    def check(self) -> None:
        """Raise `Failure` if a process has ended."""
        for name, process in self._processes.items():
            status = process.poll()
            if status is not None:
                raise Failure(
                    f"The {name} process ended with status {status}; see {self._directory / name}.log."
                )

    def _stop(self) -> None:
        for name in reversed(self._commands):
            if name in self._processes:
                children.stop(self._processes[name], SIGTERM, patience=20.0)


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
