"""The power crystal, and the force projectors that move it (RC)."""

from rules.elements import SQUADS
from rules.physics import jolt, line_up, shift
from rules.resolution import Resolution, step
from rules.setup import Step
from rules.state import Robot
from rules.steps.equipment import engage
from rules.steps.lasers import Hits, Welds, can_fire, deal, fire, fire_from_board, shots_of
from rules.steps.verdicts import departures


@step("crystal", "RC-2 RC-4")
def crystal_arrives(turn: Resolution) -> None:
    """A crystal that is not on the board arrives on a crystal grappler, drawn at random.

    Robots that stand there are destroyed, and so is the crystal; it then arrives again a turn later.
    """
    crystal = turn.robots[-1]
    if not crystal.crystal or crystal.on_board or not turn.ship.grapplers:
        return
    cell = turn.chance.stream("grappler").choice(turn.ship.grapplers)
    hit = [robot for robot in turn.on_board if robot.cell == cell]
    turn.enter(crystal, cell)
    for robot in hit:
        turn.destroy(robot, "implosion")
    if hit:
        turn.destroy(crystal, "implosion")


def force_projectors(*, presses: bool = True) -> Step:
    """Return the step in which robots' lasers move the crystal.

    Where it ``presses``, what the crystal cannot move is blocked and shocked as by any other push.
    """

    @step("lasers", "G-6 RR-3.3 RR-7 RR-10.1 RR-10.2 RR-10.3 RR-10.4 RR-11.2 RC-3.1")
    def project_force(turn: Resolution) -> None:
        """The board's lasers fire, then the robots' by rank: a shot that meets the crystal moves it one cell.

        Each is fired from where robots and crystal then stand. What the crystal presses against a coupling is
        shocked, and what it pushes into a shaft falls, at once; damage of shots is dealt when all have acted.
        """
        engage(turn, "twin-lasers", "repulsors")
        hits: Hits = []
        welds: Welds = []
        fire_from_board(turn, hits)
        for robot in turn.sequence:
            if not can_fire(robot):
                continue
            for heading, strength, welding in shots_of(turn, robot):
                crystal = _crystal_in_sight(turn, robot, heading)
                if crystal is None:
                    fire(turn, robot, heading, strength, hits, welds if welding else None)
                    continue
                turn.shot(robot, crystal.cell, crystal.index)
                chain, obstacle = line_up(turn, crystal, heading)
                if not obstacle:
                    shift(turn, chain, heading, robot, "push")
                elif presses:
                    jolt(turn, chain, heading, obstacle)
        deal(turn, hits, welds)

    return project_force


def _crystal_in_sight(turn: Resolution, robot: Robot, heading: int) -> Robot | None:
    """Return the crystal, if it is what a shot in that heading meets."""
    for cell in turn.sight(robot.cell, heading):
        if found := turn.occupied[cell]:
            return found if found.crystal else None
        if cell in turn.damaged:
            return None
    return None


@step("crystal home", "RC-5")
def crystal_home_wins(turn: Resolution) -> None:
    """A squad wins when the crystal stands on its airlock."""
    for squad in SQUADS:
        if turn.state.crystal in turn.ship.squad_airlocks.get(squad, ()):
            turn.end_game(squad, "crystal")
            return


@step("last squad", "RC-5 G-10.3 G-10.4")
def last_squad_wins(turn: Resolution) -> None:
    """A squad wins when the other is out; if both go out in one phase, that of the robot of best rank.

    Alone, a robot that is out has lost.
    """
    departed = departures(turn)
    if not departed:
        return
    squads = {turn.robots[index].squad for index in turn.still_in_play()}
    if sum(1 for _ in turn.state.players) == 1:
        turn.end_game(None, "lost")
    elif not squads:
        best = min((turn.robots[index] for index in departed), key=lambda robot: robot.rank)
        turn.end_game(best.squad, "all out")
    elif len(squads) == 1 and len({robot.squad for robot in turn.state.players}) > 1:
        turn.end_game(squads.pop(), "last standing")
