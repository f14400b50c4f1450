"""The accounts application."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Who a person is."""

    name = "accounts"
