"""The tables of this room."""

from games.staff.models.alarms import Alarm
from games.staff.models.interventions import Intervention

__all__ = [
    "Alarm",
    "Intervention",
]
