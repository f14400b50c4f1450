"""Helpers for tests about accounts."""

from re import search

from django.core.mail import EmailMessage

PASSWORD = "tread-lightly-9"


def link_in(mail: EmailMessage) -> str:
    """Return the path of the first link in an email."""
    found = search(r"https?://[^/\s]+(/\S+)", str(mail.body))
    assert found, mail.body
    return found[1]
