"""Measure the costs of pages with lists of players, on small and large sites.

The costs should not grow with the site. The real pages are requested by the player whose ID is in the middle
of all players' IDs.
"""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.models import User
from bench.load import flat, listings
from bench.load.town import VILLAGE, Town
from games.clubs.models import Club
from games.standings.awards import AWARDS
from games.standings.services import close_months

TIMES: Final = 5
EXTRA_BLOCKS: Final = 3000
"""A visit may read `TIMES` times as many blocks as on the smallest site, and this number more.

In a large table, Postgres looks up each row through four blocks, but it reads a small table as a whole. A
page with all 300 players of a tournament makes several hundred lookups.
"""


def visits(player: User) -> dict[str, list[str]]:
    """Return the visits to measure, by description. Each visit has one or more addresses."""
    name, number = player.robo_name, player.pk
    person = {"robo_name": name}
    club = (number - 1) // listings.PEOPLE + 1
    season = 2 + ((number - 1) // 16 + 1) // listings.MOST_DIVISIONS
    words = Club.objects.get(pk=club).name.split()
    ratings, clubs = reverse("people:best"), reverse("clubs:list")
    return {
        "players whose name begins with three letters": [f"{reverse('people:players')}?name={name[:3]}"],
        "players whose name begins with one letter": [f"{reverse('people:players')}?name={name[:1]}"],
        "a player's page": [reverse("people:person", kwargs=person)],
        "a player's ratings": [reverse("people:ratings", kwargs=person)],
        "a player's awards": [reverse("people:months", kwargs=person)],
        "top 50 of a ruleset": [f"{ratings}?rules={listings.RULESET}"],
        "top 50 of all rulesets": [ratings],
        "front runners of the month": [reverse("people:awards")],
        "top 50 of the 15 awards": [reverse("people:award", args=[key]) for key in AWARDS],
        "tournaments": [reverse("tournaments:list")],
        "tournaments, for programs": ["/api/v1/tournaments"],
        "a tournament of 300": [reverse("tournaments:tournament", args=[listings.LARGE + 1])],
        "its last round": [reverse("tournaments:round", args=[listings.LARGE + 1, listings.ROUNDS])],
        "a marathon of 300": [reverse("tournaments:tournament", args=[listings.MARATHON])],
        "ladders": [reverse("ladders:list")],
        "a ladder": [reverse("ladders:ladder", args=[listings.RULESET])],
        "seasons": [reverse("seasons:list")],
        "a season to join": [reverse("seasons:season", args=[1])],
        "a season under way": [reverse("seasons:season", args=[season])],
        "clubs": [clubs],
        "clubs with words of one in their name": [f"{clubs}?name={words[0][:3]}+{words[-1]}"],
        "clubs with a common word in their name": [f"{clubs}?name=comet"],
        "clubs with two letters that no name has": [f"{clubs}?name=zz"],
        "a club": [reverse("clubs:club", args=[f"club-{club}"])],
        "My people": [reverse("people:contacts")],
        "My Room": [reverse("games:mine")],
    }


def measure(town: Town, players: int) -> Mapping[str, Any]:
    """Grow a site to this number of players. Return the costs of each visit."""
    begun = time.monotonic()
    town.settle(players)
    seconds = time.monotonic() - begun
    return {
        "players": User.objects.count(),
        "size in MB": flat.size(),
        "seconds to fill": round(seconds, 1),
        "visits": {name: flat.costs(visit) for name, visit in _each(town.now)},
    }


def breaches(small: Mapping[str, Any], large: Mapping[str, Any]) -> list[str]:
    """Return the problems of the larger site: sequential scans of large tables, and costs that have grown."""
    found = []
    for name, cost in large["visits"].items():
        least = small["visits"][name]["blocks"]
        if cost["read from end to end"]:
            found.append(f"{name}: reads {', '.join(cost['read from end to end'])} from end to end")
        if cost["blocks"] > TIMES * least + EXTRA_BLOCKS:
            found.append(f"{name}: {cost['blocks']} blocks, of {least} on a small site")
    return found


def run(sizes: list[int], now: datetime, *, show: bool = False) -> dict[str, Any]:
    """Measure sites of these sizes, and return the report. Each site grows from the previous one."""
    town = Town(VILLAGE, now)
    sites = []
    for size in sorted(sizes):
        sites.append(measure(town, size))
        print(f"{time.strftime('%H:%M:%S')} measured with {size} players", file=sys.stderr, flush=True)
    if show:
        for name, visit in _each(now):
            print(f"=== {name}\n{flat.plans_of(visit).text()}\n", file=sys.stderr)
    return {"sites": sites, "breaches": breaches(sites[0], sites[-1])}


def _each(now: datetime) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the work to measure, each piece as a name and a function.

    These are the visits of the player with the middle ID, and then `close_months`, which makes the awards of
    past months.
    """
    players = User.objects.order_by("pk")
    player = players[players.count() // 2]
    client = Client(HTTP_HOST=urlsplit(settings.BASE_URL).netloc)
    client.force_login(player)
    for name, addresses in visits(player).items():
        yield name, partial(_visit, client, addresses)
    yield "months to close", partial(close_months, now=now)


def _visit(client: Client, addresses: list[str]) -> None:
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)
