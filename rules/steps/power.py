"""Robots go down, and come up again (RR-9.3, AM-5.1, GR-3.2)."""

from rules.resolution import Resolution, step
from rules.steps.turn_end import refill


@step("reboot", "RR-9.3")
def reboot(turn: Resolution) -> None:
    """A robot that was down comes up; one that was ordered to reboot goes down, all its damage repaired."""
    for robot in turn.on_board:
        if robot.down:
            turn.power(robot, False)
        elif turn.orders_of(robot).power_down and not robot.scanner:
            turn.power(robot, True)
            turn.repair(robot, robot.damage, "reboot")
            refill(turn, robot)


@step("power-down", "GR-3.2 WS-7")
def power_down(turn: Resolution) -> None:
    """A robot that was down comes up; one that was ordered to power down does so, and all is repaired."""
    for robot in turn.on_board:
        if robot.down:
            turn.power(robot, False)
        elif turn.orders_of(robot).power_down:
            turn.power(robot, True)
            turn.repair(robot, robot.damage, "power-down")


@step("switching off", "AM-5.1 FA-3 FA-5")
def switch_off(turn: Resolution) -> None:
    """A robot that announced it is switched off, and all its damage removed; one that was off is up.

    The player of one that was off may order it to stay off in the next turn.
    """
    for robot in turn.on_board:
        if robot.down:
            turn.power(robot, False, may_stay_down=True)
        elif turn.orders_of(robot).power_down:
            turn.power(robot, True)
            turn.repair(robot, robot.damage, "power-down")


@step("staying off", "AM-5.2 FA-3 FA-5")
def stay_off(turn: Resolution) -> None:
    """A robot that was off, and is ordered to stay off, is off in this turn; all its damage is removed."""
    for robot in turn.sequence:
        if robot.was_down and robot.on_board and turn.orders_of(robot).stay_down:
            turn.power(robot, True)
            turn.repair(robot, robot.damage, "power-down")


@step("switching off", "AM-5.1 AM-5.2 FA-3 FA-5")
def switch_off_or_stay_off(turn: Resolution) -> None:
    """A robot that announced it is switched off, and one that is off may stay off; all is repaired.

    One that is off and has no such order is switched on.
    """
    for robot in turn.on_board:
        if robot.down and not turn.orders_of(robot).stay_down:
            turn.power(robot, False)
        elif robot.down or turn.orders_of(robot).power_down:
            if not robot.down:
                turn.power(robot, True)
            turn.repair(robot, robot.damage, "power-down")
