"""Flying training missions: alone, without a clock, and without mail."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import NotFound
from games.fleet.models import Mission, offered_by
from games.lobby.services.creation import create_game
from games.play.models import Game
from games.play.services.locks import hold_people
from games.play.terms import Terms


def start_mission(*, user: User, slug: str, now: datetime) -> Game:
    """Start a mission, or return the game of it that is under way: also for guests.

    Raises NotFound for a mission that there is not (any more), and for a guest who has just logged in as
    someone else.
    """
    mission = Mission.objects.filter(offered_by("starship"), slug=slug).first()
    if mission is None:
        raise NotFound("no-mission", _("There is no mission “{slug}”.").format(slug=slug))
    with transaction.atomic():
        hold_people([user.pk])  # two clicks make one game
        pilot = User.objects.filter(pk=user.pk).first()  # as they are by now
        if pilot is None:
            raise NotFound("no-guest", _("You have logged in as someone else. Load the page again."))
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
