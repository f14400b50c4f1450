"""Steps for checkpoints and archives, the power crystal (RC), and the end of a game (G-10)."""

from collections.abc import Iterable

from rules.elements import SQUADS
from rules.physics import jolt, line_up, shift
from rules.resolution import Resolution, step
from rules.setup import Step
from rules.state import Robot
from rules.steps.lasers import Hits, Welds, can_fire, deal, engage, fire, fire_from_board, shots_of


def _last(turn: Resolution) -> int:
    """Return the number of the last checkpoint in this game (GR-1.1)."""
    return int(turn.setup.options.get("checkpoints", 0)) or max(turn.ship.checkpoints)


@step("inspection", "RR-8", cells=lambda ship: ship.checkpoint_at)
def inspect(turn: Resolution) -> None:
    """A robot on its next checkpoint inspects it, if the hull there is undamaged.

    A robot that inspects the last checkpoint takes a place. If several do so in
    the same step, they take places in order of rank (G-10.2).
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
    """A robot on its next checkpoint reaches it, and sets its archive or wins."""
    for robot in turn.on_board:
        if turn.ship.checkpoint_at.get(robot.cell) == robot.next:
            turn.inspect(robot, robot.next)
            if robot.next > _last(turn):
                turn.finish(robot)
            else:
                turn.archive(robot, robot.cell)


@step("flags and repair fields", "FA-2 FA-4", cells=lambda ship: {*ship.checkpoint_at, *ship.depots})
def touch_flags_and_fields(turn: Resolution) -> None:
    """Robots on flags and repair fields set their archives there.

    A robot's next flag counts. When the robot touches the last flag, it takes a place and leaves the board.
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
    """A robot that enters a checkpoint or a repair field leaves its archive there.

    It passes checkpoints only in order. The game ends the moment the last one is passed. A robot that is off
    passes no checkpoint and leaves no archive.
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
    """A robot that enters a checkpoint sets its archive there.

    Checkpoints count only in order. The first robot for which the last one counts wins immediately.
    """
    robot = turn.entered
    number = turn.ship.checkpoint_at.get(robot.cell)
    if number is not None and robot.archive != robot.cell:
        turn.archive(robot, robot.cell)
    if number == robot.next and robot.next <= _last(turn):
        _count(turn, robot)


@step("checkpoints counted", "GR-2.5 GR-3.4", lambda ship: ship.checkpoints)
def count_checkpoint_and_archive_in_order(turn: Resolution) -> None:
    """A robot's next checkpoint counts, and becomes its archive (in version 1).

    The first robot to reach the last checkpoint wins immediately.
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
    """The first robot to inspect the last checkpoint wins. The game ends in this phase."""
    for robot in turn.robots:
        if robot.place == 1:
            turn.end_game(robot.index, "finished")


@step("last standing", "G-10.3 G-10.4")
def last_standing_wins(turn: Resolution) -> None:
    """The last robot left in the game wins.

    If the last robots go out in the same phase, the one with the most checkpoints wins. Ties go to the lower
    rank number. In a game with one robot, going out is a loss.
    """
    if departed := departures(turn):
        end_with(turn, (turn.robots[index] for index in departed))


@step("last standing", "G-10.3 G-10.4")
def last_standing_wins_by_seat(turn: Resolution) -> None:
    """The last robot left in the game wins.

    If the last robots go out in the same phase, the one with the most checkpoints wins. Ties go to the lower
    seat. In a game with one robot, going out is a loss.
    """
    if departed := departures(turn):
        end_with(turn, (turn.robots[index] for index in departed))


@step("all out", "G-10.3 G-10.4 AM-6.4 WS-5")
def most_checkpoints_win_when_all_are_out(turn: Resolution) -> None:
    """The last robot left plays on.

    When all robots are out, the one with the most checkpoints wins. Ties go to the last robot to go out, then
    to the lower seat. In a game with one robot, going out is a loss.
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
    """The last robot left in the game wins (in version 1).

    If all are out, the one with the most checkpoints wins. Robots that went out earlier count as well. In a
    game with one robot, going out is a loss.
    """
    if departures(turn):
        end_with(turn, turn.state.players)


@step("all but one finished", "FA-4 G-10.3 G-10.4")
def playing_on_ends(turn: Resolution) -> None:
    """The game ends when at most one robot has neither finished nor gone out.

    The first finisher wins, and the robot left over takes no place. If no robot finished, the last one wins.
    """
    departed = departures(turn)
    first = next((robot for robot in turn.state.players if robot.place == 1), None)
    if departed and first is None:
        end_with(turn, (turn.robots[index] for index in departed))
    elif departed and first and len(turn.still_in_play()) <= 1:
        turn.end_game(first.index, "finished")


def departures(turn: Resolution) -> set[int]:
    """Return the indexes of robots that went out or took a place since this function was last called.

    A turn played for one robot only (``alone``) has none, because the missing robots are not out of the game.
    """
    departed, turn.departed = turn.departed, set()
    return set() if turn.alone else departed


def end_with(turn: Resolution, candidates: Iterable[Robot]) -> None:
    """End the game if at most one robot is left. If no robot is left, the best of the candidates wins.

    The best candidate has the most checkpoints, then the lowest rank number, then the lowest seat. The caller
    must have checked that a robot went out of the game. A game with one robot is then lost.
    """
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
    """A missing crystal arrives on a random crystal grappler.

    If robots are there, they and the crystal are destroyed. The crystal then arrives again a turn later.
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
    """Return the laser step for games with a crystal. Robots' shots move the crystal in this step.

    With ``presses``, a blocked crystal shocks a robot that it presses against a power coupling (RR-3.3).
    """

    @step("lasers", "G-6 RR-3.3 RR-7 RR-10.1 RR-10.2 RR-10.3 RR-10.4 RR-11.2 RC-3.1")
    def project_force(turn: Resolution) -> None:
        """The board's lasers fire first, then the robots' lasers in order of rank.

        A shot that hits the crystal moves it one cell. Each shot starts from the current positions. A robot
        that the crystal presses against a coupling is shocked immediately. A robot that it pushes into a
        shaft falls immediately. Damage from shots is dealt after all shots.
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
    """Return the crystal if a shot in this heading would hit it, or None."""
    for cell in turn.sight(robot.cell, heading):
        if found := turn.occupied[cell]:
            return found if found.crystal else None
        if cell in turn.damaged:
            return None
    return None


@step("crystal home", "RC-5")
def crystal_home_wins(turn: Resolution) -> None:
    """A squad wins when the crystal is on one of its airlocks."""
    for squad in SQUADS:
        if turn.state.crystal in turn.ship.squad_airlocks.get(squad, ()):
            turn.end_game(squad, "crystal")
            return


@step("last squad", "RC-5 G-10.3 G-10.4")
def last_squad_wins(turn: Resolution) -> None:
    """A squad wins when the other squad is out.

    If both go out in one phase, the squad with the best-ranked robot wins. In a game with one robot, going
    out is a loss.
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
