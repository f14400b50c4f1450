"""Hands drawn during a turn: redrawn ones (GR-1.2, AM-1.4), and those of robots switched on (AM-5.2)."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.errors import Conflict
from games.play import stored
from games.play.models import Draft, Game, Hand, Program, Seat, Turn
from games.play.selectors.orders import check_awake, turn_under_way
from games.play.selectors.viewers import game_for, own_seat
from games.play.services.drafts import save_draft
from games.play.services.history import note
from games.play.services.locks import locked_game, touch
from games.play.services.orders import check_seat, check_time


def redeal_hand(
    *,
    user: User,
    game_id: int,
    turn_number: int,
    now: datetime,
    rest: Mapping[str, object] | None = None,
) -> Game:
    """Redraw a player's hand, before any orders are given, as often as the rules let it (GR-1.2, AM-1.4).

    Raises NotFound where the person may not know of the game, Forbidden without a seat, and Conflict
    for a turn that is not the one under way, after orders, for a hand that its player may not see yet, and
    where the rules do not let it (any more). ``rest`` are orders that need no chips, to be kept as a
    draft; raises Malformed and Invalid for those that cannot be.
    """
    game = game_for(viewer=user, game_id=game_id)
    seat = own_seat(user=user, game=game)
    with transaction.atomic():
        game = deal_anew(seat=seat, turn_number=turn_number, now=now).turn.game
        if rest:
            save_draft(user=user, game_id=game_id, turn_number=turn_number, document=rest, now=now)
    return game


def deal_anew(*, seat: Seat, turn_number: int, now: datetime) -> Hand:
    """Redraw the hand of a seat, be it a person's or a computer's; raises Conflict as `redeal_hand` does."""
    with transaction.atomic():
        game = locked_game(seat.game_id)
        turn = turn_under_way(game, turn_number)
        check_seat(seat)
        setup = stored.setup_of(game)
        state = stored.start_of(turn, setup.starship)
        hands = _hands(turn)
        index = seat.number - 1
        mine = hands.get(index)
        check_time(turn, mine, now)
        if mine is not None:
            check_awake(mine)
        if mine is not None and Program.objects.filter(hand=mine).exists():
            raise Conflict(
                "ordered", _("You have submitted your orders. You can only redraw a hand before that.")
            )
        if mine is None or not stored.may_redeal(setup, state, mine):
            if mine is not None and mine.redealt is not None:
                raise Conflict(
                    "redealt", _("You have redrawn your hand already. You can do that once a turn.")
                )
            raise Conflict("no-redeal", _("The rules do not let you redraw this hand."))
        chips = {number: stored.chips_of(hand) for number, hand in hands.items()}
        drawn = [rules.redeal(setup, state, chips, index, game.seed, _redealt_so_far(hands))]
        _redraw(mine, hands, drawn)
        if setup.ruleset.sets_aside:
            _tell(game, seat, now)
        touch(game, now)
        turn.game = game
        mine.turn = turn
    return mine


def put_aside_turning(
    *, game: Game, turn: Turn, hand: Hand, seat: Seat, setup: rules.Setup, state: rules.State, now: datetime
) -> None:
    """Put a hand aside as long as it has turning chips only, in a game whose row is held (AM-1.4).

    So do computers, and standing orders for players who miss a turn.
    """
    hands = _hands(turn)
    chips = {number: stored.chips_of(other) for number, other in hands.items()}
    so_far = _redealt_so_far(hands)
    drawn = rules.redeal_while_turning(setup, state, chips, hand.robot - 1, game.seed, so_far)
    if drawn:
        _redraw(hand, hands, drawn)
        _tell(game, seat, now)


def switch_on(*, game: Game, turn: Turn, hand: Hand, setup: rules.Setup, state: rules.State) -> rules.State:
    """Switch on the robot of a hand that lies face down, in a game whose row is held (AM-5.2).

    Only now its hand is drawn, and the chips of its locked registers. Return the turn's start with these.
    """
    if not hand.face_down:
        return state
    hand.face_down = False
    hand.save(update_fields=["face_down"])
    if setup.ruleset.deals_before_deciding:
        return state
    hands = _hands(turn)
    chips = {number: stored.chips_of(other) for number, other in hands.items()}
    so_far = _redealt_so_far(hands)
    state, drawn = rules.switch_on(setup, state, chips, hand.robot - 1, game.seed, so_far)
    _redraw(hand, hands, [drawn])
    turn.snapshot = rules.state_to_json(setup.starship, state)
    turn.save(update_fields=["snapshot"])
    return state


def _tell(game: Game, seat: Seat, now: datetime) -> None:
    """Have open pages show what was put aside: `games.play.selectors.games.put_aside`."""
    note(game=game, by=seat.user, kind="put-aside", player=seat.robo_name, now=now)


def _hands(turn: Turn) -> dict[int, Hand]:
    return {hand.robot - 1: hand for hand in turn.hands.select_related("seat", "program")}


def _redealt_so_far(hands: Mapping[int, Hand]) -> int:
    return max((hand.redealt or 0 for hand in hands.values()), default=0)


def _redraw(hand: Hand, hands: Mapping[int, Hand], drawn: Sequence[rules.Hand]) -> None:
    """Have a hand be the last one drawn, and keep those before it; what was drafted for them is gone."""
    number = _redealt_so_far(hands)
    aside = stored.aside_of(hand)
    for chips in drawn:
        number += 1
        aside.append(stored.Aside(number, stored.chips_of(hand)))
        hand.chips = stored.write_hand(chips)
    hand.redealt, hand.aside = number, stored.write_aside(aside)
    hand.save(update_fields=["chips", "redealt", "aside"])
    Draft.objects.filter(hand=hand).delete()
