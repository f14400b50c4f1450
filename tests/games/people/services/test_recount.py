"""Recounting all records from the logs gives the same records (GR-4.3)."""

import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.conf import settings
from django.core import serializers

import rules
from accounts.models import User
from games.fleet.services import save_starship
from games.people.models import Achievement, Tally
from games.people.services.records import RecordsRecount, mark_seen, recount
from games.play import stored
from games.play.models import Game, Hand, Turn
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from tests.games.support import NOW, Table, later, open_turn
from tests.games.together import hold, meanwhile, wait_for_waiter

ROUNDS = 7


def records() -> list[dict[str, Any]]:
    """Return all stored records, without row IDs."""
    rows = [*Tally.objects.order_by("seat"), *Achievement.objects.order_by("user", "key")]
    return [row["fields"] for row in json.loads(serializers.serialize("json", rows))]


def play(game: Game, chance: random.Random, now: Any) -> None:
    """Play the open turn of a game with random orders."""
    turn = open_turn(game)
    setup = stored.setup_of(game)
    state = stored.start_of(turn, setup.starship)
    for hand in Hand.objects.filter(turn=turn, seat__isnull=False).select_related("seat__user"):
        assert hand.seat
        assert hand.seat.user
        orders = rules.complete(
            setup, state, hand.robot - 1, stored.chips_of(hand), None, chance.getrandbits(32)
        )
        submit_orders(
            user=hand.seat.user,
            game_id=game.pk,
            turn_number=turn.number,
            document=rules.write_orders(orders),
            now=now,
        )
    assert resolve_turn(turn_id=turn.pk, now=now)
    game.refresh_from_db()


def games_of_all_rulesets(people: list[User], chance: random.Random) -> Iterator[Game]:
    """Create a game of every ruleset on random starships, and a mission."""
    ships = [
        rules.read_starship(json.loads(path.read_text()))
        for path in sorted((settings.BASE_DIR / "fixtures" / "starships").glob("*.json"))
    ]
    for ruleset in rules.RULESETS.values():
        ship = chance.choice([ship for ship in ships if not rules.reasons_against(ruleset, ship)])
        table = Table(save_starship(document=rules.write_starship(ship), section="fleet", now=NOW))
        seats = 2 if ruleset.squads else chance.choice([2, 3])
        host, *others = chance.sample(people, seats)
        yield table.game(host, *others, ruleset=ruleset.key, options={"lives": chance.choice([1, 4])})
    yield table.game(people[0], ruleset="websocket")


@pytest.fixture
def played(alice: User, bob: User, carol: User) -> list[Game]:
    """Games of all rulesets with the same people. Their turns alternate, and some are over."""
    chance = random.Random("records")
    games = list(games_of_all_rulesets([alice, bob, carol], chance))
    for number in range(ROUNDS):
        for game in chance.sample(games, len(games)):
            if game.status == Game.Status.RUNNING:
                play(game, chance, later(minutes=number, seconds=game.pk % 7))
    return games


def test_recounted_records_equal_the_originals_after_any_damage(played: list[Game], alice: User) -> None:
    assert {game.status for game in played} == {Game.Status.RUNNING, Game.Status.OVER}
    assert Achievement.objects.filter(key__startswith="no-").exists()
    assert Achievement.objects.exclude(key__startswith="no-").count() > 20
    mark_seen(user=alice, now=NOW)
    before = records()
    turns = Turn.objects.filter(status=Turn.Status.RESOLVED).count()
    done = recount()
    assert done == RecordsRecount(games=len(played), turns=turns, people=3)
    assert records() == before

    Tally.objects.update(forward=777, deaths=3)
    Achievement.objects.update(turn=99, earned_at=NOW)
    wrong = Achievement.objects.filter(user=alice).order_by("-pk")[0]
    Achievement.objects.filter(pk=wrong.pk).update(key="pushed-10")
    done = recount()
    assert done.tallies == Tally.objects.count()
    assert done.achievements >= Achievement.objects.count()
    unseen_again = [
        {**row, "seen_at": None} if row.get("key") == wrong.key and row["user"] == alice.pk else row
        for row in before
    ]
    assert records() == unseen_again, "what was missing is news to Alice"

    Tally.objects.all().delete()
    Achievement.objects.all().delete()
    recount()
    assert records() == [{**row, "seen_at": None} if "key" in row else row for row in before]
    assert recount() == RecordsRecount(games=len(played), turns=turns, people=3)


def test_records_without_turns_are_deleted(duel: Game, alice: User) -> None:
    Tally.objects.create(game=duel, seat=duel.players.get(user=alice), forward=3)
    Achievement.objects.create(user=alice, key="destroyed-1", game=duel, turn=0, earned_at=NOW)
    assert recount() == RecordsRecount(people=2, tallies=1, achievements=1)
    assert records() == []


def test_turns_are_recounted_in_the_order_of_recording_regardless_of_clocks(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    """Workers' clocks differ, so a later turn can have an earlier time."""
    games = table.game(alice, bob), table.game(alice, carol)
    for number in range(8):
        game = games[number % 2]
        table.play(game, *(seat.user for seat in game.players.all()), now=later(minutes=-number))
    before = records()
    assert any("key" in row for row in before)
    assert recount() == RecordsRecount(games=2, turns=8, people=3)
    assert records() == before


def test_longer_histories_take_no_more_queries(
    table: Table, duel: Game, alice: User, bob: User, django_assert_max_num_queries: Callable[[int], object]
) -> None:
    """A recount takes two queries for each turn and player, and two for each turn of a game."""
    for _ in range(4):
        table.play(duel, alice, bob)
    with django_assert_max_num_queries(4 * 6 + 40):
        recount()


@pytest.mark.django_db(transaction=True)
def test_a_turn_resolved_meanwhile_is_counted_once(table: Table, duel: Game, alice: User, bob: User) -> None:
    table.play(duel, alice, bob)
    table.play(duel, alice, bob)
    table.move(duel, alice, bob)
    turn = open_turn(duel)
    with hold() as holding:
        holding.execute("SELECT 1 FROM accounts_user WHERE id = %s FOR NO KEY UPDATE", alice.pk)
        resolved = meanwhile(partial(resolve_turn, turn_id=turn.pk, now=NOW))
        waiter = wait_for_waiter(holding.backend)
        recounted = meanwhile(recount)
        wait_for_waiter(waiter)
    assert resolved.result(timeout=60)
    assert recounted.result(timeout=60).turns == 3
    before = records()
    assert recount() == RecordsRecount(games=1, turns=3, people=2)
    assert records() == before
