"""Change a running site: a new release, host name, key or database password.

On Debian, call ``robo-runner site upgrade``. For docker compose, call ``deploy/compose.sh upgrade`` in the
folder of the compose file. Each change runs alone. If the site is not healthy afterwards, the change is taken
back.

The old release runs with the new tables, because migrations keep it working (docs/operations.md). So an
upgrade that is taken back keeps the migrated database, and no game loses anything.
"""

import base64
import hashlib
import hmac
import re
import secrets
import signal
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

from deploy.recipes import Compose, Debian, Failure, Recipe

HEALTHY_SECONDS: Final = 40
"""The maximum number of seconds from a change of the parts to a healthy site."""

NOTES: Final = "Running a site"
"""The section of CHANGELOG.md with notes for operators."""

PROBLEMS: Final = (Failure, OSError, KeyboardInterrupt)
"""The reasons to take a change back, such as a full disk or Ctrl-C."""

Say = Callable[[str], None]


def say(text: str) -> None:
    """Show a line to the operator at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _reason(problem: BaseException) -> str:
    return "It was interrupted." if isinstance(problem, KeyboardInterrupt) else str(problem)


# --- A new release ------------------------------------------------------------------------------------------


def notes_between(before: str, after: str) -> dict[str, list[str]]:
    """Return the notes for operators that a new CHANGELOG.md adds to an old one, by version.

    >>> new = "## 1.1.0\\n### Running a site\\n- Restart Caddy\\n  twice.\\n### Play\\n- More.\\n## 1.0.0\\n"
    >>> notes_between("## 1.0.0\\n", new)
    {'1.1.0': ['Restart Caddy twice.']}
    """
    known = {note for notes in _notes_in(before).values() for note in notes}
    found = {
        version: [note for note in notes if note not in known] for version, notes in _notes_in(after).items()
    }
    return {version: notes for version, notes in found.items() if notes}


def _notes_in(changelog: str) -> dict[str, list[str]]:
    notes: dict[str, list[str]] = {}
    for part in re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]:
        version, _line, rest = part.partition("\n")
        section = re.search(rf"^### {NOTES}\n(.*?)(?=^### |\Z)", rest, re.DOTALL | re.MULTILINE)
        entries = re.split(r"^- ", section[1], flags=re.MULTILINE)[1:] if section else []
        notes[version.strip()] = [" ".join(entry.split()) for entry in entries]
    return notes


def upgrade(
    recipe: Recipe,
    source: str,
    *,
    agree: Callable[[], bool],
    seconds: float,
    anyway: bool = False,
    say: Say = say,
) -> None:
    """Replace the running release, and take it back if the site is not healthy after ``seconds``.

    ``agree`` asks the operator after the notes. ``anyway`` upgrades a site that is not healthy now. Raises
    Failure if the running release stays or comes back.
    """
    with recipe.lock():
        old = recipe.current()
        say(f"The running release is {old}.")
        if not anyway:
            recipe.wait(old, seconds)
        if (healthy := recipe.last_healthy()) != old:
            say(f"The start of {old} was interrupted. If the new release fails, {healthy} comes back.")
            old = healthy
        new = recipe.fetch(source)
        try:
            _show_notes(recipe, old, new, say)
            if not agree():
                raise Failure("Nothing was changed.")
            say(recipe.backup())
            say(f"Preparing {new}. The site runs meanwhile.")
            recipe.build(new)
            recipe.migrate(new)
        except PROBLEMS as problem:
            recipe.discard(new)
            raise Failure(f"{_reason(problem)} The release {old} runs on.") from None
        say(f"Starting {new}.")
        _start_or_return(recipe, new, old, seconds, say)
        say(f"The site is healthy with {new}.")
        _finish(recipe, old, say)


def roll_back(recipe: Recipe, release: str, *, seconds: float, say: Say = say) -> None:
    """Return to an earlier release by hand. Raises Failure if that release is not healthy."""
    with recipe.lock():
        now = recipe.current()
        recipe.require(release)
        say(f"Starting {release} in place of {now}.")
        _start_or_return(recipe, release, now, seconds, say)
        say(f"The site is healthy with {release}.")


def _show_notes(recipe: Recipe, old: str, new: str, say: Say) -> None:
    notes = notes_between(recipe.changelog(old), recipe.changelog(new))
    say(f"Notes for {new}:" if notes else f"There are no notes for {new}.")
    for version, entries in notes.items():
        say(f"  {version}")
        for entry in entries:
            say(f"  - {entry}")


def _start_or_return(recipe: Recipe, new: str, old: str, seconds: float, say: Say) -> None:
    try:
        recipe.start(new)
        recipe.wait(new, seconds)
        recipe.note_healthy(new)
    except PROBLEMS as problem:
        say(f"{new} is not healthy: {_reason(problem)}")
        began = time.monotonic()
        try:
            recipe.start(old, is_known=True)
            recipe.wait(old, max(seconds, HEALTHY_SECONDS))  # there is no other release to return to
            recipe.note_healthy(old)
        except PROBLEMS as second:
            both = f"{new} failed: {_reason(problem)} And {old} is not healthy either: {_reason(second)}"
            raise Failure(both) from None
        took = time.monotonic() - began
        raise Failure(
            f"{new} was taken back: {old} is healthy again, {took:.0f} s after the failure."
        ) from None


def _finish(recipe: Recipe, former: str, say: Say) -> None:
    """Correct statistics by the rules of the new release, and remove old releases. Neither takes it back."""
    try:
        say(recipe.manage("recount"))
        if isinstance(recipe, Debian):
            recipe.prune(former)
    except PROBLEMS as problem:
        say(f"The upgrade is done, but afterwards: {_reason(problem)}")


# --- A new host name, key or password -----------------------------------------------------------------------


_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
"""A part of a host name, as a regular expression."""


def rename(recipe: Recipe, url: str, *, seconds: float, say: Say = say) -> None:
    """Give the site a new address. Its old host stays, and redirects to the new one."""
    url = url.rstrip("/").lower()
    if not re.fullmatch(rf"https?://{_LABEL}(\.{_LABEL})*(:\d{{1,5}})?", url):
        raise Failure("Give the new address as https://robo.example.org.")
    new = urlsplit(url).hostname
    with recipe.lock():
        before = recipe.settings["BASE_URL"] or "http://localhost:8000"
        hosts = [host for host in recipe.settings["OLD_HOSTS"].split(",") if host and host != new]
        if (old := urlsplit(before).hostname or "") not in (*hosts, new):
            hosts.append(old)
        recipe.rename_door(before, url)
        _change(recipe, {"BASE_URL": url, "OLD_HOSTS": ",".join(hosts)}, seconds, say)
    say(f"The site is at {url}. Links to {', '.join(hosts) or 'the old host'} lead there.")
    say("Everyone logs in again. Passkeys belong to the old host: docs/upgrading.md.")


def change_key(recipe: Recipe, *, seconds: float, say: Say = say) -> None:
    """Replace SECRET_KEY without ending sessions. First all processes accept the new key, then all use it."""
    new = secrets.token_urlsafe(48)
    with recipe.lock():
        current, old = recipe.settings["SECRET_KEY"], recipe.settings["SECRET_KEY_OLD"]
        if not current or "," in current:
            raise Failure(
                "The present SECRET_KEY is missing or has a comma, so it can't be put into SECRET_KEY_OLD."
            )
        known = [key for key in old.split(",") if key]
        _change(recipe, {"SECRET_KEY_OLD": ",".join([new, *known])}, seconds, say)
        _change(recipe, {"SECRET_KEY": new, "SECRET_KEY_OLD": ",".join([current, *known])}, seconds, say)
        say(recipe.manage("site", "reencrypt"))
    say("The site has a new key. Keep SECRET_KEY_OLD: links in old mail need it.")


def change_password(recipe: Recipe, *, seconds: float, say: Say = say) -> None:
    """Give the database's role a new password. Open connections stay, and new ones wait for the restart."""
    password = secrets.token_urlsafe(32)
    with recipe.lock():
        values, alter = recipe.change_password(scram_verifier(password), password)
        before = recipe.settings.change(values)  # first, so that the new password is never lost
        try:
            alter()
        except PROBLEMS:
            recipe.settings.replace(before)
            raise
        _change(recipe, values, seconds, say, returns=False)
    say("The database has a new password.")


def _change(
    recipe: Recipe, values: Mapping[str, str], seconds: float, say: Say, *, returns: bool = True
) -> None:
    """Change settings, restart all parts, and put the settings back if the site is not healthy."""
    release = recipe.current()
    before = recipe.settings.change(values)
    try:
        recipe.start(release)
        recipe.wait(release, seconds)
    except PROBLEMS as problem:
        if not returns:
            raise
        say(f"The site is not healthy: {_reason(problem)}")
        recipe.settings.replace(before)
        recipe.start(release, is_known=True)
        recipe.wait(release, seconds)
        raise Failure("The settings are as before, and the site is healthy again.") from None


def scram_verifier(password: str, salt: bytes = b"", rounds: int = 4096) -> str:
    """Return the verifier of a password for Postgres (RFC 5803). Postgres never sees the password."""
    salt = salt or secrets.token_bytes(16)
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, rounds)
    stored = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    server = hmac.digest(salted, b"Server Key", "sha256")
    text = [base64.b64encode(part).decode() for part in (salt, stored, server)]
    return f"SCRAM-SHA-256${rounds}:{text[0]}${text[1]}:{text[2]}"


# --- The command line ---------------------------------------------------------------------------------------


def add_arguments(parts: Any) -> None:
    """Add the commands of this module to a parser's group of commands."""
    new = parts.add_parser("upgrade", help="replace the running release")
    new.add_argument("source", nargs="?", default="", help="a tag, branch or commit (default: the newest)")
    new.add_argument("--yes", action="store_true", help="do not ask after the notes")
    new.add_argument("--anyway", action="store_true", help="upgrade a site that is not healthy now")
    back = parts.add_parser("rollback", help="return to an earlier release")
    back.add_argument("release", help="its name")
    host = parts.add_parser("rename", help="give the site a new address")
    host.add_argument("url", help="https://robo.example.org")
    key = parts.add_parser("new-key", help="replace SECRET_KEY")
    password = parts.add_parser("new-password", help="replace the password of the database")
    for each in (new, back, host, key, password):
        each.add_argument(
            "--healthy-seconds", type=float, default=HEALTHY_SECONDS, help="wait so long for a healthy site"
        )


def run(recipe: Recipe, given: Mapping[str, Any], *, say: Say = say) -> None:
    """Run the command that the arguments in ``given`` name. Raises Failure."""
    seconds = given["healthy_seconds"]
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a change goes on if the operator's connection is lost

    def agree() -> bool:
        try:
            return given["yes"] or input("Go on? [y/N] ").strip().lower() in ("y", "yes")
        except EOFError:
            return False

    def tell(text: str) -> None:
        with suppress(OSError):  # nobody listens any more
            say(text)

    try:
        _run(recipe, given, seconds=seconds, agree=agree, say=tell)
    except OSError as error:
        raise Failure(str(error)) from None
    except KeyboardInterrupt:
        raise Failure("It was interrupted.") from None


def _run(
    recipe: Recipe, given: Mapping[str, Any], *, seconds: float, agree: Callable[[], bool], say: Say
) -> None:
    match given["part"]:
        case "upgrade":
            if not given["yes"] and not sys.stdin.isatty():
                raise Failure("Nobody can answer here. Say --yes to go on without a question.")
            more = {"seconds": seconds, "anyway": given["anyway"], "say": say}
            upgrade(recipe, given["source"], agree=agree, **more)
        case "rollback":
            roll_back(recipe, given["release"], seconds=seconds, say=say)
        case "rename":
            rename(recipe, given["url"], seconds=seconds, say=say)
        case "new-key":
            change_key(recipe, seconds=seconds, say=say)
        case "new-password":
            change_password(recipe, seconds=seconds, say=say)


def main(arguments: list[str] | None = None) -> int:
    """Run a command for docker compose, or install a release for `install.sh`. Return the exit status."""
    parser = ArgumentParser(prog="deploy/compose.sh", description="Change a running site.")
    parts = parser.add_subparsers(dest="part", required=True)
    add_arguments(parts)
    first = parts.add_parser("install", help="for deploy/debian/install.sh: make and link the first release")
    first.add_argument("--root", default="")
    first.add_argument("sources")
    given: Namespace = parser.parse_args(arguments)
    try:
        if given.part == "install":
            install(Debian(root=given.root), given.sources)
        else:
            run(Compose(), vars(given))
    except (Failure, OSError) as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0


def install(recipe: Debian, sources: str) -> None:
    """Make a release from the sources and link it, if there is none. Install the units of the linked one."""
    if not recipe.link.is_symlink():
        release = recipe.fetch(sources)
        recipe.build(release)
        recipe.switch(release)
    recipe.install_units(recipe.current())


if __name__ == "__main__":
    sys.exit(main())
