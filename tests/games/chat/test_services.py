"""Chat services: writing lines and marking them as read."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from games.chat import services
from games.chat.inputs import NewLine
from games.chat.models import MAX_LINE_LENGTH, ChatLine
from games.chat.services import FLOOD_LINES, read_chat
from games.errors import Forbidden, Invalid, NotFound, TooMany
from games.lobby.services import cancel_game
from games.play.models import Game, Seat
from tests.games.support import NOW, Table, code_of, later
from tests.games.together import hold, meanwhile, together, wait_for_waiter

Say = Callable[..., ChatLine]


@pytest.fixture
def say(duel: Game) -> Say:

    def post(user: User, text: str = "Hello.", **more: Any) -> ChatLine:
        return services.post_line(**{"user": user, "game_id": duel.pk, "text": text, "now": NOW, **more})

    return post


def read_by(game: Game, user: User) -> int:
    return Seat.objects.get(game=game, user=user).read_chat


def test_a_line_is_stored_with_its_writer_and_time(duel: Game, say: Say, alice: User) -> None:
    line = say(alice, "Good luck!", now=later(minutes=3))
    assert (line.game, line.user, line.name, line.text, line.at) == (
        duel,
        alice,
        "Alice",
        "Good luck!",
        later(minutes=3),
    )
    assert list(ChatLine.objects.all()) == [line]


def test_players_talk_in_the_lobby_and_after_the_end(
    table: Table, solo_loss: Game, alice: User, bob: User
) -> None:
    lobby = table.game(alice, bob, seats=3)
    cancelled = table.game(alice, seats=2)
    cancel_game(user=alice, game_id=cancelled.pk, now=NOW)
    for game in (lobby, solo_loss, cancelled):
        services.post_line(user=alice, game_id=game.pk, text="Well?", now=NOW)
        assert game.chat.count() == 1


def test_spectators_do_not_write(duel: Game, say: Say, dave: User, erin: User) -> None:
    for stranger in (dave, erin):
        assert code_of(Forbidden, say, stranger) == "no-seat"
        with pytest.raises(Forbidden):
            read_chat(user=stranger, game_id=duel.pk, line_id=1)
    assert not ChatLine.objects.exists()


def test_strangers_do_not_find_a_private_game(table: Table, alice: User, bob: User, dave: User) -> None:
    game = table.game(alice, bob, private=True)
    for act in (
        lambda: services.post_line(user=dave, game_id=game.pk, text="Hello.", now=NOW),
        lambda: read_chat(user=dave, game_id=game.pk, line_id=1),
    ):
        with pytest.raises(NotFound):
            act()


def test_guests_play_but_do_not_write(duel: Game, say: Say, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_guest=True, email="")
    bob.refresh_from_db()
    assert code_of(Forbidden, say, bob) == "guest"


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("  to and fro  ", "to and fro"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("one \n\n\n\n two", "one\n\n two"),
        ("a\tb", "a b"),
        ("🤖‍🔧", "🤖‍🔧"),
        ("x" * MAX_LINE_LENGTH, "x" * MAX_LINE_LENGTH),
    ],
)
def test_text_is_stored_as_sent(sent: str, kept: str) -> None:
    assert NewLine(data={"text": sent}).allowed() == {"text": kept}


def test_invalid_text_is_refused_in_a_sentence() -> None:
    for text, code in (
        ("", "empty"),
        ("\u200b\u00a0", "empty"),
        ("x" * (MAX_LINE_LENGTH + 1), "too-long"),
        ("ring\x07", "control-characters"),
        ("a\u2028b", "control-characters"),
    ):
        with pytest.raises(Invalid) as refusal:
            NewLine(data={"text": text}).allowed()
        assert refusal.value.code == code
        assert refusal.value.detail.endswith(".")


def test_the_limit_on_lines_spans_all_games(
    table: Table, say: Say, alice: User, bob: User, duel: Game
) -> None:
    other = table.game(alice, bob)
    for number in range(FLOOD_LINES):
        say(alice, str(number), now=later(seconds=number), game_id=(duel, other)[number % 2].pk)
    with pytest.raises(TooMany) as refusal:
        say(alice, now=later(seconds=FLOOD_LINES))
    assert refusal.value.wait == 60 - FLOOD_LINES
    assert say(bob, now=later(seconds=FLOOD_LINES))
    assert say(alice, now=later(seconds=60))
    with pytest.raises(TooMany):
        say(alice, now=later(seconds=60.5))


@pytest.mark.django_db(transaction=True)
def test_simultaneous_lines_in_many_games_keep_the_limit(table: Table, alice: User, bob: User) -> None:
    games = [table.game(alice, bob) for _ in range(8)]
    for number in range(FLOOD_LINES - 1):
        services.post_line(user=alice, game_id=games[0].pk, text=str(number), now=NOW)

    def say_in(game: Game) -> Callable[[], ChatLine]:
        return lambda: services.post_line(user=alice, game_id=game.pk, text="Now!", now=NOW)

    answers = together(*(say_in(game) for game in games))
    assert sorted(type(answer).__name__ for answer in answers) == ["ChatLine"] + ["TooMany"] * 7
    assert ChatLine.objects.filter(user=alice).count() == FLOOD_LINES


@pytest.mark.django_db(transaction=True)
def test_a_line_waits_only_for_another_line_of_its_writer(table: Table, alice: User, bob: User) -> None:
    first, second = table.game(alice, bob), table.game(alice, bob)
    with hold() as holding:
        holding.execute("SELECT 1 FROM accounts_user WHERE id = %s FOR NO KEY UPDATE", alice.pk)
        waiting = meanwhile(lambda: services.post_line(user=alice, game_id=first.pk, text="Wait.", now=NOW))
        wait_for_waiter(holding.backend)
        services.post_line(user=bob, game_id=second.pk, text="I go on.", now=NOW)
        assert not waiting.done()
        holding.release()
        assert waiting.result(20).text == "Wait."


def test_answering_marks_earlier_lines_as_read(duel: Game, say: Say, alice: User, bob: User) -> None:
    say(alice)
    answer = say(bob)
    assert read_by(duel, bob) == answer.pk
    assert read_by(duel, alice) < answer.pk


def test_the_read_mark_moves_forward_up_to_the_last_line(
    table: Table, duel: Game, say: Say, alice: User, bob: User
) -> None:
    lines = [say(alice, str(number)) for number in range(3)]
    elsewhere = services.post_line(user=alice, game_id=table.game(alice, bob).pk, text="Elsewhere.", now=NOW)

    def read(line_id: int) -> int:
        return read_chat(user=bob, game_id=duel.pk, line_id=line_id)

    assert read(lines[1].pk) == 1
    assert read(lines[0].pk) == 1
    assert read_by(duel, bob) == lines[1].pk
    assert read(elsewhere.pk + 1000) == 0
    assert read_by(duel, bob) == lines[2].pk
    assert read(-5) == 0
    say(alice)
    assert read(0) == 1


@pytest.mark.django_db(transaction=True)
def test_lines_are_committed_in_the_order_of_their_ids(table: Table, alice: User, bob: User) -> None:
    """Readers ask for lines after the last ID that they know.

    They would miss a line that is committed later with a lower ID.
    """
    game = table.game(alice, bob)
    seen: list[list[int]] = []
    stop = threading.Event()

    def talk(user: User) -> None:
        for number in range(8):
            services.post_line(user=user, game_id=game.pk, text=f"{number}", now=NOW)
        connection.close()

    def listen() -> None:
        while not stop.is_set():
            seen.append(list(game.chat.values_list("pk", flat=True)))
        connection.close()

    listener = threading.Thread(target=listen)
    talkers = [threading.Thread(target=talk, args=(user,)) for user in (alice, bob)]
    for thread in (listener, *talkers):
        thread.start()
    for thread in talkers:
        thread.join()
    stop.set()
    listener.join()
    last = list(game.chat.values_list("pk", flat=True))
    assert len(last) == 16
    assert all(earlier == last[: len(earlier)] for earlier in seen)
