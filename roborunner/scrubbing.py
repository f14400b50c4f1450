"""Remove secrets from errors and texts before they are logged, stored or sent.

Errors from libraries may repeat rows of the database, passwords in addresses, and tokens.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final
from urllib.parse import unquote, urlsplit

from django.conf import settings

ELLIPSIS: Final = "…"

_REPEATED = [
    # Postgres adds these to an error: the row with all its columns, or a piece of the query.
    (
        re.compile(
            r"^(DETAIL|CONTEXT|LINE \d+): .*?(?=^(?:HINT|DETAIL|CONTEXT|LINE \d+): |^$|\Z)", re.M | re.S
        ),
        rf"\1: {ELLIPSIS}\n",
    ),
    # The same with escaped line breaks, as in the repr of an error.
    (
        re.compile(r"\\n(DETAIL|CONTEXT|LINE \d+): .*?(?=\\n(?:HINT|DETAIL|CONTEXT|LINE \d+): |$)", re.M),
        rf"\\n\1: {ELLIPSIS}",
    ),
    (re.compile(r"://[^/\s@]+@"), f"://{ELLIPSIS}@"),
    (re.compile(r"\brobo_[\w-]{20,}"), f"robo_{ELLIPSIS}"),
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}"), rf"\1 {ELLIPSIS}"),
    # Keep the host of an address, to show which server refused the mail.
    (re.compile(r"[\w.+%-]{1,64}@(?=[\w-]+\.[\w.-]*\w)"), f"{ELLIPSIS}@"),
    (re.compile(r"(?i)\b(robo-runner-[a-z]+|link|token|password)=[^\s;&\"']+"), rf"\1={ELLIPSIS}"),
]


def scrubbed(text: str) -> str:
    """Return a text with its secrets removed."""
    for secret in _secrets():
        text = text.replace(secret, ELLIPSIS)
    for pattern, instead in _REPEATED:
        text = pattern.sub(instead, text)
    return text


_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|“[^”\n]*”")


def redacted(text: str) -> str:
    """Return an error's message with its secrets and quoted texts removed.

    Errors quote the values that caused them, which may be a person's words.

    >>> redacted("invalid literal for int() with base 10: 'Alice'")
    'invalid literal for int() with base 10: …'
    """
    return _QUOTED.sub(ELLIPSIS, scrubbed(text))


def _secrets() -> Sequence[str]:
    """Return the secrets in the settings, except short secrets, which could match any word."""
    return _secrets_to_hide(
        (
            *(settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS),
            *(settings.EMAIL_HOST_PASSWORD, settings.MAIL_EVENTS_SECRET, settings.METRICS_TOKEN),
            settings.OIDC.client_secret if settings.OIDC else "",
            *(settings.OPERATOR_WEBHOOK, settings.OPERATOR_PUSH, settings.MONITOR_URL, settings.SENTRY_DSN),
            *(database.get("PASSWORD") for database in settings.DATABASES.values()),
        ),
        (settings.REDIS_URL, settings.BOUNCE_MAILBOX, settings.BACKUP_COPY),
    )


@lru_cache(maxsize=1)
def _secrets_to_hide(known: Sequence[str | None], addresses: Sequence[str]) -> Sequence[str]:
    passwords = [urlsplit(address).password for address in addresses]
    forms = [form for password in passwords if password for form in (password, unquote(password))]
    return [secret for secret in (*known, *forms) if secret and len(secret) >= 6]
