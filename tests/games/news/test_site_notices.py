"""Site notices of the operator are on pages and in mail from their start to their end."""

from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.utils import timezone, translation
from pytest_django.fixtures import Settings

from accounts.mail import post_mail
from accounts.models import User
from games.errors import Conflict, Invalid
from games.news import delivery
from games.news.channels import mail
from games.news.models import Notice, SiteNotice
from games.news.site_notices import save_site_notice, site_notices_at
from games.play.models import Game
from tests.games.admin_pages import listing, permit
from tests.games.reader import ReaderOf
from tests.games.support import code_of, later

WORDS = "On Sunday <b>at 10</b>, the site is closed for an hour."


def show(text: str = WORDS, **more: object) -> SiteNotice:
    given = {"translations": {}, "starts_at": later(hours=1), "ends_at": later(hours=2)}
    return save_site_notice(text=text, **{**given, **more})  # type: ignore[arg-type]


def test_it_is_shown_from_its_start_to_its_end(db: None) -> None:
    show()
    shown = [bool(site_notices_at(later(hours=hours))) for hours in (0.9, 1, 1.9, 2)]
    assert shown == [False, True, True, False]


def test_pages_show_it_as_plain_text(alice: User, read: ReaderOf) -> None:
    show(starts_at=timezone.now(), ends_at=timezone.now() + (later(hours=1) - later()))
    for reader in (None, alice):
        assert WORDS in read(reader).get("/").text


def test_mail_has_it_as_one_line(duel: Game, alice: User) -> None:
    show(starts_at=timezone.now(), ends_at=timezone.now() + (later(hours=1) - later()))
    composed = mail.compose(Notice.objects.get(game=duel, user=alice))
    assert f"\n{WORDS}\n" in str(composed.body)
    assert "&lt;b&gt;at 10&lt;/b&gt;" in str(composed.alternatives[0][0])


def test_mail_about_accounts_has_it_in_the_language_of_its_reader(alice: User, settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    times = {"starts_at": timezone.now(), "ends_at": timezone.now() + timedelta(hours=1)}
    show(translations={"de": "Am Sonntag ist zu."}, **times)
    alice.language = "de"
    alice.save()
    body = "Dein Link:\n\n--\nRobo Runner\nWarum du das bekommst."
    for address, words in ((alice.email, "Am Sonntag ist zu."), ("stranger@example.org", WORDS)):
        mail = post_mail(kind="test", address=address, subject="Link", body=body, now=timezone.now())
        message = delivery._message(mail)
        assert f"Dein Link:\n\n{words}\n\n--\nRobo Runner" in str(message.body)
        assert unescape(str(message.alternatives[0][0])).count(words) == 1


def test_readers_get_their_language(db: None, settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    show(translations={"de": "Am Sonntag ist zu."})
    with translation.override("de"):
        assert site_notices_at(later(hours=1)) == ["Am Sonntag ist zu."]
    assert site_notices_at(later(hours=1)) == [WORDS]


def test_the_end_of_time_is_no_error_of_the_site(db: None) -> None:
    end = datetime.max.replace(tzinfo=UTC)
    show(starts_at=end - timedelta(days=2), ends_at=end - timedelta(days=1))


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": " "},
        {"text": "two\nlines"},
        {"text": "x" * 301},
        {"translations": {"xx": "a language that the site has not"}},
        {"ends_at": later(hours=1)},
        {"ends_at": later(days=100)},
    ],
)
def test_a_wrong_one_is_refused(wrong: dict[str, object], db: None) -> None:
    assert code_of(Invalid, show, **wrong) == "no-site-notice"


def test_there_are_at_most_three_at_a_time(db: None) -> None:
    rows = [show(f"number {number}") for number in range(3)]
    assert code_of(Conflict, show) == "too-many"
    save_site_notice(rows[0], text="new", translations={}, starts_at=later(hours=1), ends_at=later(hours=2))
    assert site_notices_at(later(hours=1)) == ["new", "number 1", "number 2"]


def test_a_command_starts_and_ends_it(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("site", "notice", "Back soon", "--until", "1h")
    call_command("site", "notice")
    assert capsys.readouterr().out.splitlines()[1] == "Back soon"
    with pytest.raises(CommandError, match="Say when it ends"):
        call_command("site", "notice", "Back soon")
    call_command("site", "notice", "--off")
    assert site_notices_at(timezone.now()) == []


def test_staff_write_it_in_the_admin(staff: Client, erin: User, settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    permit(erin)
    form = {
        "text": WORDS,
        "text_de": "Am Sonntag ist zu.",
        "starts_at_0": "2026-12-01",
        "starts_at_1": "10:00",
        "ends_at_0": "2026-12-02",
        "ends_at_1": "10:00",
    }
    answer = staff.post(f"{listing(SiteNotice)}add/", form)
    assert answer.status_code == 302, answer.content.decode()
    row = SiteNotice.objects.get()
    assert (row.text, row.translations) == (WORDS, {"de": "Am Sonntag ist zu."})
    page = staff.get(f"{listing(SiteNotice)}{row.pk}/change/").content.decode()
    assert "Am Sonntag ist zu." in page
    refused = staff.post(f"{listing(SiteNotice)}{row.pk}/change/", form | {"ends_at_0": "2026-11-01"})
    assert "must end after its start" in refused.content.decode()
