"""Submit orders, save drafts, redraw hands, and switch robots on."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games import live
from games.absence.models import SitterTurn, Sitting
from games.errors import Conflict, Invalid, Malformed, NotFound, document_problems, order_problems
from games.news.services import notify
from games.play import selectors, stored
from games.play.deadlines import extend_deadlines, stop_clock_unsaved
from games.play.history import add_entry
from games.play.models import SUBSTITUTE_AUTHORS, Draft, Game, Hand, Program, Seat, Turn
from games.play.services import locked_game, touch
from games.play.stored import first_turn
from games.play.viewers import game_for, no_screen, no_seat, own_seat, seat_of, seat_to_play
from games.wording import translate
from games.work import enqueue
from roborunner.postgres.queries import PreparedQuery

UNFINISHED = frozenset({"empty", "too-few", "heading-missing"})
"""The codes of problems that are allowed in drafts and previews of orders.

In a preview, an empty register does nothing.
"""

NO_HAND: Final = 0
"""The value of `Game.at_screen` while the screen shows no hand."""

_UNDER_WAY: Final = PreparedQuery(
    lambda game_id: Turn.objects.filter(game=game_id, status=Turn.Status.OPEN).order_by(), int
)


class NewerOrders(Conflict):
    """The error if new orders are refused because the current ones were submitted in another window.

    ``mark`` identifies the current orders.
    """

    def __init__(self, turn: int, mark: str) -> None:
        detail = _("You submitted other orders for turn {number} in another window, and those count.")
        super().__init__("given-elsewhere", detail.format(number=turn))
        self.mark = mark

    @property
    def document(self) -> dict[str, Any]:
        """The error document, with the mark of the player's current orders."""
        return {**super().document, "mark": self.mark}


def read_orders(document: object) -> rules.Orders:
    """Read submitted orders. If their format is wrong, raise Malformed with all problems of the format."""
    try:
        return rules.read_orders(document)
    except rules.NotationError as error:
        problems = "; ".join(translate(problem.message) for problem in error.problems)
        detail = _("These orders cannot be read: {problems}.").format(problems=problems)
        raise Malformed("no-orders", detail, document_problems("invalid", error.problems)) from None


def turn_under_way(game: Game, number: int) -> Turn:
    """Return the turn under way. Raises Conflict if the game is not running, or is not in turn ``number``."""
    match game.status:
        case Game.Status.OPEN:
            raise Conflict("not-started", _("The game has not started yet."))
        case Game.Status.CANCELLED:
            raise Conflict("cancelled", _("This game was cancelled."))
        case Game.Status.OVER:
            raise Conflict("finished", _("This game is over."))
    turn = _UNDER_WAY.first(game.pk)
    if turn is None or turn.number != number:
        raise Conflict(
            "stale-turn",
            _("The game is in turn {turn}, so you cannot give orders for turn {number}.").format(
                number=number, turn=game.turn
            ),
        )
    turn.game = game
    return turn


def check_awake(hand: Hand, orders: rules.Orders | None = None) -> None:
    """Raise Conflict if a hand is face down, unless the ``orders`` leave the robot off (AM-5.2)."""
    if hand.face_down and orders != rules.Orders(stay_down=True):
        detail = _("Your robot was switched off. Order it to stay off, or switch it on to see your hand.")
        raise Conflict("asleep", detail)


def check_orders(
    setup: rules.Setup,
    state: rules.State,
    seat: Seat,
    hand: Hand | None,
    orders: rules.Orders,
    *,
    unfinished: bool = False,
) -> None:
    """Raise Invalid with all problems of a seat's orders, if there are any.

    ``unfinished`` orders may have empty registers. Raises Conflict if the hand is face down, unless the
    orders leave the robot off (AM-5.2). Also raises Conflict if the orders leave the robot off although it
    was switched on this turn.
    """
    if hand is not None:
        check_awake(hand, orders)
        if (
            orders.stay_down
            and state.robots[hand.robot - 1].was_down
            and not hand.face_down
            and not seat.computer
        ):
            raise Conflict("awake", _("You have switched on your robot, so it cannot stay off this turn."))
    found = rules.problems(setup, state, seat.number - 1, stored.chips_of(hand) if hand else (), orders)
    found = tuple(problem for problem in found if not (unfinished and problem.code in UNFINISHED))
    if found or (hand is None and not unfinished):
        raise _not_allowed(found)


def _not_allowed(problems: Collection[rules.OrderProblem]) -> Invalid:
    only_empty = all(problem.code == "empty" for problem in problems)
    detail = _("Every register needs a chip.") if only_empty else _("These orders are not allowed.")
    return Invalid("orders", detail, order_problems(problems))


def read_program(
    setup: rules.Setup, state: rules.State, robot: int, hand: rules.Hand, registers: object
) -> tuple[rules.Chip, ...]:
    """Return the chips of a program for a turn outside of games.

    Raises Malformed if it cannot be read, and Invalid with all problems.
    """
    orders = read_orders({"registers": registers})
    if problems := rules.problems(setup, state, robot, hand, orders):
        raise _not_allowed(problems)
    return tuple(chip for chip in orders.registers if chip)


def mark_turn_seen(*, user: User, game: Game, turn_number: int) -> Seat:
    """Mark a turn and all earlier turns as seen by a player. Return the player's seat.

    Raises NotFound if the turn was not played, and Forbidden if the player has no seat.
    """
    selectors.prefetch_seats(game=game)
    seat = seat_of(viewer=user, game=game)
    if seat is None:
        raise no_seat()
    first = first_turn(game)
    if not first <= turn_number == game.last_played:
        selectors.played_turn(game, turn_number)
    save_seen_turn(seat=seat, turn_number=turn_number)
    seat.seen_turn = max(turn_number, seat.seen_turn or 0)
    return seat


def save_seen_turn(*, seat: Seat, turn_number: int) -> None:
    """Save a turn as the last one seen by the player of a seat.

    Does nothing if a later turn is saved already, or if the seat has a new player.
    """
    seats = Seat.objects.filter(Q(seen_turn=None) | Q(seen_turn__lt=turn_number), pk=seat.pk)
    seats.filter(user=seat.user_id).update(seen_turn=turn_number)


_WRITE: Final = """
    WITH kept AS (
        INSERT INTO games_program (game_id, hand_id, orders, "by", remark, submitted_at)
        VALUES (%(game)s, %(hand)s, %(orders)s, %(by)s, %(remark)s, %(now)s)
        ON CONFLICT (hand_id) DO UPDATE SET game_id = excluded.game_id, orders = excluded.orders,
            "by" = excluded."by", remark = excluded.remark, submitted_at = excluded.submitted_at
        RETURNING id
    ), stopped AS (
        UPDATE games_hand SET deadline = NULL, calendar = NULL
        WHERE id = %(hand)s AND deadline IS NOT NULL
    ), seated AS (
        UPDATE games_seat SET bank = %(bank)s, seen_turn = greatest(seen_turn, %(seen)s),
            ordered_at = coalesce(%(ordered)s, ordered_at)
        WHERE id = %(seat)s
            AND (bank, seen_turn, ordered_at) IS DISTINCT FROM
                (%(bank)s::interval, greatest(seen_turn, %(seen)s), coalesce(%(ordered)s, ordered_at))
    ), ready AS (
        UPDATE games_turn SET deadline = %(deadline)s, ready_at = %(ready)s,
            offered_at = CASE WHEN %(ready)s::timestamptz IS NULL THEN offered_at END
        WHERE id = %(turn)s
            AND (deadline, ready_at) IS DISTINCT FROM (%(deadline)s::timestamptz, %(ready)s::timestamptz)
    )
    UPDATE games_game SET moved_at = %(now)s, at_screen = %(screen)s
    WHERE id = %(game)s RETURNING (SELECT id FROM kept)
"""
"""SQL to save a program, and its effects on the rows of its hand, seat, turn and game."""


def submit_orders(
    *,
    user: User,
    game_id: int,
    turn_number: int,
    document: object,
    instead_of: str | None = None,
    screen: int | None = None,
    now: datetime,
) -> Turn:
    """Submit a player's orders for a turn. The last missing orders trigger the turn's resolution.

    Until then, a player can submit again, and new orders replace the old ones. With ``instead_of`` (a mark
    from `stored.mark_of`), they replace only the orders with this mark. Submitting the same orders again
    changes nothing, so clients can retry. Returns the turn with its game, seats and hands, so that
    `game_view` need not read them.

    A sitter (`play.viewers`) submits orders for another player's seat. The game's history shows it, and the
    player gets a notification. In a game on one screen, ``screen`` is the seat that the orders are for, so
    that a window with an earlier hand cannot submit them for the next player.

    Raises NotFound if the person may not see the game, Forbidden if they have no seat, and Malformed for an
    unreadable document. Raises Conflict if the turn is not under way, time is up, all orders are in, or the
    hand is face down. Raises NewerOrders if the player's current orders do not have the mark ``instead_of``,
    and Invalid with all problems of the orders.
    """
    with transaction.atomic(durable=True):
        game = locked_game(game_id)
        selectors.prefetch_seats_for_orders(game=game)
        seat, sitting = seat_of(viewer=user, game=game), None
        if seat is None or screen is not None or game.is_on_one_screen:
            if seat is not None and (turn := _turn_of_retry(game, screen, turn_number, document)):
                return turn
            seat, sitting = seat_to_play(user=user, game=game, screen=screen, now=now)
        orders = read_orders(document)
        by = Program.Author.PLAYER
        given = partial(_submit, instead_of=instead_of, sitting=sitting)
        return given(game, seat, turn_number, orders, by, now)


def _turn_of_retry(game: Game, screen: int | None, turn_number: int, document: object) -> Turn | None:
    """Return the turn if the player of the seat ``screen`` has submitted these orders before, else None.

    A game on one screen hides the hand then, so the player is no longer at the screen.
    """
    if not game.is_on_one_screen or screen in (None, game.at_screen):
        return None
    turn = turn_under_way(game, turn_number)
    hands = selectors.prefetch_hands(turn=turn)
    program = next((selectors.program_of(hand) for hand in hands if hand.robot == screen), None)
    if program is None or program.by != Program.Author.PLAYER:
        return None
    return turn if program.orders == stored.write_orders(read_orders(document)) else None


def give_orders(
    *, seat: Seat, turn_number: int, orders: rules.Orders, by: Program.Author, remark: str = "", now: datetime
) -> Turn:
    """Submit orders for a seat of a person or a computer. A computer's submitted orders are never replaced.

    Raises Conflict and Invalid for the reasons given in `submit_orders`, and Conflict if the seat has a new
    player.
    """
    with transaction.atomic(durable=True):
        game = locked_game(seat.game_id)
        check_seat(seat)
        return _submit(game, seat, turn_number, orders, by, now, remark=remark)


def _submit(
    game: Game,
    seat: Seat,
    turn_number: int,
    orders: rules.Orders,
    by: Program.Author,
    now: datetime,
    *,
    remark: str = "",
    instead_of: str | None = None,
    sitting: Sitting | None = None,
) -> Turn:
    """Save orders as a program. The caller must hold the lock on the game's row."""
    turn = turn_under_way(game, turn_number)
    hand = next((hand for hand in selectors.prefetch_hands(turn=turn) if hand.seat_id == seat.pk), None)
    program = selectors.program_of(hand) if hand else None
    document = stored.write_orders(orders)
    by_player = by == Program.Author.PLAYER and sitting is None
    seen = turn_number - 1 if by_player and turn_number else None  # the player saw the turn before
    if hand and program and by == program.by == Program.Author.PLAYER and program.orders == document:
        hand.seat = seat
        _drop_draft(hand)
        if seen is not None and (seat.seen_turn is None or seat.seen_turn < seen):
            save_seen_turn(seat=seat, turn_number=seen)
        return turn
    check_time(turn, hand, now)
    setup = stored.setup_of(game)
    check_orders(setup, stored.start_of(turn, setup.starship), seat, hand, orders)
    assert hand is not None
    hand.seat = seat
    if seat.computer and program:
        return turn
    if program and program.by == Program.Author.PLAYER and instead_of is not None:
        _check_seen(program, instead_of, turn)
    if program is None and seat.bank is not None:
        extend_deadlines(turn=turn, hands=[hand], now=now)  # deduct the pauses before the bank pays
    program = program or Program(game=game, hand=hand)
    program.orders, program.by, program.remark, program.submitted_at = document, by, remark, now
    _drop_draft(hand)
    stop_clock_unsaved(game=game, turn=turn, hand=hand, seat=seat, now=now)
    if game.at_screen == seat.number:
        game.at_screen = NO_HAND
    complete = not [other for other in selectors.missing_hands(turn) if other.pk != hand.pk]
    if complete:
        turn.ready_at, turn.offered_at = now, None
    values: dict[str, Any] = {
        "game": game.pk,
        "turn": turn.pk,
        "deadline": turn.deadline,
        "ready": turn.ready_at,
        "hand": hand.pk,
        "seat": seat.pk,
        "bank": seat.bank,
        "seen": seen,
        "screen": game.at_screen,
        "ordered": now if by_player else None,
        "orders": json.dumps(document),
        "by": by,
        "remark": remark,
        "now": now,
    }
    with connection.cursor() as cursor:
        cursor.execute(_WRITE, values)
        (program.pk,) = cursor.fetchone()
    program._state.adding = False
    if sitting is not None:
        _note_sitter(game, turn, hand, seat, sitting, document, now)
    game.moved_at = now
    live.announce_change(game)
    if complete:
        enqueue.resolve_turn(turn.pk)
    return turn


def _note_sitter(
    game: Game,
    turn: Turn,
    hand: Hand,
    seat: Seat,
    sitting: Sitting,
    document: Mapping[str, Any],
    now: datetime,
) -> None:
    """Record a sitter's orders for their player. The history and the player hear of the first in a turn."""
    kinds = {chip.number: chip.kind for chip in stored.chips_of(hand)}
    registers = document.get("registers") or []
    chips = [kinds.get(chosen, chosen if isinstance(chosen, str) else "") for chosen in registers]
    kept = {"orders": document, "chips": chips, "ordered_at": now}
    rows = SitterTurn.objects.filter(sitting=sitting, game=game, turn=turn.number)
    if not rows.update(**kept):
        SitterTurn.objects.create(sitting=sitting, game=game, turn=turn.number, **kept)
        names = {"player": seat.robo_name, "sitter": sitting.sitter.robo_name}
        add_entry(game=game, by=sitting.sitter, kind="sitter", number=turn.number, now=now, **names)
        notify(users=[sitting.owner], kind="sit-order", game=game, turn=turn.number, now=now)


def _drop_draft(hand: Hand) -> None:
    draft: Draft | None = getattr(hand, "draft", None)
    if draft:
        draft.delete()
        Draft.hand.field.remote_field.set_cached_value(hand, None)  # it was prefetched with the hand


def _check_seen(program: Program, seen: str, turn: Turn) -> None:
    if (mark := stored.mark_of(stored.plain_orders(program))) != seen:
        raise NewerOrders(turn.number, mark)


def lock_hand(*, seat: Seat, turn_number: int, now: datetime) -> tuple[Game, Turn, Hand | None]:
    """Lock a seat's game. Return the game, the turn under way, and the seat's hand.

    The hand is None if the seat has no hand in this turn. Raises Conflict if ``turn_number`` is not the turn
    under way, the seat has a new player, or time is up.
    """
    game = locked_game(seat.game_id)
    turn = turn_under_way(game, turn_number)
    check_seat(seat)
    hand = turn.hands.select_related("program").filter(seat=seat).first()
    check_time(turn, hand, now)
    return game, turn, hand


def check_seat(seat: Seat) -> None:
    """Raise Conflict if a seat has a new player. The caller must hold the lock on the game's row."""
    if not Seat.objects.filter(pk=seat.pk, user=seat.user_id, computer=seat.computer).exists():
        raise Conflict("seat-passed-on", _("Another player has this seat now."))


def check_time(turn: Turn, hand: Hand | None, now: datetime) -> None:
    """Raise Conflict if it is too late to submit orders for a hand of a turn.

    Orders that were submitted on time can be changed until all orders are in.
    """
    if turn.ready_at is not None:
        raise Conflict(
            "all-in",
            _("All orders for turn {number} are in, so you cannot change yours.").format(number=turn.number),
        )
    program = selectors.program_of(hand) if hand else None
    missed = program is not None and program.by in SUBSTITUTE_AUTHORS
    if missed or (_is_late(turn, hand, now) and _is_late_after_all(turn, hand, now)):
        raise Conflict("too-late", _("Your time for turn {number} has run out.").format(number=turn.number))


def _is_late(turn: Turn, hand: Hand | None, now: datetime) -> bool:
    ends = [turn.deadline] if hand is None else [turn.deadline, hand.deadline]
    return any(end is not None and end <= now for end in ends)


def _is_late_after_all(turn: Turn, hand: Hand | None, now: datetime) -> bool:
    """Return whether time is up for a hand even after outages and vacation days are added to its deadline."""
    if hand is not None and selectors.program_of(hand) is None:
        extend_deadlines(turn=turn, hands=[hand], now=now)
    return _is_late(turn, hand, now)


def pass_screen(*, user: User, game_id: int, seat: int | None, now: datetime) -> Game:
    """Show the hand of a seat at the screen of a game on one screen. With None, hide the hand.

    Raises NotFound if the person may not see the game, and Forbidden if they have no seat. Raises Conflict
    if the game is not on one screen, if it is not running, or if the seat owes no orders.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = locked_game(game_id)
        own_seat(user=user, game=game)
        if not game.is_on_one_screen:
            raise no_screen()
        turn = turn_under_way(game, game.turn or 0)
        owing = [hand.robot for hand in selectors.missing_hands(turn) if hand.seat and not hand.seat.computer]
        if seat is not None and seat not in owing:
            raise Conflict("no-orders", _("The game does not wait for orders of this seat."))
        game.at_screen = seat or NO_HAND
        game.save(update_fields=["at_screen"])
    return game


def _game(user: User, game_id: int) -> Game:
    """Return a game whose player or sitter orders. Raises NotFound and Forbidden like `seat_to_play`."""
    game = Game.objects.filter(pk=game_id).first()
    if game is None:
        raise NotFound("no-game", _("There is no such game."))
    return game


EMPTY_ORDERS = (rules.Orders(), rules.Orders(registers=(None,) * rules.REGISTERS))


def save_draft(
    *,
    user: User,
    game_id: int,
    turn_number: int,
    document: object,
    screen: int | None = None,
    now: datetime,
) -> Draft | None:
    """Save a player's draft, replacing the last one. Only the player sees the draft.

    Registers may be empty. If the draft is empty or equals the submitted orders, any saved draft is deleted,
    and None is returned. ``screen`` is the same as for `submit_orders`.

    Raises NotFound if the person may not see the game, Forbidden if they have no seat, and Malformed for an
    unreadable document. Raises Conflict if the turn is not under way, time is up, all orders are in, or the
    hand is face down. Raises Invalid with all problems of the draft.
    """
    seat, _sitting = seat_to_play(user=user, game=_game(user, game_id), screen=screen, now=now)
    orders = read_orders(document)
    with transaction.atomic():
        game, turn, hand = lock_hand(seat=seat, turn_number=turn_number, now=now)
        setup = stored.setup_of(game)
        check_orders(setup, stored.start_of(turn, setup.starship), seat, hand, orders, unfinished=True)
        if hand is None:
            raise Invalid("orders", _("This robot cannot take orders this turn."))
        check_awake(hand)
        document, program = stored.write_orders(orders), selectors.program_of(hand)
        if document == program.orders if program else orders in EMPTY_ORDERS:
            Draft.objects.filter(hand=hand).delete()
            return None
        values = {"game": game, "orders": document, "saved_at": now}
        return Draft.objects.update_or_create(hand=hand, defaults=values)[0]


def drop_draft(*, user: User, game_id: int, turn_number: int) -> None:
    """Delete a player's draft, if there is one. Submitted orders do not change.

    Raises NotFound if the person may not see the game, Forbidden if they have no seat, and Conflict if the
    turn is not under way.
    """
    seat, _sitting = seat_to_play(user=user, game=_game(user, game_id))
    with transaction.atomic():
        turn = turn_under_way(locked_game(seat.game_id), turn_number)
        Draft.objects.filter(hand__turn=turn, hand__seat=seat).delete()


def redeal_hand(
    *,
    user: User,
    game_id: int,
    turn_number: int,
    now: datetime,
    rest: Mapping[str, object] | None = None,
    screen: int | None = None,
) -> Game:
    """Redraw a player's hand, if the rules allow it and no orders were submitted (GR-1.2, AM-1.4).

    ``rest`` holds the player's orders that need no chips, such as a heading. They are saved as a draft.
    ``screen`` is the same as for `submit_orders`.

    Raises NotFound if the person may not see the game, and Forbidden if they have no seat. Raises Conflict if
    the turn is not under way, time is up, orders were submitted, the hand is face down, or the rules do not
    allow another redraw. Raises Malformed and Invalid if ``rest`` is not valid.
    """
    game = _game(user, game_id)
    seat, _sitting = seat_to_play(user=user, game=game, screen=screen, now=now)
    with transaction.atomic():
        redeal_hand_of_seat(seat=seat, turn_number=turn_number, now=now)
        if rest:
            save_draft(
                user=user,
                game_id=game_id,
                turn_number=turn_number,
                document=rest,
                screen=screen,
                now=now,
            )
    return game


def redeal_hand_of_seat(*, seat: Seat, turn_number: int, now: datetime) -> Hand:
    """Redraw the hand of a seat, and return it. Raises Conflict for the reasons given in `redeal_hand`."""
    with transaction.atomic():
        game, turn, hand = lock_hand(seat=seat, turn_number=turn_number, now=now)
        if hand is not None:
            check_awake(hand)
        if hand is not None and selectors.program_of(hand) is not None:
            raise Conflict("ordered", _("You cannot redraw your hand after you have submitted orders."))
        setup = stored.setup_of(game)
        state = stored.start_of(turn, setup.starship)
        if hand is None or not stored.may_redeal(setup, state, hand):
            if hand is not None and hand.redealt is not None:
                raise Conflict(
                    "redealt", _("You have already redrawn your hand. You can do that once a turn.")
                )
            raise Conflict("no-redeal", _("The rules do not allow you to redraw this hand."))
        chips, count = _dealt(turn)
        _redraw(hand, count, [rules.redeal(setup, state, chips, seat.number - 1, game.seed, count)])
        if setup.ruleset.sets_aside:
            _note_aside(game, seat, now)
        touch(game, now)
        hand.turn = turn
    return hand


def put_aside_turning(
    *, game: Game, turn: Turn, hand: Hand, seat: Seat, setup: rules.Setup, state: rules.State, now: datetime
) -> None:
    """Redraw a hand as long as it has only turning chips (AM-1.4).

    The caller must hold the lock on the game's row. This function is for late players, when a computer or
    standing orders play their turn.
    """
    chips, count = _dealt(turn)
    drawn = rules.redeal_while_turning(setup, state, chips, hand.robot - 1, game.seed, count)
    if drawn:
        _redraw(hand, count, drawn)
        _note_aside(game, seat, now)


def switch_on(*, game: Game, turn: Turn, hand: Hand, setup: rules.Setup, state: rules.State) -> rules.State:
    """Switch on the robot of a face-down hand (AM-5.2). Return the state at the start of the turn.

    The caller must hold the lock on the game's row. This draws the hand, and chips for the robot's locked
    registers, unless the ruleset deals them before the player decides whether to switch the robot on. The
    returned state includes the chips in locked registers. Nothing changes if the hand is not face down.
    """
    if not hand.face_down:
        return state
    hand.face_down = False
    hand.save(update_fields=["face_down"])
    if setup.ruleset.deals_before_staying_off:
        return state
    chips, count = _dealt(turn)
    state, drawn = rules.switch_on(setup, state, chips, hand.robot - 1, game.seed, count)
    _redraw(hand, count, [drawn])
    turn.snapshot = rules.state_to_json(setup.starship, state)
    turn.save(update_fields=["snapshot"])
    return state


def _note_aside(game: Game, seat: Seat, now: datetime) -> None:
    """Record in the game's history that a hand was put aside. This also updates open pages."""
    add_entry(game=game, by=seat.user, kind="put-aside", player=seat.robo_name, now=now)


def _dealt(turn: Turn) -> tuple[dict[int, rules.Hand], int]:
    """Return a turn's hands by robot index, and how many hands were redrawn in the turn."""
    hands = list(turn.hands.all())
    chips = {hand.robot - 1: stored.chips_of(hand) for hand in hands}
    return chips, max((hand.redealt or 0 for hand in hands), default=0)


def _redraw(hand: Hand, count: int, drawn: Sequence[rules.Hand]) -> None:
    """Replace a hand with the last of the ``drawn`` hands, and delete its draft.

    Record the earlier hands as put aside. ``count`` is the number of hands already redrawn in this turn.
    """
    aside = stored.aside_of(hand)
    for number, chips in enumerate(drawn, count + 1):
        aside.append(stored.Aside(number, stored.chips_of(hand)))
        hand.chips = stored.write_hand(chips)
    hand.redealt, hand.aside = count + len(drawn), stored.write_aside(aside)
    hand.save(update_fields=["chips", "redealt", "aside"])
    Draft.objects.filter(hand=hand).delete()


def wake_robot(
    *, user: User, game_id: int, turn_number: int, screen: int | None = None, now: datetime
) -> Game:
    """Switch a player's robot on, and show the player its hand. This cannot be undone (AM-5.2).

    Only the player sees the hand, so other players' pages are not updated. A second call changes nothing.
    ``screen`` is the same as for `submit_orders`.

    Raises NotFound if the person may not see the game, Forbidden if they have no seat, and the errors of
    `wake`.
    """
    game = _game(user, game_id)
    seat, _sitting = seat_to_play(user=user, game=game, screen=screen, now=now)
    wake(seat=seat, turn_number=turn_number, now=now)
    return game


def wake(*, seat: Seat, turn_number: int, now: datetime) -> rules.State:
    """Switch on the robot of a seat. Return the state at the start of the turn.

    The state includes the chips drawn for locked registers. Raises Conflict if the turn is not under way,
    time is up, the robot is not off, or its player has already submitted orders to stay off.
    """
    with transaction.atomic():
        game, turn, hand = lock_hand(seat=seat, turn_number=turn_number, now=now)
        setup = stored.setup_of(game)
        state = stored.start_of(turn, setup.starship)
        if hand is None or not state.robots[seat.number - 1].was_down:
            raise Conflict("not-off", _("Your robot was not switched off, so you cannot switch it on."))
        if hand.face_down and selectors.program_of(hand) is not None:
            raise Conflict(
                "ordered",
                _("You have already decided that your robot stays off in turn {number}.").format(
                    number=turn.number
                ),
            )
        return switch_on(game=game, turn=turn, hand=hand, setup=setup, state=state)
