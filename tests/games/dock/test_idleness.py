"""Idle prototypes: builders are warned, and 14 days later the bay becomes free."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.models import User
from games.absence.models import Replacement
from games.dock import services
from games.dock.models import IDLE_AFTER, WARNING_PERIOD, Promotion, Prototype
from games.dock.selectors import idle_prototypes, prototypes_of
from games.dock.services import (
    check_idle_prototype,
    check_idle_prototypes,
    close_prototype,
    take_back_promotion,
)
from games.errors import NotFound
from games.lobby.services import create_game
from games.news.kinds import KINDS
from games.news.models import Notice
from games.play.models import Game
from games.play.terms import Terms
from games.shipyard.models import StarshipDraft
from games.work.models import Alarm
from tests.games.dock.promotions import asks_for_the_fleet
from tests.games.dock.prototypes import called, published, redrawn
from tests.games.support import NOW, Table, later, sweep

DUE = NOW + IDLE_AFTER
"""The time at which a prototype published at `NOW` counts as idle."""

GONE = DUE + WARNING_PERIOD
SECOND = timedelta(seconds=1)


@pytest.fixture
def made(alice: User) -> Prototype:
    return published(alice)


def state_of(prototype: Prototype) -> tuple[str, datetime | None, datetime | None]:
    prototype.refresh_from_db()
    return prototype.status, prototype.warned_at, prototype.ended_at


def over(game: Game, at: datetime, **changes: Any) -> None:
    Game.objects.filter(pk=game.pk).update(status="over", winner="Bob", ended_at=at, **changes)


def test_the_warning_comes_after_90_days_and_the_bay_is_free_14_days_later(made: Prototype) -> None:
    assert (IDLE_AFTER.days, WARNING_PERIOD.days) == (90, 14)
    assert check_idle_prototypes(now=DUE - SECOND) == 0
    assert state_of(made) == ("testing", None, None)
    assert check_idle_prototypes(now=DUE) == 1
    assert state_of(made) == ("testing", DUE, None)
    assert made.leaves_at == GONE
    assert check_idle_prototypes(now=GONE - SECOND) == 0
    assert check_idle_prototypes(now=GONE) == 1
    assert state_of(made) == ("idle", DUE, GONE)
    assert made.leaves_at is None


def test_the_builder_of_an_idle_prototype_is_warned_once(made: Prototype, alice: User) -> None:
    for now in (DUE, DUE + SECOND, GONE - SECOND):
        check_idle_prototypes(now=now)
    notice = Notice.objects.get(channel="mail")
    assert (notice.user, notice.kind, notice.starship, notice.created_at) == (
        alice,
        "idle",
        made.starship,
        DUE,
    )
    assert KINDS["idle"].content(notice).context["deadline"] == GONE


def test_a_second_simultaneous_pass_does_nothing(made: Prototype) -> None:
    assert [check_idle_prototypes(now=DUE) for _ in range(2)] == [1, 0]
    assert [check_idle_prototypes(now=GONE) for _ in range(2)] == [1, 0]


def test_a_late_warning_still_leaves_14_days(made: Prototype) -> None:
    late = NOW + timedelta(days=300)
    check_idle_prototypes(now=late)
    assert state_of(made) == ("testing", late, None)
    assert check_idle_prototypes(now=late + WARNING_PERIOD - SECOND) == 0


def test_days_have_24_hours_across_summer_time(made: Prototype, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone="Europe/Berlin")
    spring = datetime.fromisoformat("2027-03-20T12:00:00+00:00")
    Prototype.objects.update(used_at=spring - IDLE_AFTER)
    check_idle_prototypes(now=spring)
    assert check_idle_prototypes(now=spring + WARNING_PERIOD - SECOND) == 0
    assert check_idle_prototypes(now=spring + WARNING_PERIOD) == 1


def test_the_sweeper_runs_the_job(made: Prototype) -> None:
    sweep(now=DUE)
    sweep(now=GONE)
    assert state_of(made)[0] == "idle"


def test_the_bay_becomes_free_and_nothing_is_deleted(made: Prototype, alice: User, bob: User) -> None:
    check_idle_prototypes(now=DUE)
    check_idle_prototypes(now=GONE)
    assert prototypes_of(builder=alice) == []
    made.starship.refresh_from_db()
    assert made.starship.retired and made.starship.current
    assert StarshipDraft.objects.filter(pk=made.draft_id, user=alice).exists()
    with pytest.raises(NotFound):
        create_game(host=bob, terms=Terms(name="Late", starship=made.starship_id), now=GONE)


def test_its_builder_republishes_it_under_its_name(made: Prototype, alice: User) -> None:
    check_idle_prototypes(now=DUE)
    check_idle_prototypes(now=GONE)
    again = published(alice, made.draft, now=GONE)
    assert again.pk != made.pk
    assert (again.starship.name, again.status, again.leaves_at) == (made.starship.name, "testing", None)


def test_an_open_game_with_one_player_continues(made: Prototype, bob: User) -> None:
    lobby = create_game(host=bob, terms=Terms(name="Trial", starship=made.starship_id), now=DUE)
    check_idle_prototypes(now=DUE)
    check_idle_prototypes(now=GONE)
    lobby.refresh_from_db()
    assert (state_of(made)[0], lobby.status) == ("idle", "open")


def test_a_running_game_keeps_a_bay(made: Prototype, bob: User, carol: User) -> None:
    Table(made.starship).game(bob, carol)
    check_idle_prototypes(now=DUE)
    assert state_of(made) == ("testing", None, None)
    assert made.used_at == DUE


def test_the_days_start_when_the_last_game_ends(made: Prototype, bob: User, carol: User) -> None:
    table = Table(made.starship)
    over(table.game(bob, carol), later(days=80))
    over(table.game(bob, carol), later(days=3))
    check_idle_prototypes(now=DUE)
    assert (state_of(made)[1], made.used_at) == (None, later(days=80))
    assert check_idle_prototypes(now=later(days=170) - SECOND) == 0
    check_idle_prototypes(now=later(days=170))
    assert state_of(made)[1] == later(days=170)


def test_an_open_game_with_two_players_keeps_a_bay(made: Prototype, bob: User, carol: User) -> None:
    Table(made.starship).game(bob, carol, seats=2, starts_itself=False)
    check_idle_prototypes(now=DUE)
    assert state_of(made) == ("testing", None, None)


def test_a_game_cancelled_before_its_start_does_not_keep_a_bay(
    made: Prototype, bob: User, carol: User
) -> None:
    lobby = Table(made.starship).game(bob, carol, seats=2, starts_itself=False)
    Game.objects.filter(pk=lobby.pk).update(status="cancelled", ended_at=later(days=80))
    check_idle_prototypes(now=DUE)
    assert state_of(made)[1] == DUE


def test_a_solo_game_does_not_keep_a_bay(made: Prototype, bob: User) -> None:
    Table(made.starship).game(bob)
    Table(made.starship).game(bob, seats=2, computers=["rookie"])
    check_idle_prototypes(now=DUE)
    assert state_of(made)[1] == DUE


def test_a_person_replaced_by_a_computer_counts(made: Prototype, bob: User, carol: User) -> None:
    game = Table(made.starship).game(bob, carol)
    seat = game.players.get(user=carol)
    Replacement.objects.create(game=game, seat=seat, turn=1, was=carol, reason="resigned", at=NOW)
    game.players.filter(pk=seat.pk).update(user=None, computer="rookie", name="Rookie Cog")
    check_idle_prototypes(now=DUE)
    assert state_of(made)[1] is None


def test_games_on_any_version_keep_a_bay(made: Prototype, alice: User, bob: User, carol: User) -> None:
    over(Table(made.starship).game(bob, carol), later(days=50))
    published(alice, redrawn(alice.starship_drafts.get(), "a a . . . .+i1"), now=later(days=10))
    check_idle_prototypes(now=later(days=100))
    assert (state_of(made)[1], made.used_at) == (None, later(days=50))


def test_games_on_other_ships_do_not_keep_a_bay(made: Prototype, alice: User, bob: User, carol: User) -> None:
    other = published(alice, called(alice, "Kayak", "a . . . .+i1"))
    Table(other.starship).game(bob, carol)
    check_idle_prototypes(now=DUE)
    assert (state_of(made)[1], state_of(other)[1]) == (DUE, None)


def test_a_game_cancels_the_warning(made: Prototype, bob: User, carol: User) -> None:
    check_idle_prototypes(now=DUE)
    game = Table(made.starship).game(bob, carol)
    Game.objects.filter(pk=game.pk).update(started_at=DUE + timedelta(days=1))
    assert check_idle_prototypes(now=DUE + timedelta(days=1)) == 1, "at once, and not after the 14 days"
    assert state_of(made) == ("testing", None, None)
    over(game, DUE + timedelta(days=2))
    check_idle_prototypes(now=DUE + timedelta(days=2) + IDLE_AFTER)
    assert state_of(made)[1] == DUE + timedelta(days=2) + IDLE_AFTER, "and then there is another one"


def test_another_version_cancels_the_warning(made: Prototype, alice: User) -> None:
    check_idle_prototypes(now=DUE)
    published(alice, redrawn(alice.starship_drafts.get(), "a a . . . .+i1"), now=DUE)
    check_idle_prototypes(now=GONE)
    assert state_of(made) == ("testing", None, None)


def test_publishing_the_same_ship_again_does_not_cancel_the_warning(made: Prototype, alice: User) -> None:
    check_idle_prototypes(now=DUE)
    published(alice, made.draft, now=DUE)
    check_idle_prototypes(now=GONE)
    assert state_of(made)[0] == "idle"


def test_a_ship_before_the_committee_stays(made: Prototype) -> None:
    asks_for_the_fleet(made)
    check_idle_prototypes(now=DUE)
    check_idle_prototypes(now=GONE)
    assert state_of(made) == ("ready", None, None)


def test_asking_for_the_fleet_stops_a_warning(made: Prototype, alice: User) -> None:
    check_idle_prototypes(now=DUE)
    made.refresh_from_db()
    asks_for_the_fleet(made)
    assert made.leaves_at is None
    check_idle_prototypes(now=GONE)
    assert state_of(made)[0] == "ready"
    take_back_promotion(user=alice, starship_id=made.starship_id, now=GONE)
    check_idle_prototypes(now=GONE + IDLE_AFTER - SECOND)
    assert state_of(made) == ("testing", None, None)
    assert Promotion.objects.get().status == Promotion.Status.TAKEN_BACK


def test_a_ship_in_no_bay_is_ignored(made: Prototype) -> None:
    for status, taken_from in (("launched", ""), ("closed", ""), ("taken-down", "testing")):
        Prototype.objects.update(status=status, ended_at=NOW, taken_from=taken_from)
        assert check_idle_prototypes(now=DUE) == 0
        assert check_idle_prototype(made.pk, now=DUE) == 0
        assert state_of(made) == (status, None, NOW)


def test_a_pass_handles_some_and_the_next_continues(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "PROTOTYPES_PER_PASS", 2)
    for builder, name in ((alice, "Kayak"), (alice, "Canoe"), (bob, "Raft")):
        published(builder, called(builder, name, "a . . . .+i1"))
    assert [check_idle_prototypes(now=DUE) for _ in range(3)] == [2, 1, 0]
    assert not idle_prototypes(now=DUE).exists()


def test_one_failure_stops_no_other(made: Prototype, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    other = published(alice, called(alice, "Kayak", "a . . . .+i1"))
    real = services.last_played

    def fails(*, prototype: Prototype, now: datetime) -> datetime | None:
        if prototype.pk == made.pk:
            raise ValueError("a game that cannot be read")
        return real(prototype=prototype, now=now)

    monkeypatch.setattr(services, "last_played", fails)
    assert check_idle_prototypes(now=DUE) == 1
    assert (state_of(made)[1], state_of(other)[1]) == (None, DUE)
    assert Alarm.objects.get().job == services.IDLENESS_JOB


def test_it_is_ignored_if_its_builder_was_faster(made: Prototype, alice: User) -> None:
    check_idle_prototypes(now=DUE)
    close_prototype(user=alice, starship_id=made.starship_id, now=GONE)
    assert check_idle_prototype(made.pk, now=GONE) == 0
    assert state_of(made)[0] == "closed"
