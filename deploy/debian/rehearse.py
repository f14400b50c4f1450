"""Rehearse docs/machine.md without systemd, on new Debian servers, and time it.

    python -m deploy.debian.rehearse [DIRECTORY]

The script creates a cluster of Debian's newest PostgreSQL and starts Debian's Redis. It runs `install.sh`
for a directory instead of /, and starts the commands of the systemd units, with Caddy in front. Each of these
processes is called a part. In place of systemd, the script restarts parts that have ended.

The script sends a test notification, and plays some turns through Caddy. It kills one part of each kind at
the same time with SIGKILL. It makes a backup and a restore drill, restores the backup into a new database,
switches the site to this database, and continues the game. Then it upgrades the site while pages are
requested: once to a release that works, and once to a release whose workers do not start, which must be taken
back. It prints the duration of each step in seconds, as JSON. The exit status is 1 if a step fails.
"""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stdout, suppress
from fnmatch import fnmatch
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from bench.orders import first_chips
from deploy import site
from deploy.recipes import Debian, Failure as Failed, Runner
from deploy.site import HEALTHY_SECONDS
from embedded import paths, processes
from embedded.paths import Failure

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
POSTGRES = max(paths.DEBIAN.glob("*/bin"), key=lambda place: int(place.parent.name))

KILLED = ("postgres", "web@", "beat", "worker@turns", "caddy", "redis")
"""The name prefixes of the processes to kill, one of each kind. Workers differ only in their queues."""

PLAYING = ("web@", "beat", "worker@turns", "worker@thinking")
"""The name prefixes of the processes required for a game to continue."""

WAIT_SECONDS = 240.0
"""The maximum number of seconds to wait for anything, on a busy machine."""

SWEEP_SECONDS = "5"
"""The number of seconds between two sweeps. The default of 30 would make the rehearsal wait longer."""

FAILING_SECONDS = 8.0
"""The maximum number of seconds to wait until a broken release is healthy."""

PLAYER = """
from django.utils import timezone
from accounts.models import User
from games.people.tokens import make_token
user = User.objects.create_user("Alice", "alice@example.org")
user.confirm_email()
print("token", make_token(user=user, now=timezone.now()))
"""


class Part:
    """A process started like a systemd unit, and restarted if it ends."""

    def __init__(
        self,
        name: str,
        command: list[str],
        environment: dict[str, str],
        log: Path,
        *,
        directory: Path = PROJECT,
        never_root: bool = False,
    ) -> None:
        self.name = name
        self.directories: list[Path] = []
        self._command, self._environment, self._log = command, environment, log
        self._never_root, self._directory = never_root, directory
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        for directory in self.directories:
            shutil.rmtree(directory, ignore_errors=True)
            directory.mkdir(parents=True)
        self._process = processes.start(
            self._command,
            env=self._environment,
            log=self._log,
            directory=self._directory.resolve(),
            never_root=self._never_root,
        )

    def finish(self) -> None:
        """Start a part of the type ``oneshot``, and wait for its end. Raise `Failure` if it fails."""
        self.start()
        assert self._process
        _require(not self._process.wait(WAIT_SECONDS), f"{self.name} failed: {self._log.read_text()}")

    def kill(self) -> None:
        assert self._process
        processes.kill(self._process)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self._process:
            processes.stop(self._process, how, timeout=90)

    def ended(self) -> bool:
        return self._process is None or self._process.poll() is not None


def unit(root: Path, name: str, overrides: dict[str, str]) -> Part:
    """Return a `Part` for a systemd unit. Reads only the syntax that this site's units use."""
    base, _, instance = name.partition("@")
    file = root / "etc/systemd/system" / (f"{base}@.service" if instance else f"{base}.service")
    said: dict[str, list[str]] = {}
    for line in file.read_text().splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            value = value.replace("%i", instance).replace("%H", socket.gethostname())
            said.setdefault(key, []).append(value)
    environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    for value in said.get("Environment", []):
        environment |= {key: told for key, _, told in (pair.partition("=") for pair in shlex.split(value))}
    for path in said.get("EnvironmentFile", []):
        environment.update(settings_in(Path(path)))
    environment.update(overrides)
    [start] = said["ExecStart"]
    start = re.sub(r"\$\{(\w+)\}", lambda found: environment[found[1]], start)
    [place] = said["WorkingDirectory"]
    part = Part(name, shlex.split(start), environment, root / f"{name}.log", directory=Path(place))
    part.directories = [root / "run" / directory for directory in said.get("RuntimeDirectory", [])]
    return part


def settings_in(file: Path) -> dict[str, str]:
    """Return the environment variables in a file, parsed as systemd and the shell parse them."""
    lines = (line for line in file.read_text().splitlines() if "=" in line and not line.startswith("#"))
    return {name: "".join(shlex.split(value)) for name, value in (line.split("=", 1) for line in lines)}


def units_of(root: Path) -> list[str]:
    """Return the names of the units that the site's systemd target starts."""
    target = (root / "etc/systemd/system/robo-runner.target").read_text()
    wanted = [name for line in re.findall(r"^Wants=(.*)$", target, re.MULTILINE) for name in line.split()]
    return [name.removesuffix(".service") for name in wanted if name.startswith("robo-runner-")]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


class Supervised(Runner):
    """Runs commands. Passes the commands for systemctl to a function."""

    def __init__(self, systemctl: Callable[[Sequence[str]], str]) -> None:
        self._systemctl = systemctl

    def run(
        self, *command: str | Path, env: Mapping[str, str] | None = None, given: str = "", check: bool = True
    ) -> str:
        words = [str(word) for word in command]
        if words[0] == "systemctl":
            return self._systemctl(words[1:])
        return super().run(*command, env=env, given=given, check=check)


class Visitor(Thread):
    """A person who opens pages all the time, and counts failures."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self._url, self._over = url, Event()
        self.opened, self.failures = 0, list[str]()

    def run(self) -> None:
        while not self._over.wait(0.2):
            for path in ("/", "/games/", "/static/site/favicon.svg"):
                try:
                    with urlopen(self._url + path, timeout=20) as answer:  # noqa: S310
                        answer.read()
                except (HTTPError, URLError, OSError) as error:
                    self.failures.append(f"{path}: {error}")
                self.opened += 1

    def stop(self) -> None:
        self._over.set()
        self.join()


class Rehearsal:
    """A run of the steps in docs/machine.md. ``steps`` has the seconds that each step took."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.steps: dict[str, float] = {}
        self.pages: dict[str, int] = {}
        self.url = f"http://localhost:{free_port()}"
        self._web, self._spare, self._trial = free_port(), free_port(), free_port()
        self._recipe = Debian(
            Supervised(self._systemctl), root=str(root), ports=(self._web, self._spare, self._trial)
        )
        self._servers = root / "servers"
        self._database_url = f"postgresql://robo@%2F{str(self._servers).strip('/').replace('/', '%2F')}/robo"
        self._redis_url = f"unix://{self._servers}/redis?db=0"
        self._parts: dict[str, Part] = {}
        self._token = ""
        self._game = 0

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        print(f"== {name}", file=sys.stderr, flush=True)
        begin = time.monotonic()
        yield
        self.steps[name] = round(time.monotonic() - begin, 1)

    def play(self) -> None:
        with self.step("servers of Debian's, fresh"):
            self._make_servers()
        with self.step("install.sh"):
            self._install()
        with self.step("start, until /readyz says ready"):
            self._start()
            self._wait_until_ready()
        with self.step("a test by every channel"):
            said = self._manage("send_test", "alice@example.org", fine=True)
            _require("streams: sent." in said, said)
        with self.step("sign up and first two turns of a game"):
            said = self._manage("shell", "--command", PLAYER)
            self._token = next(line.split()[1] for line in said.splitlines() if line.startswith("token "))
            self._begin_game()
            self._play_turn()
            self._play_turn()
        self._kill_kinds()
        game, turn = self._game, self._seen()["turn"]
        dumps = self.root / "var/backups/robo-runner"
        with self.step("backup"):
            unit(self.root, "robo-runner-backup", {}).finish()
        with self.step("restore drill"):
            unit(self.root, "robo-runner-drill", {}).finish()
        with self.step("a turn that no backup has"):
            self._play_turn()
        self._restore(next(dumps.iterdir()))
        self._game = game
        _require(self._seen()["turn"] == turn, f"the game is not at turn {turn} again")
        with self.step("the next turn of the game under way"):
            self._play_turn()
        self._upgrade()
        with self.step("stop"):
            self.close()

    def close(self) -> None:
        """Stop all processes, with Postgres and Redis last."""
        servers = {"postgres": signal.SIGINT, "redis": signal.SIGTERM}
        _stop(self._parts.pop(name) for name in list(self._parts) if name not in servers)
        for name, how in servers.items():
            if name in self._parts:
                self._parts.pop(name).stop(how)

    def _make_servers(self) -> None:
        self._servers.mkdir(mode=0o777)
        data = self._servers / "postgres"
        made = processes.finish(
            [
                *(POSTGRES / "initdb", f"--pgdata={data}", "--username=postgres", "--auth=trust"),
                *("--encoding=UTF8", "--locale=C.UTF-8"),
            ],
            env=processes.server_environment(),
            never_root=True,
        )
        _require(not made.returncode, made.stderr)
        postgres = [str(POSTGRES / "postgres"), "-D", str(data), "-k", str(self._servers), "-h", ""]
        redis = ["redis-server", "--port", "0", "--unixsocket", str(self._servers / "redis")]
        redis += ["--dir", str(self._servers), "--set-proc-title", "no"]
        environment = processes.server_environment()
        for name, command in (("postgres", postgres), ("redis", redis)):
            log = self.root / f"{name}.log"
            self._parts[name] = Part(name, command, environment, log, never_root=name == "postgres")
            self._parts[name].start()
        ready = [str(POSTGRES / "pg_isready"), "-h", str(self._servers)]
        self._wait(lambda: subprocess.run(ready, capture_output=True).returncode == 0, "Postgres")

    def _install(self) -> None:
        told = {
            "ROOT": str(self.root),
            "DATABASE_URL": self._database_url,
            "REDIS_URL": self._redis_url,
            "PGHOST": str(self._servers),
            "PGUSER": "postgres",
            "WEB_PORTS": f"{self._web} {self._spare}",
        }
        mail = (self.root / "mail").as_uri()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "DATABASE"))}
        done = subprocess.run(
            [HERE / "install.sh", self.url, mail], env={**kept, **told}, capture_output=True, text=True
        )
        _require(not done.returncode, done.stdout + done.stderr)

    def _start(self) -> None:
        self._open("")
        caddyfile = self.root / "Caddyfile"
        installed = (self.root / "etc/caddy/Caddyfile").read_text()
        caddyfile.write_text(installed.replace("\n{\n", "\n{\n\tadmin off\n", 1))
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.root)}
        command = ["caddy", "run", "--config", str(caddyfile)]
        self._parts["caddy"] = Part("caddy", command, environment, self.root / "caddy.log")
        self._parts["caddy"].start()

    def _open(self, *kinds: str) -> None:
        """Start the units of the site's systemd target that begin with one of the given prefixes."""
        for name in units_of(self.root):
            if name.removeprefix("robo-runner-").startswith(kinds):
                self._start_unit(name.replace("@8000", f"@{self._web}"))

    def _start_unit(self, name: str) -> None:
        overrides = {"SWEEP_SECONDS": SWEEP_SECONDS}
        if "worker@" in name:
            overrides["WORKER_METRICS_PORT"] = str(free_port())
        self._parts[name] = unit(self.root, name, overrides)
        self._parts[name].start()

    def _kill_kinds(self) -> None:
        """Kill one process of each kind at the same time, and delete the data saved by Redis.

        Then restart the processes, and play a turn.
        """
        names = [self._named(kind)[0] for kind in KILLED]
        with self.step(f"{', '.join(names)} killed, until a turn was played"):
            for name in names:
                self._parts[name].kill()
            (self._servers / "dump.rdb").unlink(missing_ok=True)
            time.sleep(1)  # as long as RestartSec in the units
            for name in names:
                self._parts[name].start()
            self._play_turn()
        self._wait_until_ready()

    def _named(self, *kinds: str) -> list[str]:
        """Return the names of the processes that begin with one of the given prefixes."""
        return [name for name in self._parts if name.removeprefix("robo-runner-").startswith(kinds)]

    def _restore(self, file: Path) -> None:
        with self.step("restore into a fresh database, and check"):
            createdb = ["createdb", f"--host={self._servers}", "--username=postgres"]
            subprocess.run([*createdb, "--owner=robo", "--template=template0", "restored"], check=True)
            said = self._manage("restore", str(file), "restored")
            _require("All games are sound: " in said, said)
        with self.step("stop, take-over and start, until /readyz says ready"):
            _stop(self._parts.pop(name) for name in list(self._parts) if name.startswith("robo-runner-"))
            said = self._manage("--as-administrator", "take_over", "restored")
            _require(said.startswith("The site now uses the data of restored"), said)
            self._open(*PLAYING)
            self._wait_until_ready()

    def _systemctl(self, words: Sequence[str]) -> str:
        """Start, stop and list parts as systemctl does."""
        verb, *rest = words
        named = [word for word in rest if not word.startswith("-") and not word.endswith(".target")]
        if verb == "list-units":
            [pattern] = named
            return "\n".join(name for name in self._parts if fnmatch(f"{name}.service", pattern))
        if verb == "show":
            [name] = named
            return f"ActiveState={'failed' if self._parts[name].ended() else 'active'}\nNRestarts=0"
        if verb in ("stop", "restart"):
            _stop(self._parts.pop(name) for name in named if name in self._parts)
        if verb in ("start", "restart"):
            for name in named:
                self._start_unit(name)
        return ""

    def _upgrade(self) -> None:
        """Upgrade the site while a visitor opens pages, to a release that works and to one that does not.

        Both are copies of the installed release. So they are built, which `install.sh` has already tried.
        """
        broken = self.root / "broken"
        shutil.copytree(self._recipe.releases / self._recipe.current(), broken, symlinks=True)
        with self._visited("an upgrade, while pages are requested"):
            site.upgrade(self._recipe, str(broken), agree=lambda: True, seconds=HEALTHY_SECONDS)
        release = self._recipe.current()
        with self.step("the next turn with the new release"):
            self._play_turn()
        (broken / "games/tasks.py").write_text("raise RuntimeError('a broken release')\n")
        failed = ""
        with self._visited("an upgrade whose workers do not start, until the old release was healthy"):
            try:
                site.upgrade(self._recipe, str(broken), agree=lambda: True, seconds=FAILING_SECONDS)
            except Failed as problem:
                failed = str(problem)
        _require("was taken back" in failed, failed or "the broken release runs")
        found = re.search(r"(\d+) s after the failure", failed)
        _require(found is not None and self._recipe.current() == release, failed)
        self.steps["of that, the way back"] = float(found[1]) if found else 0.0
        with self.step("the next turn with the old release"):
            self._play_turn()

    @contextmanager
    def _visited(self, name: str) -> Iterator[None]:
        """Take a step while a visitor opens pages. Each page must be there."""
        visitor = Visitor(self.url)
        visitor.start()
        with self.step(name):
            yield
        visitor.stop()
        self.pages[name] = visitor.opened
        _require(not visitor.failures, f"{len(visitor.failures)} of {visitor.opened}: {visitor.failures[:3]}")

    def _manage(self, *words: str, fine: bool = False) -> str:
        """Run manage.py as in docs/machine.md, and return its output.

        An error ends the rehearsal, unless `fine` is true.
        """
        done = subprocess.run(
            [self.root / "usr/local/bin/robo-runner", *words], capture_output=True, text=True
        )
        _require(fine or not done.returncode, done.stdout + done.stderr)
        return done.stdout

    def _begin_game(self) -> None:
        self._game = self._call("games/quick", {"strength": "rookie", "computers": 1})["id"]

    def _play_turn(self) -> None:
        """Submit orders and wait for the next turn. Retry if a request fails."""
        begun: list[int] = []

        def played() -> bool:
            seen = self._seen()
            if seen["status"] != "running":
                if not begun:  # the game ended with the last turn: continue in another one
                    self._begin_game()
                return bool(begun)
            begun.append(seen["turn"])
            if seen["turn"] > begun[0]:
                return True
            me = seen["robots"][seen["me"]["seat"] - 1]
            if me["name"] in seen["waiting_for"]:
                with suppress(HTTPError):  # for example if the turn was played in the meantime
                    self._call(f"games/{self._game}/turns/{seen['turn']}/orders", first_chips(seen, me))
            return False

        self._wait(played, "a turn")

    def _seen(self) -> dict[str, Any]:
        return self._call(f"games/{self._game}")

    def _call(self, path: str, document: object = None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        body = None if document is None else json.dumps(document).encode()
        with urlopen(Request(f"{self.url}/api/v1/{path}", body, headers), timeout=20) as answer:  # noqa: S310
            found: dict[str, Any] = json.load(answer)
        return found

    def _wait_until_ready(self) -> None:
        def ready() -> bool:
            with urlopen(f"{self.url}/readyz", timeout=20) as answer:  # noqa: S310
                return bool(json.load(answer)["status"] == "ready")

        self._wait(ready, "/readyz")

    def _wait(self, done: Callable[[], bool], what: str) -> None:
        """Wait until `done` returns true. Meanwhile, restart any process that has ended."""
        end = time.monotonic() + WAIT_SECONDS
        while True:
            with suppress(URLError, OSError):
                if done():
                    return
            for part in self._parts.values():
                if part.ended():
                    part.start()
            _require(time.monotonic() < end, f"{what} did not come within {WAIT_SECONDS:.0f} s")
            time.sleep(0.3)  # each request takes time from the processes


def _stop(parts: Iterable[Part]) -> None:
    """Stop processes in parallel, as systemd does."""
    with ThreadPoolExecutor() as pool:
        list(pool.map(Part.stop, list(parts)))


def _require(fine: bool, said: str) -> None:
    if not fine:
        raise Failure(said.strip())


def main() -> int:
    """Run the rehearsal and print the duration of each step. Return the exit status."""
    given = sys.argv[1:]
    root = Path(
        given[0] if given else tempfile.mkdtemp(prefix="robo-runner-rehearsal-", dir="/tmp")
    ).resolve()
    root.mkdir(parents=True, exist_ok=True)
    rehearsal = Rehearsal(root)
    status = 0
    try:
        with redirect_stdout(sys.stderr):  # site.upgrade tells its steps
            rehearsal.play()
    except (Failure, Failed, OSError, subprocess.CalledProcessError) as problem:
        print(f"{problem}\nThe logs are in {root}.", file=sys.stderr)
        status = 1
    finally:
        rehearsal.close()
    print(json.dumps(rehearsal.steps, indent=2))
    if not status and not given:
        shutil.rmtree(root)
    return status


if __name__ == "__main__":
    sys.exit(main())
