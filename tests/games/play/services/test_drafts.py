"""Drafts of orders: only their player sees them, and they are never played."""

from typing import Any

import pytest

import rules
from accounts.models import User
from games.errors import Conflict, Invalid, ServiceError
from games.lobby.seats import join_game
from games.play.models import Draft, Game, Program, Turn
from games.play.orders import drop_draft, redeal_hand, save_draft, submit_orders
from games.play.resolution import resolve_turn
from games.play.stored import mark_of
from tests.games.support import (
    NOW,
    WORKSHOP,
    Table,
    chips,
    code_of,
    game_seen,
    hand_of,
    later,
    open_turn,
    orders_for,
    program_of,
)


def save(game: Game, user: User, document: object, turn: int = 1, minutes: int = 0) -> Draft | None:
    return save_draft(
        user=user, game_id=game.pk, turn_number=turn, document=document, now=later(minutes=minutes)
    )


def drop(game: Game, user: User, turn: int = 1) -> None:
    drop_draft(user=user, game_id=game.pk, turn_number=turn)


def draft_seen(game: Game, user: User) -> Any:
    return game_seen(viewer=user, game=game)["me"]["draft"]


def test_a_draft_can_be_incomplete(dealt: Game, alice: User) -> None:
    registers = [chips(dealt, alice)[3], None, None, chips(dealt, alice)[0], None]
    before = dealt.moved_at
    save(dealt, alice, {"registers": registers, "power_down": True}, minutes=3)
    dealt.refresh_from_db()
    assert dealt.moved_at == before, "it does not count as a move"
    assert draft_seen(dealt, alice) == {
        "orders": {"registers": registers, "power_down": True},
        "saved_at": later(minutes=3),
    }
    assert not Program.objects.filter(hand=hand_of(dealt, alice)).exists()
    view = game_seen(viewer=alice, game=dealt)
    assert (view["me"]["submitted"], view["me"]["orders"]) == (False, None)
    assert view["waiting_for"] == ["Alice", "Bob"]


def test_a_draft_replaces_the_one_before(dealt: Game, alice: User) -> None:
    first, second = chips(dealt, alice)[:2]
    save(dealt, alice, {"registers": [first, None, None, None, None]})
    save(dealt, alice, {"registers": [second, None, None, None, None]})
    assert draft_seen(dealt, alice)["orders"] == {"registers": [second, None, None, None, None]}
    assert Draft.objects.count() == 1


@pytest.mark.parametrize("nothing", [{}, {"registers": [None] * 5}])
def test_saving_an_empty_draft_deletes_it(dealt: Game, alice: User, nothing: dict[str, Any]) -> None:
    save(dealt, alice, {"registers": [chips(dealt, alice)[0], None, None, None, None]})
    assert save(dealt, alice, nothing) is None
    assert draft_seen(dealt, alice) is None


def test_saving_the_submitted_orders_as_a_draft_deletes_it(dealt: Game, table: Table, alice: User) -> None:
    ordered = orders_for(dealt, alice)
    table.move(dealt, alice)
    changed = {**ordered, "power_down": True}
    save(dealt, alice, changed)
    view = game_seen(viewer=alice, game=dealt)["me"]
    assert (view["submitted"], view["orders"], view["draft"]["orders"]) == (True, ordered, changed)
    assert save(dealt, alice, ordered) is None
    assert draft_seen(dealt, alice) is None


def test_random_orders_do_not_use_drafts(dealt: Game, alice: User, bob: User, table: Table) -> None:
    registers = chips(dealt, alice)[:5]
    save(dealt, alice, {"registers": registers})
    table.move(dealt, bob)
    turn = open_turn(dealt)
    Turn.objects.filter(pk=turn.pk).update(deadline=later(minutes=1))
    assert resolve_turn(turn_id=turn.pk, now=later(minutes=2))
    played = program_of(dealt, alice, turn.number)
    assert played.by == Program.Author.DEADLINE
    assert played.orders["registers"] != registers
    assert not Draft.objects.exists()


def test_submitting_orders_deletes_the_draft(dealt: Game, alice: User) -> None:
    """Refused orders do not delete the draft."""
    document = {"registers": [chips(dealt, alice)[0], None, None, None, None]}
    save(dealt, alice, document)
    with pytest.raises(Invalid):
        submit_orders(user=alice, game_id=dealt.pk, turn_number=1, document=document, now=NOW)
    assert draft_seen(dealt, alice)["orders"] == document
    submit_orders(user=alice, game_id=dealt.pk, turn_number=1, document=orders_for(dealt, alice), now=NOW)
    assert not Draft.objects.exists(), "orders that are taken end it"
    assert save(dealt, alice, {"registers": [None] * 5}) is not None, "clearing them all is another"


def test_redrawing_the_hand_deletes_the_draft(db: None, alice: User, bob: User) -> None:
    game = Table(WORKSHOP.saved()).game(alice, ruleset="group-11", seats=2, model="albot")
    join_game(user=bob, game_id=game.pk, model="tanky", now=NOW)
    save(game, alice, {"registers": [chips(game, alice)[0], None, None, None, None]})
    redeal_hand(user=alice, game_id=game.pk, turn_number=1, now=NOW)
    assert draft_seen(game, alice) is None


def test_a_draft_can_be_deleted(dealt: Game, alice: User, bob: User) -> None:
    for user in (alice, bob):
        save(dealt, user, {"registers": [chips(dealt, user)[0], None, None, None, None]})
    drop(dealt, alice)
    drop(dealt, alice)  # deleting a missing draft is no error
    assert draft_seen(dealt, alice) is None
    assert draft_seen(dealt, bob)


def refusal(kind: type[ServiceError], game: Game, user: Any, document: object, turn: int = 1) -> ServiceError:
    with pytest.raises(kind) as refused:
        save(game, user, document, turn)
    assert not Draft.objects.exists()
    return refused.value


def test_chips_of_other_hands_are_refused(dealt: Game, alice: User) -> None:
    own = chips(dealt, alice)
    foreign = next(number for number in rules.CHIPS if number not in own)
    refused = refusal(Invalid, dealt, alice, {"registers": [foreign, own[0], own[0], None, None]})
    assert [problem["code"] for problem in refused.problems] == ["not-in-hand", "twice", "twice"]


def test_drafts_for_other_turns_are_refused(dealt: Game, alice: User) -> None:
    for turn in (0, 2):
        assert refusal(Conflict, dealt, alice, {}, turn).code == "stale-turn"
        with pytest.raises(Conflict):
            drop(dealt, alice, turn)


def test_drafts_after_the_deadline_are_refused(dealt: Game, alice: User) -> None:
    Turn.objects.filter(game=dealt, number=1).update(deadline=later(minutes=-1))
    assert refusal(Conflict, dealt, alice, {"power_down": True}).code == "too-late"


def test_a_robot_that_takes_no_orders_takes_no_draft(dealt: Game, alice: User) -> None:
    hand_of(dealt, alice).delete()
    turn = open_turn(dealt)
    turn.snapshot["robots"][0]["down"] = True
    turn.save()
    assert refusal(Invalid, dealt, alice, {}).problems[0]["code"] == "nothing-to-order"


def submit(game: Game, user: User, document: object, instead_of: str) -> Game:
    return submit_orders(
        user=user, game_id=game.pk, turn_number=1, document=document, instead_of=instead_of, now=NOW
    )


def test_orders_replace_only_orders_that_were_seen(dealt: Game, alice: User) -> None:
    hand = chips(dealt, alice)
    first, second, third = ({"registers": hand[start : start + 5]} for start in range(3))
    submit(dealt, alice, first, "")
    assert code_of(Conflict, submit, dealt, alice, second, "") == "given-elsewhere"
    assert Program.objects.get(hand=hand_of(dealt, alice)).orders["registers"] == first["registers"]
    submit(dealt, alice, third, mark_of(first))
    assert Program.objects.get(hand=hand_of(dealt, alice)).orders["registers"] == third["registers"]


def test_a_player_who_took_over_a_seat_replaces_the_computer_s_orders(dealt: Game, alice: User) -> None:
    hand = chips(dealt, alice)
    submit(dealt, alice, {"registers": hand[:5]}, "")
    Program.objects.filter(hand=hand_of(dealt, alice)).update(by=Program.Author.COMPUTER)
    assert game_seen(viewer=alice, game=dealt)["me"]["mark"] == ""
    submit(dealt, alice, {"registers": hand[1:6]}, "")
    assert Program.objects.get(hand=hand_of(dealt, alice)).orders["registers"] == hand[1:6]
