"""Errors in environment variables give one sentence with the variable's name.

The sentence never contains a password.
"""

from urllib.parse import urlsplit

import pytest
from django.core.mail.backends.base import BaseEmailBackend
from django.utils.module_loading import import_string

from roborunner import environment
from roborunner.environment import Misconfigured


def refusal(error: pytest.ExceptionInfo[Misconfigured]) -> str:
    return str(error.value.code)


def test_a_database_url_is_taken_apart() -> None:
    parsed = environment.database("DATABASE_URL", "postgresql://robo:p%40ss@db:5433/games?sslmode=require")
    assert parsed["ENGINE"] == "django.db.backends.postgresql"
    assert (parsed["HOST"], parsed["PORT"], parsed["NAME"]) == ("db", 5433, "games")
    assert (parsed["USER"], parsed["PASSWORD"]) == ("robo", "p@ss")
    assert parsed["OPTIONS"] == {"sslmode": "require"}


def test_a_database_may_have_a_socket() -> None:
    parsed = environment.database("DATABASE_URL", "postgresql://robo@%2Frun%2Fsockets:5432/games")
    assert parsed["HOST"] == "/run/sockets"


@pytest.mark.parametrize(
    "url",
    [
        "mysql://robo:hush@db/games",
        "sqlite:///games",
        "games",
        "postgresql://robo:hush@db:5432/",
        "postgresql://robo:hush@db:port/games",
        "postgresql://robo:hush@db:99999/games",
        "postgresql://[robo:hush@db/games",
    ],
)
def test_a_wrong_database_url_is_refused(url: str) -> None:
    with pytest.raises(Misconfigured) as error:
        environment.database("DATABASE_URL", url)
    assert refusal(error).startswith("The variable DATABASE_URL is wrong: ")
    assert "hush" not in refusal(error)


@pytest.mark.parametrize("url", ["redis://redis:6379/1", "rediss://redis", "unix:///run/redis?db=3"])
def test_a_redis_url_stays_the_same(url: str) -> None:
    assert environment.redis("REDIS_URL", url) == url


@pytest.mark.parametrize(
    "url", ["http://redis", "redis://", "unix://redis", "redis", "redis://:hush@redis:port"]
)
def test_a_wrong_redis_url_is_refused(url: str) -> None:
    with pytest.raises(Misconfigured) as error:
        environment.redis("REDIS_URL", url)
    assert refusal(error).startswith("The variable REDIS_URL is wrong: ")
    assert "hush" not in refusal(error)


@pytest.mark.parametrize(
    ("url", "broker"),
    [
        ("redis://redis:6379/1", "redis://redis:6379/1"),
        ("unix:///run/redis?db=3", "redis+socket:///run/redis?virtual_host=3"),
        ("unix:///run/redis", "redis+socket:///run/redis?virtual_host=0"),
    ],
)
def test_the_broker_uses_the_same_redis(url: str, broker: str) -> None:
    assert environment.broker(url) == broker


@pytest.mark.parametrize(
    ("url", "port", "ssl", "tls"),
    [
        ("smtp://mail.example.org", 25, False, False),
        ("smtp+tls://mail.example.org", 587, False, True),
        ("smtps://mail.example.org", 465, True, False),
        ("smtp://mail.example.org:1025", 1025, False, False),
    ],
)
def test_mail_is_sent_by_smtp(url: str, port: int, ssl: bool, tls: bool) -> None:
    mail = environment.email("EMAIL_URL", url)
    assert mail["EMAIL_HOST"] == "mail.example.org"
    assert (mail["EMAIL_PORT"], mail["EMAIL_USE_SSL"], mail["EMAIL_USE_TLS"]) == (port, ssl, tls)


def test_user_and_password_of_mail_may_contain_any_character() -> None:
    mail = environment.email("EMAIL_URL", "smtps://robo%40example.org:p%2Fw%3A@mail.example.org")
    assert (mail["EMAIL_HOST_USER"], mail["EMAIL_HOST_PASSWORD"]) == ("robo@example.org", "p/w:")


@pytest.mark.parametrize(
    ("url", "backend", "host"),
    [
        ("mailgun://k%2Fey@mail.example.org", "Mailgun", "api.mailgun.net"),
        ("mailgun+eu://k%2Fey@mail.example.org", "Mailgun", "api.eu.mailgun.net"),
        ("postmark://k%2Fey@", "Postmark", "api.postmarkapp.com"),
    ],
)
def test_mail_is_sent_by_a_provider(url: str, backend: str, host: str) -> None:
    mail = environment.email("EMAIL_URL", url)
    assert mail["EMAIL_BACKEND"] == f"roborunner.providers.{backend}"
    assert issubclass(import_string(mail["EMAIL_BACKEND"]), BaseEmailBackend)
    asked = mail["ANYMAIL"]
    assert urlsplit(asked[f"{backend.upper()}_API_URL"]).hostname == host
    assert asked.get("MAILGUN_SENDER_DOMAIN") == ("mail.example.org" if backend == "Mailgun" else None)
    assert "k/ey" in asked.values()


def test_mail_may_be_written_to_files() -> None:
    mail = environment.email("EMAIL_URL", "file:///var/lib/robo%20runner/mail")
    assert mail["EMAIL_BACKEND"].endswith("filebased.EmailBackend")
    assert mail["EMAIL_FILE_PATH"] == "/var/lib/robo runner/mail"


@pytest.mark.parametrize(
    "url",
    ["mail.example.org", "imap://mail", "smtp://", "file://mail", "smtp://robo:hush@mail:x", "smtp:///"],
)
def test_a_wrong_mail_url_is_refused(url: str) -> None:
    with pytest.raises(Misconfigured) as error:
        environment.email("EMAIL_URL", url)
    assert refusal(error).startswith("The variable EMAIL_URL is wrong: ")
    assert "hush" not in refusal(error)


@pytest.mark.parametrize(
    "url", ["robo.example.org", "ftp://robo.example.org", "https://", "https://x.org/robo"]
)
def test_a_wrong_address_of_the_site_is_refused(url: str) -> None:
    with pytest.raises(Misconfigured, match="The variable BASE_URL is wrong"):
        environment.site("BASE_URL", url)


@pytest.mark.parametrize(
    ("value", "meaning"), [("1", True), ("yes", True), ("", False), ("0", False), ("No", False)]
)
def test_a_flag_says_yes_or_no(value: str, meaning: bool) -> None:
    assert environment.flag({"DEBUG": value}, "DEBUG") is meaning


def test_a_flag_other_than_yes_or_no_is_refused() -> None:
    with pytest.raises(Misconfigured, match="The variable DEBUG is wrong: it must be 1 or 0"):
        environment.flag({"DEBUG": "perhaps"}, "DEBUG")


def test_a_number_is_read_or_falls_back() -> None:
    assert environment.number({"SWEEP_SECONDS": "5"}, "SWEEP_SECONDS", 60) == 5
    assert environment.number({}, "SWEEP_SECONDS", 60) == 60


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "soon"])
def test_a_wrong_number_is_refused(value: str) -> None:
    with pytest.raises(Misconfigured, match="The variable SWEEP_SECONDS is wrong"):
        environment.number({"SWEEP_SECONDS": value}, "SWEEP_SECONDS", 60)


def test_a_list_is_separated_by_commas() -> None:
    assert environment.hosts({"ALLOWED_HOSTS": " a.org, ,b.org"}, "ALLOWED_HOSTS") == ["a.org", "b.org"]
