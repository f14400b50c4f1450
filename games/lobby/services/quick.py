"""A game against computers, at once."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import NotFound, refuse_guests
from games.fleet.models import Starship
from games.lobby.selectors.opponents import RULESET, choose_starship
from games.lobby.services.creation import create_game
from games.play.models import Game, Seat
from games.play.services.locks import hold_people
from games.play.terms import Terms

DOUBLE_CLICK: Final = timedelta(seconds=10)
"""How soon after a guest's last game the same game is not made again."""


def quick_game(
    *,
    user: User,
    strength: str = Seat.Strength.ROOKIE,
    computers: int = 1,
    ruleset: str = RULESET,
    starship_id: int | None = None,
    admits_guests: bool = False,
    now: datetime,
) -> Game:
    """Start a game of one person against computers, on the best starship unless one is chosen.

    A guest's game is private; callers who let guests in limit how many they start. Two clicks of a guest make
    one game. Raises Forbidden for guests who are not let in, NotFound where there are no starships and for a
    guest who has just logged in as someone else, and Invalid for a level, number, ruleset or starship that
    there is not, or that do not fit together.
    """
    if not admits_guests:
        refuse_guests(user)
    starship = choose_starship(
        ruleset=ruleset, computers=computers, starship_id=starship_id, for_guest=user.is_guest
    )
    with transaction.atomic():
        hold_people([user.pk])
        player = User.objects.filter(pk=user.pk).first()  # as they are by now
        if player is None:
            raise NotFound("no-guest", _("You have logged in as someone else. Load the page again."))
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


def lone_game(*, user: User, name: str, starship_id: int, ruleset: str, now: datetime) -> Game:
    """Start a game of one person on a starship; raises as `create_game` does."""
    terms = Terms(name=name, starship=starship_id, ruleset=ruleset, seats=1)
    return create_game(host=user, terms=terms, named=False, now=now)


def _name(strength: str, computers: int, starship: Starship) -> str:
    """Name the game by what it is: the player's name may change, as that of a guest does."""
    level = str(Seat.Strength(strength).label) if strength in Seat.Strength.values else strength
    against = f"{computers} × {level}" if computers > 1 else level
    name = _("{opponents} on {starship}").format(opponents=against, starship=starship.name)
    longest = Game._meta.get_field("name").max_length or 0
    return name if len(name) <= longest else against


def _just_started(player: User, ruleset: str, name: str, now: datetime) -> Game | None:
    """Return the same game of a player, if it was made a moment ago."""
    recent = Game.objects.filter(host=player, mission=None, created_at__gt=now - DOUBLE_CLICK)
    return recent.filter(status=Game.Status.RUNNING, ruleset=ruleset, name=name).order_by("-pk").first()
