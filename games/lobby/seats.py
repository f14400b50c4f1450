"""Seats of a lobby: join, leave, choose robots, add computers, agree and start."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict, Unpack

from django.db import transaction
from django.utils.translation import gettext as _, ngettext

import rules
from accounts.models import LOOKS, User
from games.absence.seats import refuse_excluded, refuse_housemate, refuse_limited
from games.errors import Conflict, Invalid, Malformed, NotFound, ProblemDocument, ServiceError, refuse_guests
from games.lobby.invitations import forget_invitations, lock_hosted_lobby, lock_lobby, replace_link
from games.lobby.models import Invitation
from games.lobby.selectors import not_ready, people_in_lobby, terms_mark, too_few
from games.news.services import notify_about_game
from games.play import stored
from games.play.computers import refuse_beyond_budget
from games.play.history import add_entry
from games.play.lifecycle import start
from games.play.models import Game, Seat
from games.play.selectors import computer_name
from games.play.services import locked_game, touch
from games.play.viewers import game_for, own_seat
from games.wording import squad_label


class RobotFields(TypedDict):
    """The look, squad and model of a robot, as fields of a `Seat`."""

    look: int
    squad: str
    model: str


class RobotChoice(TypedDict, total=False):
    """A player's choice of a robot. Missing and empty values are chosen automatically."""

    look: int | None
    squad: str
    model: str


def change_seat(*, user: User, game_id: int, now: datetime, **robot: Unpack[RobotChoice]) -> Game:
    """Change the squad, model or look (picture) of the user's robot before the game starts.

    Raises NotFound for a game that the user may not see; Malformed if no change is given; Forbidden for
    people without a seat; Conflict if the game has started or was cancelled, if the squad is full, and if
    the look is taken; and Invalid for an unknown look, squad or model.
    """
    game_for(viewer=user, game_id=game_id)
    if not _has_changes(robot):
        raise Malformed("nothing", _("Send at least one of these: “squad”, “model”, “look”."))
    with transaction.atomic():
        game = locked_game(game_id)
        mine = own_seat(user=user, game=game)
        if game.status == Game.Status.CANCELLED:
            raise Conflict("cancelled", _("This game was cancelled."))
        if game.status != Game.Status.OPEN:
            raise Conflict(
                "started", _("The game has started. You can no longer change your squad, model or robot.")
            )
        _change_robot(game, mine, robot)
        touch(game, now)
    return game


def _has_changes(robot: RobotChoice) -> bool:
    return bool(robot.get("squad") or robot.get("model")) or robot.get("look") is not None


def _change_robot(game: Game, seat: Seat, robot: RobotChoice) -> None:
    """Change and save the robot of a seat. Values that are missing or empty in ``robot`` stay the same."""
    look = robot.get("look")
    if game.is_played_on and (robot.get("squad") or robot.get("model")):
        raise Conflict(
            "played-on", _("This game begins at a position, so its squads and models can’t be changed.")
        )
    crew = robot_for_seat(
        ruleset=stored.edition_of(game),
        seats=game.seats,
        taken=game.players.exclude(pk=seat.pk),
        squad=robot.get("squad") or seat.squad,
        model=robot.get("model") or seat.model,
        look=seat.look if look is None else look,
    )
    change_robot(seat, crew)


def change_robot(seat: Seat, crew: RobotFields) -> None:
    """Set the robot of a seat, and save the seat."""
    seat.squad, seat.model, seat.look = crew["squad"], crew["model"], crew["look"]
    seat.save(update_fields=["squad", "model", "look"])


def renumber_seats(seats: Iterable[Seat]) -> None:
    """Renumber a game's seats from 1 without gaps, in the given order."""
    for number, seat in enumerate(seats, 1):
        if seat.number != number:  # all lower numbers are already free
            seat.number = number
            seat.save(update_fields=["number"])


def robot_for_seat(
    *,
    ruleset: rules.Ruleset,
    seats: int,
    taken: Iterable[Seat],
    squad: str = "",
    model: str = "",
    look: int | None = None,
    favourite: int | None = None,
) -> RobotFields:
    """Return the robot for a seat. Missing values are chosen automatically.

    ``taken`` has the other taken seats. Without a ``look``, the ``favourite`` look is used if it is free.
    Raises Invalid for unknown values, and Conflict if the squad is full or the look is taken.
    """
    others = list(taken)
    refusals: list[ServiceError] = []
    crew = RobotFields(look=1, squad="", model="")
    try:
        crew["look"] = _look([seat.look for seat in others], look, favourite)
    except ServiceError as refusal:
        refusals.append(refusal)
    try:
        crew["squad"] = _squad(ruleset, seats, [seat.squad for seat in others], squad)
    except ServiceError as refusal:
        refusals.append(refusal)
    try:
        crew["model"] = _model(ruleset, [seat.model for seat in others], model)
    except ServiceError as refusal:
        refusals.append(refusal)
    if refusals:
        first = refusals[0]
        first.problems = [problem for refusal in refusals for problem in refusal.problems]
        raise first
    return crew


def _robot_at(game: Game, number: int, robot: RobotChoice) -> RobotChoice:
    """Return the choice of a robot for a seat. A position fixes its squad and model."""
    if game.position is None:
        return robot
    put = game.position["robots"][number - 1]
    return {**robot, "squad": put.get("squad", ""), "model": put.get("model", "")}


def free_seat(game: Game, taken: Iterable[Seat]) -> int:
    """Return the number of a game's first free seat. Raises Conflict if the game is full."""
    numbers = {seat.number for seat in taken}
    for number in range(1, game.seats + 1):
        if number not in numbers:
            return number
    raise Conflict("full", _("This game is full: all its seats are taken."))


def _squad(ruleset: rules.Ruleset, seats: int, taken: Sequence[str], wanted: str) -> str:
    """Return the wanted squad, or else the ruleset's first squad among those with the fewest players."""
    if wanted and wanted not in ruleset.squads:
        raise _none_such(ruleset, "squad", wanted, ruleset.squads)
    if not ruleset.squads:
        return ""
    squad = wanted or min(ruleset.squads, key=taken.count)
    if taken.count(squad) >= seats // len(ruleset.squads) > 0:
        detail = _squad_full_message(squad)
        raise Conflict("squad-full", detail, [{"code": "squad", "detail": detail}])
    return squad


def _squad_full_message(squad: str) -> str:
    if squad == "red":
        return _("The red squad is full. Choose the blue squad.")
    return _("The blue squad is full. Choose the red squad.")


def _model(ruleset: rules.Ruleset, taken: Sequence[str], wanted: str) -> str:
    """Return the wanted model, or else the first free model, or the ruleset's first model if none is free."""
    if wanted and wanted not in ruleset.models:
        raise _none_such(ruleset, "model", wanted, ruleset.models)
    if not ruleset.models:
        return ""
    free = (model for model in ruleset.models if model not in taken)
    return wanted or next(free, ruleset.models[0])


def _look(taken: Sequence[int], wanted: int | None, favourite: int | None) -> int:
    """Return the wanted look, or else the favourite look if it is free, or else the first free look."""
    if wanted is None:
        free = [look for look in range(1, LOOKS + 1) if look not in taken]
        return favourite if favourite and favourite in free else free[0]
    if not isinstance(wanted, int) or isinstance(wanted, bool) or not 1 <= wanted <= LOOKS:
        detail = _("There is no robot {number}. Choose one from 1 to {most}.").format(
            number=wanted, most=LOOKS
        )
        raise Invalid("no-look", detail, [{"code": "look", "detail": detail}])
    if wanted in taken:
        detail = _("Another player has this robot. Choose a different one.")
        raise Conflict("look-taken", detail, [{"code": "look", "detail": detail}])
    return wanted


def _none_such(ruleset: rules.Ruleset, what: str, wanted: str, there: Sequence[str]) -> Invalid:
    detail = _no_such_choice(what, there).format(ruleset=ruleset.name, wanted=wanted, there=", ".join(there))
    return Invalid(f"no-{what}", detail, [{"code": what, "detail": detail}])


def _no_such_choice(what: str, there: Sequence[str]) -> str:
    if what == "squad":
        if there:
            return _("{ruleset} has no squad “{wanted}”. Choose one of these: {there}.")
        return _("{ruleset} has no squads, so you cannot choose “{wanted}”.")
    if there:
        return _("{ruleset} has no model “{wanted}”. Choose one of these: {there}.")
    return _("{ruleset} has no models, so you cannot choose “{wanted}”.")


def set_ready(*, user: User, game_id: int, ready: bool = True, terms: str = "", now: datetime) -> Game:
    """Agree to the terms of a game, or withdraw the agreement.

    The last player's agreement may start the game. ``terms`` is the mark of the terms that the player saw
    (`terms_mark`). Raises NotFound for a game that the person may not see; Forbidden for people without a
    seat; Conflict once the game has started, and if the terms have changed since the player saw them; and
    the errors of `start_if_ready`.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = lock_lobby(game_id=game_id)
        seat = own_seat(user=user, game=game)
        if ready and terms not in ("", terms_mark(game)):
            detail = _(
                "The settings changed after you saw them. Check them, then confirm that you are ready."
            )
            raise Conflict("terms-changed", detail)
        if seat.ready != ready:
            seat.ready = ready
            seat.save(update_fields=["ready"])
            touch(game, now)
        start_if_ready(game=game, now=now)
    return game


def start_game(*, user: User, game_id: int, now: datetime) -> Game:
    """Start a game, as its host, with the players who have joined. Free seats are removed.

    The host need not be ready. Raises NotFound; Forbidden for everyone except the host; Conflict once the
    game has started, if a player is not ready, if there are too few players, if the squads differ in size,
    and if staff took down the starship; and the errors of `refuse_beyond_budget`.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = lock_hosted_lobby(user=user, game_id=game_id)
        seats = list(game.players.select_related("user").order_by("number"))
        waiting = [seat.robo_name for seat in seats if not seat.ready and seat.user_id != user.pk]
        if waiting:
            raise Conflict("not-ready", not_ready(waiting))
        _check_crew(game, seats)
        _check_board(game)
        refuse_beyond_budget(game=game)
        if game.is_played_on and len(seats) < game.seats:
            detail = _("All robots of the position need a player. Add computers to the free seats first.")
            raise Conflict("free-seats", detail)
        renumber_seats(seats)
        game.seats = len(seats)
        Seat.objects.filter(game=game).update(ready=True)
        start(game=game, now=now)
    return game


def start_if_ready(*, game: Game, placed: bool = False, now: datetime) -> None:
    """Start a game if it starts automatically, is full, and all players are ready.

    The caller must hold the game's row lock. Raises Conflict if staff took down its starship. Unless a
    tournament, a ladder or the queue ``placed`` the players, also raises the errors of
    `refuse_beyond_budget`.
    """
    seats = list(game.players.all())
    if game.starts_itself and len(seats) == game.seats and all(seat.ready for seat in seats):
        _check_board(game)
        if not placed:
            refuse_beyond_budget(game=game)
        start(game=game, now=now)


def _check_board(game: Game) -> None:
    """Raise Conflict if staff took down any starship on the game's board."""
    ships = [game.revision.starship] if game.revision else []
    if game.course:
        ships += [
            piece.revision.starship for piece in game.course.pieces.select_related("revision__starship")
        ]
    if gone := next((ship for ship in ships if ship.taken_down_at), None):
        detail = _(
            "Staff took {starship} down. The host must choose another starship before the game starts."
        )
        raise Conflict("taken-down", detail.format(starship=gone.name))


def _check_crew(game: Game, seats: list[Seat]) -> None:
    """Raise Conflict if a game has too few players, or if its squads differ in size."""
    ruleset = stored.edition_of(game)
    least = ruleset.seats[0]
    if len(seats) < least:
        raise Conflict("too-few", too_few(ruleset))
    if ruleset.squads:
        sizes = {squad: sum(seat.squad == squad for seat in seats) for squad in ruleset.squads}
        if len(set(sizes.values())) > 1:
            counted = [
                _("{squad}: {number}").format(number=size, squad=squad_label(squad))
                for squad, size in sizes.items()
            ]
            raise Conflict(
                "squads-differ",
                _("The squads must be the same size. Current sizes: {squads}.").format(
                    squads=", ".join(counted)
                ),
            )


def join_game(
    *,
    user: User,
    game_id: int,
    link: str = "",
    ready: bool = True,
    terms: str = "",
    placed: bool = False,
    now: datetime,
    **robot: Unpack[RobotChoice],
) -> Game:
    """Take the first free seat of a game, and agree to its present terms if ``ready``.

    The last player may start the game. ``terms`` is the mark of the terms that the player saw (`terms_mark`).
    If the terms have changed since then, the player joins without being ready. ``link`` is the token of a
    private game's link. Without a choice in ``robot``, the player gets the smallest squad, the first free
    model, and the favourite look or else the first free one.

    Raises NotFound for a game that the person may not see; Conflict if the game has started, if the game or
    the squad is full, if the look is taken, and if the person already has a seat; Invalid for unknown values;
    and Forbidden for guests and for people excluded by the game (`refuse_excluded`). Unless a tournament, a
    ladder or the queue has ``placed`` the person, also raises Forbidden if they may not start another game
    (`refuse_limited`), or if they live with a player and the game is rated (`refuse_housemate`).
    """
    refuse_guests(user)
    game_for(viewer=user, game_id=game_id, link=link)
    with transaction.atomic():
        game = locked_game(game_id)
        seats = list(game.players.all())
        if any(seat.user_id == user.pk for seat in seats):
            raise Conflict("already-joined", _("You already have a seat in this game."))
        if game.status == Game.Status.CANCELLED:
            raise Conflict("cancelled", _("This game was cancelled."))
        if game.status != Game.Status.OPEN:
            raise Conflict("full", _("This game is full: all its seats are taken."))
        refuse_excluded(game=game, user=user)
        if not placed:
            refuse_limited(user=user, now=now)
            refuse_housemate(game=game, seats=seats, user=user)
        number = free_seat(game, seats)
        ready = ready and terms in ("", terms_mark(game))
        ruleset = stored.edition_of(game)
        robot = _robot_at(game, number, robot)
        crew = robot_for_seat(ruleset=ruleset, seats=game.seats, taken=seats, favourite=user.look, **robot)
        Seat.objects.create(game=game, number=number, user=user, ready=ready, joined_at=now, **crew)
        game.invitations.filter(user=user).update(answer=Invitation.Answer.ACCEPTED, answered_at=now)
        add_entry(game=game, by=user, kind="joined", player=user.robo_name, now=now)
        touch(game, now)
        start_if_ready(game=game, now=now)
    return game


def leave_game(*, user: User, game_id: int, now: datetime) -> Game:
    """Give up the user's seat before the game starts.

    If the host leaves, the next person in seat order becomes host. If no person remains, the game is
    cancelled. Raises NotFound for a game that the person may not see, Forbidden for people without a seat,
    and Conflict once the game has started.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = locked_game(game_id)
        seat = own_seat(user=user, game=game)
        if game.status == Game.Status.CANCELLED:
            raise Conflict("cancelled", _("This game was cancelled."))
        if game.status != Game.Status.OPEN:
            raise Conflict("started", _("The game has started. You can no longer leave its lobby."))
        add_entry(game=game, by=user, kind="left", player=user.robo_name, now=now)
        free_up_seat(game=game, seat=seat, now=now)
    return game


def free_up_seat(*, game: Game, seat: Seat, now: datetime) -> None:
    """Free a seat of a lobby. Replace the host if the host left, and cancel the game if no person remains.

    The caller must hold the game's row lock.
    """
    seat_id, user = seat.pk, seat.user
    Seat.objects.filter(pk=seat_id).delete()
    people = [other for other in game.players.select_related("user").order_by("number") if other.user]
    if not people:
        game.status = Game.Status.CANCELLED
        game.ended_at = now
        notify_about_game(users=people_in_lobby(game), kind="cancelled", game=game, now=now)
    elif user is not None and game.host_id == user.pk:
        assert people[0].user is not None
        game.host = people[0].user
        add_entry(game=game, by=None, kind="host", player=game.host.robo_name, now=now)
    game.moved_at = now
    game.save()


def add_computer(
    *, user: User, game_id: int, strength: str, now: datetime, **robot: Unpack[RobotChoice]
) -> Game:
    """Give the first free seat of a lobby to a computer. Only the host may do this.

    Raises NotFound; Forbidden for everyone except the host; Conflict if the game has started, if the game or
    the squad is full, and if the look is taken; Invalid for an unknown level, look, model or squad; and the
    errors of `start_if_ready`.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = lock_hosted_lobby(user=user, game_id=game_id)
        seat = seat_computer(game=game, strength=strength, now=now, **robot)
        add_entry(
            game=game, by=user, kind="computer-added", player=user.robo_name, computer=seat.name, now=now
        )
        touch(game, now)
        start_if_ready(game=game, now=now)
    return game


def fill_with_computers(*, user: User, game_id: int, strength: str, most: int, now: datetime) -> Game:
    """Give the free seats of a lobby to computers, but at most ``most`` seats. Only the host may do this.

    The robots are chosen automatically. Raises the errors of `add_computer`.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = lock_hosted_lobby(user=user, game_id=game_id)
        for _number in range(min(most, max(1, game.seats - game.players.count()))):
            seat = seat_computer(game=game, strength=strength, now=now)
            add_entry(
                game=game, by=user, kind="computer-added", player=user.robo_name, computer=seat.name, now=now
            )
        touch(game, now)
        start_if_ready(game=game, now=now)
    return game


def change_computer(
    *,
    user: User,
    game_id: int,
    seat: int,
    strength: str | None = None,
    now: datetime,
    **robot: Unpack[RobotChoice],
) -> Game:
    """Change the level or the robot of a computer in a lobby. Only the host may do this.

    Raises NotFound if the user may not see the game or if the seat is free; Forbidden for everyone except
    the host; Malformed if no change is given; Conflict if the game has started, if the seat is a person's, if
    the squad is full or if the look is taken; and Invalid for an unknown level, look, model or squad.
    """
    game_for(viewer=user, game_id=game_id)
    if strength is None and not _has_changes(robot):
        raise Malformed("nothing", _("Send at least one of these: “strength”, “look”, “model”, “squad”."))
    with transaction.atomic():
        game = lock_hosted_lobby(user=user, game_id=game_id)
        found = _seat_of(game, seat)
        if not found.computer:
            raise Conflict(
                "a-person",
                _("{player} is not a computer. People choose their own robots.").format(
                    player=found.robo_name
                ),
            )
        before = found.name
        _change_robot(game, found, robot)
        found.computer = _check_level(found.computer if strength is None else strength)
        found.name = computer_name(found.computer, found.look)
        found.save(update_fields=["computer", "name"])
        named = {"player": user.robo_name, "computer": found.name}
        if before == found.name:
            add_entry(game=game, by=user, kind="computer-changed", **named, now=now)
        else:
            add_entry(game=game, by=user, kind="computer-renamed", **named, was=before, now=now)
        touch(game, now)
    return game


def remove_player(*, user: User, game_id: int, seat: int, now: datetime) -> Game:
    """Remove a computer or a person from a lobby. Only the host may do this. A removed person is notified.

    If hosts remove themselves, the next person in seat order becomes host. Raises NotFound for a game that
    the user may not see and for a free seat, Forbidden for everyone except the host, and Conflict once the
    game has started.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = lock_hosted_lobby(user=user, game_id=game_id)
        found = _seat_of(game, seat)
        person = found.user
        itself = person is not None and person.pk == user.pk
        if itself:
            add_entry(game=game, by=user, kind="left", player=user.robo_name, now=now)
        else:
            removed = {"player": user.robo_name, "robot": found.robo_name}
            add_entry(game=game, by=user, kind="removed", **removed, now=now)
        free_up_seat(game=game, seat=found, now=now)
        if person is not None and not itself:
            forget_invitations(game=game, person=person)
            replace_link(game)  # the removed person knows the old link
            notify_about_game(users=[person], kind="removed", game=game, now=now)
    return game


def seat_computer(
    *, game: Game, strength: str, number: int | None = None, now: datetime, **robot: Unpack[RobotChoice]
) -> Seat:
    """Give a free seat of a game to a computer. By default, it is the first one.

    The caller must hold the game's row lock. Raises Conflict if the game or the squad is full or the look is
    taken, and Invalid for an unknown level, look, model or squad.
    """
    seats = list(game.players.all())
    number = number or free_seat(game, seats)
    robot = _robot_at(game, number, robot)
    crew = robot_for_seat(ruleset=stored.edition_of(game), seats=game.seats, taken=seats, **robot)
    computer = _check_level(strength)
    return Seat.objects.create(
        game=game,
        number=number,
        computer=computer,
        name=computer_name(computer, crew["look"]),
        ready=True,
        joined_at=now,
        **crew,
    )


def seat_companion(*, game: Game, name: str, number: int, now: datetime) -> Seat:
    """Give a free seat of a game on one screen to a companion. The caller must hold the game's row lock."""
    seats = list(game.players.all())
    crew = robot_for_seat(
        ruleset=stored.edition_of(game), seats=game.seats, taken=seats, **_robot_at(game, number, {})
    )
    return Seat.objects.create(game=game, number=number, name=name, ready=True, joined_at=now, **crew)


def read_computers(
    asked: Iterable[str | Mapping[str, Any]], edition: rules.Ruleset | None, free: int
) -> tuple[Sequence[Mapping[str, Any]], list[ProblemDocument]]:
    """Return the computers for a new game as objects, and a list of their problems.

    Each computer in ``asked`` is a level, or an object with ``strength`` and optional ``look``, ``model`` and
    ``squad``. ``free`` is the number of seats for computers.
    """
    computers: list[Mapping[str, Any]] = []
    problems: list[ProblemDocument] = []
    for entry in asked:
        computer = {"strength": entry} if isinstance(entry, str) else entry
        if computer["strength"] not in Seat.Level.values:
            problems.append({"code": "computers", "detail": _unknown_level(computer["strength"])})
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
        detail = seats.format(seats=free) if free > 0 else _("No seats are free for computers.")
        problems.append({"code": "computers", "detail": detail})
    return computers, problems


def _check_level(value: str) -> str:
    if value not in Seat.Level.values:
        detail = _unknown_level(value)
        raise Invalid("no-strength", detail, [{"code": "strength", "detail": detail}])
    return value


def _unknown_level(value: object) -> str:
    return _("There is no level “{level}” for computers. Choose one of these: {levels}.").format(
        level=value, levels=", ".join(Seat.Level.values)
    )


def _seat_of(game: Game, number: int) -> Seat:
    seat = game.players.select_related("user").filter(number=number).first()
    if seat is None:
        raise NotFound("no-such-seat", _("No player has seat {number} in this game.").format(number=number))
    return seat
