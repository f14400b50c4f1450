"""The control panel: submitting orders with a form, without scripts."""

import re
from collections import Counter
from typing import Any

import pytest

from accounts.models import User
from games.play import stored
from games.play.models import Game, Hand, Program, Turn
from games.play.resolution import resolve_turn
from games.templatetags.pictures import chip_name
from tests.games.reader import Answer, Reader, ReaderOf
from tests.games.support import NOW, Table, change_robot, chips, hand_of, later, open_turn, program


def orders(game: Game) -> str:
    """Return the address for submitting orders of the open turn."""
    return f"{game.get_absolute_url()}turns/{game.turn}/orders/"


def faults(page: Answer) -> list[str]:
    told = page.html.partition('id="panel-faults">')[2].partition("</ul>")[0]
    return re.findall("<li>(.*?)</li>", told)


def wrong(page: Answer) -> list[str]:
    return re.findall('is-wrong" data-register="(.)"', page.html)


def test_turn_0_asks_only_for_a_heading_with_a_button_for_each(
    duel: Game, alice: User, read: ReaderOf
) -> None:
    page = read(alice).get(duel.get_absolute_url())
    assert "Which way does your robot face?" in page
    form = page.html.partition("data-orders")[2].partition("</form>")[0]
    for way in "NESW":
        assert f'name="heading" value="{way}">' in form
    assert form.count("<button") == form.count('<button class="way') + form.count("data-drop") == 5
    assert 'type="radio"' not in form
    assert 'name="register-1"' not in page.html
    assert 'name="power_down"' not in page.html


def test_a_heading_can_be_chosen_and_changed(duel: Game, alice: User, read: ReaderOf) -> None:
    page = read(alice).post(orders(duel), heading="E")
    assert "Your choice of heading is in." in page
    assert 'value="E" aria-pressed="true"' in page.html
    assert "You can make changes until all orders are in." in page
    refused = read(alice).post(orders(duel))
    assert (refused.status, "Choose your robot’s starting heading." in refused) == (422, True)
    read(alice).post(orders(duel), heading="W")
    assert Program.objects.get().orders["heading"] == "W"


def test_the_panel_shows_only_the_player_s_own_hand(
    dealt: Game, alice: User, bob: User, read: ReaderOf
) -> None:
    page = read(alice).get(dealt.get_absolute_url())
    assert "Your move" in page
    for number in chips(dealt, alice):
        assert f'data-chip="{number}"' in page.html
    for number in set(chips(dealt, bob)) - set(chips(dealt, alice)):
        assert f'data-chip="{number}"' not in page.html
        assert f'value="{number}"' not in page.html


def test_a_program_is_submitted_shown_and_changed(dealt: Game, alice: User, read: ReaderOf) -> None:
    hand = chips(dealt, alice)
    page = read(alice).post(orders(dealt), **program(*hand[:5]), power_down="on")
    assert page.address == dealt.get_absolute_url()
    assert "Your program for turn 1 is in." in page
    assert [page.chosen(f"register-{number}") for number in range(1, 6)] == [str(chip) for chip in hand[:5]]
    assert page.chosen("power_down") == "on"
    read(alice).post(orders(dealt), **program(*hand[4::-1]))
    kept = Program.objects.get(hand=hand_of(dealt, alice))
    assert kept.orders == {"format": "orders/1", "registers": hand[4::-1]}


def test_others_see_only_that_a_player_is_ready(
    dealt: Game, table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    assert "Alice virtual not ready" in read(bob).get(dealt.get_absolute_url())
    table.move(dealt, alice)
    for reader in (read(bob), read(None)):
        page = reader.get(dealt.get_absolute_url())
        assert "Alice virtual ready" in page
        assert "Bob virtual not ready" in page
    assert "Reboot afterwards" not in read(None).get(dealt.get_absolute_url())


def test_every_error_is_shown_with_its_register_and_the_input_stays(
    dealt: Game, alice: User, read: ReaderOf
) -> None:
    hand = chips(dealt, alice)
    page = read(alice).post(orders(dealt), **program(hand[0], hand[0], hand[1], ""), power_down="on")
    assert page.status == 422
    assert "These orders are not allowed. Nothing is submitted yet" in page
    twice = [f"The chip in register {number} is used twice." for number in (1, 2)]
    assert sorted(faults(page)) == ["Register 4 needs a chip.", "Register 5 needs a chip.", *twice]
    assert wrong(page) == ["1", "2", "4", "5"]
    assert [page.chosen(f"register-{number}") for number in range(1, 6)] == [
        *(str(hand[0]), str(hand[0]), str(hand[1])),
        *("", ""),
    ]
    assert page.chosen("power_down") == "on"
    assert not Program.objects.filter(hand=hand_of(dealt, alice)).exists()


def test_equal_chips_are_counted_in_the_lists(dealt: Game, alice: User, read: ReaderOf) -> None:
    page = read(alice).get(dealt.get_absolute_url())
    options = page.html.partition("choose a chip</option>")[2].partition("</select>")[0]
    kinds = Counter(chip.kind for chip in stored.chips_of(hand_of(dealt, alice)))
    assert max(kinds.values()) > 1
    for kind, count in kinds.items():
        one = [""] if count == 1 else [f" ({number} of {count})" for number in range(1, count + 1)]
        assert all(options.count(f">{chip_name(kind)}{which}</option>") == 1 for which in one)


@pytest.mark.parametrize(
    ("damage", "said"), [(0, ""), (1, "Damage takes 1 chip from"), (9, "Damage takes 9 chips from")]
)
def test_the_page_says_why_a_hand_is_small(
    dealt: Game, alice: User, read: ReaderOf, damage: int, said: str
) -> None:
    change_robot(dealt, alice, damage=damage)
    hand = hand_of(dealt, alice)
    hand.chips["chips"] = hand.chips["chips"][: 9 - damage]
    hand.save()
    page = read(alice).get(dealt.get_absolute_url())
    assert (said or "Your hand") in page
    assert ("hand-why" in page.html) is ("rulebook/#G-3.4" in page.html) is bool(said)


def test_an_unknown_chip_is_refused(dealt: Game, alice: User, read: ReaderOf) -> None:
    for nonsense in ("x", "9" * 5000, "١"):
        page = read(alice).post(orders(dealt), **program(nonsense, *chips(dealt, alice)[:4]))
        assert page.status == 400
        assert "These orders cannot be read" in page
        assert "which is not a chip number" in page


def test_oversized_forms_are_refused(dealt: Game, alice: User, read: ReaderOf) -> None:
    for fields in ({"register_1": "9" * 3_000_000}, {f"field{number}": "" for number in range(1100)}):
        page = read(alice).post(orders(dealt), **fields)
        assert page.status == 400
        assert "We could not read your request" in page


def test_locked_registers_cannot_be_changed(dealt: Game, alice: User, read: ReaderOf) -> None:
    registers = [None, None, None, "L@170", "2@730"]
    change_robot(dealt, alice, damage=6, registers=registers)
    page = read(alice).get(dealt.get_absolute_url())
    assert page.html.count('class="register is-locked"') == 2
    assert 'name="register-4"' not in page.html
    assert "Register 4: Turn left , locked" in page
    refused = read(alice).post(orders(dealt), **program(*chips(dealt, alice)[:5]))
    assert "Register 4 is locked and keeps its chip." in faults(refused)
    accepted = read(alice).post(orders(dealt), **program(*chips(dealt, alice)[:3]))
    assert "Your program for turn 1 is in." in accepted


def test_a_robot_with_all_registers_locked_can_still_be_run(dealt: Game, alice: User, read: ReaderOf) -> None:
    change_robot(dealt, alice, damage=9, registers=["1@490", "1@500", "1@510", "L@70", "R@80"])
    page = read(alice).post(orders(dealt), program="1", power_down="on")
    assert "Your program for turn 1 is in." in page
    assert Program.objects.get(hand=hand_of(dealt, alice)).orders["registers"] == [None] * 5


def test_equipment_for_single_phases_has_a_box_for_each(dealt: Game, alice: User, read: ReaderOf) -> None:
    change_robot(dealt, alice, equipment="nitro", ammo=2)
    page = read(alice).get(dealt.get_absolute_url())
    assert "Nitro 2 left." in page
    given = read(alice).post(orders(dealt), **program(*chips(dealt, alice)[:5]), phase=["2", "4"])
    assert given.chosen("phase") == "2,4"
    refused = read(alice).post(orders(dealt), **program(*chips(dealt, alice)[:5]), phase=["1", "2", "4"])
    assert refused.status == 422
    assert "You chose 3 phases, but have ammunition for 2: nitro." in refused
    assert refused.chosen("phase") == "1,2,4"


def test_equipment_for_whole_turns_has_one_box(dealt: Game, alice: User, read: ReaderOf) -> None:
    change_robot(dealt, alice, equipment="rear-laser", ammo=0)
    page = read(alice).get(dealt.get_absolute_url())
    assert "Rear laser: no ammunition left." in page
    assert 'name="engaged"' not in page.html
    change_robot(dealt, alice, equipment="shields", ammo=1)
    assert "Use equipment: shields 1 left." in read(alice).get(dealt.get_absolute_url())
    read(alice).post(orders(dealt), **program(*chips(dealt, alice)[:5]), engaged="on")
    assert Program.objects.get(hand=hand_of(dealt, alice)).orders["equipment"] is True


def test_a_respawned_robot_may_choose_its_heading(dealt: Game, alice: User, read: ReaderOf) -> None:
    change_robot(dealt, alice, returned=True, heading="S")
    page = read(alice).get(dealt.get_absolute_url())
    assert "Your robot has come back. Which way does it face?" in page
    assert page.chosen("heading") == "S"
    read(alice).post(orders(dealt), **program(*chips(dealt, alice)[:5]), heading="N")
    assert Program.objects.get(hand=hand_of(dealt, alice)).orders["heading"] == "N"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"down": True}, "Your robot is off this turn"),
        ({"alive": False, "lives": 0, "cell": None}, "Your robot has lost its last life."),
    ],
)
def test_a_robot_that_takes_no_orders_gives_the_reason(
    changes: dict[str, Any], sentence: str, dealt: Game, alice: User, read: ReaderOf
) -> None:
    change_robot(dealt, alice, **changes)
    hand_of(dealt, alice).delete()
    page = read(alice).get(dealt.get_absolute_url())
    assert sentence in page
    assert not [action for action in page.actions if "/turns/" in action]


def post_anything(reader: Reader, game: Game, turn: int) -> Answer:
    """Submit an arbitrary program for the given turn."""
    return reader.post(f"{game.get_absolute_url()}turns/{turn}/orders/", **program(1, 2, 3, 4, 5))


def test_orders_for_an_old_turn_are_refused_with_the_new_turn(
    dealt: Game, alice: User, read: ReaderOf
) -> None:
    page = post_anything(read(alice), dealt, 0)
    assert page.status == 409
    assert "The game is in turn 1, so you cannot give orders for turn 0. Your changes were not saved." in page
    assert "Your move" in page
    assert page.chosen("register-1") == ""


def test_orders_cannot_change_once_all_are_in(
    dealt: Game, table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    table.move(dealt, alice, bob)
    page = read(alice).get(dealt.get_absolute_url())
    assert "All orders are in: the turn is about to be played." in page
    assert f'<noscript><a href="{dealt.get_absolute_url()}">Refresh</a></noscript>' in page.html
    assert "Your orders are in" in page
    assert "disabled" in page.html.partition('class="orders-all"')[2][:20]
    refused = read(alice).post(orders(dealt), **program(*chips(dealt, alice)[:5]))
    assert refused.status == 409
    assert "All orders for turn 1 are in" in refused


def test_orders_after_the_deadline_are_refused(dealt: Game, alice: User, read: ReaderOf) -> None:
    Turn.objects.filter(game=dealt, number=1).update(deadline=later(seconds=-1))
    Hand.objects.filter(turn__game=dealt, turn__number=1).update(deadline=later(seconds=-1))
    page = read(alice).get(dealt.get_absolute_url())
    assert "Your time for this turn has run out" in page
    assert "time is up" in page
    assert 'class="time-left is-up"' in page.html, "its end is hidden"
    refused = read(alice).post(orders(dealt), **program(*chips(dealt, alice)[:5]))
    assert refused.status == 409
    assert "Your time for turn 1 has run out." in refused


def test_the_page_mentions_slow_workers_calmly(
    dealt: Game, table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    table.move(dealt, alice, bob, now=later(minutes=-5))
    page = read(alice).get(dealt.get_absolute_url())
    assert "All orders are in, but playing the turn is taking longer than usual." in page
    assert "is about to be played" not in page


def test_the_last_orders_resolve_the_turn(
    dealt: Game, table: Table, alice: User, bob: User, read: ReaderOf, messages: list[tuple[str, int]]
) -> None:
    table.move(dealt, bob)
    read(alice).post(orders(dealt), **program(*chips(dealt, alice)[:5]))
    turn = open_turn(dealt)
    assert ("resolve_turn", turn.pk) in messages
    resolve_turn(turn_id=turn.pk, now=NOW)
    assert "What happened in turn 1" in read(alice).get(dealt.get_absolute_url())


def test_orders_that_would_replace_unseen_ones_are_shown_but_not_accepted(
    dealt: Game, alice: User, read: ReaderOf
) -> None:
    reader, own = read(alice), chips(dealt, alice)
    reader.post(orders(dealt), instead_of="", **program(*own[:5]))
    page = reader.post(orders(dealt), instead_of="", **program(*own[4:]))
    assert page.status == 409
    assert "You submitted other orders for turn 1 in another window, and those count." in page
    assert page.chosen("register-1") == str(own[4])
    assert Program.objects.get(hand=hand_of(dealt, alice)).orders["registers"] == own[:5]


def test_the_form_saves_and_deletes_a_draft(dealt: Game, alice: User, read: ReaderOf) -> None:
    reader, own = read(alice), chips(dealt, alice)
    address = f"{dealt.get_absolute_url()}turns/1/draft/"
    page = reader.post(address, **program("", own[0], "", "", ""))
    assert page.address == dealt.get_absolute_url()
    assert page.text.count("Draft, saved 12:00: not submitted.") == 2
    assert page.chosen("register-2") == str(own[0])
    refused = reader.post(address, **program(own[1], own[1], "", "", ""))
    assert refused.status == 422
    assert refused.chosen("register-2") == str(own[1])
    gone = reader.post(address, **program("", own[0], "", "", ""), drop="1")
    assert gone.chosen("register-2") == ""
    assert "there is nothing to save" in reader.post(address, **program("", "", "", "", ""))


def test_a_program_is_previewed_before_it_is_submitted(dealt: Game, alice: User, read: ReaderOf) -> None:
    hand = stored.chips_of(hand_of(dealt, alice))
    moving = next(chip.number for chip in hand if chip.kind in "123")
    turning = next(chip.number for chip in hand if chip.kind in "LR")
    address = f"{dealt.get_absolute_url()}turns/1/preview/"
    page = read(alice).post(address, **program(turning, moving, "", "", ""))
    assert page.status == 200
    assert "If no other robot gets in the way:" in page
    assert "Alice turns to face" in page
    assert 'class="outlook-way"' in page.html
    assert 'class="ghost last"' in page.html
    assert (page.chosen("register-1"), page.chosen("register-2")) == (str(turning), str(moving))
    assert not Program.objects.filter(hand=hand_of(dealt, alice)).exists()
    refused = read(alice).post(address, **program(turning, turning, "", "", ""))
    assert refused.status == 422
    assert "is used twice" in refused
