"""Weights: what a robot earns in a turn, and its next rank follows from (RR-2.2, RR-2.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from rules import events as ev
from rules.state import Robot
from rules.view import RobotView

WEIGHTS: Final = {
    "shoot and kill": 35,
    "push and kill": 30,
    "shoot and kill scanner": 20,
    "be destroyed": 20,
    "inspect": 10,
    "push": 10,
    "push and kill scanner": 5,
    "shoot": 5,
    "weld": 2,
    "move": 1,
}
"""What each kind of deed weighs (RR-2.2)."""


class Deed(NamedTuple):
    """Something for which a robot earns weight; ``other`` is the robot to which it was done, if any."""

    robot: int
    kind: str
    other: int | None = None

    @property
    def weight(self) -> int:
        return WEIGHTS[self.kind]


def weights(log: Iterable[ev.Event], robots: Sequence[Robot | RobotView]) -> dict[int, int]:
    """Add up what each robot earned in a turn, from the turn's log alone; the crystal earns none (RC-3)."""
    earned = {robot.index: 0 for robot in robots if not robot.crystal}
    for deed in deeds(log, robots):
        earned[deed.robot] += deed.weight
    return earned


def deeds(log: Iterable[ev.Event], robots: Sequence[Robot | RobotView]) -> list[Deed]:
    """Return for what robots earned weight in a turn, in the order of its log (RR-2.2).

    A kill stands in the place of the push or the shots that made it (RR-2.3).
    """
    done: list[Deed] = []
    phase = 0  # where the deeds of the phase begin
    moved: set[tuple[int, int]] = set()
    for event in log:
        match event:
            case ev.Phase():
                phase = len(done)
            case ev.Move(by="chip"):
                if (event.phase, event.robot) not in moved:
                    moved.add((event.phase, event.robot))
                    done.append(Deed(event.robot, "move"))
            case ev.Move(by="push", pusher=int(pusher), step="chips") if not robots[event.robot].crystal:
                done.append(Deed(pusher, "push", event.robot))
            case ev.Damage(by="laser", source=int(source)):
                done.append(Deed(source, "shoot", event.robot))
            case ev.Destroyed() if not robots[event.robot].crystal:
                done.append(Deed(event.robot, "be destroyed"))
                kind = " and kill scanner" if robots[event.robot].scanner else " and kill"
                for killer in event.killers:
                    if event.how == "push":
                        _take_last(done, Deed(killer, "push", event.robot))
                        done.append(Deed(killer, f"push{kind}", event.robot))
                    else:
                        shot = Deed(killer, "shoot", event.robot)
                        done[phase:] = [deed for deed in done[phase:] if deed != shot]
                        done.append(Deed(killer, f"shoot{kind}", event.robot))
            case ev.Inspect():
                done.append(Deed(event.robot, "inspect"))
            case ev.Weld():
                done.append(Deed(event.robot, "weld"))
            case _:
                pass
    return done


def _take_last(done: list[Deed], deed: Deed) -> None:
    """Take away the last of equal deeds."""
    del done[len(done) - 1 - done[::-1].index(deed)]
