"""Event streams over a real connection to the real server."""

import time

import pytest

from accounts.models import User
from games.chat.services import post_line
from games.play.models import Game
from games.play.resolution import resolve_turn
from roborunner import streams
from tests import cast
from tests.games.play.streams.reading import Ask, cookie_of, stream_of, token_of
from tests.games.support import NOW, Table


def test_a_stream_has_the_format_of_server_sent_events(ask: Ask, game: Game) -> None:
    answer = ask(stream_of(game))
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-accel-buffering"] == "no"
    assert answer.block().startswith("retry: ")
    assert answer.block() == (
        'id: 0-0\nevent: ready\ndata: {"turn": 0, "waiting_for": ["Alice", "Bob"], "noted": 1}\n\n'
    )


def test_all_events_arrive_within_two_seconds(
    ask: Ask, game: Game, table: Table, alice: User, bob: User
) -> None:
    stream = ask(stream_of(game))
    assert stream.event()[0] == "ready"
    begun = time.monotonic()
    table.move(game, alice)
    assert stream.event() == ("ready", {"turn": 0, "waiting_for": ["Bob"], "noted": 1}, "0-0")
    line = post_line(user=bob, game_id=game.pk, text="So soon?", now=NOW)
    assert stream.event() == ("chat", {"id": line.pk}, f"0-{line.pk}")
    assert time.monotonic() - begun < 2 * 2
    table.move(game, bob)
    assert stream.event() == ("ready", {"turn": 0, "waiting_for": [], "noted": 1}, f"0-{line.pk}")
    resolve_turn(turn_id=game.turns.get().pk, now=NOW)
    game.refresh_from_db()
    told = ("turn", {"turn": 0, "seq": game.last_seq}, f"{game.last_seq}-{line.pk}")
    assert stream.event() == told


def test_a_reconnecting_client_misses_nothing(
    ask: Ask, game: Game, table: Table, alice: User, bob: User
) -> None:
    first = ask(stream_of(game))
    cursor = first.event()[2]
    first.connection.close()
    table.play(game, alice, bob)
    line = post_line(user=alice, game_id=game.pk, text="Missed it?", now=NOW)
    for again in (
        ask(stream_of(game), Last_Event_ID=cursor),
        ask(f"{stream_of(game)}?after={cursor}"),
        ask(f"{stream_of(game)}?after={game.last_seq}-{line.pk}", Last_Event_ID=cursor),
    ):
        assert again.event() == ("turn", {"turn": 0, "seq": game.last_seq}, f"{game.last_seq}-0")
        assert again.event() == ("chat", {"id": line.pk}, f"{game.last_seq}-{line.pk}")
        assert again.event()[0] == "ready"


def test_invalid_cursors_are_refused_with_a_sentence(ask: Ask, game: Game) -> None:
    for answer in (ask(f"{stream_of(game)}?after=soon"), ask(stream_of(game), Last_Event_ID="soon")):
        assert answer.status == 400
        assert b"is not a cursor" in answer.until(b"418-12", 5)


def test_only_viewers_with_access_get_streams_of_private_games(
    ask: Ask, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob, private=True)
    dave = cast.dave()
    for path in (stream_of(game), "/games/999999/events/", f"{stream_of(game)}?link=guessed"):
        assert ask(path).status == 404
        assert ask(path, **cookie_of(dave)).status == 404
        assert ask(path, **token_of(dave)).status == 404
    assert ask(stream_of(game), **cookie_of(alice)).event()[0] == "ready"
    assert ask(stream_of(game), **token_of(bob)).event()[0] == "ready"
    assert ask(f"{stream_of(game)}?link={game.link_token}").event()[0] == "ready"


def test_the_api_requires_authentication(ask: Ask, game: Game, alice: User) -> None:
    path = f"/api/v1/games/{game.pk}/events"
    refused = ask(path)
    assert (refused.status, refused.headers["www-authenticate"]) == (401, "bearer")
    assert b'"error":"not-signed-in"' in refused.until(b"[]}", 5)
    assert ask(path, Authorization="Bearer nonsense").status == 401
    for way in (token_of(alice), cookie_of(alice)):
        assert ask(path, **way).event()[0] == "ready"
        assert ask(f"{path}/", **way).status == 200


def test_only_reading_is_possible(ask: Ask, game: Game, alice: User) -> None:
    path = f"/api/v1/games/{game.pk}/events"
    told = ask(path, "OPTIONS")
    assert (told.status, told.headers["allow"]) == (204, "get, head, options")
    assert ask(path, "POST", Content_Length="0", **token_of(alice)).status == 405
    refused = ask(stream_of(game), "POST", Content_Length="0")
    assert (refused.status, refused.headers["allow"]) == (405, "get, head")
    looked = ask(stream_of(game), "HEAD")
    assert (looked.status, looked.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
    assert ask("/games/999999/events/", "HEAD").status == 404


def test_comments_interrupt_silence(ask: Ask, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PING_INTERVAL", 0.2)
    stream = ask(stream_of(game))
    stream.event()
    assert stream.block() == ": ping\n\n"


def test_a_stream_ends_after_a_while_so_that_access_is_checked_again(
    ask: Ask, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "LIFETIME", (0.3, 0.3))
    stream = ask(stream_of(game))
    stream.event()
    assert stream.until(b"0\r\n\r\n", 5)  # the response was complete
