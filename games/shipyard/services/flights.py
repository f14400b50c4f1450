"""Test flights: a game on a draft as it is now, alone or against computers, which counts for nothing."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.errors import Invalid, refuse_guests
from games.lobby.services.creation import create_game
from games.play.models import Game, Seat
from games.play.services.endings import call_off
from games.play.services.locks import hold_person, locked_game
from games.play.terms import Terms
from games.shipyard.drawings import hindrances_in, sketch_of
from games.shipyard.models import DraftFlight, StarshipDraft
from games.shipyard.selectors import draft_for, refused, ruleset_for

MOST_COMPUTERS: Final = 7


def fly_draft(
    *,
    user: User,
    draft_id: int,
    computers: int = 0,
    strength: str = Seat.Strength.ROOKIE,
    ruleset: str = "",
    now: datetime,
) -> Game:
    """Start a private game on a draft as it is now, alone or against computers.

    It is played by the ``ruleset`` that is named, else by the one that the draft is for, else by the first
    that it suits. The board is the game's own from then on. Test flights of the draft that are under way end:
    there is one at a time. Raises Forbidden for guests, NotFound, and Invalid with every reason why the draft
    cannot be flown like this.
    """
    refuse_guests(user)
    draft = draft_for(viewer=user, draft_id=draft_id)
    key = ruleset or ruleset_for(drawing=draft, players=1 + computers)
    ship = ship_of(draft, key)
    if not 0 <= computers <= MOST_COMPUTERS:
        detail = _("You can fly against up to {most} computers.").format(most=MOST_COMPUTERS)
        raise Invalid("no-game", detail, [{"code": "computers", "detail": detail}])
    terms = Terms(
        name=_name_of(draft),
        ruleset=key,
        seats=1 + computers,
        computers=[strength] * computers,
        private=True,
    )
    with transaction.atomic():
        _end_earlier(draft, now)
        hold_person(user)
        game = create_game(host=user, terms=terms, ship=ship, named=False, now=now)
        DraftFlight.objects.create(draft=draft, game=game, version=draft.version)
    return game


def ship_of(draft: StarshipDraft, ruleset: str) -> rules.Starship:
    """Return what is drawn as a board; raises Invalid where some of it cannot be played on."""
    edition = rules.RULESETS.get(ruleset)
    if edition is None:
        detail = _("There is no ruleset “{name}”.").format(name=ruleset)
        raise Invalid("no-game", detail, [{"code": "ruleset", "detail": detail}])
    if faults := hindrances_in(draft, edition):
        raise Invalid(
            "unfinished",
            _("This ship cannot be flown yet. Mend what prevents play first."),
            refused(faults),
        )
    return sketch_of(draft).ship


def _end_earlier(draft: StarshipDraft, now: datetime) -> None:
    under_way = Game.objects.filter(draft_flight__draft=draft, status=Game.Status.RUNNING)
    for game_id in under_way.order_by("pk").values_list("pk", flat=True):
        game = locked_game(game_id)
        if game.status == Game.Status.RUNNING:
            call_off(game=game, by=Game.Ending.RESIGNED, now=now)


def _name_of(draft: StarshipDraft) -> str:
    """Return what a test flight is called."""
    name = _("Test flight of {ship}").format(ship=draft.name or _("a ship without a name"))
    return name[: Game._meta.get_field("name").max_length]
