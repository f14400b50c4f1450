"""Measure the library's pages with many ships and games: response times and queries.

    nice -n 19 .venv/bin/python -m bench.library                          5,000 ships, 1,000,000 games
    .venv/bin/python -m bench.library --ships 500 --games 10000

It starts its own Postgres and Redis, and fills the database by SQL. It copies the ships of the fleet under
other names, each with two revisions, figures, ratings and reviews. It also creates finished games with two
seats each, and lists of ships. Then it requests each page a few times, as a person with 20 favourites, 20
drafts and two prototypes. It reports the fastest response, the database's share of its time, and the number
of queries.
"""

import argparse
import secrets
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from django.utils import timezone

from bench.scratch import scratch_site

PEOPLE: Final = 1000
REVIEWS: Final = 10
"""The number of reviews of each ship."""

LISTS: Final = 5
"""The number of ship lists of each person. Each list is public and has 20 ships."""

ROUNDS: Final = 5
"""The number of requests for each page."""

DRAFTS: Final = 20

CANOE: Final = {"format": "starship/1", "name": "Canoe", "rows": ["a . .+i1"]}


class Measured(NamedTuple):
    """The response of a page: its total time and database time in milliseconds, and its number of queries."""

    page: str
    took: float
    database: float
    queries: int


def sql(text: str, *values: int) -> None:
    """Run a statement in Postgres."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(text, values or None)


def copies(model: Any, number: int, changes: Mapping[str, str], *, of: str) -> None:
    """Copy rows of a table, with some columns changed.

    For each number ``k`` from 1 to ``number``, copies the rows ``t`` that meet the SQL condition ``of``.
    ``changes`` has SQL expressions for the changed columns. They may use ``k`` and ``t``.
    """
    columns = [field.column for field in model._meta.concrete_fields if not field.generated]
    unknown = set(changes) - set(columns)
    assert not unknown, unknown
    values = ", ".join(f"({changes[name]})" if name in changes else f't."{name}"' for name in columns)
    named, table = ", ".join(f'"{name}"' for name in columns), model._meta.db_table
    copied = f"{table} AS t, generate_series(1, {number}::bigint) AS k"
    sql(f"INSERT INTO {table} ({named}) SELECT {values} FROM {copied} WHERE {of}")


def fill(ships: int, games: int) -> Any:
    """Fill a database that already has the fleet. Return the person who reads the pages."""
    from accounts.models import User
    from games.dock.services import publish_draft
    from games.fleet.models import Favourite, Starship
    from games.fleet.services import update_facts
    from games.lobby.services import create_game
    from games.play.models import Game
    from games.play.terms import Terms
    from games.shipyard.services import create_draft

    now = timezone.now()
    while update_facts(now=now):
        pass
    user = User.objects.create_user("Watcher", "watcher@example.org", secrets.token_hex())
    first = Starship.objects.order_by("pk")[0]
    game = create_game(host=user, terms=Terms(name="Over", starship=first.pk, seats=1), now=now)
    Game.objects.filter(pk=game.pk).update(status="over", started_at=now, ended_at=now, turn=9)
    names = [f"Canoe {number}" for number in range(DRAFTS)]
    drafts = [create_draft(user=user, document={**CANOE, "name": name}, now=now) for name in names]
    known = list(Starship.objects.order_by("pk").values_list("pk", "current"))
    for draft in drafts[:2]:
        publish_draft(user=user, draft_id=draft.pk, now=now)
    sql("SET session_replication_role = replica")  # copies refer to existing rows
    sql("SELECT setseed(0.5)")
    name = "'Person' || k"
    changed = {"id": "1000000 + k", "robo_name": name, "email": f"{name} || '@example.org'"}
    copies(User, PEOPLE, changed, of=f"t.id = {user.pk}")
    _copy_ships(ships, known)
    _write_figures(ships, games)
    _copy_games(game.pk, user.pk, ships, games)
    _copy_lists(user, ships)
    sql("SET session_replication_role = DEFAULT")
    sql("VACUUM (ANALYZE)")
    mine = Starship.objects.filter(pk__gt=1000000, section="fleet").order_by("pk")[:20]
    Favourite.objects.bulk_create(Favourite(user=user, starship=ship, added_at=now) for ship in mine)
    return user


def _copy_ships(ships: int, known: Sequence[tuple[int, int | None]]) -> None:
    """Copy the known ships in rotation, each with two revisions. One ship in 50 is a prototype."""
    from games.fleet.models import Starship, StarshipFacts, StarshipRevision

    numbers, revisions = ("{" + ",".join(map(str, each)) + "}" for each in zip(*known, strict=True))
    place = f"1 + k % {len(known)}"
    of_ship = f"('{numbers}'::int[])[{place}]"
    began = "t.created_at - k * interval '1 hour'"
    changed = {
        "id": "1000000 + k",
        "slug": "'ship-' || k",
        "name": "t.name || ' ' || k",
        "builder": f"'Person' || (1 + k % {PEOPLE})",
        "owner_id": f"1000001 + k % {PEOPLE}",
        "section": "CASE WHEN k % 50 = 0 THEN 'prototypes' ELSE 'fleet' END",
        "current_id": "2000000 + k",
        "created_at": began,
        "launched_at": began,
    }
    copies(Starship, ships, changed, of=f"t.id = {of_ship}")
    for number, begin in ((1, 1000000), (2, 2000000)):
        changed = {"id": f"{begin} + k", "starship_id": "1000000 + k", "number": str(number)}
        of = f"t.id = ('{revisions}'::int[])[{place}]"
        copies(StarshipRevision, ships, {**changed, "prototype": "k % 50 = 0"}, of=of)
    changed = {"starship_id": "1000000 + k", "revision_id": "2000000 + k"}
    copies(StarshipFacts, ships, changed, of=f"t.starship_id = {of_ship}")


def _write_figures(ships: int, games: int) -> None:
    """Create figures, a rating and reviews for each copied ship."""
    sql(
        "INSERT INTO games_starshipfigures"
        " (starship_id, played, prototype_played, people, among_people, median, lengths, starts)"
        " SELECT 1000000 + k, n, 0, n / 3, n / 2, 4 + k % 12,"
        """ '{"9": 5}', '{"1,1": [8, 2], "3,4": [8, 6]}'"""
        f" FROM (SELECT k, 1 + (random() * {2 * games // ships})::int AS n"
        f" FROM generate_series(1, {ships}) AS k) AS s"
    )
    sql(
        "INSERT INTO games_rating (starship_id, reviews, total, stars, shrunk)"
        f" SELECT 1000000 + k, {REVIEWS}, ({REVIEWS} * s)::int, round(s, 2), round(s, 3)"
        f" FROM (SELECT k, (1 + 4 * random())::numeric AS s FROM generate_series(1, {ships}) AS k) AS r"
    )
    sql(
        "INSERT INTO games_review"
        " (starship_id, revision_id, author_id, stars, tags, text, written_at, answer)"
        f" SELECT 1000000 + k, 2000000 + k, 1000001 + (k * 13 + n) % {PEOPLE}, 1 + (k + n) % 5, '{{}}',"
        " 'Short and sweet.', now() - k * interval '1 hour', ''"
        f" FROM generate_series(1, {ships}) AS k, generate_series(1, {REVIEWS}) AS n"
    )


def _copy_games(game: int, user: int, ships: int, games: int) -> None:
    """Copy a finished game, with two people in each copy. Some ships are played far more often.

    One game in 100 is on a prototype of the person who reads the pages.
    """
    from games.fleet.models import StarshipRevision
    from games.play.models import Game, Seat

    prototype = StarshipRevision.objects.filter(starship__owner=user)[0].pk
    often = f"2000001 + ({ships} * power((k * 7919 % 10007) / 10007.0, 3))::int % {ships}"
    moment = "t.created_at - k * interval '1 minute'"
    changed = {
        "id": "1000000 + k",
        "host_id": f"1000001 + k % {PEOPLE}",
        "revision_id": f"CASE WHEN k % 100 = 0 THEN {prototype} ELSE {often} END",
        **dict.fromkeys(("created_at", "started_at", "ended_at", "moved_at"), moment),
        "link_token": "'link-' || k",
        "commitment": "md5(k::text)",
    }
    copies(Game, games, changed, of=f"t.id = {game}")
    for number, person in ((1, "k"), (2, "k * 7 + 1")):
        changed = {
            "id": f"{number} * 100000000 + k",
            "game_id": "1000000 + k",
            "number": str(number),
            "look": str(number),
            "user_id": f"1000001 + ({person}) % {PEOPLE}",
        }
        copies(Seat, games, changed, of=f"t.game_id = {game}")
    # The reader has played as many games as another person.
    sql("UPDATE games_seat SET user_id = %s WHERE user_id = 1000001 AND number = 1", user)


def _copy_lists(user: Any, ships: int) -> None:
    from games.fleet.models import StarshipList

    now = timezone.now()
    listed = StarshipList.objects.create(user=user, name="Ships", created_at=now, changed_at=now)
    for number in range(LISTS):
        changed = {
            "id": f"{(number + 1) * 1000000} + k",
            "user_id": "1000000 + k",
            "name": f"'List {number} of ' || k",
            "seen_by": "'everyone'",
            "size": "20",
            "changed_at": f"t.changed_at - (k * {LISTS} + {number}) * interval '1 minute'",
        }
        copies(StarshipList, PEOPLE, changed, of=f"t.id = {listed.pk}")
    sql(
        "INSERT INTO games_starshiplistentry (list_id, starship_id, place)"
        f" SELECT l.id, 1000001 + (l.id * 31 + place * 97) % {ships}, place"
        " FROM games_starshiplist AS l, generate_series(0, 19) AS place"
        " WHERE l.id >= 1000000 ON CONFLICT (list_id, starship_id) DO NOTHING"
    )


def addresses(ships: int) -> dict[str, str]:
    """Return the address of each page to measure, by a description of the page."""
    from games.fleet.inputs import LibraryFilter
    from games.fleet.models import Starship, StarshipList

    library = {"library": "/starships/"}
    for key, _name in LibraryFilter.base_fields["sort"].choices:  # type: ignore[attr-defined]
        library[f"library, {key}"] = f"/starships/?section=fleet&sort={key}"
    asked = {
        "words": "q=canoe+person7",
        "words that none has": "q=zzz",
        "ruleset": "ruleset=amigo-1999&sort=recommended",
        "players": "players=5",
        "class": "class=frigate&sort=rated",
        "length": "length=long&sort=longest",
        "stars": "stars=4&sort=rated",
        "elements": "elements=beams&elements=shafts",
        "all of them": "q=canoe&ruleset=robo-runner&players=2&length=short&stars=3&sort=flown",
        "last page": "section=fleet&sort=name&page=100000",
    }
    library |= {f"library, {name}": f"/starships/?{query}" for name, query in asked.items()}
    one = StarshipList.objects.filter(pk__gte=1000000).order_by("pk")[0]
    prototype = Starship.objects.filter(owner__robo_name="Watcher")[0]
    return {
        **library,
        "prototypes": "/starships/?section=prototypes",
        "a ship": "/starships/1000001/",
        "another ship": f"/starships/{1000000 + ships // 2}/",
        "reviews of a ship": "/starships/1000001/reviews/",
        "prototype of one’s own": f"/starships/{prototype.pk}/",
        "dock": "/shipyard/",
        "favourites": "/starships/favourites/",
        "ships of the week": "/starships/weeks/",
        "lists": "/starships/lists/",
        "lists, most ships": "/starships/lists/?sort=ships",
        "lists, words": "/starships/lists/?q=person77",
        "lists, last page": "/starships/lists/?page=100000",
        "a list": f"/starships/lists/{one.pk}/",
        "own lists": "/starships/lists/mine/",
        "new game": "/games/new/?ruleset=robo-runner",
        "new game, words": "/games/new/?ruleset=robo-runner&find=canoe",
        "new game, joined boards": "/games/new/?ruleset=amigo-1999",
        "play against computers": "/games/quick/",
        "front page": "/",
        "new draft": "/shipyard/new/",
        "new draft, words": "/shipyard/new/?find=canoe",
        "API, a page": "/api/v1/starships?limit=24&sort=rated",
    }


def measure(user: Any, ships: int) -> list[Measured]:
    """Request each page several times, and return the fastest response of each."""
    from django.conf import settings
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(HTTP_HOST=urlsplit(settings.BASE_URL).netloc)
    client.force_login(user)
    found = []
    for page, address in addresses(ships).items():
        rounds = []
        for _ in range(ROUNDS):
            with CaptureQueriesContext(connection) as queries:
                began = time.perf_counter()
                answer = client.get(address)
                took = time.perf_counter() - began
            assert answer.status_code == 200, (address, answer.status_code)
            database = sum(float(query["time"]) for query in queries.captured_queries)
            asked = sum(query["sql"] not in ("BEGIN", "COMMIT") for query in queries.captured_queries)
            rounds.append(Measured(page, took * 1000, database * 1000, asked))
        found.append(min(rounds, key=lambda each: each.took))
    return found


def main(arguments: list[str] | None = None) -> int:
    """Measure the library's pages, and print a table. Return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.library", description="The pages of a large library."
    )
    parser.add_argument("--ships", type=int, default=5000, help="ships of the library (5,000)")
    parser.add_argument("--games", type=int, default=1_000_000, help="games that are over (1,000,000)")
    given = parser.parse_args(arguments)
    with scratch_site("library"):
        began = time.monotonic()
        user = fill(given.ships, given.games)
        sys.stdout.write(f"Filled in {time.monotonic() - began:.0f} s.\n\n")
        sys.stdout.write("| page | ms | of the database | queries |\n|---|---|---|---|\n")
        for page, took, database, queries in measure(user, given.ships):
            sys.stdout.write(f"| {page} | {took:.0f} | {database:.0f} | {queries} |\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
