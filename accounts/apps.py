"""The accounts application."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class AccountsConfig(AppConfig):
    """Who a person is."""

    name = "accounts"

    def ready(self) -> None:
        """Have it noted when someone logs in."""
        from accounts.sessions import note_login

        user_logged_in.connect(note_login)
