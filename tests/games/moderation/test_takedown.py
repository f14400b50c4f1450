"""Takedowns hide a ship from everyone, delete nothing, and can be undone."""

from functools import partial
from typing import Any

import pytest

from accounts.models import User
from games.dock.models import Promotion, PromotionVote, Prototype
from games.dock.reviews import take_back_review
from games.dock.selectors import decisions, prototypes_of
from games.dock.services import ask_for_promotion, close_prototype
from games.errors import Conflict, Forbidden, Gone, Invalid, NotFound, ServiceError
from games.fleet.figures import choose_ship_of_the_week, ship_of_the_week, ships_of_weeks, week_of
from games.fleet.models import Starship, StarshipWeek
from games.fleet.search import search
from games.fleet.selectors import favourites_of, starship_for
from games.fleet.services import add_favourite, remove_favourite
from games.lobby.practice import solo_game
from games.lobby.seats import join_game, start_game
from games.lobby.services import rematch
from games.moderation.models import Moderation
from games.moderation.selectors import takedowns_of
from games.moderation.services.takedown import (
    restore,
    restore_draft,
    restore_starship,
    take_down_draft,
    take_down_starship,
)
from games.play.models import Game
from games.shipyard.selectors import shared_draft
from games.shipyard.services import create_draft, make_link
from tests.games.dock.promotions import member, played_by, request_promotion, voted
from tests.games.dock.prototypes import called, published
from tests.games.dock.reviewed import finished, review
from tests.games.shipyard.tunnels import LANE
from tests.games.support import NOW, Table, later

WHY: dict[str, Any] = {"reason": "Copied from the Tin Canoe.", "now": NOW}


@pytest.fixture
def prototype(alice: User) -> Prototype:
    return published(alice, called(alice, "Canoe", *LANE))


def taken_down(prototype: Prototype, erin: User, **more: Any) -> Starship:
    return take_down_starship(user=erin, starship_id=prototype.starship_id, **{**WHY, **more})


def launched(prototype: Prototype) -> Starship:
    """Return the ship of a prototype, moved into the fleet as after a promotion."""
    ships = Starship.objects.filter(pk=prototype.starship_id)
    ships.update(section="fleet", launched_at=NOW)
    Prototype.objects.filter(pk=prototype.pk).update(status="launched", ended_at=NOW)
    prototype.refresh_from_db()
    return ships.get()


def refused(call: Any, error: type[ServiceError], code: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert caught.value.code == code


def test_a_prototype_leaves_its_bay_and_every_list(prototype: Prototype, erin: User, bob: User) -> None:
    ship = prototype.starship
    add_favourite(user=bob, starship_id=ship.pk, now=NOW)
    assert search(section="prototypes").exists()
    taken_down(prototype, erin)
    prototype.refresh_from_db()
    assert (prototype.status, prototype.taken_from, prototype.ended_at) == ("taken-down", "testing", NOW)
    assert prototypes_of(builder=prototype.starship.owner) == []  # type: ignore[arg-type]
    assert not search(section="prototypes").exists()
    assert not search(section="prototypes").exists()
    assert not favourites_of(user=bob).exists()
    refused(partial(starship_for, starship_id=ship.pk), Gone, "taken-down")


def test_a_ship_in_the_fleet_leaves_the_library_and_the_weeks(prototype: Prototype, erin: User) -> None:
    launched(prototype)
    choose_ship_of_the_week(now=NOW)
    assert ship_of_the_week(now=NOW) is not None
    taken_down(prototype, erin)
    assert not search().exists()
    assert ship_of_the_week(now=NOW) is None and not ships_of_weeks().exists()
    assert StarshipWeek.objects.filter(week=week_of(NOW)).exists()
    assert choose_ship_of_the_week(now=later(days=7)) == 0


def test_it_can_be_neither_started_copied_reviewed_nor_saved(
    prototype: Prototype, erin: User, bob: User
) -> None:
    ship = prototype.starship_id
    finished(prototype.starship, bob)
    taken_down(prototype, erin)
    fly = partial(solo_game, user=bob, name="Alone", starship_id=ship, ruleset="robo-runner", now=NOW)
    refused(fly, NotFound, "no-starship")
    refused(partial(create_draft, user=bob, starship_id=ship, now=NOW), NotFound, "no-starship")
    refused(partial(review, bob, prototype.starship), Gone, "taken-down")
    refused(partial(add_favourite, user=bob, starship_id=ship, now=NOW), Gone, "taken-down")


def test_people_can_still_remove_their_own_data_about_it(prototype: Prototype, erin: User, bob: User) -> None:
    ship = prototype.starship_id
    finished(prototype.starship, bob)
    review(bob, prototype.starship)
    add_favourite(user=bob, starship_id=ship, now=NOW)
    taken_down(prototype, erin)
    take_back_review(user=bob, starship_id=ship)
    remove_favourite(user=bob, starship_id=ship)
    assert not prototype.starship.reviews.exists() and not bob.favourites.exists()


def test_running_games_continue_without_rematch(
    prototype: Prototype, erin: User, bob: User, carol: User
) -> None:
    table = Table(prototype.starship)
    running = table.game(bob, carol)
    over = played_by(prototype, bob, carol)
    taken_down(prototype, erin)
    table.play(running, bob, carol)
    running.refresh_from_db()
    assert (running.status, running.turn) == (Game.Status.RUNNING, 1)
    refused(partial(rematch, user=bob, game_id=over.pk, now=NOW), Invalid, "no-game")


def test_a_lobby_on_it_does_not_start(prototype: Prototype, erin: User, bob: User, carol: User) -> None:
    lobby = Table(prototype.starship).game(bob, carol, seats=3, starts_itself=False)
    taken_down(prototype, erin)
    refused(partial(start_game, user=bob, game_id=lobby.pk, now=NOW), Conflict, "taken-down")
    lobby.refresh_from_db()
    assert lobby.status == Game.Status.OPEN


def test_a_lobby_does_not_start_when_the_last_player_is_ready(
    prototype: Prototype, erin: User, bob: User, carol: User
) -> None:
    lobby = Table(prototype.starship).game(bob, seats=2)
    taken_down(prototype, erin)
    with pytest.raises(Conflict, match="Staff took Canoe down"):
        join_game(user=carol, game_id=lobby.pk, now=NOW)
    assert lobby.players.count() == 1


def test_the_committee_s_request_is_closed(alice: User, erin: User) -> None:
    promotion = request_promotion(alice)
    mia, max_ = member("Mia"), member("Max")
    voted(mia, promotion, "close", "Not yet public.")
    taken_down(promotion.prototype, erin)
    refused(partial(voted, max_, promotion, "promote"), Conflict, "taken-down")
    (told,) = decisions()
    assert (told.status, told.ended_at) == (Promotion.Status.TAKEN_DOWN, NOW)
    assert not PromotionVote.objects.exists()
    ask = partial(ask_for_promotion, user=alice, starship_id=promotion.prototype.starship_id, now=NOW)
    refused(ask, Conflict, "not-testing")


def test_its_name_and_its_draft_cannot_be_published_again(
    prototype: Prototype, alice: User, erin: User
) -> None:
    draft = prototype.draft
    assert draft
    make_link(user=alice, draft_id=draft.pk, now=NOW)
    taken_down(prototype, erin)
    draft.refresh_from_db()
    assert draft.link_token == ""
    refused(partial(make_link, user=alice, draft_id=draft.pk, now=NOW), Conflict, "taken-down")
    refused(partial(published, alice, draft), Conflict, "taken-down")
    for now in (NOW, later(days=1000)):
        with pytest.raises(Invalid, match="Staff took down a ship with this name"):
            published(alice, called(alice, "CAN0E", *LANE), now=now)
    published(alice, called(alice, "Kayak", *LANE))


@pytest.mark.parametrize("before", ["testing", "ready", "closed", "launched"])
def test_staff_restore_it_to_its_place(before: str, prototype: Prototype, alice: User, erin: User) -> None:
    if before == "ready":
        Prototype.objects.update(status="ready")
    elif before == "closed":
        close_prototype(user=alice, starship_id=prototype.starship_id, now=NOW)
    elif before == "launched":
        launched(prototype)
    prototype.refresh_from_db()
    ended, draft = prototype.ended_at, prototype.draft
    taken_down(prototype, erin, now=later(hours=1))
    restore_starship(
        user=erin, starship_id=prototype.starship_id, reason="It is her own.", now=later(hours=2)
    )
    prototype.refresh_from_db()
    assert (prototype.status, prototype.taken_from) == ({"ready": "testing"}.get(before, before), "")
    assert prototype.ended_at == ended
    assert starship_for(starship_id=prototype.starship_id).is_offered == (before != "closed")
    assert draft and make_link(user=alice, draft_id=draft.pk, now=NOW).link_token


def test_a_bay_filled_meanwhile_does_not_prevent_it(prototype: Prototype, alice: User, erin: User) -> None:
    taken_down(prototype, erin)
    for name in ("Kayak", "Raft"):
        published(alice, called(alice, name, *LANE))
    restore_starship(user=erin, starship_id=prototype.starship_id, **WHY)
    assert len(prototypes_of(builder=alice)) == 3
    with pytest.raises(Conflict, match="bays are full"):
        published(alice, called(alice, "Boat", *LANE))


def test_a_shared_draft_taken_down_remains_its_builder_s(alice: User, erin: User) -> None:
    draft = called(alice, "Canoe", *LANE)
    link = make_link(user=alice, draft_id=draft.pk, now=NOW).link_token
    take_down_draft(user=erin, draft_id=draft.pk, **WHY)
    with pytest.raises(NotFound):
        shared_draft(link=link)
    draft.refresh_from_db()
    assert draft.document["rows"] == list(LANE)
    refused(partial(make_link, user=alice, draft_id=draft.pk, now=NOW), Conflict, "taken-down")
    refused(partial(published, alice, draft), Conflict, "taken-down")
    restore_draft(user=erin, draft_id=draft.pk, reason="A mistake.", now=NOW)
    assert make_link(user=alice, draft_id=draft.pk, now=NOW).link_token not in ("", link)
    published(alice, draft)


def test_the_builder_reads_the_reason_once_for_a_ship_and_its_draft(
    prototype: Prototype, alice: User, erin: User
) -> None:
    other = called(alice, "Raft", *LANE)
    taken_down(prototype, erin)
    take_down_draft(user=erin, draft_id=other.pk, reason="A bad word.", now=later(hours=1))
    told = [(each.name, each.reason, each.starship, each.draft) for each in takedowns_of(builder=alice)]
    assert told == [
        ("Raft", "A bad word.", None, other.pk),
        ("Canoe", "Copied from the Tin Canoe.", prototype.starship_id, None),
    ]


def test_time_moderator_and_reason_are_stored(prototype: Prototype, erin: User) -> None:
    taken_down(prototype, erin)
    restore_starship(user=erin, starship_id=prototype.starship_id, reason="A mistake.", now=later(hours=1))
    kept = Moderation.objects.order_by("pk").values_list("action", "starship", "by", "reason", "at")
    assert list(kept) == [
        ("take-down", prototype.starship_id, erin.pk, "Copied from the Tin Canoe.", NOW),
        ("restore", prototype.starship_id, erin.pk, "A mistake.", later(hours=1)),
    ]


def test_undoing_an_earlier_decision_keeps_a_later_one(prototype: Prototype, erin: User) -> None:
    taken_down(prototype, erin)
    first = Moderation.objects.get()
    restore(user=erin, moderation_id=first.pk, **WHY)
    taken_down(prototype, erin)
    second = Moderation.objects.latest("pk")
    refused(partial(restore, user=erin, moderation_id=first.pk, **WHY), Conflict, "newer")
    assert not Starship.objects.get(pk=prototype.starship_id).is_offered
    restore(user=erin, moderation_id=second.pk, **WHY)
    assert Starship.objects.get(pk=prototype.starship_id).is_offered


def test_refusals_give_the_reason(prototype: Prototype, alice: User, erin: User) -> None:
    ship = prototype.starship_id
    draft = prototype.draft_id or 0
    for deed, name in (
        (take_down_starship, "starship_id"),
        (restore_starship, "starship_id"),
        (take_down_draft, "draft_id"),
        (restore_draft, "draft_id"),
    ):
        number = ship if name == "starship_id" else draft
        refused(partial(deed, user=alice, **{name: number}, **WHY), Forbidden, "not-staff")
        with pytest.raises(NotFound):
            deed(user=erin, **{name: 999_999}, **WHY)
    refused(partial(restore_starship, user=erin, starship_id=ship, **WHY), Conflict, "done")
    refused(partial(restore_draft, user=erin, draft_id=draft, **WHY), Conflict, "done")
    taken_down(prototype, erin)
    refused(partial(taken_down, prototype, erin), Conflict, "done")
    refused(partial(take_down_draft, user=erin, draft_id=draft, **WHY), Conflict, "done")
    Starship.objects.update(owner=None, taken_down_at=None)
    refused(partial(taken_down, prototype, erin), Conflict, "not-of-people")
