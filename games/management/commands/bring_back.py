"""``manage.py bring_back``: bring back one deleted game or account from a backup."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone
from psycopg import conninfo

from accounts import rights
from accounts.models import User
from embedded import backup, copies
from embedded.paths import Failure
from games.management import OneLineCommand
from games.staff import backups, recovery


class Command(OneLineCommand):
    """Restore a backup into a scratch database, and copy the rows of one game or account from it.

    Without ``--yes``, nothing changes. The command then prints the effects.
    """

    help = "Bring back one deleted game or account from a backup. Without --yes, it changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=["game", "account"])
        parser.add_argument("which", help="the number of the game, or the Robo Name of the account")
        parser.add_argument("--from", dest="file", type=Path, required=True, help="a backup")
        parser.add_argument("--by", required=True, help="your Robo Name, for the log of staff")
        parser.add_argument(
            "--reason", required=True, help="the reason, for the log: for example, the person’s request"
        )
        parser.add_argument("--yes", action="store_true", help="do it, and do not only say what would happen")

    def handle(self, *args: Any, **options: Any) -> None:
        """Bring it back. The exit status is 1 if that is refused."""
        file: Path = options["file"]
        by = rights.staff_accounts().filter(robo_name__iexact=options["by"], is_active=True).first()
        if by is None:
            raise CommandError(f"There is no member of staff {options['by']}.")
        if options["kind"] == "game" and not options["which"].isdecimal():
            raise CommandError("A game has a number, which is in its address.")
        if not options["reason"].strip():
            raise CommandError("The reason is missing.")
        try:
            with backup.scratch(file, settings.DATABASE_URL, identity=backups.identity()) as url:
                backups.migrate(url)
                name = str(conninfo.conninfo_to_dict(url)["dbname"])
                with recovery.backup_connection(name):
                    result = self._bring_back(options, by, _time_of(file))
        except Failure as problem:
            raise CommandError(str(problem)) from None
        verb = "came back" if options["yes"] else "would come back"
        for label, number in sorted(result.brought.items()):
            self.stdout.write(f"{label}: {number} {verb}")
        for label, number in sorted(result.dropped.items()):
            self.stdout.write(f"{label}: {number} left out, because they refer to deleted rows")
        for remark in result.remarks:
            self.stdout.write(remark)
        if options["yes"]:
            self.stdout.write("Done. All games that came back are sound. Now run: manage.py recount")
        else:
            self.stdout.write("Nothing was changed. Add --yes to do it.")

    def _bring_back(self, options: dict[str, Any], by: User, made_at: datetime) -> recovery.Result:
        more: dict[str, Any] = {
            "by": by,
            "reason": options["reason"],
            "made_at": made_at,
            "dry_run": not options["yes"],
            "now": timezone.now(),
        }
        if options["kind"] == "game":
            return recovery.bring_back_game(number=int(options["which"]), **more)
        return recovery.bring_back_account(name=options["which"], **more)


def _time_of(file: Path) -> datetime:
    """Return the time of a backup from its name, or else the time of the file's last change."""
    if copies.NAME.fullmatch(file.name):
        return copies.time_of(file.name)
    return datetime.fromtimestamp(file.stat().st_mtime, UTC)
