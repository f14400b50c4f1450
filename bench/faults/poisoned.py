"""The poison test: poison one game for each kind of poison, and play healthy games beside them.

It checks that every healthy game continues within two minutes after its turn is due, that lists of games
still load, that staff learn why each stopped game has stopped, and that stopped games continue after the
poison is removed and staff retry them.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, Protocol
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import admin
from django.db import connection
from django.db.models import Q
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.guests import make_guest
from accounts.models import User
from bench.faults import poison, specimens
from bench.faults.checks import RECOVERY_SECONDS
from bench.faults.poison import Kind, Planted
from games.errors import ServiceError
from games.play.models import Game, Turn
from games.play.resolution import MAX_ATTEMPTS
from games.staff.services import resolve_again
from games.work.jobs import try_again
from games.work.models import Alarm

ALARM_SECONDS = 420.0
"""The maximum seconds until staff learn about a stopped game. Its turn is tried five times first."""

PAGES = (
    "pages:home",
    "games:mine",
    "games:room",
    "games:offers",
    "missions:list",
    "people:news",
    "api:games",
    "api:waiting",
    "api:offers",
    "api:my-invitations",
)
"""Pages and API calls with lists that may include a poisoned game or a row of its player.

The lists of the admin are not included.
"""


class Site(Protocol):
    """The site under test. It consists of real processes, or runs in a single process."""

    def now(self) -> datetime:
        """Return the site's current time."""

    def wait(self, until: Callable[[], bool], seconds: float) -> float | None:
        """Wait for a condition.

        Returns the seconds that it took, or None if it did not become true within ``seconds`` seconds.
        """


class Poisoning:
    """One batch of the poison test: creates the games, poisons them, and checks the site."""

    def __init__(self, site: Site, kinds: Iterable[Kind], *, healthy: int, prefix: str = "") -> None:
        self._site, self._prefix = site, prefix
        self._kinds = list(kinds)
        self._not_planted: dict[str, list[str]] = {}
        self._planted: list[Planted] = []
        self._breaches: list[str] = []
        now = site.now()
        self._staff = specimens.person(f"{prefix}Staff", staff=True)
        self._host, self._leaver = specimens.person(f"{prefix}Host"), specimens.person(f"{prefix}Leaver")
        self._guest = make_guest()
        others = [specimens.person(f"{prefix}Other{number}") for number in range(2)]
        self._healthy = [
            specimens.make_game(f"{prefix}Healthy {number}", self._host, *others, now=now)
            for number in range(healthy)
        ]

    def run(self) -> dict[str, Any]:
        """Run the batch: poison, wait, check, remove the poison, and wait again. Return the report."""
        self._plant()
        self._breaches += self._go_on(self._healthy, "a healthy game")
        self._site.wait(lambda: all(self._settled(each) for each in self._planted), ALARM_SECONDS)
        for each in self._planted:
            self._judge(each)
        self._breaches += self._faults_of_lists()
        stood = [each for each in self._planted if not each.went_on]
        for each in self._planted:
            each.restore()
            if each.is_spared:  # its deadline has not been changed yet
                specimens.bring_forward(Game.objects.get(pk=each.game), self._site.now())
        self._breaches += self._again(stood)
        return self._report(stood)

    def _plant(self) -> None:
        for number, kind in enumerate(self._kinds):
            name = f"{self._prefix}Pia{number}"
            player = specimens.person(name)
            made = (f"{self._prefix}Game {number}", self._host, player, self._leaver, self._staff)
            game = specimens.make_specimen(*made, now=self._site.now())
            planted = poison.plant(kind, game, player, self._guest)
            if isinstance(planted, str):
                self._not_planted.setdefault(planted, []).append(str(kind))
            else:
                self._planted.append(planted)
        due = self._site.now() + specimens.DEADLINE
        spared = {each.game for each in self._planted if each.is_spared}
        for game in Game.objects.filter(status=Game.Status.RUNNING).exclude(pk__in=spared).only("pk"):
            specimens.bring_forward(game, due)

    def _go_on(self, games: Iterable[Game], what: str) -> Iterator[str]:
        before = dict(Game.objects.filter(pk__in=[game.pk for game in games]).values_list("pk", "turn"))
        behind = Game.objects.filter(pk__in=before)

        def left() -> list[int]:
            return [pk for pk, turn in behind.values_list("pk", "turn") if turn == before[pk]]

        if self._site.wait(lambda: not left(), specimens.DEADLINE.total_seconds() + RECOVERY_SECONDS) is None:
            for pk in left():
                yield f"{what}, number {pk}, did not go on within {RECOVERY_SECONDS:.0f} s"

    def _settled(self, planted: Planted) -> bool:
        return self._has_moved(planted) or bool(_told(planted))

    def _has_moved(self, planted: Planted) -> bool:
        """Return whether the poisoned game has continued, ended or been deleted."""
        with connection.cursor() as cursor:  # works even if other columns are unreadable
            cursor.execute("SELECT turn, ended_at IS NOT NULL FROM games_game WHERE id = %s", [planted.game])
            found = cursor.fetchone()
        return found is None or bool(found[1]) or (found[0] or 0) > planted.turn

    def _judge(self, planted: Planted) -> None:
        planted.went_on = self._has_moved(planted) or poison.has_healed(planted)
        planted.told = _told(planted)
        if not planted.went_on and not planted.told:
            self._breaches.append(f"{planted.kind}: game {planted.game} stands still, and staff are not told")

    def _faults_of_lists(self) -> Iterator[str]:
        """Yield a message for each list page that fails when the games' host or staff request it."""
        users = User.objects.filter(Q(pk=self._host.pk) | Q(pk=self._staff.pk)).only("pk")
        client = Client(raise_request_exception=False)
        for pk in users.values_list("pk", flat=True):
            client.force_login(User.objects.get(pk=pk))
            for page in _lists():
                status = client.get(page, HTTP_HOST=urlsplit(settings.BASE_URL).netloc).status_code
                if status >= 500:
                    yield f"{page} answers {status}"

    def _again(self, stood: list[Planted]) -> Iterator[str]:
        """Retry stopped games as staff. Yield a message for each game that does not continue."""
        now = self._site.now()
        for alarm in Alarm.objects.filter(closed_at=None, row__gt=0):
            try_again(user=self._staff, alarm_id=alarm.pk, now=now)
        given_up = Turn.objects.filter(status=Turn.Status.OPEN, attempts__gte=MAX_ATTEMPTS)
        for turn in given_up.values_list("pk", flat=True):
            try:
                resolve_again(user=self._staff, turn_id=turn, reason="It is mended.", now=now)
            except ServiceError as refusal:
                yield f"turn {turn} cannot be resolved again: {refusal.detail}"
        if self._site.wait(lambda: all(map(self._has_moved, stood)), RECOVERY_SECONDS) is None:
            for each in stood:
                if not self._has_moved(each):
                    yield f"{each.kind}: game {each.game} did not go on after it was mended ({each.told})"

    def _report(self, stood: list[Planted]) -> dict[str, Any]:
        return {
            "planted": len(self._planted),
            "tables": dict(Counter(str(each.kind.model._meta.model_name) for each in self._planted)),
            "went on in spite of it": [str(each.kind) for each in self._planted if each.went_on],
            "stood still, and staff were told": {str(each.kind): each.told for each in stood},
            "not planted": self._not_planted,
            "breaches": self._breaches,
        }


class Processes:
    """A site of real processes, with a real clock."""

    def now(self) -> datetime:
        return timezone.now()

    def wait(self, until: Callable[[], bool], seconds: float) -> float | None:
        """Check the condition every second until it is true or time is up."""
        begin = time.monotonic()
        while not until():
            if time.monotonic() - begin > seconds:
                return None
            time.sleep(1)
        return time.monotonic() - begin


def poison_site(*, healthy: int, batch: int, most: int | None, only: str) -> dict[str, Any]:
    """Run the poison test on the site, in batches of ``batch`` kinds of poison. Return the report.

    Only kinds whose name contains ``only`` are planted. If ``most`` is given, at most that many kinds are
    planted, evenly chosen.
    """
    site, begin = Processes(), time.monotonic()
    kinds = [kind for kind in poison.kinds() if only in str(kind)]
    staff, host, leaver, player = (specimens.person(f"Sample{name}", staff=name == "S") for name in "SHLP")
    sample = specimens.make_specimen("Sample", host, player, leaver, staff, now=site.now())
    kinds += list(poison.lost_keys(kinds, sample, player))
    guest, refused = make_guest(), {}
    for kind in kinds:
        if why := poison.refusal(kind, sample, player, guest):
            refused.setdefault(why, []).append(str(kind))
    report: dict[str, Any] = {"kinds": len(kinds), "not planted": refused, "breaches": []}
    kinds = [kind for kind in kinds if not any(str(kind) in some for some in refused.values())]
    print(f"{len(kinds)} kinds can be planted", file=sys.stderr, flush=True)
    if most is not None:
        kinds = kinds[:: max(1, len(kinds) // most)][:most]
    for number, start in enumerate(range(0, len(kinds), batch)):
        poisoning = Poisoning(site, kinds[start : start + batch], healthy=healthy, prefix=f"B{number}-")
        _add(report, poisoning.run())
        print(f"{min(start + batch, len(kinds))} of {len(kinds)} kinds tried", file=sys.stderr, flush=True)
    return report | {"seconds": round(time.monotonic() - begin)}


def _add(report: dict[str, Any], batch: dict[str, Any]) -> None:
    """Add the report of a batch to the report of the whole test."""
    for key, value in batch.items():
        if isinstance(value, dict):
            known = report.setdefault(key, {})
            for name, each in value.items():
                known[name] = known[name] + each if name in known else each
        else:
            report[key] = report[key] + value if key in report else value


def _told(planted: Planted) -> str:
    """Return the error that staff see for a poisoned game or row, or an empty string if there is none."""
    alarms = Alarm.objects.filter(closed_at=None)
    of_row = Q(kind=planted.kind.model._meta.model_name, row=planted.row)
    for alarm in alarms.filter(Q(turn__game=planted.game) | Q(game=planted.game) | of_row).order_by("pk"):
        error = Turn.objects.filter(pk=alarm.turn_id).values_list("error", flat=True).first() or alarm.error
        if error:
            return str(error)
    return ""


def _lists() -> list[str]:
    """Return the URLs of all lists that may include a poisoned game, including the lists of the admin."""
    tables = [model._meta for model in admin.site._registry]
    admins = [f"admin:{table.app_label}_{table.model_name}_changelist" for table in tables]
    return [reverse(name) for name in (*PAGES, *admins)]
