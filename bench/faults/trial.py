"""Run the fault test once, from the creation of the games to the report."""

import argparse
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from random import Random
from typing import Any

from django.db import DatabaseError, InterfaceError, connection
from django.db.models import Exists, OuterRef, Q, Sum
from django.utils import timezone

from bench.faults import checks, groups
from bench.faults.machine import Machine, Part
from bench.faults.mail import MailServer
from bench.faults.players import Crowd, Play, finish_round
from games.groups.models import Announcement
from games.news.models import Notice
from games.play.models import Game, Hand, Turn

Report = dict[str, Any]

GAMES_EACH = 5
"""The number of games for each person in the test."""

MAIL_PATIENCE = 900.0
"""The maximum seconds until all mail is sent."""

WEIGHTS = {"worker": 35, "caller": 20, "web": 20, "postgres": 20, "redis": 20, "beat": 5, "pooler": 20}
"""The relative frequency of each part of the site among the kills of the test."""


class Trial:
    """A run of the fault test: creates games, kills parts, plays one more round, and checks the results."""

    def __init__(self, machine: Machine, mail: MailServer, arguments: argparse.Namespace) -> None:
        self._machine = machine
        self._mail = mail
        self._arguments = arguments
        self._chance = Random(arguments.seed)
        self._kills: Counter[str] = Counter()
        self._breaches: list[str] = []

    def run(self) -> Report:
        """Run all steps of the test, and return the report."""
        begin = time.monotonic()
        services = groups.Services()
        if self._arguments.announce:
            return self._count_announcements(services, begin)
        crowd = Crowd(self._machine.port, max(6, self._arguments.games // GAMES_EACH), self._chance)
        crowd.make_games(self._arguments.games)
        for game in Game.objects.select_related("host").order_by("pk")[: self._arguments.groups]:
            services.add_channels(game)
        self._say(f"{self._arguments.games} games are made")
        play = Play(crowd, self._arguments.threads, self._arguments.rest)
        play.start()
        if self._arguments.each:
            self._kill_each()
        else:
            self._kill_parts()
        play.stop()
        recovered = self._recover()
        at_rest = self._wait_for(unplayed, "after the last failure", recovered, checks.RECOVERY_SECONDS)
        self._say(f"all games had gone on {at_rest:.0f} s after everything was there again")
        self._wait_for(unsent, "after the last failure", recovered, MAIL_PATIENCE)
        self._breaches += finish_round(crowd, seconds=MAIL_PATIENCE)
        ordered = time.time()
        last_round = self._wait_for(unplayed, "after one more round", ordered, checks.RECOVERY_SECONDS)
        all_sent = self._wait_for(unsent, "after one more round", ordered, MAIL_PATIENCE)
        self._wait_for(groups.unposted, "after one more round", ordered, MAIL_PATIENCE)
        self._say(f"one more round was played in {last_round:.0f} s, told in {all_sent:.0f} s; checking")
        self._check(crowd)
        report = self._report(crowd, at_rest, last_round, time.monotonic() - begin)
        return report | self._announced(services)

    def _count_announcements(self, services: groups.Services, begin: float) -> Report:
        """Play many turns, kill parts meanwhile, and count the announcements in the channels of groups."""
        stop = threading.Event()
        arguments = (services, self._arguments.announce, Random(self._arguments.seed), stop)
        play = threading.Thread(target=groups.play_turns, args=arguments, daemon=True)
        play.start()
        mean = self._arguments.minutes * 60 / self._arguments.kills
        while play.is_alive() and time.monotonic() - begin < self._arguments.minutes * 60:
            play.join(mean * self._chance.uniform(0.2, 1.8))
            if sum(self._kills.values()) % 10 == 0:
                self._say(f"{sum(self._kills.values())} kills, {self._progress()}")
            if victim := self._victim():
                self._kill(*victim, self._chance.choice([0, 0.5, 2]))
        stop.set()
        play.join(60)
        recovered = self._recover()
        self._wait_for(groups.unposted, "after the last failure", recovered, MAIL_PATIENCE)
        return {
            "seed": self._arguments.seed,
            "seconds": round(time.monotonic() - begin),
            "turns played": Turn.objects.filter(status=Turn.Status.RESOLVED).count(),
            "kills": sum(self._kills.values()),
            "killed": dict(sorted(self._kills.items())),
            **self._announced(services),
            "breaches": self._breaches,
        }

    def _announced(self, services: groups.Services) -> Report:
        """Return the report about announcements. A turn that arrived never or twice is no breach.

        A death in the moment between the mark and the sending loses a message (`games.groups.delivery`).
        """
        statuses = Counter(Announcement.objects.values_list("channel__service", "status"))
        return {
            "played turns that arrived in groups": groups.count_arrivals(services),
            "messages to groups": dict(services.messages),
            "repeated messages that were recognised": dict(services.repeats),
            "announcements": {f"{of} {status}": count for (of, status), count in sorted(statuses.items())},
        }

    def _kill_parts(self) -> None:
        """Kill random parts at random moments, spread over the given number of minutes."""
        mean = self._arguments.minutes * 60 / self._arguments.kills
        said = 0
        while (killed := sum(self._kills.values())) < self._arguments.kills:
            if killed >= said + 10:
                said = killed
                self._say(f"{killed} kills, {self._progress()}")
            time.sleep(mean * self._chance.uniform(0.2, 1.8))
            # A supervisor usually restarts a killed part soon, but sometimes it takes longer.
            pause = self._chance.choice([0, 0.5, 2, 2, 5]) if self._chance.random() < 0.95 else 2 * mean
            for _ in range(2 if self._chance.random() < 0.15 else 1):
                if victim := self._victim():
                    self._kill(*victim, pause)
            if self._chance.random() < 0.05:
                self._machine.worker.stop_gracefully()
            if self._chance.random() < 0.05:
                self._machine.web.stop_gracefully()

    def _kill_each(self) -> None:
        """Kill each of the parts named in the arguments once, in random order."""
        parts = [part for part in self._machine.parts if part.name in self._arguments.each]
        for part in self._chance.sample(parts, len(parts)):
            time.sleep(self._arguments.minutes * 60 / len(parts) * self._chance.uniform(0.2, 1.8))
            self._machine.wait((part,))
            self._kill(part, self._chance.choice(part.ways), self._chance.choice([0, 0.5, 2]))

    def _victim(self) -> tuple[Part, str] | None:
        """Return a random running part and one of the ways to kill it, or None if no part is running."""
        running = [part for part in self._machine.parts if part.started and part.name in WEIGHTS]
        if not running:
            return None
        (part,) = self._chance.choices(running, weights=[WEIGHTS[part.name] for part in running])
        return part, self._chance.choice(part.ways)

    def _kill(self, part: Part, how: str, pause: float) -> None:
        if part.kill(how, pause):
            self._kills[f"{part.name} {how}"] += 1

    def _recover(self) -> float:
        """Wait until all parts are ready.

        Returns the time at which the last outage ended, in seconds since 1970.
        """
        self._machine.wait(self._machine.parts)
        return max((outage.end for outage in self._machine.outages), default=time.time())

    def _wait_for(self, left: Callable[[], Iterator[str]], when: str, since: float, patience: float) -> float:
        """Wait until nothing is left to do, and return the seconds since ``since``.

        ``left`` yields the remaining work. If the wait takes longer than ``patience`` seconds, the remaining
        work is recorded as breaches.
        """
        while True:
            try:
                found = list(left())
            except (DatabaseError, InterfaceError):
                connection.close()
                found = ["the database"]
            waited = time.time() - since
            if not found:
                return max(0.0, waited)
            if waited > patience:
                self._breaches += [f"{when}: {each} still waits after {waited:.0f} s" for each in found[:20]]
                return waited
            time.sleep(0.5)

    def _check(self, crowd: Crowd) -> None:
        outages, taken = self._machine.outages, self._mail.taken
        for game in Game.objects.select_related("revision__starship", "course").order_by("pk"):
            found = [*checks.faults_of_game(game, crowd.ledger), *checks.faults_of_notices(game, taken)]
            self._breaches += [f"game {game.pk}: {fault}" for fault in found]
        self._breaches += checks.faults_of_doubles(taken, outages)
        self._waits = checks.waits(outages)
        self._breaches += checks.faults_of_waits(self._waits)
        known = set(Notice.objects.values_list("pk", flat=True))
        self._breaches += [f"an email of no notice arrived: {each}" for each in taken.keys() - known]

    def _report(self, crowd: Crowd, at_rest: float, last_round: float, seconds: float) -> Report:
        outages = self._machine.outages
        deaths = [death for part in self._machine.parts for death in part.deaths]
        return {
            "seed": self._arguments.seed,
            "seconds": round(seconds),
            "games": dict(Counter(Game.objects.values_list("ruleset", flat=True))),
            "games over": Game.objects.filter(status=Game.Status.OVER).count(),
            "turns played": Turn.objects.filter(status=Turn.Status.RESOLVED).count(),
            "turns begun more than once": Turn.objects.filter(
                Q(attempts__gt=0) | Q(interruptions__gt=1)
            ).count(),
            "events": Game.objects.aggregate(events=Sum("last_seq"))["events"],
            "orders": crowd.ledger.counts(),
            "refusals": dict(crowd.ledger.refusals),
            "kills": sum(self._kills.values()),
            "killed": dict(sorted(self._kills.items())),
            "ended by themselves": dict(Counter(deaths)),
            "seconds until ready again": {
                part.name: _spread([each.end - each.begin for each in outages if each.part == part.name])
                for part in self._machine.parts
            },
            "notices": dict(Counter(Notice.objects.values_list("status", flat=True))),
            "mails": sum(map(len, self._mail.taken.values())),
            "sent twice": sum(len(times) - 1 for times in self._mail.taken.values()),
            "seconds from due to done": {
                kind: _spread([each[0] for each in times]) for kind, times in self._waits.items()
            },
            "the same without a failure between": {
                kind: _spread([each[1] for each in times]) for kind, times in self._waits.items()
            },
            "seconds from recovery until all games had gone on": round(at_rest, 1),
            "seconds from the last order until all turns were played": round(last_round, 1),
            "breaches": self._breaches,
        }

    def _progress(self) -> str:
        try:
            return f"{Turn.objects.filter(status=Turn.Status.RESOLVED).count()} turns played"
        except (DatabaseError, InterfaceError):
            connection.close()
            return "and the database is away"

    def _say(self, text: str) -> None:
        print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def unplayed() -> Iterator[str]:
    """Yield the remaining work in games: turns that are due, and missing orders of computers."""
    now = timezone.now()
    running = Turn.objects.filter(status=Turn.Status.OPEN, game__status=Game.Status.RUNNING)
    for turn in running.filter(Q(ready_at__isnull=False) | Q(deadline__lte=now + timedelta(minutes=1))):
        name = f"turn {turn.number} of game {turn.game_id}"
        yield f"{name} (attempts {turn.attempts}: {turn.error or 'no error'})"
    owing = Hand.objects.filter(turn=OuterRef("pk"), program=None, seat__isnull=False, seat__user=None)
    for turn in running.filter(Exists(owing), ready_at=None):
        yield f"the computers of turn {turn.number} of game {turn.game_id}"


def unsent() -> Iterator[str]:
    """Yield the notifications that are not yet sent."""
    for notice in Notice.objects.filter(status=Notice.Status.PENDING):
        yield f"notice {notice.pk} (attempts {notice.attempts}: {notice.last_error or 'no error'})"


def _spread(values: list[float]) -> dict[str, float]:
    """Return the number, median, 95th percentile and maximum of values in seconds."""
    if not values:
        return {"number": 0}
    ordered = sorted(values)
    return {
        "number": len(ordered),
        "median": round(statistics.median(ordered), 2),
        "95 of 100": round(ordered[int(len(ordered) * 0.95)], 2)
        if len(ordered) > 20
        else round(ordered[-1], 2),
        "longest": round(ordered[-1], 2),
    }
