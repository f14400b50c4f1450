"""The two recipes for a site, docker compose and Debian, as `deploy.site` changes them.

Both need only Python's standard library, because they run on the machine, outside the site's own environment.
Every command goes through a `Runner`, so tests record them, and the rehearsal starts processes instead.
"""

import fcntl
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit
from urllib.request import Request, urlopen


class Failure(Exception):
    """Raised if a step fails. The text is a message for the operator."""


class Runner:
    """Runs commands on this machine."""

    def run(
        self, *command: str | Path, env: Mapping[str, str] | None = None, given: str = "", check: bool = True
    ) -> str:
        """Run a command and return its output. ``given`` is its standard input.

        Raises Failure with the error output if it fails, unless ``check`` is false.
        """
        try:
            done = subprocess.run(
                [str(word) for word in command],
                env={**os.environ, **(env or {})},
                input=given,
                capture_output=True,
                text=True,
                check=False,
            )
        except OSError as error:
            raise Failure(f"{command[0]}: {error.strerror}.") from None
        if check and done.returncode:
            said = (done.stderr.strip() or done.stdout.strip())[-2000:]
            raise Failure(f"{shlex.join(map(str, command[:4]))} … failed: {said}")
        return done.stdout.strip()

    def answers(self, url: str, *, host: str = "", seconds: float = 0.0) -> bool:
        """Return whether ``url`` answers without an error, within ``seconds``.

        ``host`` is the name of the site in the request. The page of a site under maintenance is no error.
        """
        end = time.monotonic() + seconds
        while True:
            request = Request(url, headers={"Host": host} if host else {})  # noqa: S310
            try:
                with urlopen(request, timeout=10):  # noqa: S310
                    return True
            except HTTPError as error:
                if error.code < 500 or (error.code == 503 and int(error.headers["Retry-After"] or 0) > 5):
                    return True
            except (URLError, OSError, HTTPException):
                pass
            if time.monotonic() >= end:
                return False
            time.sleep(0.3)


class Settings:
    """A file of settings, one ``NAME=value`` a line, as systemd, the shell and docker compose read it."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __getitem__(self, name: str) -> str:
        """Return the value of a setting, or "" if it is not set."""
        found = re.findall(rf"^{name}=(.*)$", self.text(), re.MULTILINE)
        return "".join(shlex.split(found[-1], comments=True)) if found else ""

    def text(self) -> str:
        try:
            return self.file.read_text()
        except OSError as error:
            raise Failure(f"The settings {self.file} can't be read: {error.strerror}.") from None

    def change(self, values: Mapping[str, str]) -> str:
        """Change several settings at once. Return the former text, for `replace`.

        A reader sees either all old or all new values. The mode and owner of the file stay.
        """
        before = text = self.text()
        for name, value in values.items():
            if not value.isprintable() or "'" in value or "\\" in value:
                raise Failure(f"The value of {name} can't have quotes, backslashes or control characters.")
            line = f"{name}={value}" if re.fullmatch(r"[\w@%+=:,./-]*", value) else f"{name}='{value}'"
            if re.search(rf"^{name}=", text, re.MULTILINE):
                text = re.sub(rf"^{name}=.*$", line, text, flags=re.MULTILINE)
            else:
                text = f"{text.rstrip()}\n{line}\n"
        self.replace(text)
        return before

    def replace(self, text: str) -> None:
        """Replace the whole file in one step."""
        kept = self.file.stat()
        fresh = self.file.with_name(f"{self.file.name}.new")
        fresh.unlink(missing_ok=True)
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, kept.st_mode & 0o777)
        with os.fdopen(handle, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if os.geteuid() == 0:
            os.chown(fresh, kept.st_uid, kept.st_gid)
        fresh.rename(self.file)


class Recipe(ABC):
    """A site on this machine: its settings, its releases, and its parts."""

    def __init__(self, settings: Path, runner: Runner) -> None:
        self.settings, self.runner = Settings(settings), runner

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Prevent two changes of the site at the same time. Raises Failure if another one runs."""
        file = self.settings.file.with_name(f"{self.settings.file.name}.lock")
        with file.open("w") as held:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise Failure("Another change of the site is under way. Wait until it is over.") from None
            yield

    @abstractmethod
    def current(self) -> str:
        """Return the name of the running release."""

    @property
    def _healthy(self) -> Path:
        return self.settings.file.with_name(f"{self.settings.file.name}.healthy")

    def note_healthy(self, release: str) -> None:
        """Remember the last release that was healthy after a change."""
        with suppress(OSError):  # a full disk does not make a release unhealthy
            self._healthy.write_text(release)

    def last_healthy(self) -> str:
        """Return the last release that was healthy, or the running one.

        They differ if a change was interrupted after it had switched to a new release.
        """
        now = self.current()
        try:
            known = self._healthy.read_text()
            self.require(known)
        except (OSError, Failure):
            return now
        return known

    @abstractmethod
    def require(self, release: str) -> None:
        """Raise Failure if this machine does not have a release."""

    @abstractmethod
    def changelog(self, release: str) -> str:
        """Return the text of a release's CHANGELOG.md, or "" if it has none."""

    @abstractmethod
    def fetch(self, source: str) -> str:
        """Get the sources of a release, and return its name. Nothing of the running release changes."""

    @abstractmethod
    def discard(self, release: str) -> None:
        """Remove a release that did not start."""

    @abstractmethod
    def backup(self) -> str:
        """Write a backup of the database. Return a sentence with its place."""

    @abstractmethod
    def build(self, release: str) -> None:
        """Prepare everything that a release needs to start, while the site runs."""

    @abstractmethod
    def migrate(self, release: str) -> None:
        """Bring the database up to date with a release, while the site runs."""

    @abstractmethod
    def start(self, release: str, *, is_known: bool = False) -> None:
        """Replace all parts of the running release by the parts of ``release``, or restart them.

        ``is_known`` means that the release has run before, so that nothing is tried first.
        """

    @abstractmethod
    def wait(self, release: str, seconds: float) -> None:
        """Wait until a release is healthy. Raises Failure if it is not healthy after ``seconds``."""

    @abstractmethod
    def manage(self, *words: str) -> str:
        """Run a command of ``manage.py`` of the running release, and return its output."""

    @abstractmethod
    def rename_door(self, old: str, new: str) -> None:
        """Make the server in front answer for a new address as well."""

    @abstractmethod
    def change_password(self, verifier: str, plain: str) -> tuple[dict[str, str], Callable[[], object]]:
        """Return the settings for a new password of the database's role, and a function that sets it there.

        The server gets only the ``verifier``, so that its log never has the ``plain`` password.
        """


# --- Debian -------------------------------------------------------------------------------------------------


PAGES: Final = ("/", "/games/", "/accounts/login/")
"""Pages that a healthy release shows to everyone."""

BUILT: Final = ".built"
"""The name of an empty file in a release whose translations and static files are complete."""

START_SECONDS: Final = 25.0
"""The maximum number of seconds from the start of a web process to its first answer."""

TASKS: Final = ("robo-runner-backup", "robo-runner-drill")
"""Units that run for a while and end, so that an upgrade leaves them alone."""

KEPT_RELEASES: Final = 3
"""The number of releases to keep: the running one, and those before."""


class Debian(Recipe):
    """The recipe of `deploy/debian`: a directory for each release, and the link ``current``.

    ``root`` is a directory in place of /. ``ports`` has the port of the web process, of the spare one during
    a restart, and of the one for trying a release. The server in front does not know the last one.
    """

    def __init__(
        self, runner: Runner | None = None, *, root: str = "", ports: Sequence[int] = (8000, 8001, 8009)
    ) -> None:
        super().__init__(Path(f"{root}/etc/robo-runner/environment"), runner or Runner())
        self.root, self.ports = root, ports
        self.home = Path(f"{root}/opt/robo-runner")
        self.releases, self.link = self.home / "releases", self.home / "current"
        self._has_started = False

    def current(self) -> str:
        if not self.link.is_symlink():
            raise Failure(f"There is no {self.link}. Install the site first: docs/machine.md.")
        return self.link.readlink().name

    def require(self, release: str) -> None:
        if release not in (complete := self._complete()):
            names = ", ".join(complete)
            raise Failure(f"There is no release {release} here, only {names}.")

    def _complete(self) -> list[str]:
        """Return the names of the releases that can start, the oldest first."""
        return sorted(each.name for each in self.releases.iterdir() if (each / BUILT).exists())

    def changelog(self, release: str) -> str:
        file = self.releases / release / "CHANGELOG.md"
        return file.read_text() if file.exists() else ""

    def fetch(self, source: str) -> str:
        """Copy a directory, or a commit, tag or branch of the clone in ``/opt/robo-runner/app``."""
        clone = self.home / "app"
        stamp = f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
        if source and Path(source).is_dir():
            release, files = f"{stamp}-copy", self._listed(Path(source))
            packed = ["tar", "--create", f"--directory={source}", "--null", "--files-from=-"]
        else:
            self.runner.run("git", "-C", clone, "fetch", "--quiet", "--tags", "origin")
            commit = self._commit(clone, source or "origin/HEAD")
            release, files = f"{stamp}-{commit[:10]}", ""
            packed = ["git", "-C", str(clone), "archive", commit]
        place = self.releases / release
        place.mkdir(parents=True)
        command = f"{shlex.join(packed)} | tar --extract --directory={shlex.quote(str(place))}"
        try:
            self.runner.run("bash", "-o", "pipefail", "-c", command, given=files)
        except Failure:  # for example if the disk is full
            self.discard(release)
            raise
        return release

    def _commit(self, clone: Path, source: str) -> str:
        """Return the commit of a tag, a branch at the origin, or a commit's own name."""
        for name in (f"refs/tags/{source}", f"origin/{source}", source):
            commit = f"{name}^{{commit}}"
            if found := self.runner.run(
                "git", "-C", clone, "rev-parse", "--quiet", "--verify", commit, check=False
            ):
                return found
        raise Failure(f"There is no release “{source}” in {clone}: name a tag, a branch or a commit.")

    def _listed(self, source: Path) -> str:
        if (source / ".git").exists():
            return self.runner.run("git", "-C", source, "ls-files", "-z", "--cached")
        local = {".venv", ".local", "node_modules"}
        return "\0".join(sorted(each.name for each in source.iterdir() if each.name not in local))

    def discard(self, release: str) -> None:
        if self.link.is_symlink() and self.current() == release:
            raise Failure(f"{release} is running.")
        shutil.rmtree(self.releases / release, ignore_errors=True)

    def backup(self) -> str:
        return self.manage("backup", f"{self.root}/var/backups/robo-runner")

    def build(self, release: str) -> None:
        """Install the Python packages, translations and static files of a release.

        Releases with equal packages share them. A copy of a built release is built already.
        """
        place = self.releases / release
        environment = place / ".venv"
        if not environment.exists():
            environment.symlink_to(
                os.environ.get("GIVEN_VENV") or self._packages(place / "requirements.lock")
            )
        if (place / BUILT).exists():
            return
        python = environment / "bin/python"
        collected = {**self._variables(), "STATIC_ROOT": str(place / "collected")}
        (place / "collected").mkdir(exist_ok=True)
        for words in (("-m", "roborunner.translations"), ("manage.py", "collectstatic", "--noinput")):
            self.runner.run("env", f"--chdir={place}", python, *words, env=collected)
        (place / BUILT).touch()

    def _packages(self, lock: Path) -> Path:
        """Install packages into a directory that is named after them, and return it."""
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        name = f"{version}-{hashlib.sha256(lock.read_bytes()).hexdigest()[:16]}"
        place = self.home / "packages" / name
        if (place / ".complete").exists():
            return place
        shutil.rmtree(place, ignore_errors=True)
        self.runner.run("python3", "-m", "venv", place)
        pip: list[str | Path] = [place / "bin/pip", "--disable-pip-version-check"]
        only = ("--no-deps", "--only-binary", ":all:", "--require-hashes")
        self.runner.run(*pip, "install", "-qq", *only, "-r", lock)
        self.runner.run(*pip, "check", "-qq")
        (place / ".complete").touch()
        return place

    def _variables(self) -> dict[str, str]:
        text = (
            self.settings.text()
            if self.settings.file.exists()
            else "SECRET_KEY=only-to-collect-static-files-here"
        )
        lines = [line for line in text.splitlines() if re.match(r"[A-Z_]+=", line)]
        return {line.split("=", 1)[0]: "".join(shlex.split(line.split("=", 1)[1])) for line in lines}

    def migrate(self, release: str) -> None:
        self._manage(release, "prepare", "--verbosity=0")

    def start(self, release: str, *, is_known: bool = False) -> None:
        """Switch the link, try a web process that nobody reaches, and restart the parts.

        A spare web process answers while the others restart, so that pages always answer.
        """
        self.switch(release)
        self.install_units(release)
        self._systemctl("daemon-reload")
        if not is_known:
            self._try_pages()
        running = self._running("web") or [f"robo-runner-web@{self.ports[0]}"]
        with self._spare(len(running) == 1):
            for unit in running:
                self._systemctl("restart", unit)
                self._require_answer(int(unit.rpartition("@")[2]))
        parts = [unit for unit in self._running() if not unit.startswith("robo-runner-web@")]
        turns = [unit for unit in parts if unit.startswith("robo-runner-worker@turns-")]
        # A worker ends its task first. Those for turns are quick, and the rest may take their time.
        self._systemctl("restart", "--no-block", *(unit for unit in parts if unit not in turns))
        if turns:
            self._systemctl("restart", *turns)
        self._has_started = True  # from now on, a unit that systemd had to start again is broken
        self._systemctl("start", "--no-block", "robo-runner.target")

    def _try_pages(self) -> None:
        """Start a web process at a port that the server in front does not know, and look at pages."""
        unit, port = f"robo-runner-web@{self.ports[2]}", self.ports[2]
        host = urlsplit(self.settings["BASE_URL"]).netloc
        self._systemctl("restart", unit)  # an interrupted upgrade may have left one with other code
        try:
            self._require_answer(port)
            for path in PAGES:
                if not self.runner.answers(f"http://127.0.0.1:{port}{path}", host=host):
                    raise Failure(f"The page {path} of the release fails: journalctl --unit={unit}.")
        finally:
            self._systemctl("stop", unit)

    @contextmanager
    def _spare(self, needed: bool) -> Iterator[None]:
        """Run one more web process for a time."""
        if not needed:
            yield
            return
        unit, port = f"robo-runner-web@{self.ports[1]}", self.ports[1]
        self._systemctl("start", unit)
        try:
            self._require_answer(port)
            yield
        finally:
            self._systemctl("stop", unit)

    def switch(self, release: str) -> None:
        """Make the link name a release, in one step."""
        fresh = self.home / "current.new"
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(Path("releases") / release)
        fresh.rename(self.link)

    def install_units(self, release: str) -> None:
        """Install the units of a release, and the command ``robo-runner``."""
        place = self.releases / release / "deploy/debian"
        units = Path(f"{self.root}/etc/systemd/system")
        units.mkdir(parents=True, exist_ok=True)
        for unit in sorted((place / "units").iterdir()):
            self._install(unit, units / unit.name, 0o644)
        self._install(place / "robo-runner", Path(f"{self.root}/usr/local/bin/robo-runner"), 0o755)

    def _install(self, source: Path, target: Path, mode: int) -> None:
        """Copy a file in one step, with the paths of this site. An equal one stays."""
        text = source.read_text()
        if self.root:
            text = re.sub(r"/(opt|etc|run|var/backups|var/lib)/robo-runner", rf"{self.root}\g<0>", text)
            text = text.replace('exec runuser --user "$user" --', "exec")
        if target.exists() and target.read_text() == text:
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(f".{target.name}.new")
        fresh.write_text(text)
        fresh.chmod(mode)
        fresh.rename(target)

    def _require_answer(self, port: int) -> None:
        """Wait until the web process at a port answers."""
        if not self.runner.answers(f"http://127.0.0.1:{port}/healthz", seconds=START_SECONDS):
            raise Failure(f"The web process at port {port} does not answer.")

    def _running(self, kind: str = "") -> list[str]:
        """Return the units of a kind, or all, that run, or that systemd restarts at the moment."""
        pattern = f"robo-runner-{kind}@*" if kind else "robo-runner-*.service"
        listed = self._systemctl("list-units", "--plain", "--no-legend", "--state=active,activating", pattern)
        units = [line.split()[0].removesuffix(".service") for line in listed.splitlines() if line.strip()]
        return [unit for unit in units if unit not in TASKS]

    def _systemctl(self, *words: str) -> str:
        return self.runner.run("systemctl", *words)

    def wait(self, release: str, seconds: float) -> None:
        pages = [f"--page=http://127.0.0.1:{unit.rpartition('@')[2]}" for unit in self._running("web")]
        self._manage(release, "site", "wait", f"--seconds={seconds:g}", *pages)
        for unit in self._running():
            shown = self._systemctl("show", "--property=ActiveState,NRestarts", unit)
            state = dict(line.split("=", 1) for line in shown.splitlines())
            ended = self._has_started and state.get("NRestarts", "0") != "0"
            if ended or state.get("ActiveState") not in ("active", "deactivating"):
                raise Failure(f"The unit {unit} does not run: journalctl --unit={unit}.")

    def manage(self, *words: str) -> str:
        return self._manage(self.current(), *words)

    def _manage(self, release: str, *words: str) -> str:
        place = str(self.releases / release)
        return self.runner.run(f"{self.root}/usr/local/bin/robo-runner", *words, env={"RELEASE": place})

    def prune(self, former: str) -> None:
        """Remove old and incomplete releases, but not the ``former`` one, and unused packages."""
        kept = {*self._complete()[-KEPT_RELEASES:], former, self.current()}
        for place in self.releases.iterdir():
            if place.name not in kept:
                shutil.rmtree(place)
        used = {(place / ".venv").resolve() for place in self.releases.iterdir()}
        for packages in (self.home / "packages").glob("*"):
            if packages.resolve() not in used:
                shutil.rmtree(packages)

    def rename_door(self, old: str, new: str) -> None:
        """Add the new address to the site in the Caddyfile, and reload Caddy."""
        file = Settings(Path(f"{self.root}/etc/caddy/Caddyfile"))
        text = file.text()
        sites = {line: re.split(r"[,\s]+", line) for line in re.findall(r"^\S.*\{$", text, re.MULTILINE)}
        line = next((line for line, names in sites.items() if old in names), None)
        if line is None:
            raise Failure(f"{file.file} has no site {old}. Add {new} to it yourself, then run this again.")
        if new not in sites[line]:
            file.replace(text.replace(line, f"{new}, {line}", 1))
        try:
            self._systemctl("reload-or-restart", "caddy")
        except Failure:  # Caddy would not start again with this file
            file.replace(text)
            raise

    def change_password(self, verifier: str, plain: str) -> tuple[dict[str, str], Callable[[], object]]:
        url = self.settings["DATABASE_URL"]
        parts = re.fullmatch(r"(\w+://)([^:@/]+):([^@/]*)@(.+)", url)
        if not parts:
            raise Failure(
                "DATABASE_URL has no password, so there is nothing to change: the site connects by its user."
            )
        scheme, role, before, server = parts.groups()
        sql = f"ALTER ROLE CURRENT_USER PASSWORD '{verifier}';"
        # The password is in no command line, because all users of the machine see these.
        env = {"PGPASSWORD": unquote(before)}
        options = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
        psql = ("psql", *options, f"--dbname={scheme}{role}@{server}")
        values = {"DATABASE_URL": f"{scheme}{role}:{plain}@{server}"}
        return values, lambda: self.runner.run(*psql, env=env, given=sql)


# --- docker compose -----------------------------------------------------------------------------------------


NOT_OURS: Final = frozenset({"db", "redis", "mail", "door", "prepare", "web"})
"""Services that an upgrade does not replace together with the workers."""


class Compose(Recipe):
    """The recipe of ``docker-compose.yml``, in a clone of the sources, with an image for each release."""

    def __init__(self, runner: Runner | None = None, *, directory: Path = Path()) -> None:
        super().__init__(directory / ".env", runner or Runner())
        self.directory = directory
        self._commits: dict[str, str] = {}

    def current(self) -> str:
        name = self.settings["RELEASE"] or "latest"
        # An interrupted upgrade may have left the sources of another release.
        commit = self._commit(name) or self._git("rev-parse", "HEAD")
        self._commits.setdefault(name, commit)
        return name

    def _commit(self, name: str) -> str:
        """Return the commit with a name, or ""."""
        words = ("rev-parse", "--quiet", "--verify", f"{name}^{{commit}}")
        return self.runner.run("git", "-C", self.directory, *words, check=False)

    def require(self, release: str) -> None:
        self.runner.run("docker", "image", "inspect", f"robo-runner:{release}")
        commit = self._git("rev-parse", "--quiet", "--verify", f"{release}^{{commit}}")
        self._commits.setdefault(release, commit)

    def changelog(self, release: str) -> str:
        return self.runner.run(
            "git", "-C", self.directory, "show", f"{self._commits[release]}:CHANGELOG.md", check=False
        )

    def fetch(self, source: str) -> str:
        """Fetch a commit, tag or branch. The name of the release is the start of its commit's name."""
        if self._git("status", "--porcelain", "--untracked-files=no"):
            raise Failure("The sources have changes of your own. Commit or remove them first: git status.")
        self._git("fetch", "--quiet", "--tags", "origin")
        name = source or "origin/HEAD"
        for each in (f"refs/tags/{name}", f"origin/{name}", name):
            if found := self._commit(each):
                self._commits[found[:10]] = found
                return found[:10]
        raise Failure(f"There is no release “{source}”: name a tag, a branch or a commit.")

    def discard(self, release: str) -> None:
        sources = self._commits[self.current()]
        self.runner.run("git", "-C", self.directory, "checkout", "--quiet", "--detach", sources, check=False)
        if release != self.current():
            self.runner.run("docker", "image", "rm", f"robo-runner:{release}", check=False)

    def backup(self) -> str:
        return self._compose("exec", "-T", "backups", "python", "manage.py", "backup", "/backups")

    def build(self, release: str) -> None:
        self._git("checkout", "--quiet", "--detach", self._commits[release])
        self._compose("build", release=release)

    def migrate(self, release: str) -> None:
        self._compose("run", "--rm", "prepare", release=release)

    def start(self, release: str, *, is_known: bool = False) -> None:
        """Replace the workers, then start new web processes beside the old ones before these stop."""
        self._git("checkout", "--quiet", "--detach", self._commits[release])
        self.settings.change({"RELEASE": release})
        services = self._compose("config", "--services").split()
        workers = [name for name in services if name not in NOT_OURS]
        for part in self._parts("web"):
            if part.get("Health") != "healthy":
                self.runner.run("docker", "rm", "--force", part["ID"])
        old = [part["ID"] for part in self._parts("web")]
        count = int(self.settings["WEB_REPLICAS"] or 1)
        beside = ["--detach", "--no-deps", "--no-recreate", "--scale"]
        wait = ["--wait", "--wait-timeout", "40"]
        self._compose("up", "--detach", "--no-deps", *workers)
        self._compose("up", *wait, *beside, f"web={len(old) + count}", "web")
        if old:
            self.runner.run("docker", "stop", *old)
            self.runner.run("docker", "rm", "--force", *old)
        self._compose("up", *beside, f"web={count}", "web")

    def wait(self, release: str, seconds: float) -> None:
        self.manage("site", "wait", f"--seconds={seconds:g}", "--page=http://localhost:8000")
        for part in self._parts():
            if part["Service"] not in {"prepare", "mail"} and part["State"] != "running":
                raise Failure(f"The service {part['Service']} is {part['State']}.")

    def manage(self, *words: str) -> str:
        return self._compose("exec", "-T", "web", "python", "manage.py", *words)

    def rename_door(self, old: str, new: str) -> None:
        """Nothing changes: the door answers for every name, and `tls` starts again with the new settings."""

    def change_password(self, verifier: str, plain: str) -> tuple[dict[str, str], Callable[[], object]]:
        sql = f"ALTER ROLE robo PASSWORD '{verifier}';"
        psql = ("psql", "--username=robo", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1")
        line = self._line("exec", "-T", "db", *psql)
        return {"POSTGRES_PASSWORD": plain}, lambda: self.runner.run(*line, given=sql)

    def _parts(self, *services: str) -> list[dict[str, str]]:
        """Return the containers of services, or of all, as docker describes them."""
        listed = self._compose("ps", "--all", "--format", "json", *services)
        return [json.loads(line) for line in listed.splitlines() if line.strip()]

    def _git(self, *words: str) -> str:
        return self.runner.run("git", "-C", self.directory, *words)

    def _line(self, *words: str) -> list[str]:
        return ["docker", "compose", "--project-directory", str(self.directory), *words]

    def _compose(self, *words: str, release: str = "") -> str:
        return self.runner.run(*self._line(*words), env={"RELEASE": release} if release else None)
