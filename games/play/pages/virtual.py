"""What it means that a robot is virtual, or has become real: said where it happens (G-1.5, RR-9.5, RA-2)."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rules
from games.play.selectors.games import GameView
from games.play.selectors.replay import Replay
from rules.events import Real

PASSES = _("Robots pass through it, and it cannot push, shoot or be shot.")
BECOMES_REAL = _("It becomes real at the end of a turn in which it is alone in its cell.")
CAMPS = _("After two turns on an airlock it becomes real in any case.")
REAL = _("Your robot is real now: robots can push and shoot it, and it can push and shoot them.")


def meaning_of_virtual(ruleset: rules.Ruleset) -> str:
    """Return what it means in a ruleset that a robot is virtual."""
    camps = (CAMPS,) if any(step.name == "camping" for step in ruleset.end) else ()
    return " ".join(map(str, (PASSES, BECOMES_REAL, *camps)))


def said_of_state(seen: GameView, ruleset: rules.Ruleset, replay: Replay | None) -> str:
    """Say to a player that their robot is virtual, or has just become real; nothing else.

    ``seen`` is the game as its viewer sees it, ``replay`` the turn before.
    """
    if seen.me is None or seen.status != "running" or not seen.turn:
        return ""
    index = seen.me.seat - 1
    robot = seen.robots[index]
    if robot["virtual"] and robot["at"] is not None:
        who = (
            gettext("Robots start virtual, and so does yours.")
            if seen.turn == 1
            else gettext("Your robot is virtual.")
        )
        return f"{who} {meaning_of_virtual(ruleset)}"
    turned = replay is not None and any(
        isinstance(event, Real) and event.robot == index for event in replay.events
    )
    return str(REAL) if turned else ""
