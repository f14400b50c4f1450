"""Measure the time for a changed turn with several people using *What if?* at the same time.

A game of four people is played for a few turns. Then each person changes their branch of the last turn by
`PUT games/{id}/branches/{token}`, waits for ``PAUSE`` seconds on average, and changes it again. All requests
are answered in one process by threads, like those of the web server. Each change is a program that was not
played before, so nothing comes from a cache. The answer has the events and the board after the turn.

    python -m bench.branches [--people 10] [--changes 40]
"""

import argparse
import json
import random
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import quantiles
from typing import Any, Final

from bench.orders import begin_game, call, first_chips, log_in
from bench.scratch import scratch_site

TURNS: Final = 4
"""The number of turns that are played first, without turn 0."""
PAUSE: Final = 1.0
"""The average pause of a person between two changes, in seconds."""


def play(clients: list[Any], game: int) -> None:
    """Play a turn with the first chips of each hand."""
    from django.utils import timezone

    from games.play.models import Turn
    from games.play.resolution import resolve_turn

    turn = Turn.objects.get(game=game, status="open")
    for client in clients:
        seen = call(client, f"games/{game}")
        me = seen["robots"][seen["me"]["seat"] - 1]
        if not me["ready"]:  # else the robot is off or out of the game
            call(client, f"games/{game}/turns/{turn.number}/orders", first_chips(seen, me))
    resolve_turn(turn_id=turn.pk, now=timezone.now())


def finished_game() -> int:
    """Return a game of four people that staff cancelled, so its hands are public."""
    from django.conf import settings
    from django.utils import timezone

    from accounts.models import User
    from games.fleet.models import Starship
    from games.staff.services import cancel_as_staff

    settings.ALLOWED_HOSTS = ["*"]
    clients = log_in()
    game = begin_game(clients, Starship.objects.get(name="Hull Walker").pk)
    for _ in range(TURNS + 1):
        play(clients, game)
    staff = User.objects.create_user("Staff", "staff@example.org", is_staff=True, is_superuser=True)
    cancel_as_staff(user=staff, game_id=game, reason="For the benchmark.", now=timezone.now())
    return game


def change(game: int, number: int, changes: int) -> list[float]:
    """Change a branch again and again as a new person. Return the times in seconds."""
    from django.db import connections
    from django.test import Client

    from accounts.models import User
    from games.play.models import Turn
    from games.play.stored import turn_record

    chance = random.Random(number)
    user = User.objects.create_user(f"Reader {number}", f"reader{number}@example.org")
    user.confirm_email()
    client = Client()
    client.force_login(user)
    record = turn_record(Turn.objects.get(game=game, number=TURNS))
    path = f"/api/v1/games/{game}/branches"
    token = call(client, f"games/{game}/branches", {"turn": TURNS})["token"]
    times = []
    for _ in range(changes):
        time.sleep(chance.uniform(0, 2 * PAUSE))
        hand = chance.choice([hand for hand in record.hands if hand.program and hand.chips["chips"]])
        assert hand.program is not None
        chips = chance.sample(hand.chips["chips"], len(hand.chips["chips"]))
        registers = [chip and chips.pop() for chip in hand.program.orders["registers"]]
        orders = hand.program.orders | {"registers": registers}
        body = json.dumps({"orders": {str(hand.robot): orders}})
        began = time.perf_counter()
        answer = client.put(f"{path}/{token}", body, content_type="application/json")
        times.append(time.perf_counter() - began)
        assert answer.status_code == 200, answer.content
    connections.close_all()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--people", type=int, default=10)
    parser.add_argument("--changes", type=int, default=40, help="changes of each person")
    asked = parser.parse_args()
    with scratch_site("branches"):
        game = finished_game()
        with ThreadPoolExecutor(asked.people) as pool:
            each = pool.map(lambda number: change(game, number, asked.changes), range(asked.people))
            times = sorted(1000 * seconds for times in each for seconds in times)
    cuts = quantiles(times, n=100)
    print(f"{asked.people} people, {len(times)} changed turns: median {cuts[49]:.0f} ms,", end=" ")
    print(f"95th percentile {cuts[94]:.0f} ms, slowest {times[-1]:.0f} ms")


if __name__ == "__main__":
    main()
