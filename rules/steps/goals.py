"""Checkpoints and archives, the power crystal with its force projectors (RC), and how a game ends (G-10)."""

from collections.abc import Iterable

from rules.elements import SQUADS
from rules.physics import jolt, line_up, shift
from rules.resolution import Resolution, step
from rules.setup import Step
from rules.state import Robot
from rules.steps.lasers import Hits, Welds, can_fire, deal, engage, fire, fire_from_board, shots_of


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


@step("first finisher", "G-10.1 RR-8.2")
def first_finisher_wins(turn: Resolution) -> None:
    """The first robot to inspect the last checkpoint wins; the game ends with that phase."""
    for robot in turn.robots:
        if robot.place == 1:
            turn.end_game(robot.index, "finished")


@step("last standing", "G-10.3 G-10.4")
def last_standing_wins(turn: Resolution) -> None:
    """If all but one of the players' robots are out of the game, the last one wins.

    If all that were left go out in the same phase, the one with most checkpoints wins, then the lower rank
    number. Alone, a robot that is out has lost.
    """
    if departed := departures(turn):
        end_with(turn, (turn.robots[index] for index in departed))


@step("last standing", "G-10.3 G-10.4")
def last_standing_wins_by_seat(turn: Resolution) -> None:
    """If all but one of the players' robots are out of the game, the last one wins.

    If all that were left go out in the same phase, the one with most checkpoints wins, then the lower seat.
    Alone, a robot that is out has lost.
    """
    if departed := departures(turn):
        end_with(turn, (turn.robots[index] for index in departed))


@step("all out", "G-10.3 G-10.4 AM-6.4 WS-5")
def most_checkpoints_win_when_all_are_out(turn: Resolution) -> None:
    """The last robot left plays on. Once all are out of the game, the one with most checkpoints wins.

    Of equals it is the one that went out last, then that of the lower seat. Alone, a robot that is out has
    lost.
    """
    if departures(turn) and not turn.still_in_play():
        players = list(turn.state.players)
        if len(players) == 1:
            turn.end_game(None, "lost")
        else:
            best = min(players, key=lambda robot: (-robot.next, -robot.fell, robot.index))
            turn.end_game(best.index, "all out")


@step("last standing", "G-10.3 G-10.4 AM-6.4")
def last_standing_or_most_checkpoints_wins(turn: Resolution) -> None:
    """If all but one of the robots are out of the game, the last one wins (in version 1).

    If all are, most checkpoints win. Robots that were out before count as well. Alone, a robot that is out
    has lost.
    """
    if departures(turn):
        end_with(turn, turn.state.players)


@step("all but one finished", "FA-4 G-10.3 G-10.4")
def playing_on_ends(turn: Resolution) -> None:
    """The game is over when one robot is left that has neither finished nor is out, or none.

    The first finisher is the winner, and the one left over has no place. Where none has finished, it
    is the last one standing that wins.
    """
    departed = departures(turn)
    first = next((robot for robot in turn.state.players if robot.place == 1), None)
    if departed and first is None:
        end_with(turn, (turn.robots[index] for index in departed))
    elif departed and first and len(turn.still_in_play()) <= 1:
        turn.end_game(first.index, "finished")


def departures(turn: Resolution) -> set[int]:
    """Return the robots that have left the game since it was last asked; none where that decides nothing."""
    departed, turn.departed = turn.departed, set()
    return set() if turn.alone else departed


def end_with(turn: Resolution, candidates: Iterable[Robot]) -> None:
    """End the game if one robot is left, or none: then the best of the candidates wins."""
    left = turn.still_in_play()
    if sum(1 for _ in turn.state.players) == 1:
        turn.end_game(None, "lost")
    elif len(left) == 1:
        (winner,) = left
        turn.finish(turn.robots[winner])
        turn.end_game(winner, "last standing")
    elif not left:
        turn.end_game(min(candidates, key=_merit).index, "all out")


def _merit(robot: Robot) -> tuple[int, int, int]:
    return -robot.next, robot.rank, robot.index


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
