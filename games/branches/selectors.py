"""Selectors of branches: their rows, and their turns, which are played when they are read."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Annotated, Any, Final, TypedDict, cast
from zlib import crc32

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext

import rules
from accounts.models import User
from games.branches.models import Branch
from games.content_cache import LRUCache
from games.errors import Conflict, Invalid, Malformed, NotFound, order_problems
from games.films.selectors import Replay, replay_of_events
from games.play import stored
from games.play.game_view import BoardDocument, Log, OrdersDocument
from games.play.models import Game, Turn
from games.play.orders import read_orders
from games.play.selectors import played_turn
from games.play.stored import turn_record
from games.play.viewers import Viewer, seat_of
from rules.computers.choosing import state_from_view
from rules.programming import needs_orders
from rules.review.branches import BranchError, Changes, branch, revealed
from rules.review.chances import Chances
from rules.review.credit import Played

Document = dict[str, Any]

BLIND_SEED: Final = "what if"
"""The seed of branches of running games. The seed of such a game is secret."""

MAX_CELLS: Final = 1_000
"""The size of the largest boards on which computers play on, and for which pages show chances to win.

For a board of 10,000 cells, the distances that both need take a web process several seconds.
"""

_TOKEN: Final = re.compile(r"[\w-]{1,64}", re.ASCII)


class BranchTurnView(TypedDict):
    """One turn of a branch."""

    turn: int
    events: Log
    after: Annotated[BoardDocument, "The board after the turn."]


class BranchSummary(TypedDict):
    """A branch of a game."""

    token: Annotated[str, "The secret part of its address: `/games/{game_id}/branches/{token}/`."]
    name: str
    turn: int
    computers: Annotated[int, "The number of turns that computers play afterwards."]
    orders: Annotated[dict[str, OrdersDocument], "The changed orders, by seat."]
    headings: Annotated[dict[str, str], "The changed headings, by seat."]
    mine: bool
    blind: Annotated[bool, "Whether it was made while the game was running."]
    changed_at: datetime


class BranchView(BranchSummary):
    """A branch of a game, with its turns."""

    turns: list[BranchTurnView]


class BranchList(TypedDict):
    """Your branches of a game, by turn."""

    branches: list[BranchSummary]


@dataclass(frozen=True, slots=True)
class Basis:
    """A played turn as the start of branches.

    A ``blind`` one has no secrets of a running game, except the hand of the seat ``own``. ``mark`` is a
    checksum of the turn's record.
    """

    setup: rules.Setup
    played: Played
    names: tuple[str, ...]
    seed: str
    blind: bool
    own: int | None
    mark: int

    @property
    def changeable(self) -> list[int]:
        """The robots whose orders can be changed, by index."""
        state = self.played.state
        return [index for index in self.played.orders if needs_orders(self.setup, state, index)]


BASES: Final = LRUCache[Basis](64, lambda basis: 1)
"""The cache of bases, because people often change a branch several times."""


def basis_of(*, game: Game, turn: int, viewer: Viewer) -> Basis:
    """Return the basis for a new branch of a turn.

    It is ``blind`` while the game is running. Raises NotFound if the turn was not played, and Conflict for a
    running game in which the viewer does not play.
    """
    row = played_turn(game, turn)
    prefetch_related_objects([game], "players")
    if game.was_played:
        return _basis(game, row, blind=False, own=None)
    seat = seat_of(viewer=viewer, game=game)
    if seat is None:
        detail = gettext("Until this game is over, only its players can try other orders.")
        raise Conflict("not-over", detail)
    # Hands of an earlier player are hidden, and on one screen those of all players.
    hidden = game.is_on_one_screen or seat.replacements.filter(turn__gt=turn).exists()
    return _basis(game, row, blind=True, own=None if hidden else seat.number)


def _basis(game: Game, row: Turn, *, blind: bool, own: int | None) -> Basis:
    """Return the basis of branches of a played turn. A ``blind`` one knows the hand of the seat ``own``."""
    prefetch_related_objects([game], "players")
    setup, mark = stored.setup_of(game), crc32(bytes(row.record or b""))
    seed = BLIND_SEED if blind else game.seed
    key = repr((id(setup), row.pk, mark, blind, own, seed))  # a cached basis holds its setup
    return BASES.get_or_make(key, lambda: _read_basis(setup, row, mark, blind, own, seed))


def _read_basis(setup: rules.Setup, row: Turn, mark: int, blind: bool, own: int | None, seed: str) -> Basis:
    record = turn_record(row)
    start = stored.start_in(record, setup.starship)
    given = {hand.robot - 1: hand.program for hand in record.hands if hand.program}
    played = Played(
        start,
        {hand.robot - 1: stored.chips_of(hand) for hand in record.hands},
        {index: stored.orders_of(program) for index, program in given.items()},
        stored.events_in(record, setup.starship, start),
    )
    if blind:
        hidden = {hand.robot for hand in record.hands if hand.face_down}  # their players never saw them
        played = revealed(setup, played, None if own is None or own in hidden else own - 1)
    return Basis(setup, played, tuple(record.names), seed, blind, own, mark)


# --- Rows ---------------------------------------------------------------------------------------------------


def branches_of(*, user: User, game: Game) -> list[Branch]:
    """Return a person's branches of a game, by turn."""
    return list(Branch.objects.filter(owner=user, game=game))


def titled(rows: Sequence[Branch]) -> list[tuple[str, Branch]]:
    """Return a person's branches of a game with their titles. Branches without a name have a number."""
    said = gettext("Branch {number}")
    return [(each.name or said.format(number=number), each) for number, each in enumerate(rows, 1)]


def branch_of(*, viewer: Viewer, game: Game, token: str) -> Branch:
    """Return a branch by the token in its address.

    Anyone who has the address and may see the game may see the branch. While the game is running, only its
    owner may. Raises NotFound.
    """
    rows = Branch.objects.select_related("owner").filter(game=game, token=token)
    found = rows.first() if _TOKEN.fullmatch(token) else None
    if found is None or not (found.owner_id == viewer.pk or (game.was_played and found.owner.is_active)):
        raise NotFound("no-branch", gettext("There is no such branch."))
    found.game = game
    return found


def own_branch(*, user: User, game: Game, token: str, lock: bool = False) -> Branch:
    """Return one of the user's branches, and ``lock`` its row. Raises NotFound for any other branch."""
    rows = Branch.objects.select_for_update() if lock else Branch.objects.all()
    found = rows.filter(game=game, owner=user, token=token).first() if _TOKEN.fullmatch(token) else None
    if found is None:
        raise NotFound("no-branch", gettext("There is no such branch."))
    found.game = game
    return found


# --- Turns --------------------------------------------------------------------------------------------------


TURNS: Final = LRUCache[tuple[Replay, ...]](256, len)
"""The cache of the turns of branches, by the contents of a branch and its basis."""


def turns_of(made: Branch, *, basis: Basis | None = None) -> tuple[Replay, ...]:
    """Return the turns of a branch: the changed turn, and the turns by computers.

    The ``basis`` of a stored branch is read from the database.

    Raises Malformed for unknown seats and unreadable orders, Invalid for changes against the rules, and
    Conflict if computers can't play on this board.
    """
    if basis is None:
        basis = _basis(made.game, played_turn(made.game, made.turn), blind=made.blind, own=made.seat)
    if made.more and len(basis.setup.starship.cells) > MAX_CELLS:
        detail = gettext("Computers can’t play on here, because the board has more than {most} cells.")
        raise Conflict("large-board", detail.format(most=MAX_CELLS))
    return _turns(made, basis, made.more)


def changed_turn_of(made: Branch) -> Replay:
    """Return only the changed turn of a stored branch, without the turns that computers play."""
    basis = _basis(made.game, played_turn(made.game, made.turn), blind=made.blind, own=made.seat)
    return _turns(made, basis, 0)[0]


def _turns(made: Branch, basis: Basis, more: int) -> tuple[Replay, ...]:
    changes = _changes(made, basis, more)
    looks = stored.looks_of(made.game)
    contents = basis.mark, basis.blind, basis.own, basis.seed, made.document, more
    key = id(basis.setup), contents, looks
    return TURNS.get_or_make(repr(key), lambda: _played(made, basis, changes, looks))


def _changes(made: Branch, basis: Basis, more: int) -> Changes:
    seats = {str(index + 1): index for index in range(len([*basis.played.state.players]))}
    for seat in chain(made.document["orders"], made.document["headings"]):
        if seat not in seats:
            detail = gettext("There is no seat {number} in this game.").format(number=seat[:20])
            raise Malformed("no-seat", detail)
    if not {*rules.LETTERS}.issuperset(made.document["headings"].values()):
        detail = gettext("“{key}” must be one of N, E, S, W").format(key="headings")
        raise Malformed("heading", detail)
    return Changes(
        {seats[seat]: read_orders(orders) for seat, orders in made.document["orders"].items()},
        {seats[seat]: rules.LETTERS.index(letter) for seat, letter in made.document["headings"].items()},
        more,
    )


def _played(made: Branch, basis: Basis, changes: Changes, looks: Mapping[int, int]) -> tuple[Replay, ...]:
    try:
        turns = list(branch(basis.setup, basis.played, changes, basis.seed))
    except BranchError as refused:
        said = gettext("{robot}: {problem}")
        problems = [
            problem | {"detail": said.format(robot=basis.names[index], problem=problem["detail"])}
            for index, found in refused.refused.items()
            for problem in order_problems(found)
        ]
        raise Invalid("orders", gettext("These orders are not allowed."), problems) from None
    return tuple(_replay(basis, turn, looks) for turn in turns)


def _replay(basis: Basis, turn: Played, looks: Mapping[int, int]) -> Replay:
    return replay_of_events(
        turn=turn.state.turn,
        ship=stored.drawn_board(basis.setup),
        start=turn.state,
        events=tuple(turn.events),
        looks=looks,
        programs={index: orders.registers for index, orders in turn.orders.items()},
    )


def chances_of(setup: rules.Setup, replay: Replay) -> list[float]:
    """Return the chances to win after a turn, in seat order, by public facts.

    The list is empty if all robots are on one side, or if the board is larger than `MAX_CELLS`.
    """
    if len(setup.starship.cells) > MAX_CELLS:
        return []
    end = state_from_view(setup, replay.end)
    players = list(end.players)
    if len({robot.squad or robot.index for robot in players}) < 2:
        return []
    return Chances(setup, end).of(end)


# --- Answers ------------------------------------------------------------------------------------------------


def summary_of(made: Branch, *, viewer: Viewer) -> BranchSummary:
    return {
        "token": made.token,
        "name": made.name,
        "turn": made.turn,
        "computers": made.more,
        "orders": made.document["orders"],
        "headings": made.document["headings"],
        "mine": made.owner_id == viewer.pk,
        "blind": made.blind,
        "changed_at": made.changed_at,
    }


def branch_view(made: Branch, *, viewer: Viewer) -> BranchView:
    """Return a branch with its turns for the API. Raises the errors of `turns_of`."""
    return {
        **summary_of(made, viewer=viewer),
        "turns": [
            {
                "turn": replay.turn,
                "events": [
                    {"seq": seq, "turn": replay.turn, **event}
                    for seq, event in enumerate(replay.documents, 1)
                ],
                "after": cast("BoardDocument", rules.view_to_json(replay.ship, replay.end)),
            }
            for replay in turns_of(made)
        ],
    }


def list_branches(*, user: User, game: Game) -> BranchList:
    """Return a person's branches of a game for the API."""
    return {"branches": [summary_of(made, viewer=user) for made in branches_of(user=user, game=game)]}
