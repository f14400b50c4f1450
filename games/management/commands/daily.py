"""``manage.py daily``: make the daily runs of a year."""

from datetime import date, timedelta
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from games.daily.selectors import today_of
from games.daily.services import make_run
from games.management import OneLineCommand
from rules.daily.days import NoDay

MOST_DAYS = 366


class Command(OneLineCommand):
    """Make the daily runs of the coming days that have none yet, from the site's secret seed."""

    help = "Make the daily runs of a year ahead. Days that have one already do not change."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days",
            type=int,
            default=MOST_DAYS,
            help=f"the number of days from today, {MOST_DAYS} if not given",
        )
        parser.add_argument("--year", type=int, help="a whole calendar year instead")

    def handle(self, *args: Any, **options: Any) -> None:
        first, days = today_of(timezone.now()), options["days"]
        if options["year"] is not None:
            if not 2026 <= options["year"] <= 9998:
                raise CommandError("--year must be from 2026 to 9998")
            first = date(options["year"], 1, 1)
            days = (date(options["year"] + 1, 1, 1) - first).days
        if not 1 <= days <= MOST_DAYS:
            raise CommandError(f"--days must be from 1 to {MOST_DAYS}")
        try:
            made = sum(make_run(day=first + timedelta(number)) for number in range(days))
        except NoDay as error:
            raise CommandError(str(error)) from None
        if options["verbosity"]:
            self.stdout.write(f"Daily runs made: {made} of {days} days, from {first:%Y-%m-%d}.")
