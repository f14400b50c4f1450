"""Read the environment variables strictly.

A wrong value ends the process with status 1 and a sentence that names the variable. This applies to commands,
web and workers, because `Misconfigured` is a `SystemExit`. No sentence contains a password.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parseaddr
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

import dj_database_url

from embedded import copies


class Misconfigured(SystemExit):
    """Raised for a wrong environment. The text names the variable and the reason."""


MIN_KEY_LENGTH = 32
"""The minimum length of the secret for signing sessions and links, in characters."""

MIN_TOKEN_LENGTH = 16
"""The minimum length of a token, in characters."""


def database(name: str, url: str) -> dict[str, Any]:
    """Return Django's settings for the Postgres database at `url`."""
    parts = _split(name, url)
    if parts.scheme not in ("postgres", "postgresql"):
        _refuse(name, f"the database must be Postgres (postgresql://...), not {parts.scheme or 'nothing'}://")
    try:
        parsed: dict[str, Any] = dict(dj_database_url.parse(url))
    except ValueError as error:
        _refuse(name, str(error))
    if not parsed["NAME"]:
        _refuse(name, "the name of the database is missing: postgresql://user:password@host:5432/NAME")
    return parsed


def replica(name: str, url: str) -> dict[str, Any]:
    """Return Django's settings for the read replica at `url`.

    Only one host is allowed, as several replicas would lag differently.
    """
    parsed = database(name, url)
    if "," in parsed["HOST"]:
        _refuse(name, "only one host is allowed, because a process reads from one replica")
    return parsed


def redis(name: str, url: str) -> str:
    """Return `url` if it is the address of a Redis server."""
    parts = _split(name, url)
    if parts.scheme not in ("redis", "rediss", "unix"):
        _refuse(
            name,
            f"the address must start with redis://, rediss:// or unix://, not {parts.scheme or 'nothing'}://",
        )
    if parts.scheme == "unix" and not parts.path.startswith("/"):
        _refuse(name, "the path of the socket is missing: unix:///path/to/socket?db=0")
    if parts.scheme != "unix" and not parts.hostname:
        _refuse(name, "the host is missing: redis://host:6379/0")
    number = parse_qs(parts.query).get("db", ["0"])[0] if parts.scheme == "unix" else parts.path.strip("/")
    if number and not (number.isascii() and number.isdecimal()):
        _refuse(name, "the Redis database must be a number")
    return url


def broker(url: str) -> str:
    """Return a Redis `url` in Celery's format, which has its own scheme for sockets."""
    parts = urlsplit(url)
    if parts.scheme != "unix":
        return url
    number = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={number}"


_SMTP = {  # scheme: (port, encrypted from the first byte, encrypted after STARTTLS)
    "smtp": (25, False, False),
    "smtp+tls": (587, False, True),
    "smtps": (465, True, False),
}

_PROVIDERS = {  # scheme: (name, the provider's name for its key, address of its API)
    "mailgun": ("Mailgun", "API_KEY", "https://api.mailgun.net/v3/"),
    "mailgun+eu": ("Mailgun", "API_KEY", "https://api.eu.mailgun.net/v3/"),
    "postmark": ("Postmark", "SERVER_TOKEN", "https://api.postmarkapp.com/"),
}

_MAIL_SECONDS = 20
"""Seconds to wait for a mail server or a provider."""


def email(name: str, url: str) -> dict[str, Any]:
    """Return Django's EMAIL settings for `url`, and the settings of a mail provider.

    `url` is ``smtp://user:password@host:25``, ``smtp+tls://`` (STARTTLS), ``smtps://`` (encrypted
    throughout), ``mailgun://KEY@sender-domain``, ``postmark://KEY@`` and so on (a provider's API),
    ``file:///directory`` (each email a file) or ``console:``.
    """
    parts = _split(name, url)
    if parts.scheme == "console":
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    if parts.scheme == "file":
        if not parts.path.startswith("/") or parts.netloc:
            _refuse(name, "the directory is missing: file:///path/to/directory")
        return {
            "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "EMAIL_FILE_PATH": unquote(parts.path),
        }
    if parts.scheme in _PROVIDERS:
        return _provider(name, parts)
    if parts.scheme not in _SMTP:
        known = ", ".join(f"{scheme}://" for scheme in (*_SMTP, *_PROVIDERS))
        _refuse(
            name,
            f"the address must start with {known}, file:// or console:, not {parts.scheme or 'nothing'}://",
        )
    if not parts.hostname:
        _refuse(name, "the host is missing: smtp://user:password@host:25")
    port, ssl, tls = _SMTP[parts.scheme]
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": _port(name, parts) or port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": ssl,
        "EMAIL_USE_TLS": tls,
        "EMAIL_TIMEOUT": _MAIL_SECONDS,
    }


def _provider(name: str, parts: SplitResult) -> dict[str, Any]:
    """Return the settings for a mail provider. The provider's key becomes the mail password."""
    provider, key_name, api = _PROVIDERS[parts.scheme]
    by_domain = provider == "Mailgun"
    right = f"{parts.scheme}://KEY@" + ("mail.example.org" if by_domain else "")
    key, domain = unquote(parts.username or ""), parts.hostname or ""
    if parts.password is not None or parts.path.strip("/") or parts.query or parts.fragment:
        _refuse(name, f"it must be {right}. In a key, write / ? # % @ : as %2F %3F %23 %25 %40 %3A")
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        _refuse(name, f"the key is missing or not valid: {right}")
    if by_domain and (not _HOST.fullmatch(domain) or not domain[0].isalnum()):
        _refuse(name, f"the domain from which {provider} sends mail is missing: {right}")
    if domain and not by_domain:
        _refuse(name, f"nothing may follow the @ after the key: {right}")
    upper = provider.upper()
    # No tracking of readers. Without KeepID, Postmark would replace the Message-ID.
    defaults: dict[str, Any] = {"track_clicks": False, "track_opens": False}
    if provider == "Postmark":
        defaults["extra_headers"] = {"X-PM-KeepID": "true"}
    anymail = {f"{upper}_{key_name}": key, f"{upper}_API_URL": api, "SEND_DEFAULTS": defaults}
    if by_domain:
        anymail[f"{upper}_SENDER_DOMAIN"] = domain
    return {
        "EMAIL_BACKEND": f"roborunner.providers.{provider}",
        "EMAIL_HOST_PASSWORD": key,
        "MAIL_PROVIDER": provider,
        "ANYMAIL": anymail | {"REQUESTS_TIMEOUT": _MAIL_SECONDS},
    }


def site(name: str, url: str) -> SplitResult:
    """Return the parts of the site's address, which must have a scheme and a host, but no path."""
    parts = _split(name, url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        _refuse(name, "it must be an address such as https://robo.example.org")
    if "@" in parts.netloc:
        _refuse(name, "it is public, so it can't contain a user or password")
    host = parts.hostname
    if ":" not in host and (host.startswith((".", "*")) or not _HOST.fullmatch(host)):
        _refuse(name, "its host must be a name such as robo.example.org")
    if parts.path.strip("/") or parts.query or parts.fragment:
        _refuse(name, "it can't have a path after the host")
    return parts


def flag(variables: Mapping[str, str], name: str, *, default: bool = False) -> bool:
    """Return the variable `name`, such as 1, no or true, as a bool, or `default` if it is absent."""
    value = variables.get(name, "").strip().lower()
    if not value:
        return default
    if value in ("1", "true", "yes", "on"):
        return True
    if value in ("0", "false", "no", "off"):
        return False
    return _refuse(name, "it must be 1 or 0")


def number(variables: Mapping[str, str], name: str, default: int, most: int = 10_000, least: int = 1) -> int:
    """Return the variable `name` as an integer from `least` to `most`, or `default` if it is absent."""
    value = variables.get(name, "").strip() or str(default)
    if not (value.isascii() and value.isdecimal() and len(value) <= 10 and least <= int(value) <= most):
        _refuse(name, f"it must be a whole number from {least} to {most}")
    return int(value)


def token(variables: Mapping[str, str], name: str) -> str:
    """Return the variable `name` as a token, or an empty string if it is absent."""
    value = variables.get(name, "").strip()
    if value and (len(value) < MIN_TOKEN_LENGTH or not value.isascii() or not value.isprintable()):
        _refuse(name, f"it must be {MIN_TOKEN_LENGTH} or more characters, preferably letters and digits")
    return value


def directory(variables: Mapping[str, str], name: str) -> str:
    """Return the variable `name` as a writable directory, or "" if it is absent."""
    value = variables.get(name, "").strip()
    if value and not (Path(value).is_absolute() and Path(value).is_dir() and os.access(value, os.W_OK)):
        _refuse(name, "it must be the full path of a writable directory")
    return value


def address(variables: Mapping[str, str], name: str, default: str) -> str:
    """Return the variable `name` as an IP address to listen on, or `default` if it is absent."""
    value = variables.get(name, "").strip() or default
    try:
        return str(ip_address(value))
    except ValueError:
        return _refuse(name, "it must be an address of this machine, such as 127.0.0.1 or 0.0.0.0")


def port(variables: Mapping[str, str], name: str) -> int | None:
    """Return the variable `name` as a port number, or None if it is absent."""
    value = variables.get(name, "").strip()
    if not value:
        return None
    if not (value.isascii() and value.isdecimal() and 0 < int(value) < 65536):
        _refuse(name, "the port must be a number from 1 to 65535")
    return int(value)


def choice(variables: Mapping[str, str], name: str, among: Sequence[str]) -> str:
    """Return the value of the variable `name`. It must be one of the words in `among`.

    If the variable is missing or empty, the first word is returned.
    """
    value = variables.get(name, "").strip() or among[0]
    if value not in among:
        _refuse(name, f"it must be one of {', '.join(among)}")
    return value


def languages(variables: Mapping[str, str], name: str, known: Sequence[str]) -> list[str]:
    """Return the variable `name` as a list of languages, or only English if it is absent."""
    value = variables.get(name, "").strip() or "en"
    found = list(dict.fromkeys(part.strip() for part in value.split(",")))
    if not set(found) <= set(known):
        _refuse(name, f"it must be languages with a compiled translation ({', '.join(known)})")
    return found


def hosts(variables: Mapping[str, str], name: str) -> list[str]:
    """Return the comma-separated host names in the variable `name` as a list."""
    found = [part.strip() for part in variables.get(name, "").split(",") if part.strip()]
    for host in found:
        if not _HOST.fullmatch(host):
            _refuse(name, "it must be host names such as robo.example.org, separated by commas")
    return found


MAX_NAME_LENGTH = 200


def name(variables: Mapping[str, str], name: str) -> str:
    """Return the value of a variable that holds a one-line name, or "" if it is absent."""
    value = variables.get(name, "").strip()
    if not value.isprintable() or len(value) > MAX_NAME_LENGTH:
        _refuse(name, f"it must be a name of up to {MAX_NAME_LENGTH} characters on one line")
    return value


_CONTACT = re.compile(r"mailto:[^@\s,]+@[A-Za-z0-9.-]+|https://[^\s,/]+[^\s,]*|tel:\+?[0-9-]+", re.ASCII)


def contacts(variables: Mapping[str, str], name: str) -> list[str]:
    """Return the comma-separated contacts in the variable `name` as a list, best first."""
    found = [part.strip() for part in variables.get(name, "").split(",") if part.strip()]
    if not all(_CONTACT.fullmatch(each) and each.isascii() and each.isprintable() for each in found):
        _refuse(name, "it must be mailto:someone@example.org or https://example.org/contact")
    return found


_HOST = re.compile(r"\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]|\*", re.IGNORECASE | re.ASCII)


def sender(variables: Mapping[str, str], name: str, default: str) -> str:
    """Return the variable `name` as the sender of emails, or `default` if it is absent."""
    value = variables.get(name, "").strip() or default
    address = parseaddr(value)[1]
    before, at, host = address.rpartition("@")
    if not (value.isprintable() and before and at and _HOST.fullmatch(host)):
        _refuse(name, "it must be an address, with or without a name: Robo Runner <robo@example.org>")
    return value


def addresses(variables: Mapping[str, str], name: str) -> list[str]:
    """Return the comma-separated mail addresses in the variable `name` as a list."""
    found = [part.strip() for part in variables.get(name, "").split(",") if part.strip()]
    for address in found:
        before, at, host = address.rpartition("@")
        if not (at and _HOST.fullmatch(host) and re.fullmatch(r"[!#-;=?-~]+", before)):
            _refuse(name, "it must be mail addresses such as me@example.org, separated by commas")
    return found


def web_address(variables: Mapping[str, str], name: str) -> str:
    """Return the variable `name` as a web address, or "" if it is absent."""
    value = variables.get(name, "").strip()
    if value:
        parts = _split(name, value)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.fragment:
            _refuse(name, "it must be a web address such as https://example.org/path")
        if not value.isascii() or not value.isprintable() or " " in value:
            _refuse(name, "the address must have only ASCII characters, and no spaces")
    return value


def return_address(variables: Mapping[str, str], name: str) -> str:
    """Return the variable `name` as the address for bounced mail, or "" if it is absent.

    The part before the @ must be short, to leave room for the signed mark of each email.
    """
    value = variables.get(name, "").strip()
    before, at, host = value.rpartition("@")
    if value and not (at and _HOST.fullmatch(host) and re.fullmatch(r"[A-Za-z0-9._-]{1,20}", before)):
        _refuse(name, "it must be an address with up to 20 letters before the @: bounces@example.org")
    return value


def mailbox(variables: Mapping[str, str], name: str) -> str:
    """Return the variable `name` as the address of a POP3 mailbox, or "" if it is absent."""
    value = variables.get(name, "").strip()
    if value:
        parts = _split(name, value)
        if parts.scheme not in ("pop3", "pop3s"):
            _refuse(
                name, f"the address must start with pop3s:// or pop3://, not {parts.scheme or 'nothing'}://"
            )
        if not (parts.hostname and parts.username and parts.password):
            _refuse(name, "host, user or password is missing: pop3s://user:password@host:995")
    return value


MAX_ISSUER_LENGTH = 200
"""The maximum length of the address of a login provider, in characters. Accounts store it."""


@dataclass(frozen=True, slots=True)
class LoginProvider:
    """An OpenID Connect provider for logins.

    If ``only`` is true, no one can sign up with a password or set a first one.
    """

    name: str
    issuer: str
    client_id: str
    client_secret: str
    only: bool = False


def issuer(variables: Mapping[str, str], name: str) -> str:
    """Return the variable `name` as the address of an OpenID Connect issuer, or "" if it is absent.

    The issuer must use TLS, unless it is on this machine.
    """
    value = variables.get(name, "").strip()
    if not value:
        return ""
    parts = _split(name, value)
    local = parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1")
    if not parts.hostname or not (parts.scheme == "https" or local) or "@" in parts.netloc:
        _refuse(name, "it must be an address such as https://login.example.org/realms/robo")
    if parts.query or parts.fragment or "/.well-known" in parts.path:
        _refuse(name, "leave out everything from /.well-known, ? or # on")
    if len(value) > MAX_ISSUER_LENGTH or not value.isascii() or not value.isprintable():
        _refuse(name, f"it must have up to {MAX_ISSUER_LENGTH} ASCII characters")
    return value


def secret(variables: Mapping[str, str], name: str) -> str:
    """Return the variable `name` as a secret of another service, or "" if it is absent."""
    value = variables.get(name, "").strip()
    if not value.isprintable() or len(value) > MAX_NAME_LENGTH:
        _refuse(name, f"it must have up to {MAX_NAME_LENGTH} characters on one line")
    return value


def login_provider(
    *, name: str, issuer: str, client_id: str, client_secret: str, only: bool
) -> LoginProvider | None:
    """Return the provider made from the variables ``OIDC_...``, or None if all are absent.

    Exits if only some of them are set.
    """
    given = {
        "OIDC_NAME": name,
        "OIDC_ISSUER": issuer,
        "OIDC_CLIENT_ID": client_id,
        "OIDC_CLIENT_SECRET": client_secret,
    }
    if not any((*given.values(), only)):
        return None
    if missing := next((variable for variable, value in given.items() if not value), None):
        raise Misconfigured(f"The variable {missing} is missing. Single sign-on needs {', '.join(given)}.")
    return LoginProvider(name, issuer, client_id, client_secret, only)


_SITE_NAME = re.compile(r"[^\W_][\w .'’&!+-]{0,39}")


def site_name(variables: Mapping[str, str], name: str) -> str:
    """Return the variable `name` as the site's name, or "Robo Runner" if it is absent."""
    value = " ".join(variables.get(name, "").split(" ")).strip() or "Robo Runner"
    if not _SITE_NAME.fullmatch(value):
        _refuse(name, "it must have up to 40 letters, digits, spaces and . - & ! + or apostrophes")
    return value


def colour(variables: Mapping[str, str], name: str) -> str:
    """Return the variable `name` as a colour, such as ``#1c4f9c``, or "" if it is absent."""
    value = variables.get(name, "").strip().lower()
    if value and not re.fullmatch("#[0-9a-f]{6}", value):
        _refuse(name, "it must be a colour with six digits, such as #1c4f9c")
    return value


def readable_directory(variables: Mapping[str, str], name: str) -> str:
    """Return the variable `name` as an existing directory, or "" if it is absent."""
    value = variables.get(name, "").strip()
    if value and not (Path(value).is_absolute() and Path(value).is_dir() and os.access(value, os.R_OK)):
        _refuse(name, "it must be the full path of a directory that the site can read")
    return value


def signing_key(variables: Mapping[str, str], name: str) -> str:
    """Return the variable `name` as a secret to sign with, or "" if it is absent."""
    value = variables.get(name, "")
    if value and len(value) < MIN_KEY_LENGTH:
        _refuse(name, f"it must be {MIN_KEY_LENGTH} or more random characters")
    return value


def recipients(variables: Mapping[str, str], name: str) -> str:
    """Return the variable `name` as public keys of age, separated by commas, or "" if it is absent."""
    value = variables.get(name, "").strip()
    if value:
        from embedded import encryption  # not at the top: most processes encrypt no backups

        try:
            encryption.recipients_of(value)
        except ValueError as error:
            _refuse(name, str(error))
    return value


def backup_copy(variables: Mapping[str, str], name: str) -> str:
    """Return the variable `name` as the address for copies of backups, or "" if it is absent."""
    value = variables.get(name, "").strip()
    if value:
        _split(name, value)
        try:
            copies.destination(value)
        except ValueError as error:
            _refuse(name, str(error))
    return value


def numbers(variables: Mapping[str, str], name: str, default: Sequence[int], most: int) -> list[int]:
    """Return the variable `name` as whole numbers, separated by commas, or `default` if it is absent.

    The first number must be at least 1.
    """
    value = variables.get(name, "").strip()
    found = [part.strip() for part in value.split(",")] if value else [*map(str, default)]
    if len(found) != len(default) or not all(
        part.isascii() and part.isdecimal() and len(part) <= 10 and int(part) <= most for part in found
    ):
        example = ",".join(map(str, default))
        _refuse(name, f"it must be {len(default)} whole numbers from 0 to {most}, such as {example}")
    if found[0].strip("0") == "":
        _refuse(name, "the first number must be at least 1")
    return [int(part) for part in found]


def file(variables: Mapping[str, str], name: str) -> str:
    """Return the variable `name` as the path of a file, or "" if it is absent.

    The file may be missing, because not every process reads it.
    """
    value = variables.get(name, "").strip()
    if value and not Path(value).is_absolute():
        _refuse(name, "it must be the full path of a file")
    return value


def old_signing_keys(variables: Mapping[str, str], name: str) -> list[str]:
    """Return the comma-separated earlier secrets in the variable `name`, newest first.

    If a part is too short for a secret, the comma belongs to a single one.
    """
    whole = signing_key(variables, name)
    parts = [part.strip() for part in whole.split(",")]
    if all(len(part) >= MIN_KEY_LENGTH for part in parts):
        return list(dict.fromkeys(parts))
    return [whole] if whole else []


def optional_directory(variables: Mapping[str, str], name: str) -> str | None:
    """Return the variable `name` as a directory without links, or None if it is absent.

    The directory need not exist yet. Without links, a process keeps its files when a link changes.
    """
    value = variables.get(name, "").strip()
    if value and (not Path(value).is_absolute() or (Path(value).exists() and not Path(value).is_dir())):
        _refuse(name, "it must be the full path of a directory")
    return str(Path(value).resolve()) if value else None


def _split(name: str, url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
    except ValueError as error:
        _refuse(name, str(error))
    _port(name, parts)
    return parts


def _port(name: str, parts: SplitResult) -> int | None:
    try:
        if parts.port != 0:
            return parts.port
    except ValueError:
        pass
    return _refuse(
        name,
        "the port must be a number from 1 to 65535. In a password, write / ? # % @ as %2F %3F %23 %25 %40",
    )


def _refuse(name: str, reason: str) -> NoReturn:
    raise Misconfigured(f"The variable {name} is wrong: {reason}.")
