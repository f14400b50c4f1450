"""Play games while a new release replaces an old one, as in `docs/operations.md`.

    .venv/bin/python -m bench.release COMMIT
    .venv/bin/python -m bench.release ../old-release

The old release is a commit of this repository, or a folder with its files. The new release is this folder.

The test starts Postgres, Redis, and the web, workers and beat of the old release. People constantly play
against computers through the API. Then the release is replaced in steps: the new release migrates the
database while the old one runs; workers and beat are replaced; the web is replaced.

At the end, the new release must be ready, and its check of all games must find no faults. For past turns and
finished games, it must give the same answers as the old release. Calls without an answer, or with a server
error, are counted for each step, and are only allowed while the web is replaced. The report is JSON. The exit
status is 1 if there is any breach.
"""

import argparse
import http.client
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from signal import SIGTERM
from typing import Any

from bench.orders import first_chips
from embedded import processes
from embedded.processes import PROJECT
from embedded.servers import Servers

Environment = dict[str, str]

PEOPLE = """
from django.utils import timezone
from accounts.models import User
from games.people.tokens import make_token
for number in range(1, {number} + 1):
    user = User.objects.create_user(f"Player-{{number}}", f"player-{{number}}@example.org")
    user.confirm_email()
    print("token", make_token(user=user, now=timezone.now()))
"""

COMMANDS = """
import json
from embedded import up
print(json.dumps(up.commands({port})))
"""

WEB_AWAY = "the web is replaced"
"""The step that replaces the web process. Calls may fail only in this step."""

WORKERS = ("worker", "thinker", "beat")
"""The processes that the test replaces together, before the web process."""


class Player(threading.Thread):
    """A person who plays several games against computers at the same time.

    A new game replaces each finished game.
    """

    def __init__(self, trial: "Trial", token: str, games: int) -> None:
        super().__init__(daemon=True)
        self._trial = trial
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._games: list[int | None] = [None] * games
        self.begun: list[int] = []

    def documents(self) -> dict[str, Any]:
        """Return the site's answers about past turns and finished games, by path."""
        found: dict[str, Any] = {}
        for game in self.begun:
            seen = self._call("GET", f"games/{game}")
            if seen is None:
                continue
            if seen["status"] == "over":
                found[f"games/{game}"] = seen
                found[f"games/{game}/log"] = self._call("GET", f"games/{game}/log")
            for turn in range(1, seen["turn"]):
                found[f"games/{game}/turns/{turn}"] = self._call("GET", f"games/{game}/turns/{turn}")
        return {path: document for path, document in found.items() if document is not None}

    def again(self, paths: Iterable[str]) -> dict[str, Any]:
        """Request these paths again, and return the site's answers by path."""
        return {path: self._call("GET", path) for path in paths}

    def run(self) -> None:
        while not self._trial.ended.is_set():
            for place, game in enumerate(self._games):
                self._games[place] = self._move(game)
            self._trial.ended.wait(0.3)

    def _move(self, game: int | None) -> int | None:
        """Make the next move in a game.

        If ``game`` is None, starts a game. Returns the ID of the game for the next move, or None if the next
        move must start a new game.
        """
        if game is None:
            made = self._call("POST", "games/quick", {"strength": "rookie", "computers": 1})
            if made is None:
                return None
            self.begun.append(int(made["id"]))
            return int(made["id"])
        seen = self._call("GET", f"games/{game}")
        if seen is None:
            return game
        if seen["status"] != "running":
            return None
        me = seen["robots"][seen["me"]["seat"] - 1]
        if me["name"] not in seen["waiting_for"]:
            return game
        taken = self._call("POST", f"games/{game}/turns/{seen['turn']}/orders", first_chips(seen, me))
        refused = taken is not None and "error" in taken
        return None if refused and taken and taken["error"] == "orders" else game

    def _call(self, method: str, path: str, body: object = None) -> dict[str, Any] | None:
        """Return the site's answer, or None after a failed request or a server error."""
        step = self._trial.step
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self._trial.port, timeout=30)
            connection.request(method, f"/api/v1/{path}", body and json.dumps(body), self._headers)
            answer = connection.getresponse()
            content = answer.read()
            connection.close()
        except (OSError, http.client.HTTPException) as error:
            self._trial.count(step, type(error).__name__)
            return None
        self._trial.count(step, str(answer.status))
        if answer.status >= 500:
            return None
        document: dict[str, Any] = json.loads(content)
        return document


def differences(before: Any, after: Any, at: str) -> Iterator[str]:
    """Yield the parts of a document that are missing or changed. New parts do not count."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key, value in before.items():
            if key in after:
                yield from differences(value, after[key], f"{at}.{key}")
            else:
                yield f"{at}.{key} is gone"
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, other, f"{at}[{index}]")
    elif before != after:
        yield f"{at}: {before!r} is {after!r}"


def breaches_of(answers: Mapping[str, Mapping[str, int]], ready: Mapping[str, Any]) -> list[str]:
    """Return the breaches: failed calls in steps other than `WEB_AWAY`, and a release that is not ready."""
    breaches = []
    for step, counts in answers.items():
        troubles = {answer: number for answer, number in counts.items() if not answer.startswith(("2", "4"))}
        if troubles and step != WEB_AWAY:
            breaches.append(f"{step}: {troubles}")
    if ready["status"] != "ready":
        breaches.append(f"the new release is not ready: {ready['missing']}")
    return breaches


def release_at(named: str, directory: Path) -> Path:
    """Return the folder of a release. If ``named`` is a commit, its files are unpacked first."""
    if (found := Path(named)).is_dir():
        return found.resolve()
    folder, packed = directory / "old-release", directory / "old-release.tar"
    made = processes.finish(
        ["git", "archive", f"--output={packed}", named], env=os.environ, directory=PROJECT
    )
    if made.returncode:
        raise SystemExit(made.stderr)
    shutil.unpack_archive(packed, folder, filter="data")
    return folder


class Trial:
    """A run of the test: replaces the old release with the new one while people play."""

    def __init__(
        self,
        old: Path,
        directory: Path,
        environment: Environment,
        port: int,
    ) -> None:
        self.port = port
        self.ended = threading.Event()
        self.step = "the old release alone"
        self._old, self._directory, self._environment = old, directory, environment
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self.answers: dict[str, Counter[str]] = {}
        self._lock = threading.Lock()

    def count(self, step: str, answer: str) -> None:
        """Count an answer of the site for a step of the test.

        If the web process is being replaced when the request begins or ends, the answer counts for
        `WEB_AWAY`.
        """
        with self._lock:
            self.answers.setdefault(WEB_AWAY if WEB_AWAY in (step, self.step) else step, Counter())[
                answer
            ] += 1

    def run(self, people: int, seconds: float) -> dict[str, Any]:
        """Run all steps with this number of people, and return the report.

        People play for ``seconds`` seconds before, between and after the changes.
        """
        self._manage(self._old, "migrate", "--verbosity=0")
        self._manage(self._old, "load_starships", "--verbosity=0")
        said = self._manage(self._old, "shell", "--command", PEOPLE.format(number=people))
        tokens = [line.split()[1] for line in said.splitlines() if line.startswith("token ")]
        self._start(self._old, "web", *WORKERS)
        self._wait_for_answers()
        players = [Player(self, token, games=3) for token in tokens]
        for player in players:
            player.start()
        time.sleep(seconds)
        before = [player.documents() for player in players]
        self._enter("the database is migrated")
        self._manage(PROJECT, "prepare", "--verbosity=0")
        self._enter("the old release on the new database")
        time.sleep(seconds)
        self._enter("workers and beat are replaced")
        self._replace(*WORKERS)
        time.sleep(seconds)
        self._enter(WEB_AWAY)
        self._replace("web")
        self._wait_for_answers()
        self._enter("the new release alone")
        time.sleep(seconds)
        ready = self._ask("/readyz")
        self.ended.set()
        for player in players:
            player.join(60)
        changed = [
            difference
            for player, known in zip(players, before, strict=True)
            for path, document in player.again(known).items()
            for difference in differences(known[path], document, path)
        ]
        return {"compared": sum(map(len, before)), **self._report(ready, changed)}

    def stop(self) -> None:
        """Stop all processes."""
        self.ended.set()
        for process in self._processes.values():
            processes.stop(process, SIGTERM, timeout=60)

    def _report(self, ready: str, changed: list[str]) -> dict[str, Any]:
        sound = self._manage(PROJECT, "check_games").strip()
        answers = {step: dict(sorted(counts.items())) for step, counts in self.answers.items()}
        return {
            "answers": answers,
            "games": sound,
            "breaches": [*breaches_of(answers, json.loads(ready)), *changed],
        }

    def _enter(self, step: str) -> None:
        print(f"{time.strftime('%H:%M:%S')} {step}", file=sys.stderr, flush=True)
        self.step = step

    def _start(self, release: Path, *names: str) -> None:
        commands = json.loads(self._run(release, "-c", COMMANDS.format(port=self.port)))
        for name in (name for name in names if name in commands):
            self._processes[name] = processes.start(
                [sys.executable, "-m", *commands[name]],
                env={**self._environment, **({"DATABASE_POOL": "1"} if name == "web" else {})},
                log=self._directory / f"{name}.log",
                directory=release,
            )

    def _replace(self, *names: str) -> None:
        for name in (name for name in names if name in self._processes):
            processes.stop(self._processes[name], SIGTERM, timeout=60)
        self._start(PROJECT, *names)

    def _manage(self, release: Path, *command: str) -> str:
        return self._run(release, "manage.py", *command)

    def _run(self, release: Path, *arguments: str) -> str:
        done = processes.finish([sys.executable, *arguments], env=self._environment, directory=release)
        if done.returncode:
            raise SystemExit(done.stderr)
        return done.stdout

    def _ask(self, path: str) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", path)
        return connection.getresponse().read().decode()

    def _wait_for_answers(self) -> None:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            try:
                self._ask("/healthz")
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit(f"The web does not come: see {self._directory}.")


def main() -> int:
    """Run the trial and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.release", description="Replaces a release in use.")
    parser.add_argument("old", help="the old release: a commit, or the folder of its files")
    parser.add_argument("--people", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=20, help="that each step is played for (20)")
    arguments = parser.parse_args()
    directory = Path(tempfile.mkdtemp(prefix="robo-runner-release-"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with Servers(directory, {}) as servers:
        environment = {
            **os.environ,
            **servers.environment,
            "SECRET_KEY": secrets.token_hex(),
            "BASE_URL": f"http://localhost:{port}",
            "EMAIL_URL": (directory / "mail").as_uri(),
            "SWEEP_SECONDS": "5",
            "NEWCOMER_GAMES": "0",  # its new people play more games than newcomers may
            "NEWCOMER_DAYS": "0",
        }
        old = release_at(arguments.old, directory)
        trial = Trial(old, directory, environment, port)
        try:
            report = trial.run(arguments.people, arguments.seconds)
        finally:
            trial.stop()
    print(json.dumps(report, indent=2))
    if report["breaches"]:
        print(f"The logs are in {directory}.", file=sys.stderr)
    return 1 if report["breaches"] else 0


if __name__ == "__main__":
    sys.exit(main())
