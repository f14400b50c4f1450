"""Play on: start new games at positions of finished games, of game files, or set up by players.

Such a game is private and unrated, and leaves no records (`Game.leaves_records`).
"""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any, Final

from django.db import transaction
from django.utils.text import capfirst
from django.utils.translation import gettext as _, ngettext

import rules
from accounts.models import LOOKS, User
from accounts.services import DELETED_PREFIX
from games.absence.seats import refuse_limited
from games.errors import (
    Conflict,
    Invalid,
    NotFound,
    ProblemDocument,
    document_problems,
    new_token,
    refuse_guests,
)
from games.fleet.boards import crowding_in, remember, starship_of
from games.fleet.models import Course, Starship, StarshipRevision
from games.lobby.practice import DOUBLE_CLICK
from games.lobby.seats import robot_for_seat, seat_companion, seat_computer, start_if_ready
from games.lobby.services import SEED_BYTES
from games.play import stored
from games.play.models import Game, Seat
from games.play.orders import NO_HAND
from games.play.selectors import computer_name, played_turn
from games.play.services import lock_people
from games.play.terms import Terms
from games.play.viewers import Viewer, game_for, refuse_words
from games.wording import translate
from rules.launch import CRYSTAL_NAME, scanner_name
from rules.notation import fault_of_key
from rules.position import (
    MAX_ROBOTS,
    POSITION_FORMAT,
    SETUP_KEYS,
    Position,
    begin_at,
    position_at_start,
    position_of,
    read_position,
    read_setup,
    read_whole,
    with_setup,
)
from rules.review.game import played_turns

Document = dict[str, Any]

COMPUTERS: Final = "computers"
FRIENDS: Final = "friends"
ONE_SCREEN: Final = "screen"
OPPONENTS: Final = (COMPUTERS, FRIENDS, ONE_SCREEN)
"""The players of the other robots: computers, friends who join by the game's link, or companions.

Companions have no accounts, and play at the person's screen.
"""


MAX_FILE_TURNS: Final = 500
"""The maximum number of turns in a file. All turns before the position are dealt again."""

MAX_FILE_REDRAWS: Final = 5_000
"""The maximum number of redrawn hands in a file. Each is dealt again too. Long games have some hundred."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Beginning:
    """A position, with everything that a new game takes over from its source.

    ``name`` names the source for everyone in the new game: a private game by its board. ``robots`` names the
    players' robots there. ``revision`` is the library's ship with this board. It is None for other boards.
    ``origin`` and ``turn`` are the game and the turn of the position, if the service has the game.
    """

    setup: rules.Setup
    document: Document
    position: Position
    name: str
    robots: tuple[str, ...] = ()
    revision: StarshipRevision | None = None
    course: Course | None = None
    origin: Game | None = None
    turn: int | None = None

    @property
    def state(self) -> rules.State:
        """The state at the start of the new game, with numbers in place of the players' names."""
        names = [str(number) for number, _robot in enumerate(self.position.players, 1)]
        position = self.position
        return begin_at(position, self.setup, names, "shown", position.squads, position.models).state

    @property
    def free_seats(self) -> list[int]:
        """The numbers of the seats whose robots are still in the game."""
        players = enumerate(self.position.players, 1)
        return [number for number, robot in players if not robot.out and robot.place is None]


def beginning_in_game(*, viewer: Viewer, game_id: int, turn: int, link: str = "") -> Beginning:
    """Return the position at the start of a turn of a finished game.

    ``link`` is the token of a private game's link. Raises NotFound if the viewer may not see the game, or if
    it has not played the turn. Raises Conflict if the game is not over, and for turn 0, because players
    choose headings there.
    """
    game = game_for(viewer=viewer, game_id=game_id, link=link)
    if not game.was_played:
        raise Conflict("not-over", _("You can play on from a game once it is over."))
    if turn == 0:
        raise Conflict("no-position", _("Turn 0 is the choice of headings. Choose turn 1 or a later one."))
    played = played_turn(game, turn)
    setup = stored.setup_of(game)
    state = stored.start_of(played, setup.starship)
    document = position_of(setup, state)
    return Beginning(
        setup=setup,
        document=document,
        position=read_position(document, setup),
        name=game.board_name if game.private else game.name,
        robots=tuple(robot.name for robot in state.players),
        revision=game.revision,
        course=game.course,
        origin=game,
        turn=turn,
    )


def beginning_in(*, document: object, turn: int | None = None) -> Beginning:
    """Return the position of a document, which is a game/1 file or a position/1 document.

    ``turn`` is a turn of the file. Raises Invalid for other documents, and the errors of `beginning_in_file`
    and `beginning_at`.
    """
    form = document.get("format") if isinstance(document, Mapping) else None
    if isinstance(document, Mapping) and form == rules.GAME_FORMAT:
        return beginning_in_file(document=document, turn=turn)
    if isinstance(document, Mapping) and form == POSITION_FORMAT:
        return beginning_at(document=document)
    detail = _("A game/1 file or a position/1 document is expected.")
    raise Invalid("no-position", detail, [{"code": "document", "detail": detail}])


def beginning_in_file(*, document: Mapping[str, Any], turn: int | None = None) -> Beginning:
    """Return the position at the start of a turn in a ``game/1`` file. By default, it is the last turn.

    The file need not be proved, because the new game does not depend on it. Raises Invalid if the file cannot
    be read, if it does not have the turn, if the service would not save its board, and if no game can have
    the position.
    """
    _check_board(document)
    try:
        game = rules.read_game_file(document)
        if len(game.turns) > MAX_FILE_TURNS:
            detail = _("This file has more than {number} turns, which is the limit.")
            detail = detail.format(number=MAX_FILE_TURNS)
            raise Invalid("no-position", detail, [{"code": "document", "detail": detail}])
        if sum(len(hand.aside) for each in game.turns for hand in each.hands) > MAX_FILE_REDRAWS:
            detail = _("This file has more than {number} redrawn hands, which is the limit.")
            detail = detail.format(number=MAX_FILE_REDRAWS)
            raise Invalid("no-position", detail, [{"code": "document", "detail": detail}])
        numbers = [each.turn for each in game.turns if each.turn > 0]
        number = turn if turn is not None else numbers[-1] if numbers else 0
        if number not in numbers:
            detail = _("You can play on from these turns of this file: {turns}.")
            detail = detail.format(turns=f"{numbers[0]}–{numbers[-1]}" if numbers else "–")
            raise Invalid("no-position", detail, [{"code": "turn", "detail": detail}])
        played = next(each for each in played_turns(game) if each.state.turn == number)
        written = position_of(game.setup, played.state)
        position = read_position(written, game.setup)
    except rules.RulesError as error:
        raise _unreadable(error.problems) from None
    except (LookupError, TypeError, ValueError, AttributeError, StopIteration):  # events that contradict it
        detail = _("The turns of this file contradict each other, so no game can begin there.")
        raise Invalid("no-position", detail, [{"code": "document", "detail": detail}]) from None
    name = game.setup.starship.name.strip() or _("A game from a file")
    return Beginning(setup=game.setup, document=written, position=position, name=name, turn=number)


def beginning_at(*, document: Mapping[str, Any], starship: Starship | None = None) -> Beginning:
    """Return the position of a ``position/1`` document. Raises Invalid if no game can begin there.

    If a ``starship`` of the library has the same board, the new game has this ship.
    """
    _check_board(document)
    try:
        setup, position = read_whole(document)
    except rules.RulesError as error:
        raise _unreadable(error.problems) from None
    pieces = {key: value for key, value in document.items() if key not in SETUP_KEYS}
    name = setup.starship.name.strip() or _("A position")
    revision = starship.current if starship else None
    if revision and starship_of(revision).fingerprint != setup.starship.fingerprint:
        revision = None
    return Beginning(setup=setup, document=pieces, position=position, name=name, revision=revision)


def new_position(*, ruleset: rules.Ruleset, starship: Starship, seats: int) -> Document:
    """Return the position at the start of a new game, as ``position/1`` with its setup and the usual options.

    Raises SetupError if no game can have this setup.
    """
    assert starship.current
    setup = rules.make_setup(ruleset, {}, starship_of(starship.current), seats)
    return with_setup(setup, position_at_start(setup, seats))


def written_position(beginning: Beginning) -> Document:
    """Return a position as ``position/1`` with its setup. All values of its robots are written out."""
    setup = beginning.setup
    pieces = position_of(setup, beginning.state)
    for key in ("links", "known"):
        if key not in beginning.document:  # they are drawn with the hands of the new game
            del pieces[key]
    return with_setup(setup, pieces)


def reshaped_position(
    document: Document, *, seats: int, options: Mapping[str, Any], house_rules: Mapping[str, Any]
) -> Document:
    """Return a position for other numbers of robots, options or house rules.

    More robots and scanners start in the same cells as in a new game. The last ones are left out first.
    Raises SetupError if no game can have this setup.
    """
    before = read_setup(document)
    edition = rules.ruleset(before.ruleset.key, before.ruleset.version)
    setup = rules.make_setup(edition, options, before.starship, seats, house_rules)
    fresh = position_at_start(setup, seats)
    robots: list[Document] = []
    for scanner in (False, True):
        usual, present = _robots_of(fresh, scanner), _robots_of(document, scanner)
        more = usual[len(present) :]
        robots += present[: len(usual)]
        for item in more:
            taken = [other.get("rank") for other in robots]
            item["virtual"] = item["at"] is not None and item["at"] in [other.get("at") for other in robots]
            if "rank" in item:
                item["rank"] = next(rank for rank in count(1) if rank not in taken)
            robots.append(item)
    for item in robots if not setup.options.get("equipment") else ():
        item.pop("equipment", None)
        item.pop("ammo", None)
    same_hull = options.get("hull_damage") == before.options.get("hull_damage")
    hull = document["hull"] if same_hull and "hull" in document else fresh["hull"]
    return with_setup(setup, {**document, "robots": robots, "hull": hull})


def _robots_of(document: Document, scanner: bool) -> list[Document]:
    return [dict(item) for item in document["robots"] if bool(item.get("scanner")) == scanner]


def _check_board(document: Mapping[str, Any]) -> None:
    """Raise Invalid for a board that the service would not save: with a bad name, or too crowded."""
    board = document.get("starship")
    name = fault_of_key(board, "name") if isinstance(board, Mapping) else None
    if problems := [*([name] if name else []), *crowding_in(board)]:
        raise _unreadable(problems)


def _unreadable(problems: Collection[rules.Problem]) -> Invalid:
    """Return the refusal of a document. Its first problem is also the message."""
    first = capfirst(translate(next(iter(problems)).message))
    detail = _("No game can begin here. {problem}.").format(problem=first)
    return Invalid("no-position", detail, document_problems("document", problems))


def play_on(
    *,
    user: User,
    beginning: Beginning,
    seat: int | None = None,
    opponents: str = COMPUTERS,
    strength: str = Seat.Level.PILOT,
    names: Sequence[str] = (),
    admits_guests: bool = False,
    now: datetime,
) -> Game:
    """Create a game that begins at a position.

    The person plays the robot of ``seat``, by default the first that is in the game. Against computers, the
    game starts at once. With friends, the other robots wait in a private lobby, and computers have only the
    robots that are out. On one screen, companions with these ``names`` play the other robots that are in the
    game, in the order of their seats. Robots without a name have computers. If the same request comes again
    within `DOUBLE_CLICK`, returns the first game.

    Raises Invalid for a seat whose robot is out, for unknown opponents and levels, and for names that fit no
    robot or are taken; Conflict if staff took down the ship; the errors of `refuse_beyond_budget`; and with
    friends, the errors of `refuse_limited`. Raises Forbidden for guests, unless the caller ``admits_guests``
    to a game without friends.
    """
    if not admits_guests or opponents == FRIENDS:
        refuse_guests(user)
    free = beginning.free_seats
    mine = seat if seat is not None else free[0]
    _check(beginning, mine, opponents, strength)
    companions = _companions(user, [number for number in free if number != mine], opponents, names)
    words = [beginning.name] if beginning.origin is None else []
    refuse_words(user=user, words=[*words, *companions.values()], now=now)
    with transaction.atomic():
        lock_people([user.pk])
        player = User.objects.filter(pk=user.pk).first()  # the guest account may no longer exist
        if player is None:
            raise NotFound("no-guest", _("You are now logged in as another player. Reload the page."))
        if same := _just_started(player, beginning, mine, opponents, strength, companions, now):
            return same
        if opponents == FRIENDS:
            refuse_limited(user=player, now=now)
        game = _create(player, beginning, NO_HAND if companions else None, now)
        robot = beginning.position.players[mine - 1]
        crew = robot_for_seat(
            ruleset=stored.edition_of(game),
            seats=game.seats,
            taken=[],
            squad=robot.squad or "",
            model=robot.model or "",
            favourite=player.look,
        )
        Seat.objects.create(game=game, number=mine, user=player, ready=True, joined_at=now, **crew)
        for number in range(1, game.seats + 1):
            if number in companions:
                seat_companion(game=game, name=companions[number], number=number, now=now)
            elif number != mine and (opponents != FRIENDS or number not in free):
                seat_computer(game=game, strength=strength, number=number, now=now)
        start_if_ready(game=game, now=now)
    return game


def _check(beginning: Beginning, seat: int, opponents: str, strength: str) -> None:
    problems: list[ProblemDocument] = []
    if seat not in beginning.free_seats:
        seats = ", ".join(map(str, beginning.free_seats))
        detail = _("This robot is not in the game. Choose one of these seats: {seats}.").format(seats=seats)
        problems.append({"code": "seat", "detail": detail})
    if opponents not in OPPONENTS:
        detail = _("Choose one of these opponents: {opponents}.").format(opponents=", ".join(OPPONENTS))
        problems.append({"code": "opponents", "detail": detail})
    if strength not in Seat.Level.values:
        detail = _("There is no level “{level}” for computers. Choose one of these: {levels}.").format(
            level=strength, levels=", ".join(Seat.Level.values)
        )
        problems.append({"code": "strength", "detail": detail})
    if problems:
        raise Invalid("no-game", problems[0]["detail"], problems)
    refuse_taken_down(beginning)


def refuse_taken_down(beginning: Beginning) -> None:
    """Raise Conflict if staff took down a ship of a position's board."""
    if gone := next((ship for ship in _ships(beginning) if ship.taken_down_at), None):
        detail = _("Staff took {starship} down, so no new game can begin on it.")
        raise Conflict("taken-down", detail.format(starship=gone.name))


def _companions(user: User, seats: Sequence[int], opponents: str, names: Sequence[str]) -> dict[int, str]:
    """Return the names of companions by seat. Raises Invalid for names that fit no robot or are taken."""
    if opponents != ONE_SCREEN:
        return {}
    given = [name for name in names if name]
    robots = [computer_name(level, look) for level in Seat.Level.values for look in range(1, LOOKS + 1)]
    robots += [CRYSTAL_NAME, *map(scanner_name, range(1, MAX_ROBOTS + 1))]
    folded = [name.casefold() for name in [user.robo_name, *robots, *given]]
    placeholder = any(name.casefold().startswith(DELETED_PREFIX.casefold()) for name in given)
    detail = ""
    if not given:
        detail = _("Enter the name of at least one other player at this screen.")
    elif len(names) > len(seats):
        detail = ngettext(
            "Only {number} other robot is in the game. Enter fewer names.",
            "Only {number} other robots are in the game. Enter fewer names.",
            len(seats),
        ).format(number=len(seats))
    elif placeholder or len(set(folded)) < len(folded):
        detail = _("Each robot needs a different name. Change names that are taken or used twice.")
    if detail:
        raise Invalid("no-game", detail, [{"code": "names", "detail": detail}])
    return {seat: name for seat, name in zip(seats, names, strict=False) if name}


def _ships(beginning: Beginning) -> list[Starship]:
    ships = [beginning.revision.starship] if beginning.revision else []
    if beginning.course:
        pieces = beginning.course.pieces.select_related("revision__starship")
        ships += [piece.revision.starship for piece in pieces]
    return ships


def _just_started(
    player: User,
    beginning: Beginning,
    seat: int,
    opponents: str,
    strength: str,
    companions: Mapping[int, str],
    now: datetime,
) -> Game | None:
    """Return the player's game of the same request that was created within `DOUBLE_CLICK`, or None."""
    status = Game.Status.OPEN if opponents == FRIENDS else Game.Status.RUNNING
    setup, board = beginning.setup, rules.canonical(_board_document(beginning))
    recent = Game.objects.filter(
        host=player,
        created_at__gt=now - DOUBLE_CLICK,
        status=status,
        ruleset=setup.ruleset.key,
        version=setup.ruleset.version,
        options=dict(setup.options),
        house_rules=dict(setup.house_rules),
        revision=beginning.revision,
        position=beginning.document,
        origin=beginning.origin,
        origin_turn=beginning.turn,
        players__user=player,
        players__number=seat,
    )
    for game in recent.order_by("-pk").select_related("course").prefetch_related("players"):
        others = [each for each in game.players.all() if each.number != seat]
        same_board = rules.canonical(game.course and game.course.document) == board
        same_level = all(each.computer in ("", strength) for each in others)
        named = {each.number: each.name for each in others if each.is_companion}
        if same_board and same_level and named == companions:
            return game
    return None


def _create(player: User, beginning: Beginning, at_screen: int | None, now: datetime) -> Game:
    """Save a game without seats, with its board. ``at_screen`` is None unless the game is on one screen."""
    setup, seed = beginning.setup, secrets.token_hex(SEED_BYTES)
    terms = Terms(
        name=_name(beginning),
        ruleset=setup.ruleset.key,
        options=dict(setup.options),
        house_rules=dict(setup.house_rules),
        seats=len(beginning.position.players),
        private=True,
        rated=Game.Rated.NO.value,
        sitters=at_screen is None,
    )
    game = Game.objects.create(
        **terms.columns,
        version=setup.ruleset.version,
        revision=beginning.revision,
        course=_own_board(beginning),
        position=beginning.document,
        origin=beginning.origin,
        origin_turn=beginning.turn,
        at_screen=at_screen,
        host=player,
        link_token=new_token(),
        seed=seed,
        commitment=rules.commitment(seed),
        created_at=now,
        moved_at=now,
    )
    if game.course:
        game.course.game = game
        game.course.save(update_fields=["game"])
        for piece in beginning.course.pieces.all() if beginning.course else ():
            piece.pk, piece.game, piece.course = None, game, game.course
            piece._state.adding = True
            piece.save()
    return game


def _board_document(beginning: Beginning) -> Document | None:
    """Return the document of a new game's own board, or None if a ship in the library has this board."""
    if beginning.course:
        return dict(beginning.course.document)
    if beginning.revision:
        return None
    document = rules.write_starship(beginning.setup.starship)
    if beginning.origin is None:
        document = {**document, "name": beginning.name, "builder": "", "description": ""}
    return document


def _own_board(beginning: Beginning) -> Course | None:
    """Save and return a copy of the board, or return None if a ship in the library has this board."""
    ship, document = beginning.setup.starship, _board_document(beginning)
    if document is None:
        return None
    course = Course.objects.create(
        name=beginning.course.name if beginning.course else beginning.name,
        document=document,
        width=ship.width,
        height=ship.height,
    )
    remember(course, rules.read_starship(document, known=True))
    return course


def _name(beginning: Beginning) -> str:
    """Return a game's name, made from its source and the turn."""
    if beginning.turn is None:
        return beginning.name
    longest = Game._meta.get_field("name").max_length or 0
    name = _("{game}, from turn {turn}").format(game=beginning.name, turn=beginning.turn)
    return name if len(name) <= longest else beginning.name
