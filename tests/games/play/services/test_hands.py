"""Players can redraw hands before they submit, and can prove each hand later.

The model Albot redraws once a turn, and others do not see it. In Robo Rally 1999, hands with only turning
chips can be redrawn repeatedly, and everyone sees it.
"""

import json
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

import rules
from accounts.models import User
from games.errors import Conflict, Forbidden, NotFound, ServiceError
from games.films.game_file import game_file
from games.films.selectors import past_turn, replay
from games.lobby.seats import join_game
from games.play import progress, stored
from games.play.computers import play_computers
from games.play.models import Game, Hand
from games.play.orders import redeal_hand
from games.play.resolution import resolve_turn
from games.play.stored import PlayedHand
from games.staff.selectors import faults_of
from games.staff.services import cancel_as_staff
from tests.games.support import (
    NOW,
    WORKSHOP,
    Table,
    game_seen,
    hand_of,
    later,
    open_turn,
    orders_for,
    record_of,
)


@pytest.fixture
def workshop(db: None) -> Table:
    return Table(WORKSHOP.saved())


@pytest.fixture
def albots(workshop: Table, alice: User, bob: User, carol: User) -> Game:
    """A game in turn 1. Alice and Bob play Albots, and Carol a Tanky."""
    game = workshop.game(alice, ruleset="group-11", seats=3, model="albot")
    join_game(user=bob, game_id=game.pk, model="albot", now=NOW)
    join_game(user=carol, game_id=game.pk, model="tanky", now=NOW)
    game.refresh_from_db()
    return game


def redeal(game: Game, user: User, turn: int = 1, minutes: int = 1) -> Game:
    return redeal_hand(user=user, game_id=game.pk, turn_number=turn, now=later(minutes=minutes))


def shown(game: Game, viewer: User) -> list[int]:
    return [chip["number"] for chip in game_seen(viewer=viewer, game=game)["me"]["hand"]]


def refusal(game: Game, user: User, turn: int = 1, minutes: int = 1) -> str:
    with pytest.raises(ServiceError) as refused:
        redeal(game, user, turn, minutes)
    assert isinstance(refused.value, Conflict | Forbidden | NotFound)
    return refused.value.code


def test_others_keep_their_hands_and_no_chip_is_dealt_twice(
    albots: Game, alice: User, bob: User, carol: User
) -> None:
    before, mine = [shown(albots, user) for user in (bob, carol)], shown(albots, alice)
    redeal(albots, alice)
    assert shown(albots, alice) != mine
    assert [shown(albots, user) for user in (bob, carol)] == before
    redeal(albots, bob)
    dealt = [number for user in (alice, bob, carol) for number in shown(albots, user)]
    assert len(set(dealt)) == 27


def test_the_new_hand_is_played(workshop: Table, albots: Game, alice: User, bob: User) -> None:
    redeal(albots, alice)
    orders = orders_for(albots, alice)
    assert set(orders["registers"]) <= set(shown(albots, alice))
    workshop.move(albots, alice)
    past = workshop.play(albots, bob, User.objects.get(robo_name="Carol"))
    programs = past_turn(game=albots, number=past.number)["programs"]
    assert [program["redealt"] for program in programs] == [1, None, None]
    assert programs[0]["orders"]["registers"] == orders["registers"]


def test_others_see_neither_the_hand_nor_the_redraw(
    albots: Game, alice: User, bob: User, dave: User, erin: User
) -> None:
    viewers = (bob, dave, erin, AnonymousUser())
    moment = {"redeal", "me"}

    def public() -> list[dict[str, object]]:
        views = [game_seen(viewer=viewer, game=albots) for viewer in viewers]
        return [{key: view[key] for key in view if key not in moment} for view in views]

    before = public()
    redeal(albots, alice)
    assert public() == before


def test_the_redraw_is_offered_until_it_is_used_or_orders_are_submitted(
    workshop: Table, albots: Game, alice: User, bob: User, carol: User
) -> None:
    def offered(user: User) -> bool:
        return bool(game_seen(viewer=user, game=albots)["redeal"])

    assert (offered(alice), offered(bob), offered(carol)) == (True, True, False)
    redeal(albots, alice)
    workshop.move(albots, bob)
    assert (offered(alice), offered(bob)) == (False, False)
    workshop.play(albots, alice, carol)
    assert (offered(alice), offered(bob), offered(carol)) == (True, True, False)


def test_the_redraw_works_once_a_turn_before_orders(
    workshop: Table, albots: Game, alice: User, bob: User, carol: User
) -> None:
    redeal(albots, alice)
    workshop.move(albots, bob)
    hands = [shown(albots, user) for user in (alice, bob)]
    assert (refusal(albots, alice), refusal(albots, bob)) == ("redealt", "ordered")
    assert [shown(albots, user) for user in (alice, bob)] == hands
    workshop.play(albots, alice, bob, carol)
    redeal(albots, alice, turn=2)


def test_other_models_other_turns_and_late_requests_are_refused(
    workshop: Table, albots: Game, duel: Game, alice: User, bob: User, carol: User, dave: User, erin: User
) -> None:
    assert (refusal(albots, carol), refusal(albots, dave)) == ("no-redeal", "no-seat")
    assert refusal(duel, alice, turn=0) == "no-redeal"
    assert refusal(albots, alice, turn=0) == "stale-turn"
    assert refusal(albots, alice, turn=2) == "stale-turn"
    assert refusal(albots, alice, minutes=60 * 24) == "too-late"
    workshop.move(albots, alice, bob, carol)
    assert refusal(albots, alice) == "all-in"
    cancel_as_staff(user=erin, game_id=albots.pk, reason="So.", now=NOW)
    assert refusal(albots, alice) == "cancelled"


def test_every_hand_can_be_proved_from_the_seed(albots: Game, alice: User, bob: User, carol: User) -> None:
    """The seed determines the first hands, and then all redrawn hands in order."""
    redeal(albots, bob)
    redeal(albots, alice)
    setup = stored.setup_of(albots)
    state = stored.start_of(open_turn(albots), setup.starship)
    names = [robot.name for robot in state.players]
    models = [robot.model or "" for robot in state.players]
    hands = dict(rules.begin(setup, names, albots.seed, models=models).hands)
    redealt = Hand.objects.filter(turn__game=albots, redealt__isnull=False).order_by("redealt")
    assert [hand.robot for hand in redealt] == [2, 1]
    for count, hand in enumerate(redealt):
        hands[hand.robot - 1] = rules.redeal(setup, state, hands, hand.robot - 1, albots.seed, count)
    for index, user in enumerate((alice, bob, carol)):
        assert stored.chips_of(hand_of(albots, user)) == hands[index]


# Hands with only turning chips (AM-1.4)

TURNING = [chip.number for chip in rules.DECK if chip.kind in "LRU"]


@pytest.fixture
def boxed(table: Table, alice: User, bob: User) -> Game:
    """A game of Robo Rally 1999 in turn 2. Alice's hand contains only turning chips."""
    return turning(table, alice, bob)


def turning(table: Table, *players: User, **more: Any) -> Game:
    """Return a game of Robo Rally 1999 in turn 2.

    The first player's hand contains only turning chips, and so do the next hands. The robot's heavy damage
    leaves only one chip in a hand.
    """
    game = table.game(*players, ruleset="amigo-1999", **more)
    table.play(game, *players)
    turn = open_turn(game)
    turn.snapshot["robots"][0] |= {"damage": 8, "locked": [1, 2, 3, 4]}
    turn.snapshot["robots"][0]["registers"] = [None, "1@490", "1@500", "1@510", "1@520"]
    turn.save()
    others = turn.hands.exclude(seat__user=players[0])
    held = {number for hand in others for number in hand.chips["chips"]}
    hand = hand_of(game, players[0])
    hand.chips["chips"] = [next(number for number in TURNING if number not in held)]
    hand.save()
    return game


def asides(game: Game, viewer: User | AnonymousUser) -> list[list[int]]:
    game.refresh_from_db()
    robot = game_seen(viewer=viewer, game=game)["robots"][0]
    return [[chip["number"] for chip in hand] for hand in robot["aside"]]


def redrawn_until_it_moves(game: Game, user: User) -> list[list[int]]:
    """Redraw a hand until the game refuses. Return all hands in order."""
    hands = [shown(game, user)]
    while game_seen(viewer=user, game=game)["redeal"]:
        redeal(game, user, turn=2)
        hands.append(shown(game, user))
    return hands


def test_a_hand_of_only_turning_chips_can_be_put_aside_until_it_moves_and_everyone_sees_it(
    boxed: Game, alice: User, bob: User, dave: User
) -> None:
    assert refusal(boxed, bob, turn=2) == "no-redeal", "his hand moves"
    hands = redrawn_until_it_moves(boxed, alice)
    assert len(hands) > 1
    assert hands[-1][0] not in TURNING
    for viewer in (alice, bob, dave, AnonymousUser()):
        assert asides(boxed, viewer) == hands[:-1]
    assert refusal(boxed, alice, turn=2) == "redealt"


def test_a_hand_of_only_turning_chips_can_be_kept(boxed: Game, alice: User, bob: User, table: Table) -> None:
    table.play(boxed, alice, bob)
    past = past_turn(game=boxed, number=2)
    assert [program["aside"] for program in past["programs"]] == [[], []]


def test_hands_put_aside_remain_public(boxed: Game, alice: User, bob: User, table: Table) -> None:
    hands = redrawn_until_it_moves(boxed, alice)
    table.play(boxed, alice, bob)
    program = past_turn(game=boxed, number=2)["programs"][0]
    assert [[chip["number"] for chip in hand] for hand in program["aside"]] == hands[:-1]
    assert program["redealt"] == len(hands) - 1
    assert asides(boxed, bob) == []


def test_open_pages_are_updated_after_a_hand_is_put_aside(boxed: Game, alice: User) -> None:
    before = progress.progress_of([boxed.pk])[boxed.pk]
    redeal(boxed, alice, turn=2)
    assert list(progress.events_between(before, progress.progress_of([boxed.pk])[boxed.pk]))


@pytest.mark.parametrize("policy", ["standing", "computer"])
def test_standing_orders_and_computers_always_put_such_a_hand_aside(
    table: Table, alice: User, bob: User, policy: str
) -> None:
    game = turning(table, alice, bob, absence={"policy": policy, "excused": None})
    table.move(game, bob)
    missed(game)
    hand = played_hand(game, robot=1)
    assert hand.program
    assert stored.aside_of(hand)
    assert hand.chips["chips"][0] not in TURNING
    assert hand.program.orders["registers"][0] == hand.chips["chips"][0]


def test_chance_plays_the_original_hand(table: Table, alice: User, bob: User) -> None:
    game = turning(table, alice, bob, absence={"policy": "random", "excused": None})
    table.move(game, bob)
    missed(game)
    assert not stored.aside_of(played_hand(game, robot=1))


def played_hand(game: Game, *, robot: int) -> PlayedHand:
    """Return a robot's hand in the record of turn 2."""
    [hand] = [hand for hand in record_of(game, 2).hands if hand.robot == robot]
    return hand


def missed(game: Game) -> None:
    turn = open_turn(game)
    assert turn.deadline
    assert resolve_turn(turn_id=turn.pk, now=turn.deadline)


def test_a_computer_puts_such_a_hand_aside(table: Table, alice: User) -> None:
    game = table.game(alice, seats=2, ruleset="amigo-1999", computers=["rookie"])
    for number in (1, 2):
        turn = open_turn(game)
        if number == 2:
            hand = turn.hands.get(robot=2)
            mine = set(hand_of(game, alice).chips["chips"])
            hand.chips["chips"] = [each for each in TURNING if each not in mine][:9]
            hand.save()
        assert play_computers(turn_id=turn.pk, now=NOW) == 1
        table.play(game, alice)
    dealt = played_hand(game, robot=2)
    assert len(stored.aside_of(dealt)) == 1
    assert not set(dealt.chips["chips"]) & {chip.number for chip in stored.aside_of(dealt)[0].chips}


# In turn 1 such a hand is put aside during dealing (AM-1.2)

DEALT_ASIDE = [280, 250, 170, 290, 220, 320, 90, 130, 300]
"""The numbers of the chips in Alice's first hand of `put_aside_at_once`."""


def put_aside_at_once(table: Table, alice: User, bob: User) -> Game:
    """Return a game of Robo Rally 1999 in turn 1.

    Alice's first hand contained only turning chips, so another hand replaced it.
    """
    return table.game(alice, bob, ruleset="amigo-1999", seed="seed 285")


def test_a_hand_put_aside_during_dealing_is_shown_to_everyone(
    table: Table, alice: User, bob: User, dave: User
) -> None:
    game = put_aside_at_once(table, alice, bob)
    for viewer in (alice, bob, dave, AnonymousUser()):
        assert asides(game, viewer) == [DEALT_ASIDE]
    assert len(shown(game, alice)) == 9
    assert not set(shown(game, alice)) <= set(TURNING)
    assert refusal(game, alice) == "no-redeal"


def test_a_hand_put_aside_during_dealing_stays_public_and_is_proved(
    table: Table, alice: User, bob: User, erin: User
) -> None:
    game = put_aside_at_once(table, alice, bob)
    table.play(game, alice, bob)
    programs = past_turn(game=game, number=1)["programs"]
    assert [chip["number"] for chip in programs[0]["aside"][0]] == DEALT_ASIDE
    assert (programs[0]["redealt"], programs[1]["aside"]) == (None, [])
    [said] = replay(game=game, number=1).remarks
    assert said.startswith("Alice put aside a hand of turning chips: R 280, L 250")
    cancel_as_staff(user=erin, game_id=game.pk, reason="So.", now=NOW)
    game.refresh_from_db()
    document = game_file(game=game)
    hand, other = document["turns"][0]["hands"]
    assert hand["redealt"] is None
    assert hand["aside"] == [{"number": None, "chips": DEALT_ASIDE}]
    assert "aside" not in other
    assert rules.verify(rules.read_game_file(json.loads(rules.canonical(document)))) == []
    assert list(faults_of(game)) == []
