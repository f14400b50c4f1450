"""Read analyses: permissions, a game's review, each player's accuracy and luck, and the coach of missions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, NamedTuple, TypedDict

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.analysis.models import Analysis
from games.content_cache import LRUCache
from games.errors import Conflict, Shape
from games.play import stored
from games.play.models import LEAVES_RECORDS, Game, Seat, Turn
from games.play.orders import turn_under_way
from games.play.selectors import prefetch_seats_for_orders, program_of
from games.play.viewers import Viewer, own_seat, seat_of
from games.work.jobs import reason_in_words
from rules.review import REVIEW_FORMAT, VERSION, Choice, advise

Document = Mapping[str, Any]

DECISIVE: Final = 3
"""The maximum number of decisive turns of a game."""
MIN_SWING: Final = 0.02
"""The minimum change of a chance to win in a decisive turn."""

REVIEW: Final = Shape(
    {
        "type": "object",
        "description": f"The turns reviewed so far, as a `{REVIEW_FORMAT}` document. Null before the first.",
        "properties": {"format": {"type": "string", "enum": [REVIEW_FORMAT]}},
        "required": ["format"],
        "additionalProperties": True,
        "nullable": True,
    }
)


class PlayerFigures(TypedDict):
    """The sums of a player's figures. They are shares of a game, except the number of decisions."""

    seat: int
    robot: str
    accuracy: Annotated[
        float | None,
        "1 minus the average chance to win that the player’s own decisions lost; null without one.",
    ]
    luck: Annotated[float, "The deal plus the collision."]
    deal: float
    decision: float
    collision: float
    hindsight: float
    decisions: Annotated[int, "The number of the player’s own decisions."]


class AnalysisView(TypedDict):
    """The analysis of a game, or of your own past turns in a running game."""

    status: Annotated[
        str, tuple(Analysis.Status.values), "An analysis that is `waiting` or `working` is not over."
    ]
    version: Annotated[int, "The version of the value function."]
    turns: Annotated[int, "The number of turns to review."]
    reviewed: Annotated[int, "The number of turns reviewed so far."]
    failure: Annotated[str | None, "The reason for a failure, in a sentence for people; null without one."]
    decisive: Annotated[list[int], "The numbers of the turns that changed chances most."]
    players: list[PlayerFigures]
    review: Annotated[dict[str, Any] | None, REVIEW]


@dataclass(frozen=True, slots=True)
class Review:
    """The reviewed turns of a game. ``document`` is a review/1 document.

    ``names`` are the present names of all robots, in order. ``mine`` is the index of the reader's robot, or
    None.
    """

    analysis: Analysis
    document: Document
    names: Sequence[str]
    mine: int | None

    @property
    def turns(self) -> list[Document]:
        """The reviewed turns, in order."""
        return list(self.document["turns"])

    def players(self) -> list[PlayerFigures]:
        """Return the sums of each reviewed player's figures, in seat order."""
        return [
            figures_of(int(number), self.names[int(number) - 1], totals)
            for number, totals in self.document["totals"].items()
        ]


def figures_of(seat: int, robot: str, totals: Document) -> PlayerFigures:
    """Return a player's sums, with accuracy and luck. ``totals`` are from a review/1 document."""
    return {
        "seat": seat,
        "robot": robot,
        "accuracy": totals["accuracy"],
        "luck": round(totals["deal"] + totals["collision"], 4),
        "deal": totals["deal"],
        "decision": totals["decision"],
        "collision": totals["collision"],
        "hindsight": totals["hindsight"],
        "decisions": totals["decisions"],
    }


def decisive_turns(turns: Sequence[Document]) -> list[Document]:
    """Return the turns that changed a chance to win most, in the order of the game.

    >>> turns = [{"turn": number, "before": [0.5], "after": [after]}
    ...          for number, after in enumerate((0.5, 0.6, 0.9, 0.2, 0.51))]
    >>> [turn["turn"] for turn in decisive_turns(turns)]
    [1, 2, 3]
    """
    swings = [(swing_of(turn), -place) for place, turn in enumerate(turns)]
    greatest = sorted((swing for swing in swings if swing[0] >= MIN_SWING), reverse=True)[:DECISIVE]
    return [turns[place] for place in sorted(-place for _, place in greatest)]


def swing_of(turn: Document) -> float:
    """Return the greatest change of a chance to win in a turn."""
    return max(map(abs, changes_in(turn)))


def changes_in(turn: Document) -> list[float]:
    """Return the changes of all chances to win in a turn, in seat order."""
    return [after - before for before, after in zip(turn["before"], turn["after"], strict=True)]


def shown_robot(turn: Document) -> int:
    """Return the index of the reviewed robot with the greatest change of its chance to win in a turn."""
    changes = changes_in(turn)
    reviewed = [figures["robot"] - 1 for figures in turn["figures"]]
    return max(reviewed or range(len(changes)), key=lambda index: abs(changes[index]))


class Swing(NamedTuple):
    """A decisive turn: the index of the robot whose chance to win changed most, and the chance.

    ``phase`` is the phase of the greatest cause, or None if no cause has a phase.
    """

    turn: int
    phase: int | None
    robot: int
    before: float
    after: float


SWINGS: Final = LRUCache[tuple[Swing, ...]](2000, lambda swings: 1)
"""The cache of the swings of analyses, because a review is a large document."""


def swings_of(*, game: Game, viewer: Viewer) -> tuple[Swing, ...]:
    """Return the decisive turns of a game in the analysis that a viewer may read, if there is one."""
    seat = seat_of(viewer=viewer, game=game)
    if not game.was_played and (game.status != Game.Status.RUNNING or seat is None):
        return ()
    reader = None if game.was_played or seat is None else seat.user_id
    rows = Analysis.objects.filter(game=game, player=reader, reviewed__gt=0, version__lte=VERSION)
    found = rows.order_by("-version").values_list("pk", "reviewed", "asked_at").first()
    if found is None:
        return ()
    review = Analysis.objects.filter(pk=found[0]).values_list("review__turns", flat=True)
    return SWINGS.get_or_make(repr(found), lambda: tuple(map(_swing, decisive_turns(review.first() or ()))))


def _swing(turn: Document) -> Swing:
    robot = shown_robot(turn)
    before, after = turn["before"][robot], turn["after"][robot]
    causes = [
        (cause["effect"], cause["phase"])
        for figures in turn["figures"]
        for cause in figures["causes"]
        if figures["robot"] - 1 == robot and cause["phase"] and cause["effect"] * (after - before) > 0
    ]
    phase = max(causes, key=lambda cause: abs(cause[0]))[1] if causes else None
    return Swing(turn["turn"], phase, robot, before, after)


# --- Who may read which -------------------------------------------------------------------------------------


def reader_of(*, game: Game, viewer: Viewer) -> User | None:
    """Return the viewer if they may read only an analysis of their own turns, else None.

    While a game runs, its players may read only their own. Raises Conflict if the game has nothing to
    analyse for the viewer.
    """
    seat = seat_of(viewer=viewer, game=game)
    if not game.was_played and (game.status != Game.Status.RUNNING or seat is None):
        raise Conflict("not-over", _("You can’t analyse this game until it is over."))
    if len({each.squad or each.number for each in game.players.all()}) < 2:
        raise Conflict(
            "one-side", _("This game can’t be analysed, because all its robots are on the same side.")
        )
    reader = None if game.was_played or seat is None else seat.user
    if not turns_to_review(game=game, player=reader).exists():
        raise not_played()
    return reader


def not_played() -> Conflict:
    return Conflict(
        "not-played", _("There is nothing to analyse yet. Come back when a turn has been played.")
    )


def turns_to_review(*, game: Game, player: User | None) -> QuerySet[Turn]:
    """Return the turns of a game that an analysis covers, in order.

    A player's own analysis begins with their first turn in the seat.
    """
    turns = game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")
    if player is None:
        return turns
    seat = game.players.filter(user=player).first()
    if seat is None:
        return turns.none()
    return turns.filter(number__gte=first_turn_of(seat))


def numbers_to_review(*, game: Game, player: User | None) -> list[int]:
    return list(turns_to_review(game=game, player=player).values_list("number", flat=True))


def first_turn_of(seat: Seat) -> int:
    """Return the first turn of a seat's present player."""
    taken = seat.replacements.filter(became=seat.user_id).order_by("pk").last()
    return taken.turn if taken else 0


def analysis_of(*, game: Game, viewer: Viewer) -> Analysis | None:
    """Return the newest analysis of a game that a viewer may read, or None. Raises Conflict (`reader_of`)."""
    reader = reader_of(game=game, viewer=viewer)
    found = Analysis.objects.filter(game=game, player=reader)
    return found.filter(version__lte=VERSION).order_by("-version").first()


def review_of(*, game: Game, viewer: Viewer) -> Review | None:
    """Return the reviewed turns of a game that a viewer may read, or None before the first reviewed turn.

    Raises Conflict if there is nothing to analyse for the viewer (`reader_of`).
    """
    prefetch_seats_for_orders(game=game)
    return review_in(analysis_of(game=game, viewer=viewer), game=game, viewer=viewer)


def review_in(analysis: Analysis | None, *, game: Game, viewer: Viewer) -> Review | None:
    """Return the reviewed turns of an analysis, or None if there are none yet."""
    if analysis is None or analysis.review is None:
        return None
    last = game.turns.filter(status=Turn.Status.RESOLVED).order_by("number").last()
    assert last is not None
    seat = seat_of(viewer=viewer, game=game)
    names = stored.turn_record(last).names
    return Review(analysis, analysis.review, names, seat.number - 1 if seat else None)


def complete_review(*, game: Game) -> Document | None:
    """Return the complete review/1 document of all robots of a game, by the present version, or None."""
    done = Analysis.objects.filter(game=game, player=None, version=VERSION, status=Analysis.Status.DONE)
    return done.values_list("review", flat=True).first()


def games_under_analysis() -> QuerySet[Analysis, int]:
    """Return the IDs of finished games with an analysis under way."""
    return Analysis.objects.filter(Analysis.OPEN, player=None).values_list("game", flat=True)


def can_continue(analysis: Analysis, *, game: Game) -> bool:
    """Return whether a worker has something to add: turns, or the figures of a newer version."""
    if analysis.is_under_way:
        return False
    if analysis.version != VERSION or analysis.status != Analysis.Status.DONE:
        return True
    done = {turn["turn"] for turn in reviewed_turns(analysis)}
    return not done.issuperset(numbers_to_review(game=game, player=analysis.player))


def reviewed_turns(analysis: Analysis) -> list[dict[str, Any]]:
    """Return the documents of the turns reviewed so far."""
    return list((analysis.review or {"turns": []})["turns"])


def analysis_view(analysis: Analysis, *, game: Game, viewer: Viewer) -> AnalysisView:
    """Return the view of an analysis."""
    review = review_in(analysis, game=game, viewer=viewer)
    return {
        "status": analysis.status,
        "version": analysis.version,
        "turns": analysis.turns,
        "reviewed": analysis.reviewed,
        "failure": reason_in_words(analysis.failure) if analysis.failure else None,
        "decisive": [turn["turn"] for turn in decisive_turns(review.turns)] if review else [],
        "players": review.players() if review else [],
        "review": analysis.review,
    }


# --- Over time ----------------------------------------------------------------------------------------------


GAMES_SHOWN: Final = 20
"""The maximum number of analysed games in a player's accuracy over time."""


class AnalysedGameView(TypedDict):
    """A finished and analysed game of a player, with the player's accuracy and luck."""

    id: int
    name: str
    ended_at: datetime | None
    accuracy: float
    luck: float


class AccuracyView(TypedDict):
    """A player's accuracy and luck in their latest analysed games."""

    accuracy: Annotated[float, "The average over all decisions of these games."]
    luck: Annotated[float, "The average over these games."]
    games: Annotated[list[AnalysedGameView], f"Up to {GAMES_SHOWN} games, latest first."]


def accuracy_of(*, user: User, games: QuerySet[Game]) -> AccuracyView | None:
    """Return a player's accuracy and luck in the latest of these games that are finished and analysed.

    Games in which other people have also played the robot, games that leave no records, and games without a
    decision of the player are left out. Returns None without a game.
    """
    seats = Seat.objects.filter(user=user, shared=False, game__in=games.filter(LEAVES_RECORDS))
    done = Analysis.objects.filter(
        game__in=seats.values("game"), player=None, status=Analysis.Status.DONE
    ).order_by("-game__ended_at", "-pk")
    rows = list(done.values_list("game", "game__name", "game__ended_at", "review__totals")[:GAMES_SHOWN])
    numbers = dict(seats.filter(game__in=[row[0] for row in rows]).values_list("game", "number"))
    found: list[tuple[AnalysedGameView, int]] = []
    for pk, name, ended_at, totals in rows:
        number = numbers.get(pk, 0)  # 0 if the person has just lost the seat
        if own := totals.get(str(number)):
            figures = figures_of(number, user.robo_name, own)
            if (accuracy := figures["accuracy"]) is not None:
                row = AnalysedGameView(
                    id=pk, name=name, ended_at=ended_at, accuracy=accuracy, luck=figures["luck"]
                )
                found.append((row, figures["decisions"]))
    if not found:
        return None
    decisions = sum(number for _, number in found)
    return {
        "accuracy": round(sum(row["accuracy"] * number for row, number in found) / decisions, 4),
        "luck": round(sum(row["luck"] for row, _ in found) / len(found), 4),
        "games": [row for row, _ in found],
    }


# --- The coach of training missions -------------------------------------------------------------------------


FAILED_TRIES: Final = 2
"""The number of failed tries at a mission after which its player can ask the coach."""


def offers_coach(*, game: Game, seat: Seat | None) -> bool:
    """Return whether the player of a seat can ask the coach in this game, or in the next try at its mission.

    A try is a game of the mission in which at least one program was played. It failed if the game is over and
    the robot has not won.
    """
    if game.mission_id is None or seat is None or seat.user_id is None:
        return False
    played = Turn.objects.filter(game=OuterRef("pk"), number__gte=1, status=Turn.Status.RESOLVED)
    over = Game.objects.filter(host=seat.user_id, mission=game.mission_id, status=Game.Status.OVER)
    return over.filter(Exists(played), winner="")[:FAILED_TRIES].count() == FAILED_TRIES


def ask_coach(*, user: User, game: Game, turn_number: int) -> tuple[Choice, ...]:
    """Return the coach's first choice of orders for a turn of a mission, and the next best one if any.

    The coach knows only what the player knows. Raises Forbidden without a seat. Raises Conflict before enough
    tries have failed, if the turn is not under way, and if it needs no orders.
    """
    seat = own_seat(user=user, game=game)
    if not offers_coach(game=game, seat=seat):
        raise Conflict(
            "no-coach", _("The coach helps in training missions, after you have failed the same one twice.")
        )
    turn = turn_under_way(game, turn_number)
    hand = turn.hands.select_related("program").filter(seat=seat).first()
    if hand is None or program_of(hand) is not None:
        raise Conflict(
            "no-orders-needed", _("Turn {turn} no longer needs your orders.").format(turn=turn_number)
        )
    setup, index = stored.setup_of(game), seat.number - 1
    seen = rules.view(stored.start_of(turn, setup.starship), index)
    return advise(setup, seen, index, stored.chips_of(hand), f"coach of game {game.pk}", count=2)
