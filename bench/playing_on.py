"""Measure how soon a game that begins at a turn of another one is ready.

    python -m bench.playing_on              50 new games
    python -m bench.playing_on --games 200  more of them

On a temporary site, four people play some turns. Then one of them plays on from each of these turns against
three Pilots. The time is from the request that starts the new game to the page on which its player lays the
first chips. It does not include the way through the network.
"""

import argparse
import re
import statistics
import time

from bench.orders import PEOPLE, begin_game, call, first_chips, log_in
from bench.scratch import scratch_site

TURNS = 6
GAMES = 50
GOAL = 300
"""The wanted limit of the 95th percentile, in milliseconds."""


def main() -> None:
    """Print the median and the 95th percentile of the times."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=GAMES, help="the number of new games")
    asked = parser.parse_args()
    with scratch_site("playing-on"):
        times = sorted(measure(asked.games))
    middle, slow = statistics.median(times), times[int(len(times) * 0.95)]
    print(f"{len(times)} games: median {middle:.0f} ms, 95th percentile {slow:.0f} ms (goal: {GOAL} ms)")


def measure(games: int) -> list[float]:
    """Return the milliseconds until each new game is ready."""
    from django.conf import settings
    from django.urls import reverse
    from django.utils import timezone

    from accounts import limits
    from games import tasks
    from games.models import Game, Starship, Turn
    from games.play.lifecycle import concede

    settings.ALLOWED_HOSTS, settings.COMPUTER_GAMES = ["testserver"], games + 1
    clients = log_in()
    ship = Starship.objects.filter(section="fleet").order_by("pk").first()
    assert ship
    source = begin_game(clients, ship.pk)
    for number in range(TURNS + 1):
        for index, client in enumerate(clients):
            seen = call(client, f"games/{source}")
            if (robot := seen["robots"][index])["ready"]:
                continue  # a robot that is out takes no orders
            call(client, f"games/{source}/turns/{number}/orders", first_chips(seen, robot))
        tasks.resolve_turn(Turn.objects.get(game=source, number=number).pk)
    concede(game=Game.objects.get(pk=source), winner=PEOPLE[0], now=timezone.now())
    times = []
    for number in range(min(games, limits.PLAYED_ON.most)):
        address = reverse("games:play_on", args=[source, 1 + number % TURNS])
        form = clients[0].get(address).content.decode()
        (seat, *_others) = re.findall(r'name="seat" value="(\d)"', form)
        asked = {"seat": seat, "opponents": "computers", "strength": "pilot"}
        began = time.perf_counter()
        answer = clients[0].post(address, asked, follow=True)
        times.append((time.perf_counter() - began) * 1000)
        assert answer.status_code == 200, answer.status_code
        assert answer.redirect_chain, "the game did not begin"
    return times


if __name__ == "__main__":
    main()
