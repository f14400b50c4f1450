"""Records of robots that several players played, one after another."""

import random
from collections.abc import Callable

import pytest
from django.db import transaction

import rules
from accounts.models import User
from games.absence.models import Replacement
from games.absence.seats import replace_by_computer, replace_by_person
from games.people.models import Achievement, Share, Tally
from games.people.selectors.profiles import person_page
from games.people.services.records import recount
from games.play import stored
from games.play.computers import play_computers
from games.play.models import Game, Hand
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from games.play.selectors import seat_history
from games.play.services import locked_game
from rules.statistics import COUNTERS
from tests.games.support import NOW, Table, open_turn

Reason = Replacement.Reason
Step = Callable[[], object]


def leave(game: Game, user: User) -> None:
    with transaction.atomic():
        seat = game.players.select_related("user").get(user=user)
        replace_by_computer(game=locked_game(game.pk), seat=seat, reason=Reason.MISSED, now=NOW)


def enter(game: Game, number: int, user: User) -> None:
    with transaction.atomic():
        replace_by_person(
            game=locked_game(game.pk),
            seat=game.players.get(number=number),
            user=user,
            reason=Reason.TAKEN_OVER,
            now=NOW,
        )


def play(game: Game, chance: random.Random) -> None:
    """Play the open turn with random orders of all people, and orders of computers."""
    turn = open_turn(game)
    play_computers(turn_id=turn.pk, now=NOW)
    setup = stored.setup_of(game)
    state = stored.start_of(turn, setup.starship)
    for hand in Hand.objects.filter(turn=turn).exclude(seat__user=None).select_related("seat__user"):
        assert hand.seat and hand.seat.user
        seed = chance.getrandbits(32)
        orders = rules.complete(setup, state, hand.robot - 1, stored.chips_of(hand), None, seed)
        submit_orders(
            user=hand.seat.user,
            game_id=game.pk,
            turn_number=turn.number,
            document=rules.write_orders(orders),
            now=NOW,
        )
    assert resolve_turn(turn_id=turn.pk, now=NOW)
    game.refresh_from_db()


def records() -> list[tuple[object, ...]]:
    """Return all stored records, without row IDs."""
    return [
        *Tally.objects.order_by("seat").values_list("seat", *COUNTERS),
        *Share.objects.order_by("seat", "user").values_list("seat", "user", *COUNTERS),
        *Achievement.objects.order_by("user", "key").values_list("user", "key", "game", "turn", "earned_at"),
    ]


@pytest.fixture
def game(table: Table, alice: User, bob: User, dave: User) -> Game:
    """A game with changes on seat 2.

    Bob plays turns 0, 1, 4 and 5, a computer turn 2, and Dave turn 3.
    """
    game, chance = table.game(alice, bob, seed="shared"), random.Random(6)
    steps: dict[int, Step] = {
        2: lambda: leave(game, bob),
        3: lambda: enter(game, 2, dave),
        4: lambda: (leave(game, dave), enter(game, 2, bob)),
    }
    for number in range(6):
        if step := steps.get(number):
            step()
        play(game, chance)
    return game


def counted(game: Game, user: User) -> dict[str, int]:
    share = Share.objects.get(seat__game=game, user=user)
    return {counter: getattr(share, counter) for counter in COUNTERS}


def test_turns_count_for_the_player_on_the_seat_at_that_time(game: Game, bob: User, dave: User) -> None:
    seat = game.players.get(number=2)
    terms = seat_history(seat)
    assert [(term.user, term.first, term.until and term.until.turn) for term in terms] == [
        (bob.pk, 0, 2),
        (None, 2, 3),
        (dave.pk, 3, 4),
        (None, 4, 4),
        (bob.pk, 4, None),
    ]
    of_bob, of_dave = counted(game, bob), counted(game, dave)
    assert any(of_bob.values()) and any(of_dave.values())
    whole = {counter: getattr(seat.tally, counter) for counter in COUNTERS}
    assert all(of_bob[counter] + of_dave[counter] <= whole[counter] for counter in COUNTERS)
    assert sum(whole.values()) > sum(of_bob.values()) + sum(of_dave.values())  # the computer's turn


def test_a_recount_gives_the_same_records(game: Game) -> None:
    kept = records()
    Achievement.objects.all().delete()
    Share.objects.update(forward=1000)
    Tally.objects.update(forward=1000)
    assert records() != kept
    recount()
    assert records() == kept
    assert recount().tallies == 0


def test_a_recount_removes_turns_without_a_player(game: Game, alice: User) -> None:
    Share.objects.create(game=game, seat=game.players.get(number=2), user=alice, forward=3)
    assert recount().tallies == 1
    assert not Share.objects.filter(user=alice).exists()


def test_a_player_s_page_adds_up_only_their_turns(game: Game, alice: User, bob: User, dave: User) -> None:
    for player in (bob, dave):
        page = person_page(viewer=player, robo_name=player.robo_name)
        sums = {name: each["sum"] for name, each in page["statistics"]["people"]["counters"].items()}
        assert sums == counted(game, player)
        assert page["statistics"]["people"]["games"] == 1
    page = person_page(viewer=alice, robo_name="Alice")
    tally = game.players.get(number=1).tally
    assert page["statistics"]["people"]["counters"]["forward"]["sum"] == tally.forward
    assert page["statistics"]["people"]["counters"]["forward"]["best"] == tally.forward
