"""Run the load test of people who play, from an empty database to the report."""

import argparse
import asyncio
import logging
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.db import connection
from django.db.models import Sum
from django.utils import timezone

from bench.load import postgres
from bench.load.crowd import Crowd, Notes
from bench.load.site import Site, seconds_taken
from bench.load.villages import Shape, Village
from games import live
from games.news.models import Notice
from games.play.models import Game, Hand, Turn
from games.work.sweeper import sweep

Report = dict[str, Any]

VILLAGE: Final = Shape(people=20, running=20, complete=1, turns=2)
"""A village of 20 people. In 20 games, some of the four orders are missing. One game has all orders."""

RARE: Final = 0.015
"""The share of orders for games without open pages: about one turn a day in each of 10,000 games."""

WARM_UP: Final = 0.2
"""The minutes of play before the measurement, so that all code is loaded."""

BACKLOG_SECONDS: Final = 300.0
"""The maximum seconds to play all turns that have all orders at the start."""

GOALS: Final = {"answers": 150, "turns": 2000}
"""The milliseconds within which 95 % of answers must arrive, and 95 % of turns must be stored."""


class Trial:
    """A run of the load test: fills a site, measures Postgres, plays complete turns, then plays as people."""

    def __init__(self, site: Site, arguments: argparse.Namespace) -> None:
        self._site = site
        self._arguments = arguments
        self._breaches: list[str] = []

    def run(self) -> Report:
        """Run all steps of the test, and return the report."""
        site, arguments = self._site, self._arguments
        report: Report = {"filled": self._fill()}
        address = site.database.server.url
        postgres.prepare(address, arguments.branches)
        before = postgres.transactions(address, arguments.pgbench)
        self._say(f"pgbench: {before:.0f} transactions a second")
        site.open(site.worker, site.mailer)
        played = self._play_complete_turns()
        after = postgres.transactions(address, arguments.pgbench)
        report["turns played without a break"] = played
        transactions = (before + after) / 2
        report["pgbench"] = {
            "transactions a second, before and after": [round(before), round(after)],
            "for each turn": round(transactions / played["turns a second"], 1),
        }
        site.open(site.web, site.beat)
        report["people playing"] = self._have_people_play()
        report["breaches"] = self._breaches
        return report

    def _fill(self) -> Report:
        begun = time.monotonic()
        shape = replace(VILLAGE, running=min(VILLAGE.running, self._arguments.games))
        village = Village(shape, timezone.now())
        village.create()
        village.grow(self._arguments.games // shape.running)
        self._say(f"filled in {time.monotonic() - begun:.0f} s")
        return {
            "running games": Game.objects.filter(status=Game.Status.RUNNING).count(),
            "hands that wait for orders": Hand.objects.filter(
                program=None, turn__status=Turn.Status.OPEN, seat__isnull=False
            ).count(),
            "log entries": Game.objects.aggregate(events=Sum("last_seq"))["events"],
        }

    def _play_complete_turns(self) -> Report:
        """Wait until the workers have played all turns that have all orders, and measure their speed."""
        games = list(Turn.objects.filter(status=Turn.Status.OPEN, ready_at__isnull=False).values_list("game"))
        seats = Hand.objects.filter(turn__game__in=games, seat__user__isnull=False)
        live.record_viewers(seats.values_list("turn__game", "seat__user").distinct())
        ready = Turn.objects.filter(status=Turn.Status.OPEN, ready_at__isnull=False)
        before, written = seconds_taken(), _bytes_written()
        begun = time.perf_counter()
        while sweep(now=timezone.now()).turns:
            pass
        while ready.exists():
            time.sleep(0.05)
            if time.perf_counter() - begun > BACKLOG_SECONDS:
                self._breaches.append(
                    f"{ready.count()} complete turns were not played in {BACKLOG_SECONDS:.0f} s."
                )
                break
        took = time.perf_counter() - begun
        self._say(f"{len(games)} turns were played in {took:.1f} s")
        return {
            "turns": len(games),
            "turns a second": round(len(games) / took, 1),
            "kB of write-ahead log a turn": round((_bytes_written() - written) / 1000 / len(games), 1),
            "processors": _processors(before, took),
        }

    def _have_people_play(self) -> Report:
        arguments = self._arguments
        crowd = Crowd(self._site.port, live=arguments.live, seed=arguments.seed)
        crowd.look()
        self._say("people play")
        first = min(WARM_UP, arguments.minutes)
        asyncio.run(crowd.play(rate=arguments.rate, minutes=first, rare=RARE))
        crowd = Crowd(self._site.port, live=arguments.live, seed=arguments.seed)
        sent = self._mails()
        before, begun = seconds_taken(), time.perf_counter()
        asyncio.run(crowd.play(rate=arguments.rate, minutes=arguments.minutes, rare=RARE))
        took = time.perf_counter() - begun
        notes = crowd.notes
        answers, turns = spread(notes.answers), spread(notes.turns)
        self._judge(notes, answers, turns, crowd.unplayed)
        return {
            "minutes": round(took / 60, 2),
            "orders a minute": round(60 * len(notes.answers) / took),
            "answers": dict(notes.statuses),
            "orders that came late by our own fault": notes.late,
            "ms until an answer": answers,
            "turns played": len(notes.turns),
            "ms from the last orders to the turn stored": turns,
            "mails": self._mails() - sent,
            "notices": dict(Counter(Notice.objects.values_list("status", flat=True))),
            "processors": _processors(before, took),
        }

    def _judge(
        self, notes: Notes, answers: Mapping[str, float], turns: Mapping[str, float], unplayed: int
    ) -> None:
        """Record the breaches of the run. Times that are too long count only if ``--judge`` is given."""
        refused = sum(notes.statuses.values()) - notes.statuses["200"]
        if refused:
            self._breaches.append(f"{refused} orders were not accepted: {dict(notes.statuses)}.")
        if unplayed:
            self._breaches.append(f"{unplayed} turns whose orders are all in were not played.")
        if not notes.turns:
            self._breaches.append("No turn was played.")
        if self._arguments.judge:
            if answers.get("95 of 100", 0) > GOALS["answers"]:
                self._breaches.append(f"Of 100 answers 95 took {answers['95 of 100']} ms.")
            if turns.get("95 of 100", 0) > GOALS["turns"]:
                self._breaches.append(f"Of 100 turns 95 took {turns['95 of 100']} ms.")
            if notes.late:
                self._breaches.append(f"{notes.late} orders were not thought of in time.")

    def _mails(self) -> int:
        return Notice.objects.filter(status=Notice.Status.SENT, attempts__gt=0).count()

    def _say(self, text: str) -> None:
        print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def _bytes_written() -> int:
    """Return the size of Postgres' write-ahead log since its creation, in bytes."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_lsn() - '0/0'")
        return int(cursor.fetchone()[0])


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Return the median, the 95th and 99th percentile, and the maximum of times, in milliseconds."""
    if not seconds:
        return {}
    ordered = sorted(seconds)

    def of(share: float) -> float:
        return round(1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))], 1)

    return {"median": of(0.5), "95 of 100": of(0.95), "99 of 100": of(0.99), "longest": of(1)}


def _processors(before: Mapping[str, float], seconds: float) -> dict[str, float]:
    """Return the number of processors that each part kept busy since ``before``, on average."""
    now = seconds_taken()
    busy = {part: round((taken - before.get(part, 0)) / seconds, 2) for part, taken in sorted(now.items())}
    return {**busy, "all": round(sum(busy.values()), 2)}


def quiet() -> None:
    """Silence the logs of services and mail in this process, except for warnings and errors."""
    logging.getLogger("games").setLevel(logging.WARNING)
    logging.getLogger("mail.log").setLevel(logging.WARNING)
