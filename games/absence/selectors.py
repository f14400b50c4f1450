"""Selectors of open seats, of the outcome of departures, and of a person's hands and orders."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext, gettext_lazy as _

from accounts.models import User
from games.absence.models import Replacement
from games.play.history import Sentence
from games.play.models import Game, Seat, Turn
from games.play.selectors import SeatTerm, contenders, has_played_turn, people_playing, terms_of, winner_by
from games.play.stored import PlayedHand, each_played

HISTORY: Final[Mapping[str, Sentence]] = {
    "replaced": _("A Rookie plays {robot} now, because its player missed too many turns."),
    "back": _("{player} is back."),
    "took-over": _("{player} plays {robot} now."),
    "resigned": _("{player} resigned. A Rookie plays {robot} to the end."),
    "left-seat": _("{player} left. A Rookie plays {robot} until another player takes over the seat."),
    "resigned-last": _("{player} resigned. The game is over."),
    "left-last": _("{player} left. The game is over."),
    "deleted-last": _("{player} deleted their account. The game is over."),
    "unattended": _("The game was cancelled, because no player submitted orders for {turns} turns."),
}


# --- Open seats ---------------------------------------------------------------------------------------------


RETURN_REASONS = frozenset({Replacement.Reason.MISSED, Replacement.Reason.LEFT})
"""The reasons for replacements after which the player may come back."""

SENT_AWAY = _("You were replaced by a vote or by staff, so you cannot come back to this game.")
RESIGNED = _("You resigned, so you cannot come back to this game.")
"""The message to players who may not come back to a game because they resigned."""


def seat_to_return_to(*, user: User, game: Game) -> Seat | None:
    """Return the former seat that a person may come back to, if it is still open, else None."""
    if game.status != Game.Status.RUNNING:
        return None
    last = Replacement.objects.filter(seat__game=game, was=user).select_related("seat").last()
    if last is None or last.reason not in RETURN_REASONS or last.seat.user_id is not None:
        return None
    latest = last.seat.replacements.last()
    return last.seat if latest == last and last.seat.is_offered else None


def seats_to_return_to(*, user: User) -> list[Seat]:
    """Return the former seats that a person may come back to, with their games, most recently lost first."""
    latest = Replacement.objects.filter(seat=OuterRef("seat")).order_by("-pk").values("pk")[:1]
    later = Replacement.objects.filter(was=user, seat__game=OuterRef("seat__game"), pk__gt=OuterRef("pk"))
    lost = Replacement.objects.filter(was=user, reason__in=RETURN_REASONS, pk=Subquery(latest))
    held = lost.filter(seat__user=None, seat__offered_at__isnull=False, seat__out=False, seat__place=None)
    open_to_them = held.filter(~Exists(later), seat__game__status=Game.Status.RUNNING).exclude(
        Exists(Seat.objects.filter(game=OuterRef("seat__game"), user=user))
    )
    return [row.seat for row in open_to_them.select_related("seat__game").order_by("-pk")]


def why_not_back(*, user: User, game: Game) -> str:
    """Return the reason why a person may not come back to a game, or an empty string if they may."""
    last = Replacement.objects.filter(seat__game=game, was=user).last()
    if last is None or last.reason in RETURN_REASONS:
        return ""
    return str(RESIGNED if last.reason == Replacement.Reason.RESIGNED else SENT_AWAY)


def seats_offered(*, seats: Iterable[Seat], game: Game) -> list[Seat]:
    if game.status != Game.Status.RUNNING or game.in_competition:
        return []
    return [seat for seat in seats if seat.is_offered]


# --- Resigning and leaving ----------------------------------------------------------------------------------


COUNTS_AS_LOST: Final = (
    Replacement.Reason.RESIGNED,
    Replacement.Reason.LEFT,
    Replacement.Reason.MISSED,
    Replacement.Reason.VOTED,
)
"""The reasons for replacements after which a player has lost the game, unless they come back.

Replacement by staff is not among them, because staff may replace a player for any reason.
"""


@dataclass(frozen=True, slots=True)
class DepartureOutcome:
    """The effects on a game if a player resigns from it or leaves it.

    ``ends`` says whether the game ends. ``winner`` is a robot's name, a squad, or empty. ``counts`` is False
    in a practice game, or a game with one seat, if no turn has been played. If such a game ends, it is
    cancelled.
    """

    ends: bool
    winner: str
    counts: bool


def why_not_resign(*, game: Game, seat: Seat) -> str:
    """Return the reason why a player cannot resign or leave, or an empty string if they can."""
    match game.status:
        case Game.Status.OPEN:
            return gettext(
                "This game has not started, so there is nothing to resign. You can leave it in its lobby."
            )
        case Game.Status.OVER | Game.Status.CANCELLED:
            return gettext("This game is over, so there is nothing to resign.")
    if seat.place is not None and not game.is_on_one_screen:  # there, others may still play
        return gettext("Your robot has finished, so there is nothing to resign.")
    if seat.out and _others_playing(game, seat):
        return gettext("Your robot is out of the game, so there is nothing to resign.")
    return ""


def departure_outcome(*, game: Game, seat: Seat, resigns: bool) -> DepartureOutcome:
    """Return the effects if a player resigns from a game or, if ``resigns`` is False, leaves it."""
    counts = has_played_turn(game) or not (game.is_practice or game.seats == 1)
    standing = [other for other in contenders(game) if other.pk != seat.pk and not _same_squad(other, seat)]
    if not _others_playing(game, seat):
        # A robot ranks behind, and does not win, if its player left earlier.
        winner = _only_side(other for other in standing if other.place == 1 or not _was_left(other))
        return DepartureOutcome(ends=True, winner=winner if counts else "", counts=counts)
    winner = _only_side(other for other in standing if other.place == 1 or not _resigned(other))
    alone = resigns and winner != "" and not _squadmates(game, seat)
    return DepartureOutcome(ends=alone, winner=winner if alone else "", counts=True)


def given_up_by(person: User) -> QuerySet[Seat]:
    """Return a query for the seats that a person has lost for good.

    A seat is left out if the person has a seat in the same game again.
    """
    later = Replacement.objects.filter(was=person, seat__game=OuterRef("seat__game"), pk__gt=OuterRef("pk"))
    last = Replacement.objects.filter(~Exists(later), was=person, reason__in=COUNTS_AS_LOST)
    back = Seat.objects.filter(game=OuterRef("game"), user=person)
    return Seat.objects.filter(~Exists(back), pk__in=last.values("seat"))


def played_by(person: User) -> Q:
    """Return a condition for the seats of a person, including the seats that they have lost for good."""
    kept = Seat.objects.filter(user=person).order_by().values("pk")
    # A union, since Postgres would read all seats for an OR of both conditions.
    return Q(pk__in=kept.union(given_up_by(person).order_by().values("pk")))


def _others_playing(game: Game, seat: Seat) -> tuple[Seat, ...]:
    return tuple(other for other in people_playing(game) if other.pk != seat.pk)


def _only_side(seats: Iterable[Seat]) -> str:
    """Return the side (robot or squad) of these seats if it is the same for all, else an empty string."""
    sides = {winner_by(seat) for seat in seats}
    return sides.pop() if len(sides) == 1 else ""


def _same_squad(other: Seat, seat: Seat) -> bool:
    return bool(seat.squad) and other.squad == seat.squad


def _squadmates(game: Game, seat: Seat) -> Iterable[Seat]:
    return [other for other in _others_playing(game, seat) if _same_squad(other, seat)]


def _was_left(seat: Seat) -> bool:
    return seat.user_id is None and seat.replacements.exists()


def _resigned(seat: Seat) -> bool:
    last = seat.replacements.last()
    return seat.user_id is None and last is not None and last.reason == Replacement.Reason.RESIGNED


# --- Hands and orders of a person ---------------------------------------------------------------------------


def hands_dealt_to(user: User) -> Q:
    """Return a condition for a person's hands in open turns.

    If another player took over the robot during the turn, the hand is included only if it was not redrawn,
    because the other player may have redrawn it. Face-down hands are left out, because no one has seen them
    (AM-5.2).
    """
    found = Q(seat__user=user, seat__shared=False)
    for seat, term in terms_of(user.pk):
        theirs = Q(seat=seat, turn__number__gte=term.first)
        if term.until is not None:
            theirs &= Q(turn__number__lte=term.until.turn, redealt=None)
        found |= theirs
    return found & Q(face_down=False, turn__status=Turn.Status.OPEN)


def orders_given_by(user: User) -> Q:
    """Return a condition for programs in open turns that were submitted while a person had the robot."""
    found = Q(hand__seat__user=user, hand__seat__shared=False)
    for seat, term in terms_of(user.pk):
        theirs = Q(hand__seat=seat)
        if term.since is not None:
            theirs &= Q(submitted_at__gte=term.since.at)
        if term.until is not None:
            theirs &= Q(submitted_at__lt=term.until.at)
        found |= theirs
    return found & Q(hand__turn__status=Turn.Status.OPEN)


def hands_played_by(user: User) -> Iterator[tuple[Seat, Turn, PlayedHand]]:
    """Yield a person's hands in played turns, each with its seat and turn.

    A hand contains its program only if the program was submitted while the person had the robot. Face-down
    hands without such a program are left out.
    """
    alone = Seat.objects.filter(user=user, shared=False)
    for seat, term in [*((seat, SeatTerm(user.pk, None, None)) for seat in alone), *terms_of(user.pk)]:
        turns = Turn.objects.filter(game=seat.game_id, status=Turn.Status.RESOLVED, number__gte=term.first)
        if term.until is not None:
            turns = turns.filter(number__lte=term.until.turn)
        for turn, played in each_played(turns.order_by("number")):
            for hand in played.hands:
                theirs = _own_hand(hand, term)
                if hand.robot == seat.number and not (hand.face_down and theirs.program is None):
                    yield seat, turn, theirs


def _own_hand(hand: PlayedHand, term: SeatTerm) -> PlayedHand:
    """Return a hand, without its program if that was submitted while another player had the robot."""
    given = hand.program
    if given is None:
        return hand
    early = term.since is not None and given.submitted_at < term.since.at
    late = term.until is not None and given.submitted_at >= term.until.at
    return replace(hand, program=None) if early or late else hand
