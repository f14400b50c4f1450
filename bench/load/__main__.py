"""The commands of the load tests. They print a report as JSON. The exit status is 1 if it has breaches."""

import argparse
import json
import logging
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import django
from django.core.management import call_command
from django.utils import timezone

from embedded import backup, paths
from embedded.paths import Failure
from embedded.servers import Servers

SIZES = [1_000, 10_000, 100_000, 1_000_000]


def main() -> int:
    """Run a command and return its exit status."""
    arguments = _parser().parse_args()
    directory = arguments.directory or Path(tempfile.mkdtemp(prefix="robo-runner-load-"))
    directory.mkdir(parents=True, exist_ok=True)
    os.environ.update(
        DJANGO_SETTINGS_MODULE="roborunner.settings",
        DATABASE_URL=paths.database_url(directory),
        REDIS_URL=paths.redis_url(directory),
        SECRET_KEY=secrets.token_hex(),
    )
    try:
        report = arguments.do(arguments, directory)
    except Failure as problem:
        print(problem, file=sys.stderr)
        return 1
    print(json.dumps(report, indent=2))
    if report["breaches"]:
        print(f"The logs are in {directory}.", file=sys.stderr)
        return 1
    if not arguments.directory:
        shutil.rmtree(directory, ignore_errors=True)
        shutil.rmtree(paths.socket_directory(directory), ignore_errors=True)
    return 0


def _flat(arguments: argparse.Namespace, directory: Path) -> Mapping[str, Any]:
    os.environ["EMAIL_URL"] = (directory.resolve() / "mail").as_uri()
    with Servers(directory, {}):
        _set_up()
        logging.getLogger("games").setLevel(logging.ERROR)
        from bench.load import flat  # here, since it needs the settings

        return flat.run(arguments.games, timezone.now(), show=arguments.explain)


def _tables(arguments: argparse.Namespace, directory: Path) -> Mapping[str, Any]:
    os.environ["EMAIL_URL"] = (directory.resolve() / "mail").as_uri()
    with Servers(directory, {}):
        _set_up()
        for quiet in ("games", "roborunner"):
            logging.getLogger(quiet).setLevel(logging.ERROR)
        from bench.load import tables  # here, since it needs the settings

        return tables.run(arguments.players, timezone.now(), show=arguments.explain)


def _play(arguments: argparse.Namespace, directory: Path) -> Mapping[str, Any]:
    from bench.faults.mail import MailServer
    from bench.load.site import Site

    mail = MailServer()
    mail.start()
    os.environ["EMAIL_URL"] = mail.url
    paths.socket_directory(directory).mkdir(parents=True, exist_ok=True, mode=0o700)
    site = Site(directory, web=arguments.web, workers=arguments.workers)
    try:
        site.open(site.database, site.broker)
        _set_up(arguments.backup)
        from bench.load.trial import Trial, quiet

        quiet()
        return Trial(site, arguments).run()
    finally:
        site.close()
        mail.stop()


def _set_up(file: Path | None = None) -> None:
    """Create the tables and load the starships, or restore a backup, which is faster."""
    if file:
        backup.fill(file, os.environ["DATABASE_URL"])
    django.setup()
    if not file:
        call_command("prepare", verbosity=0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description="What one machine carries.")
    parser.add_argument("--directory", type=Path, help="where servers and logs lie, and stay")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    flat = commands.add_parser("flat", help="the cost of the sweeper and of My Room on sites of many sizes")
    flat.set_defaults(do=_flat)
    flat.add_argument("--games", type=int, nargs="+", default=SIZES, help="sizes (1,000 to 1,000,000)")
    flat.add_argument("--explain", action="store_true", help="tell all plans, for the largest")
    tables = commands.add_parser("tables", help="the cost of pages that list players, with few and with many")
    tables.set_defaults(do=_tables)
    tables.add_argument("--players", type=int, nargs="+", default=SIZES, help="sizes (1,000 to 1,000,000)")
    tables.add_argument("--explain", action="store_true", help="tell all plans, for the largest")
    play = commands.add_parser("play", help="many running games, and people who play at a steady pace")
    play.set_defaults(do=_play)
    play.add_argument("--games", type=int, default=10_000, help="games that are running (10,000)")
    play.add_argument("--live", type=int, default=750, help="games at which people sit (750)")
    play.add_argument("--rate", type=float, default=5000, help="orders a minute (5,000)")
    play.add_argument("--minutes", type=float, default=5, help="for how long (5)")
    play.add_argument("--web", type=int, default=2, help="web processes (2)")
    play.add_argument("--workers", type=int, default=2, help="processes that play turns (2)")
    play.add_argument("--pgbench", type=int, default=20, help="seconds of pgbench, twice (20)")
    play.add_argument("--branches", type=int, default=20, help="branches of the bank of pgbench (20)")
    play.add_argument("--backup", type=Path, help="what the site begins with, in place of an empty one")
    play.add_argument("--seed", type=int, default=1, help="of who plays when")
    play.add_argument("--judge", action="store_true", help="have times that are too long count as breaches")
    return parser


if __name__ == "__main__":
    sys.exit(main())
