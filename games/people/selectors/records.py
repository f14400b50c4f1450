"""Read records: counters of robots, numbers of games, and achievements (GR-4)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, TypedDict, cast

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.absence.selectors import played_by
from games.errors import NotFound, Shape, view_of_row
from games.lobby.lists import waiting_count
from games.people.models import Achievement, Tally
from games.play import stored
from games.play.models import Game, Seat, Turn
from games.play.selectors import COMPUTERS, PEOPLE, SOLO, WON, class_of_seat
from games.play.viewers import Audiences, Viewer
from rules import achievements as of_rules
from rules.achievements import Definition
from rules.language import N_
from rules.statistics import COUNTERS

# --- Numbers of games ---------------------------------------------------------------------------------------


class GameNumbersView(TypedDict):
    """The numbers of a person's open, running, finished and won games. Cancelled games do not count.

    Games with a single seat count only as missions.
    """

    open: int
    running: int
    over: int
    won: int
    missions: Annotated[int, "Solo flights and training missions, running or over."]
    waiting: Annotated[int, "Running games that need this person's orders."]


def game_numbers(*, user: User) -> GameNumbersView:
    counted = _numbers(user, Seat.objects.filter(played_by(user)))
    return cast("GameNumbersView", {**counted, "waiting": waiting_count(user=user)})


class ShownNumbersView(TypedDict):
    """The counts of games and tested prototypes on a player's page.

    Cancelled games and games with a single seat do not count.
    """

    running: Annotated[int | None, "Null if they hide their running games."]
    over: int
    won: int
    tested: Annotated[int, "Prototypes by other builders on which they won a game with other people."]


def shown_numbers(audiences: Audiences, *, tested: int) -> ShownNumbersView:
    """Return the numbers of games on a player's page: running, over and won games.

    ``running`` is None if the player hides running games. ``tested`` is the number of tested prototypes.
    """
    person = audiences.person
    counted = _numbers(person, Seat.objects.filter(played_by(person), game__in=audiences.games()))
    running = counted["running"] if audiences.sees(audiences.person.shows_games) else None
    return {"running": running, "over": counted["over"], "won": counted["won"], "tested": tested}


def _numbers(person: User, seats: QuerySet[Seat]) -> dict[str, int]:
    """Return how many open, running, finished and won games, and how many missions, a person has.

    A finished game never counts as won if the person gave up the seat.
    """
    kept, among_others = Q(user=person), Q(kind__in=(PEOPLE, COMPUTERS))
    over = Q(game__status=Game.Status.OVER)
    started = over | Q(game__status=Game.Status.RUNNING)
    counts = {
        "open": kept & Q(game__status=Game.Status.OPEN),
        "running": kept & Q(game__status=Game.Status.RUNNING) & among_others,
        "over": over & among_others,
        "won": kept & over & among_others & WON,
        "missions": kept & started & Q(kind=SOLO),
    }
    rows: dict[str, int] = (
        seats.annotate(kind=class_of_seat())
        .order_by()
        .aggregate(**{name: Count("pk", filter=which) for name, which in counts.items()})
    )
    return rows


# --- Achievements and counters ------------------------------------------------------------------------------


PROTOTYPES_TESTED: Final = "prototypes_tested"
"""The key for the number of prototypes tested by a person. All other keys are counters of robots."""

TEST_PILOT: Final = Definition(
    key="test-pilot",
    german="",
    english=N_("Test Pilot"),
    condition=N_("Win on 5 prototypes by other builders, in games with other people."),
    counters=(PROTOTYPES_TESTED,),
    goal=5,
    motif=PROTOTYPES_TESTED,
    step=3,  # gold, and the only step of this motif: it takes many people
)

ACHIEVEMENTS: Final[Mapping[str, Definition]] = {**of_rules.ACHIEVEMENTS, TEST_PILOT.key: TEST_PILOT}
"""All achievements by key, in display order."""


Document = dict[str, Any]

Counters = Annotated[
    dict[str, int],
    Shape(
        {
            "type": "object",
            "description": "Counters of the robot.",
            "properties": {counter: {"type": "integer"} for counter in COUNTERS},
            "required": list(COUNTERS),
        }
    ),
]


class RobotStatisticsView(TypedDict):
    """The statistics of one robot in one game."""

    seat: int
    name: str
    look: int
    computer: str | None
    place: int | None
    counters: Counters


class NamedGameView(TypedDict):
    """The id and name of a game."""

    id: int
    name: str


class DefinitionView(TypedDict):
    """The definition of an achievement."""

    key: str
    german: Annotated[str, "Its title in the Group 11 design, which is in German. Empty if it has none."]
    english: str
    condition: Annotated[str, "How to earn it, as a sentence."]
    motif: Annotated[str, "The picture on its medal."]
    step: Annotated[int, "1 to 3; 0 if it is earned in one game."]
    in_one_game: bool
    goal: int


class AchievementView(DefinitionView):
    """A player's progress towards an achievement."""

    value: int
    earned_at: datetime | None
    turn: int | None
    game: Annotated[NamedGameView | None, "Also null if you may not see the game."]


class EarnedView(DefinitionView):
    """An achievement that a player has earned."""

    earned_at: datetime


class RobotCardView(TypedDict):
    """The summary of a robot. Damage, lives and similar fields are null before the game starts."""

    seat: int
    name: str
    user: Annotated[str | None, "The player's Robo Name."]
    computer: str | None
    scanner: bool
    look: int | None
    model: str | None
    squad: str | None
    place: int | None
    out: bool
    checkpoints: int
    limit: Annotated[int, "The amount of damage that destroys it."]
    damage: int | None
    lives: Annotated[
        int | None, "Lives left. In Robo Rally 1999 and Group 11, spare lives: a robot with 0 still plays."
    ]
    equipment: str | None
    ammo: int | None
    next: Annotated[int | None, "The next checkpoint; null if it has reached all."]
    down: bool | None
    achievements: Annotated[list[EarnedView] | None, "Achievements of its player."]


def game_statistics(*, viewer: Viewer, game: Game) -> list[RobotStatisticsView]:
    """Return each robot's statistics in a game so far, in seat order.

    The list is empty before the game starts. The ``counters`` are those in `rules.statistics.COUNTERS`.
    """
    if game.started_at is None:
        return []
    seats = game.players.select_related("user", "tally").order_by("number")
    return [
        {
            "seat": seat.number,
            "name": seat.robo_name,
            "look": seat.look,
            "computer": seat.computer or None,
            "place": seat.place,
            "counters": counters_of(seat),
        }
        for seat in seats
    ]


def counters_of(seat: Seat) -> dict[str, int]:
    tally: Tally | None = getattr(seat, "tally", None)
    return {counter: getattr(tally, counter) if tally else 0 for counter in COUNTERS}


def new_achievements(*, user: User) -> list[Document]:
    """Return the achievements that a person has not seen yet, the oldest first.

    Leaves out achievements from running games. The list is empty for guests.
    """
    if user.is_guest:
        return []
    return [
        {**described(ACHIEVEMENTS[each.key]), **earning(each, knows_game=True)}
        for each in _earned(user).filter(seen_at=None).exclude(game__status=Game.Status.RUNNING).reverse()
    ]


def described(definition: Definition) -> DefinitionView:
    """Return the definition of an achievement, as the API shows it."""
    return view_of_row(DefinitionView, definition)


def earning(achievement: Achievement, *, knows_game: bool) -> Document:
    """Return the time of an earned achievement, with its game and turn if the viewer may know the game."""
    game = {"id": achievement.game_id, "name": achievement.game.name}
    return {
        "earned_at": achievement.earned_at,
        "game": game if knows_game else None,
        "turn": achievement.turn if knows_game else None,
    }


def achievements_of(audiences: Audiences, *, totals: Mapping[str, int]) -> list[AchievementView]:
    """Return all achievements with a person's progress, and the time and game of each earned one.

    ``value`` is the person's progress towards the goal. It is calculated from ``totals``, the sums of
    counters over all games. If an achievement must be earned
    within a single game, its ``value`` is 0 until then.
    """
    earned = {each.key: each for each in _earned(audiences.person)}
    known = set(audiences.games().filter(achievements__in=earned.values()).values_list("pk", flat=True))
    views: list[Any] = []
    for key, definition in ACHIEVEMENTS.items():
        document: Document = {"value": 0, "earned_at": None, "game": None, "turn": None}
        if key in earned:
            document |= earning(earned[key], knows_game=earned[key].game_id in known)
            document["value"] = definition.goal
        elif not definition.in_one_game:
            document["value"] = min(definition.value(totals), definition.goal)
        views.append({**described(definition), **document})
    return views


def _earned(person: User) -> QuerySet[Achievement]:
    """Return the achievements that a person has earned, the latest first."""
    return Achievement.objects.filter(user=person, key__in=ACHIEVEMENTS).select_related("game")


def robot_card(*, viewer: Viewer, game: Game, seat: int) -> RobotCardView:
    """Return the summary of a robot in a game, given its seat number.

    Scanners, the game's own robots, have the numbers after the last seat. The fields about the robot's state
    are None before the game starts. ``next`` is None after the last checkpoint. ``achievements`` is None if
    the player hides them from the viewer, is a guest or is a computer. Raises NotFound for a free seat.
    """
    taken = game.players.select_related("user").filter(number=seat).first()
    robot = _robot(game, seat)
    if taken is None and (robot is None or not robot.scanner):
        raise NotFound("no-such-seat", _("This game has no seat {seat}.").format(seat=seat))
    document: Any = {
        "seat": seat,
        "name": taken.robo_name if taken else robot and robot.name,
        "user": taken.user.robo_name if taken and taken.user and not taken.user.is_guest else None,
        "computer": (taken and taken.computer) or None,
        "scanner": taken is None,
        "look": taken.look if taken else None,
        "model": (taken and taken.model) or None,
        "squad": (taken and taken.squad) or None,
        "place": taken.place if taken else None,
        "out": bool(taken and taken.out),
        **_standing(game, robot),
        "achievements": None,
    }
    if taken and taken.user and not taken.user.is_guest:
        audiences = Audiences(viewer=viewer, person=taken.user)
        if audiences.sees(taken.user.shows_achievements):
            document["achievements"] = [
                {**described(ACHIEVEMENTS[each.key]), "earned_at": each.earned_at}
                for each in _earned(taken.user)
            ]
    return cast("RobotCardView", document)


def is_virtual(*, game: Game, seat: int) -> bool:
    """Return whether a robot is virtual at the start of the current turn, given its seat number."""
    robot = _robot(game, seat)
    return robot is not None and robot.alive and robot.virtual


def _robot(game: Game, seat: int) -> rules.RobotView | None:
    """Return the public view of a seat's robot. None before the start, or if the seat has no robot."""
    if game.turn is None or seat < 1:
        return None
    turn = Turn.objects.get(game=game, number=game.turn)
    robots = rules.view(stored.state_of(turn, stored.ship_of(game))).robots
    return robots[seat - 1] if seat <= len(robots) else None


def _standing(game: Game, robot: rules.RobotView | None) -> Document:
    setup = stored.setup_of(game)
    checkpoints = stored.checkpoints_of(setup)
    document: Document = {"checkpoints": checkpoints, "limit": setup.ruleset.damage_limit}
    if robot is None:
        return {**document, **dict.fromkeys(("damage", "lives", "equipment", "ammo", "next", "down"))}
    return {
        **document,
        "damage": robot.damage,
        "lives": robot.shown_lives,
        "equipment": robot.equipment,
        "ammo": robot.ammo,
        "next": robot.next if robot.next <= checkpoints and not robot.scanner else None,
        "down": robot.down,
    }
