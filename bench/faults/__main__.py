"""The command of the fault test. It prints a report as JSON. Its exit status is 1 if it found breaches."""

import argparse
import json
import logging
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import django

from bench.faults.mail import MailServer
from embedded import backup, paths
from embedded.paths import Failure


def main() -> int:
    """Run the fault test or the poison test, and return the exit status."""
    arguments = _parser().parse_args()
    directory = arguments.directory or Path(tempfile.mkdtemp(prefix="robo-runner-faults-"))
    mail = MailServer()
    mail.start()
    os.environ.update(
        DJANGO_SETTINGS_MODULE="roborunner.settings",
        DATABASE_URL=paths.database_url(directory),
        REDIS_URL=paths.redis_url(directory),
        EMAIL_URL=mail.url,
        SECRET_KEY=secrets.token_hex(),
        SWEEP_SECONDS="2" if arguments.hurry else "30",
        NEWCOMER_GAMES="0",  # its new people play more games than newcomers may
        NEWCOMER_DAYS="0",
        PRIVATE_WEBHOOKS="1",  # its chat services are on this machine
    )
    directory.mkdir(parents=True, exist_ok=True)
    paths.socket_directory(directory).mkdir(parents=True, exist_ok=True, mode=0o700)

    from bench.faults.machine import Machine
    from bench.faults.pooler import Pooler

    poolers = [Pooler(directory)] if arguments.pooler else []
    for pooler in poolers:
        os.environ.update(DATABASE_URL=pooler.url, DATABASE_PREPARES="0")
    machine = Machine(directory, Random(arguments.seed), *poolers, hurry=arguments.hurry)
    if arguments.announce:
        machine.processes = (machine.worker, machine.caller, machine.beat)
    try:
        for part in machine.servers:
            part.open()
        machine.wait(machine.servers)
        _prepare(arguments.backup, paths.database_url(directory))
        django.setup()
        logging.getLogger("mail.log").setLevel(logging.WARNING)
        logging.getLogger("games").setLevel(logging.WARNING)
        for part in machine.processes:
            part.open()
        machine.wait(machine.processes)

        if arguments.poison:
            from bench.faults.poisoned import poison_site  # imported here, since it needs the settings

            report = poison_site(
                healthy=arguments.healthy, batch=arguments.batch, most=arguments.most, only=arguments.only
            )
        else:
            from bench.faults.trial import Trial  # also needs the settings

            report = Trial(machine, mail, arguments).run()
    except Failure as problem:
        print(problem, file=sys.stderr)
        return 1
    finally:
        machine.close()
        mail.stop()
    print(json.dumps(report, indent=2))
    if report["breaches"]:
        print(f"The logs are in {directory}.", file=sys.stderr)
        return 1
    if not arguments.directory:
        shutil.rmtree(directory, ignore_errors=True)
        shutil.rmtree(paths.socket_directory(directory), ignore_errors=True)
    return 0


def _prepare(file: Path | None, url: str) -> None:
    """Create the tables and load the starships, or restore a backup, which is faster."""
    if file:
        backup.fill(file, url)
        return
    command = [sys.executable, "manage.py", "prepare", "--verbosity=0"]
    subprocess.run(command, check=True, env={**os.environ, "DATABASE_URL": url})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.faults", description="Kills parts of the site.")
    parser.add_argument("--games", type=int, default=200, help="how many games are played (200)")
    parser.add_argument("--kills", type=int, default=100, help="how often something is killed (100)")
    parser.add_argument("--each", nargs="+", default=[], help="kill these parts, once each: postgres web")
    parser.add_argument("--minutes", type=float, default=15, help="for how long (15)")
    parser.add_argument("--threads", type=int, default=4, help="players who act at the same time (4)")
    parser.add_argument("--rest", type=float, default=0.15, help="seconds between two moves of one (0.15)")
    parser.add_argument(
        "--announce",
        type=int,
        default=0,
        metavar="TURNS",
        help="play this many turns of one player without the API, and count the announcements in groups",
    )
    parser.add_argument("--groups", type=int, default=20, help="how many games have channels of groups (20)")
    parser.add_argument("--poison", action="store_true", help="poison every column, and kill nothing")
    parser.add_argument(
        "--healthy", type=int, default=20, help="games that must go on beside the poison (20)"
    )
    parser.add_argument("--batch", type=int, default=60, help="games poisoned at a time (60)")
    parser.add_argument("--most", type=int, help="the most kinds of poison (all)")
    parser.add_argument("--only", default="", help="kinds of poison with this in their names: turn.deadline")
    parser.add_argument(
        "--pooler", action="store_true", help="have PgBouncer in front of Postgres, and kill it, too"
    )
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of what is killed and when")
    parser.add_argument("--hurry", action="store_true", help="shorter leases, more sweeps: for short runs")
    parser.add_argument("--backup", type=Path, help="what the site begins with, in place of an empty one")
    parser.add_argument("--directory", type=Path, help="where servers and logs lie, and stay")
    return parser


if __name__ == "__main__":
    sys.exit(main())
