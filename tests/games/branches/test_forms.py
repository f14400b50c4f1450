"""The form for a branch: its fields on a page, and the answer of a browser."""

import re
from typing import Any

import pytest

from accounts.models import User
from games.branches.models import Branch
from games.play.models import Game
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from games.staff.services import cancel_as_staff
from tests.games.reader import Answer, Reader, ReaderOf
from tests.games.support import (
    DUCTS,
    HALL,
    NOW,
    WORKSHOP,
    Table,
    change_robot,
    hand_of,
    leave_to_computer,
    open_turn,
    orders_for,
)


def filled_in(page: Answer) -> dict[str, list[str]]:
    """Return the fields of the form for a branch as a browser sends them."""
    (form,) = (form for form in re.findall(r"(?s)<form\b.*?</form>", page.html) if 'name="computers"' in form)
    fields: dict[str, list[str]] = {}
    for name, options in re.findall(r'(?s)<select[^>]*?name="([^"]*)".*?>(.*?)</select>', form):
        chosen = re.search(r'value="([^"]*)"[^>]*\bselected', options) or re.search(
            r'value="([^"]*)"', options
        )
        assert chosen is not None
        fields[name] = [chosen[1]]
    for tag in re.findall(r"<input\b[^>]*>", form):
        given = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if given.get("type") != "checkbox" or " checked" in tag:
            fields.setdefault(given["name"], []).append(
                given.get("value", "on" if given.get("type") == "checkbox" else "")
            )
    return fields


def play(game: Game, *players: User, **orders: Any) -> int:
    """Play the open turn with random orders. The first player adds some. Return its number."""
    turn = open_turn(game)
    for player in players:
        more = orders if player == players[0] else {}
        document = orders_for(game, player) | more
        submit_orders(user=player, game_id=game.pk, turn_number=turn.number, document=document, now=NOW)
    assert resolve_turn(turn_id=turn.pk, now=NOW)
    game.refresh_from_db()
    return turn.number


@pytest.fixture
def make(alice: User, bob: User) -> Any:
    """A function that begins a game of Alice and Bob in turn 1."""

    def begin(key: str) -> Game:
        boards = {"robo-recon": DUCTS, "group-11": WORKSHOP}
        models = {"model": "lazybot"} if key == "group-11" else {}
        game = Table(boards.get(key, HALL).saved()).game(alice, bob, ruleset=key, **models)
        while not game.turn:
            play(game, alice, bob)
        return game

    return begin


def form_of(game: Game, turn: int, reader: Reader) -> tuple[str, dict[str, list[str]]]:
    """Return the address of the form for a turn's branch, and the fields as the page fills them in."""
    address = f"{game.get_absolute_url()}turns/{turn}/branch/"
    page = reader.get(address)
    assert page.status == 200
    return address, filled_in(page)


@pytest.mark.parametrize("key", ["robo-runner", "robo-recon", "amigo-1999", "group-11"])
def test_the_form_as_it_is_changes_nothing(
    key: str, make: Any, alice: User, bob: User, erin: User, read: ReaderOf
) -> None:
    game = make(key)
    change_robot(game, alice, damage=6, registers=[None, None, None, "L@170", "2@730"])
    hand = hand_of(game, alice)
    hand.chips["chips"] = hand.chips["chips"][:3]
    hand.save()
    more: dict[str, Any] = {"unlock": [5, 4]} if key == "amigo-1999" else {"power_down": True}
    play(game, alice, bob, **more)
    cancel_as_staff(user=erin, game_id=game.pk, reason="So.", now=NOW)
    reader = read(alice)
    for turn in (0, 1) if game.turns.filter(number=0).exists() else (1,):
        address, fields = form_of(game, turn, reader)
        reader.post(address, **fields)
        made = Branch.objects.get()
        assert made.document == {"format": "branch/1", "orders": {}, "headings": {}}
        there = f"{game.get_absolute_url()}branches/{made.token}/"
        reader.post(there, **filled_in(reader.get(there)))
        made.refresh_from_db()
        assert made.document["orders"] == {}
        made.delete()


def test_all_orders_of_a_turn_can_be_changed(
    make: Any, alice: User, bob: User, erin: User, read: ReaderOf
) -> None:
    game = make("amigo-1999")
    change_robot(game, alice, damage=6, registers=[None, None, None, "L@170", "2@730"], returned=True)
    hand = hand_of(game, alice)
    hand.chips["chips"] = hand.chips["chips"][:3]
    hand.save()
    play(game, alice, bob)
    cancel_as_staff(user=erin, game_id=game.pk, reason="So.", now=NOW)
    reader = read(alice)
    address, fields = form_of(game, 1, reader)
    page = reader.get(address)
    assert "1-start" not in fields, "the robot has come back, so the order counts"
    place = next(value for value in re.findall(r'<option value="(\d+,\d+)"', page.html))
    chips = [fields[f"1-register-{number}"] for number in (1, 2, 3)]
    changed = fields | {"1-register-2": chips[2], "1-register-3": chips[1]}
    changed |= {"1-heading": ["W"], "1-place": [place], "1-unlock": ["4"]}
    reader.post(address, **changed)
    made = Branch.objects.get()
    assert made.document["orders"] == {
        "1": {
            "registers": [int(chips[place][0]) for place in (0, 2, 1)] + [None, None],
            "heading": "W",
            "place": [int(number) for number in place.split(",")],
            "unlock": [4],
        }
    }
    shown = filled_in(reader.get(f"{game.get_absolute_url()}branches/{made.token}/"))
    assert {name: values for name, values in shown.items() if name[:2] == "1-"} == {
        name: values for name, values in changed.items() if name[:2] == "1-"
    }


@pytest.mark.parametrize(
    ("equipment", "field", "orders"),
    [("nitro", {"1-phase": ["2", "4"]}, [2, 4]), ("shields", {"1-engaged": ["1"]}, True)],
)
def test_equipment_can_be_used(
    equipment: str,
    field: dict[str, list[str]],
    orders: Any,
    make: Any,
    alice: User,
    bob: User,
    erin: User,
    read: ReaderOf,
) -> None:
    game = make("robo-runner")
    change_robot(game, alice, equipment=equipment, ammo=2)
    play(game, alice, bob)
    cancel_as_staff(user=erin, game_id=game.pk, reason="So.", now=NOW)
    address, fields = form_of(game, 1, read(alice))
    read(alice).post(address, **fields | field)
    assert Branch.objects.get().document["orders"]["1"]["equipment"] == orders


def test_wrong_values_of_a_form_get_clear_errors(
    make: Any, alice: User, bob: User, erin: User, read: ReaderOf
) -> None:
    game = make("robo-runner")
    play(game, alice, bob)
    cancel_as_staff(user=erin, game_id=game.pk, reason="So.", now=NOW)
    address, fields = form_of(game, 1, read(alice))
    wrong: list[tuple[dict[str, list[str]], str]] = [
        ({"1-start": ["NE"]}, "“headings” must be one of N, E, S, W"),
        ({"1-register-1": ["x" * 3000]}, "not a chip number"),
        ({"1-register-1": [""]}, "Alice: Register 1 needs a chip."),
        ({"1-register-1": ["9" * 400]}, "not a chip number"),
        ({"1-phase": ["7"]}, "Alice: Your robot has no equipment."),
        ({"1-place": ["1,x"]}, "“place” must be [x, y]"),
        ({"1-unlock": ["a", "5"]}, "“unlock” must be a list of registers"),
        ({"computers": ["99"]}, "5"),
    ]
    for field, said in wrong:
        refused = read(alice).post(address, **fields | field)
        assert refused.status in (400, 422), field
        assert said in refused, field
    assert not Branch.objects.exists()


def test_a_second_tab_does_not_overwrite_a_changed_branch(
    make: Any, alice: User, bob: User, erin: User, read: ReaderOf
) -> None:
    game = make("robo-runner")
    play(game, alice, bob)
    cancel_as_staff(user=erin, game_id=game.pk, reason="So.", now=NOW)
    reader = read(alice)
    address, fields = form_of(game, 1, reader)
    reader.post(address, **fields)
    made = Branch.objects.get()
    there = f"{game.get_absolute_url()}branches/{made.token}/"
    old = filled_in(reader.get(there))
    reader.post(there, **old | {"1-power_down": ["1"]})
    refused = reader.post(there, **old | {"name": ["Other"]})
    assert refused.status == 422
    assert "These fields have changed since you opened this page: Orders." in refused
    made.refresh_from_db()
    assert (made.name, [*made.document["orders"]]) == ("", ["1"])
    reader.post(there, **filled_in(refused))
    made.refresh_from_db()
    assert (made.name, made.document["orders"]) == ("Other", {}), "sent again, it counts"


def test_a_person_who_left_a_running_game_can_still_delete_a_branch(
    make: Any, alice: User, bob: User, read: ReaderOf
) -> None:
    game = make("robo-runner")
    play(game, alice, bob)
    reader = read(alice)
    address, fields = form_of(game, 1, reader)
    reader.post(address, **fields)
    leave_to_computer(game, alice)
    there = f"{game.get_absolute_url()}branches/{Branch.objects.get().token}/"
    page = reader.get(there)
    assert "You no longer play in this game" in page
    assert reader.post(there, **fields).status == 409
    reader.post(there, delete="1")
    assert not Branch.objects.exists()
