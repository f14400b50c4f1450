"""Clips of turns: requests, limits, workers, and deletion."""

from functools import partial
from io import BytesIO
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from PIL import Image

from accounts import guests
from accounts.limits import CLIPS_FROM_ADDRESS
from accounts.models import User
from games.errors import NotFound, TooMany
from games.films.selectors import replay
from games.play.models import Game
from games.sharing import clips, drawing
from games.sharing.clips import clip_of, forget_clips, make_requested_clip, request_clip
from games.sharing.drawing import CLIP_SIDE, MOST_CLIP_BYTES, make_clip
from games.sharing.models import Clip
from games.work.models import LimitedUse
from games.work.sweeper import offer_clips
from tests.games.support import NOW, Table, later
from tests.games.together import Call, Interleaved, deleted, interleave_everywhere

Messages = list[tuple[str, int]]


def request(user: User, game: Game, number: int = 1, address: str = "address:192.0.2.1") -> Clip:
    return request_clip(user=user, address=address, game_id=game.pk, number=number, now=NOW)


def done(game: Game, number: int, **changes: Any) -> Clip:
    values = {"status": "done", "file": b"a clip", "created_at": NOW, "finished_at": NOW, "progress": 100}
    return Clip.objects.create(game=game, number=number, **values | changes)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Replace the drawing of clips, which takes seconds. The list has the turns that were drawn."""
    turns: list[int] = []

    def draw(replay: Any, progress: Any) -> bytes:
        turns.append(replay.turn)
        return b"a clip"

    monkeypatch.setattr(clips, "make_clip", draw)
    return turns


def test_a_clip_is_an_animated_picture_below_its_limit(finished: Game) -> None:
    percents: list[int] = []
    file = make_clip(replay(game=finished, number=1), lambda percent: not percents.append(percent))
    image = Image.open(BytesIO(file))
    assert (image.format, image.is_animated) == ("WEBP", True)  # type: ignore[attr-defined]
    assert max(image.size) == CLIP_SIDE
    assert len(file) <= MOST_CLIP_BYTES
    assert percents == sorted(percents)
    assert 0 < percents[-1] <= 90


def test_a_large_clip_is_made_smaller_and_a_huge_one_refused(
    finished: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[float] = []

    def webp(stills: Any, scale: float, quality: int) -> bytes:
        sizes.append(scale)
        return bytes(len(sizes) == 2 or MOST_CLIP_BYTES + 1)

    monkeypatch.setattr(drawing, "_webp", webp)
    assert len(make_clip(replay(game=finished, number=1))) == 1
    assert sizes == [1.0, 0.75]
    monkeypatch.setattr(drawing, "MOST_CLIP_BYTES", 0)
    with pytest.raises(drawing.ClipTooLarge):
        make_clip(replay(game=finished, number=1))


def test_a_clip_is_made_once_by_a_worker(
    finished: Game, alice: User, bob: User, messages: Messages, drawn: list[int], client: Client
) -> None:
    clip = request(alice, finished)
    assert messages == [("make_clip", clip.pk)]
    assert request(bob, finished) == clip
    assert make_requested_clip(clip_id=clip.pk, now=NOW)
    assert not make_requested_clip(clip_id=clip.pk, now=NOW)
    assert request(bob, finished) == clip
    assert (drawn, len(messages)) == ([1], 1)
    answer = client.get(f"/games/{finished.pk}/turns/1/clip.webp")
    assert (answer.content, answer["Content-Type"]) == (b"a clip", "image/webp")
    assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"


def test_the_page_shows_the_button_the_progress_and_the_clip(
    finished: Game, alice: User, client: Client, messages: Messages, drawn: list[int]
) -> None:
    address = f"/games/{finished.pk}/turns/1/clip/"
    assert "Make the clip" in client.get(address).content.decode()
    assert client.post(address).headers["Location"].startswith("/accounts/login/")
    client.force_login(alice)
    assert "Waiting in the queue." in client.post(address, follow=True).content.decode()
    clip = Clip.objects.get()
    Clip.objects.update(status="making", progress=40)
    assert 'value="40"' in client.get(address).content.decode()
    make_requested_clip(clip_id=clip.pk, now=NOW)
    assert f'<img src="/games/{finished.pk}/turns/1/clip.webp"' in client.get(address).content.decode()


def test_a_person_makes_a_limited_number_of_clips_a_day(
    finished: Game, alice: User, bob: User, messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clips, "CLIPS_A_DAY", 2)
    for number in (0, 1):
        request(alice, finished, number)
    with pytest.raises(TooMany):
        request(alice, finished, 2)
    request(alice, finished, 1)  # it exists
    request(bob, finished, 2)


@pytest.mark.django_db(transaction=True)
def test_a_clip_that_two_people_request_at_once_is_counted_once(
    finished: Game, alice: User, bob: User, messages: Messages
) -> None:
    def prepare() -> tuple[Call, Call]:
        Clip.objects.all().delete()
        LimitedUse.objects.all().delete()
        messages.clear()
        return partial(request, alice, finished), partial(request, bob, finished)

    def check(done: Interleaved) -> None:
        assert done.first == done.second == Clip.objects.get()
        assert LimitedUse.objects.filter(limit="clips").count() == len(messages) == 1

    assert interleave_everywhere(prepare, check) > 6


@pytest.mark.django_db(transaction=True)
def test_a_game_is_deleted_while_a_clip_is_requested(table: Table, alice: User, bob: User) -> None:
    def prepare() -> tuple[Call, Call]:
        game = table.game(alice, bob)
        table.play(game, alice, bob)
        Game.objects.filter(pk=game.pk).update(status="over", ended_at=NOW)
        return partial(request, alice, game, 0), partial(deleted, game)

    def check(done: Interleaved) -> None:
        assert done.second is None
        assert isinstance(done.first, (Clip, NotFound))
        assert not Clip.objects.exists()

    assert interleave_everywhere(prepare, check, stride=2) > 6


def test_guests_are_limited_by_their_address(
    finished: Game, messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = guests.make_guest(), guests.make_guest()
    monkeypatch.setattr(clips, "CLIPS_FROM_ADDRESS", CLIPS_FROM_ADDRESS.__class__("test-clips", 1, 86_400))
    request(first, finished, 0, "address:192.0.2.7")
    with pytest.raises(TooMany):
        request(second, finished, 1, "address:192.0.2.7")
    request(second, finished, 1, "address:192.0.2.8")


@pytest.mark.parametrize("private", [False, True])
def test_a_clip_needs_a_played_turn_of_a_shared_game(finished: Game, alice: User, private: bool) -> None:
    Game.objects.filter(pk=finished.pk).update(private=private)
    with pytest.raises(NotFound):
        request(alice, finished, 1 if private else 9)
    assert not Clip.objects.exists()


def test_a_clip_that_kills_its_workers_fails_and_can_be_requested_again(
    finished: Game, alice: User, messages: Messages, drawn: list[int]
) -> None:
    clip = request(alice, finished)
    Clip.objects.update(attempts=clips.ATTEMPTS)
    assert not make_requested_clip(clip_id=clip.pk, now=NOW)
    failed = clip_of(game_id=finished.pk, number=1)
    assert failed is not None
    assert (failed.status, failed.failure, drawn) == ("failed", f"deadly-clip: {clips.ATTEMPTS}", [])
    assert request(alice, finished).status == "waiting"


def test_a_temporary_fault_does_not_count(
    finished: Game, alice: User, messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    clip = request(alice, finished)

    def draw(*_: object) -> bytes:
        raise OperationalError

    monkeypatch.setattr(clips, "make_clip", draw)
    with pytest.raises(OperationalError):
        make_requested_clip(clip_id=clip.pk, now=NOW)
    clip.refresh_from_db()
    assert (clip.status, clip.attempts) == ("making", 0)


def test_the_sweeper_offers_a_clip_whose_worker_died(
    finished: Game, alice: User, messages: Messages, drawn: list[int]
) -> None:
    clip = request(alice, finished)
    assert clip.claim(clips.LEASE, now=NOW, status="making")
    messages.clear()
    assert offer_clips(now=later(minutes=1)) == 0
    assert offer_clips(now=later(minutes=30)) == 1
    assert messages == [("make_clip", clip.pk)]


def test_old_clips_are_deleted(finished: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clips, "CLIPS_KEPT", 2)
    for number in range(3):
        done(finished, number, finished_at=later(days=number))
    assert forget_clips(now=later(days=3)) == 1
    assert set(Clip.objects.values_list("number", flat=True)) == {1, 2}
    assert forget_clips(now=later(days=1) + clips.CLIP_LIFETIME) == 1
    assert Clip.objects.get().number == 2


def test_clips_are_deleted_with_their_game(finished: Game) -> None:
    done(finished, 1)
    finished.delete()
    assert not Clip.objects.exists()
