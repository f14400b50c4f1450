"""Instant games: training missions, games against computers, and the demo."""

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
from games.fleet.models import OFFERED, Mission, Starship, offered_by
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
    """A mission with its viewer's results.

    ``under_way`` is the number of the running game, and ``best`` the fewest turns of a win. ``lost`` is True
    if all finished tries were lost.
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
    """Return the mission to fly next: a running one, or else the first without a win."""
    started = next((result for result in results if result.under_way), None)
    return started or next((result for result in results if not result.done), None)


def offered_mission(*, user: User) -> MissionResult | None:
    """Return the mission to fly next like `next_mission`, with one query."""
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
    """Return a player's won games of a mission, as a subquery for missions."""
    return Game.objects.filter(host=user, mission=OuterRef("pk"), status=Game.Status.OVER).exclude(winner="")


def mission_result(*, viewer: Viewer, slug: str) -> MissionResult:
    """Return one mission with the viewer's results. Raises NotFound."""
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
    """Start a mission, or return its running game. Guests may do this.

    Raises NotFound for a mission that is not offered, and for a guest who has just logged in as another
    player.
    """
    mission = Mission.objects.filter(offered_by("starship"), slug=slug).first()
    if mission is None:
        raise NotFound("no-mission", _("There is no mission “{slug}”.").format(slug=slug))
    with transaction.atomic():
        lock_people([user.pk])  # two clicks make one game
        pilot = User.objects.filter(pk=user.pk).first()  # the guest may be gone by now
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
"""The default ruleset."""

MAX_COMPUTERS: Final = 3
"""Maximum computers against one person."""


def computer_numbers(ruleset: rules.Ruleset) -> list[int]:
    """Return the possible numbers of computers: enough players, in equal squads."""
    least, most = ruleset.seats
    squads = len(ruleset.squads) or 1
    numbers = range(1, MAX_COMPUTERS + 1)
    return [number for number in numbers if least <= number + 1 <= most and (number + 1) % squads == 0]


def explain_wrong_number(ruleset: rules.Ruleset, number: object) -> str:
    """Explain why this number of computers is impossible, and list the possible ones."""
    if ruleset.squads:
        told = _(
            "You cannot play {ruleset} against {number} computers here, because its squads must be the same"
            " size. Choose one of these numbers: {numbers}."
        )
    else:
        told = _(
            "You cannot play {ruleset} against {number} computers here."
            " Choose one of these numbers: {numbers}."
        )
    numbers = ", ".join(map(str, computer_numbers(ruleset)))
    return told.format(ruleset=ruleset.name, number=number, numbers=numbers)


def starships_against(
    *,
    ruleset: rules.Ruleset,
    computers: int,
    text: str = "",
    favourites: Collection[int] = (),
    also: Collection[int] = (),
) -> list[Starship]:
    """Return starships from `fits` for a practice game, the best first.

    If no starship is built for this number of robots, returns those that allow it. All have their own
    checkpoints, because players set none in practice games.
    """
    found = fits(ruleset=ruleset, robots=1 + computers, text=text, favourites=favourites, also=also)
    possible = [fit for fit in found if fit.possible and not _unfinished(ruleset, fit.starship)]
    built = [fit for fit in possible if fit.recommended]
    return [fit.starship for fit in built or possible]


def _unfinished(ruleset: rules.Ruleset, starship: Starship) -> bool:
    """Return True if a ship is not playable as drawn."""
    assert starship.current
    return not rules.suits(ruleset, boards.starship_of(starship.current))


def choose_starship(
    *, ruleset: str, computers: int, starship_id: int | None, for_guest: bool = False
) -> Starship:
    """Return the requested starship, or else the best.

    Raises NotFound if no starship fits, and Invalid for an unknown ruleset, number or starship, or for a
    combination that does not fit. Guests cannot choose prototypes.
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
    told = _("{starship} does not suit {ruleset} with {robots} robots. Choose another one.")
    raise _refusal("starship", told.format(starship=known.name, ruleset=edition.name, robots=1 + computers))


def _refusal(field: str, detail: str) -> Invalid:
    return Invalid("no-game", detail, [{"code": field, "detail": detail}])


DOUBLE_CLICK: Final = timedelta(seconds=10)
"""Time span for a guest's double click: the same request returns the same game."""


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

    A guest's game is private. Callers that admit guests must limit their games. A guest's double click
    creates one game. Raises Forbidden for guests who are not admitted, NotFound without starships and for a
    guest who has just logged in as another player, and Invalid for an unknown level, number, ruleset or
    starship, or if these do not fit.
    """
    if not admits_guests:
        refuse_guests(user)
    starship = choose_starship(
        ruleset=ruleset, computers=computers, starship_id=starship_id, for_guest=user.is_guest
    )
    with transaction.atomic():
        lock_people([user.pk])
        player = User.objects.filter(pk=user.pk).first()  # the guest may be gone by now
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


def _name(strength: str, computers: int, starship: Starship) -> str:
    """Name the game by its kind, since names of players may change."""
    level = str(Seat.Level(strength).label) if strength in Seat.Level.values else strength
    against = f"{computers} × {level}" if computers > 1 else level
    name = _("{opponents} on {starship}").format(opponents=against, starship=starship.name)
    longest = Game._meta.get_field("name").max_length or 0
    return name if len(name) <= longest else against


def _just_started(player: User, ruleset: str, name: str, now: datetime) -> Game | None:
    """Return the same game if the player created it a moment ago, or None."""
    recent = Game.objects.filter(host=player, mission=None, created_at__gt=now - DOUBLE_CLICK)
    return recent.filter(status=Game.Status.RUNNING, ruleset=ruleset, name=name).order_by("-pk").first()


PASSWORD = "robots-in-orbit"  # noqa: S105 (everybody may read it)
MISSION = "hull-walker"
"""The mission of the demo account. It always waits for Demo's move."""

DUEL = "tin-canoe"
"""The starship of the demo's open game in the Game Room."""


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A demo account with a game to play.

    ``password`` is None if someone has changed it.
    """

    name: str
    password: str | None
    game: Game


def make_demo(*, now: datetime) -> Demonstration:
    """Return the demonstration, and create missing parts.

    It has a running mission with its first heading chosen, and an open game for two in the Game Room. Raises
    NotFound without starships.
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
