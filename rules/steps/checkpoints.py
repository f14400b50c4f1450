"""Checkpoints are inspected, touched or passed, and archives laid."""

from rules.resolution import Resolution, step
from rules.state import Robot


def _last(turn: Resolution) -> int:
    """Return the number of the last checkpoint that is played (GR-1.1)."""
    return int(turn.setup.options.get("checkpoints", 0)) or max(turn.ship.checkpoints)


@step("inspection", "RR-8", cells=lambda ship: ship.checkpoint_at)
def inspect(turn: Resolution) -> None:
    """A robot on its next checkpoint, all hull damage there repaired, inspects it.

    The one that inspects the last takes a place; several in the same step do so by rank (G-10.2).
    """
    for robot in turn.on_board:
        if turn.ship.checkpoint_at.get(robot.cell) == robot.next and not robot.scanner:
            if robot.cell in turn.damaged:
                continue
            turn.inspect(robot, robot.next)
            if robot.next > _last(turn):
                turn.finish(robot)


@step("goals", "WS-5 WS-6", cells=lambda ship: ship.checkpoint_at)
def reach_goals(turn: Resolution) -> None:
    """A robot on its next checkpoint has reached it, and comes back there; at the finish it has won."""
    for robot in turn.on_board:
        if turn.ship.checkpoint_at.get(robot.cell) == robot.next:
            turn.inspect(robot, robot.next)
            if robot.next > _last(turn):
                turn.finish(robot)
            else:
                turn.archive(robot, robot.cell)


@step("flags and repair fields", "FA-2 FA-4", cells=lambda ship: {*ship.checkpoint_at, *ship.depots})
def touch_flags_and_fields(turn: Resolution) -> None:
    """A robot on a flag or a repair field leaves its archive there; its next flag is counted.

    With the last flag it takes a place, and is taken off the board.
    """
    flags, fields = turn.ship.checkpoint_at, turn.ship.depots
    for robot in turn.sequence:
        cell = robot.cell
        if (cell in flags or cell in fields) and not robot.down:
            if robot.archive != cell:
                turn.archive(robot, cell)
            if flags.get(cell) == robot.next:
                turn.inspect(robot, robot.next)
                if robot.next > _last(turn):
                    turn.finish(robot, leaves=True)


@step("checkpoints passed", "AM-3.1 AM-3.2")
def pass_checkpoint(turn: Resolution) -> None:
    """A robot that is switched on passes its next checkpoint, and leaves its archive on it or a repair field.

    The game ends the moment the last checkpoint is passed.
    """
    robot = turn.entered
    number = turn.ship.checkpoint_at.get(robot.cell)
    if robot.down or (number is None and robot.cell not in turn.ship.depots):
        return
    turn.archive(robot, robot.cell)
    if number == robot.next:
        _count(turn, robot)


@step("checkpoints counted", "GR-2.5 GR-3.4", lambda ship: ship.checkpoints)
def count_checkpoint(turn: Resolution) -> None:
    """A robot leaves its archive on every checkpoint that it enters; its next one is counted.

    The first robot to count the last one wins at once.
    """
    robot = turn.entered
    number = turn.ship.checkpoint_at.get(robot.cell)
    if number is not None and robot.archive != robot.cell:
        turn.archive(robot, robot.cell)
    if number == robot.next and robot.next <= _last(turn):
        _count(turn, robot)


@step("checkpoints counted", "GR-2.5 GR-3.4", lambda ship: ship.checkpoints)
def count_checkpoint_and_archive_in_order(turn: Resolution) -> None:
    """A robot's next checkpoint is counted, and becomes its archive (in version 1).

    The first robot to count the last one wins at once.
    """
    robot = turn.entered
    if turn.ship.checkpoint_at.get(robot.cell) == robot.next and robot.next <= _last(turn):
        turn.archive(robot, robot.cell)
        _count(turn, robot)


def _count(turn: Resolution, robot: Robot) -> None:
    turn.inspect(robot, robot.next)
    if robot.next > _last(turn):
        turn.finish(robot)
        turn.end_game(robot.index, "finished")
