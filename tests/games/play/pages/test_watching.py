"""Pages for watching games: running games, past turns, and results."""

import json
import re
from datetime import timedelta
from typing import Any

from accounts.models import User
from games.lobby.seats import join_game
from games.play.models import Game
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from games.staff.services import cancel_as_staff, extend_turn
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table, later, open_turn


def test_anyone_can_watch_a_public_game(played: Game, read: ReaderOf) -> None:
    page = read(None).get(played.get_absolute_url())
    assert page.status == 200
    assert "You are watching. Sign up to play." in page
    assert "move order 1 next 1 of 4 3 lives" in page
    assert "What happened in turn 1" in page
    assert not any(action.startswith("/games/") for action in page.actions)
    assert "data-chip=" not in page.html
    board = page.html.partition("data-board")[2].partition("<template")[0]
    assert set(re.findall(r'data-robot="(\w+)"', board)) == {"Alice", "Bob"}
    assert "10 of 10 health" in page
    assert "taff" not in page, "who left the game alone"


def test_a_private_game_is_watched_only_by_its_link(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    game = table.game(alice, bob, private=True)
    table.play(game, alice, bob)
    address, query = game.get_absolute_url(), f"?link={game.link_token}"
    for place in ("", "turns/0/", "pulse/"):
        assert read(None).get(f"{address}{place}").status == 404
        assert read(None).get(f"{address}{place}{query}").status == 200
    page = read(None).get(f"{address}{query}")
    assert f"{address}turns/0/{query}" in page.links  # further links keep the link's token
    for link in ("%00", "%ff", "é", "x" * 5000):
        assert read(None).get(f"{address}?link={link}").status == 404


def test_a_deadline_is_shown_in_the_reader_s_time_zone(duel: Game, alice: User, read: ReaderOf) -> None:
    alice.time_zone = "Pacific/Auckland"
    alice.save()
    page = read(alice).get(duel.get_absolute_url())
    assert "1 day 0 h left until Mon 23 Nov, 01:00" in page
    assert "until Sun 22 Nov, 12:00 (UTC)" in read(None).get(duel.get_absolute_url())


def test_every_past_turn_has_a_page(played: Game, read: ReaderOf) -> None:
    address = played.get_absolute_url()
    page = read(None).get(address)
    assert [link for link in page.links if "/turns/" in link] == [f"{address}turns/0/", f"{address}turns/1/"]
    first = read(None).get(f"{address}turns/0/")
    assert first.status == 200
    assert "Choosing headings" in first
    second = read(None).get(f"{address}turns/1/")
    assert "Turn 1" in second
    assert "Phase 5" in second
    assert "Move order for the next turn" in second


def test_a_turn_not_yet_played_is_not_found(played: Game, read: ReaderOf) -> None:
    for turn in ("3", "99999999999999999999"):
        assert read(None).get(f"{played.get_absolute_url()}turns/{turn}/").status == 404
    assert read(None).get(f"{played.get_absolute_url()}turns/2/").address == played.get_absolute_url()


def test_the_log_describes_events_phase_by_phase(played: Game, read: ReaderOf) -> None:
    text = read(None).get(f"{played.get_absolute_url()}turns/1/").text
    places = [text.index(f"Phase {phase}") for phase in range(1, 6)]
    assert places == sorted(places)
    assert "fires and hits nothing" not in text


def test_a_player_who_missed_a_turn_reads_the_played_orders_until_they_submit_again(
    duel: Game, table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    address, bobs = duel.get_absolute_url(), read(bob)
    turns = {
        0: ("the heading was chosen for them", "You did not choose a heading in time, so one was chosen"),
        1: (
            "the registers were filled at random",
            "You missed turn 1: your registers were filled at random.",
        ),
    }
    for number, (for_all, for_bob) in turns.items():
        now = later(days=2 + 2 * number)
        table.move(duel, alice, now=now - timedelta(days=1.9))
        assert resolve_turn(turn_id=open_turn(duel).pk, now=now)
        assert f"Bob ran out of time: {for_all}." in read(None).get(address)
        assert for_bob in bobs.get(address)
        bobs.post(f"{address}seen/", turn=str(number))  # as an open page reports after showing the film
        for page in (bobs.get(address), bobs.get(f"{address}parts/")):
            assert "while you were away" not in page
            assert for_bob in page and f"orders for turn {number + 1}." in page
        assert "You missed turn" not in read(alice).get(address)
    table.move(duel, bob, now=now)
    assert "You missed turn" not in bobs.get(address)


def test_a_lost_game_is_explained(solo_loss: Game, alice: User, read: ReaderOf) -> None:
    page = read(alice).get(solo_loss.get_absolute_url())
    assert "The last life is lost, so the game is lost." in page
    assert "Alice out" in page
    assert f"/starships/{solo_loss.revision.starship_id}/" in page.links


def test_a_won_game_names_the_winner_and_places(lane: Table, alice: User, bob: User, read: ReaderOf) -> None:
    game = lane.game(alice, bob, options={"lives": 1})
    for player, heading in ((alice, "E"), (bob, "N")):
        submit_orders(user=player, game_id=game.pk, turn_number=0, document={"heading": heading}, now=NOW)
    assert resolve_turn(turn_id=game.turns.get().pk, now=NOW)
    game.refresh_from_db()
    while game.status == Game.Status.RUNNING:
        lane.play(game, *(seat.user for seat in game.players.filter(hands__turn__status="open")))
    page = read(None).get(game.get_absolute_url())
    assert "Over" in page
    winner = game.winner
    assert winner
    assert f"{winner} first" in page
    assert re.search(rf"{winner} [^.]* wins\.", page.text)
    assert f"/games/new/?ruleset=robo-runner&starship={game.revision.starship_id}" in page.links


def test_everyone_with_access_sees_staff_actions_and_reasons(
    duel: Game, table: Table, alice: User, bob: User, erin: User, dave: User, read: ReaderOf
) -> None:
    why = "The <mail> server was down."
    extend_turn(user=erin, game_id=duel.pk, hours=24, reason=why, now=NOW)
    said = f"Staff extended the deadline of turn 0 by 1 day. “{why}”"
    for viewer in (alice, dave, None):
        page = read(viewer).get(duel.get_absolute_url())
        assert page.text.count(said) == 2  # at the top, and below the terms
        assert "Staff actions" in page and "Erin" not in page
    table.play(duel, alice, bob)
    assert read(alice).get(duel.get_absolute_url()).text.count(said) == 1


def test_a_game_cancelled_by_staff_gives_the_reason(duel: Game, erin: User, read: ReaderOf) -> None:
    cancel_as_staff(user=erin, game_id=duel.pk, reason="Nobody was left.", now=NOW)
    assert "Staff cancelled the game. “Nobody was left.”" in read(None).get(duel.get_absolute_url())


def pulse(read: ReaderOf, game: Game, seen: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(read(None).get(f"{game.get_absolute_url()}pulse/?seen={seen}").html)
    return answer


def version(read: ReaderOf, game: Game) -> str:
    found = re.search(r'data-seen="([^"]*)"', read(None).get(game.get_absolute_url()).html)
    assert found
    return found.group(1)


def test_an_open_page_is_notified_of_moves_and_resolved_turns(
    duel: Game, table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    seen = version(read, duel)
    assert pulse(read, duel, seen) == {
        "version": seen,
        "news": "",
        "waiting_for": ["Alice", "Bob"],
        "noted": 1,
        "status": "running",
        "turn": 0,
        "played": None,
        "winner": None,
        "cursor": "0-0",
        "left": "1 day 0 h left",
    }
    table.move(duel, alice)
    assert pulse(read, duel, seen)["waiting_for"] == ["Bob"]
    assert pulse(read, duel, seen)["news"] == ""
    table.play(duel, bob)
    assert pulse(read, duel, seen)["news"] == "Turn 0 has been played."


def test_an_open_lobby_is_notified_of_players(
    table: Table, alice: User, bob: User, carol: User, read: ReaderOf
) -> None:
    game = table.game(alice, seats=3)
    seen = version(read, game)
    join_game(user=bob, game_id=game.pk, now=NOW)
    assert pulse(read, game, seen)["news"] == "The game has changed."
    join_game(user=carol, game_id=game.pk, now=NOW)
    assert pulse(read, game, seen)["news"] == "The game has started."


def test_an_open_page_is_notified_of_the_end(duel: Game, erin: User, solo_loss: Game, read: ReaderOf) -> None:
    seen = version(read, duel)
    cancel_as_staff(user=erin, game_id=duel.pk, reason="So.", now=NOW)
    assert pulse(read, duel, seen)["news"] == "Staff cancelled the game. There is no winner."
    assert pulse(read, solo_loss, "running-1-1")["news"] == "The game is over."


def test_pages_of_a_game_take_a_bounded_number_of_queries(
    table: Table,
    alice: User,
    bob: User,
    carol: User,
    dave: User,
    erin: User,
    read: ReaderOf,
    django_assert_max_num_queries: Any,
) -> None:
    people = (alice, bob, carol, dave, erin)
    game = table.game(*people, options={"scanners": 4})
    for _ in range(2):
        table.play(game, *(seat.user for seat in game.players.filter(hands__turn__status="open")))
    reader = read(alice)
    reader.get("/rules/")
    with django_assert_max_num_queries(18):
        reader.get(game.get_absolute_url())
    with django_assert_max_num_queries(13):
        reader.get(f"{game.get_absolute_url()}turns/1/")
    with django_assert_max_num_queries(9):
        reader.get(f"{game.get_absolute_url()}pulse/")
