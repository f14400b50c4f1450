"""Weights: what a robot earns in a turn, and its next rank follows from (RR-2.2, RR-2.3)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from rules import events as ev
from rules.state import Robot

SHOOT_AND_KILL: Final = 35
PUSH_AND_KILL: Final = 30
SHOOT_AND_KILL_SCANNER: Final = 20
BE_DESTROYED: Final = 20
INSPECT: Final = 10
PUSH: Final = 10
PUSH_AND_KILL_SCANNER: Final = 5
SHOOT: Final = 5
WELD: Final = 2
MOVE: Final = 1


def weights(log: Iterable[ev.Event], robots: Sequence[Robot]) -> dict[int, int]:
    """Add up what each robot earned in a turn, from the turn's log alone; the crystal earns none (RC-3)."""
    earned = {robot.index: 0 for robot in robots if not robot.crystal}
    moved: set[tuple[int, int]] = set()
    shots: Counter[tuple[int, int]] = Counter()
    for event in log:
        match event:
            case ev.Phase():
                shots.clear()
            case ev.Move(by="chip"):
                if (event.phase, event.robot) not in moved:
                    moved.add((event.phase, event.robot))
                    earned[event.robot] += MOVE
            case ev.Move(by="push", pusher=int(pusher)) if event.step == "chips" and event.robot in earned:
                earned[pusher] += PUSH
            case ev.Damage(by="laser", source=int(source)):
                earned[source] += SHOOT
                shots[source, event.robot] += 1
            case ev.Destroyed() if event.robot in earned:
                earned[event.robot] += BE_DESTROYED
                scanner = robots[event.robot].scanner
                for killer in event.killers:
                    if event.how == "push":
                        earned[killer] += (PUSH_AND_KILL_SCANNER if scanner else PUSH_AND_KILL) - PUSH
                    else:
                        earned[killer] += SHOOT_AND_KILL_SCANNER if scanner else SHOOT_AND_KILL
                        earned[killer] -= SHOOT * shots[killer, event.robot]
            case ev.Inspect():
                earned[event.robot] += INSPECT
            case ev.Weld():
                earned[event.robot] += WELD
            case _:
                pass
    return earned
