"""Change the players of seats in a running game: replace, take over, come back, resign and leave."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from accounts.models import User
from games.absence.models import Replacement
from games.absence.reliability import reliability_of
from games.absence.selectors import (
    DepartureOutcome,
    departure_outcome,
    seat_to_return_to,
    why_not_back,
    why_not_resign,
)
from games.clocks import clock
from games.clocks.clock import Bank
from games.clubs.selectors import club_of_game
from games.errors import Conflict, Forbidden, NotFound, refuse_guests
from games.moderation.sanctions import refuse_suspended
from games.news.models import Notice
from games.news.services import notify, notify_about_game, people_in
from games.people.contacts import lives_with
from games.play import lifecycle, stored
from games.play.deadlines import bank_left, extend_deadlines, when_to_remind
from games.play.history import add_entry
from games.play.lifecycle import end_without_winner, resign
from games.play.models import Draft, Game, Hand, Seat, Turn
from games.play.selectors import computer_name, has_played_turn
from games.play.services import locked_game, touch
from games.play.viewers import game_for, is_newcomer, known_hands, own_seat, refuse_busy_newcomer
from games.work import enqueue
from games.work.models import lock_person


def refuse_limited(*, user: User, lock: bool = True, now: datetime) -> None:
    """Raise Forbidden for suspended players, and for newcomers who are already in too many games.

    ``lock`` locks the row of a newcomer, so that their requests are checked one after another. This delays
    only their own requests.
    """
    refuse_suspended(user=user, now=now)
    if is_newcomer(user=user, now=now):
        if lock:
            lock_person(user)
        refuse_busy_newcomer(user=user)


def refuse_housemate(*, game: Game, seats: Sequence[Seat], user: User) -> None:
    """Raise Forbidden if a person lives with one of the players of a rated game."""
    among_people = not any(seat.computer for seat in seats)
    if not game.may_be_rated or (game.rated == Game.Rated.USUAL and not among_people):
        return
    if lives_with(user=user, people=[seat.user_id for seat in seats]):
        raise Forbidden(
            "household",
            _(
                "You can’t join this rated game, because you share a household with one of its players. You"
                " can join unrated games."
            ),
        )


def refuse_excluded(*, game: Game, user: User) -> None:
    """Raise Forbidden for players whom a game excludes, unless its host has invited them.

    A host can limit a game to members of a club, or to reliable players. No player can take over a seat in a
    tournament or ladder game, even if invited.
    """
    if game.in_competition:
        raise Forbidden("tournament", _("You cannot take over seats in tournament or ladder games."))
    club, percent = club_of_game(game.pk), reliability_of(user).percent
    belongs = club is None or club.memberships.filter(user=user).exists()
    if belongs and percent >= game.least_reliability:
        return
    if game.invitations.filter(user=user, invited_by=game.host_id).exists():
        return
    if club and not belongs:
        raise Forbidden("members-only", _("This game is for members of {club}.").format(club=club.name))
    detail = _("This game is for players with a reliability of at least {minimum} %. Yours is {yours} %.")
    raise Forbidden("unreliable", detail.format(minimum=game.least_reliability, yours=percent))


VOLUNTARY_REASONS = (Replacement.Reason.DELETED, Replacement.Reason.RESIGNED, Replacement.Reason.LEFT)
"""The reasons for replacements that the replaced player wanted. The player gets no notification."""

SUBSTITUTE_LEVEL = Seat.Level.ROOKIE
"""The level of computers that play for absent players. It is low, so that absence brings no advantage."""


def replace_by_computer(
    *, game: Game, seat: Seat, reason: Replacement.Reason, offered: bool = True, now: datetime
) -> None:
    """Replace a person with a computer in a running game. The caller must hold the lock on the game's row.

    If the person's orders are missing, the computer submits orders. If the seat is ``offered``, anyone may
    take it over. Raises Conflict if the game is not running, or if no person has the seat.
    """
    _check_running(game)
    if seat.user is None:
        raise Conflict("no-person", _("A computer already plays {robot}.").format(robot=seat.robo_name))
    was, seat.robot = seat.user, seat.robo_name
    hand = _hand_to_play(seat)
    left = _left(game, seat, hand, reason, now)
    lifecycle.hooks.player_leaving(seat=seat, user=was)
    seat.user, seat.computer, seat.name = None, SUBSTITUTE_LEVEL, computer_name(SUBSTITUTE_LEVEL, seat.look)
    seat.ready, seat.manner, seat.standing, seat.visited_at = True, "", "", None
    seat.missed_in_row = seat.short_clock = 0
    seat.offered_at = now if offered else None
    seat.save()
    _note(game=game, seat=seat, was=was, became=None, reason=reason, now=now, **left)
    Draft.objects.filter(hand__seat=seat).delete()
    if hand is not None:
        hand.remind_at = None
        hand.save(update_fields=["remind_at"])
        Turn.objects.filter(pk=hand.turn_id).update(asks_computers=True)
        enqueue.play_computers(hand.turn_id, host=game.host_id)
    if reason not in VOLUNTARY_REASONS:
        _notify_replaced(game, was, now)
    if reason == Replacement.Reason.MISSED:  # callers record other reasons
        add_entry(game=game, by=None, kind="replaced", robot=seat.robo_name, now=now)
    touch(game, now)


def replace_by_person(
    *, game: Game, seat: Seat, user: User, reason: Replacement.Reason, now: datetime
) -> None:
    """Give a computer's seat in a running game to a person. The caller must hold the lock on the game's row.

    A former player of the game gets back their time bank, and the number of turns that they may still miss.
    Other players get the values from the start of the game. If the computer has submitted orders, they stay
    until the person replaces them. Raises Conflict if the game is not running, a person has the seat, or the
    new player has another seat.
    """
    _check_running(game)
    if seat.user is not None:
        raise Conflict("a-person", _("A person already plays {robot}.").format(robot=seat.robo_name))
    if game.players.filter(user=user).exists():
        raise Conflict("already-joined", _("You already have a seat in this game."))
    robot = seat.robo_name
    seat.robot = "" if robot == user.robo_name else robot
    seat.user, seat.computer, seat.name, seat.offered_at = user, "", "", None
    seat.joined_at, seat.visited_at, seat.shared = now, now, True
    _settle_absence(game, seat, user)
    seat.seen_turn = game.turn - 1 if game.turn else None
    seat.read_chat = game.chat.aggregate(last=Max("pk"))["last"] or 0
    seat.save()
    _note(game=game, seat=seat, was=None, became=user, reason=reason, now=now)
    hand = _hand_to_play(seat)
    if hand is not None:
        hand.turn.game, hand.seat = game, seat
        hand.remind_at = when_to_remind(turn=hand.turn, hand=hand)
        hand.save(update_fields=["remind_at"])
    if seat.robot:
        add_entry(game=game, by=user, kind="took-over", player=user.robo_name, robot=robot, now=now)
    else:
        add_entry(game=game, by=user, kind="back", player=user.robo_name, now=now)
    touch(game, now)


def withdraw_offers(*, game: Game) -> None:
    """Close all open seats of a game that ends. The caller must hold the lock on the game's row."""
    Seat.objects.filter(game=game, offered_at__isnull=False).update(offered_at=None)


def _check_running(game: Game) -> None:
    if game.status != Game.Status.RUNNING:
        raise Conflict("not-running", _("Seats can be taken over only while a game is running."))


def _hand_to_play(seat: Seat) -> Hand | None:
    """Return the hand of a seat if its orders are missing, else None."""
    hands = Hand.objects.select_related("turn").filter(seat=seat, program=None)
    return hands.filter(turn__status=Turn.Status.OPEN).first()


def _left(
    game: Game, seat: Seat, hand: Hand | None, reason: Replacement.Reason, now: datetime
) -> dict[str, Any]:
    """Return the values that a departing player gets back if they return to the game.

    These are the time left in their time bank, the number of turns that they may still miss, the number of
    their most recent turns in a row with orders on time, and their record for the shorter clock.
    """
    bank = seat.bank
    if hand is not None and bank is not None:
        hand.turn.game, hand.seat = game, seat
        extend_deadlines(turn=hand.turn, hands=[hand], now=now)
        bank = bank_left(game=game, turn=hand.turn, hand=hand, seat=seat, now=now)
    clean = 0 if reason == Replacement.Reason.MISSED else seat.clean_turns
    record = {"missed_in_row": seat.missed_in_row, "short_clock": seat.short_clock}
    return {"bank": bank, "excused": seat.excused, "clean_turns": clean, **record}


def _settle_absence(game: Game, seat: Seat, user: User) -> None:
    """Set the time bank of a seat, and the number of turns that its new player may miss.

    A former player of the game gets the values from their last departure.
    """
    pace, before = stored.pace_of(game), seat.bank
    seat.bank = pace.hours * clock.HOUR if isinstance(pace, Bank) else None
    seat.excused, seat.clean_turns = stored.absence_of(game).excused or 0, 0
    last = Replacement.objects.filter(seat__game=game, was=user).order_by("-pk").first()
    if last is None or last.excused is None or last.clean_turns is None:
        return
    seat.excused, seat.clean_turns = last.excused, last.clean_turns
    seat.missed_in_row, seat.short_clock = last.missed_in_row or 0, last.short_clock or 0
    if last.bank is not None:
        hand = _hand_to_play(seat)
        still_runs = hand is not None and hand.deadline is not None and last.turn == game.turn
        nobody_since = not Replacement.objects.filter(seat=seat, pk__gt=last.pk).exists()
        seat.bank = before if last.seat_id == seat.pk and still_runs and nobody_since else last.bank


def _note(
    *,
    game: Game,
    seat: Seat,
    was: User | None,
    became: User | None,
    reason: Replacement.Reason,
    now: datetime,
    **left: Any,
) -> None:
    assert transaction.get_connection().in_atomic_block, "the game's row is to be held"
    passing = {"turn": game.turn or 0, "was": was, "became": became, "reason": reason}
    Replacement.objects.create(game=game, seat=seat, **passing, **left, at=now)


def _notify_replaced(game: Game, user: User, now: datetime) -> None:
    """Notify a player that they were replaced, even if they were replaced before in the same turn."""
    turn = game.turn or 0
    Notice.objects.filter(game=game, turn=turn, user=user, kind="replaced").delete()
    notify(users=[user], kind="replaced", game=game, turn=turn, now=now)


def take_seat(*, user: User, game_id: int, seat: int, link: str = "", now: datetime) -> Game:
    """Take over a seat from its computer. A former player of the seat comes back.

    ``link`` is the token of a private game's link.

    Raises NotFound if the person may not see the game, or if the game has no such seat. Raises Conflict if
    the seat is not open, the person has a seat in the game or is a sitter there, or the game is not running.
    Raises Forbidden for guests, and for players who resigned or were replaced by a vote or by staff. Unless
    it is their own former seat, also raises the errors of `refuse_excluded` and `refuse_limited`.
    """
    refuse_guests(user)
    game_for(viewer=user, game_id=game_id, link=link)
    with transaction.atomic():
        game = locked_game(game_id)
        found = game.players.filter(number=seat).first()
        if found is None:
            raise NotFound("no-such-seat", _("This game has no seat {number}.").format(number=seat))
        if game.status != Game.Status.RUNNING:
            raise Conflict("not-running", _("You can take over a seat only while the game is running."))
        if game.players.filter(user=user).exists():
            raise Conflict("already-joined", _("You already have a seat in this game."))
        _check_may_return(game, user)
        if not found.is_offered:
            detail = _(
                "You cannot take over this seat. Another player has it, its robot has finished or is out,"
                " or a computer has had it from the start."
            )
            raise Conflict("not-offered", detail)
        own = seat_to_return_to(user=user, game=game)
        if known_hands(people=[user.pk], game_ids=[game.pk], now=now):
            detail = _(
                "You sit for a player of this game, or did in this turn, so you can’t take a seat now."
            )
            raise Conflict("sits", detail)
        if own != found:
            refuse_excluded(game=game, user=user)
            refuse_limited(user=user, now=now)
        reason = Replacement.Reason.CAME_BACK if own == found else Replacement.Reason.TAKEN_OVER
        replace_by_person(game=game, seat=found, user=user, reason=reason, now=now)
    return game


def _check_may_return(game: Game, user: User) -> None:
    if why := why_not_back(user=user, game=game):
        raise Forbidden("sent-away", why)


def resign_game(*, user: User, game_id: int, ends: bool | None = None, now: datetime) -> Game:
    """Resign from a running game. A computer plays on in the player's place, or the game ends.

    The game ends if only one side is left, or if no other person plays. ``ends`` says whether the player
    expects the game to end. If it is None, this is not checked.

    Raises NotFound if the person may not see the game, and Forbidden if they have no seat. Raises Conflict if
    they cannot resign, or if the game would not end as the player expects.
    """
    return _part(user=user, game_id=game_id, reason=Replacement.Reason.RESIGNED, ends=ends, now=now)


def give_up_seat(*, user: User, game_id: int, ends: bool | None = None, now: datetime) -> Game:
    """Leave a running game. A computer plays until another player takes over the seat.

    If no other person plays, the game ends. ``ends`` has the same meaning as in `resign_game`. Raises the
    errors of `resign_game`.
    """
    return _part(user=user, game_id=game_id, reason=Replacement.Reason.LEFT, ends=ends, now=now)


def _part(*, user: User, game_id: int, reason: Replacement.Reason, ends: bool | None, now: datetime) -> Game:
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = locked_game(game_id)
        seat = _seat_to_give_up(game, user)
        resigns = reason == Replacement.Reason.RESIGNED
        outcome = departure_outcome(game=game, seat=seat, resigns=resigns)
        if ends is not None and ends != outcome.ends:
            detail = _("The game has changed. Check again what happens if you resign or leave.")
            raise Conflict("changed", detail)
        if outcome.ends:
            add_entry(
                game=game,
                by=user,
                kind="resigned-last" if resigns else "left-last",
                player=user.robo_name,
                now=now,
            )
            _end(game=game, seat=seat, outcome=outcome, now=now)
        else:
            replace_by_computer(game=game, seat=seat, reason=reason, offered=not resigns, now=now)
            add_entry(
                game=game,
                by=user,
                kind="resigned" if resigns else "left-seat",
                player=user.robo_name,
                robot=seat.robo_name,
                now=now,
            )
            _pass_host_on(game, user, now)
            lifecycle.hooks.players_changed(game=game, now=now)
    game.refresh_from_db()
    return game


def end_without_players(*, game: Game, seat: Seat, now: datetime) -> None:
    """End a running game because its last person deletes their account.

    The caller must hold the lock on the game's row.
    """
    assert seat.user
    add_entry(game=game, by=seat.user, kind="deleted-last", player=seat.user.robo_name, now=now)
    _end(game=game, seat=seat, outcome=departure_outcome(game=game, seat=seat, resigns=False), now=now)


def _seat_to_give_up(game: Game, user: User) -> Seat:
    last = Replacement.objects.filter(seat__game=game, was=user).last()
    if last is not None and not game.players.filter(user=user).exists():
        if last.reason == Replacement.Reason.RESIGNED:
            raise Conflict("resigned", _("You have already resigned from this game."))
        if last.reason == Replacement.Reason.LEFT:
            raise Conflict("left", _("You have already left this game."))
    seat = own_seat(user=user, game=game)
    if refusal := why_not_resign(game=game, seat=seat):
        raise Conflict("nothing-to-resign", refusal)
    return seat


def _end(*, game: Game, seat: Seat, outcome: DepartureOutcome, now: datetime) -> None:
    """End a game because a player departs, and notify the other players. ``seat`` is the seat of that player.

    If the ``outcome`` does not count as a result (`DepartureOutcome.counts`), the game is cancelled, without
    a winner.
    """
    others = [user for user in people_in(game) if user.pk != seat.user_id]
    if not outcome.counts:
        end_without_winner(game=game, by=Game.Ending.RESIGNED, now=now)
        notify_about_game(users=others, kind="cancelled", game=game, now=now)
        return
    resign(game=game, winner=outcome.winner, now=now)
    if not game.is_practice:
        last = game.last_played if has_played_turn(game) else game.turn
        notify(users=others, kind="over", game=game, turn=last or 0, now=now)


def _pass_host_on(game: Game, user: User, now: datetime) -> None:
    """If the host has left a game, make the person with the lowest seat number its host."""
    if game.host_id != user.pk:
        return
    heir = game.players.exclude(user=None).select_related("user").order_by("number").first()
    assert heir is not None and heir.user is not None, "with nobody left the game ends"
    game.host = heir.user
    game.save(update_fields=["host"])
    add_entry(game=game, by=None, kind="host", player=game.host.robo_name, now=now)
