"""A newcomer plays in German, from the front page to the first game and its mail.

The translation is not complete, but every sentence on these pages has one.
"""

import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from django.core.mail import EmailMessage as Composed
from django.test import Client
from django.utils import timezone, translation
from django.utils.translation import trans_real

from accounts.models import User
from games.news.delivery import send_notification
from games.news.models import Notice
from games.play.computers import play_computers
from games.play.models import Game
from roborunner.translations import read
from tests import cast
from tests.docs.test_catalogue import messages_in_script
from tests.games.support import HALL, NOW, Table, open_turn
from tests.roborunner.test_other_languages import Words
from tests.support.accounts import PASSWORD, link_in
from tests.support.languages import GERMAN_BROWSER, GERMAN_FILE, speak_german
from tests.support.mailbox import Mailbox

MISSING = re.compile(r"⟦(\d+):")
UNTRANSLATED: list[str] = []
"""English sentences without a German translation.

A page shows such a sentence in brackets, after its index in this list.
"""

STATIC = Path(__file__).parents[2] / "static"
MODULES = re.compile(r'(?:src|href)="/static/(?!languages/)([^"]+\.js)"')
GERMAN_DATE = re.compile(r"\b2[123]\.(11\.| Nov)")


@pytest.fixture
def german(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn German on. Mark each sentence without a translation with brackets."""
    speak_german(settings, tmp_path / "locale", read(GERMAN_FILE))
    translation.gettext("")  # makes Django load its translations
    asked = vars(translation)["_trans"]
    for name, at in (("gettext", 0), ("pgettext", 1), ("ngettext", 0), ("npgettext", 1)):
        plural = -1 if name.startswith("n") else len
        monkeypatch.setattr(asked, name, marking(getattr(asked, name), at, plural))


def marking(translate: Any, at: int, plural: Any) -> Any:
    """Return a gettext function that puts untranslated sentences into brackets."""

    def marked(*args: Any) -> str:
        if translation.get_language() != "de" or not args[at]:
            return str(translate(*args))
        key = f"{args[0]}{trans_real.CONTEXT_SEPARATOR}{args[1]}" if at else args[0]
        known = trans_real.catalog()._catalog
        there = (key, 0) in known if plural == -1 else key in known
        if there:
            return str(translate(*args))
        UNTRANSLATED.append(args[at])
        return f"⟦{len(UNTRANSLATED) - 1}:{translate(*args)}⟧"

    return marked


class Visit:
    """A browser that records untranslated sentences, and pages not in its language."""

    def __init__(self, language: str = "de", **headers: str) -> None:
        self.client = Client(headers=headers)
        self.language = language
        self.missing: dict[str, str] = {}
        self.scripts: set[str] = set()

    def get(self, path: str) -> str:
        return self.noted(path, self.client.get(path, follow=True))

    def post(self, path: str, **fields: str) -> str:
        return self.noted(path, self.client.post(path, fields, follow=True))

    def noted(self, path: str, response: Any) -> str:
        page: str = response.content.decode()
        assert response.status_code in {200, 404}, path
        assert f'<html lang="{self.language}"' in page, path
        assert response.headers["Content-Language"] == self.language
        self.note(path, page)
        return page

    def note(self, where: str, page: str) -> None:
        words = Words(page)
        for text in (words.text, *words.attributes):
            self.missing |= {UNTRANSLATED[int(index)]: where for index in MISSING.findall(text)}
        self.scripts.update(MODULES.findall(page))


def untranslated_in(scripts: set[str]) -> Iterator[str]:
    """Yield the sentences of the given scripts that have no German translation."""
    catalogue = read(GERMAN_FILE)
    known = {each.id if isinstance(each.id, str) else each.id[0] for each in catalogue if each.string}
    for script in sorted(scripts):
        for sentence, *_ in messages_in_script((STATIC / script).read_text()):
            if sentence not in known:
                yield sentence


def assert_all_german(visit: Visit) -> None:
    scripts = dict.fromkeys(untranslated_in(visit.scripts), "scripts")
    missing = "\n".join(f"{where}: {sentence}" for sentence, where in (visit.missing | scripts).items())
    assert not missing, f"without a translation:\n{missing}"


def texts_of(mail: EmailMessage | Composed) -> str:
    if isinstance(mail, Composed):
        return f"{mail.subject}\n{mail.body}"
    parts = [str(part.get_content()) for part in mail.walk() if part.get_content_maintype() == "text"]
    return "\n".join([str(mail["Subject"]), *parts])


@pytest.mark.django_db
def test_a_newcomer_signs_up_and_plays_in_german(german: None, mailoutbox: list[Composed]) -> None:
    table = Table(HALL.saved())
    visit = Visit(**GERMAN_BROWSER)
    for path in ("/", "/accounts/login/", "/games/quick/", "/nowhere/", "/accounts/signup/"):
        visit.get(path)
    visit.post("/accounts/signup/", username="x", email="alice", password1="short")
    visit.post("/accounts/signup/", username="Alice", email="alice@example.org", password1=PASSWORD)
    [mail] = mailoutbox
    visit.note("the mail to confirm an address", texts_of(mail))
    confirm = link_in(mail)
    visit.get(confirm)
    visit.post(confirm)
    alice = User.objects.get()
    assert alice.language == "de"
    for path in (
        "/",
        "/games/",
        "/my-room/",
        "/settings/",
        "/settings/profile/",
        "/settings/news/",
        "/games/new/",
    ):
        visit.get(path)

    visit.post("/games/quick/", strength="rookie", computers="1")
    game = Game.objects.get()
    page = f"/games/{game.pk}/"
    for _turn in ("the heading", "the first turn"):
        visit.get(page)
        table.move(game, alice, now=timezone.now())
        visit.get(page)
        play_computers(turn_id=open_turn(game).pk, now=timezone.now())
    for path in (page, f"{page}turns/1/", f"{page}turns/1/film/", f"{page}chat/", f"{page}news/"):
        visit.get(path)

    assert_all_german(visit)


@pytest.mark.django_db
def test_players_of_one_game_get_mail_in_their_languages(german: None, mailbox: Mailbox) -> None:
    alice, bob = cast.person("Alice", language="de", time_zone="Europe/Berlin"), cast.bob()
    table = Table(HALL.saved())
    game = table.game(alice, bob)
    table.play(game, alice, bob)
    table.play(game, alice, bob)
    turn = open_turn(game)
    for notice in Notice.objects.filter(game=game, turn=turn.number, channel="mail").order_by("pk"):
        assert send_notification(notice_id=notice.pk, now=NOW)
    assert translation.get_language() == "en", "no language leaks"
    german_mail, english_mail = (texts_of(mailbox.to(user.email)[-1]) for user in (alice, bob))
    visit = Visit()
    visit.note("the mail about a turn", german_mail)
    assert_all_german(visit)
    assert '<html lang="de">' in german_mail and '<html lang="en">' in english_mail
    assert GERMAN_DATE.search(german_mail)
    assert "turn 2: your move" in english_mail and "⟦" not in english_mail

    for person, language in ((alice, "de"), (bob, "en")):
        reader = Visit(language)
        reader.client.force_login(person)
        reader.get(f"/games/{game.pk}/turns/1/")
        deadline = reader.get(f"/games/{game.pk}/")
        assert_all_german(reader)
        assert bool(GERMAN_DATE.search(deadline)) == (language == "de")
