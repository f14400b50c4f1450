"""Changes of a running site: upgrades, host names, keys and passwords, with recorded commands."""

import base64
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import psycopg
import pytest

from deploy import site
from deploy.recipes import BUILT, Compose, Debian, Failure, Runner, Settings
from roborunner import environment

PROJECT = Path(__file__).resolve().parents[2]

OLD, NEW = "20261101-000000-old", "20261130-000000-new"
KEY = "the first key of the site has 32 characters or more"


class Recorder(Runner):
    """Records commands. ``replies`` has outputs, or failures, by the beginning of a command."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.commands: list[str] = []
        self.given: list[str] = []
        self.replies: dict[str, str | Failure | Callable[[], str]] = {}
        self.broken_pages: set[str] = set()

    def run(
        self, *command: str | Path, env: Mapping[str, str] | None = None, given: str = "", check: bool = True
    ) -> str:
        line = " ".join(str(word) for word in command).replace(self.root, "")
        if env and "RELEASE" in env:
            line = f"[{env['RELEASE'].rpartition('/')[2]}] {line}"
        self.commands.append(line)
        self.given.append(given)
        for beginning, reply in self.replies.items():
            if beginning in line:
                if isinstance(reply, Failure):
                    raise reply
                return reply() if callable(reply) else reply
        if "-m venv" in line:
            Path(command[-1]).mkdir(parents=True)
        return ""

    def answers(self, url: str, *, host: str = "", seconds: float = 0.0) -> bool:
        self.commands.append(f"GET {url}")
        return not any(url.endswith(page) for page in self.broken_pages)

    def position(self, part: str) -> int:
        """Return the place of the first command that contains a text."""
        return next(place for place, command in enumerate(self.commands) if part in command)


class Machine:
    """A Debian recipe below a directory, with an old release and the sources of a new one."""

    def __init__(self, root: Path) -> None:
        self.runner = Recorder(root)
        self.recipe = Debian(self.runner, root=str(root))
        self.said: list[str] = []
        settings = root / "etc/robo-runner/environment"
        settings.parent.mkdir(parents=True)
        settings.write_text(f"BASE_URL='https://old.example'\nSECRET_KEY='{KEY}'\nLOG_FORMAT=json\n")
        for release, changes in (
            (OLD, "## 1.0.0\n"),
            (NEW, "## 1.1.0\n### Running a site\n- New.\n## 1.0.0\n"),
        ):
            place = self.recipe.releases / release
            (place / "deploy").mkdir(parents=True)
            (place / "deploy/debian").symlink_to(PROJECT / "deploy/debian")
            (place / "requirements.lock").write_text("nothing==1")
            (place / "CHANGELOG.md").write_text(changes)
        (self.recipe.releases / OLD / BUILT).touch()
        self.recipe.switch(OLD)
        self.recipe.fetch = lambda source: NEW  # type: ignore[method-assign]
        self.runner.replies["systemctl show"] = "ActiveState=active\nNRestarts=0"
        web = "robo-runner-web@8000.service loaded active running"
        others = ["beat", "worker@turns-1", "worker@mail-1", "watch", "backup"]
        everything = [web, *(f"robo-runner-{unit}.service loaded active running" for unit in others)]
        listing = "list-units --plain --no-legend --state=active,activating robo-runner-"
        self.runner.replies |= {f"{listing}web": web, listing: "\n".join(everything)}

    def upgrade(self, agrees: bool = True, anyway: bool = False) -> None:
        said, seconds = self.said.append, 40
        site.upgrade(self.recipe, "", agree=lambda: agrees, seconds=seconds, anyway=anyway, say=said)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_an_upgrade_takes_its_steps_in_order(machine: Machine) -> None:
    machine.upgrade()
    assert machine.recipe.current() == NEW
    steps = [
        f"[{OLD}] /usr/local/bin/robo-runner site wait",  # the running release is healthy
        f"[{OLD}] /usr/local/bin/robo-runner backup",
        "-m venv",
        "collectstatic",
        f"[{NEW}] /usr/local/bin/robo-runner prepare",
        "systemctl daemon-reload",
        "systemctl restart robo-runner-web@8009",
        "GET http://127.0.0.1:8009/games/",
        "systemctl stop robo-runner-web@8009",
        "systemctl start robo-runner-web@8001",
        "GET http://127.0.0.1:8001/healthz",
        "systemctl restart robo-runner-web@8000",
        "systemctl stop robo-runner-web@8001",
        "systemctl restart --no-block robo-runner-beat robo-runner-worker@mail-1 robo-runner-watch",
        "systemctl restart robo-runner-worker@turns-1",
        f"[{NEW}] /usr/local/bin/robo-runner site wait --seconds=40 --page=http://127.0.0.1:8000",
        f"[{NEW}] /usr/local/bin/robo-runner recount",
    ]
    places = [machine.runner.position(step) for step in steps]
    assert places == sorted(places)
    assert machine.runner.commands[-2].startswith("systemctl show") and "watch" in machine.runner.commands[-2]


def test_the_notes_of_the_new_version_come_first(machine: Machine) -> None:
    with pytest.raises(Failure, match=f"Nothing was changed. The release {OLD} runs on."):
        machine.upgrade(agrees=False)
    assert machine.said[-3:] == [f"Notes for {NEW}:", "  1.1.0", "  - New."]
    assert machine.recipe.current() == OLD and not (machine.recipe.releases / NEW).exists()
    assert not any("backup" in command or "restart" in command for command in machine.runner.commands)


@pytest.mark.parametrize("step", ["backup", "-m venv", "collectstatic", "prepare"])
def test_a_failure_before_the_start_changes_nothing(step: str, machine: Machine) -> None:
    machine.runner.replies[step] = Failure("The disk is full.")
    with pytest.raises(Failure, match=f"The disk is full. The release {OLD} runs on."):
        machine.upgrade()
    assert machine.recipe.current() == OLD
    assert not any("restart" in command for command in machine.runner.commands)


def test_a_release_that_no_worker_runs_is_taken_back(machine: Machine) -> None:
    machine.runner.replies[f"[{NEW}] /usr/local/bin/robo-runner site wait"] = Failure("No worker has swept.")
    with pytest.raises(Failure, match=f"{NEW} was taken back: {OLD} is healthy again, 0 s after"):
        machine.upgrade()
    assert machine.recipe.current() == OLD
    restarts = [each for each in machine.runner.commands if each == "systemctl restart robo-runner-web@8000"]
    assert len(restarts) == 2


def test_a_release_whose_workers_end_again_is_taken_back(machine: Machine) -> None:
    shown = "systemctl show --property=ActiveState,NRestarts robo-runner-worker@mail-1"
    states = iter(["NRestarts=7", "NRestarts=1", "NRestarts=0"])
    machine.runner.replies = {shown: lambda: f"ActiveState=active\n{next(states)}", **machine.runner.replies}
    with pytest.raises(Failure, match=f"was taken back: {OLD}"):
        machine.upgrade()
    assert f"{NEW} is not healthy: The unit robo-runner-worker@mail-1 does not run" in machine.said[-1]


def test_a_broken_page_is_seen_before_anyone_reaches_it(machine: Machine) -> None:
    machine.runner.broken_pages = {":8009/games/"}
    with pytest.raises(Failure, match="was taken back"):
        machine.upgrade()
    assert machine.recipe.current() == OLD
    before = machine.runner.commands[: machine.runner.position("8009/games/")]
    assert not any("restart robo-runner-web@8000" in command or "8001" in command for command in before)


def test_an_earlier_release_can_be_started_by_hand(machine: Machine) -> None:
    machine.upgrade()
    site.roll_back(machine.recipe, OLD, seconds=40, say=machine.said.append)
    assert machine.recipe.current() == OLD
    with pytest.raises(Failure, match=f"There is no release 0.9 here, only {OLD}, {NEW}."):
        site.roll_back(machine.recipe, "0.9", seconds=40, say=machine.said.append)


def test_a_site_that_is_not_healthy_is_not_upgraded(machine: Machine) -> None:
    machine.runner.replies["site wait"] = Failure("Redis does not answer.")
    with pytest.raises(Failure, match="Redis does not answer"):
        machine.upgrade()
    assert len(machine.runner.commands) == 2


def test_a_new_release_may_be_the_cure(machine: Machine) -> None:
    replies = {f"[{OLD}] /usr/local/bin/robo-runner site wait": Failure("Jobs of the sweeper fail.")}
    machine.runner.replies = {**replies, **machine.runner.replies}
    machine.upgrade(anyway=True)
    assert machine.recipe.current() == NEW


@pytest.mark.parametrize("problem", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", ["prepare", "systemctl daemon-reload"])
def test_a_full_disk_or_an_interruption_takes_the_change_back(
    step: str, problem: BaseException, machine: Machine
) -> None:
    left = [problem]

    def fail() -> str:
        if left:
            raise left.pop()
        return ""

    machine.runner.replies[step] = fail
    with pytest.raises(Failure, match=rf"{OLD} (runs on|is healthy again)"):
        machine.upgrade()
    assert machine.recipe.current() == OLD


def test_the_way_back_writes_no_file_that_is_equal(machine: Machine) -> None:
    machine.recipe.install_units(OLD)
    units = Path(machine.recipe.root, "etc/systemd/system")
    before = {each: each.stat().st_ino for each in units.iterdir()}
    machine.recipe.install_units(OLD)
    assert {each: each.stat().st_ino for each in units.iterdir()} == before


class Killed(BaseException):
    """Ends an upgrade as SIGKILL does: nothing is taken back."""


def test_after_a_killed_upgrade_the_last_healthy_release_comes_back(machine: Machine) -> None:
    machine.recipe.note_healthy(OLD)
    machine.runner.replies["systemctl daemon-reload"] = _killed
    with pytest.raises(Killed):
        machine.upgrade()
    assert machine.recipe.current() == NEW
    newest = "20261130-000001-newest"
    shutil.copytree(machine.recipe.releases / NEW, machine.recipe.releases / newest, symlinks=True)
    machine.recipe.fetch = lambda source: newest  # type: ignore[method-assign]
    machine.runner.replies["systemctl daemon-reload"] = ""
    wait = f"[{newest}] /usr/local/bin/robo-runner site wait"
    machine.runner.replies = {wait: Failure("No worker has swept."), **machine.runner.replies}
    with pytest.raises(Failure, match=f"{newest} was taken back: {OLD} is healthy again"):
        machine.upgrade()
    assert machine.recipe.current() == OLD


def _killed() -> str:
    raise Killed


def test_incomplete_releases_are_removed_and_never_started(machine: Machine) -> None:
    names = [f"2026112{day}-000000-bad" for day in range(5)]
    for name in names:
        (machine.recipe.releases / name).mkdir()
    with pytest.raises(Failure, match=f"There is no release {names[0]} here, only {OLD}."):
        site.roll_back(machine.recipe, names[0], seconds=40)
    machine.upgrade()
    assert sorted(each.name for each in machine.recipe.releases.iterdir()) == [OLD, NEW]


def test_the_release_before_stays_even_if_others_are_newer(machine: Machine) -> None:
    for day in range(5):
        place = machine.recipe.releases / f"2026112{day}-000000-bad"
        place.mkdir()
        (place / BUILT).touch()
    machine.upgrade()
    assert {OLD, NEW} <= {each.name for each in machine.recipe.releases.iterdir()}


def test_sources_that_do_not_fit_on_the_disk_leave_nothing(tmp_path: Path) -> None:
    runner = Recorder(tmp_path)
    runner.replies = {"rev-parse": "abc", "pipefail": Failure("No space left on device")}
    recipe = Debian(runner, root=str(tmp_path))
    with pytest.raises(Failure, match="No space left"):
        recipe.fetch("v1")
    assert list(recipe.releases.iterdir()) == []


def test_two_changes_do_not_run_at_once(machine: Machine) -> None:
    other = Debian(machine.runner, root=machine.recipe.root)
    with other.lock(), pytest.raises(Failure, match="Another change of the site is under way"):
        machine.upgrade()


def test_a_new_host_keeps_the_old_one_as_a_redirect(machine: Machine) -> None:
    caddyfile = Path(machine.recipe.root, "etc/caddy/Caddyfile")
    caddyfile.parent.mkdir()
    caddyfile.write_text("https://old.example {\n\treverse_proxy 127.0.0.1:8000\n}\n")
    for url in ("https://new.example/", "https://newest.example"):
        site.rename(machine.recipe, url, seconds=40, say=machine.said.append)
    settings = machine.recipe.settings
    assert (settings["BASE_URL"], settings["OLD_HOSTS"]) == (
        "https://newest.example",
        "old.example,new.example",
    )
    first = caddyfile.read_text().splitlines()[0]
    assert first == "https://newest.example, https://new.example, https://old.example {"
    site.rename(machine.recipe, "https://old.example", seconds=40, say=machine.said.append)
    assert settings["OLD_HOSTS"] == "new.example,newest.example"
    wrong = ["new.example", "https://new.example/path", "ftp://new.example", "https://a b", "https://a:x"]
    for url in (*wrong, "https://new.example?q", "https://me@new.example", "https://{new}.example"):
        with pytest.raises(Failure, match="Give the new address as"):
            site.rename(machine.recipe, url, seconds=40)


def test_a_new_host_may_be_the_beginning_of_the_old_one(machine: Machine) -> None:
    caddyfile = Path(machine.recipe.root, "etc/caddy/Caddyfile")
    caddyfile.parent.mkdir()
    caddyfile.write_text("https://old.example.org {\n}\nhttps://old.example {\n}\n")
    site.rename(machine.recipe, "https://old.exam", seconds=40, say=machine.said.append)
    assert caddyfile.read_text() == (
        "https://old.example.org {\n}\nhttps://old.exam, https://old.example {\n}\n"
    )


def test_a_rename_that_was_taken_back_can_be_tried_again(machine: Machine) -> None:
    caddyfile = Path(machine.recipe.root, "etc/caddy/Caddyfile")
    caddyfile.parent.mkdir()
    caddyfile.write_text("https://old.example {\n}\n")
    fails = iter([True, False, False])
    machine.runner.replies["site wait"] = lambda: _fail_if(next(fails))
    with pytest.raises(Failure, match="The settings are as before"):
        site.rename(machine.recipe, "https://new.example", seconds=40, say=machine.said.append)
    site.rename(machine.recipe, "https://new.example", seconds=40, say=machine.said.append)
    assert caddyfile.read_text() == "https://new.example, https://old.example {\n}\n"


def test_a_caddyfile_that_caddy_refuses_comes_back(machine: Machine) -> None:
    caddyfile = Path(machine.recipe.root, "etc/caddy/Caddyfile")
    caddyfile.parent.mkdir()
    caddyfile.write_text("https://old.example {\n}\n")
    machine.runner.replies["reload-or-restart caddy"] = Failure("ambiguous site definition")
    with pytest.raises(Failure, match="ambiguous"):
        site.rename(machine.recipe, "https://new.example", seconds=40, say=machine.said.append)
    assert caddyfile.read_text() == "https://old.example {\n}\n"
    assert machine.recipe.settings["BASE_URL"] == "https://old.example"


def _fail_if(fails: bool) -> str:
    if fails:
        raise Failure("No worker has swept.")
    return ""


def test_a_new_key_is_accepted_everywhere_before_anyone_uses_it(machine: Machine) -> None:
    seen: list[tuple[str, str]] = []
    settings = machine.recipe.settings
    note = "site wait"
    machine.runner.replies[note] = lambda: (
        seen.append((settings["SECRET_KEY"], settings["SECRET_KEY_OLD"])) or ""
    )
    site.change_key(machine.recipe, seconds=40, say=machine.said.append)
    (first, accepted), (new, old) = seen
    assert (first, old) == (KEY, KEY)
    assert accepted == new != KEY
    site.change_key(machine.recipe, seconds=40, say=machine.said.append)
    keys = environment.old_signing_keys({"SECRET_KEY_OLD": settings["SECRET_KEY_OLD"]}, "SECRET_KEY_OLD")
    assert keys == [new, KEY]
    assert any(command.endswith("site reencrypt") for command in machine.runner.commands)


def test_settings_come_back_if_the_site_does_not(machine: Machine) -> None:
    before = machine.recipe.settings.text()
    fails = iter([True, False])

    def reply() -> str:
        if next(fails):
            raise Failure("No worker has swept.")
        return ""

    machine.runner.replies["site wait"] = reply
    with pytest.raises(Failure, match="The settings are as before"):
        site.change_key(machine.recipe, seconds=40, say=machine.said.append)
    assert machine.recipe.settings.text() == before


def test_a_new_password_is_in_no_command(machine: Machine) -> None:
    url = "postgresql://robo:old%2Fsecret@db.example:5432/robo?sslmode=require"
    machine.recipe.settings.change({"DATABASE_URL": url})
    site.change_password(machine.recipe, seconds=40, say=machine.said.append)
    changed = machine.recipe.settings["DATABASE_URL"]
    password = changed.removeprefix("postgresql://robo:").partition("@")[0]
    assert changed == f"postgresql://robo:{password}@db.example:5432/robo?sslmode=require"
    assert not any(password in line or "secret" in line for line in machine.runner.commands)
    assert not any(password in given for given in machine.runner.given)


def test_a_password_that_the_database_refuses_changes_nothing(machine: Machine) -> None:
    machine.recipe.settings.change({"DATABASE_URL": "postgresql://robo:old@db.example/robo"})
    before = machine.recipe.settings.text()
    seen: list[str] = []

    def refuse() -> str:
        seen.append(machine.recipe.settings.text())
        raise Failure("permission denied")

    machine.runner.replies["psql"] = refuse
    with pytest.raises(Failure, match="permission denied"):
        site.change_password(machine.recipe, seconds=40)
    assert machine.recipe.settings.text() == before
    assert seen != [before], "the settings have the new password before the database"


def test_a_role_without_a_password_has_none_to_change(machine: Machine) -> None:
    machine.recipe.settings.change({"DATABASE_URL": "postgresql://robo@%2Frun%2Fpostgresql/robo"})
    with pytest.raises(Failure, match="there is nothing to change"):
        site.change_password(machine.recipe, seconds=40)


def test_settings_are_replaced_whole_with_their_mode(tmp_path: Path) -> None:
    file = tmp_path / "environment"
    file.write_text("# A comment\nSECRET_KEY='a b'\n#OLD_HOSTS=\nMAIL_FROM='Robo <r@x>'\n")
    file.chmod(0o640)
    settings = Settings(file)
    settings.change({"SECRET_KEY": "new&better", "OLD_HOSTS": "a.example"})
    assert (settings["SECRET_KEY"], settings["MAIL_FROM"]) == ("new&better", "Robo <r@x>")
    assert file.read_text().startswith("# A comment\nSECRET_KEY='new&better'\n#OLD_HOSTS=\n")
    assert file.stat().st_mode & 0o777 == 0o640
    shell = subprocess.run(
        ["sh", "-c", f". {file}; echo $SECRET_KEY $OLD_HOSTS"], capture_output=True, text=True, check=True
    )
    assert shell.stdout == "new&better a.example\n"
    with pytest.raises(Failure, match="can't have quotes"):
        settings.change({"SECRET_KEY": "it's"})


# --- docker compose -----------------------------------------------------------------------------------------


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of a repository with two tagged releases, at the first one."""
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    git = ["git", "-c", "user.name=Erin", "-c", "user.email=erin@example.org", "-C", str(origin)]
    origin.mkdir()
    subprocess.run([*git, "init", "--quiet"], check=True)
    for version in ("1.0.0", "1.1.0"):
        (origin / "CHANGELOG.md").write_text(f"## {version}\n### Running a site\n- Note of {version}.\n")
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "--quiet", "--message", version], check=True)
        subprocess.run([*git, "tag", f"v{version}"], check=True)
    subprocess.run(["git", "clone", "--quiet", origin, clone], check=True)
    subprocess.run(["git", "-C", clone, "checkout", "--quiet", "v1.0.0"], check=True)
    (clone / ".env").write_text("RELEASE=first\nWEB_REPLICAS=2\n")
    (clone / ".git/info/exclude").write_text(".env*\nbackups\n")
    return clone


class Docker(Recorder):
    """Runs git, and records everything else."""

    def run(
        self, *command: str | Path, env: Mapping[str, str] | None = None, given: str = "", check: bool = True
    ) -> str:
        said = super().run(*command, env=env, given=given, check=check)
        return Runner().run(*command, check=check) if command[0] == "git" else said


def test_compose_replaces_all_workers_and_then_web(clone: Path) -> None:
    docker = Docker(clone)
    docker.replies = {
        "config --services": "db\nredis\ndoor\nprepare\nweb\nworker\nthinker\nmailer\nbeat",
        "ps --all --format json web": '{"ID": "one", "State": "running", "Health": "healthy"}',
        "ps --all --format json": '{"Service": "worker", "State": "running"}',
    }
    said: list[str] = []
    site.upgrade(Compose(docker, directory=clone), "v1.1.0", agree=lambda: True, seconds=40, say=said.append)
    name = Settings(clone / ".env")["RELEASE"]
    assert "  - Note of 1.1.0." in said and "  - Note of 1.0.0." not in said
    steps = [
        "site wait",
        "exec -T backups python manage.py backup /backups",
        f"[{name}] docker compose --project-directory  build",
        f"[{name}] docker compose --project-directory  run --rm prepare",
        "up --detach --no-deps worker thinker mailer beat",
        "up --wait --wait-timeout 40 --detach --no-deps --no-recreate --scale web=3 web",
        "docker stop one",
        "docker rm --force one",
        "up --detach --no-deps --no-recreate --scale web=2 web",
        "python manage.py recount",
    ]
    places = [docker.position(step) for step in steps]
    assert places == sorted(places)
    head = subprocess.run(
        ["git", "-C", clone, "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    )
    assert head.stdout.startswith(name)


def test_compose_returns_to_the_old_image_and_sources(clone: Path) -> None:
    docker = Docker(clone)
    before = Runner().run("git", "-C", clone, "rev-parse", "HEAD")
    fails = iter([False, True, False])

    def reply() -> str:
        if next(fails):
            raise Failure("No worker has swept.")
        return ""

    docker.replies = {"site wait": reply}
    with pytest.raises(Failure, match="was taken back: first is healthy again"):
        site.upgrade(
            Compose(docker, directory=clone), "", agree=lambda: True, seconds=40, say=lambda _text: None
        )
    assert Settings(clone / ".env")["RELEASE"] == "first"
    assert Runner().run("git", "-C", clone, "rev-parse", "HEAD") == before


def test_a_failed_build_leaves_the_sources_of_the_running_release(clone: Path) -> None:
    docker = Docker(clone)
    before = Runner().run("git", "-C", clone, "rev-parse", "HEAD")
    docker.replies = {"build": Failure("no space left on device")}
    with pytest.raises(Failure, match="The release first runs on"):
        site.upgrade(Compose(docker, directory=clone), "", agree=lambda: True, seconds=40)
    assert Runner().run("git", "-C", clone, "rev-parse", "HEAD") == before


def test_a_failed_upgrade_to_the_same_release_keeps_its_image(clone: Path) -> None:
    docker = Docker(clone)
    name = Runner().run("git", "-C", clone, "rev-parse", "v1.0.0")[:10]
    (clone / ".env").write_text(f"RELEASE={name}\n")
    docker.replies = {"build": Failure("no space left on device")}
    with pytest.raises(Failure, match=f"The release {name} runs on"):
        site.upgrade(Compose(docker, directory=clone), "v1.0.0", agree=lambda: True, seconds=40)
    assert not any("image rm" in command for command in docker.commands)


def test_an_interrupted_upgrade_shows_its_notes_again(clone: Path) -> None:
    name = Runner().run("git", "-C", clone, "rev-parse", "v1.0.0")[:10]
    (clone / ".env").write_text(f"RELEASE={name}\n")
    Runner().run("git", "-C", clone, "checkout", "--quiet", "v1.1.0")
    said: list[str] = []
    with pytest.raises(Failure, match="Nothing was changed"):
        site.upgrade(
            Compose(Docker(clone), directory=clone), "", agree=lambda: False, seconds=40, say=said.append
        )
    assert "  - Note of 1.1.0." in said


def test_own_changes_of_the_sources_are_refused(clone: Path) -> None:
    (clone / "CHANGELOG.md").write_text("my own")
    with pytest.raises(Failure, match="The sources have changes of your own"):
        site.upgrade(Compose(Docker(clone), directory=clone), "", agree=lambda: True, seconds=40)


def test_the_script_for_compose_needs_no_packages(clone: Path) -> None:
    """It runs with the system's Python, isolated from installed packages."""
    done = subprocess.run(
        [PROJECT / "deploy/compose.sh", "upgrade"],
        cwd=clone,
        env={**os.environ, "PYTHONNOUSERSITE": "1", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert (done.returncode, done.stderr) == (
        1,
        "Nobody can answer here. Say --yes to go on without a question.\n",
    )


def test_the_server_gets_the_password_as_libpq_would_send_it() -> None:
    with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
        theirs = connection.pgconn.encrypt_password(b"pa ss", b"robo", b"scram-sha-256").decode()
    rounds, salt = theirs.split("$")[1].split(":")
    assert site.scram_verifier("pa ss", base64.b64decode(salt), int(rounds)) == theirs
