"""What the mail looks like: the page for staff and the demonstration."""

from email.mime.image import MIMEImage
from pathlib import Path

import pytest
from django.core.mail import EmailMultiAlternatives, get_connection
from pytest_django.fixtures import Settings

from accounts.models import User
from tests import cast
from tests.games.views.reader import ReaderOf


@pytest.fixture
def directory(settings: Settings, tmp_path: Path) -> Path:
    """Where mails are files."""
    settings.MAIL_DIRECTORY = tmp_path
    return tmp_path


@pytest.fixture
def demo(db: None, settings: Settings) -> User:
    """The account of the demonstration."""
    return cast.person(settings.DEMO_NAME)


def send(directory: Path, *subjects: str) -> None:
    """Send mails over one connection, as a worker does."""
    mails = []
    for subject in subjects:
        mail = EmailMultiAlternatives(
            subject, "Turn left <b>now</b>: http://testserver/games/1/", to=["a@example.org"]
        )
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
    get_connection(backend, file_path=str(directory)).send_messages(mails)


def test_staff_and_the_demonstration_see_the_mails(
    directory: Path, demo: User, erin: User, read: ReaderOf
) -> None:
    send(directory, "Duel, turn 1: your move", "Duel, turn 2: your move")
    for person in (demo, erin):
        page = read(person).get("/mail/")
        assert page.status == 200
        text = page.text
        assert text.index("Duel, turn 2") < text.index("Duel, turn 1")
        assert "a@example.org" in page
        assert "/mail/" in page.links  # from the menu


def test_a_site_that_has_sent_nothing_says_so(directory: Path, erin: User, read: ReaderOf) -> None:
    assert "No mail has been sent yet." in read(erin).get("/mail/")


def test_mails_may_wait_for_their_directory(
    directory: Path, erin: User, read: ReaderOf, settings: Settings
) -> None:
    settings.MAIL_DIRECTORY = directory / "later"
    assert "No mail has been sent yet." in read(erin).get("/mail/")


def test_a_mail_is_shown_as_text_and_as_html(directory: Path, erin: User, read: ReaderOf) -> None:
    send(directory, "Duel, turn 1: your move")
    (file,) = directory.iterdir()
    page = read(erin).get(f"/mail/{file.name}:1/")
    assert "Duel, turn 1: your move" in page
    assert "Turn left &lt;b&gt;now&lt;/b&gt;" in page.html
    assert f'src="/mail/{file.name}:1/contents/"' in page.html
    answer = read(erin).client.get(f"/mail/{file.name}:1/contents/")
    assert b"data:image/png;base64," in answer.content
    assert b"cid:" not in answer.content


def test_a_mail_runs_no_script_and_loads_nothing(directory: Path, erin: User, read: ReaderOf) -> None:
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


def test_a_site_with_a_mail_server_shows_none(settings: Settings, erin: User, read: ReaderOf) -> None:
    settings.MAIL_DIRECTORY = None
    assert read(erin).get("/mail/").status == 404
    assert "/mail/" not in read(erin).get("/").links


@pytest.mark.parametrize(
    "key", ["nothing", "nothing:1", "..:1", "%2e%2e%2fsecret:1", "a.log:x", "a.log:9", "%00:1"]
)
def test_there_is_no_such_mail(key: str, directory: Path, erin: User, read: ReaderOf) -> None:
    (directory.parent / "secret").write_bytes(b"Subject: secret\n\nsecret")
    (directory / "a.log").write_bytes(b"Subject: a\n\na")
    page = read(erin).get(f"/mail/{key}/")
    assert page.status == 404
    assert "secret" not in page


def test_a_mail_without_html_or_date_is_shown(directory: Path, erin: User, read: ReaderOf) -> None:
    (directory / "a.log").write_bytes(b"To: b@example.org\n\nplain words")
    assert "Without a subject" in read(erin).get("/mail/")
    page = read(erin).get("/mail/a.log:1/")
    assert "plain words" in page
    assert "iframe" not in page.html
    assert read(erin).get("/mail/a.log:1/contents/").status == 404
