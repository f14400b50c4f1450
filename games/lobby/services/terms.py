"""How a game is to be: what its host asks for, checked as a whole before any of it is kept."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import rules
from games.clocks import paces
from games.clocks.clock import Bank, Live, Pace, PerTurn
from games.errors import Invalid, Malformed, ProblemDocument, of_document
from games.fleet.models import Course, Piece
from games.fleet.selectors.layouts import Layout, lay_out
from games.play import policy as absences
from games.play import stored
from games.play.models import Game
from games.play.policy import Absence


@dataclass(frozen=True, slots=True)
class Draft:
    """A game that can be made: its name, what is played on which board, by how many, and how fast."""

    name: str
    setup: rules.Setup
    layout: Layout
    seats: int
    private: bool
    pace: Pace
    absence: Absence
    least_reliability: int = 0

    def fields(self) -> dict[str, Any]:
        """Return it as fields of a `Game`, all but its course."""
        return {
            "name": self.name,
            "ruleset": self.setup.ruleset.key,
            "version": self.setup.ruleset.version,
            "options": dict(self.setup.options),
            "house_rules": dict(self.setup.house_rules),
            "revision": self.layout.pieces[0].revision,
            "seats": self.seats,
            "private": self.private,
            "pace": stored.write_pace(self.pace),
            "absence": stored.write_absence(self.absence),
            "least_reliability": self.least_reliability,
        }

    def course(self) -> Course | None:
        """Keep the board and what it is made of, if it was put together for this game."""
        if not self.layout.composed:
            return None
        ship = self.layout.ship
        course = Course.objects.create(
            name=ship.name, document=rules.write_starship(ship), width=ship.width, height=ship.height
        )
        for piece in self.layout.pieces:
            column, row = piece.at
            Piece.objects.create(
                course=course, revision=piece.revision, column=column, row=row, turned=piece.turned
            )
        return course


def draft(
    *,
    name: str,
    starship_id: int | None,
    boards: object,
    checkpoints: object,
    start: object,
    ruleset: str,
    options: Mapping[str, Any] | None,
    house_rules: Mapping[str, Any] | None,
    seats: int,
    private: bool,
    pace: object,
    absence: object,
    least_reliability: int = 0,
    seed: str,
    more: Iterable[ProblemDocument] = (),
) -> Draft:
    """Return a game as it was asked for, with a starship as it is now.

    In rulesets that have it so, ``boards`` are joined in place of the one starship, ``checkpoints`` and
    ``start`` set, or checkpoints placed by chance from the game's ``seed``, as `lay_out` says. ``pace`` and
    ``absence`` are such, or documents; ``least_reliability`` is what it takes to join, in percent. Raises
    Malformed for those, boards, checkpoints or a start that are none, NotFound for a starship that is not
    offered, and Invalid with every reason why these do not make a game together, with those ``more`` that
    are known already.
    """
    pace, absence = read_pace(pace), read_absence(absence)
    problems: list[ProblemDocument] = [{"code": "name", "detail": fault} for fault in _name_faults(name)]
    if not 0 <= least_reliability <= 100:
        problems.append({"code": "least_reliability", "detail": "It is a percentage, from 0 to 100."})
    layout: Layout | None = None
    try:
        layout = lay_out(
            ruleset=ruleset,
            starship_id=starship_id,
            boards=boards,
            checkpoints=checkpoints,
            start=start,
            scattered=scattered_in(ruleset, options or {}),
            seed=seed,
        )
    except Invalid as refusal:
        problems += refusal.problems
    setup: rules.Setup | None = None
    if edition := rules.RULESETS.get(ruleset):
        problems += _choice_faults(edition, options or {}, house_rules or {})
        if layout:
            setup, faults = _set_up(edition, layout.ship, seats, options or {}, house_rules or {})
            problems += [fault for fault in faults if fault["detail"] not in _details(problems)]
    problems += more
    if problems or layout is None or setup is None:
        raise Invalid("no-game", "The game cannot be made like this.", problems)
    return Draft(name.strip(), setup, layout, seats, private, pace, absence, least_reliability)


def scattered_in(ruleset: str, options: Mapping[str, Any]) -> int:
    """Return how many checkpoints options have placed by chance (FA-1); none where that is refused."""
    edition, wanted = rules.RULESETS.get(ruleset), options.get("random_checkpoints", 0)
    choices = edition.options if edition else ()
    choice = next((option for option in choices if option.key == "random_checkpoints"), None)
    return wanted if choice and choice.problem(wanted) is None else 0


def read_pace(pace: object) -> Pace:
    """Return a pace, which may be a document (`paces`); raises Malformed for what is none."""
    if isinstance(pace, PerTurn | Live | Bank):
        return pace
    try:
        return paces.read_pace(pace)
    except ValueError as error:
        raise _wrong("pace", str(error)) from None


def read_absence(absence: object) -> Absence:
    """Return what becomes of missed turns, which may be a document; raises Malformed for what is none."""
    if isinstance(absence, Absence):
        return absence
    try:
        return absences.read_absence(absence)
    except ValueError as error:
        raise _wrong("absence", str(error)) from None


def _wrong(key: str, detail: str) -> Malformed:
    """Return what is wrong with the form of one key."""
    return Malformed("malformed", detail, [{"code": "invalid", "detail": detail, "key": key}])


def _name_faults(name: str) -> list[str]:
    limit = Game._meta.get_field("name").max_length or 0
    name = name.strip()
    if not name:
        return ["The game needs a name."]
    if len(name) > limit:
        return [f"The name is longer than {limit} characters."]
    if not name.isprintable():
        return ["The name has a character in it that cannot be printed."]
    return []


def _choice_faults(
    edition: rules.Ruleset, options: Mapping[str, Any], house_rules: Mapping[str, Any]
) -> Iterator[ProblemDocument]:
    """Yield what is wrong with options and house rules, each fault with the key that it is about."""
    choices = (("option", rules.read_options, options), ("house-rule", rules.read_house_rules, house_rules))
    for code, read, given in choices:
        for key in given:
            try:
                read(edition, {key: given[key]})
            except rules.SetupError as error:
                yield from ({**fault, "key": key} for fault in of_document(code, error.problems))


def _set_up(
    edition: rules.Ruleset,
    ship: rules.Starship,
    seats: int,
    options: Mapping[str, Any],
    house_rules: Mapping[str, Any],
) -> tuple[rules.Setup | None, list[ProblemDocument]]:
    """Return what is played, or why it cannot be: for the board's sake, or that of the number of players."""
    try:
        return rules.make_setup(edition, options, ship, seats, house_rules), []
    except rules.SetupError as error:
        crowded = [each for each in rules.overcrowding(edition, ship, seats) if each in error.problems]
        unsuitable = rules.unsuitable(edition, ship)
        of_board = [problem for problem in error.problems if problem in unsuitable]
        others = [problem for problem in error.problems if problem not in (*unsuitable, *crowded)]
        return None, [
            *of_document("starship", of_board),
            *(_too_many(problem) for problem in crowded),
            *of_document("seats", others),
        ]


def _too_many(problem: rules.Problem) -> ProblemDocument:
    detail = f"{problem.message[0].upper()}{problem.message[1:]}: choose another starship, or fewer players."
    return {"code": "starship", "detail": detail}


def _details(problems: Iterable[ProblemDocument]) -> set[str]:
    return {problem["detail"] for problem in problems}
