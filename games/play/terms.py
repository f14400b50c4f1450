"""The terms of a game: its host's settings, declared once.

Creating, changing and repeating a game, answers of the API, the lobby's history and its facts all follow from
`Terms`. The form and requests follow from `games.lobby.inputs.GameTerms`, which has a field for each term.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any, get_args, get_type_hints

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

import rules
from games.clocks import paces
from games.clocks.clock import Bank, Live, Pace, PerTurn
from games.errors import Malformed
from games.play import stored
from games.play.models import Game
from games.play.policy import Absence, absence_in_words, read_absence
from games.wording import choice

USUAL_ABSENCE = Absence()


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """A term, beside its type, its default and its description for the API.

    ``changed`` is the sentence about a host who has changed it, with ``words`` for the old and the new value.
    Another sentence may be used without a value ``before``, and for one that is ``unset``. A plain term also
    has a summary ``in_short``, and a ``fact`` for players who may join. `games.lobby.inputs.GameTerms` says
    what may be asked for.
    """

    changed: Promise
    settled: Promise | None = None
    unset: Promise | None = None
    words: Callable[[Any], str] = choice
    read: Callable[[object], Any] = lambda value: value
    in_short: Callable[[Any], str] = lambda value: ""
    fact: Callable[[Any], tuple[str, str] | None] = lambda value: None

    def tell(self, *, player: str, after: object, before: object = None, key: str = "") -> str:
        """Return the sentence about a player who has changed it. ``key`` names one of several choices."""
        sentence = self.changed
        if self.unset and not after:
            sentence = self.unset
        elif self.settled and before is None:
            sentence = self.settled
        said = "" if before is None else self.words(before)
        return str(sentence).format(
            player=player, before=said, after=self.words(after), key=key.replace("_", " ")
        )


def of_document(key: str, read: Callable[[object], Any], *kinds: type) -> Callable[[object], Any]:
    """Return what reads a document, or takes a value of these kinds; it raises Malformed for all else."""

    def read_value(value: object) -> Any:
        if isinstance(value, kinds):
            return value
        try:
            return read(value)
        except ValueError as error:
            problem = {"code": "invalid", "detail": str(error), "key": key}
            raise Malformed("malformed", str(error), [problem]) from None

    return read_value


@dataclass(frozen=True, kw_only=True, slots=True)
class PlainTerms:
    """Terms that forms, requests, answers and rows hold as they are."""

    private: Annotated[
        bool,
        "Listed nowhere, and joined by its link alone.",
        Setting(
            changed=_("{player} made the game private."),
            unset=_("{player} made the game public."),
            in_short=lambda private: gettext("Private") if private else gettext("Open to everyone"),
            fact=lambda private: (
                gettext("Who can find it"),
                gettext("anyone with the link") if private else gettext("everyone"),
            ),
        ),
    ] = False
    least_reliability: Annotated[
        int,
        "What it takes to join, in percent.",
        Setting(
            changed=_("{player} lets players join who are reliable to at least {after} %."),
            unset=_("{player} lets everyone join."),
            in_short=lambda least: (
                gettext("at least {number} % reliable").format(number=least) if least else ""
            ),
            fact=lambda least: (
                (gettext("Minimum reliability"), gettext("{number} %").format(number=least))
                if least
                else None
            ),
        ),
    ] = 0
    rated: Annotated[
        str,
        "Whether it changes ratings: usual, yes, no. Usually it does if it is public and among people alone.",
        Setting(
            changed=_("{player} changed whether the game is rated: {after}."),
            words=lambda rated: str(Game.Rated(rated).label),
            in_short=lambda rated: (
                gettext("rated")
                if rated == Game.Rated.YES
                else gettext("unrated")
                if rated == Game.Rated.NO
                else ""
            ),
            fact=lambda rated: (gettext("Rated"), str(Game.Rated(rated).label)),
        ),
    ] = Game.Rated.USUAL.value


@dataclass(frozen=True, kw_only=True, slots=True)
class Terms(PlainTerms):
    """The terms of a game: board, players, pace and audience.

    ``boards`` are joined in place of the one ``starship`` of the library, and ``checkpoints`` and ``start``
    are set, in rulesets that allow it (`lay_out`). ``computers`` get seats when the game is created. Each is
    a level, or an object with more (`read_computers`).
    """

    name: Annotated[str, Setting(changed=_("{player} renamed the game “{after}”."))] = ""
    ruleset: Annotated[
        str,
        Setting(
            changed=_("{player} changed the rules to {after}."), words=lambda key: rules.ruleset(key).name
        ),
    ] = "robo-runner"
    starship: int | None = None
    boards: object = None
    checkpoints: object = None
    start: object = None
    options: Annotated[
        Mapping[str, Any],
        Setting(
            changed=_("{player} changed the option “{key}” from {before} to {after}."),
            settled=_("{player} changed the option “{key}” to {after}."),
        ),
    ] = field(default_factory=dict)
    house_rules: Annotated[
        Mapping[str, Any],
        Setting(
            changed=_("{player} changed the house rule “{key}” from {before} to {after}."),
            settled=_("{player} changed the house rule “{key}” to {after}."),
        ),
    ] = field(default_factory=dict)
    seats: Annotated[int, Setting(changed=_("{player} changed the seats from {before} to {after}."))] = 2
    computers: Sequence[str | Mapping[str, Any]] = ()
    pace: Annotated[
        Pace,
        Setting(
            read=of_document("pace", paces.read_pace, PerTurn, Live, Bank),
            changed=_("{player} changed the pace from {before} to {after}."),
            settled=_("{player} changed the pace to {after}."),
            words=lambda document: paces.pace_in_words(stored.read_pace(document)),
        ),
    ] = None
    absence: Annotated[
        Absence,
        Setting(
            read=of_document("absence", read_absence, Absence),
            changed=_("{player} changed the rule for missed turns. {after}"),
            words=lambda document: absence_in_words(stored.read_absence(document)),
        ),
    ] = USUAL_ABSENCE
    starts_itself: Annotated[
        bool,
        "Start once all seats are taken and all are ready.",
        Setting(
            changed=_("{player} has the game start once it is full and everyone is ready."),
            unset=_("{player} will start the game by hand."),
        ),
    ] = True

    def with_changes(self, asked: Mapping[str, Any]) -> "Terms":
        """Return these terms with others in their place; raises Malformed for documents that are none."""
        return replace(self, **read_terms(asked))

    def differences(self, before: "Terms") -> Iterator[dict[str, Any]]:
        """Yield each term that is another than before, as parameters for its history; choices one by one.

        The board is compared by others: a starship may have another revision by now.
        """
        earlier = before.columns
        for name, after in self.columns.items():
            if name not in CHOICES:
                yield from _difference({"term": name}, earlier[name], after)
                continue
            for key, value in after.items():
                yield from _difference({"term": name, "key": key}, earlier[name].get(key), value)

    @property
    def columns(self) -> dict[str, Any]:
        """The terms that are fields of a game."""
        values = {name: getattr(self, name) for name in SETTINGS}
        return values | {name: write(values[name]) for name, write in WRITTEN.items()}


def _difference(about: dict[str, Any], before: Any, after: Any) -> Iterator[dict[str, Any]]:
    if before != after:
        yield {**about, "before": before, "after": after}


HINTS: Mapping[str, Any] = get_type_hints(Terms, include_extras=True)
PLAIN = tuple(each.name for each in fields(PlainTerms))
"""The plain terms, by name."""

SETTINGS: Mapping[str, Setting] = {
    name: note
    for name in sorted(HINTS, key=lambda name: name in PLAIN)
    for note in get_args(HINTS[name])[1:]
    if isinstance(note, Setting)
}
"""What is known of each term, in the order in which changes are told; boards and computers have none."""

BOARD = ("starship", "boards", "checkpoints", "start")
"""The terms that say what is played on."""

CHOICES = ("options", "house_rules")
"""The terms that are several choices."""

WRITTEN: Mapping[str, Callable[[Any], Any]] = {
    "options": dict,
    "house_rules": dict,
    "pace": stored.write_pace,
    "absence": stored.write_absence,
}


def read_terms(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return terms by name as `Terms` has them; raises Malformed for documents that are none."""
    return {name: SETTINGS[name].read(value) if name in SETTINGS else value for name, value in asked.items()}


def board_of(game: Game) -> dict[str, Any]:
    """Return the request for a game's board: the starship, or the same pieces with their settings.

    Checkpoints that chance has placed are left out, since it places them again.
    """
    if game.course is None:
        assert game.revision
        return {"starship": game.revision.starship_id, "boards": None, "checkpoints": None, "start": None}
    ship = stored.ship_of(game)
    starts = [*ship.airlocks, *ship.starts.values()]
    sets_start = stored.edition_of(game).sets_start and len(starts) == 1
    set_here = {} if game.options.get("random_checkpoints") else ship.checkpoints
    return {
        "starship": None,
        "boards": [
            {"starship": piece.revision.starship_id, "at": [piece.column, piece.row], "turned": piece.turned}
            for piece in game.course.pieces.select_related("revision")
        ],
        "checkpoints": [list(ship.pos(cell)) for _, cell in sorted(set_here.items())] or None,
        "start": list(ship.pos(starts[0])) if sets_start else None,
    }


def terms_of(game: Game) -> Terms:
    """Return the terms of a game and its board, without computers, which have seats."""
    known = {name: getattr(game, name) for name in SETTINGS}
    known |= {"pace": stored.pace_of(game), "absence": stored.absence_of(game)}
    return Terms(**known, **board_of(game))
