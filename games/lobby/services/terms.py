"""Whether the terms of a game go together: checked as a whole before any of it is kept."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

import rules
from games import errors
from games.errors import Invalid, ProblemDocument, of_document
from games.fleet.boards import Layout, lay_out, remember
from games.fleet.models import Course, Piece
from games.play.models import Game
from games.play.terms import Terms
from games.wording import told


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A game that can be made: its terms, what is played, and on which board."""

    terms: Terms
    setup: rules.Setup
    layout: Layout

    def fields(self) -> dict[str, Any]:
        """Return it as fields of a `Game`, all but its course."""
        return {
            **self.terms.columns,
            "version": self.setup.ruleset.version,
            "revision": self.layout.pieces[0].revision if self.layout.pieces else None,
        }

    def drawn(self) -> Course | None:
        """Keep the board of a test flight, whose game is made after it: without a board there is none."""
        return None if self.layout.pieces else self._course(None)

    def course(self, game: Game) -> Course | None:
        """Keep the board and what it is made of, if it was put together for this game."""
        if not self.layout.composed:
            return None
        course = self._course(game)
        for piece in self.layout.pieces:
            column, row = piece.at
            Piece.objects.create(
                game=game,
                course=course,
                revision=piece.revision,
                column=column,
                row=row,
                turned=piece.turned,
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
    """Return a game with these terms, on a starship as it is now, or on a ``ship`` of its own.

    Checkpoints may be placed by chance, from the game's ``seed``. Raises Malformed for boards, checkpoints or
    a start that are none, NotFound for a starship that is not offered, and Invalid with every reason why
    the terms do not make a game together, with those ``more`` that are known already.
    """
    ruleset, seats = terms.ruleset, terms.seats
    problems = _name_faults(terms.name)
    problems += ({"code": code, "detail": detail} for code, detail in terms.problems)
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
        raise Invalid("no-game", _("The game cannot be created with these settings."), problems)
    whole = replace(
        terms,
        name=errors.tidied_name(terms.name),
        options=dict(setup.options),
        house_rules=dict(setup.house_rules),
    )
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
    """Return how many checkpoints options have placed by chance (FA-1); none where that is refused."""
    edition, wanted = rules.RULESETS.get(ruleset), options.get("random_checkpoints", 0)
    choices = edition.options if edition else ()
    choice = next((option for option in choices if option.key == "random_checkpoints"), None)
    return wanted if choice and choice.problem(wanted) is None else 0


def _name_faults(name: str) -> list[ProblemDocument]:
    limit = Game._meta.get_field("name").max_length or 0
    needed = _("The game needs a name.")
    return errors.problems_of_name(errors.tidied_name(name), longest=limit, needed=needed)


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
        found = set(error.problems)
        crowded = [each for each in rules.overcrowding(edition, ship, seats) if each in found]
        unsuitable = set(rules.unsuitable(edition, ship))
        of_board = [problem for problem in error.problems if problem in unsuitable]
        others = [problem for problem in error.problems if problem not in unsuitable.union(crowded)]
        return None, [
            *of_document("starship", of_board),
            *(_too_many(problem) for problem in crowded),
            *of_document("seats", others),
        ]


def _too_many(problem: rules.Problem) -> ProblemDocument:
    message = capfirst(told(problem.message))
    detail = _("{problem}: choose another starship, or fewer players.").format(problem=message)
    return {"code": "starship", "detail": detail}


def _details(problems: Iterable[ProblemDocument]) -> set[str]:
    return {problem["detail"] for problem in problems}
