"""Let scripts sign up on a real site, and undo the wave with three clicks in the admin.

    python -m bench.spam_wave                  # 1,000 scripts
    python -m bench.spam_wave --by-form 120    # only 120 of them send the form

It starts its own Postgres, Redis, mail server, web processes, workers and beat. Scripts sign up by the form,
all from one network, while four real newcomers do the same. Every fifth of them confirms its address and
writes: clubs, games, chat lines, lists, reports. Two newcomers play with each other, a member follows the
third, and the fourth is in a member's club, and by mistake also in a club of a script. The puzzle is off, so
that the wave is fast. Then staff follow two links and press *Remove*.

Most of the time, the site hashes passwords. With ``--by-form``, the other scripts have none: their sign-ups
are saved by the services that the form calls.

The report is JSON. ``left`` lists tables in which a name, an address or a text of a script is left, with the
number of rows. ``lost`` lists newcomers and members who are gone. Both must be empty.
"""

import argparse
import email
import email.policy
import html
import json
import logging
import os
import re
import secrets
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import django
import requests
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.core.management import call_command

from bench.faults.mail import MailServer
from bench.load.site import Site
from bench.orders import first_chips
from embedded import backup, paths

MARK: Final = "wavebot"
"""The word in all names, addresses and texts of scripts."""

PASSWORD: Final = secrets.token_urlsafe()
MEMBERS: Final = ("Alice", "Bob")
NEWCOMERS: Final = ("Carol", "Dave", "Frida", "Gustav")
STAFF_NAME: Final = "Erin"
CONFIRMED: Final = 5
"""One of this many scripts that send the form confirms its address and writes."""

TURNS: Final = 4
"""The turns that the two playing newcomers play."""

TIMEOUT: Final = 1800.0


class Letters(MailServer):
    """A mail server that keeps the confirmation link of each address."""

    def __init__(self) -> None:
        super().__init__()
        self.links: dict[str, str] = {}

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Receive an email, and keep its link. aiosmtpd calls this method."""
        content = envelope.content
        assert isinstance(content, bytes)
        body = email.message_from_bytes(content, policy=email.policy.default).get_body(("plain",))
        if body and (found := re.search(r"/accounts/confirm-email/[^\s/]+/", body.get_content())):
            self.links[envelope.rcpt_tos[0].lower()] = found[0]
        return "250 OK"

    def link_of(self, address: str) -> str:
        """Wait for the confirmation link of an address. Raises SystemExit if it does not come."""
        end = time.monotonic() + TIMEOUT
        while address not in self.links:
            if time.monotonic() > end:
                raise SystemExit(f"No mail for {address} came.")
            time.sleep(0.1)
        return self.links[address]


class Browser:
    """A browser at an IP address. It sends forms as people do, and the API's calls with a token."""

    def __init__(self, port: int, ip: str) -> None:
        self._root = f"http://localhost:{port}"
        self._session = requests.Session()
        self._session.headers["X-Forwarded-For"] = ip

    def get(self, path: str) -> str:
        answer = self._session.get(self._root + path, timeout=TIMEOUT)
        answer.raise_for_status()
        return answer.text

    def send(self, path: str, page: str, **form: str) -> str:
        """Send a form of a page."""
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert token, page
        data = {"csrfmiddlewaretoken": token[1], **form}
        answer = self._session.post(self._root + path, data, timeout=TIMEOUT)
        answer.raise_for_status()
        return answer.text

    def call(self, path: str, document: Any = None, token: str = "", method: str = "") -> Any:
        """Call the API: with POST if there is a document. Raises SystemExit if it refuses."""
        method = method or ("GET" if document is None else "POST")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        address = f"{self._root}/api/v1/{path}"
        answer = self._session.request(method, address, json=document, headers=headers, timeout=TIMEOUT)
        if answer.status_code >= 400:
            raise SystemExit(f"{path}: {answer.status_code} {answer.text[:300]}")
        return answer.json()


class Person:
    """A person or a script with a browser."""

    def __init__(self, site: Site, name: str, ip: str) -> None:
        self.name, self.address = name, f"{name.lower()}@mail.example"
        self.browser = Browser(site.port, ip)
        self._token = ""

    def sign_up(self) -> None:
        path = "/accounts/signup/"
        form = {"username": self.name, "email": self.address, "password1": PASSWORD}
        page = self.browser.send(path, self.browser.get(path), **form)
        assert self.address in html.unescape(page), page

    def sign_up_without_form(self) -> None:
        """Save a sign-up as the form does, but without a password and without mail."""
        from django.db import connection
        from django.utils import timezone

        from accounts import admission
        from accounts.services import sign_up

        given = {"robo_name": self.name, "email": self.address, "password": None, "time_zone": "UTC"}
        user = sign_up(**given, language="", instead_of=None, now=timezone.now())
        admission.record_sign_up(user=user, ip="198.51.100.9", token="", now=timezone.now())
        connection.close()

    def confirm(self, letters: Letters) -> None:
        path = letters.link_of(self.address)
        self.browser.send(path, self.browser.get(path))

    def call(self, path: str, document: Any = None, method: str = "") -> Any:
        """Call the API as this person."""
        if not self._token:
            login = {"login": self.name, "password": PASSWORD, "name": "bench"}
            self._token = self.browser.call("tokens", login)["token"]
        return self.browser.call(path, document, self._token, method)


def main() -> int:
    """Run the wave, print the report as JSON, and return the exit status."""
    arguments = _parser().parse_args()
    directory = Path(tempfile.mkdtemp(prefix="robo-runner-wave-"))
    letters = Letters()
    letters.start()
    os.environ.update(
        DJANGO_SETTINGS_MODULE="roborunner.settings",
        DATABASE_URL=paths.database_url(directory),
        REDIS_URL=paths.redis_url(directory),
        SECRET_KEY=secrets.token_hex(),
        EMAIL_URL=letters.url,
        FORWARDED_ALLOW_IPS="127.0.0.1",
        SIGN_UP_RUSH="10000",
        STAFF_SECOND_FACTOR="0",
    )
    paths.socket_directory(directory).mkdir(parents=True, exist_ok=True, mode=0o700)
    site = Site(directory, web=2, workers=2)
    try:
        site.open(site.database, site.broker)
        if arguments.backup:
            backup.fill(arguments.backup, os.environ["DATABASE_URL"])
        os.environ["BASE_URL"] = f"http://localhost:{site.port}"
        django.setup()
        if not arguments.backup:
            call_command("prepare", verbosity=0)
        logging.getLogger("mail.log").setLevel(logging.WARNING)
        site.open(site.web, site.worker, site.mailer, site.beat)
        report = run(site, letters, arguments.scripts, arguments.by_form)
    finally:
        site.close()
        letters.stop()
    print(json.dumps(report, indent=2))
    shutil.rmtree(directory, ignore_errors=True)
    shutil.rmtree(paths.socket_directory(directory), ignore_errors=True)
    return 1 if report["left"] or report["lost"] else 0


def run(site: Site, letters: Letters, scripts: int, by_form: int | None) -> dict[str, Any]:
    """Let scripts and newcomers sign up, undo the wave, and return the report."""
    by_form = scripts if by_form is None else by_form
    members = [_member(site, name) for name in MEMBERS]
    newcomers = [Person(site, name, "198.51.100.7") for name in NEWCOMERS]
    wave = [Person(site, f"{MARK.title()}{n}", f"198.51.100.{n % 250 + 1}") for n in range(scripts)]
    began = time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(Person.sign_up, [*wave[: by_form // 2], *newcomers, *wave[by_form // 2 : by_form]]))
        list(pool.map(Person.sign_up_without_form, wave[by_form:]))
        signed_up = time.monotonic()
        writers = wave[:by_form:CONFIRMED]
        list(pool.map(lambda each: each.confirm(letters), [*newcomers, *writers]))
        hall = _members_begin(members)
        list(pool.map(lambda number: _write(writers[number], number, hall), range(len(writers))))
    _play(newcomers[0], newcomers[1], hall["starship"])
    members[0].call(f"players/{newcomers[2].name}/follow", {}, "PUT")
    members[1].call(f"clubs/{hall['club']}/members/{newcomers[3].name}", {}, "PUT")
    for club in (hall["club"], f"{MARK}-0"):
        newcomers[3].call(f"clubs/{club}/membership", {}, "PUT")
    written = marked_rows()
    report: dict[str, Any] = {
        "scripts": scripts,
        "scripts that sent the form": by_form,
        "scripts that wrote": len(writers),
        "seconds to sign up": round(signed_up - began),
        "rows before": sum(written.values()),
        "tables before": len(written),
    }
    report |= _undo(site)
    report["left"] = marked_rows()
    report["lost"] = _lost()
    return report


def _member(site: Site, name: str) -> Person:
    """Return a member who signed up long ago."""
    from datetime import timedelta

    from django.utils import timezone

    from accounts.models import User
    from accounts.services import open_account

    person = Person(site, name, "203.0.113.5")
    user = open_account(robo_name=name, email=person.address, password=PASSWORD)
    User.objects.filter(pk=user.pk).update(date_joined=timezone.now() - timedelta(days=200))
    return person


def _members_begin(members: list[Person]) -> dict[str, Any]:
    """Let members open a club and a game for everyone. Return their ids, and the starship's."""
    from games.models import Starship

    starship = Starship.objects.filter(section="fleet").order_by("pk").values_list("pk", flat=True)[0]
    club = members[1].call("clubs", {"name": "Dock Nine", "entry": "invited"})["slug"]
    terms = {"name": "Open to everyone", "starship": starship, "seats": 4}
    return {"starship": starship, "club": club, "game": members[0].call("games", terms)["id"]}


def _write(script: Person, number: int, hall: dict[str, Any]) -> None:
    """Write as a script: a club, a game with a chat line, a list, or a report. Two join a member's game."""
    text = f"Cheap {MARK} pills {number}"
    if number in (1, 2):
        script.call(f"games/{hall['game']}/join", {})
        script.call(f"games/{hall['game']}/chat", {"text": text})
    elif number % 4 == 0:
        script.call("clubs", {"name": f"{MARK.title()} {number}", "text": text})
    elif number % 4 == 1:
        terms = {"name": text, "starship": hall["starship"], "seats": 4}
        game = script.call("games", terms)["id"]
        script.call(f"games/{game}/chat", {"text": text})
    elif number % 4 == 2:
        script.call("starships/lists", {"name": text})
    else:
        script.call(f"players/{MEMBERS[0]}/reports", {"about": "behaviour", "rule": "polite", "text": text})


def _play(first: Person, second: Person, starship: int) -> None:
    """Play turns of a game of two people."""
    game = first.call("games", {"name": "Duel", "starship": starship, "seats": 2})["id"]
    second.call(f"games/{game}/join", {})
    end = time.monotonic() + TIMEOUT
    for turn in range(TURNS + 1):
        for index, person in enumerate((first, second)):
            while (seen := person.call(f"games/{game}"))["turn"] < turn:
                if time.monotonic() > end:
                    raise SystemExit(f"Turn {turn} does not come.")
                time.sleep(0.2)
            person.call(f"games/{game}/turns/{turn}/orders", first_chips(seen, seen["robots"][index]))


def _undo(site: Site) -> dict[str, Any]:
    """Undo the wave as staff. Return the clicks, and how long the removal takes."""
    from accounts.models import User
    from games.admission.models import Removal
    from games.people.models import Deletion

    User.objects.create_superuser(STAFF_NAME, f"{STAFF_NAME.lower()}@example.org", PASSWORD)
    staff = Browser(site.port, "192.0.2.9")
    staff.send("/accounts/login/", staff.get("/accounts/login/"), login=STAFF_NAME, password=PASSWORD)
    front = staff.get("/admin/")
    waves = _link(front, r"/admin/games/removal/")
    groups = staff.get(waves)
    look = staff.get(_link(groups, r"/admin/games/removal/look/[^\"]*network=198\.51[^\"]*"))
    form = dict(re.findall(r'name="(since|until|network|domain)" value="([^"]*)"', look.partition("csrf")[2]))
    pressed = time.monotonic()
    staff.send("/admin/games/removal/look/", look, reason="Scripts", block="on", **form)
    while Removal.objects.filter(done_at=None).exists():
        _wait(pressed)
    closed = time.monotonic()
    while Deletion.objects.filter(done_at=None).exists():
        _wait(pressed)
    removal = Removal.objects.get()
    return {
        "clicks": 3,
        "removed": removal.removed,
        "spared": removal.spared,
        "seconds until the accounts are gone": round(closed - pressed),
        "seconds until everything is gone": round(time.monotonic() - pressed),
    }


def _link(page: str, pattern: str) -> str:
    found = re.search(f'href="({pattern})"', page)
    if not found:
        raise SystemExit(f"The page has no link to {pattern}.")
    return html.unescape(found[1])


def _wait(since: float) -> None:
    if time.monotonic() - since > TIMEOUT:
        raise SystemExit("The removal does not end.")
    time.sleep(0.5)


def marked_rows() -> dict[str, int]:
    """Return the number of rows with the word of the scripts, by table."""
    from django.db import connection

    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            name = connection.ops.quote_name(table)
            query = f"SELECT count(*) FROM {name} AS row WHERE row::text ILIKE %s"  # noqa: S608
            cursor.execute(query, [f"%{MARK}%"])
            if number := cursor.fetchone()[0]:
                found[table] = number
    return found


def _lost() -> list[str]:
    from accounts.models import User

    there = set(User.objects.players().values_list("robo_name", flat=True))
    return sorted({*MEMBERS, *NEWCOMERS} - there)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.spam_wave", description="Undo a wave of scripted sign-ups."
    )
    parser.add_argument("--scripts", type=int, default=1000, help="scripts that sign up (1000)")
    parser.add_argument("--by-form", type=int, help="scripts that send the form (all)")
    parser.add_argument("--backup", type=Path, help="the backup that the site begins with (an empty site)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
