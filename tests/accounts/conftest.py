"""Fixtures for accounts: Alice has an account, and Bob can sign up."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from accounts.services import open_account
from tests.support.accounts import PASSWORD


@pytest.fixture
def alice(db: None) -> User:
    return open_account(robo_name="Alice", email="alice@example.org", password=PASSWORD)


@pytest.fixture
def signed_in(alice: User, client: Client) -> Client:
    client.post("/accounts/login/", {"login": "Alice", "password": PASSWORD})
    return client


@pytest.fixture
def sign_up(client: Client) -> Callable[..., object]:
    """A function that sends the sign-up form, by default for Bob."""

    def send(browser: Client = client, **fields: str) -> object:
        form = {"username": "Bob", "email": "bob@example.org", "password1": PASSWORD, **fields}
        return browser.post("/accounts/signup/", form)

    return send
