"""Standing orders: settled for all games or for one, and played for players who miss turns."""

from dataclasses import replace
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

import rules
from accounts.models import Standing, User
from accounts.settings import change_preferences
from games.errors import Invalid, refuse_guests
from games.play import stored
from games.play.models import Draft, Game, Hand, Seat
from games.play.selectors.viewers import game_for, own_seat

AHEAD: Final = ("1", "2", "3")
"""Chips that go straight ahead, in the order in which they fill registers: the slow ones first."""


def change_standing(*, user: User, standing: str) -> None:
    """Settle what is played for a person who misses turns, in all games that have standing orders.

    Raises Forbidden for guests, and Invalid for standing orders that there are not.
    """
    refuse_guests(user)
    try:
        change_preferences(user=user, standing=standing)
    except ValidationError:
        raise _none_such(standing) from None


def change_standing_of_game(*, user: User, game_id: int, standing: str) -> Game:
    """Settle it for one game; empty for the same as in all others.

    Raises Forbidden for guests and without a seat, NotFound where the person may not know of the game, and
    Invalid.
    """
    refuse_guests(user)
    game = game_for(viewer=user, game_id=game_id)
    if standing and standing not in Standing.values:
        raise _none_such(standing)
    seat = own_seat(user=user, game=game)
    seat.standing = standing
    seat.save(update_fields=["standing"])
    return game


def _none_such(standing: str) -> Invalid:
    detail = _("There are no standing orders “{name}”. Choose one of these: {known}.").format(
        name=standing, known=", ".join(Standing.values)
    )
    return Invalid("no-standing", detail, [{"code": "standing", "detail": detail}])


def standing_of(seat: Seat) -> Standing:
    """Return which standing orders a person has given for a game: those for it, else those for all."""
    assert seat.user is not None
    return Standing(seat.standing or seat.user.standing)


def standing_orders(
    *, setup: rules.Setup, state: rules.State, hand: Hand, seat: Seat, seed: str
) -> rules.Orders:
    """Return the orders that a person's standing orders come to.

    What they have laid counts as they laid it. Registers that are empty still are filled straight ahead
    or by chance, and the robot is switched off where that was ordered and the rules have it so. Should all
    that together be against the rules, chance decides alone.
    """
    index, chips = seat.number - 1, stored.chips_of(hand)
    laid = _laid(hand)
    wanted = _switched_off(setup, state, index, laid) if standing_of(seat) == Standing.DOWN else laid
    if standing_of(seat) == Standing.AHEAD:
        wanted = _ahead(state, index, chips, wanted)
    for orders in (wanted, laid):
        completed = rules.complete(setup, state, index, chips, orders, seed)
        if not rules.problems(setup, state, index, chips, completed):
            return completed
    return rules.complete(setup, state, index, chips, None, seed)


def _laid(hand: Hand) -> rules.Orders:
    draft = Draft.objects.filter(hand=hand).first()
    return rules.read_orders(stored.plain_orders(draft)) if draft else rules.Orders()


def _switched_off(setup: rules.Setup, state: rules.State, index: int, orders: rules.Orders) -> rules.Orders:
    if state.robots[index].down:
        return replace(orders, stay_down="stay_down" in setup.ruleset.orders)
    return replace(orders, power_down=state.turn > 0 and "power_down" in setup.ruleset.orders)


def _ahead(state: rules.State, index: int, chips: rules.Hand, orders: rules.Orders) -> rules.Orders:
    """Return orders whose empty registers are filled with chips that go ahead, as far as there are any."""
    robot = state.robots[index]
    if state.turn == 0 or robot.down:
        return orders
    given = list(orders.registers) + [None] * (rules.REGISTERS - len(orders.registers))
    free = [chip for kind in AHEAD for chip in chips if chip.kind == kind and chip not in given]
    for register in range(rules.REGISTERS):
        if register not in robot.locked and given[register] is None and free:
            given[register] = free.pop(0)
    return replace(orders, registers=tuple(given))
