"""Creating games."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from accounts.models import LOOKS, User
from games.absence.seats import refuse_limited
from games.clubs.services import note_game
from games.errors import Invalid, ProblemDocument, ServiceError, refuse_guests
from games.fleet.models import Mission
from games.lobby.services.links import new_token
from games.lobby.services.readiness import start_if_ready
from games.lobby.services.robots import Crew, crew_for
from games.lobby.services.staffing import read_computers, seat_computer
from games.lobby.services.terms import arrange
from games.play.models import Game, Seat
from games.play.selectors.words import refuse_words
from games.play.terms import Terms

SEED_BYTES = 16
"""Chance in a seed: so much that no one finds it by trying what its commitment fits."""


def create_game(
    *,
    host: User,
    terms: Terms,
    squad: str = "",
    model: str = "",
    look: int | None = None,
    ready: bool = True,
    rematch_of: Game | None = None,
    mission: Mission | None = None,
    ship: rules.Starship | None = None,
    club: str = "",
    admits_guests: bool = False,
    placed: bool = False,
    named: bool = True,
    now: datetime,
) -> Game:
    """Create a game on the starship as it is now; the host sits on seat 1, computers on the next ones.

    A test flight takes place on a ``ship`` instead, which is none of the library; its terms name none.
    ``squad``, ``model`` and ``look`` are the host's. A game that is full and whose players are all ready
    starts at once, if it is to. Only members of a ``club`` may join it, where one is named. Raises Malformed,
    NotFound and Invalid as `arrange` does, Invalid for robots and computers that there are not, NotFound for
    no club, Forbidden for a club that is not the host's, and for guests, except where the caller
    ``admits_guests``: to a training ``mission``, or to a private game whose other seats are all computers.
    Forbidden as well for those who may begin no further game with others (`refuse_limited`), unless they were
    ``placed`` in it by a tournament, a ladder or the queue. The name passes the gate for words
    (`refuse_words`) if the host has ``named`` the game, and not the service.
    """
    if not admits_guests:
        refuse_guests(host)
    if named and not placed:
        refuse_words(user=host, words=[terms.name], before=[usual_name(host)], now=now)
    crew: Crew | None = None
    problems: list[ProblemDocument] = []
    edition = rules.RULESETS.get(terms.ruleset)
    wanted, faults = read_computers(terms.computers, edition, terms.seats - 1)
    problems += faults
    if edition:
        try:
            crew = crew_for(
                ruleset=edition,
                seats=terms.seats,
                taken=[],
                squad=squad,
                model=model,
                look=look,
                favourite=host.look,
            )
        except ServiceError as refusal:
            problems += refusal.problems
    seed = secrets.token_hex(SEED_BYTES)
    arranged = arrange(terms, seed=seed, more=problems, ship=ship)
    assert crew is not None
    with transaction.atomic():
        if not placed and len(wanted) < terms.seats - 1:
            refuse_limited(user=host, now=now)
        drawn = arranged.drawn()
        game = Game.objects.create(
            **arranged.fields(),
            course=drawn,
            host=host,
            rematch_of=rematch_of,
            mission=mission,
            link_token=new_token(),
            seed=seed,
            commitment=rules.commitment(seed),
            created_at=now,
            moved_at=now,
        )
        if drawn:
            drawn.game = game
            drawn.save(update_fields=["game"])
        elif course := arranged.course(game):
            game.course = course
            game.save(update_fields=["course"])
        if club:
            note_game(user=host, game_id=game.pk, slug=club)
        Seat.objects.create(game=game, number=1, user=host, ready=ready, joined_at=now, **crew)
        _seat(game, wanted, now)
        start_if_ready(game=game, placed=placed, now=now)
    return game


def usual_name(host: User) -> str:
    """Return the name of a game that its host may always give it."""
    return _("{player}’s game").format(player=host.robo_name)


def _seat(game: Game, computers: Sequence[Mapping[str, Any]], now: datetime) -> None:
    """Put computers on the next seats; those that ask for a look come first to it."""
    asked = {computer.get("look") for computer in computers}
    taken = {seat.look for seat in game.players.all()}
    others = iter([look for look in range(1, LOOKS + 1) if look not in asked | taken])
    for computer in computers:
        look = computer.get("look")
        look = next(others) if look is None else look
        try:
            seat_computer(game=game, **{**computer, "look": look}, now=now)
        except ServiceError as refusal:
            problem = {"code": "computers", "detail": refusal.detail}
            raise Invalid(
                "no-game", _("The game cannot be created with these settings."), [problem]
            ) from None
