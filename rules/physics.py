"""Moving against rails, hull and each other: what steps share (G-4)."""

from rules.grid import OFF
from rules.resolution import Resolution
from rules.state import Robot


def line_up(turn: Resolution, first: Robot, heading: int) -> tuple[list[Robot], str | None]:
    """Return the chain of robots that a step of the first would move, and what blocks it (G-4.2, G-4.3).

    The obstacle is a ``rail``, damaged ``hull`` or ``clamps`` ahead of the last robot of the
    chain, or None. A virtual robot pushes no one (G-1.5).
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
    """Move a robot one cell, pushing what stands in its way (G-4.3); return whether it moved."""
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
    """Tell what blocks each robot of a chain, and shock the one at a power coupling (RR-3.3)."""
    last = chain[-1]
    for robot in turn.in_order(chain):
        turn.blocked(robot, heading, obstacle if robot is last else "robot")
    if obstacle == "rail" and turn.ship.couplings.get(last.cell, 0) >> heading & 1:
        turn.hurt(last, 1, "coupling")
        turn.destroy_wrecks([last])


def shift(turn: Resolution, chain: list[Robot], heading: int, pusher: Robot, by: str) -> None:
    """Move a whole chain one cell, and destroy who falls (G-4.4).

    The pusher moves ``by`` what moves it, the others by its push. Those that a chip pushes to
    their end are the pusher's kill (RR-2.3).
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
    """Destroy a robot that has entered a shaft, space or an open launch bay (G-4.4)."""
    if by := turn.falls[robot.cell]:
        turn.destroy(robot, by, [pusher] if pusher else (), "push")


def arrive(turn: Resolution, robots: list[Robot]) -> None:
    """Do what the ruleset does the moment a robot enters a cell (AM-3, GR-2.5), unless it fell there."""
    step = turn.step
    for robot in robots:
        if robot.on_board:
            turn.entered = robot
            turn.run(turn.entering)
    turn.step = step


def drive(turn: Resolution, robot: Robot, heading: int, steps: int) -> None:
    """Move a robot by its chip: single steps, until one is blocked (G-4.1), or it is lifted (RR-6.1)."""
    while advance(turn, robot, heading, "chip"):
        steps -= 1
        if not steps or robot.cell == OFF or turn.state.over:
            return
        if robot.cell in turn.ship.thrusters:
            fly(turn, robot, heading, steps + 1)
            return


def fly(turn: Resolution, robot: Robot, heading: int, steps: int) -> None:
    """Carry a lifted robot over everything but real robots, which it pushes, and land it (RR-6.2, RR-6.3).

    Cells of damaged hull are crossed only once a cell is reached on which it could land, for it
    lands in the last of those. Beyond the board all is space: there the flight ends.
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
