"""How a game ends: looked at after each phase, and after the end of the turn (G-10)."""

from collections.abc import Iterable

from rules.resolution import Resolution, step
from rules.state import Robot


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
