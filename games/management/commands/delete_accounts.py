"""``manage.py delete_accounts``: delete accounts again, for example after restoring an older backup."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from accounts.models import User
from games.errors import ServiceError
from games.management import OneLineCommand
from games.people.services.deletion import delete_account


class Command(OneLineCommand):
    """Delete accounts at their owners' request. Workers then erase the accounts from games."""

    help = "Delete accounts permanently, by number. Accounts that are already deleted are skipped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "numbers", nargs="+", type=int, metavar="NUMBER", help="The number of an account."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete each account, and print the result.

        If any account could not be deleted, fails after the last account.
        """
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
