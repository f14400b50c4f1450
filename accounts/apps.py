"""The accounts application."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from allauth.account.internal.flows import reauthentication

        from accounts.sessions import record_login
        from accounts.single_sign_on import with_provider

        user_logged_in.connect(record_login)
        reauthentication.get_reauthentication_flows = with_provider(
            reauthentication.get_reauthentication_flows
        )
