"""What may be asked about turns that someone misses, and about when their clocks stand still."""

import re
from datetime import date, time
from typing import Any

from drf_spectacular.utils import extend_schema_field

from accounts.models import Standing
from games.api.fields import Flag, Items, Strict, Text, WholeNumber
from games.clocks.clock import HOUR, LONGEST_NIGHT, MOST_DAYS_OFF

THERE_ARE = ", ".join(f"{standing.value} ({standing.label.lower()})" for standing in Standing)


class StandingSerializer(Strict):
    """What is played for me where I miss a turn, in all games that have standing orders."""

    standing = Text(help_text=f"One of: {THERE_ARE}.")


class GameStandingSerializer(Strict):
    """What is played for me where I miss a turn of one game."""

    standing = Text(allow_blank=True, help_text="As in `PUT me/standing`; empty: as in all games.")


@extend_schema_field({"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"})
class TimeOfDay(Text):
    """A time of day, to the minute."""

    default_error_messages = {"time": "A time of day is expected, such as “22:00”."}

    def to_internal_value(self, data: Any) -> time:  # type: ignore[override] # it is read further
        """Return the time."""
        text = super().to_internal_value(data)
        if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", text):
            self.fail("time")
        return time.fromisoformat(text)


@extend_schema_field({"type": "string", "format": "date"})
class Day(Text):
    """A day of the calendar."""

    default_error_messages = {"day": "A day is expected, such as “2027-07-01”."}

    def to_internal_value(self, data: Any) -> date:  # type: ignore[override] # it is read further
        """Return the day."""
        text = super().to_internal_value(data)
        try:
            if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
                raise ValueError
            return date.fromisoformat(text)
        except ValueError:
            self.fail("day")


class TimeSerializer(Strict):
    """When my clocks stand still, by the time of where I live; what is not named stays as it is."""

    days_off = Items(
        child=WholeNumber(min_value=0, max_value=6),
        required=False,
        help_text=f"Up to {MOST_DAYS_OFF} days of the week, from 0 for Monday to 6.",
    )
    night = Items(
        child=TimeOfDay(),
        required=False,
        allow_null=True,
        min_length=2,
        max_length=2,
        error_messages=dict.fromkeys(("min_length", "max_length"), "A night has a beginning and an end."),
        help_text="From when to when I sleep, null for never;"
        f' up to {LONGEST_NIGHT // HOUR} hours: `["22:00", "07:00"]`.',
    )
    takes_vacation = Flag(
        required=False,
        help_text="Take a day of vacation when my time would be up, though I have planned none.",
    )


class VacationSerializer(Strict):
    """From when to when I am away, both days included, by the calendar of where I live."""

    first = Day()
    last = Day()
