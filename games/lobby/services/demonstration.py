"""A demonstration for those who have just started the site on their own machine."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import open_account
from games.errors import NotFound
from games.fleet.models import Starship
from games.lobby.services.creation import create_game
from games.lobby.services.missions import start_mission
from games.play.models import Game
from games.play.services.orders import submit_orders
from games.play.services.resolution import resolve_turn
from games.play.terms import Terms

PASSWORD = "robots-in-orbit"  # noqa: S105 (everybody may read it)
MISSION = "hull-walker"
"""The mission that Demo flies: there it is always Demo's move."""

DUEL = "tin-canoe"
"""The starship of the game that waits in the Game Room for someone to join."""


@dataclass(frozen=True, slots=True)
class Demonstration:
    """An account to log in with and a game that waits for its move.

    ``password`` is None where someone has changed it.
    """

    name: str
    password: str | None
    game: Game


def make_demo(*, now: datetime) -> Demonstration:
    """Return the demonstration, made if it is not there (any more); raises NotFound without starships.

    A mission under way, whose first heading is chosen, and a game for two in the Game Room.
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
