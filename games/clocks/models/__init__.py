"""The tables of this room."""

from games.clocks.models.outages import Outage
from games.clocks.models.rests import Rest
from games.clocks.models.vacations import Vacation, VacationDay

__all__ = [
    "Outage",
    "Rest",
    "Vacation",
    "VacationDay",
]
