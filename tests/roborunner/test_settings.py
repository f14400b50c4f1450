"""The settings, their documentation, and the values that they refuse."""

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from roborunner.environment import Misconfigured

PROJECT = Path(__file__).resolve().parents[2]

WRONG = {
    "DATABASE_URL": [
        "mysql://robo:hush@db/games",
        "games",
        "postgresql://robo:hush@db:port/games",
        "postgresql://robo@db:0/games",
    ],
    "DATABASE_REPLICA_URL": [
        "mysql://robo:hush@db/games",
        "postgresql://robo:hush@db:port/games",
        "postgresql://one,two/robo",
    ],
    "REDIS_URL": [
        "http://:hush@redis",
        "redis://",
        "unix://redis",
        "redis://:hush@redis:port",
        "redis://:hush@redis/first",
        "unix:///run/redis?db=first",
    ],
    "EMAIL_URL": [
        "carrier-pigeon://hush@loft",
        "smtp://",
        "smtp://robo:hush@mail:port",
        "smtp://mail:0",
        "file://mail",
        "mailgun://hush",
        "mailgun://hush@",
        "mailgun://hush@*.example.org",
        "mailgun://hush@mail.example.org/v3",
        "mailgun+eu://@mail.example.org",
        "postmark://hush",
        "postmark://@",
        "postmark://hush@example.org",
        "postmark://hu%20sh@",
        "postmark://robo:hush@",
        "postmark://hush/hush@",
        "postmark://hüsh@",
        "brevo://hush@",
    ],
    "MAIL_FROM": ["robo", "Robo Runner", "robo@", "Robo <robo@>", "Robo <a@b.org>\nBcc: c@d.org"],
    "PRIVATE_WEBHOOKS": ["perhaps", "2"],
    "BOUNCE_ADDRESS": ["hush", "hush@", "@example.org", "hush+more@example.org", "h" * 21 + "@example.org"],
    "BOUNCE_MAILBOX": [
        "imap://robo:hush@mail",
        "pop3s://mail",
        "pop3s://robo:hush@",
        "pop3://robo:hush@mail:port",
    ],
    "MAIL_EVENTS_SECRET": ["hush", "hush-hush-hush-hüsh", "hush-hush-hush\nhush"],
    "SECRET_KEY": ["hush"],
    "SECRET_KEY_OLD": ["hush"],
    "STAFF_SECOND_FACTOR": ["perhaps", "2"],
    "SITE_NAME": ["x" * 41, "Robots\nInc.", "<b>Robots</b>", "Robots, Inc", "-"],
    "SITE_ACCENT": ["blue", "#12", "#12345g", "#1234567"],
    "OPERATOR_PAGES": ["pages", "/nowhere/at/all", __file__],
    "OIDC_NAME": ["x" * 201, "Club\nlogin"],
    "OIDC_ISSUER": [
        "login.example.org",
        "http://login.example.org",
        "https://robo:hush@login.example.org",
        "https://login.example.org/.well-known/openid-configuration",
        "https://login.example.org/?realm=1",
        "https://login.example.org/" + "x" * 200,
    ],
    "OIDC_CLIENT_ID": ["x" * 201],
    "OIDC_CLIENT_SECRET": ["hush" * 51, "hush\nhush"],
    "OIDC_ONLY": ["perhaps", "2"],
    "BASE_URL": [
        "robo.example.org",
        "ftp://robo.example.org",
        "https://",
        "https://x.org/robo",
        "https://robo:hush@x.org",
        "https://hush x.org",
        "https://*",
    ],
    "LANGUAGES": ["xx", "en,", "EN", "en;de"],
    "OPERATOR": ["x" * 201, "Robots\nInc."],
    "STARSHIP_LICENCE": ["x" * 201, "CC\nBY"],
    "CONTACT": ["hello@example.org", "javascript:alert(1)", "http://example.org/", "https://"],
    "SECURITY_CONTACT": [
        "security@example.org",
        "http://example.org/",
        "mailto:a@b.org\nExpires: never",
        "https://",
        "mailto:a@example.org, b@example.org",
    ],
    "OLD_HOSTS": ["https://old.example.org", "old.example.org:8000"],
    "ALLOWED_HOSTS": ["https://robo.example.org", "robo.example.org:8000", "robo example.org", "a.org, b/c"],
    "STATIC_ROOT": ["static", "./static", __file__],
    "DATABASE_POOL": ["perhaps", "2"],
    "DATABASE_PREPARES": ["perhaps", "2"],
    "DEBUG": ["perhaps", "2"],
    "COMPUTER_SECONDS": ["0", "-1", "1.5", "soon", "601", "²"],
    "COMPUTER_GAMES": ["0", "-1", "1.5", "many", "10001"],
    "COMPUTER_MINUTES": ["0", "-1", "1.5", "long", "10001"],
    "WORKER_MEMORY": ["0", "-1", "1.5", "much", "10001"],
    "NEWCOMER_GAMES": ["-1", "1.5", "many", "10001"],
    "NEWCOMER_DAYS": ["-1", "1.5", "many", "10001"],
    "AWARD_GAMES": ["0", "-1", "1.5", "many", "10001"],
    "SIGN_UP": ["everyone", "OPEN"],
    "SIGN_UP_RUSH": ["-1", "1.5", "many", "10001"],
    "THROWAWAY_ADDRESSES": ["perhaps", "2"],
    "GUEST_DAYS": ["0", "-1", "1.5", "soon", "10001"],
    "LOBBY_DAYS": ["0", "-1", "1.5", "soon", "99999999999"],
    "SWEEP_SECONDS": ["0", "-1", "1.5", "soon", "61"],
    "BACKUP_DIRECTORY": ["backups", __file__],
    "BACKUP_RECIPIENTS": ["age1", "AGE-SECRET-KEY-1"],
    "BACKUP_IDENTITY": ["identity"],
    "BACKUP_COPY": ["/mnt", "s3://host/bucket", "ssh://robo@host/games", "s3://a:b@host:0/bucket"],
    "BACKUP_KEEP": ["14", "0,1,1", "1,2,many", "1,2,1001"],
    "LOG_FORMAT": ["xml", "JSON"],
    "METRICS_TOKEN": ["hush", "hush-hush-hush-hüsh", "hush-hush-hush\nhush"],
    "METRICS_DIRECTORY": ["metrics", "/nowhere/at/all", __file__],
    "OPERATOR_MAIL": ["me", "me@", "Me <me@example.org>", "me@example.org me@example.com"],
    "OPERATOR_WEBHOOK": ["ftp://example.org", "example.org/hook", "https://example.org/a b"],
    "OPERATOR_PUSH": ["ntfy.sh/topic", "https://", "https://ntfy.sh/töpic"],
    "MONITOR_URL": ["hc-ping.com/1", "https://example.org:port/"],
    "WATCH_URL": ["127.0.0.1:8000", "http:///healthz"],
    "WATCH_DIRECTORY": ["watch", "/nowhere/at/all", __file__],
    "BACKUP_HOURS": ["-1", "1.5", "daily", "10001"],
    "DRILL_DAYS": ["-1", "1.5", "weekly", "10001"],
    "SENTRY_DSN": ["key@sentry.example.org", "https://"],
    "RELEASE": ["x" * 201, "1\t0"],
    "WORKER_METRICS_PORT": ["0", "65536", "port", "²"],
    "WORKER_METRICS_HOST": ["localhost", "127.0.0.1:9100", "everywhere"],
}
"""Invalid values for each environment variable."""


def documented() -> set[str]:
    """Return the variables that docs/settings.md names."""
    return set(re.findall(r"^\| `([A-Z_]+)`", (PROJECT / "docs/settings.md").read_text(), re.MULTILINE))


def read() -> dict[str, Any]:
    """Evaluate the settings again with the current environment."""
    return runpy.run_path(str(PROJECT / "roborunner/settings.py"))


def test_every_variable_is_documented() -> None:
    settings = (PROJECT / "roborunner/settings.py").read_text()
    named = set(re.findall(r'os\.environ(?:\.get\(|,)\s*"([A-Z_]+)"', settings))
    assert named
    assert documented() - {"PORT"} == named | set(re.findall(r'environment\.\w+\(\s*"([A-Z_]+)"', settings))


def test_every_variable_has_refused_values() -> None:
    assert documented() - {"PORT"} == WRONG.keys()  # PORT belongs to `make run`, which refuses it


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in WRONG for value in WRONG[name]])
def test_a_wrong_value_is_refused_with_a_sentence(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(Misconfigured) as refused:
        read()
    sentence = str(refused.value)
    assert sentence.startswith(f"The variable {name} is wrong: ")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert "hush" not in sentence


@pytest.mark.parametrize("odd", ["/", "?", "#"])
@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL", "EMAIL_URL"])
def test_a_password_that_breaks_an_address_is_named_as_the_cause(
    name: str, odd: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheme = {"DATABASE_URL": "postgresql", "REDIS_URL": "redis", "EMAIL_URL": "smtp"}[name]
    monkeypatch.setenv(name, f"{scheme}://robo:hush{odd}hush@host:5432/7")
    with pytest.raises(Misconfigured, match=r"In a password, write / \? # % @") as refused:
        read()
    assert "hush" not in str(refused.value)


def test_a_worker_with_metrics_needs_a_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKER_METRICS_PORT", "9100")
    with pytest.raises(Misconfigured, match="The variable METRICS_DIRECTORY is missing"):
        read()


def test_a_mailbox_for_bounces_needs_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOUNCE_MAILBOX", "pop3s://robo:hush@mail.example.org")
    with pytest.raises(Misconfigured, match="The variable BOUNCE_ADDRESS is missing"):
        read()
    monkeypatch.setenv("BOUNCE_ADDRESS", "bounces@example.org")
    assert read()["CELERY_BEAT_SCHEDULE"]["returns"]["task"] == "games.tasks.fetch_returns"


def test_mail_events_need_a_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAIL_EVENTS_SECRET", "hush-hush-hush-hush")
    with pytest.raises(Misconfigured, match="The variable EMAIL_URL names no mail provider"):
        read()
    monkeypatch.setenv("EMAIL_URL", "postmark://hush@")
    assert read()["MAIL_PROVIDER"] == "Postmark"


def test_a_provider_takes_no_address_for_bounces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMAIL_URL", "mailgun://hush@mail.example.org")
    monkeypatch.setenv("BOUNCE_ADDRESS", "bounces@example.org")
    with pytest.raises(Misconfigured, match="The variable BOUNCE_ADDRESS needs a mail server"):
        read()


def test_a_provider_of_logins_needs_all_its_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read()["OIDC"] is None
    monkeypatch.setenv("OIDC_ONLY", "1")
    for name, value in {
        "OIDC_NAME": "Club login",
        "OIDC_ISSUER": "https://login.example.org/realms/club/",
        "OIDC_CLIENT_ID": "robo",
        "OIDC_CLIENT_SECRET": "hush",
    }.items():
        with pytest.raises(Misconfigured, match=f"The variable {name} is missing"):
            read()
        monkeypatch.setenv(name, value)
    assert (read()["OIDC"].issuer, read()["OIDC"].only) == ("https://login.example.org/realms/club/", True)


@pytest.mark.parametrize(
    ("address", "said", "asked"),
    [
        ("http://localhost:8000", None, False),
        ("https://robo.example.org", None, True),
        ("https://robo.example.org", "", True),
        ("https://robo.example.org", "0", False),
        ("http://localhost:8000", "1", True),
    ],
)
def test_staff_need_a_second_factor_by_default_on_https_sites(
    address: str, said: str | None, asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BASE_URL", address)
    if said is not None:
        monkeypatch.setenv("STAFF_SECOND_FACTOR", said)
    assert read()["STAFF_SECOND_FACTOR"] is asked


def test_valid_values_are_accepted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given = {
        "MAIL_FROM": "Robo Runner <robo@example.org>",
        "ALLOWED_HOSTS": "robo.example.org, .example.com, [::1], 10.0.0.7",
        "STATIC_ROOT": str(tmp_path / "later"),
        "SWEEP_SECONDS": "60",
        "LOG_FORMAT": "json",
        "METRICS_TOKEN": "hush-hush-hush-hush",
        "REDIS_URL": "redis://:hush@redis:6379/3",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    settings = read()
    assert settings["DEFAULT_FROM_EMAIL"] == given["MAIL_FROM"]
    assert "[::1]" in settings["ALLOWED_HOSTS"]
    assert settings["STATIC_ROOT"] == given["STATIC_ROOT"]
    assert settings["SWEEP_SECONDS"] == 60
    assert settings["LOGGING"]["handlers"]["stderr"]["formatter"] == "json"
