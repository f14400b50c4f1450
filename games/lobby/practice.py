"""Services and selectors for instant games: training missions, games against computers, and the demo."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, When
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from accounts.services import open_account
from games.errors import Invalid, NotFound, refuse_guests
from games.fleet import boards
from games.fleet.missions import offered_missions
from games.fleet.models import OFFERED, Mission, Starship, offered_through
from games.fleet.selectors import fits
from games.lobby.services import create_game
from games.play.models import Game, Seat
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from games.play.services import lock_people
from games.play.terms import Terms
from games.play.viewers import Viewer


@dataclass(frozen=True, slots=True)
class MissionResult:
    """A mission with the results of the viewer.

    ``under_way`` is the ID of the viewer's running game of the mission, or None if there is none. ``best`` is
    the lowest number of turns in a won game, or None if there is none. ``lost`` is True if the viewer has
    finished games of the mission, and won none of them.
    """

    mission: Mission
    under_way: int | None = None
    best: int | None = None
    lost: bool = False

    @property
    def done(self) -> bool:
        return self.best is not None


def mission_results(*, viewer: Viewer) -> list[MissionResult]:
    """Return the offered missions in order, with the viewer's results."""
    flown: dict[int, list[Game]] = {}
    if isinstance(viewer, User):
        games = Game.objects.filter(host=viewer, mission__isnull=False).order_by("pk")
        for game in games.only("mission_id", "status", "winner", "turn"):
            flown.setdefault(game.mission_id or 0, []).append(game)
    return [_result(mission, flown.get(mission.pk, [])) for mission in offered_missions()]


def next_mission(results: Sequence[MissionResult]) -> MissionResult | None:
    """Return the mission to fly next: a mission with a running game, or else the first mission without a win.

    Returns None if all missions are won.
    """
    started = next((result for result in results if result.under_way), None)
    return started or next((result for result in results if not result.done), None)


def offered_mission(*, user: User) -> MissionResult | None:
    """Return the same mission as `next_mission`, with a single query.

    In the result, ``best`` is always None.
    """
    flown = Game.objects.filter(host=user, mission=OuterRef("pk"))
    missions = offered_missions().annotate(
        under_way=Subquery(flown.filter(status=Game.Status.RUNNING).order_by("-pk").values("pk")[:1]),
        tried=Exists(flown.filter(status=Game.Status.OVER)),
    )
    wanted = missions.filter(Q(under_way__isnull=False) | ~Exists(won_by(user)))
    started_first = Case(When(under_way__isnull=False, then=0), default=1)
    mission = wanted.order_by(started_first, "number").first()
    if mission is None:
        return None
    return MissionResult(mission, mission.under_way, lost=mission.tried and mission.under_way is None)


def won_by(user: User) -> QuerySet[Game]:
    """Return the games of a mission won by a player, as a subquery for a query of missions."""
    return Game.objects.filter(host=user, mission=OuterRef("pk"), status=Game.Status.OVER).exclude(winner="")


def mission_result(*, viewer: Viewer, slug: str) -> MissionResult:
    """Return one mission with the viewer's results. Raises NotFound if the mission is not offered."""
    found = next((result for result in mission_results(viewer=viewer) if result.mission.slug == slug), None)
    if found is None:
        raise NotFound("no-mission", _("There is no mission “{slug}”.").format(slug=slug))
    return found


def _result(mission: Mission, games: Iterable[Game]) -> MissionResult:
    under_way = best = None
    lost = False
    for game in games:
        if game.status == Game.Status.RUNNING:
            under_way = game.pk
        elif game.status == Game.Status.OVER:
            lost = not game.winner
            if game.winner and game.turn is not None:
                best = game.turn if best is None else min(best, game.turn)
    return MissionResult(mission, under_way, best, lost and best is None)


def start_mission(*, user: User, slug: str, now: datetime) -> Game:
    """Start a game of a mission, or return the user's running game of it. The user may be a guest.

    Raises NotFound for a mission that is not offered, and for a guest who has just logged in as another
    player.
    """
    mission = Mission.objects.filter(offered_through("starship"), slug=slug).first()
    if mission is None:
        raise NotFound("no-mission", _("There is no mission “{slug}”.").format(slug=slug))
    with transaction.atomic():
        lock_people([user.pk])  # a double click must not start two games
        pilot = User.objects.filter(pk=user.pk).first()  # the guest account may no longer exist
        if pilot is None:
            raise NotFound("no-guest", _("You are now logged in as another player. Reload the page."))
        under_way = Game.objects.filter(host=pilot, mission=mission, status=Game.Status.RUNNING)
        return under_way.order_by("-moved_at").first() or create_game(
            host=pilot,
            terms=Terms(
                name=mission.title,
                starship=mission.starship_id,
                options=mission.options,
                seats=1,
                private=True,
            ),
            mission=mission,
            named=False,
            admits_guests=True,
            now=now,
        )


RULESET: Final = "robo-runner"
"""The key of the default ruleset for games against computers."""

MAX_COMPUTERS: Final = 3
"""The maximum number of computers in a game for one person."""


def computer_numbers(ruleset: rules.Ruleset) -> list[int]:
    """Return the possible numbers of computers against one person in a ruleset.

    Each number gives the ruleset enough players, but not too many, and squads of equal size.
    """
    least, most = ruleset.seats
    squads = len(ruleset.squads) or 1
    numbers = range(1, MAX_COMPUTERS + 1)
    return [number for number in numbers if least <= number + 1 <= most and (number + 1) % squads == 0]


def explain_wrong_number(ruleset: rules.Ruleset, number: object) -> str:
    """Return a message about an impossible number of computers, with the possible numbers."""
    if ruleset.squads:
        message = _(
            "You cannot play {ruleset} against {number} computers here, because its squads must be the same"
            " size. Choose one of these numbers: {numbers}."
        )
    else:
        message = _(
            "You cannot play {ruleset} against {number} computers here."
            " Choose one of these numbers: {numbers}."
        )
    numbers = ", ".join(map(str, computer_numbers(ruleset)))
    return message.format(ruleset=ruleset.name, number=number, numbers=numbers)


def starships_against(
    *,
    ruleset: rules.Ruleset,
    computers: int,
    text: str = "",
    favourites: Collection[int] = (),
    also: Collection[int] = (),
) -> list[Starship]:
    """Return the starships from `fits` for a practice game, best first.

    If no starship is built for this number of robots, returns starships that allow this number. Starships
    without their own checkpoints are left out, because players cannot set checkpoints in practice games.
    """
    found = fits(ruleset=ruleset, robots=1 + computers, text=text, favourites=favourites, also=also)
    possible = [fit for fit in found if fit.possible and not _unfinished(ruleset, fit.starship)]
    built = [fit for fit in possible if fit.recommended]
    return [fit.starship for fit in built or possible]


def _unfinished(ruleset: rules.Ruleset, starship: Starship) -> bool:
    """Return whether a ship can be used only after changes by the host, such as setting its checkpoints."""
    assert starship.current
    return not rules.suits(ruleset, boards.starship_of(starship.current))


def choose_starship(
    *, ruleset: str, computers: int, starship_id: int | None, for_guest: bool = False
) -> Starship:
    """Return the starship for a practice game: the requested one, or else the best.

    Raises NotFound if no starship fits, and Invalid for an unknown ruleset, number of computers or starship,
    or if the starship does not suit the ruleset and number. Guests cannot choose prototypes.
    """
    edition = rules.RULESETS.get(ruleset)
    if edition is None:
        raise _refusal(
            "ruleset", _("There is no ruleset “{ruleset}”. Choose one from the list.").format(ruleset=ruleset)
        )
    if computers not in computer_numbers(edition):
        raise _refusal("computers", explain_wrong_number(edition, computers))
    also = () if starship_id is None or for_guest else (starship_id,)
    offered = starships_against(ruleset=edition, computers=computers, also=also)
    if not offered:
        raise NotFound(
            "no-starship",
            _("No starship suits {ruleset}. Ask staff to add one.").format(ruleset=edition.name),
        )
    if starship_id is None:
        return offered[0]
    if chosen := next((ship for ship in offered if ship.pk == starship_id), None):
        return chosen
    known = Starship.objects.filter(OFFERED, pk=starship_id).first()
    if known is None:
        raise _refusal("starship", _("This starship is no longer available. Choose another one."))
    if known.is_prototype and for_guest:
        raise _refusal(
            "starship", _("Guests cannot play on prototypes. Sign up or log in, or choose another starship.")
        )
    message = _("{starship} does not suit {ruleset} with {robots} robots. Choose another one.")
    raise _refusal(
        "starship", message.format(starship=known.name, ruleset=edition.name, robots=1 + computers)
    )


def _refusal(field: str, detail: str) -> Invalid:
    return Invalid("no-game", detail, [{"code": field, "detail": detail}])


DOUBLE_CLICK: Final = timedelta(seconds=10)
"""The time within which a guest's repeated request for a game returns the first game."""


def quick_game(
    *,
    user: User,
    strength: str = Seat.Level.ROOKIE,
    computers: int = 1,
    ruleset: str = RULESET,
    starship_id: int | None = None,
    admits_guests: bool = False,
    now: datetime,
) -> Game:
    """Start a game against computers, on the chosen starship or the best one.

    A guest's game is private. Callers that admit guests must limit the number of their games. If a guest
    sends the same request twice within `DOUBLE_CLICK`, returns the first game. Raises NotFound if no starship
    fits, and for a guest who has just logged in as another player; Forbidden for guests unless the caller
    ``admits_guests``; and Invalid for an unknown level, number of computers, ruleset or starship, or if these
    do not fit together.
    """
    if not admits_guests:
        refuse_guests(user)
    starship = choose_starship(
        ruleset=ruleset, computers=computers, starship_id=starship_id, for_guest=user.is_guest
    )
    with transaction.atomic():
        lock_people([user.pk])
        player = User.objects.filter(pk=user.pk).first()  # the guest account may no longer exist
        if player is None:
            raise NotFound("no-guest", _("You are now logged in as another player. Reload the page."))
        name = _name(strength, computers, starship)
        if player.is_guest and (same := _just_started(player, ruleset, name, now)):
            return same
        return create_game(
            host=player,
            terms=Terms(
                name=name,
                starship=starship.pk,
                ruleset=ruleset,
                seats=1 + computers,
                computers=[strength] * computers,
                private=player.is_guest,
            ),
            admits_guests=admits_guests,
            named=False,
            now=now,
        )


def solo_game(*, user: User, name: str, starship_id: int, ruleset: str, now: datetime) -> Game:
    """Start a game for one person on a starship. Raises the errors of `create_game`."""
    terms = Terms(name=name, starship=starship_id, ruleset=ruleset, seats=1)
    return create_game(host=user, terms=terms, named=False, now=now)


def _name(level: str, computers: int, starship: Starship) -> str:
    """Return a game's name, made from its opponents and starship, without names of players."""
    label = str(Seat.Level(level).label) if level in Seat.Level.values else level
    against = f"{computers} × {label}" if computers > 1 else label
    name = _("{opponents} on {starship}").format(opponents=against, starship=starship.name)
    longest = Game._meta.get_field("name").max_length or 0
    return name if len(name) <= longest else against


def _just_started(player: User, ruleset: str, name: str, now: datetime) -> Game | None:
    """Return the player's running game with this ruleset and name that was created within `DOUBLE_CLICK`.

    Returns None if there is none.
    """
    recent = Game.objects.filter(host=player, mission=None, created_at__gt=now - DOUBLE_CLICK)
    return recent.filter(status=Game.Status.RUNNING, ruleset=ruleset, name=name).order_by("-pk").first()


PASSWORD = "robots-in-orbit"  # noqa: S105 (everybody may read it)
MISSION = "hull-walker"
"""The slug of the demo account's running mission. It always waits for the demo account's orders."""

DUEL = "tin-canoe"
"""The slug of the starship for the demo account's open game in the Game Room."""


@dataclass(frozen=True, slots=True)
class Demonstration:
    """The demo account, with its running game.

    ``password`` is None if someone has changed the account's password.
    """

    name: str
    password: str | None
    game: Game


def make_demo(*, now: datetime) -> Demonstration:
    """Return the demo account with its running game, and create any missing parts.

    The account has a running mission, with the robot's first heading already chosen, and an open game for
    two in the Game Room. Raises NotFound if the starships have not been loaded.
    """
    with transaction.atomic():
        demo = User.objects.filter(robo_name__iexact=settings.DEMO_NAME).first() or open_account(
            robo_name=settings.DEMO_NAME, email="demo@example.org", password=PASSWORD
        )
        mission = Game.objects.filter(host=demo, seats=1, status=Game.Status.RUNNING).first()
        mission = mission or _take_off(demo, now)
        if not Game.objects.filter(host=demo, status=Game.Status.OPEN).exists():
            create_game(
                host=demo, terms=Terms(name=_("Room for one more"), starship=_starship(DUEL)), now=now
            )
    if mission.turn == 0:
        _choose_heading(mission, demo, now)
    password = PASSWORD if demo.check_password(PASSWORD) else None
    return Demonstration(demo.robo_name, password, mission)


def _take_off(demo: User, now: datetime) -> Game:
    try:
        return start_mission(user=demo, slug=MISSION, now=now)
    except NotFound as missing:
        raise NotFound(
            missing.code, _("{problem} Run load_starships first.").format(problem=missing.detail)
        ) from None


def _starship(slug: str) -> int:
    starship = Starship.objects.filter(slug=slug).first()
    if starship is None:
        raise NotFound(
            "no-starship", _("There is no starship “{slug}”. Run load_starships first.").format(slug=slug)
        )
    return starship.pk


def _choose_heading(game: Game, demo: User, now: datetime) -> None:
    submit_orders(user=demo, game_id=game.pk, turn_number=0, document={"heading": "E"}, now=now)
    resolve_turn(turn_id=game.turns.get(number=0).pk, now=now)
