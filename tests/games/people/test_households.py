"""Players who have confirmed that they are housemates play no rated games together."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.competitions.selectors.tournaments import tournament_view
from games.competitions.services.ladders import challenge, join_ladder
from games.competitions.services.matching import match_tickets, seek_game
from games.errors import Conflict, Forbidden, NotFound
from games.lobby.seats import join_game, set_ready
from games.lobby.services import change_game
from games.people import contacts
from games.people.contacts import (
    add_housemate,
    block,
    contact_of,
    contacts_of,
    live_together,
    remove_housemate,
)
from games.people.models import Housemate
from games.people.services.deletion import delete_account
from games.play.history import UNRATED
from games.standings.selectors.results import outcome_of
from tests.games.api_client import Api
from tests.games.competitions.hosting import START, games_of, last_round, opened, play_round, step
from tests.games.reader import ReaderOf
from tests.games.standings.rated import ended
from tests.games.support import NOW, Table, history_of

UNRATED_WORDS = "This game is unrated, because two of its players live together."


@pytest.fixture
def home(alice: User, bob: User) -> None:
    add_housemate(user=alice, robo_name="Bob", now=NOW)
    add_housemate(user=bob, robo_name="Alice", now=NOW)


def test_a_household_counts_once_both_have_confirmed(alice: User, bob: User, carol: User) -> None:
    for _ in range(2):
        add_housemate(user=alice, robo_name="Bob", now=NOW)
    assert not live_together([alice.pk, bob.pk])
    assert contact_of(user=bob, person=alice, now=NOW)["lives_with_me"]
    assert [each["robo_name"] for each in contacts_of(user=bob, now=NOW)["housemates"]] == ["Alice"]
    add_housemate(user=bob, robo_name="Alice", now=NOW)
    add_housemate(user=carol, robo_name="Bob", now=NOW)
    assert live_together([alice.pk, None, bob.pk, carol.pk])
    assert not live_together([bob.pk, carol.pk])
    remove_housemate(user=bob, robo_name="Alice")
    assert not live_together([alice.pk, bob.pk])


def test_a_household_requires_another_player_without_a_block(
    alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, refusal in (("Nemo", NotFound), ("Alice", Forbidden)):
        with pytest.raises(refusal):
            add_housemate(user=alice, robo_name=name, now=NOW)
    block(user=bob, robo_name="Alice", now=NOW)
    with pytest.raises(Forbidden):
        add_housemate(user=alice, robo_name="Bob", now=NOW)
    monkeypatch.setattr(contacts, "MOST_HOUSEMATES", 0)
    with pytest.raises(Conflict):
        add_housemate(user=alice, robo_name="Carol", now=NOW)
    assert not Housemate.objects.exists()


def test_a_housemate_cannot_join_the_other_s_rated_game(
    table: Table, home: None, alice: User, bob: User
) -> None:
    rated: list[dict[str, Any]] = [
        {},
        {"private": True, "rated": "yes"},
        {"computers": ["pilot"], "rated": "yes"},
    ]
    for terms in rated:
        game = table.game(alice, seats=4, **terms)
        with pytest.raises(Forbidden) as refusal:
            join_game(user=bob, game_id=game.pk, link=game.link_token, now=NOW)
        assert refusal.value.code == "household"
    unrated: list[dict[str, Any]] = [{"private": True}, {"rated": "no"}, {"computers": ["pilot"]}]
    for terms in unrated:
        game = table.game(alice, seats=4, **terms)
        join_game(user=bob, game_id=game.pk, link=game.link_token, now=NOW)


def test_housemates_cannot_join_the_same_rated_game_of_another_host(
    table: Table, home: None, alice: User, bob: User, carol: User
) -> None:
    game = table.game(carol, alice, seats=4)
    with pytest.raises(Forbidden) as refusal:
        join_game(user=bob, game_id=game.pk, now=NOW)
    assert refusal.value.code == "household"


def test_a_game_with_both_says_that_it_does_not_affect_ratings(table: Table, alice: User, bob: User) -> None:
    """They confirmed it after joining the lobby. A tournament can also seat them together."""
    lobby = table.game(alice, bob, seats=3)
    add_housemate(user=alice, robo_name="Bob", now=NOW)
    add_housemate(user=bob, robo_name="Alice", now=NOW)
    change_game(user=alice, game_id=lobby.pk, changes={"seats": 2}, now=NOW)
    set_ready(user=bob, game_id=lobby.pk, now=NOW)
    assert history_of(lobby)[-1] == UNRATED_WORDS
    unrated = table.game(alice, bob, rated="no")
    assert UNRATED_WORDS not in history_of(unrated), "that is known"


def test_a_game_with_housemates_is_not_rated(table: Table, alice: User, bob: User) -> None:
    game = ended(table, alice, bob)
    assert outcome_of(game) is not None
    game.lobby.create(kind=UNRATED, parameters={"format": "entry/1"}, at=NOW)
    assert outcome_of(game) is None


def test_a_tournament_pairs_them_and_only_its_table_counts_their_game(
    table: Table, home: None, alice: User, bob: User, erin: User
) -> None:
    cup = opened(table, erin, alice, bob)
    step(START)
    (game,) = games_of(last_round(cup))
    assert history_of(game)[-1] == UNRATED_WORDS
    assert not any(name in UNRATED_WORDS for name in ("Alice", "Bob"))
    for _ in range(4):
        table.play(game, alice, bob, now=START)
    play_round(cup, [bob], now=START)
    game.refresh_from_db()
    assert outcome_of(game) is None
    step(START + timedelta(hours=1))
    first = tournament_view(viewer=alice, tournament_id=cup.pk)["table"][0]
    assert (first["robo_name"], first["points"]) == ("Bob", 1)


def test_the_queue_never_matches_housemates(
    table: Table, home: None, alice: User, bob: User, carol: User
) -> None:
    table.game(bob, seats=2)
    for user in (alice, bob):
        seek_game(user=user, wish={"least": 2, "most": 2, "pace": "day"}, now=NOW)
    assert match_tickets(now=NOW) == 0
    seek_game(user=carol, wish={"least": 2, "most": 2, "pace": "day"}, now=NOW)
    assert match_tickets(now=NOW) >= 1


def test_housemates_cannot_challenge_each_other_on_a_ladder(
    table: Table, home: None, alice: User, bob: User
) -> None:
    for user in (alice, bob):
        join_ladder(user=user, ruleset="robo-runner", now=NOW)
    with pytest.raises(Conflict, match="You live with Alice"):
        challenge(user=bob, ruleset="robo-runner", robo_name="Alice", now=NOW)


def test_a_deleted_account_has_no_housemates(home: None, alice: User, bob: User) -> None:
    delete_account(user=alice, now=NOW)
    assert not Housemate.objects.exists()


def test_the_page_of_a_player_asks_and_shows_the_state(alice: User, bob: User, read: ReaderOf) -> None:
    browser = Client()
    browser.force_login(alice)
    assert "Same household" in read(alice).get("/players/Bob/")
    said = browser.post("/players/Bob/contact/", {"do": "house"}, follow=True).content.decode()
    assert "Bob is marked as your housemate." in said and "This takes effect when they confirm it" in said
    assert "Alice marked you as a housemate." in read(bob).get("/players/Alice/")
    add_housemate(user=bob, robo_name="Alice", now=NOW)
    assert "You both confirmed that you live together" in read(bob).get("/players/Alice/")
    assert "Same household Bob confirmed by both" in read(alice).get("/my-people/")
    gone = browser.post("/players/Bob/contact/", {"do": "unhouse"}, follow=True).content.decode()
    assert "Bob is no longer marked as your housemate." in gone


def test_the_api_adds_and_removes_a_housemate(alice: User, bob: User) -> None:
    api = Api(alice)
    assert api.put("players/Bob/household").body["lives_with"]
    assert not api.delete("players/Bob/household").body["lives_with"]
    assert api.put("players/Alice/household").refusal == (403, "self")
