"""Selectors of games: seats, hands and turns of a page, names, deadlines, staff actions and delays."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Annotated, Any, Final, NamedTuple, TypedDict, TypeVar

from django.db.models import Case, CharField, Exists, F, Model, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, NullIf
from django.utils.translation import gettext, gettext_lazy as _, ngettext

import rules
from games.absence.models import Replacement
from games.clocks.clock import Span
from games.clocks.models import Heartbeat
from games.clocks.paces import duration
from games.clocks.selectors import announcement_dates, vacation_annotations
from games.errors import NotFound
from games.news.channels.mail import reader_and_game_in
from games.play import stored
from games.play.models import SUBSTITUTE_AUTHORS, Game, Hand, Program, Seat, Turn
from games.play.policy import GIVE_UP
from games.play.stored import turn_record
from games.staff.models import Intervention
from games.wording import squad_name
from games.work.models import Alarm
from roborunner.postgres.queries import Pipeline, PreparedQuery

# --- Load what a game's page needs --------------------------------------------------------------------------


Row = TypeVar("Row", bound=Model)


_SEATS: Final = PreparedQuery(
    lambda game: Seat.objects.select_related("user__reliability").filter(game=game).order_by("number"), int
)
_SEATS_AWAY: Final = PreparedQuery(
    lambda game, today, soon: (
        Seat.objects.select_related("user__reliability")
        .annotate(**vacation_annotations(today, soon))
        .filter(game=game)
        .order_by("number")
    ),
    int,
    date,
    date,
)
_TURN: Final = PreparedQuery(lambda turn: Turn.objects.filter(pk=turn).order_by(), int)
_LAST_TURNS: Final = PreparedQuery(lambda game: Turn.objects.filter(game=game).order_by("-number")[:2], int)
_PLAYERS: Final = PreparedQuery(
    lambda game: Seat.objects.select_related("tally", "user__rest").filter(game=game).order_by("number"), int
)
_HANDS: Final = PreparedQuery(
    lambda turn: Hand.objects.select_related("program", "draft").filter(turn=turn).order_by("robot"), int
)


@dataclass(frozen=True, slots=True)
class PageTurns:
    """The turns that a game page shows. Each may be None.

    ``current`` is the turn under way, or the last turn of a game that is over. ``played`` is the last turn
    that was played.
    """

    current: Turn | None
    played: Turn | None


def prefetch_page(*, game: Game, played: int | None) -> PageTurns:
    """Read the turns that a game page shows, and prefetch the game's seats and hands.

    ``played`` is the number of the last turn played, or None. After this call, ``game.players.all()`` needs
    no query.
    """
    prefetch_seats(game=game)
    by_number = last_turns(game=game)
    for turn in by_number.values():
        if turn.status == Turn.Status.OPEN:
            prefetch_hands(turn=turn)
    current = None if game.turn is None else by_number[game.turn]
    return PageTurns(current, None if played is None else by_number[played])


def last_turns(*, game: Game) -> dict[int, Turn]:
    """Return the last two turns of a game, by turn number. Most requests need no earlier turns."""
    turns = _LAST_TURNS(game.pk) if game.turn is not None else []
    for turn in turns:
        turn.game = game
    return {turn.number: turn for turn in turns}


def prefetch_seats(*, game: Game) -> list[Seat]:
    """Return the seats of a game by number, and prefetch them as ``game.players``.

    The reliability of each player, and present and coming vacations, need no further query.
    """
    if "players" not in getattr(game, "_prefetched_objects_cache", {}):
        _gathered(game, game.players, "players", _SEATS_AWAY(game.pk, *announcement_dates()))
    return list(game.players.all())


def prefetch_seats_for_orders(*, game: Game) -> list[Seat]:
    """Return the seats of a game like `prefetch_seats`, but without coming vacations."""
    return _gathered(game, game.players, "players", _SEATS(game.pk))


def prefetch_players(*, game: Game) -> list[Seat]:
    """Return the seats of a game by number, with the records (tallies) and days off of their players.

    Also prefetch the seats as ``game.players``. Seats that are prefetched already are returned as they are.
    """
    if "players" in getattr(game, "_prefetched_objects_cache", {}):
        return list(game.players.all())
    return _gathered(game, game.players, "players", _PLAYERS(game.pk))


def clear_players(*, game: Game) -> None:
    """Clear the prefetched seats of a game, after a change of its players."""
    getattr(game, "_prefetched_objects_cache", {}).pop("players", None)


def prefetch_hands(*, turn: Turn) -> list[Hand]:
    """Return the hands of a turn with their programs and drafts, and prefetch them as ``turn.hands``."""
    if "hands" in getattr(turn, "_prefetched_objects_cache", {}):
        return list(turn.hands.all())
    return _gathered(turn, turn.hands, "hands", _HANDS(turn.pk))


def _gathered(one: Model, manager: Any, name: str, rows: list[Row]) -> list[Row]:
    """Store rows in Django's prefetch cache of the object ``one``, under ``name``."""
    for row in rows:
        manager.field.set_cached_value(row, one)
    kept = manager.all()
    kept._result_cache, kept._prefetch_done = rows, True
    vars(one).setdefault("_prefetched_objects_cache", {})[name] = kept
    return list(rows)


def seats_of(game: Game) -> list[Seat]:
    """Return the seats of a game by number, with their users. Needs no query if the seats are prefetched."""
    if "players" in getattr(game, "_prefetched_objects_cache", {}):
        return list(game.players.all())
    return list(game.players.select_related("user__reliability").order_by("number"))


def ask_to_play(
    *, game_id: int, turn_id: int, pipeline: Pipeline
) -> Callable[[Game], tuple[Turn, list[Hand]]]:
    """Add queries for a game's players, one of its turns, and the turn's hands to a pipeline.

    Returns a function to call once the pipeline has been sent. The function prefetches the players, and
    returns the turn and its hands.
    """
    players = _PLAYERS.ask(pipeline, game_id)
    turns = _TURN.ask(pipeline, turn_id)
    hands = _HANDS.ask(pipeline, turn_id)

    def gathered(game: Game) -> tuple[Turn, list[Hand]]:
        _gathered(game, game.players, "players", players())
        (turn,) = turns()
        turn.game = game
        return turn, hands()

    return gathered


def missing_hands(turn: Turn) -> list[Hand]:
    """Return the hands of a turn that still need orders. Needs no query if the hands are prefetched."""
    if "hands" in getattr(turn, "_prefetched_objects_cache", {}):
        hands = turn.hands.all()
        return [hand for hand in hands if hand.seat_id is not None and program_of(hand) is None]
    return list(turn.hands.filter(seat__isnull=False, program=None).select_related("seat__user"))


def program_of(hand: Hand) -> Program | None:
    """Return the orders for a hand, or None if there are none."""
    program: Program | None = getattr(hand, "program", None)
    return program


def played_turn(game: Game, number: int) -> Turn:
    """Return a turn that was played. Raises NotFound if the game has not played the turn."""
    turn = game.turns.filter(number=number, status=Turn.Status.RESOLVED).first()
    if turn is None:
        raise NotFound(
            "no-turn", gettext("Turn {number} of this game has not been played yet.").format(number=number)
        )
    return turn


def turns_under_way() -> QuerySet[Turn]:
    """Return the open turns of running games.

    A subquery checks the status of each turn's game. With a join, Postgres would expect many open turns and
    scan all games.
    """
    running = Game.objects.filter(pk=OuterRef("game"), status=Game.Status.RUNNING).order_by()
    asked = Subquery(running.annotate(there=Value(True)).values("there")[:1])
    return Turn.objects.filter(Coalesce(asked, False), status=Turn.Status.OPEN)


# --- Active players -----------------------------------------------------------------------------------------


def people_playing(game: Game) -> tuple[Seat, ...]:
    """Return the seats of people whose robots are still in the game, by seat number."""
    return tuple(seat for seat in seats_of(game) if seat.user_id and not seat.out and seat.place is None)


def contenders(game: Game) -> list[Seat]:
    """Return the seats that could win if the other players conceded.

    If a robot has finished first, only its seat could win. Otherwise, all seats with active robots could.
    """
    seats = seats_of(game)
    return [seat for seat in seats if seat.place == 1] or [seat for seat in seats if not seat.out]


def winner_by(seat: Seat) -> str:
    """Return the winner of a game that is conceded to this seat: its squad, or else its robot's name."""
    return seat.squad or seat.robo_name


def has_played_turn(game: Game) -> bool:
    """Return whether a turn of the game was played. Until then, the game can have no winner."""
    return game.last_seq > 0


# --- Names --------------------------------------------------------------------------------------------------


NAMES = ("Rivet", "Sprocket", "Gasket", "Widget", "Ratchet", "Piston", "Cog", "Solder")
"""The second words of computers' names, by the number of the robot's picture. The first word is the level."""


def computer_name(level: str, look: int) -> str:
    """Return the name of a computer player. It is never translated, because it is part of the game's file.

    The name is the level, a space, and the name of the robot's picture (``look``). It is unique in a game,
    because no two robots have the same picture, and people's names contain no space.
    """
    return f"{level.capitalize()} {NAMES[look - 1]}"


def seat_name(path: str = "") -> Coalesce:
    """Return a database expression for `Seat.robo_name`. ``path`` is the lookup prefix, such as "seat__"."""
    return Coalesce(
        NullIf(F(f"{path}robot"), Value("")), F(f"{path}user__robo_name"), NullIf(F(f"{path}name"), Value(""))
    )


def winner_name(game: Game) -> str:
    if game.winner in rules.ruleset(game.ruleset).squads:
        return squad_name(game.winner)
    return game.winner


def early_end_in_words(game: Game) -> str:
    """Return a sentence about the end of a game that did not end by its rules."""
    match game.ending:
        case Game.Ending.CONCEDED:
            return gettext("The other players conceded: {winner} wins.").format(winner=winner_name(game))
        case Game.Ending.VOTED:
            return gettext("The players voted to cancel the game. There is no winner.")
        case Game.Ending.RESIGNED if game.status == Game.Status.CANCELLED:
            return gettext("The player resigned before the first turn, so the game does not count.")
        case Game.Ending.RESIGNED if game.winner:
            return gettext("The game ended by resignation: {winner} wins.").format(winner=winner_name(game))
        case Game.Ending.RESIGNED:
            return gettext("The last player resigned, so the game is lost.")
        case Game.Ending.DESERTED:
            return gettext("The game was cancelled because no players were left. There is no winner.")
    return gettext("Staff cancelled the game. There is no winner.")


PEOPLE: Final = "people"
COMPUTERS: Final = "computers"
SOLO: Final = "solo"
TEST: Final = "test"
PLAYED_ON: Final = "played-on"
PROTOTYPE: Final = "prototype"


def class_of(game: Game, seats: Iterable[Seat]) -> str:
    """Return the class of a game in statistics.

    The class is ``played-on`` for a game that began at a position, ``test`` for a test flight, ``prototype``
    for a game on a prototype, ``computers`` for a game with a computer from the start, ``solo`` for a game
    with one seat, else ``people``. The first that fits counts. A computer that replaces an absent player does
    not change the class.
    """
    if game.is_played_on:
        return PLAYED_ON
    if game.is_test_flight:
        return TEST
    if game.prototype_version:
        return PROTOTYPE
    if any(seat.computer and not seat.robot for seat in seats):
        return COMPUTERS
    return SOLO if game.seats == 1 else PEOPLE


def class_of_seat() -> Case:
    """Return a database expression for `class_of`, for queries of seats."""
    computers = Seat.objects.filter(game=OuterRef("game")).filter(robot="").exclude(computer="")
    return Case(
        When(game__position__isnull=False, then=Value(PLAYED_ON)),
        When(game__revision=None, then=Value(TEST)),
        When(game__revision__prototype=True, then=Value(PROTOTYPE)),
        When(Exists(computers), then=Value(COMPUTERS)),
        When(game__seats=1, then=Value(SOLO)),
        default=Value(PEOPLE),
        output_field=CharField(),
    )


# --- Deadlines, pauses and missed turns ---------------------------------------------------------------------


def deadline_of(*, turn: Turn, hand: Hand | None = None) -> datetime | None:
    """Return the deadline of a hand, or None if there is no time limit.

    Without a ``hand``, or once the orders for it are in, the result is the deadline of the turn.
    """
    return turn.deadline if hand is None or hand.deadline is None else hand.deadline


PAUSE_REASON: Final = "pause"
"""The reason stored with a pause of a clock while its game is paused."""


def pause_of(game: Game) -> Span | None:
    """Return the last pause of a game, even if the pause has ended, or None if the game was never paused."""
    if game.paused_at is None or game.paused_until is None:
        return None
    return Span(game.paused_at, game.paused_until)


def is_paused(*, game: Game, now: datetime) -> bool:
    """Return whether a running game is paused."""
    pause = pause_of(game)
    return game.status == Game.Status.RUNNING and pause is not None and pause.end > now


SUBSTITUTE_SENTENCES = {
    Program.Author.DEADLINE: _("You missed turn {number}: your registers were filled at random."),
    Program.Author.STANDING: _("You missed turn {number}: your standing orders were played."),
    Program.Author.STAND_IN: _("You missed turn {number}: a computer played it for you."),
}
"""Sentences to a player about a missed turn, by the author of the orders played in their place."""

NO_HEADING = _("You did not choose a heading in time, so one was chosen for you.")
"""The sentence to a player who missed turn 0, the choice of headings."""


def missed_turn_of_seat(*, seat: Seat, turn: int) -> str:
    """Describe a player's missed turn like `missed_turn_in_words`.

    Returns an empty string if the player did not miss the turn.
    """
    by = given_by(seat=seat, turn=seat.game.turns.filter(number=turn).first())
    return missed_turn_in_words(seat=seat, turn=turn, by=by) if by in SUBSTITUTE_AUTHORS else ""


def given_by(*, seat: Seat, turn: Turn | None) -> str | None:
    """Return the author of a seat's orders in a turn, or None if the turn has no orders for the seat."""
    if turn is None:
        return None
    if turn.status == Turn.Status.OPEN:
        programs = Program.objects.filter(hand__seat=seat, hand__turn=turn)
        return programs.values_list("by", flat=True).first()
    given = (hand.program for hand in turn_record(turn).hands if hand.robot == seat.number)
    return next((program.by for program in given if program), None)


def missed_turn_in_words(*, seat: Seat, turn: int, by: str) -> str:
    """Describe which orders were played in a missed turn, and how many more turns the player may miss.

    ``by`` is the author of the orders.
    """
    done = str(SUBSTITUTE_SENTENCES[Program.Author(by)] if turn else NO_HEADING).format(number=turn)
    return " ".join(filter(None, (done, excused_in_words(seat=seat))))


def excused_in_words(*, seat: Seat) -> str:
    """Describe how many more turns a player may miss. Returns an empty string if there is no limit."""
    absence = stored.absence_of(seat.game)
    if absence.excused is None:
        return ""
    if absence.policy == GIVE_UP or seat.excused == 0:
        return gettext("If you miss another turn, a computer takes your seat.")
    return ngettext(
        "You can miss {number} more turn and keep your seat.",
        "You can miss {number} more turns and keep your seat.",
        seat.excused,
    ).format(number=seat.excused)


# --- Staff actions and delays -------------------------------------------------------------------------------


INTERVENTIONS_SHOWN = 50
"""The maximum number of staff actions that are shown for one game."""


class Intervened(TypedDict):
    """A staff action on a game."""

    at: datetime
    action: Annotated[str, tuple(Intervention.Action.values)]
    turn: Annotated[int | None, "The turn that was under way."]
    text: Annotated[str, "A sentence about the action."]
    reason: Annotated[str, "The reason that staff gave."]


def interventions_of(game: Game) -> list[Intervened]:
    """Return the staff actions on a game, newest first."""
    rows = game.interventions.select_related("seat__user")[:INTERVENTIONS_SHOWN]
    return [
        {"at": row.at, "action": row.action, "turn": row.turn, "text": sentence_of(row), "reason": row.reason}
        for row in rows
    ]


def sentence_of(row: Intervention) -> str:
    """Describe a staff action in a sentence."""
    match row.action:
        case Intervention.Action.RESOLVE:
            return gettext("Staff retried turn {number}.").format(number=row.turn)
        case Intervention.Action.EXTEND:
            return gettext("Staff extended the deadline of turn {number} by {duration}.").format(
                number=row.turn, duration=duration(row.hours or 0)
            )
        case Intervention.Action.REPLACE:
            robot = row.seat.robo_name if row.seat else ""
            return gettext("Staff replaced the player of {robot} with a computer.").format(robot=robot)
    return gettext("Staff cancelled the game.")


def unsubscribe_seat(mark: str) -> Seat | None:
    """Return the seat whose mail an unsubscribe link stops. ``mark`` is the signed token in the link.

    Returns None if the token is invalid, or if the person no longer has a seat in the game.
    """
    named = reader_and_game_in(mark)
    if named is None:
        return None
    user_id, game_id = named
    return Seat.objects.select_related("game", "user").filter(user=user_id, game=game_id).first()


MAX_SILENCE = timedelta(minutes=3)
"""The maximum time since the last run of the sweeper. After that time, the workers count as away."""

MAX_CLOCK_ERROR = timedelta(minutes=1)
"""The maximum time between now and a recorded sweep in the future.

Machines' clocks differ, so a sweep may seem to lie in the future. If it lies further ahead, it is ignored.
"""

TIME_TO_PLAY = timedelta(seconds=20)
"""The time that resolving a turn may take, once all orders are in, before it counts as delayed."""

TIME_TO_SWEEP_AND_PLAY = timedelta(seconds=60) + TIME_TO_PLAY
"""The time that resolving a turn may take after its deadline, before it counts as delayed.

The sweeper needs up to a minute to notice the deadline.
"""


def workers_are_silent(*, now: datetime) -> bool:
    """Return whether the sweeper has run before, but not recently."""
    heartbeat = Heartbeat.objects.first()
    return heartbeat is not None and not now - MAX_SILENCE <= heartbeat.at <= now + MAX_CLOCK_ERROR


def workers_are_active(*, now: datetime) -> bool:
    """Return whether the sweeper has run recently."""
    return Heartbeat.objects.filter(at__range=(now - MAX_SILENCE, now + MAX_CLOCK_ERROR)).exists()


def open_alarms() -> int:
    return Alarm.objects.filter(closed_at=None).count()


def resolution_is_delayed(*, game: Game, now: datetime, turn: Turn | None = None) -> bool:
    """Return whether a game's turn should have been resolved by now.

    ``turn`` is the turn under way. It is read from the database if it is not given.
    """
    if game.status != Game.Status.RUNNING:
        return False
    if turn is None:
        turn = game.turns.filter(status=Turn.Status.OPEN).first()
    if turn is None or not any(time and time <= now for time in (turn.ready_at, turn.deadline)):
        return False
    if workers_are_silent(now=now):
        return True
    if turn.ready_at is not None:
        return now > turn.ready_at + TIME_TO_PLAY
    return turn.deadline is not None and now > turn.deadline + TIME_TO_SWEEP_AND_PLAY


# --- Players of seats, and their wins -----------------------------------------------------------------------


def order_by_record(turns: QuerySet[Turn, Any]) -> QuerySet[Turn, Any]:
    """Order turns by their ``recorded`` number, and annotate them with this number as ``first``.

    This is the order in which they were resolved, even if clocks were wrong.
    """
    return turns.annotate(first=F("recorded")).order_by("first")


class SeatTerm(NamedTuple):
    """A period with one player in a seat, from one replacement to the next.

    ``user`` is the ID of the person, or None for a computer. ``since`` is the replacement that began the
    term, or None for the seat's first player. ``until`` is the replacement that ended the term, or None for
    the present player.
    """

    user: int | None
    since: Replacement | None
    until: Replacement | None

    @property
    def first(self) -> int:
        """The first turn that this player may have played."""
        return self.since.turn if self.since else 0

    def has(self, turn: int) -> bool:
        return self.first <= turn and (self.until is None or turn < self.until.turn)


def seat_history(seat: Seat) -> list[SeatTerm]:
    """Return the terms of a seat's players, in order.

    If the seat got new players during a turn, the turn belongs to the term of the last of them.
    """
    changes = sorted(seat.replacements.all(), key=lambda row: row.pk)
    users = [*(change.was_id for change in changes), seat.user_id]
    return list(map(SeatTerm, users, [None, *changes], [*changes, None]))


def terms_of(person: int) -> Iterator[tuple[Seat, SeatTerm]]:
    """Yield a person's terms in seats that have had several players, each term paired with its seat."""
    theirs = Seat.objects.filter(Q(replacements__was=person) | Q(replacements__became=person))
    for seat in theirs.order_by("pk").distinct().prefetch_related("replacements"):
        yield from ((seat, term) for term in seat_history(seat) if term.user == person)


WON = Q(game__winner=Case(When(squad="", then=seat_name()), default=F("squad")))
"""The query condition for seats that have won, either with their own robot or with their squad."""


class TestedPrototype(NamedTuple):
    """A prototype that a person has tested.

    ``game`` is the person's first game that tested it. ``turn`` is the last turn of that game, and ``at`` the
    time of its resolution.
    """

    starship: int
    game: int
    turn: int
    at: datetime


def tested_prototypes(*, person: int, games: QuerySet[Game] | None = None) -> list[TestedPrototype]:
    """Return the prototypes that a person has tested, each once, in the order of the tests.

    A test is a game on another builder's prototype that the person won by the rules, with another person in a
    seat to the end. Any version of the prototype counts. Guests count neither as testers nor as the other
    person. If ``games`` is given, only these games count.
    """
    others = Seat.objects.filter(game=OuterRef("game"), user__is_guest=False).exclude(user=person)
    seats = Seat.objects.filter(
        WON,
        Exists(others),
        user=person,
        user__is_guest=False,
        game__status=Game.Status.OVER,
        game__ending="",
        game__revision__prototype=True,
    ).exclude(game__revision__starship__owner=person)
    if games is not None:
        seats = seats.filter(game__in=games)
    won = list(seats.values_list("game", flat=True))  # a join would make Postgres read all games
    last = Turn.objects.filter(game__in=won, number=F("game__turn"))
    rows = last.values_list("game__revision__starship", "game", "number", "resolved_at")
    found: dict[int, TestedPrototype] = {}
    for starship, *where, _recorded in order_by_record(rows):
        found.setdefault(starship, TestedPrototype(starship, *where))
    return list(found.values())
