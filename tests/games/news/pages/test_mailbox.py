"""The page of sent emails, for superusers and for the demonstration on its own machine."""

from email.mime.image import MIMEImage
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.http import HttpResponse
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from tests import cast
from tests.games.reader import ReaderOf


@pytest.fixture
def directory(settings: Settings, tmp_path: Path) -> Path:
    """A directory where emails are stored as files."""
    settings.MAIL_DIRECTORY = tmp_path
    return tmp_path


@pytest.fixture
def erin(db: None) -> User:
    return cast.person("Erin", is_staff=True, is_superuser=True)


@pytest.fixture
def at_home(settings: Settings) -> None:
    """Set the site's address to one that only this machine can reach."""
    settings.BASE_URL = "http://localhost:8000"


@pytest.fixture
def demo(db: None, settings: Settings) -> User:
    return cast.person(settings.DEMO_NAME)


def send(directory: Path, *subjects: str, to: str = "a@example.org") -> BaseEmailBackend:
    """Send emails over one connection, as a worker does. Each email gets its own file."""
    mails = []
    for subject in subjects:
        mail = EmailMultiAlternatives(subject, "Turn left <b>now</b>: http://testserver/games/1/", to=[to])
        mail.attach_alternative(
            '<html><head></head><body><script>alert(1)</script><img src="cid:board"></body></html>',
            "text/html",
        )
        mail.mixed_subtype = "related"
        image = MIMEImage(b"\x89PNG picture", "png")
        image.add_header("Content-ID", "<board>")
        mail.attach(image)
        mails.append(mail)
    backend = "django.core.mail.backends.filebased.EmailBackend"
    connection: BaseEmailBackend = get_connection(backend, file_path=str(directory))
    connection.send_messages(mails)
    return connection


def test_superusers_see_the_emails(directory: Path, erin: User, read: ReaderOf) -> None:
    send(directory, "Duel, turn 1: your move", "Duel, turn 2: your move")
    page = read(erin).get("/mail/")
    assert page.status == 200
    text = page.text
    assert text.index("Duel, turn 2") < text.index("Duel, turn 1")
    assert "a@example.org" in page
    assert "/mail/" in page.links  # linked from the menu


def test_superusers_without_a_required_second_factor_see_no_emails(
    directory: Path, erin: User, read: ReaderOf, settings: Settings
) -> None:
    settings.STAFF_SECOND_FACTOR = True
    assert read(erin).get("/mail/").status == 404
    Authenticator.objects.create(user=erin, type="totp", data={"secret": "x"})
    assert read(erin).get("/mail/").status == 200


def test_other_staff_see_no_emails(directory: Path, read: ReaderOf) -> None:
    send(directory, "A new password")
    assert read(cast.person("Grace", is_staff=True)).get("/mail/").status == 404


def ask(user: User, path: str = "/mail/", *, host: str = "localhost:8000", **headers: str) -> HttpResponse:
    """Request a page as this user, by default from this machine.

    ``headers`` are named as in Django's META.
    """
    browser = Client()
    browser.force_login(user)
    return browser.get(path, headers={"Host": host}, **headers)  # type: ignore[arg-type, return-value]


def test_on_the_site_s_machine_the_demonstration_sees_all_emails_except_those_to_staff(
    directory: Path, demo: User, erin: User, at_home: None
) -> None:
    address = "second@example.org"
    EmailAddress.objects.create(user=erin, email=address)
    connections = [send(directory, "Duel, turn 1: your move")]
    for to in (erin.email.upper(), f"Erin <{address}>", "a@example.org, " + erin.email):
        connections.append(send(directory, f"A new password for {to}", to=to))
    for host in ("localhost:8000", "127.0.0.1:8000", "[::1]:8000"):
        page = ask(demo, host=host).content.decode()
        assert "Duel, turn 1" in page and "A new password" not in page
    files = list(directory.iterdir())
    assert len(files) == len(connections)
    for file in files:
        for place in ("", "contents/"):
            found = ask(demo, f"/mail/{file.name}:1/{place}")
            assert found.status_code == (404 if b"A new password" in file.read_bytes() else 200)


def test_the_demonstration_sees_no_emails_from_elsewhere(directory: Path, demo: User, at_home: None) -> None:
    send(directory, "Duel, turn 1: your move")
    assert ask(demo).status_code == 200
    elsewhere = {"REMOTE_ADDR": "203.0.113.9"}, {"REMOTE_ADDR": "192.168.178.2"}
    behind = {"HTTP_X_FORWARDED_FOR": "203.0.113.9"}, {"HTTP_FORWARDED": "for=203.0.113.9"}
    for otherwise in (*elsewhere, *behind, {"HTTP_VIA": "1.1 tunnel"}, {"host": "testserver"}):
        assert ask(demo, **otherwise).status_code == 404


def test_the_demonstration_sees_no_emails_if_the_site_has_a_public_address(
    directory: Path, demo: User, settings: Settings
) -> None:
    settings.BASE_URL = "http://robo.example"
    assert ask(demo).status_code == 404


def test_a_page_without_emails_says_so(directory: Path, erin: User, read: ReaderOf) -> None:
    assert "No mail has been sent yet." in read(erin).get("/mail/")


def test_a_missing_mail_directory_is_no_error(
    directory: Path, erin: User, read: ReaderOf, settings: Settings
) -> None:
    settings.MAIL_DIRECTORY = directory / "later"
    assert "No mail has been sent yet." in read(erin).get("/mail/")


def test_a_mail_is_shown_as_text_and_html(directory: Path, erin: User, read: ReaderOf) -> None:
    send(directory, "Duel, turn 1: your move")
    (file,) = directory.iterdir()
    page = read(erin).get(f"/mail/{file.name}:1/")
    assert "Duel, turn 1: your move" in page
    assert "Turn left &lt;b&gt;now&lt;/b&gt;" in page.html
    assert f'src="/mail/{file.name}:1/contents/"' in page.html
    answer = read(erin).client.get(f"/mail/{file.name}:1/contents/")
    assert b"data:image/png;base64," in answer.content
    assert b"cid:" not in answer.content


def test_a_previewed_mail_runs_no_script_and_loads_nothing(
    directory: Path, erin: User, read: ReaderOf
) -> None:
    send(directory, "Duel")
    (file,) = directory.iterdir()
    answer = read(erin).client.get(f"/mail/{file.name}:1/contents/")
    policy = dict(part.strip().partition(" ")[::2] for part in answer["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert "script-src" not in policy
    assert "allow-scripts" not in policy["sandbox"]
    assert policy["img-src"] == "data:"
    assert policy["frame-ancestors"] == "'self'"
    assert answer["X-Frame-Options"] == "SAMEORIGIN"


def test_others_see_no_mail(directory: Path, alice: User, read: ReaderOf) -> None:
    send(directory, "Duel")
    (file,) = directory.iterdir()
    for place in ("", f"{file.name}:1/", f"{file.name}:1/contents/"):
        assert read(alice).get(f"/mail/{place}").status == 404
        assert read(None).get(f"/mail/{place}").address.startswith("/accounts/login/")
    assert "/mail/" not in read(alice).get("/").links


def test_a_site_with_a_mail_server_has_no_previews(settings: Settings, erin: User, read: ReaderOf) -> None:
    settings.MAIL_DIRECTORY = None
    assert read(erin).get("/mail/").status == 404
    assert "/mail/" not in read(erin).get("/").links


def test_an_unknown_mail_is_not_found(directory: Path, erin: User, read: ReaderOf) -> None:
    (directory.parent / "secret").write_bytes(b"Subject: secret\n\nsecret")
    (directory / "a.log").write_bytes(b"Subject: a\n\na")
    for key in ("nothing", "nothing:1", "..:1", "%2e%2e%2fsecret:1", "a.log:x", "a.log:9", "%00:1"):
        page = read(erin).get(f"/mail/{key}/")
        assert page.status == 404
        assert "secret" not in page


def test_a_mail_without_html_or_date_is_shown(directory: Path, erin: User, read: ReaderOf) -> None:
    (directory / "a.log").write_bytes(b"To: b@example.org\n\nplain words")
    assert "No subject" in read(erin).get("/mail/")
    page = read(erin).get("/mail/a.log:1/")
    assert "plain words" in page
    assert "iframe" not in page.html
    assert read(erin).get("/mail/a.log:1/contents/").status == 404
