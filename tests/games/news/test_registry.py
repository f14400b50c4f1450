"""A declaration is enough to add a kind or a channel: no other code names it."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from accounts.models import User
from games.news.channels import CHANNELS, Attempt, Channel
from games.news.delivery import send_notification
from games.news.kinds import KINDS, Kind, summary_of
from games.news.models import Notice
from games.news.services import notify
from games.play.models import Game
from games.play.news import about_now
from tests.games.support import NOW

HOUSE = Path(__file__).parents[3] / "games"

BY_NAME = re.compile(r"\bnotice\.(kind|channel) (==|!=|in|not in) |(match|case) (notice|Notice)\.")
"""Matches code that compares a kind or channel with a name."""


class Radio(Channel):
    """A channel that delivers Bob's notifications."""

    name = "radio"
    label = "Radio"
    task = "games.tasks.post_radio"

    receivers = "SELECT id FROM accounts_user WHERE id = ANY(%s::bigint[]) AND robo_name = 'Bob'"

    def __init__(self) -> None:
        self.said: list[str] = []

    def send(self, notice: Notice, *, now: datetime) -> bool:
        self.said.append(summary_of(notice).subject)
        return True

    def try_out(self, *, user: User | None, address: str, now: datetime) -> Iterator[Attempt]:
        yield Attempt(self.name, "sent", "It crackles.")


@pytest.fixture
def radio(monkeypatch: pytest.MonkeyPatch) -> Radio:
    """Declare a channel that the service does not know."""
    channel = Radio()
    monkeypatch.setitem(CHANNELS, channel.name, channel)
    return channel


@pytest.fixture
def tea(monkeypatch: pytest.MonkeyPatch) -> Kind:
    """Declare a kind that the service does not know, with the texts of another kind."""
    kind = Kind(
        name="tea",
        label="Tea is ready",
        template="chat/mail/mention.html",
        content=lambda notice: about_now(notice, speakers="The kettle"),
        settled=lambda notice: None,
    )
    monkeypatch.setitem(KINDS, kind.name, kind)
    return kind


def test_a_new_kind_is_sent_by_all_channels_including_a_new_one(
    duel: Game, alice: User, bob: User, tea: Kind, radio: Radio
) -> None:
    left = notify(users=[alice, bob], kind=tea.name, game=duel, now=NOW)
    ways = sorted((notice.user.robo_name, notice.channel) for notice in left if notice.user)
    assert ways == [("Alice", "mail"), ("Bob", "mail"), ("Bob", "radio")]
    assert all(send_notification(notice_id=notice.pk, now=NOW) for notice in left)
    assert len(radio.said) == 1 and "The kettle" in radio.said[0]
    assert {notice.get_kind_display() for notice in left} == {"Tea is ready"}
    assert {notice.get_channel_display() for notice in left} == {"Mail", "Radio"}


def test_an_unknown_kind_is_tried_again_later(duel: Game, alice: User, tea: Kind) -> None:
    """A newer release may have created the notification before a rollback."""
    (notice,) = notify(users=[alice], kind=tea.name, game=duel, now=NOW)
    del KINDS[tea.name]
    assert not send_notification(notice_id=notice.pk, now=NOW)
    notice.refresh_from_db()
    assert (notice.status, notice.attempts) == (Notice.Status.PENDING, 1)
    assert notice.last_error == "ValueError: There is no kind of notification “tea”."


def test_duplicate_kinds_are_refused(tea: Kind) -> None:
    with pytest.raises(ValueError, match="tea"):
        KINDS.register(Kind(**{**vars(tea), "label": "Coffee is ready"}))


def test_no_module_compares_a_kind_or_channel_with_a_name() -> None:
    asked = [
        f"{path.relative_to(HOUSE)}: {line.strip()}"
        for path in HOUSE.rglob("*.py")
        if "migrations" not in path.parts
        for line in path.read_text().splitlines()
        if BY_NAME.search(line)
    ]
    assert asked == []
