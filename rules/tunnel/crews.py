"""How many players suit a starship."""

from typing import Final

from rules.setup import Ruleset
from rules.starship import Starship
from rules.suitability import overcrowding

ROOM: Final = 20
"""Cells of the board that a robot needs to move freely."""


def player_numbers(ruleset: Ruleset, ship: Starship) -> tuple[int, ...]:
    """Return the numbers of players that suit a starship, two at least; the least one always does.

    They are those that the ruleset and the start cells allow, if there are 20 cells for each robot. There is
    none where the start cells allow one player alone.

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
    room = ship.width * ship.height // ROOM
    return tuple(number for number in allowed if number <= max(room, allowed[0]))


def middle(numbers: tuple[int, ...]) -> int:
    """Return the middle one of the numbers of players, the lower one of two.

    >>> middle((2, 3, 4, 5)), middle((2, 4, 6))
    (3, 4)
    """
    return numbers[(len(numbers) - 1) // 2]
