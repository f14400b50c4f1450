"""The commands of ``python -m embedded``.

The commands are ``serve``, ``run -- COMMAND``, ``ready``, ``up`` and ``clean``. For backups, there are
``backup``, ``restore``, ``check`` and ``take-over``.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from embedded import paths, processes
from embedded.paths import Failure


def main() -> int:
    """Run one command and return its exit status. Print errors on stderr."""
    arguments = _parser().parse_args()
    try:
        with processes.interruptible():
            return int(arguments.do(arguments) or 0)
    except processes.Interrupted:
        return 0
    except Failure as problem:
        print(problem, file=sys.stderr)
    except OSError as error:
        print(f"This does not work in {arguments.directory}: {error}.", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m embedded", description="Postgres and Redis for trials.")
    parser.add_argument("--directory", type=Path, default=Path(".local"), help="where data lies (.local)")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="run both servers until Ctrl-C, and print their addresses")
    serve.set_defaults(do=_serve)
    run = commands.add_parser("run", help="run a command with both servers: run -- COMMAND ...")
    run.add_argument("command", nargs="+")
    run.set_defaults(do=_run)
    up = commands.add_parser("up", help="run the whole site until Ctrl-C")
    up.set_defaults(do=_up)
    ready = commands.add_parser("ready", help="make what a new site is a copy of")
    ready.set_defaults(do=_ready)
    _add_keeping(commands)
    clean = commands.add_parser("clean", help="forget all data")
    clean.set_defaults(do=_clean)
    return parser


def _add_keeping(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    backup = commands.add_parser("backup", help="write all games to a file, while they are played")
    backup.add_argument("file", type=Path)
    backup.set_defaults(do=_backup)
    restore = commands.add_parser("restore", help="make a new database out of such a file, and check it")
    restore.add_argument("file", type=Path)
    restore.add_argument("name", help="of the new database")
    restore.add_argument("--overwrite", action="store_true", help="lose what such a database holds already")
    restore.set_defaults(do=_restore)
    check = commands.add_parser("check", help="say whether all games are sound")
    check.add_argument("name", nargs="?", help="of a database beside the site's (the site's)")
    check.set_defaults(do=_check)
    take_over = commands.add_parser("take-over", help="give the site a restored database; stop it first")
    take_over.add_argument("name", help="of the restored database")
    take_over.set_defaults(do=_take_over)


def _backup(arguments: argparse.Namespace) -> int:
    return _run_backup_command(arguments, "backup", str(arguments.file))


def _restore(arguments: argparse.Namespace) -> int:
    overwrite = ["--overwrite"] if arguments.overwrite else []
    return _run_backup_command(arguments, "restore", str(arguments.file), arguments.name, *overwrite)


def _check(arguments: argparse.Namespace) -> None:
    from embedded import backup

    print(backup.check_copy(arguments.directory, _given(), arguments.name))


def _take_over(arguments: argparse.Namespace) -> int:
    return _run_backup_command(arguments, "take_over", arguments.name)


def _run_backup_command(arguments: argparse.Namespace, *command: str) -> int:
    from embedded import backup as embedded_backup

    return embedded_backup.call_command(arguments.directory, _given(), *command)


def _given() -> dict[str, str]:
    """Return the environment without empty variables."""
    return {name: value for name, value in os.environ.items() if value}


def _serve(arguments: argparse.Namespace) -> None:
    from embedded.servers import Servers  # not at the top, since `clean` must work without installed packages

    with Servers(arguments.directory, _given()) as servers:
        if not servers.environment:
            raise Failure("There is nothing to serve: DATABASE_URL and REDIS_URL name servers already.")
        for name, url in servers.environment.items():
            print(f"{name}={url}", flush=True)
        while not (ended := servers.ended()):
            time.sleep(0.5)
        raise Failure(f"{ended} ended by itself; see {arguments.directory / ended.lower()}.log.")


def _run(arguments: argparse.Namespace) -> int:
    from embedded import paths, processes
    from embedded.servers import Servers

    if not shutil.which(arguments.command[0]):
        raise Failure(f"There is no command {arguments.command[0]}.")
    given = _given()
    with Servers(arguments.directory, given) as servers:
        environment = {"SECRET_KEY": paths.secret_key(arguments.directory), **given, **servers.environment}
        # The command shares our terminal and gets Ctrl-C directly, so only wait for it.
        signal.signal(signal.SIGINT, lambda number, frame: None)
        child = subprocess.Popen(processes.command_line(arguments.command), env=environment)
        try:
            status = child.wait()
        except processes.Interrupted:
            processes.stop(child, signal.SIGTERM, timeout=10.0)
            raise
    return status if status >= 0 else 128 - status


def _up(arguments: argparse.Namespace) -> None:
    from embedded import up

    up.run(arguments.directory, _given())


def _ready(arguments: argparse.Namespace) -> None:
    from embedded import up as kept

    kept.make(_given())


def _clean(arguments: argparse.Namespace) -> None:
    directory: Path = arguments.directory
    if not directory.exists():
        return
    with processes.directory_lock(directory):
        shutil.rmtree(paths.socket_directory(directory), ignore_errors=True)
        shutil.rmtree(directory)


if __name__ == "__main__":
    sys.exit(main())
