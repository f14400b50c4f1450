"""Seats in a running game: replace, take over, come back, resign and leave."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from accounts.models import User
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
from games.play.deadlines import bank_left, extend_deadlines
from games.play.history import add_entry
from games.play.lifecycle import end_without_winner, resign
from games.play.models import Draft, Game, Hand, Replacement, Seat, Turn
from games.play.selectors import computer_name, has_played_turn, when_to_remind
from games.play.services import locked_game, touch
from games.play.viewers import game_for, is_newcomer, own_seat, refuse_busy_newcomer
from games.work import enqueue
from games.work.models import lock_person


def refuse_limited(*, user: User, now: datetime) -> None:
    """Raise Forbidden for suspended players, and for newcomers with too many games.

    A newcomer's requests are counted one after another. This delays no one else, and no turn resolution.
    """
    refuse_suspended(user=user, now=now)
    if is_newcomer(user=user, now=now):
        lock_person(user)
        refuse_busy_newcomer(user=user)


def refuse_housemate(*, game: Game, seats: Sequence[Seat], user: User) -> None:
    """Raise Forbidden for a person from the household of a player in a rated game."""
    among_people = not any(seat.computer for seat in seats)
    if not game.may_be_rated or (game.rated == Game.Rated.USUAL and not among_people):
        return
    if lives_with(user=user, people=[seat.user_id for seat in seats]):
        raise Forbidden(
            "household",
            _("You live with one of the players, and this game is rated. You can join unrated games."),
        )


def refuse_excluded(*, game: Game, user: User) -> None:
    """Raise Forbidden for players excluded by a game, unless invited by its host.

    A host can limit a game to members of a club, or to reliable players. No player can take over a seat in a
    tournament or ladder game.
    """
    if game.in_competition:
        raise Forbidden("tournament", _("You cannot take over seats in games of tournaments and ladders."))
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
"""Replacements at the player's own wish. They get no mail about it."""

SUBSTITUTE_LEVEL = Seat.Level.ROOKIE
"""The level of stand-in computers: too low to gain from absence."""


def replace_by_computer(
    *, game: Game, seat: Seat, reason: Replacement.Reason, offered: bool = True, now: datetime
) -> None:
    """Replace a person by a computer in a running game. The game's row is locked.

    The computer submits any missing orders. Anyone may take over an ``offered`` seat. Raises Conflict if the
    game is not running, and for a seat without a person.
    """
    _check_running(game)
    if seat.user is None:
        raise Conflict("no-person", _("A computer already plays {robot}.").format(robot=seat.robo_name))
    was, seat.robot = seat.user, seat.robo_name
    hand = _hand_to_play(seat)
    left = _left(game, seat, hand, reason, now)
    lifecycle.hooks.seat_passes_on(seat=seat, user=was)
    seat.user, seat.computer, seat.name = None, SUBSTITUTE_LEVEL, computer_name(SUBSTITUTE_LEVEL, seat.look)
    seat.ready, seat.manner, seat.standing, seat.visited_at = True, "", "", None
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
        _tell(game, was, now)
    if reason == Replacement.Reason.MISSED:  # callers record other reasons
        add_entry(game=game, by=None, kind="replaced", robot=seat.robo_name, now=now)
    touch(game, now)


def replace_by_person(
    *, game: Game, seat: Seat, user: User, reason: Replacement.Reason, now: datetime
) -> None:
    """Give a computer's seat in a running game to a person. The game's row is locked.

    A former player gets back their time bank and excused turns. A new player gets full ones. The computer's
    orders count until the person replaces them. Raises Conflict if the game is not running, for a person's
    seat, and for a person with another seat.
    """
    _check_running(game)
    if seat.user is not None:
        raise Conflict("a-person", _("A person already plays {robot}.").format(robot=seat.robo_name))
    if game.players.filter(user=user).exists():
        raise Conflict("already-joined", _("You have a seat in this game already."))
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
    """Close all open seats of an ending game. Its row is locked."""
    Seat.objects.filter(game=game, offered_at__isnull=False).update(offered_at=None)


def _check_running(game: Game) -> None:
    if game.status != Game.Status.RUNNING:
        raise Conflict("not-running", _("Seats can change players only while a game is running."))


def _hand_to_play(seat: Seat) -> Hand | None:
    """Return the hand of a seat with missing orders, if any."""
    hands = Hand.objects.select_related("turn").filter(seat=seat, program=None)
    return hands.filter(turn__status=Turn.Status.OPEN).first()


def _left(
    game: Game, seat: Seat, hand: Hand | None, reason: Replacement.Reason, now: datetime
) -> dict[str, Any]:
    """Return a departing player's remaining time bank and excused turns."""
    bank = seat.bank
    if hand is not None and bank is not None:
        hand.turn.game, hand.seat = game, seat
        extend_deadlines(turn=hand.turn, hands=[hand], now=now)
        bank = bank_left(game=game, turn=hand.turn, hand=hand, seat=seat, now=now)
    clean = 0 if reason == Replacement.Reason.MISSED else seat.clean_turns
    return {"bank": bank, "excused": seat.excused, "clean_turns": clean}


def _settle_absence(game: Game, seat: Seat, user: User) -> None:
    """Give a seat the time bank and excused turns from its player's last departure."""
    pace, before = stored.pace_of(game), seat.bank
    seat.bank = pace.hours * clock.HOUR if isinstance(pace, Bank) else None
    seat.excused, seat.clean_turns = stored.absence_of(game).excused or 0, 0
    last = Replacement.objects.filter(seat__game=game, was=user).order_by("-pk").first()
    if last is None or last.excused is None or last.clean_turns is None:
        return
    seat.excused, seat.clean_turns = last.excused, last.clean_turns
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


def _tell(game: Game, user: User, now: datetime) -> None:
    """Notify a replaced player, again on every replacement."""
    turn = game.turn or 0
    Notice.objects.filter(game=game, turn=turn, user=user, kind="replaced").delete()
    notify(users=[user], kind="replaced", game=game, turn=turn, now=now)


def take_seat(*, user: User, game_id: int, seat: int, link: str = "", now: datetime) -> Game:
    """Take over a seat from its computer. Its former player comes back.

    ``link`` is the token of a private game's link. Raises NotFound for a game that the person may not see,
    and for a seat that does not exist. Raises Conflict if the seat is not open (any more), for a person with
    a seat, and once the game is over. Raises Forbidden for guests, for players whom the others replaced in
    this game, and for players excluded by the game, except from their own seat.
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
            raise Conflict("already-joined", _("You have a seat in this game already."))
        _check_may_return(game, user)
        if not found.is_offered:
            detail = _(
                "You cannot take over this seat. Another player has it, its robot has finished or is out, or"
                " its computer has played from the start."
            )
            raise Conflict("not-offered", detail)
        own = seat_to_return_to(user=user, game=game)
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
    """Resign from a running game. A computer plays on, or the game ends.

    It ends if only one side, or no other person, is left. ``ends`` is the outcome that the player expects.
    Raises NotFound for a game hidden from the person, Forbidden without a seat, and Conflict if resigning is
    not possible (any more), or if ``ends`` is wrong.
    """
    return _part(user=user, game_id=game_id, reason=Replacement.Reason.RESIGNED, ends=ends, now=now)


def give_up_seat(*, user: User, game_id: int, ends: bool | None = None, now: datetime) -> Game:
    """Leave a running game. A computer plays until a player takes over the seat.

    If no other person plays, the game ends. Raises the same errors as `resign_game`.
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
    """End a running game before its last person deletes their account.

    The game's row is locked.
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
    """End a game without players.

    A practice game or a game with one seat does not count if no turn was played.
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
    """Make the next person the host of a game, if its host has left."""
    if game.host_id != user.pk:
        return
    heir = game.players.exclude(user=None).select_related("user").order_by("number").first()
    assert heir is not None and heir.user is not None, "with nobody left the game ends"
    game.host = heir.user
    game.save(update_fields=["host"])
    add_entry(game=game, by=None, kind="host", player=game.host.robo_name, now=now)
