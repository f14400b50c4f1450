"""The accounts application."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts.sessions import record_login

        user_logged_in.connect(record_login)
