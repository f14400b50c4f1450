"""What a computer player cannot do."""

from rules.errors import RulesError


class ComputerError(RulesError):
    """There is no answer to give: the robot takes no orders, or the strength is unknown."""
