"""Check whether a ruleset, options, a starship and a number of seats make a playable game."""

from collections.abc import Iterator
from typing import Final

from rules.document import Problem, SetupError
from rules.language import N_, Sentence
from rules.orders import DECK, HAND
from rules.setup import (
    COMMON_ELEMENTS,
    Options,
    Ruleset,
    Setup,
    Value,
    as_played,
    read_house_rules,
    read_options,
)
from rules.starship import Starship


def suits(ruleset: Ruleset, ship: Starship) -> bool:
    """Return whether a starship suits a ruleset. The check stops at the first problem, so it is fast."""
    return next(_reasons(ruleset, ship), None) is None


def reasons_against(ruleset: Ruleset, ship: Starship) -> list[Problem]:
    """Return the reasons why a starship does not suit a ruleset, with their rows and columns (G-1.8)."""
    return list(_reasons(ruleset, ship))


def _reasons(ruleset: Ruleset, ship: Starship) -> Iterator[Problem]:
    yield from unknown_elements(ruleset, ship)
    if missing := ruleset.start.missing(ship):
        yield Problem(missing)
    if (cells := ship.width * ship.height) > ruleset.cells:
        form = N_("{ruleset} allows at most {most} cells, but the starship has {cells}")
        yield Problem(Sentence(form, ruleset=ruleset.name, most=ruleset.cells, cells=cells))
    least, most = ruleset.checkpoints
    if not least <= (count := len(ship.checkpoints)) <= most:
        yield Problem(_checkpoints_needed(ruleset, count))
    for number, cell in ship.checkpoints.items():
        x, y = ship.pos(cell)
        for element in ship.at(x, y).elements:
            if element in ruleset.barred:
                message = Sentence(
                    "{ruleset} does not allow checkpoint {number} on this element: {element}",
                    ruleset=ruleset.name,
                    element=Sentence(element),
                    number=number,
                )
                yield Problem(message, y + 1, x + 1)


def _checkpoints_needed(ruleset: Ruleset, count: int) -> Sentence:
    least, most = ruleset.checkpoints
    if count < least:
        return Sentence.counted(
            "{ruleset} needs at least {number} checkpoint, but the starship has {count}",
            "{ruleset} needs at least {number} checkpoints, but the starship has {count}",
            least,
            ruleset=ruleset.name,
            count=count,
        )
    return Sentence.counted(
        "{ruleset} allows at most {number} checkpoint, but the starship has {count}",
        "{ruleset} allows at most {number} checkpoints, but the starship has {count}",
        most,
        ruleset=ruleset.name,
        count=count,
    )


def overcrowding(ruleset: Ruleset, ship: Starship, seats: int) -> list[Problem]:
    """Return a problem if a starship has too few start cells for this number of robots.

    A problem is possible only in rulesets with a separate start cell for each robot (GR-1.1, WS-1).
    """
    starts = range(1, seats + 1) if ruleset.start.own else ()
    lacking = next((number for number in starts if number not in ship.starts), None)
    if lacking in (None, 1):  # without a first start cell, no number fits: see `reasons_against`
        return []
    assert lacking is not None
    message = Sentence.counted(
        "the starship has start cells for {number} robot, not for {seats}",
        "the starship has start cells for {number} robots, not for {seats}",
        lacking - 1,
        seats=seats,
    )
    return [Problem(message)]


def unknown_elements(ruleset: Ruleset, ship: Starship) -> Iterator[Problem]:
    """Yield a problem for each element of a starship that a ruleset does not know (G-1.8)."""
    form = N_("{ruleset} does not have this element: {element}")
    unknown = ship.elements.keys() - COMMON_ELEMENTS - ruleset.elements
    said = {element: Sentence(form, ruleset=ruleset.name, element=Sentence(element)) for element in unknown}
    for number in sorted({number for element in unknown for number in ship.elements[element]}):
        x, y = ship.pos(number)
        for element in ship.at(x, y).elements:
            if element in said:
                yield Problem(said[element], y + 1, x + 1)


def make_setup(
    ruleset: Ruleset, options: Options, ship: Starship, seats: int, house_rules: Options | None = None
) -> Setup:
    """Return the setup of a game. Raises SetupError with every reason why the game is impossible."""
    problems: list[Problem] = []
    filled: list[dict[str, Value]] = []
    for read, given in ((read_options, options), (read_house_rules, house_rules or {})):
        try:
            filled.append(read(ruleset, given))
        except SetupError as error:
            problems += error.problems
    problems += _seats(ruleset, ship, seats)
    problems += reasons_against(ruleset, ship)
    if problems:
        raise SetupError(*problems)
    chosen, varied = filled
    setup = Setup(as_played(ruleset, chosen, varied), chosen, ship, varied)
    if problems := [*_deck(setup, seats), *_checkpoints_played(setup)]:
        raise SetupError(*problems)
    return setup


def _seats(ruleset: Ruleset, ship: Starship, seats: int) -> Iterator[Problem]:
    least, most = ruleset.seats
    if not least <= seats <= most:
        form = N_("{ruleset} is for {least} to {most} players, not {seats}")
        yield Problem(Sentence(form, ruleset=ruleset.name, least=least, most=most, seats=seats))
    elif crowded := overcrowding(ruleset, ship, seats):
        yield from crowded
    elif ruleset.squads and seats % len(ruleset.squads):
        yield Problem(
            Sentence.counted(
                "{number} player cannot form {squads} squads of the same size",
                "{number} players cannot form {squads} squads of the same size",
                seats,
                squads=len(ruleset.squads),
            )
        )


def _deck(setup: Setup, seats: int) -> Iterator[Problem]:
    """Yield a problem if all robots share a deck that has too few chips for their hands (G-3.3)."""
    robots = seats + int(setup.options.get("scanners", 0))
    if setup.ruleset.shared_deck and robots * HAND > len(DECK):
        form = N_("one deck of {deck} chips is not enough for {robots} robots with {hand} chips each")
        yield Problem(Sentence(form, deck=len(DECK), robots=robots, hand=HAND))


def _checkpoints_played(setup: Setup) -> Iterator[Problem]:
    """Yield a problem if an option asks for more checkpoints than the starship has (GR-1.1).

    If an option asks for random checkpoints, they must have been put on the starship before. It is therefore
    also a problem if the starship has fewer or more checkpoints than this option asks for.
    """
    wanted, there = int(setup.options.get("checkpoints", 0)), len(setup.starship.checkpoints)
    drawn = int(setup.options.get("random_checkpoints", 0))
    for asked, wrong in ((wanted, wanted > there), (drawn, drawn not in (0, there))):
        if wrong:
            message = Sentence.counted(
                "the starship has {number} checkpoint, but the option asks for {asked}",
                "the starship has {number} checkpoints, but the option asks for {asked}",
                there,
                asked=asked,
            )
            yield Problem(message)


CELLS_PER_ROBOT: Final = 20
"""The number of cells that a board needs for each robot, so that robots can move freely."""


def player_numbers(ruleset: Ruleset, ship: Starship) -> tuple[int, ...]:
    """Return the numbers of players that are suitable for a starship.

    Each number is at least 2, and both the ruleset and the start cells of the ship allow it. The ship must
    also have 20 cells for each robot. But the smallest allowed number is always included, even if the ship is
    smaller. If the start cells allow only one player, the result is empty.

    >>> from rules.notation import read_starship
    >>> from rules.rulesets import ruleset
    >>> ship = read_starship({"format": "starship/1", "rows": ["a" + " ." * 19] * 5})
    >>> player_numbers(ruleset("robo-runner"), ship)
    (2, 3, 4, 5)
    """
    least, most = ruleset.seats
    allowed = [
        number
        for number in range(max(2, least), most + 1)
        if not overcrowding(ruleset, ship, number) and not (ruleset.squads and number % len(ruleset.squads))
    ]
    if not allowed:
        return ()
    room = ship.width * ship.height // CELLS_PER_ROBOT
    return tuple(number for number in allowed if number <= max(room, allowed[0]))


def middle(numbers: tuple[int, ...]) -> int:
    """Return the middle number of a list of player numbers. Of two middle numbers, return the lower.

    >>> middle((2, 3, 4, 5)), middle((2, 4, 6))
    (3, 4)
    """
    return numbers[(len(numbers) - 1) // 2]
