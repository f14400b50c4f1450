"""Runs of drafts in the wind tunnel."""

from typing import Final

from django.db import models
from django.db.models import F, Q

from games.documents import has_format
from games.shipyard.models.drafts import MOST_PLAYERS, StarshipDraft
from rules.notation import STARSHIP_FORMAT
from rules.tunnel.flying import MOST_FLIGHTS
from rules.tunnel.report import TUNNEL_FORMAT

FLIGHTS_FORMAT: Final = "flights/1"
"""Flights of a batch: `{"format", "flights"}`, each as `rules.tunnel.figures` writes it."""

SENTENCES_FORMAT: Final = "sentences/1"
"""What findings say, as `{"format", "findings"}`: forms and values, to be told in any language."""


FIX_FORMAT: Final = "fix/1"
"""What is tried: `{"format", "kind", "label", "cells"}`: the kind of a finding, and [x, y, token]."""


WINS_FORMAT: Final = "wins/1"
"""Wins so far: `{"format", "starts"}`, each start as [x, y, robots that start there, wins of Pilots]."""


class TunnelRun(models.Model):
    """A draft that computers fly in the wind tunnel, as it was when the run was started.

    ``edition`` is the version of the ruleset. At most ``flights`` are flown; ``flown`` counts those that are.
    ``report`` is what the last look came to, and ``sentences`` has its sentences as forms and values.
    ``wins`` are there after the first flights.
    ``attempts`` counts how often workers began to judge the flights since they last finished that.
    ``failure`` is a reason as `games.reasons` keeps it.

    A run that is a ``fix_of`` another one tries what may cure a finding of that: its ``document`` has the
    ``fix`` in it. It is offered only if it does.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        FLYING = "flying"
        DONE = "done"
        CANCELLED = "cancelled"
        FAILED = "failed"

    UNDER_WAY: Final = (Status.WAITING, Status.FLYING)

    draft = models.ForeignKey(StarshipDraft, on_delete=models.CASCADE, related_name="tunnel_runs")
    asked_by = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="tunnel_runs")
    version = models.PositiveIntegerField()
    document = models.JSONField()
    ruleset = models.CharField(max_length=40)
    edition = models.PositiveSmallIntegerField()
    players = models.PositiveSmallIntegerField()
    flights = models.PositiveSmallIntegerField()
    seed = models.CharField(max_length=32)
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.WAITING)
    flown = models.PositiveSmallIntegerField(default=0)
    report = models.JSONField(null=True)
    sentences = models.JSONField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    failure = models.CharField(max_length=200, blank=True)
    fix_of = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="fixes")
    fix = models.JSONField(null=True)
    wins = models.JSONField(null=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    offered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["created_at"],
                name="tunnel_runs_under_way",
                condition=Q(status__in=["waiting", "flying"]),
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["asked_by"],
                name="tunnel_run_one_under_way",
                condition=Q(status__in=["waiting", "flying"], fix_of__isnull=True),
            ),
            models.CheckConstraint(
                name="tunnel_run_tries_a_fix",
                condition=Q(fix_of__isnull=True, fix__isnull=True)
                | (Q(fix_of__isnull=False, fix__isnull=False) & has_format("fix", FIX_FORMAT)),
            ),
            models.CheckConstraint(
                name="tunnel_run_wins_have_their_format",
                condition=Q(wins__isnull=True) | has_format("wins", WINS_FORMAT),
            ),
            models.CheckConstraint(
                name="tunnel_run_has_its_format", condition=has_format("document", STARSHIP_FORMAT)
            ),
            models.CheckConstraint(
                name="tunnel_run_report_has_its_format",
                condition=Q(report__isnull=True) | has_format("report", TUNNEL_FORMAT),
            ),
            models.CheckConstraint(
                name="tunnel_run_sentences_have_their_format",
                condition=Q(sentences__isnull=True) | has_format("sentences", SENTENCES_FORMAT),
            ),
            models.CheckConstraint(
                name="tunnel_run_report_has_sentences",
                condition=Q(report__isnull=True, sentences__isnull=True)
                | Q(report__isnull=False, sentences__isnull=False),
            ),
            models.CheckConstraint(name="tunnel_run_counted_from_1", condition=Q(version__gte=1)),
            models.CheckConstraint(
                name="tunnel_run_has_players", condition=Q(players__range=(2, MOST_PLAYERS))
            ),
            models.CheckConstraint(
                name="tunnel_run_has_flights",
                condition=Q(flights__range=(1, MOST_FLIGHTS), flown__lte=F("flights")),
            ),
            models.CheckConstraint(
                name="tunnel_run_under_way_or_finished",
                condition=Q(status__in=["waiting", "flying"], finished_at__isnull=True)
                | Q(status__in=["done", "cancelled", "failed"], finished_at__isnull=False),
            ),
            models.CheckConstraint(
                name="tunnel_run_done_has_a_report",
                condition=~Q(status="done") | Q(report__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.pk} of draft {self.draft_id}"

    @property
    def is_under_way(self) -> bool:
        """Whether more flights may come."""
        return self.status in self.UNDER_WAY


class TunnelBatch(models.Model):
    """Flights of a run that one worker flies: from number ``first`` on, ``count`` of them.

    ``lease_until`` says until when they are that worker's. ``attempts`` counts how often one has begun.
    ``flights`` are there once they are flown; the batches of a run go when its last report is written.
    """

    run = models.ForeignKey(TunnelRun, on_delete=models.CASCADE, related_name="batches")
    first = models.PositiveSmallIntegerField()
    count = models.PositiveSmallIntegerField()
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    flights = models.JSONField(null=True)

    class Meta:
        ordering = ["run", "first"]
        indexes = [
            models.Index(
                fields=["run", "lease_until"],
                name="tunnel_batches_to_fly",
                condition=Q(flights__isnull=True),
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["run", "first"], name="tunnel_batch_unique"),
            models.CheckConstraint(name="tunnel_batch_has_flights", condition=Q(count__gte=1)),
            models.CheckConstraint(
                name="tunnel_batch_has_its_format",
                condition=Q(flights__isnull=True) | has_format("flights", FLIGHTS_FORMAT),
            ),
        ]

    def __str__(self) -> str:
        return f"flights {self.first} to {self.first + self.count - 1} of run {self.run_id}"
