"""Pages of branches: the form for a turn's branch, a branch with its film, and the film."""

from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

import rules
from accounts.navigation import show_as
from games.branches import services
from games.branches.forms import (
    NO_CHANGES,
    BranchForm,
    NewBranchForm,
    changes_in_form,
    initial_of,
    robot_forms,
)
from games.branches.models import Branch
from games.branches.selectors import (
    Basis,
    basis_of,
    branch_of,
    branches_of,
    chances_of,
    changed_turn_of,
    own_branch,
    titled,
    turns_of,
)
from games.content_cache import LRUCache
from games.errors import Conflict, NotFound
from games.films.pages.film import TurnFilms, turn_films
from games.films.pages.films import encoded_film
from games.films.selectors import Replay
from games.play import stored
from games.play.models import Game
from games.play.pages.console import game_in, query_in, turn_context
from games.play.pages.panel import HEADING_CHOICES
from games.web.actions import Done, action
from games.web.pages import handle_missing, user_of, viewer_of
from games.wording import direction_name, translate
from rules.tunnel.findings import percentage

Context = dict[str, Any]
Values = dict[str, Any]

COLUMNS: Final = 6
"""The maximum number of branches beside each other on a page."""


class End(NamedTuple):
    """A robot at the end of the turn. ``chance`` is its chance to win as text, or empty without chances.

    ``differs`` means that the robot ends the turn otherwise than in the game.
    """

    place: str
    facing: str
    damage: int
    lives: int
    checkpoint: int | None
    chance: str = ""
    differs: bool = False


class Column(NamedTuple):
    """A branch, or the game itself without an ``address``, beside others. ``ends`` are by robot."""

    title: str
    address: str
    here: bool
    ends: list[End]


FILMS: Final = LRUCache[TurnFilms](128, lambda films: 1)
"""The cache of films of branches, by the turn and the language."""


def films_of(game: Game, replay: Replay) -> TurnFilms:
    """Return the films of a branch's turn. ``replay`` comes from the cache `selectors.TURNS`."""
    key = f"{id(replay)} {get_language()}"  # the cached films hold their replay, so its id stays unique
    return FILMS.get_or_make(key, lambda: TurnFilms(stored.setup_of(game), replay))


# --- Pages --------------------------------------------------------------------------------------------------


def _form_context(request: HttpRequest, game: Game, basis: Basis, made: Branch | None) -> Context:
    """Return the context of the form: of a branch ``made`` before, or of a new one."""
    document = made.document if made else NO_CHANGES
    if request.method == "POST":
        document = changes_in_form(request.POST, basis)
    return {
        "robots": list(robot_forms(basis, document, stored.looks_of(game))),
        "ways": HEADING_CHOICES,
        "blind": basis.blind,
    }


def _new_branch_context(request: HttpRequest, game_id: int, number: int) -> Context:
    game = game_in(request, game_id)
    basis = basis_of(game=game, turn=number, viewer=user_of(request))
    mine = branches_of(user=user_of(request), game=game)
    return {
        "game": game,
        "number": number,
        "query": query_in(request),
        "mine": titled(mine),
        "full": len(mine) >= services.BRANCHES_PER_GAME,
        **_form_context(request, game, basis, None),
    }


@never_cache
@action(NewBranchForm, template="branches/new.html", context=_new_branch_context)
def new_branch(request: HttpRequest, game_id: int, number: int, asked: Values) -> Done:
    """Show the form for other orders in a played turn, and the person's branches. On POST, play them."""
    game, user = game_in(request, game_id), user_of(request)
    changes = changes_in_form(request.POST, basis_of(game=game, turn=number, viewer=user))
    made = services.create_branch(
        user=user, game=game, turn=number, **{**asked, **changes}, now=timezone.now()
    )
    return Done(then=address_of(made, request))


def address_of(made: Branch, request: HttpRequest) -> str:
    return reverse("games:branch", args=[made.game_id, made.token]) + query_in(request)


def delete(request: HttpRequest, game_id: int, branch_token: str) -> Done:
    """Delete a branch."""
    game, user = game_in(request, game_id), user_of(request)
    turn = own_branch(user=user, game=game, token=branch_token).turn
    services.delete_branch(user=user, game=game, token=branch_token)
    return Done(
        gettext("Branch deleted."), reverse("games:new_branch", args=[game_id, turn]) + query_in(request)
    )


def _branch_context(request: HttpRequest, game_id: int, branch_token: str) -> Context:
    """Return the context of a branch's page for anyone with its address."""
    game = game_in(request, game_id)
    viewer = viewer_of(request)
    made = branch_of(viewer=viewer, game=game, token=branch_token)
    show_as(request, "games:branch", game_id, branch_token, query=query_in(request))
    turns = turns_of(made)
    context = turn_context(request, game, films_of(game, turns[0]))
    films_at = reverse("games:branch_film", args=[game_id, branch_token, 0])
    own = made.owner_id == viewer.pk
    numbers = [replay.turn for replay in turns]
    columns = _columns(request, game, made, turns[0], own=own)
    names = [robot.name for robot in _players(turns[0].end)]
    context |= {
        "branch": made,
        "own": own,
        "number": None,
        "films_at": f"{films_at}{context['query']}",
        "turns": numbers,
        "last": numbers[-1],
        "columns": columns,
        "robot_names": names,
        "sentences": _sentences(names, columns),
        "initial": initial_of(made.name, made.more, made.document),
    }
    if own:
        with suppress(Conflict):  # its owner no longer plays in the running game
            basis = basis_of(game=game, turn=made.turn, viewer=viewer)
            context |= _form_context(request, game, basis, made)
    return context


@action(
    BranchForm,
    template="branches/branch.html",
    context=_branch_context,
    buttons={"delete": delete},
)
def _own_branch_page(request: HttpRequest, game_id: int, branch_token: str, asked: Values) -> Done:
    game, user = game_in(request, game_id), user_of(request)
    made = own_branch(user=user, game=game, token=branch_token)
    changes = changes_in_form(request.POST, basis_of(game=game, turn=made.turn, viewer=user))
    made = services.change_branch(
        user=user, game=game, token=branch_token, **{**asked, **changes}, now=timezone.now()
    )
    return Done(then=address_of(made, request))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@handle_missing
def branch(request: HttpRequest, game_id: int, branch_token: str) -> HttpResponse:
    """Show a branch with its film, beside the game and other branches. On POST, change or delete it."""
    made = branch_of(viewer=viewer_of(request), game=game_in(request, game_id), token=branch_token)
    if made.owner_id == viewer_of(request).pk:
        return _own_branch_page(request, game_id=game_id, branch_token=branch_token)
    if request.method == "POST":
        if request.user.is_authenticated:
            raise NotFound("no-branch", gettext("There is no such branch."))
        return redirect_to_login(address_of(made, request))
    return render(request, "branches/branch.html", _branch_context(request, game_id, branch_token))


def _columns(request: HttpRequest, game: Game, made: Branch, shown: Replay, *, own: bool) -> list[Column]:
    """Return the end of the turn in the game, in this branch, and in the owner's others of this turn."""
    setup = stored.setup_of(game)
    real = turn_films(game=game, number=made.turn, setup=setup).replay
    columns = [Column(gettext("In the game"), "", False, _ends(setup, real, real))]
    others = [(gettext("This branch"), made)]
    if own:
        rows = titled(branches_of(user=user_of(request), game=game))
        others = [(title, each) for title, each in rows if each.turn == made.turn]
        first = max(0, next(place for place, (_, each) in enumerate(others) if each == made) + 1 - COLUMNS)
        others = others[first : first + COLUMNS]
    for title, each in others:
        each.game = game
        replay = shown if each.pk == made.pk else changed_turn_of(each)
        ends = _ends(setup, replay, real)
        columns.append(Column(title, address_of(each, request), each.pk == made.pk, ends))
    return columns


def _ends(setup: rules.Setup, replay: Replay, real: Replay) -> list[End]:
    ends, chances = [], chances_of(setup, replay)
    for place, (robot, other) in enumerate(zip(_players(replay.end), _players(real.end), strict=True)):
        end = _end(real.ship, robot)
        chance = translate(percentage(chances[place])) if chances else ""
        ends.append(end._replace(chance=chance, differs=end != _end(real.ship, other)))
    return ends


def _players(end: rules.View) -> list[rules.RobotView]:
    return [robot for robot in end.robots if not (robot.crystal or robot.scanner)]


def _end(ship: rules.Starship, robot: rules.RobotView) -> End:
    if not ship.inside(robot.cell):
        return End(gettext("off the board"), "", robot.damage, robot.shown_lives, robot.next)
    x, y = ship.pos(robot.cell)
    place = gettext("column {column}, row {row}").format(column=x + 1, row=y + 1)
    way = None if robot.heading is None else direction_name(rules.LETTERS[robot.heading])
    facing = gettext("facing {way}").format(way=way) if way else ""
    return End(place, facing, robot.damage, robot.shown_lives, robot.next)


def _sentences(names: Sequence[str], columns: Sequence[Column]) -> list[str]:
    """Return sentences about the chances to win in this branch that differ from those in the game."""
    here = next(column for column in columns if column.here)
    said = gettext("{robot}: the chance to win is {chance}. In the game, it was {before}.")
    return [
        said.format(robot=name, chance=end.chance, before=real.chance)
        for name, end, real in zip(names, here.ends, columns[0].ends, strict=True)
        if end.chance != real.chance
    ]


@require_safe
@handle_missing
def branch_film(request: HttpRequest, game_id: int, branch_token: str, number: int) -> HttpResponse:
    """Return the film of one turn of a branch as JSON, like `films.film`."""
    game = game_in(request, game_id)
    made = branch_of(viewer=viewer_of(request), game=game, token=branch_token)
    replay = next((each for each in turns_of(made) if each.turn == number), None)
    if replay is None:
        raise NotFound("no-turn", gettext("This branch has no turn {number}.").format(number=number))
    found = films_of(game, replay)
    document = found.cached_document("branch", lambda: encoded_film(found, None, None))
    response = HttpResponse(document, content_type="application/json")
    response.headers["ETag"] = f'"{sha256(document).hexdigest()[:32]}"'
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return get_conditional_response(request, etag=response.headers["ETag"], response=response) or response
