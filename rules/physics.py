"""Movement against rails, hull and other robots, shared by several steps (G-4).

This module also finds the move order (G-1.7, G-4.5), and a free cell for a robot whose own cell is taken
(G-9.3, AM-6.3).
"""

from functools import lru_cache
from math import atan2
from typing import Final

from rules.grid import OFF, Pos
from rules.resolution import Resolution
from rules.starship import Starship
from rules.state import Robot

ROBOTS: Final = 16


def by_rank(turn: Resolution) -> list[Robot]:
    """Return all robots in move order by rank. Rank 1 is first, and the crystal last (RC-3)."""
    return sorted(turn.robots, key=lambda robot: (robot.crystal, robot.rank, robot.index))


def by_chip_number(turn: Resolution) -> list[Robot]:
    """Return all robots in move order by chip number, highest first.

    Robots without a chip in this phase follow in seat order (G-1.7).
    """
    robots, chips = turn.robots, turn.chips
    if not chips:
        return robots
    keys: list[int] = []
    others: list[Robot] = []
    # Integers sort fastest, so each combines a chip's number and its robot's index. Compiled code reads the
    # number faster by index.
    for robot in robots:
        chip = chips[robot.index]
        if chip is None:
            others.append(robot)
        else:
            keys.append(robot.index - ROBOTS * chip[0])
    keys.sort()
    order: list[Robot] = []
    for key in keys:
        order.append(robots[key % ROBOTS])
    return order + others if others else order


def nearest_free(turn: Resolution, sought: int) -> int | None:
    """Return the free hull cell that is nearest to the cell ``sought`` (G-9.3).

    If no hull cell is free, return the nearest free cell of another floor that is safe, or None if there is
    none.
    """
    ship = turn.ship
    for cell in hull_by_nearness(ship, sought):
        if not (turn.occupied[cell] or cell in turn.damaged):
            return cell
    safe = [number for number, _ in ship.numbered() if turn.falls[number] is None]
    free = [cell for cell in safe if not (turn.occupied[cell] or cell in turn.damaged)]
    return min(free, key=lambda cell: nearness(ship, sought, cell), default=None)


@lru_cache(maxsize=1024)
def hull_by_nearness(ship: Starship, sought: int) -> list[int]:
    """Return a ship's hull cells in order of nearness to the cell ``sought``, nearest first."""
    return sorted(ship.hull, key=lambda cell: nearness(ship, sought, cell))


def here_or_nearest(turn: Resolution, cell: int) -> int | None:
    """Return the cell if no real robot is in it. Otherwise return the nearest free hull cell (G-9.3)."""
    return nearest_free(turn, cell) if turn.occupied[cell] else cell


def beside(turn: Resolution, cell: int, chosen: Pos | None) -> int | None:
    """Return the cell if it is free, or else a free cell north, east, south or west of it (AM-6.3).

    The player's ``chosen`` cell has precedence, then the first free cell clockwise from north. If none of the
    four cells is free, return the nearest free hull cell.
    """
    if turn.occupied[cell] is None:
        return cell
    free = [other for other in around(turn.ship, cell) if turn.occupied[other] is None]
    if chosen is not None:
        wanted = turn.ship.cell(*chosen)
        if wanted in free:
            return wanted
    return free[0] if free else nearest_free(turn, cell)


def around(ship: Starship, cell: int) -> list[int]:
    """Return the cells north, east, south and west of a cell, except shafts and space."""
    return [cell + step for step in ship.steps if ship.falls[0][cell + step] is None]


def nearness(ship: Starship, sought: int, cell: int) -> tuple[int, float]:
    """Return a sort key for cells: steps from the cell ``sought``, then the angle clockwise from north."""
    (x, y), (to_x, to_y) = ship.pos(sought), ship.pos(cell)
    east, south = to_x - x, to_y - y
    return abs(east) + abs(south), clockwise_angle(east, south)


def clockwise_angle(east: int, south: int) -> float:
    """Return the angle of a direction, clockwise from north, in radians from 0 to 2π.

    >>> [clockwise_angle(*way) < 1 for way in [(0, -1), (1, -1), (1, 0), (-1, 0)]]
    [True, True, False, False]
    """
    angle = atan2(east, -south)
    return angle if angle >= 0 else angle + 6.283185307179586


def line_up(turn: Resolution, first: Robot, heading: int) -> tuple[list[Robot], str | None]:
    """Return the chain of robots that a robot's step would move, and the obstacle in its way (G-4.2, G-4.3).

    The obstacle is ``rail``, ``hull`` (damaged) or ``clamps`` ahead of the last robot of the chain, or None.
    A virtual robot pushes no other robot (G-1.5).
    """
    ways, damaged, occupied = turn.ways[heading], turn.damaged, turn.occupied
    chain = [first]
    cell = first.cell
    while True:
        cell = ways[cell]
        if cell == OFF:
            return chain, "rail"
        if cell in damaged:
            return chain, "hull"
        other = occupied[cell]
        if other is None or first.virtual:
            return chain, None
        if turn.uses(other, "clamps"):
            return chain, "clamps"
        chain.append(other)


def advance(turn: Resolution, robot: Robot, heading: int, by: str) -> bool:
    """Move a robot one cell, pushing other robots (G-4.3). Return whether it moved."""
    to = turn.ways[heading][robot.cell]
    if to != OFF and turn.occupied[to] is None and to not in turn.damaged:
        turn.move(robot, to, by)
        if turn.falls[to] is not None:
            fall(turn, robot)
        elif turn.entering:
            arrive(turn, [robot])
        return True
    chain, obstacle = line_up(turn, robot, heading)
    if obstacle:
        jolt(turn, chain, heading, obstacle)
        return False
    shift(turn, chain, heading, robot, by)
    return True


def jolt(turn: Resolution, chain: list[Robot], heading: int, obstacle: str) -> None:
    """Record a blocked event for each robot of a chain that cannot move.

    If the last robot is pressed against a power coupling, it takes 1 damage (RR-3.3).
    """
    last = chain[-1]
    for robot in turn.in_order(chain):
        turn.blocked(robot, heading, obstacle if robot is last else "robot")
    if obstacle == "rail" and turn.ship.couplings.get(last.cell, 0) >> heading & 1:
        turn.hurt(last, 1, "coupling")
        turn.destroy_wrecks([last])


def shift(turn: Resolution, chain: list[Robot], heading: int, pusher: Robot, by: str) -> None:
    """Move a whole chain of robots one cell, and destroy those that fall (G-4.4).

    ``by`` is the cause of the pusher's own move. The other robots move by its push. If the pusher moves by
    chip, robots that fall are its kills (RR-2.3).
    """
    robots = turn.in_order(chain)
    for robot in robots:
        to = robot.cell + turn.ship.steps[heading]
        if robot is pusher:
            turn.move(robot, to, by)
        else:
            turn.move(robot, to, "push", pusher.index)
    for robot in robots:
        fall(turn, robot, pusher if robot is not pusher and by == "chip" else None)
    if turn.entering:
        arrive(turn, robots)


def fall(turn: Resolution, robot: Robot, pusher: Robot | None = None) -> None:
    """Destroy a robot if its cell is a shaft, space or an open launch bay (G-4.4)."""
    if by := turn.falls[robot.cell]:
        turn.destroy(robot, by, [pusher] if pusher else (), "push")


def arrive(turn: Resolution, robots: list[Robot]) -> None:
    """Run the ruleset's steps for robots that have entered a cell (AM-3, GR-2.5).

    Robots that fell when they entered their cell are left out.
    """
    step = turn.step
    for robot in robots:
        if robot.on_board:
            turn.entered = robot
            turn.run(turn.entering)
    turn.step = step


def drive(turn: Resolution, robot: Robot, heading: int, steps: int) -> None:
    """Move a robot step by step by its chip, until it is blocked (G-4.1) or lifted (RR-6.1)."""
    while advance(turn, robot, heading, "chip"):
        steps -= 1
        if not steps or robot.cell == OFF or turn.state.over:
            return
        if robot.cell in turn.ship.thrusters:
            fly(turn, robot, heading, steps + 1)
            return


def fly(turn: Resolution, robot: Robot, heading: int, steps: int) -> None:
    """Move a lifted robot over everything except real robots, which it pushes (RR-6.2, RR-6.3).

    The robot crosses damaged hull only if it can land beyond that hull. The flight ends when the robot leaves
    the board, because outside there is only space.
    """
    ship, ahead = turn.ship, turn.ship.steps[heading]
    cell = robot.cell
    crossed: list[int] = []
    while steps and ship.inside(cell):
        cell += ahead
        steps -= 1
        chain: list[Robot] = []
        other = None if robot.virtual else turn.occupied[cell]
        if other is not None:
            if turn.uses(other, "clamps"):
                turn.blocked(robot, heading, "clamps")
                break
            chain, obstacle = line_up(turn, other, heading)
            if obstacle:
                turn.blocked(robot, heading, "robot")
                jolt(turn, chain, heading, obstacle)
                break
        if cell in turn.damaged:
            crossed.append(cell)
        else:
            for passed in (*crossed, cell):
                turn.move(robot, passed, "chip")
            crossed = []
        shift(turn, chain, heading, robot, "chip")
        if steps and cell in ship.thrusters:
            steps += 1
    fall(turn, robot)
