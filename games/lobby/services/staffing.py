"""Computers on seats, and whom the host sends away."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

import rules
from accounts.models import User
from games.errors import Conflict, Invalid, Malformed, NotFound, ProblemDocument
from games.lobby.news import REMOVED
from games.lobby.services.invitations import forget
from games.lobby.services.links import replace_link
from games.lobby.services.lobbies import hosted_lobby
from games.lobby.services.readiness import start_if_ready
from games.lobby.services.robots import crew_for, free_seat, reseat
from games.lobby.services.seats import vacate
from games.news.services.notices import tell_of_lobby
from games.play import stored
from games.play.models import Game, Seat
from games.play.selectors.viewers import game_for
from games.play.services.history import note
from games.play.services.locks import touch

NAMES = ("Rivet", "Sprocket", "Gasket", "Widget", "Ratchet", "Piston", "Cog", "Solder")
"""What computers are called after their strength, by their looks."""

KEYS = frozenset({"strength", "look", "model", "squad"})


def add_computer(
    *,
    user: User,
    game_id: int,
    strength: str,
    look: int | None = None,
    model: str = "",
    squad: str = "",
    now: datetime,
) -> Game:
    """Put a computer on the first free seat of a lobby, for its host.

    Raises NotFound, Forbidden for those who are not the host, Conflict for a game that has started or is
    full, and Invalid for a strength, look, model or squad that there is not.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = hosted_lobby(user=user, game_id=game_id)
        seat = seat_computer(game=game, strength=strength, look=look, model=model, squad=squad, now=now)
        note(game=game, by=user, text=f"{user.robo_name} added {seat.name}, a computer.", now=now)
        touch(game, now)
        start_if_ready(game=game, now=now)
    return game


def change_computer(
    *,
    user: User,
    game_id: int,
    seat: int,
    strength: str | None = None,
    look: int | None = None,
    model: str = "",
    squad: str = "",
    now: datetime,
) -> Game:
    """Have a computer play better or worse, or with another robot, for the host of a lobby.

    Raises NotFound (also for a seat that no one has), Forbidden, Conflict and Invalid as `add_computer`,
    and Conflict for the seat of a person, who chooses alone.
    """
    game_for(viewer=user, game_id=game_id)
    if strength is None and look is None and not model and not squad:
        raise Malformed("nothing", "Say which “strength”, “look”, “model” or “squad” it shall be.")
    with transaction.atomic():
        game = hosted_lobby(user=user, game_id=game_id)
        found = _seat_of(game, seat)
        if not found.computer:
            raise Conflict("a-person", f"{found.robo_name} is a person, and chooses alone.")
        before = found.name
        crew = crew_for(
            ruleset=stored.edition_of(game),
            seats=game.seats,
            taken=[other for other in game.players.all() if other.pk != found.pk],
            squad=squad or found.squad,
            model=model or found.model,
            look=found.look if look is None else look,
        )
        found.computer = _strength(found.computer if strength is None else strength)
        reseat(found, crew)
        found.name = name_of(found.computer, found.look)
        found.save(update_fields=["computer", "name"])
        who = before if before == found.name else f"{before}, who is {found.name} now"
        note(game=game, by=user, text=f"{user.robo_name} changed {who}.", now=now)
        touch(game, now)
    return game


def remove_player(*, user: User, game_id: int, seat: int, now: datetime) -> Game:
    """Take a computer or a person out of a lobby, for its host; a person is told.

    On the host's own seat this is leaving: the next person in seat order becomes host. Raises NotFound
    (also for a seat that no one has), Forbidden for those who are not the host, and Conflict once the
    game has started.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = hosted_lobby(user=user, game_id=game_id)
        found = _seat_of(game, seat)
        person = found.user
        itself = person is not None and person.pk == user.pk
        done = "left" if itself else f"took {found.robo_name} out"
        note(game=game, by=user, text=f"{user.robo_name} {done}.", now=now)
        vacate(game=game, seat=found, now=now)
        if person is not None and not itself:
            forget(game=game, person=person)
            replace_link(game)  # which they know
            tell_of_lobby(users=[person], kind=REMOVED, game=game, now=now)
    return game


def seat_computer(
    *,
    game: Game,
    strength: str,
    look: int | None = None,
    model: str = "",
    squad: str = "",
    now: datetime,
) -> Seat:
    """Put a computer on the first free seat of a game whose row is held; raises Conflict and Invalid."""
    seats = list(game.players.all())
    number = free_seat(game, seats)
    crew = crew_for(
        ruleset=stored.edition_of(game),
        seats=game.seats,
        taken=seats,
        squad=squad,
        model=model,
        look=look,
    )
    computer = _strength(strength)
    return Seat.objects.create(
        game=game,
        number=number,
        computer=computer,
        name=name_of(computer, crew["look"]),
        ready=True,
        joined_at=now,
        **crew,
    )


def name_of(strength: str, look: int) -> str:
    """Return what a computer is called; no Robo Name has a space, and no two robots of a game one look."""
    return f"{Seat.Strength(strength).label} {NAMES[look - 1]}"


def read_computers(
    document: object, edition: rules.Ruleset | None, free: int
) -> tuple[Sequence[Mapping[str, Any]], list[ProblemDocument]]:
    """Return computers as they are asked for at the making of a game, and what is wrong with them.

    Each is a strength, or an object with ``strength`` and perhaps ``look``, ``model`` and ``squad``.
    Raises Malformed for what is neither.
    """
    if not isinstance(document, list | tuple):
        raise Malformed("computers", "“computers” must be a list of strengths, such as [“pilot”].")
    computers: list[Mapping[str, Any]] = []
    problems: list[ProblemDocument] = []
    for entry in document:
        computer = {"strength": entry} if isinstance(entry, str) else entry
        if not isinstance(computer, Mapping) or set(computer) - KEYS or "strength" not in computer:
            raise Malformed(
                "computers",
                "A computer is a strength, or an object with “strength”, “look”, “model”, “squad”.",
            )
        if computer["strength"] not in Seat.Strength.values:
            problems.append({"code": "computers", "detail": _no_strength(computer["strength"])})
        model, squad = computer.get("model"), computer.get("squad")
        if model and edition and model not in edition.models:
            detail = f"{edition.name} has no model “{model}”."
            problems.append({"code": "computers", "detail": detail})
        if squad and edition and squad not in edition.squads:
            detail = f"{edition.name} has no squad “{squad}”."
            problems.append({"code": "computers", "detail": detail})
        computers.append(computer)
    if len(computers) > max(free, 0):
        room = "is no seat" if free < 1 else "is 1 seat" if free == 1 else f"are {free} seats"
        verb = "is" if len(computers) == 1 else "are"
        detail = f"There {room} for computers, and {len(computers)} {verb} asked for."
        problems.append({"code": "computers", "detail": detail})
    return computers, problems


def _strength(value: str) -> str:
    if value not in Seat.Strength.values:
        detail = _no_strength(value)
        raise Invalid("no-strength", detail, [{"code": "strength", "detail": detail}])
    return value


def _no_strength(value: object) -> str:
    return f"No computer plays as “{value}”; there are: {', '.join(Seat.Strength.values)}."


def _seat_of(game: Game, number: int) -> Seat:
    seat = game.players.select_related("user").filter(number=number).first()
    if seat is None:
        raise NotFound("no-such-seat", f"Nobody has seat {number} of this game.")
    return seat
