"""Guests become people while things happen in their missions, on the real database."""

from functools import partial

import pytest

from accounts import guests
from accounts.models import User
from games import services
from games.errors import NotFound
from games.models import Game, LogEntry, Turn
from tests.games.services.test_instructing import LESSON
from tests.games.support import HALL, NOW, later, open_turn
from tests.games.together import together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def guest() -> User:
    """A guest; there is a mission to fly."""
    services.save_mission(
        slug="hall", number=1, title="A hall", starship=HALL.saved(), options={}, lesson=LESSON
    )
    return guests.make_guest()


def test_a_turn_that_is_played_meanwhile_bears_the_new_name_as_well(guest: User, alice: User) -> None:
    game = services.start_mission(user=guest, slug="hall", now=NOW)
    turn = open_turn(game)
    services.submit_orders(user=guest, game_id=game.pk, turn_number=0, document={"heading": "E"}, now=NOW)
    played, adopted = together(
        partial(services.resolve_turn, turn_id=turn.pk, now=later(minutes=1)),
        partial(services.adopt_guest, guest_id=guest.pk, user=alice),
    )
    assert (played, adopted) == (True, 1)
    game.refresh_from_db()
    assert (game.host, game.turn, game.players.get().user) == (alice, 1, alice)
    for each in Turn.objects.filter(game=game):
        assert guest.robo_name not in str([each.snapshot, each.outcome])
        assert each.snapshot["robots"][0]["name"] == "Alice"
    assert guest.robo_name not in str(
        list(LogEntry.objects.filter(game=game).values_list("event", flat=True))
    )


def test_a_mission_that_is_started_meanwhile_is_adopted_or_not_made(guest: User, alice: User) -> None:
    adopted, started = together(
        partial(services.adopt_guest, guest_id=guest.pk, user=alice),
        partial(services.start_mission, user=guest, slug="hall", now=NOW),
    )
    assert not User.objects.filter(pk=guest.pk).exists()
    if isinstance(started, Game):
        assert adopted == 1
        assert Game.objects.get().host == alice
    else:
        assert (type(started), adopted) == (NotFound, 0)
        assert not Game.objects.exists()


def test_who_is_no_more_flies_nothing(guest: User, alice: User) -> None:
    services.adopt_guest(guest_id=guest.pk, user=alice)
    with pytest.raises(NotFound):
        services.start_mission(user=guest, slug="hall", now=NOW)
    assert not Game.objects.exists()
