"""Compiled boards, and the boards of new games.

The engine accepts boards of any density. The service draws and checks boards for many people at once, so it
limits the boards that it saves or joins. Boards saved before these limits still work.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeGuard

from django.utils.translation import gettext as _

import rules
from games.content_cache import LRUCache, release_connections
from games.errors import Invalid, Malformed, NotFound, document_problems
from games.fleet.models import OFFERED, Course, Starship, StarshipRevision
from rules.language import N_, Sentence

# --- Boards -------------------------------------------------------------------------------------------------


MOST_FEATURES: Final = 4_000
"""The maximum number of features on a board, not counting rails. Boards in use have 20 to 150."""
MOST_LASERS: Final = 500
"""The maximum number of laser emitters on a board."""


BYTES_PER_CELL: Final = 2_000
"""The approximate size in memory of a compiled board, in bytes for each cell."""


def size_of(ship: rules.Starship) -> int:
    """Return the estimated size of a compiled board in memory, in bytes."""
    return BYTES_PER_CELL * ship.size


COMPILED: Final = LRUCache[rules.Starship](200_000_000, size_of)
"""A cache of compiled boards: about 500 ordinary boards, or 10 of the largest."""


def starship_of(board: StarshipRevision | Course) -> rules.Starship:
    """Return the compiled board of a revision or a course, from the cache if possible."""
    text = _text_of(board)
    return COMPILED.get_or_make(_name_of(text), lambda: rules.read_starship(json.loads(text), known=True))


def remember(board: StarshipRevision | Course, ship: rules.Starship) -> None:
    """Add the compiled board of a newly saved revision or course to the cache."""
    COMPILED.put({_name_of(_text_of(board)): ship})


def _text_of(board: StarshipRevision | Course) -> str:
    return json.dumps(board.document, sort_keys=True)  # PostgreSQL does not preserve the order of keys


def _name_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def crowding(tokens: Iterable[str]) -> list[rules.Problem]:
    """Return a problem for each limit on features that a board exceeds. ``tokens`` are its cells' tokens."""
    features = [feature[:1] for token in tokens for feature in token.removeprefix("g+").split("+")[1:]]
    bounds = (
        (
            len(features) - features.count("w"),
            MOST_FEATURES,
            N_("the starship has {number} features besides rails, and the limit is {most}"),
        ),
        (features.count("l"), MOST_LASERS, N_("the starship has {number} lasers, and the limit is {most}")),
    )
    return [
        rules.Problem(Sentence(form, number=number, most=most), key="rows", code="crowded")
        for number, most, form in bounds
        if number > most
    ]


def crowding_in(document: object) -> list[rules.Problem]:
    """Return a problem for each limit on features that a document exceeds. The document may be invalid."""
    rows = document.get("rows") if isinstance(document, Mapping) else None
    if not isinstance(rows, list):
        return []
    return crowding(token for row in rows if isinstance(row, str) for token in row.split())


# --- Layouts of new games -----------------------------------------------------------------------------------


Cell = tuple[int, int]
Document = dict[str, Any]

MOST_BOARDS = 100
"""The maximum number of joined boards in a game, unless the ruleset has a lower limit."""

LARGEST_COORDINATE = 10**6
"""The largest accepted absolute value of a column or row, of a board or of a cell."""


class LaidPiece(NamedTuple):
    """A placed board, with its position and its number of quarter turns clockwise (``turned``).

    ``at`` is the column and row of the board, counted in boards.
    """

    revision: StarshipRevision
    at: Cell
    turned: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The board for a game, with its pieces.

    ``composed`` is True if the board was made for this game. Otherwise, the board is the unchanged revision
    of the only piece.
    """

    ship: rules.Starship
    pieces: tuple[LaidPiece, ...]
    composed: bool


def lay_out(
    *,
    ruleset: str,
    starship_id: int | None = None,
    boards: object = None,
    checkpoints: object = None,
    start: object = None,
    scattered: int = 0,
    seed: str = "",
) -> Layout:
    """Return the board for a game: the current board of one starship, or joined boards.

    Each of the ``boards`` is ``{"starship": 1, "at": [0, 0], "turned": 0}``. ``checkpoints`` is a list of
    cells ``[x, y]``, in order. ``scattered`` is the number of checkpoints to put on random cells. The game's
    ``seed`` determines these cells. Both kinds of checkpoints replace the boards' own. ``start`` is the cell
    ``[x, y]`` where all robots start. Raises NotFound for a starship that is not offered, Malformed for
    values of the wrong type or form, and Invalid for an unknown ruleset or a board that cannot be played.
    """
    edition = _edition(ruleset)
    cells = _read_checkpoints(checkpoints)
    begin = _read_start(start)
    if boards is not None:
        if starship_id is not None:
            raise Malformed("boards", _("Send either a “starship” or “boards” to join, not both."))
        wanted = list(_read_boards(boards))
    elif starship_id is not None:
        wanted = [(starship_id, (0, 0), 0)]
    else:
        raise Malformed("starship", _("Send a “starship” to play on, or “boards” to join."))
    _check_permissions(
        edition,
        joining=boards is not None,
        boards=len(wanted),
        setting=bool(cells),
        scattering=scattered > 0,
        starting=begin is not None,
    )
    offered = {number: _offered(number) for number in {number for number, _, _ in wanted}}
    pieces = [LaidPiece(offered[number], at, turned) for number, at, turned in wanted]
    _check_prototypes(pieces)
    release_connections()
    ship = _joined(pieces)
    if begin is not None:
        with _setup_errors_as_invalid("start"):
            ship = rules.with_start(ship, begin)
    if cells:
        with _setup_errors_as_invalid("checkpoints"):
            ship = rules.with_checkpoints(ship, cells, edition.barred)
    if scattered:
        with _setup_errors_as_invalid("checkpoints"):
            cell = edition.start.cell(ship, 0, None)
            ship = rules.with_random_checkpoints(ship, scattered, cell, seed)
    changed = bool(cells or scattered or begin is not None)
    composed = changed or len(pieces) > 1 or pieces[0].turned > 0
    return Layout(ship, tuple(_from_the_corner(pieces)), composed)


def most_boards(edition: rules.Ruleset) -> int:
    """Return the maximum number of joined boards in a game with this ruleset."""
    return min(edition.boards, MOST_BOARDS)


def _edition(key: str) -> rules.Ruleset:
    try:
        return rules.ruleset(key)
    except rules.UnknownRuleset as error:
        raise _refusal("ruleset", error) from None


@contextmanager
def _setup_errors_as_invalid(code: str) -> Iterator[None]:
    """In a ``with`` block, convert setup errors of the rules to Invalid.

    ``code`` names the part with the problem.
    """
    try:
        yield
    except rules.SetupError as error:
        raise _refusal(code, error) from None


def _refusal(code: str, error: rules.RulesError) -> Invalid:
    return Invalid(
        "no-board",
        _("This board is not playable. Choose another one."),
        document_problems(code, error.problems),
    )


def _offered(starship_id: int) -> StarshipRevision:
    starships = Starship.objects.select_related("current__starship")
    starship = starships.filter(OFFERED, pk=starship_id).first()
    if starship is None or starship.current is None:
        raise NotFound("no-starship", _("This starship is not available. Choose another one."))
    return starship.current


def _read_boards(boards: object) -> Iterator[tuple[int, Cell, int]]:
    """Yield the starship ID, position and quarter turns of each board. Raises Malformed for wrong values."""
    if not isinstance(boards, Sequence) or isinstance(boards, str) or not boards:
        raise Malformed("boards", _("“boards” must be a list of boards, such as [{“starship”: 1}]."))
    for board in boards:
        if not isinstance(board, Mapping):
            raise Malformed("boards", _("Each of the “boards” must be an object, such as {“starship”: 1}."))
        if unknown := sorted(str(key) for key in board if key not in {"starship", "at", "turned"}):
            raise Malformed("boards", _("A board has an unknown key “{key}”.").format(key=unknown[0]))
        starship, at, turned = board.get("starship"), board.get("at", (0, 0)), board.get("turned", 0)
        if not _is_int(starship):
            raise Malformed("boards", _("The “starship” of a board must be the `id` of a starship."))
        if not _is_cell(at):
            raise Malformed("boards", _("“at” must be the column and the row of a board, such as [1, 0]."))
        if not _is_int(turned) or not 0 <= turned <= 3:
            raise Malformed("boards", _("“turned” must be a number of quarter turns, from 0 to 3."))
        yield starship, (at[0], at[1]), turned


def _read_checkpoints(checkpoints: object) -> list[Cell]:
    if checkpoints is None:
        return []
    if not isinstance(checkpoints, Sequence) or isinstance(checkpoints, str):
        raise Malformed("checkpoints", _("“checkpoints” must be a list of cells, such as [[0, 5], [11, 3]]."))
    if not all(_is_cell(cell) for cell in checkpoints):
        raise Malformed("checkpoints", _("Each of the “checkpoints” must be a cell, such as [0, 5]."))
    return [(cell[0], cell[1]) for cell in checkpoints]


def _read_start(start: object) -> Cell | None:
    if start is None:
        return None
    if not _is_cell(start):
        raise Malformed("start", _("“start” must be a cell, such as [0, 5]."))
    return (start[0], start[1])


def _is_int(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_cell(value: object) -> TypeGuard[Sequence[int]]:
    return (
        isinstance(value, Sequence)
        and len(value) == 2
        and all(_is_int(number) and abs(number) <= LARGEST_COORDINATE for number in value)
    )


def _check_permissions(
    edition: rules.Ruleset, *, joining: bool, boards: int, setting: bool, scattering: bool, starting: bool
) -> None:
    """Raise Invalid if the ruleset does not let the host join boards, set checkpoints or set the start.

    Only what the host does is checked. Also raises Invalid for too many boards, and if the host both sets
    checkpoints and chooses random ones.
    """
    problems = []
    if joining and edition.boards == 1:
        detail = _("{ruleset} is played on one starship. You cannot join boards together.").format(
            ruleset=edition.name
        )
        problems.append({"code": "boards", "detail": detail})
    elif boards > (most := most_boards(edition)):
        detail = _("{ruleset} allows at most {most} joined boards, not {number}.").format(
            ruleset=edition.name, most=most, number=boards
        )
        problems.append({"code": "boards", "detail": detail})
    if setting and not edition.sets_checkpoints:
        detail = _("{ruleset} uses the starship’s own checkpoints. You cannot set others.").format(
            ruleset=edition.name
        )
        problems.append({"code": "checkpoints", "detail": detail})
    elif setting and scattering:
        detail = _("Set checkpoints or choose random checkpoints, not both.")
        problems.append({"code": "checkpoints", "detail": detail})
    if starting and not edition.sets_start:
        detail = _("{ruleset} uses the starship’s own start. You cannot set another one.").format(
            ruleset=edition.name
        )
        problems.append({"code": "start", "detail": detail})
    if problems:
        raise Invalid("no-board", _("This board is not playable. Choose another one."), problems)


def _check_prototypes(pieces: Sequence[LaidPiece]) -> None:
    """Raise Invalid if a prototype is joined with other boards.

    Prototypes are tested without other boards.
    """
    tried = next((piece.revision for piece in pieces if piece.revision.prototype), None)
    if tried is not None and len(pieces) > 1:
        detail = _("{starship} is a prototype. Prototypes cannot be joined with other boards.")
        problem = {"code": "boards", "detail": detail.format(starship=tried.starship.name)}
        raise Invalid("no-board", _("This board is not playable. Choose another one."), [problem])


def _joined(pieces: Sequence[LaidPiece]) -> rules.Starship:
    with _setup_errors_as_invalid("boards"):
        boards = {revision: starship_of(revision) for revision in {each.revision for each in pieces}}
        ship = rules.join([rules.Tile(boards[piece.revision], piece.at, piece.turned) for piece in pieces])
        if len(pieces) > 1 and (crowded := crowding(cell.token for cell in ship.cells)):
            raise rules.SetupError(*crowded)
        return ship


def _from_the_corner(pieces: Sequence[LaidPiece]) -> Iterator[LaidPiece]:
    """Yield pieces with their positions counted from the north-western corner of all pieces together."""
    west, north = min(piece.at[0] for piece in pieces), min(piece.at[1] for piece in pieces)
    for piece in pieces:
        yield piece._replace(at=(piece.at[0] - west, piece.at[1] - north))
