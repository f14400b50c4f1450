"""The tables of this room."""

from games.clocks.models.outages import Boot, Heartbeat, Outage
from games.clocks.models.rests import Rest
from games.clocks.models.vacations import Vacation, VacationDay
