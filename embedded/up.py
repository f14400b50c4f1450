"""The whole site on this machine: servers, migrations, starships, demo, web, two workers and beat."""

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

from embedded import children, secret
from embedded.managing import PROJECT, manage
from embedded.problem import Failure
from embedded.servers import Servers

_FIRST_PORT = 8000
_PORTS = 100  # tried in turn when no port is given
_PATIENCE = 60.0  # seconds for web and worker to be ready

_Processes = Mapping[str, subprocess.Popen[bytes]]


def run(directory: Path, given: Mapping[str, str]) -> None:
    """Start everything, print the address when all is ready, and look after it until interrupted."""
    port = _choose_port(given.get("PORT", ""))
    with ExitStack() as stack:
        servers = stack.enter_context(Servers(directory, given))
        environment = {
            "BASE_URL": f"http://localhost:{port}",
            "EMAIL_URL": (directory.resolve() / "mail").as_uri(),
            "SECRET_KEY": secret.key(directory),
            # By itself uvicorn believes X-Forwarded-For from every program on this machine.
            "FORWARDED_ALLOW_IPS": "",
            **given,
            **servers.environment,
        }
        demo = manage(environment, "prepare", "--demo", "--verbosity=0")
        processes = _start(directory, environment, port, stack)
        _wait_until_ready(directory, port, processes)
        print(f"Robo Runner is at {environment['BASE_URL']} (Ctrl-C stops it)")
        print(demo, end="", flush=True)
        while True:
            _check(directory, processes)
            if ended := servers.ended():
                raise Failure(f"{ended} ended by itself; see {directory / ended.lower()}.log.")
            time.sleep(0.5)


def commands(port: int) -> dict[str, list[str]]:
    """Return how the processes of the site are called, by their names, after ``python -m``."""
    return {
        "worker": [
            *("celery", "--app=roborunner", "worker", "--queues=sweeps,celery,mail"),
            *("--concurrency=2", "--loglevel=INFO"),
            *("--without-gossip", "--without-mingle"),  # which look for other workers, for a second
        ],
        # Machines outside may keep it waiting: nothing else waits with it, and threads cost little.
        "caller": [
            *("celery", "--app=roborunner", "worker", "--queues=webhooks,push", "--hostname=caller@%h"),
            *("--pool=threads", "--concurrency=8", "--loglevel=INFO"),
            *("--without-gossip", "--without-mingle"),
        ],
        "beat": [
            *("celery", "--app=roborunner", "beat", "--pidfile="),
            "--scheduler=celery.beat:Scheduler",  # remembers nothing: the sweep may well come once too often
        ],
        "web": [
            *("uvicorn", "roborunner.asgi:application", "--host=127.0.0.1", f"--port={port}"),
            *("--timeout-graceful-shutdown=3", "--no-access-log", "--lifespan=off"),
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


def _start(
    directory: Path, environment: Mapping[str, str], port: int, stack: ExitStack
) -> dict[str, subprocess.Popen[bytes]]:
    """Start the workers, beat and web; `stack` stops them in the opposite order."""
    _worker_ready(directory).unlink(missing_ok=True)
    special = {
        "worker": {"WORKER_READY_FILE": str(_worker_ready(directory).resolve())},
        "caller": {"WORKER_METRICS_PORT": ""},  # the worker shows for both what METRICS_DIRECTORY holds
        "web": {"DATABASE_POOL": "1"},
    }
    processes = {}
    for name, command in commands(port).items():
        processes[name] = children.start(
            [sys.executable, "-m", *command],
            env={**environment, **special.get(name, {})},
            log=directory / f"{name}.log",
            directory=PROJECT,
        )
        stack.callback(children.stop, processes[name], SIGTERM, patience=20.0)
    return processes


def _wait_until_ready(directory: Path, port: int, processes: _Processes) -> None:
    end = time.monotonic() + _PATIENCE
    while not (_worker_ready(directory).exists() and _answers(directory, port)):
        _check(directory, processes)
        if time.monotonic() > end:
            raise Failure(f"Web or worker is not ready after {_PATIENCE:.0f} s; see the logs in {directory}.")
        time.sleep(0.1)


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


def _check(directory: Path, processes: _Processes) -> None:
    for name, process in processes.items():
        status = process.poll()
        if status is not None:
            raise Failure(f"The {name} process ended with status {status}; see {directory / name}.log.")


def _worker_ready(directory: Path) -> Path:
    return directory / "worker-ready"
