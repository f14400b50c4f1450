"""The terms of a game: the host's settings, each declared once.

`Terms` is used to create, change and repeat games, in API answers, and in the lobby's history and facts.
`games.lobby.inputs.GameTerms` has a form field for each term. It is used for the form and for requests.
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
from games.wording import option_name, value_in_words

DEFAULT_ABSENCE = Absence()


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """The sentences about one of a game's terms, and a function to read its value.

    ``changed`` is the sentence if a host changes the value. ``settled`` is used instead if the old value is
    unknown, and ``unset`` if the new value is empty. ``words`` describes a value. A plain term also has a
    summary ``in_short``, and a ``fact`` for people who may join. `games.lobby.inputs.GameTerms` validates
    values.
    """

    changed: Promise
    settled: Promise | None = None
    unset: Promise | None = None
    words: Callable[[Any], str] = value_in_words
    read: Callable[[object], Any] = lambda value: value
    in_short: Callable[[Any], str] = lambda value: ""
    fact: Callable[[Any], tuple[str, str] | None] = lambda value: None

    def sentence(self, *, player: str, after: object, before: object = None, key: str = "") -> str:
        """Return the sentence about a change by ``player``.

        ``key`` is the key of the changed option or house rule, if the term has several values.
        """
        sentence = self.changed
        if self.unset and not after:
            sentence = self.unset
        elif self.settled and before is None:
            sentence = self.settled
        said = "" if before is None else self.words(before)
        return str(sentence).format(player=player, before=said, after=self.words(after), key=option_name(key))


def document_reader(key: str, read: Callable[[object], Any], *kinds: type) -> Callable[[object], Any]:
    """Return a function that reads the value of a term from a document.

    This function returns values of the types ``kinds`` unchanged, and applies ``read`` to other values. It
    raises Malformed if ``read`` raises ValueError.
    """

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
    """The terms that have the same value in forms, requests, API answers and database rows."""

    private: Annotated[
        bool,
        "Whether it is private: it is not listed, and players join by its link.",
        Setting(
            changed=_("{player} made the game private."),
            unset=_("{player} made the game public."),
            in_short=lambda private: gettext("Private") if private else gettext("Open to everyone"),
            fact=lambda private: (
                gettext("Visible to"),
                gettext("anyone with the link") if private else gettext("everyone"),
            ),
        ),
    ] = False
    least_reliability: Annotated[
        int,
        "The reliability that players need to join, in percent.",
        Setting(
            changed=_("{player} set the minimum reliability to {after} %."),
            unset=_("{player} removed the minimum reliability."),
            in_short=lambda least: (
                gettext("minimum reliability {number} %").format(number=least) if least else ""
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
        "Whether it changes ratings: usual, yes or no. Usually, public games between people do.",
        Setting(
            changed=_("{player} changed “Rated” to “{after}”."),
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
    sitters: Annotated[
        bool,
        "Whether players can have sitters: friends who order for them on some days.",
        Setting(
            changed=_("{player} allowed sitters."),
            unset=_("{player} ruled out sitters."),
            in_short=lambda sitters: "" if sitters else gettext("no sitters"),
            fact=lambda sitters: (
                gettext("Sitters"),
                gettext("friends may order for players who are away") if sitters else gettext("not allowed"),
            ),
        ),
    ] = True
    shorter_clock: Annotated[
        bool,
        "Whether players who miss 2 turns in a row get half the time.",
        Setting(
            changed=_("{player} turned on the shorter clock after missed turns."),
            unset=_("{player} turned off the shorter clock after missed turns."),
            in_short=lambda shorter: gettext("shorter clock after missed turns") if shorter else "",
            fact=lambda shorter: (
                (gettext("Shorter clock"), gettext("half the time after 2 missed turns in a row"))
                if shorter
                else None
            ),
        ),
    ] = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Terms(PlainTerms):
    """All terms of a game, such as its board, players, pace and audience.

    If ``boards`` is given, these starships are joined, and ``starship`` is not used. ``checkpoints`` and
    ``start`` can be set in some rulesets (`lay_out`). ``computers`` get seats when the game is created. Each
    is a level, or an object that also has other choices (`read_computers`).
    """

    name: Annotated[str, Setting(changed=_("{player} renamed the game to “{after}”."))] = ""
    ruleset: Annotated[
        str,
        Setting(
            changed=_("{player} changed the ruleset to {after}."), words=lambda key: rules.ruleset(key).name
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
    seats: Annotated[
        int, Setting(changed=_("{player} changed the number of seats from {before} to {after}."))
    ] = 2
    computers: Sequence[str | Mapping[str, Any]] = ()
    pace: Annotated[
        Pace,
        Setting(
            read=document_reader("pace", paces.read_pace, PerTurn, Live, Bank),
            changed=_("{player} changed the pace from “{before}” to “{after}”."),
            settled=_("{player} changed the pace to “{after}”."),
            words=lambda document: paces.pace_in_words(stored.read_pace(document)),
        ),
    ] = None
    absence: Annotated[
        Absence,
        Setting(
            read=document_reader("absence", read_absence, Absence),
            changed=_("{player} changed the rule for missed turns. {after}"),
            words=lambda document: absence_in_words(stored.read_absence(document)),
        ),
    ] = DEFAULT_ABSENCE
    starts_itself: Annotated[
        bool,
        "Whether it starts automatically once all seats are taken and all players are ready.",
        Setting(
            changed=_("{player} set the game to start automatically."),
            unset=_("{player} will start the game."),
        ),
    ] = True

    def with_changes(self, asked: Mapping[str, Any]) -> "Terms":
        """Return a copy of these terms with changes. Raises Malformed if a value cannot be read."""
        return replace(self, **read_terms(asked))

    def differences(self, before: "Terms") -> Iterator[dict[str, Any]]:
        """Yield the parameters of a history entry for each changed term, option and house rule.

        The board is not compared, because its starship may have a new revision.
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
        """The terms that are fields of `Game`, with the values of the fields."""
        values = {name: getattr(self, name) for name in SETTINGS}
        return values | {name: write(values[name]) for name, write in WRITERS.items()}


def _difference(about: dict[str, Any], before: Any, after: Any) -> Iterator[dict[str, Any]]:
    if before != after:
        yield {**about, "before": before, "after": after}


HINTS: Mapping[str, Any] = get_type_hints(Terms, include_extras=True)
PLAIN_FIELDS = tuple(each.name for each in fields(PlainTerms))
"""The names of the fields of `PlainTerms`."""

SETTINGS: Mapping[str, Setting] = {
    name: note
    for name in sorted(HINTS, key=lambda name: name in PLAIN_FIELDS)
    for note in get_args(HINTS[name])[1:]
    if isinstance(note, Setting)
}
"""The `Setting` of each term, in the order of the history's sentences. Terms of the board have none."""

BOARD = ("starship", "boards", "checkpoints", "start")
"""The names of the terms about the board."""

CHOICES = ("options", "house_rules")
"""The names of the terms that hold several values by key."""

WRITERS: Mapping[str, Callable[[Any], Any]] = {
    "options": dict,
    "house_rules": dict,
    "pace": stored.write_pace,
    "absence": stored.write_absence,
}


def read_terms(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the values of terms from a request. Raises Malformed if a value cannot be read."""
    return {name: SETTINGS[name].read(value) if name in SETTINGS else value for name, value in asked.items()}


def board_of(game: Game) -> dict[str, Any]:
    """Return the board of a game in the format of a request: a starship, or pieces and their settings.

    Random checkpoints are left out, because they will be placed again at random.
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
    """Return the terms of a game with its board. Computers are not included."""
    known = {name: getattr(game, name) for name in SETTINGS}
    known |= {"pace": stored.pace_of(game), "absence": stored.absence_of(game)}
    return Terms(**known, **board_of(game))
