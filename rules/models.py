"""Robot models, and what is special about each (GR-1.2)."""

from typing import Final

from rules.language import N_
from rules.state import Robot

TANKY: Final = "tanky"
JAMES_BOT: Final = "james-bot"
LAZYBOT: Final = "lazybot"
ALBOT: Final = "albot"
PEACH: Final = "peach"

MODELS: Final = {
    TANKY: N_("Tanky repairs 1 damage at the end of each turn."),
    JAMES_BOT: N_("James Bot’s shots deal 2 damage."),
    LAZYBOT: N_("LazyBot may pause in one register a turn, in place of a chip."),
    ALBOT: N_("Albot may redraw its hand once a turn, before ordering."),
    PEACH: N_("Peach reflects a shot that hits it from behind onto the robot that fired it."),
}
"""Every model by its key, in a sentence."""


def reflects(robot: Robot, heading: int) -> bool:
    """Return whether a robot reflects a shot that travels in that heading: one from behind hits Peach so."""
    return robot.model == PEACH and robot.heading == heading
