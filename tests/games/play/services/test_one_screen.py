"""Games on one screen: one account plays with companions, and they pass the screen on."""

from collections.abc import Callable
from typing import Any

import pytest

import rules
from accounts.models import User
from games.absence.seats import resign_game
from games.errors import Conflict, Forbidden, Invalid
from games.films.game_file import game_file
from games.lobby import positions
from games.lobby.lists import waiting_count
from games.moderation.services.decisions import rename_in_games, rename_person
from games.news.models import Notice
from games.people.services.deletion import adopt_guest, delete_account, erase
from games.play import lifecycle, stored
from games.play.game_view import game_view
from games.play.models import Game, Hand, Program
from games.play.orders import pass_screen, redeal_hand, save_draft, submit_orders, wake_robot
from games.play.preview import preview
from games.play.resolution import resolve_turn
from games.play.services import locked_game
from games.play.viewers import game_for
from games.staff.services import replace_as_staff
from tests.games.support import NOW, Table, later, open_turn


@pytest.fixture
def shared(table: Table, dealt: Game, alice: User, bob: User) -> Game:
    """A game of Alice with Ben at her screen, from a turn of a game that she played with Bob."""
    table.play(dealt, alice, bob)
    lifecycle.concede(game=locked_game(dealt.pk), winner="Bob", now=NOW)
    return on_one_screen(dealt, alice, names=["Ben"])


def on_one_screen(source: Game, user: User, **more: Any) -> Game:
    beginning = positions.beginning_in_game(viewer=user, game_id=source.pk, turn=1)
    more = {"seat": 1, "opponents": "screen", **more}
    return positions.play_on(user=user, beginning=beginning, now=later(days=1), **more)


def hand_at(game: Game, seat: int) -> Hand:
    return Hand.objects.get(turn=open_turn(game), robot=seat)


def orders_at(game: Game, seat: int) -> dict[str, Any]:
    """Return random allowed orders for a seat in the open turn."""
    setup = stored.setup_of(game)
    state = stored.start_of(open_turn(game), setup.starship)
    orders = rules.complete(setup, state, seat - 1, stored.chips_of(hand_at(game, seat)), None, 1)
    return rules.write_orders(orders)


def run(game: Game, user: User, seat: int) -> None:
    """Pass the screen to a seat, and submit its orders."""
    pass_screen(user=user, game_id=game.pk, seat=seat, now=later(days=1))
    submit_orders(
        user=user,
        game_id=game.pk,
        turn_number=open_turn(game).number,
        document=orders_at(game, seat),
        now=later(days=1),
    )


def shown(game: Game, user: User) -> int | None:
    """Return the number of the seat whose hand a viewer sees."""
    me = game_view(viewer=user, game=game_for(viewer=user, game_id=game.pk)).me
    return me.seat if me and me.hand else None


def test_it_shows_one_hand_at_a_time_and_none_after_its_orders(shared: Game, alice: User) -> None:
    assert shown(shared, alice) is None
    pass_screen(user=alice, game_id=shared.pk, seat=2, now=NOW)
    assert shown(shared, alice) == 2
    pass_screen(user=alice, game_id=shared.pk, seat=None, now=NOW)
    assert shown(shared, alice) is None
    run(shared, alice, 2)
    assert shown(shared, alice) is None
    with pytest.raises(Conflict, match="does not wait"):
        pass_screen(user=alice, game_id=shared.pk, seat=2, now=NOW)


def test_orders_and_drafts_need_a_player_at_the_screen(shared: Game, alice: User) -> None:
    given: dict[str, Any] = {"user": alice, "game_id": shared.pk, "turn_number": 1, "now": later(days=1)}
    for act in (
        lambda: submit_orders(**given, document=orders_at(shared, 1)),
        lambda: save_draft(**given, document=orders_at(shared, 1)),
        lambda: redeal_hand(**given),
    ):
        with pytest.raises(Conflict, match="Press Ready first"):
            act()
    pass_screen(user=alice, game_id=shared.pk, seat=2, now=NOW)
    with pytest.raises(Invalid):  # these are the chips of seat 1
        submit_orders(**given, document=orders_at(shared, 1))


def test_a_window_with_an_earlier_hand_cannot_order_for_the_next_player(shared: Game, alice: User) -> None:
    given: dict[str, Any] = {"user": alice, "game_id": shared.pk, "turn_number": 1, "now": later(days=1)}
    pass_screen(user=alice, game_id=shared.pk, seat=1, now=NOW)
    orders = orders_at(shared, 1)
    acts: list[Callable[[], object]] = [
        lambda: submit_orders(**given, screen=2, document=orders),
        lambda: save_draft(**given, screen=2, document=orders),
        lambda: redeal_hand(**given, screen=2),
        lambda: wake_robot(**given, screen=2),
        lambda: preview(
            viewer=alice,
            game=game_for(viewer=alice, game_id=shared.pk),
            turn_number=1,
            document=orders,
            screen=2,
        ),
    ]
    for act in acts:
        with pytest.raises(Conflict, match="Another player is at the screen"):
            act()
    assert not Program.objects.filter(game=shared).exists()
    submit_orders(**given, screen=1, document=orders)


def test_the_same_orders_may_come_again_once_the_screen_is_passed_on(shared: Game, alice: User) -> None:
    given: dict[str, Any] = {"user": alice, "game_id": shared.pk, "turn_number": 1, "now": later(days=1)}
    orders = orders_at(shared, 1)
    pass_screen(user=alice, game_id=shared.pk, seat=1, now=NOW)
    submit_orders(**given, screen=1, document=orders)
    for seat in (None, 2):
        pass_screen(user=alice, game_id=shared.pk, seat=seat, now=NOW)
        assert submit_orders(**given, screen=1, document=orders).number == 1
        other = {**orders, "registers": orders["registers"][::-1]}
        with pytest.raises(Conflict) as refused:
            submit_orders(**given, screen=1, document=other)
        assert refused.value.code == "no-screen"
    assert Program.objects.get(game=shared).orders["registers"] == orders["registers"]


def test_orders_of_other_games_name_no_screen(table: Table, dealt: Game, alice: User) -> None:
    given: dict[str, Any] = {"user": alice, "game_id": dealt.pk, "turn_number": 1, "now": NOW}
    with pytest.raises(Conflict, match="a screen of their own"):
        submit_orders(**given, screen=1, document=orders_at(dealt, 1))


def test_no_hand_is_shown_once_the_game_has_ended(shared: Game, alice: User) -> None:
    pass_screen(user=alice, game_id=shared.pk, seat=2, now=NOW)
    resign_game(user=alice, game_id=shared.pk, now=later(days=1))
    assert game_view(viewer=alice, game=game_for(viewer=alice, game_id=shared.pk)).me is None
    with pytest.raises(Conflict, match="is over"):
        submit_orders(user=alice, game_id=shared.pk, turn_number=1, document={}, screen=2, now=NOW)


@pytest.mark.parametrize("seat", [1, 2])
def test_staff_cannot_replace_players_who_share_an_account(shared: Game, erin: User, seat: int) -> None:
    row = shared.players.get(number=seat)
    with pytest.raises(Conflict, match="share one account"):
        replace_as_staff(user=erin, seat_id=row.pk, reason="It hangs.", now=NOW)


def test_the_last_orders_play_the_turn_and_it_leaves_no_records(shared: Game, alice: User) -> None:
    run(shared, alice, 1)
    assert waiting_count(user=alice) == 1
    run(shared, alice, 2)
    assert waiting_count(user=alice) == 0
    assert resolve_turn(turn_id=open_turn(shared).pk, now=later(days=1))
    shared.refresh_from_db()
    assert (shared.turn, shared.at_screen, shared.leaves_records) == (2, 0, False)
    assert shown(shared, alice) is None
    assert not Notice.objects.filter(game=shared).exists()


def test_its_file_proves_the_game_with_the_names_of_all(shared: Game, alice: User) -> None:
    run(shared, alice, 1)
    run(shared, alice, 2)
    assert resolve_turn(turn_id=open_turn(shared).pk, now=later(days=1))
    resign_game(user=alice, game_id=shared.pk, now=later(days=1))
    shared.refresh_from_db()
    assert (shared.status, shared.winner) == (Game.Status.OVER, "Ben")
    assert rules.verify(rules.read_game_file(game_file(game=shared))) == []


def test_others_cannot_pass_the_screen_and_other_games_have_none(
    shared: Game, table: Table, alice: User, bob: User
) -> None:
    usual = table.game(alice, bob)
    with pytest.raises(Forbidden):
        pass_screen(user=alice, game_id=table.game(bob, seats=2).pk, seat=1, now=NOW)
    with pytest.raises(Conflict, match="a screen of their own"):
        pass_screen(user=alice, game_id=usual.pk, seat=2, now=NOW)
    assert game_view(viewer=bob, game=shared).me is None


def test_names_must_fit_the_robots_and_differ(dealt: Game, table: Table, alice: User, bob: User) -> None:
    table.play(dealt, alice, bob)
    lifecycle.concede(game=locked_game(dealt.pk), winner="Bob", now=NOW)
    things = (["Scanner 1"], ["Power Crystal"], ["Deleted-7"])
    for names in ([], [""], ["Ben", "Cat"], ["alice"], ["Ace Rivet"], *things):
        with pytest.raises(Invalid) as refused:
            on_one_screen(dealt, alice, names=names)
        assert [problem["code"] for problem in refused.value.problems] == ["names"], names


def test_the_names_of_companions_go_with_the_account(shared: Game, alice: User) -> None:
    deletion = delete_account(user=alice, now=later(days=2))
    erase(deletion_id=deletion.pk, now=later(days=2))
    assert not Game.objects.filter(pk=shared.pk).exists()


def test_a_companion_with_the_new_name_of_the_host_gets_a_number(shared: Game, alice: User) -> None:
    rename_person(person=alice, name="Ben", now=later(days=2))
    assert rename_in_games(now=later(days=2)) > 0
    game = game_for(viewer=alice, game_id=shared.pk)
    seen = game_view(viewer=alice, game=game)
    assert [seat.name for seat in seen.seats] == ["Ben", "Ben 2"]
    assert [robot["name"] for robot in seen.robots] == ["Ben", "Ben 2"]


def test_a_companion_with_the_name_of_a_new_account_gets_a_number(
    dealt: Game, table: Table, alice: User, bob: User, dave: User
) -> None:
    table.play(dealt, alice, bob)
    lifecycle.concede(game=locked_game(dealt.pk), winner="Bob", now=NOW)
    guest = User.objects.create(robo_name="Guest-7", is_guest=True)
    game = on_one_screen(dealt, guest, names=["Dave"], admits_guests=True)
    adopt_guest(guest_id=guest.pk, user=dave, now=NOW)
    game = Game.objects.get(pk=game.pk)
    assert [seat.robo_name for seat in game.players.all()] == ["Dave", "Dave 2"]
    seen = game_view(viewer=dave, game=game_for(viewer=dave, game_id=game.pk))
    assert [robot["name"] for robot in seen.robots] == ["Dave", "Dave 2"]
