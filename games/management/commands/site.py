"""``manage.py site``: maintenance, site notices, and changes of a running site.

The changes of code, host name, key and password are in `deploy.site`, which needs no Django.
"""

import re
from argparse import ArgumentParser
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from accounts.backend import reencrypt_second_factors
from deploy import site
from deploy.recipes import Debian, Failure
from games.clocks.maintenance import end_maintenance, maintenance_at, start_maintenance
from games.errors import ServiceError
from games.management import OneLineCommand
from games.news.site_notices import end_site_notices, save_site_notice, site_notices_at
from games.staff.health import wait_until_healthy

_UNITS: Final = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}


class Command(OneLineCommand):
    """Change a running site."""

    help = "Upgrade the site, start maintenance, announce something, or change its host, key or password."

    def add_arguments(self, parser: CommandParser) -> None:
        parts = parser.add_subparsers(dest="part", required=True, parser_class=ArgumentParser)
        site.add_arguments(parts)
        maintenance = parts.add_parser("maintenance", help="show a page with the end, and stop all clocks")
        maintenance.add_argument("state", nargs="?", choices=["on", "off"])
        maintenance.add_argument("--until", help="the end: 2026-12-01T14:00 (UTC), or from now: 30m, 2h, 1d")
        maintenance.add_argument("--from", dest="start", help="the start (default: now)")
        notice = parts.add_parser("notice", help="show a line of text on all pages and in mail")
        notice.add_argument("text", nargs="?", help="the text; without it, show the current ones")
        notice.add_argument("--until", help="the end, as for maintenance")
        notice.add_argument("--from", dest="start", help="the start (default: now)")
        notice.add_argument(
            "--in", dest="translations", action="append", default=[], metavar="de=TEXT", help="in a language"
        )
        notice.add_argument("--off", action="store_true", help="end all site notices")
        wait = parts.add_parser("wait", help="wait until this release is healthy")
        wait.add_argument("--seconds", type=float, default=40.0)
        wait.add_argument("--page", action="append", default=[], help="the address of a web process to try")
        parts.add_parser("reencrypt", help="encrypt second factors with the newest key")

    def handle(self, *args: Any, **options: Any) -> None:
        now, part = timezone.now(), options["part"]
        own: dict[str, Callable[[datetime, dict[str, Any]], str]] = {
            "maintenance": _maintenance,
            "notice": _notice,
            "wait": _wait,
            "reencrypt": lambda _now, _options: (
                f"Second factors encrypted again: {reencrypt_second_factors()}."
            ),
        }
        try:
            if part in own:
                self.stdout.write(own[part](now, options))
            else:
                site.run(Debian(), options, say=self.stdout.write)
        except ServiceError as refusal:
            raise CommandError(refusal.detail) from None
        except Failure as problem:
            raise CommandError(str(problem)) from None


def _maintenance(now: datetime, options: dict[str, Any]) -> str:
    if options["state"] == "on":
        if not options["until"]:
            raise CommandError("Say when it ends: --until 2h, or --until 2026-12-01T14:00 (UTC).")
        start = _time(options["start"], now) if options["start"] else None
        row = start_maintenance(until=_time(options["until"], now), began_at=start, now=now)
        return f"Maintenance from {row.began_at:%Y-%m-%d %H:%M} to {row.until:%Y-%m-%d %H:%M} UTC."
    if options["state"] == "off":
        return "Maintenance ended." if end_maintenance(now=now) else "There is no maintenance."
    current = maintenance_at(now)
    return f"Maintenance until {current.end:%Y-%m-%d %H:%M} UTC." if current else "There is no maintenance."


def _notice(now: datetime, options: dict[str, Any]) -> str:
    if options["off"]:
        return f"Site notices ended: {end_site_notices(now=now)}."
    if not options["text"]:
        return " | ".join(site_notices_at(now)) or "There is no site notice."
    if not options["until"]:
        raise CommandError("Say when it ends: --until 2d, or --until 2026-12-01T14:00 (UTC).")
    row = save_site_notice(
        text=options["text"],
        translations=dict(each.partition("=")[::2] for each in options["translations"]),
        starts_at=_time(options["start"], now) if options["start"] else now,
        ends_at=_time(options["until"], now),
    )
    return f"Shown from {row.starts_at:%Y-%m-%d %H:%M} to {row.ends_at:%Y-%m-%d %H:%M} UTC."


def _wait(now: datetime, options: dict[str, Any]) -> str:
    missing = wait_until_healthy(since=now, seconds=options["seconds"], pages=options["page"])
    if missing:
        raise CommandError(" ".join(missing.values()))
    return "The site is healthy."


def _time(text: str, now: datetime) -> datetime:
    """Return the instant that ``text`` names: a date and time in UTC, or a length from now such as 2h."""
    if found := re.fullmatch(r"(\d{1,4})([mhd])", text):
        return now + int(found[1]) * _UNITS[found[2]]
    try:
        at = parse_datetime(text)
    except ValueError:
        at = None
    if at is None:
        raise CommandError(f"“{text}” is no time. Write 2026-12-01T14:00 (UTC), or from now: 30m, 2h, 1d.")
    return at if at.tzinfo else at.replace(tzinfo=UTC)
