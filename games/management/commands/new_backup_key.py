"""``manage.py new_backup_key``: print a new key for encrypted backups."""

from typing import Any

from embedded import encryption
from games.management import OneLineCommand


class Command(OneLineCommand):
    """Print a new key, in the format of ``age-keygen``. It is stored nowhere."""

    help = "Print a new secret key for backups, with its public key. Keep a copy away from this machine."

    def handle(self, *args: Any, **options: Any) -> None:
        for line in encryption.new_key().splitlines():
            self.stdout.write(line)
