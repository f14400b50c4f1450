"""Measure the cost of an email with a board in the mailer, in Postgres and in Redis.

    python -m bench.mail
    python -m bench.mail --games 200 --profile

It starts its own Postgres, Redis, mail server and mailer. People play games of four on eight starships until
emails are due to players with missing orders. It first sends the emails of some games, for which every part
of the pictures must still be drawn, and then all other emails. ``--profile`` sends these other emails again,
and prints a profile.
"""

import argparse
import cProfile
import json
import os
import pstats
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import django
from django.core.management import call_command

from bench.faults.mail import MailServer
from bench.load.site import Site, seconds_taken
from embedded import backup, paths

PARTS = ("mailer", "postgres", "redis")

FIRST_GAMES = 16
"""The number of games whose emails are sent first: two on each starship, but at most half of the games."""

MAIL_TIMEOUT = 600.0


def main() -> int:
    """Measure the cost of emails, print the report as JSON, and return the exit status."""
    arguments = _parser().parse_args()
    directory = Path(tempfile.mkdtemp(prefix="robo-runner-mail-"))
    mail = MailServer()
    mail.start()
    os.environ.update(
        DJANGO_SETTINGS_MODULE="roborunner.settings",
        DATABASE_URL=paths.database_url(directory),
        REDIS_URL=paths.redis_url(directory),
        SECRET_KEY=secrets.token_hex(),
        EMAIL_URL=mail.url,
    )
    paths.socket_directory(directory).mkdir(parents=True, exist_ok=True, mode=0o700)
    site = Site(directory, web=1, workers=1)
    try:
        site.open(site.database, site.broker)
        if arguments.backup:
            backup.fill(arguments.backup, os.environ["DATABASE_URL"])
        django.setup()
        if not arguments.backup:
            call_command("prepare", verbosity=0)
        report = run(site, mail, arguments.games, profiled=arguments.profile)
    finally:
        site.close()
        mail.stop()
    print(json.dumps(report, indent=2))
    shutil.rmtree(directory, ignore_errors=True)
    shutil.rmtree(paths.socket_directory(directory), ignore_errors=True)
    return 0


def run(site: Site, mail: MailServer, games: int, *, profiled: bool) -> dict[str, Any]:
    """Fill the site with games, and measure the emails due to its players. Return the report."""
    from django.utils import timezone

    from bench.load.trial import quiet
    from bench.load.villages import Shape, Village

    quiet()
    Village(Shape(people=20, running=games, turns=2), timezone.now()).create()
    notices = waiting()
    early = sorted(set(notices.values()))[: min(FIRST_GAMES, games // 2)]
    first = [number for number, game in notices.items() if game in early]
    rest = [number for number in notices if number not in first]
    site.open(site.mailer)
    warm_up(rest[0], mail)
    report = {"emails of the first games": measured(first, mail), "all others": measured(rest, mail)}
    if profiled:
        profile(rest)
    return report


def waiting() -> dict[int, int]:
    """Return the emails about turns with missing orders: the ID of the notification and of its game."""
    from games.news.models import Notice
    from games.play.models import Hand, Turn

    asked = Hand.objects.filter(program=None, turn__status=Turn.Status.OPEN, seat__isnull=False)
    whom = set(asked.values_list("turn__game", "turn__number", "seat__user"))
    told = Notice.objects.filter(kind="turn", channel="mail").values_list("pk", "game", "turn", "user")
    return {number: about[0] for number, *about in sorted(told) if tuple(about) in whom}


def warm_up(number: int, mail: MailServer) -> None:
    """Send an email to warm up the mailer. The same email is sent again later."""
    send([number], mail)
    mail.taken.clear()


def measured(notices: Sequence[int], mail: MailServer) -> dict[str, Any]:
    """Send emails. Return the processor milliseconds for one email, by part of the site."""
    before = seconds_taken()
    send(notices, mail)
    after = seconds_taken()
    taken = {part: round(1000 * (after[part] - before[part]) / len(notices), 1) for part in PARTS}
    return {"mails": len(notices), "ms of a processor": {**taken, "all": round(sum(taken.values()), 1)}}


def send(notices: Sequence[int], mail: MailServer) -> None:
    """Send emails with the mailer, and wait until the mail server has received all of them."""
    from games.work import enqueue

    write(notices)
    for number in notices:
        enqueue.send_notification(number, task="games.tasks.send_mail")
    end = time.monotonic() + MAIL_TIMEOUT
    while missing := [number for number in notices if number not in mail.taken]:
        if time.monotonic() > end:
            raise SystemExit(f"{len(missing)} of {len(notices)} emails did not come.")
        time.sleep(0.05)


def write(notices: Sequence[int]) -> None:
    """Mark notifications as pending, as they are at the beginning of a turn."""
    from games.news.models import Notice

    Notice.objects.filter(pk__in=notices).update(
        status=Notice.Status.PENDING, sent_at=None, due_at=None, lease_until=None, attempts=0
    )


def profile(notices: Sequence[int]) -> None:
    """Send emails again from this process, and print a profile of the processor time."""
    from django.utils import timezone

    from games.news.delivery import send_notification

    write(notices)
    watch = cProfile.Profile(time.process_time)
    assert send_notification(notice_id=notices[0], now=timezone.now())
    watch.enable()
    for number in notices[1:]:
        assert send_notification(notice_id=number, now=timezone.now())
    watch.disable()
    pstats.Stats(watch, stream=sys.stderr).sort_stats("cumulative").print_stats(70)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.mail", description="What an email costs.")
    parser.add_argument("--games", type=int, default=100, help="running games (100)")
    parser.add_argument("--backup", type=Path, help="what the site begins with, in place of an empty one")
    parser.add_argument("--profile", action="store_true", help="say where the time goes")
    return parser


if __name__ == "__main__":
    sys.exit(main())
