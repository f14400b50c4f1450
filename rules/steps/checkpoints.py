"""Checkpoints are inspected, and the game is won or lost."""

from rules import events as ev
from rules.resolution import Resolution
from rules.ruleset import step
from rules.state import Robot


@step("inspection", "RR-8", lambda ship: ship.checkpoints)
def inspect(turn: Resolution) -> None:
    """A robot on its next checkpoint, all hull damage there repaired, inspects it.

    The one that inspects the last takes a place; several in the same step do so by rank (G-10.2).
    """
    last = max(turn.ship.checkpoints)
    for robot in turn.on_board:
        number = turn.ship.checkpoint_at.get(robot.cell)
        if number != robot.next or robot.scanner or turn.damaged(robot.cell):
            continue
        turn.emit(ev.Inspect(turn.phase, turn.step, robot.index, number))
        if number == last:
            turn.finish(robot)


@step("first finisher", "G-10.1 RR-8.2")
def first_finisher_wins(turn: Resolution) -> None:
    """The first robot to inspect the last checkpoint wins; the game ends with that phase."""
    for robot in turn.robots:
        if robot.place == 1:
            turn.end_game(robot.index, "finished")


@step("last standing", "G-10.3 G-10.4")
def last_standing_wins(turn: Resolution) -> None:
    """If all but one of the players' robots are out of the game, the last one wins.

    If all that were left go out in the same phase, the one with most checkpoints wins, then the
    one of better rank. Alone, a robot that is out has lost.
    """
    players = list(turn.state.players)
    before = turn.remaining
    turn.remaining = {robot.index for robot in players if not robot.out}
    if turn.alone or turn.remaining == before:
        return
    if len(players) == 1:
        turn.end_game(None, "lost")
    elif len(turn.remaining) == 1:
        (winner,) = turn.remaining
        turn.finish(turn.robots[winner])
        turn.end_game(winner, "last standing")
    elif not turn.remaining:

        def merit(robot: Robot) -> tuple[int, int, int]:
            return -robot.next, robot.rank, robot.index

        turn.end_game(min((turn.robots[index] for index in before), key=merit).index, "all out")
