"""``manage.py delete_accounts``: delete accounts, as after restoring a backup."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from accounts.models import User
from games.errors import ServiceError
from games.management import OneLineCommand
from games.people.services.deletion import delete_account


class Command(OneLineCommand):
    """Delete accounts on their owners' request. Workers then erase them from games."""

    help = "Delete accounts permanently, by number. Accounts that are already deleted are skipped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "numbers", nargs="+", type=int, metavar="NUMBER", help="The number of an account."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete each account, and report it. Fail at the end if one could not be deleted."""
        failed = []
        for number in options["numbers"]:
            user = User.objects.filter(pk=number).first()
            if user is not None and user.deleted_at is not None:
                self.stdout.write(f"{number}: already deleted.")
                continue
            try:
                if user is None:
                    raise CommandError("there is no such account.")
                delete_account(user=user, now=timezone.now())
            except (CommandError, ServiceError) as error:
                failed.append(f"{number}: {error}")
            else:
                self.stdout.write(f"{number}: deleted.")
        if failed:
            raise CommandError("; ".join(failed))
