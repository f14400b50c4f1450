"""``manage.py recount``: recalculate statistics and ratings from the logs of games and from reviews."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from accounts.models import User
from games.competitions.services.scoring import rescore_tables
from games.dock.reviews import rate_all
from games.fleet.figures import recount_figures
from games.management import OneLineCommand
from games.people.services.records import recount, recount_person
from games.standings.services import recount_months, recount_ratings


class Command(OneLineCommand):
    """Recalculate all statistics, achievements and ratings, or only the achievements of named players.

    Games may continue meanwhile.
    """

    help = "Recalculate all statistics, achievements and ratings from game logs and reviews."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "name", nargs="*", help="a Robo Name, to recalculate only the achievements of this player"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        summary = _recount_people(options["name"]) if options["name"] else _recount_all()
        if options["verbosity"]:
            self.stdout.write(summary)


def _recount_all() -> str:
    done, figures = recount(), recount_figures()
    ratings, rated = rate_all(), recount_ratings()
    months, tables = recount_months(), rescore_tables()
    return (
        f"Recounted: turns {done.turns}, games {done.games}, people {done.people}. "
        f"Corrected: tallies {done.tallies}, achievements {done.achievements}, "
        f"reliabilities {done.reliabilities}, ratings {ratings}. "
        f"Games in the figures of starships: {figures}. "
        f"Rated games: {rated.results}, rows corrected: {rated.corrected}; "
        f"months: {months}, tables: {tables}."
    )


def _recount_people(names: list[str]) -> str:
    people = {name: User.objects.filter(robo_name__iexact=name).first() for name in names}
    if strangers := [name for name, person in people.items() if person is None]:
        raise CommandError(f"There is no player called {strangers[0]}.")
    corrected = sum(recount_person(person=person.pk) for person in people.values() if person)
    return f"Recounted: people {len(people)}. Corrected: rows {corrected}."
