"""``manage.py new_backup_key``: print a new key for encrypted backups."""

from typing import Any

from django.core.management.base import BaseCommand

from embedded import encryption


class Command(BaseCommand):
    """Print a new key, in the format of ``age-keygen``. It is stored nowhere."""

    help = "Print a new secret key for backups, with its public key. Keep a copy away from this machine."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(encryption.new_key(), ending="")
