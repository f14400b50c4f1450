"""Games that end without a result are stored, shown and proved."""

import json

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

import rules
from accounts.models import User
from games.errors import Conflict
from games.films.game_file import game_file
from games.lobby.services import cancel_game
from games.news.channels.mail import compose
from games.news.models import Notice
from games.people.selectors.profiles import person_page
from games.people.services.records import recount_person
from games.play import lifecycle
from games.play.models import Game, Hand, Turn
from games.play.resolution import resolve_turn
from games.play.services import locked_game
from games.staff.selectors import faults_of
from games.staff.services import cancel_as_staff
from games.work.sweeper import sweep
from rules.game_file import ENDINGS
from tests.games.support import NOW, Table, code_of, game_seen, later, open_turn


def conceded(game: Game, winner: str) -> Game:
    with transaction.atomic():
        lifecycle.concede(game=locked_game(game.pk), winner=winner, now=later(hours=1))
    game.refresh_from_db()
    return game


@pytest.fixture
def begun(table: Table, duel: Game, alice: User, bob: User) -> Game:
    """A game of Alice and Bob in turn 2. Only Alice has submitted orders."""
    table.play(duel, alice, bob)
    table.play(duel, alice, bob)
    table.move(duel, alice)
    return duel


def faults(game: Game) -> list[str]:
    document = game_file(game=game)
    return [str(fault) for fault in rules.verify(rules.read_game_file(json.loads(rules.canonical(document))))]


def test_service_and_rules_have_the_same_names_for_endings() -> None:
    assert tuple(Game.Ending.values) == ENDINGS


def test_a_game_cancelled_by_staff_is_proved_up_to_its_last_turn(
    begun: Game, alice: User, erin: User
) -> None:
    game = cancel_as_staff(user=erin, game_id=begun.pk, reason="So.", now=NOW)
    assert (game.status, game.ending, game.winner) == (Game.Status.CANCELLED, Game.Ending.STAFF, "")
    document = game_file(game=game)
    assert [turn["turn"] for turn in document["turns"]] == [0, 1]
    assert (document["ending"], document["winner"], document["end"]["over"]) == ("staff", None, False)
    assert faults(game) == []
    assert list(faults_of(game)) == []
    mail = compose(Notice.objects.get(game=begun, user=alice, kind="cancelled"))
    assert mail.subject == "First flight was cancelled"
    assert "“First flight” has ended. Staff cancelled the game. There is no winner." in str(mail.body)


def test_a_conceded_game_has_a_winner_and_is_proved(begun: Game) -> None:
    game = conceded(begun, "Alice")
    assert (game.status, game.ending, game.winner) == (Game.Status.OVER, Game.Ending.CONCEDED, "Alice")
    assert game_file(game=game)["winner"] == "Alice"
    assert faults(game) == []
    assert list(faults_of(game)) == []


def test_the_open_turn_is_never_resolved_and_its_clocks_stop(begun: Game) -> None:
    turn = open_turn(begun)
    assert Hand.objects.filter(turn=turn, deadline__isnull=False, remind_at__isnull=False).count() == 1
    game = conceded(begun, "Alice")
    assert not resolve_turn(turn_id=turn.pk, now=later(days=9))
    assert sweep(now=later(days=9)).turns == 0
    turn.refresh_from_db()
    assert turn.status == Turn.Status.OPEN
    assert not turn.hands.filter(deadline__isnull=False).exists()
    assert not turn.hands.filter(remind_at__isnull=False).exists()
    assert game.last_played == turn.number - 1


def test_an_open_turn_is_allowed_only_in_a_game_that_broke_off(begun: Game) -> None:
    game = conceded(begun, "Alice")
    Game.objects.filter(pk=game.pk).update(ending="")
    assert "it is over, but a turn is open" in list(faults_of(Game.objects.get(pk=game.pk)))
    Game.objects.filter(pk=game.pk).update(ending=Game.Ending.CONCEDED, turn=1)
    assert "it broke off, but its last turn is not its only open turn" in list(
        faults_of(Game.objects.get(pk=game.pk))
    )


def test_a_game_without_turns_has_no_file_and_reveals_its_seed(duel: Game, erin: User) -> None:
    game = cancel_as_staff(user=erin, game_id=duel.pk, reason="So.", now=NOW)
    assert code_of(Conflict, game_file, game=game) == "not-played"
    assert game_seen(viewer=erin, game=game)["seed"] == game.seed
    page = Client().get(duel.get_absolute_url()).content.decode()
    assert "Before its first turn." in page
    assert f"/games/{duel.pk}/file/" not in page


def test_a_cancelled_lobby_has_neither_seed_nor_ending(table: Table, alice: User) -> None:
    game = cancel_game(user=alice, game_id=table.game(alice, seats=2).pk, now=NOW)
    seen = game_seen(viewer=alice, game=game)
    assert (game.ending, seen["ending"], seen["seed"]) == ("", None, None)
    assert code_of(Conflict, game_file, game=game) == "not-over"


def test_contradictory_endings_are_refused_by_the_database(duel: Game) -> None:
    over = {"status": "over", "ended_at": NOW}
    for wrong in (
        {"ending": "voted"},
        {"ending": "conceded"},
        {"ending": "bored"},
        {"ending": "voted", **over},
        {"ending": "conceded", **over},
        {"ending": "conceded", **over, "status": "cancelled"},
    ):
        with pytest.raises(IntegrityError, match="game_ending_fits_its_status"), transaction.atomic():
            Game.objects.filter(pk=duel.pk).update(**wrong)


def test_the_page_describes_the_ending_and_offers_the_file(begun: Game, alice: User, erin: User) -> None:
    cancel_as_staff(user=erin, game_id=begun.pk, reason="So.", now=NOW)
    client = Client()
    for _ in range(2):
        page = client.get(begun.get_absolute_url()).content.decode()
        assert "Staff cancelled the game. There is no winner." in page
        assert "After 1 turn." in page
        assert f"/games/{begun.pk}/file/" in page
        assert "Rematch" not in page
        assert begun.seed in page
        assert client.get(f"/games/{begun.pk}/file/").status_code == 200
        client.force_login(alice)


def test_the_page_of_a_conceded_game_names_the_winner(begun: Game, alice: User) -> None:
    conceded(begun, "Alice")
    client = Client()
    client.force_login(alice)
    page = client.get(begun.get_absolute_url()).content.decode()
    assert "The other players conceded: Alice wins." in page
    assert "Conceded by vote" in page
    assert "Rematch" in page
    assert "In turn 2." in page
    room = client.get("/my-room/").content.decode()
    assert "conceded to Alice in turn 2" in room
    standing = client.get(f"/games/{begun.pk}/standing/").content.decode()
    assert "This game is over, so you cannot miss a turn." in standing
    assert "takes your seat" not in standing


def test_a_conceded_game_counts_as_won(begun: Game, alice: User, bob: User) -> None:
    conceded(begun, "Alice")
    for person, won in ((alice, 1), (bob, 0)):
        page = person_page(viewer=person, robo_name=person.robo_name)
        assert page["statistics"]["people"]["won"] == won
        assert page["statistics"]["people"]["over"] == 1


def test_an_unfinished_game_grants_no_achievements_for_whole_games(begun: Game, alice: User) -> None:
    before = set(alice.achievements.values_list("key", flat=True))
    conceded(begun, "Alice")
    recount_person(person=alice.pk)
    assert set(alice.achievements.values_list("key", flat=True)) == before
