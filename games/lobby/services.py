"""Services for games before their start: create, change, cancel and expire games, and create rematches."""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Unpack

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.text import capfirst
from django.utils.translation import gettext as _

import rules
from accounts.models import LOOKS, User
from games.absence.seats import refuse_limited
from games.clocks.selectors import since_when
from games.clubs.selectors import club_of_game
from games.clubs.services import note_game
from games.errors import (
    Conflict,
    Forbidden,
    Invalid,
    ProblemDocument,
    ServiceError,
    document_problems,
    new_token,
    refuse_guests,
)
from games.fleet.boards import Layout, lay_out, remember
from games.fleet.models import Course, Mission, Piece
from games.lobby.invitations import lock_hosted_lobby
from games.lobby.models import Invitation
from games.lobby.seats import (
    RobotChoice,
    RobotFields,
    change_robot,
    join_game,
    read_computers,
    renumber_seats,
    robot_for_seat,
    seat_computer,
    start_if_ready,
)
from games.lobby.selectors import changes_after, people_in_lobby
from games.news.services import notify_about_game
from games.people.contacts import reachable
from games.play import stored
from games.play.history import add_entry, rematches, sentence_of
from games.play.lifecycle import end_without_winner
from games.play.models import Game, Seat
from games.play.services import locked_game
from games.play.terms import BOARD, Terms, terms_of
from games.play.viewers import game_for, refuse_words
from games.wording import translate
from games.work.jobs import for_each_row


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Valid terms for a new or changed game, with the setup and the board that result from them."""

    terms: Terms
    setup: rules.Setup
    layout: Layout

    def fields(self) -> dict[str, Any]:
        """Return the arrangement as fields of a `Game`, without ``course``."""
        return {
            **self.terms.columns,
            "version": self.setup.ruleset.version,
            "revision": self.layout.pieces[0].revision if self.layout.pieces else None,
        }

    def drawn(self) -> Course | None:
        """Save and return the board of a test flight, before its game exists.

        Returns None if the board comes from the library.
        """
        return None if self.layout.pieces else self._course(None)

    def course(self, game: Game) -> Course | None:
        """Save and return the board that was composed for a game, with its pieces.

        Returns None if the game uses a starship's own board.
        """
        if not self.layout.composed:
            return None
        course = self._course(game)
        for piece in self.layout.pieces:
            column, row = piece.at
            Piece.objects.create(
                game=game, course=course, revision=piece.revision, column=column, row=row, turned=piece.turned
            )
        return course

    def _course(self, game: Game | None) -> Course:
        ship = self.layout.ship
        course = Course.objects.create(
            game=game,
            name=ship.name,
            document=rules.write_starship(ship),
            width=ship.width,
            height=ship.height,
        )
        remember(course, ship)
        return course


def arrange(
    terms: Terms, *, seed: str, more: Iterable[ProblemDocument] = (), ship: rules.Starship | None = None
) -> Arrangement:
    """Check a game's terms, and return them with the setup and the board.

    The board is ``ship``, if given. Otherwise it comes from the terms: the current board of a starship, or
    joined boards. The game's ``seed`` determines random checkpoints. Raises NotFound for a starship that is
    not offered, Malformed for unreadable boards, checkpoints or start, and Invalid with every reason why the
    terms do not fit together, including the caller's own reasons in ``more``.
    """
    ruleset, seats = terms.ruleset, terms.seats
    problems: list[ProblemDocument] = []
    layout: Layout | None = None
    try:
        layout = _laid_out(terms, seed, ship)
    except Invalid as refusal:
        problems += refusal.problems
    setup: rules.Setup | None = None
    if edition := rules.RULESETS.get(ruleset):
        problems += _choice_faults(edition, terms.options, terms.house_rules)
        if layout:
            setup, faults = _set_up(edition, layout.ship, seats, terms.options, terms.house_rules)
            problems += [fault for fault in faults if fault["detail"] not in _details(problems)]
    problems += more
    if problems or layout is None or setup is None:
        raise Invalid(
            "no-game", _("This game is not possible with these settings. Fix the marked fields."), problems
        )
    whole = replace(terms, options=dict(setup.options), house_rules=dict(setup.house_rules))
    return Arrangement(whole, setup, layout)


def _laid_out(terms: Terms, seed: str, ship: rules.Starship | None) -> Layout:
    if ship is not None:
        return Layout(ship, (), composed=True)
    return lay_out(
        ruleset=terms.ruleset,
        starship_id=terms.starship,
        boards=terms.boards,
        checkpoints=terms.checkpoints,
        start=terms.start,
        scattered=scattered_in(terms.ruleset, terms.options),
        seed=seed,
    )


def scattered_in(ruleset: str, options: Mapping[str, Any]) -> int:
    """Return the number of random checkpoints in a game's options (FA-1).

    Returns 0 if the ruleset does not allow this number.
    """
    edition, wanted = rules.RULESETS.get(ruleset), options.get("random_checkpoints", 0)
    choices = edition.options if edition else ()
    choice = next((option for option in choices if option.key == "random_checkpoints"), None)
    return wanted if choice and choice.problem(wanted) is None else 0


def _choice_faults(
    edition: rules.Ruleset, options: Mapping[str, Any], house_rules: Mapping[str, Any]
) -> Iterator[ProblemDocument]:
    """Yield the problems of options and house rules, each with the key of its option or rule."""
    choices = (("option", rules.read_options, options), ("house-rule", rules.read_house_rules, house_rules))
    for code, read, given in choices:
        for key in given:
            try:
                read(edition, {key: given[key]})
            except rules.SetupError as error:
                yield from ({**fault, "key": key} for fault in document_problems(code, error.problems))


def _set_up(
    edition: rules.Ruleset,
    ship: rules.Starship,
    seats: int,
    options: Mapping[str, Any],
    house_rules: Mapping[str, Any],
) -> tuple[rules.Setup | None, list[ProblemDocument]]:
    """Return the setup of a game and an empty list, or None and a list of problems.

    The problems concern the board or the number of players.
    """
    try:
        return rules.make_setup(edition, options, ship, seats, house_rules), []
    except rules.SetupError as error:
        found = set(error.problems)
        crowded = [each for each in rules.overcrowding(edition, ship, seats) if each in found]
        unsuitable = set(rules.reasons_against(edition, ship))
        board_problems = [problem for problem in error.problems if problem in unsuitable]
        others = [problem for problem in error.problems if problem not in unsuitable.union(crowded)]
        return None, [
            *document_problems("starship", board_problems),
            *(_too_many(problem) for problem in crowded),
            *document_problems("seats", others),
        ]


def _too_many(problem: rules.Problem) -> ProblemDocument:
    message = capfirst(translate(problem.message))
    detail = _("{problem}. Choose another starship or fewer players.").format(problem=message)
    return {"code": "starship", "detail": detail}


def _details(problems: Iterable[ProblemDocument]) -> set[str]:
    return {problem["detail"] for problem in problems}


SEED_BYTES = 16
"""The number of random bytes in a game's seed, so that no one can guess the seed from its commitment."""


def create_game(
    *,
    host: User,
    terms: Terms,
    ready: bool = True,
    rematch_of: Game | None = None,
    mission: Mission | None = None,
    ship: rules.Starship | None = None,
    club: str = "",
    admits_guests: bool = False,
    placed: bool = False,
    named: bool = True,
    now: datetime,
    **robot: Unpack[RobotChoice],
) -> Game:
    """Create a game on a starship's current board.

    The host gets seat 1 and the ``robot``. Computers get the next seats. If all seats are then taken and all
    players are ready, the game may start at once. For a test flight, ``ship`` is a starship outside the
    library, and the terms name no starship. Only members can join the game of a ``club``.

    Raises the errors of `arrange`; NotFound for an unknown club; Forbidden if the host is not in the club;
    and Invalid for unknown robots and computers. Raises Forbidden for guests, unless the caller
    ``admits_guests`` to a training ``mission`` or to a private game against computers only.

    Raises Forbidden for players who may not start another game with others (`refuse_limited`), unless a
    tournament, a ladder or the queue has ``placed`` them. If the host has ``named`` the game, raises the
    errors of `refuse_words` for its name.
    """
    if not admits_guests:
        refuse_guests(host)
    if named and not placed:
        refuse_words(user=host, words=[terms.name], before=[default_game_name(host)], now=now)
    crew: RobotFields | None = None
    problems: list[ProblemDocument] = []
    edition = rules.RULESETS.get(terms.ruleset)
    wanted, faults = read_computers(terms.computers, edition, terms.seats - 1)
    problems += faults
    if edition:
        try:
            crew = robot_for_seat(ruleset=edition, seats=terms.seats, taken=[], favourite=host.look, **robot)
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
            note_game(game=game, slug=club, now=now)
        Seat.objects.create(game=game, number=1, user=host, ready=ready, joined_at=now, **crew)
        _seat(game, wanted, now)
        start_if_ready(game=game, placed=placed, now=now)
    return game


def place_game(*, players: Sequence[User], terms: Terms, now: datetime) -> Game:
    """Create a game for players placed by a competition or the queue.

    The first player is the host. The game starts at once, unless it needs more players. Raises the errors of
    `create_game` and `join_game`.
    """
    host, *others = players
    game = create_game(host=host, terms=terms, placed=True, now=now)
    for player in others:
        game = join_game(user=player, game_id=game.pk, placed=True, now=now)
    return game


def default_game_name(host: User) -> str:
    """Return the default name of a host's game. Even muted players may use this name."""
    return _("{player}’s game").format(player=host.robo_name)


def _seat(game: Game, computers: Sequence[Mapping[str, Any]], now: datetime) -> None:
    """Give the next free seats of a game to computers.

    Looks (pictures) that are requested for a computer are reserved before the other computers get looks.
    """
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
                "no-game",
                _("This game is not possible with these settings. Fix the marked fields."),
                [problem],
            ) from None


def change_game(
    *, user: User, game_id: int, changes: Mapping[str, Any], instead_of: int | None = None, now: datetime
) -> Game:
    """Change settings of a lobby, as its host. Settings missing in ``changes`` stay as they are.

    Options and house rules missing in ``changes`` also stay, unless the ruleset changes: then they get their
    defaults. The lobby's history lists each change, and each robot whose model the new ruleset lacks. All
    other people must agree again.

    ``instead_of`` is the last change known to the host (`last_change`). Raises NotFound; Forbidden for
    everyone except the host; Conflict once the game has started, or if settings have changed after
    ``instead_of``; Invalid with every reason why the settings do not fit together; and the errors of
    `refuse_words` for a new name.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = lock_hosted_lobby(user=user, game_id=game_id)
        if game.is_played_on:
            detail = _("This game begins at a position, so its settings can’t be changed.")
            raise Conflict("played-on", detail)
        seats = list(game.players.select_related("user").order_by("number"))
        arranged = _arranged(game, changes, len(seats))
        differences = list(_differences(game, arranged, changes))
        if not differences:
            return game
        if instead_of is not None:
            _check_seen(game, instead_of)
        refuse_words(
            user=user, words=[arranged.terms.name], before=[game.name, default_game_name(user)], now=now
        )
        if arranged.terms.private != game.private:
            game.link_token = new_token()
        _apply_arrangement(game, arranged)
        game.moved_at = now
        game.save()
        if seats[-1].number > game.seats:
            renumber_seats(seats)
        for kind, parameters in differences:
            add_entry(game=game, by=user, kind=kind, player=user.robo_name, **parameters, now=now)
        for robot, model in _refit(game, seats):
            add_entry(game=game, by=user, kind="without-model", robot=robot, model=model, now=now)
        game.players.exclude(user=None).exclude(user=user).update(ready=False)
        start_if_ready(game=game, now=now)
    return game


def _check_seen(game: Game, seen: int) -> None:
    if since := [{"code": each.kind, "detail": sentence_of(each)} for each in changes_after(game, seen)]:
        detail = _("The settings changed after you opened this form. Compare them, then save again.")
        raise Conflict("settings-changed", detail, since)


def _arranged(game: Game, changes: Mapping[str, Any], taken: int) -> Arrangement:
    before = terms_of(game)
    same = changes.get("ruleset", game.ruleset) == game.ruleset
    asked = {**changes, **_board(before, changes)}
    for key in ("options", "house_rules"):
        asked[key] = {**(getattr(before, key) if same else {}), **(changes.get(key) or {})}
    arranged = arrange(before.with_changes(asked), seed=game.seed)
    if arranged.terms.seats < taken:
        detail = _("The game already has {taken} players. Choose at least that many seats.").format(
            taken=taken
        )
        raise Invalid(
            "no-game",
            _("This game is not possible with these settings. Fix the marked fields."),
            [{"code": "seats", "detail": detail}],
        )
    return arranged


def _board(before: Terms, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a game's board after a change.

    A new starship or new boards reset the checkpoints and the start.
    """
    named = {key: changes[key] for key in BOARD if key in changes}
    if named.get("starship") is not None or named.get("boards"):
        return {key: named.get(key) for key in BOARD}
    given: dict[str, Any] = {key: named[key] for key in ("checkpoints", "start") if key in named}
    if scattered_in(changes.get("ruleset", before.ruleset), changes.get("options") or {}):
        given = {"checkpoints": None, **given}
    return {key: given.get(key, getattr(before, key)) for key in BOARD}


def _apply_arrangement(game: Game, arranged: Arrangement) -> None:
    for field, value in arranged.fields().items():
        setattr(game, field, value)
    before, game.course = game.course, arranged.course(game)
    if before is not None:
        game.save(update_fields=["course"])
        before.delete()


def _refit(game: Game, seats: list[Seat]) -> list[tuple[str, str]]:
    """Replace squads and models of robots after a game's ruleset or number of seats has changed.

    Squads are replaced if they no longer exist or are too full, and models if they no longer exist. Returns a
    pair for each robot that lost its model: the robot's name and the lost model.
    """
    lost = [(seat.robo_name, seat.model) for seat in seats if seat.model]
    ruleset = stored.edition_of(game)
    size = game.seats // len(ruleset.squads) if ruleset.squads else 0
    settled: list[Seat] = []
    for seat in seats:
        full = [other.squad for other in settled].count(seat.squad) >= size
        squad = seat.squad if seat.squad in ruleset.squads and not full else ""
        model = seat.model if seat.model in ruleset.models else ""
        crew = robot_for_seat(
            ruleset=ruleset, seats=game.seats, taken=settled, squad=squad, model=model, look=seat.look
        )
        change_robot(seat, crew)
        settled.append(seat)
    return [(robot, model) for robot, model in lost if model not in ruleset.models]


def _differences(
    game: Game, arranged: Arrangement, changes: Mapping[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the changes to a game's settings, each as a kind and parameters of a history entry."""
    terms = list(arranged.terms.differences(terms_of(game)))
    first = ("name", "ruleset")
    yield from (("term", each) for each in terms if each["term"] in first)
    ship, before = arranged.layout.ship, stored.ship_of(game)
    if rules.write_starship(ship) != rules.write_starship(before):
        as_now = ship.name == before.name and changes.keys().isdisjoint(BOARD)
        yield "board-as-now" if as_now else "board", {"starship": ship.name}
    yield from (("term", each) for each in terms if each["term"] not in first)


def rematch(*, user: User, game_id: int, now: datetime) -> Game:
    """Create a rematch of a game, or join the rematch if another player has created it.

    The first player to ask becomes the host. Computers get seats at once, and people are invited. Raises
    NotFound for a game that the person may not see; Forbidden for guests and for people without a seat in the
    game; Conflict if the game is not over, if it is a test flight, and if the rematch is full; and Invalid if
    the starship is no longer offered.
    """
    refuse_guests(user)
    game = game_for(viewer=user, game_id=game_id)
    if not game.players.filter(user=user).exists():
        raise Forbidden("no-seat", _("Only players in this game can create a rematch."))
    if game.status != Game.Status.OVER:
        raise Conflict("not-over", _("You can create a rematch once the game is over."))
    if made := rematches(game).first():
        return _join(made, user, now)
    try:
        with transaction.atomic():
            return _create_rematch(game, user, now)
    except IntegrityError:  # another player created the rematch first
        if made := rematches(game).first():
            return _join(made, user, now)
        raise


def _join(game: Game, user: User, now: datetime) -> Game:
    if game.players.filter(user=user).exists():
        return game
    return join_game(user=user, game_id=game.pk, link=game.link_token, now=now)


def _create_rematch(game: Game, user: User, now: datetime) -> Game:
    if game.is_played_on:
        raise Conflict("played-on", _("A game that was played on has no rematch. Create a new game."))
    if game.revision is None:
        raise Conflict(
            "test-flight", _("Test flights have no rematch. Fly the ship again from the Space Dock.")
        )
    if not game.revision.starship.is_offered:
        raise Invalid(
            "no-game",
            _("{starship} is no longer available. Create a new game.").format(starship=game.board_name),
        )
    seats = list(game.players.select_related("user").order_by("number"))
    mine = next(seat for seat in seats if seat.user_id == user.pk)
    Game.objects.filter(rematch_of=game, status=Game.Status.CANCELLED).update(rematch_of=None)
    computers = [
        {"strength": seat.computer, "look": seat.look, "model": seat.model, "squad": seat.squad}
        for seat in seats
        if seat.computer and not seat.robot
    ]
    made = create_game(
        host=user,
        terms=replace(terms_of(game), computers=computers),
        squad=mine.squad,
        model=mine.model,
        look=mine.look,
        rematch_of=game,
        named=False,
        club=_club_of(game, user),
        now=now,
    )
    players = [seat.user for seat in seats if seat.user and seat.user_id != user.pk]
    others = reachable(user=user, people=players)
    Invitation.objects.bulk_create(
        Invitation(game=made, user=other, invited_by=user, created_at=now) for other in others
    )
    notify_about_game(users=others, kind="invited", game=made, now=now)
    return made


def _club_of(game: Game, user: User) -> str:
    """Return the slug of a game's club, or "" if there is none or the player is not a member."""
    club = club_of_game(game.pk)
    return club.slug if club and club.memberships.filter(user=user).exists() else ""


def cancel_game(*, user: User, game_id: int, now: datetime) -> Game:
    """Cancel a game before its start, as its host, and notify its players.

    Raises NotFound, Forbidden for everyone except the host, and Conflict if the game has started or ended.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = locked_game(game_id)
        if game.host_id != user.pk:
            raise Forbidden("not-host", _("Only the host can cancel this game."))
        if game.status == Game.Status.RUNNING:
            raise Conflict("started", _("The game has started. Only staff can cancel it now."))
        cancel(game=game, by=user, now=now)
        add_entry(game=game, by=user, kind="cancelled", player=user.robo_name, now=now)
    return game


def cancel(*, game: Game, by: User, now: datetime) -> None:
    """Cancel a game without a winner, and notify its players except ``by``.

    The caller must hold the game's row lock. The open turn is never played. Raises Conflict if the game has
    ended.
    """
    if game.ended_at is not None:
        raise Conflict("finished", _("This game is already over."))
    end_without_winner(game=game, by=Game.Ending.STAFF, now=now)
    people = [each for each in people_in_lobby(game) if each.pk != by.pk]
    notify_about_game(users=people, kind="cancelled", game=game, now=now)


LOBBIES_PER_PASS = 200
"""The maximum number of lobbies that one pass of the sweeper cancels. The next pass cancels the rest."""


def expire_lobbies(*, now: datetime) -> int:
    """Cancel lobbies open for more than `settings.LOBBY_DAYS` days, and notify their players.

    Returns the number of cancelled lobbies.
    """
    oldest = since_when(period=timedelta(days=settings.LOBBY_DAYS), now=now)
    waiting = Game.objects.filter(status=Game.Status.OPEN, created_at__lte=oldest).order_by("created_at")
    return for_each_row(
        "lobbies", waiting, lambda game_id: _expire(game_id, now), most=LOBBIES_PER_PASS, now=now, game="pk"
    )


def _expire(game_id: int, now: datetime) -> bool:
    # Someone is changing a locked row right now. The next pass tries it again.
    found = Game.objects.select_for_update(skip_locked=True, no_key=True)
    game = found.filter(pk=game_id, status=Game.Status.OPEN).first()
    if game is None:
        return False
    game.status = Game.Status.CANCELLED
    game.ended_at = game.moved_at = now
    game.save(update_fields=["status", "ended_at", "moved_at"])
    add_entry(game=game, by=None, kind="expired", now=now)
    notify_about_game(users=people_in_lobby(game), kind="cancelled", game=game, now=now)
    return True
