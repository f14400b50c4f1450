"""Computers on seats, and whom the host sends away."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import rules
from accounts.models import User
from games.errors import Conflict, Invalid, Malformed, NotFound, ProblemDocument
from games.lobby.services.invitations import forget
from games.lobby.services.links import replace_link
from games.lobby.services.locks import hosted_lobby
from games.lobby.services.readiness import start_if_ready
from games.lobby.services.robots import crew_for, free_seat, reseat
from games.lobby.services.seats import vacate
from games.news.services import tell_of_lobby
from games.play import stored
from games.play.models import Game, Seat
from games.play.selectors.naming import computer_name
from games.play.selectors.viewers import game_for
from games.play.services.history import note
from games.play.services.locks import touch

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
        note(game=game, by=user, kind="computer-added", player=user.robo_name, computer=seat.name, now=now)
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
        raise Malformed("nothing", _("Say what to change: “strength”, “look”, “model” or “squad”."))
    with transaction.atomic():
        game = hosted_lobby(user=user, game_id=game_id)
        found = _seat_of(game, seat)
        if not found.computer:
            raise Conflict(
                "a-person",
                _("{player} is not a computer. Players choose their own robots.").format(
                    player=found.robo_name
                ),
            )
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
        found.name = computer_name(found.computer, found.look)
        found.save(update_fields=["computer", "name"])
        named = {"player": user.robo_name, "computer": found.name}
        if before == found.name:
            note(game=game, by=user, kind="computer-changed", **named, now=now)
        else:
            note(game=game, by=user, kind="computer-renamed", **named, was=before, now=now)
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
        if itself:
            note(game=game, by=user, kind="left", player=user.robo_name, now=now)
        else:
            removed = {"player": user.robo_name, "robot": found.robo_name}
            note(game=game, by=user, kind="removed", **removed, now=now)
        vacate(game=game, seat=found, now=now)
        if person is not None and not itself:
            forget(game=game, person=person)
            replace_link(game)  # which they know
            tell_of_lobby(users=[person], kind="removed", game=game, now=now)
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
        name=computer_name(computer, crew["look"]),
        ready=True,
        joined_at=now,
        **crew,
    )


def read_computers(
    document: object, edition: rules.Ruleset | None, free: int
) -> tuple[Sequence[Mapping[str, Any]], list[ProblemDocument]]:
    """Return computers as they are asked for at the making of a game, and what is wrong with them.

    Each is a strength, or an object with ``strength`` and perhaps ``look``, ``model`` and ``squad``.
    Raises Malformed for what is neither.
    """
    if not isinstance(document, list | tuple):
        raise Malformed("computers", _("“computers” must be a list of strengths, such as [“pilot”]."))
    computers: list[Mapping[str, Any]] = []
    problems: list[ProblemDocument] = []
    for entry in document:
        computer = {"strength": entry} if isinstance(entry, str) else entry
        if not isinstance(computer, Mapping) or set(computer) - KEYS or "strength" not in computer:
            raise Malformed(
                "computers",
                _(
                    "Each computer must be a strength, or an object with “strength” and perhaps “look”,"
                    " “model” and “squad”."
                ),
            )
        if computer["strength"] not in Seat.Strength.values:
            problems.append({"code": "computers", "detail": _no_strength(computer["strength"])})
        model, squad = computer.get("model"), computer.get("squad")
        if model and edition and model not in edition.models:
            detail = _("{ruleset} has no model “{model}”.").format(ruleset=edition.name, model=model)
            problems.append({"code": "computers", "detail": detail})
        if squad and edition and squad not in edition.squads:
            detail = _("{ruleset} has no squad “{squad}”.").format(ruleset=edition.name, squad=squad)
            problems.append({"code": "computers", "detail": detail})
        computers.append(computer)
    if len(computers) > max(free, 0):
        seats = ngettext(
            "Only {seats} seat is free for computers.", "Only {seats} seats are free for computers.", free
        )
        detail = seats.format(seats=free) if free > 0 else _("No seat is free for computers.")
        problems.append({"code": "computers", "detail": detail})
    return computers, problems


def _strength(value: str) -> str:
    if value not in Seat.Strength.values:
        detail = _no_strength(value)
        raise Invalid("no-strength", detail, [{"code": "strength", "detail": detail}])
    return value


def _no_strength(value: object) -> str:
    return _("There is no level “{level}” for computers. Choose one of these: {levels}.").format(
        level=value, levels=", ".join(Seat.Strength.values)
    )


def _seat_of(game: Game, number: int) -> Seat:
    seat = game.players.select_related("user").filter(number=number).first()
    if seat is None:
        raise NotFound("no-such-seat", _("No player has seat {number} of this game.").format(number=number))
    return seat
