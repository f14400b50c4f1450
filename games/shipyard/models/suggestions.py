"""Starships that the generator looks for, because a person has asked for one."""

from typing import Final

from django.db import models
from django.db.models import Q

from games.documents import has_format
from games.shipyard.models.drafts import MOST_PLAYERS
from games.shipyard.models.tunnel import SENTENCES_FORMAT
from rules.design.proposal import LARGEST, SMALLEST
from rules.design.search import SEARCH_FORMAT
from rules.notation import STARSHIP_FORMAT
from rules.tunnel.report import TUNNEL_FORMAT


class ShipSuggestion(models.Model):
    """A starship that a person has asked the generator for: what was ordered, and what came of it.

    ``edition`` is the version of the ruleset. ``theme`` and ``symmetry`` are empty where any will do;
    ``found_theme`` is that of the ship that was found, which ``document`` holds.

    A search is done in pieces, by one worker at a time. ``search`` is what was drawn and flown so far, and
    ``lease_until`` says until when a worker goes on with it. ``attempts`` counts how often workers began a
    piece since one last finished, ``pieces`` how many were finished. ``ships`` were judged, of those the best
    was flown ``last_flights`` times, and there were ``flown`` flights in all.

    ``report`` and ``sentences`` are what the wind tunnel says of the ship, as in a `TunnelRun`.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        FLYING = "flying"
        DONE = "done"
        CANCELLED = "cancelled"
        FAILED = "failed"

    UNDER_WAY: Final = (Status.WAITING, Status.FLYING)

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="ship_suggestions")
    ruleset = models.CharField(max_length=40)
    edition = models.PositiveSmallIntegerField()
    players = models.PositiveSmallIntegerField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    theme = models.CharField(max_length=20, blank=True)
    symmetry = models.CharField(max_length=10, blank=True)
    seed = models.CharField(max_length=32)
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.WAITING)
    ships = models.PositiveSmallIntegerField(default=0)
    last_flights = models.PositiveSmallIntegerField(default=0)
    flown = models.PositiveIntegerField(default=0)
    search = models.JSONField(null=True)
    found_theme = models.CharField(max_length=20, blank=True)
    document = models.JSONField(null=True)
    report = models.JSONField(null=True)
    sentences = models.JSONField(null=True)
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    pieces = models.PositiveSmallIntegerField(default=0)
    failure = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    offered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["created_at"],
                name="suggestions_under_way",
                condition=Q(status__in=["waiting", "flying"]),
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["user"],
                name="suggestion_one_under_way",
                condition=Q(status__in=["waiting", "flying"]),
            ),
            models.CheckConstraint(
                name="suggestion_has_a_size",
                condition=Q(width__range=(SMALLEST, LARGEST), height__range=(SMALLEST, LARGEST)),
            ),
            models.CheckConstraint(
                name="suggestion_has_players", condition=Q(players__range=(2, MOST_PLAYERS))
            ),
            models.CheckConstraint(
                name="suggestion_search_has_its_format",
                condition=Q(search__isnull=True) | has_format("search", SEARCH_FORMAT),
            ),
            models.CheckConstraint(
                name="suggestion_done_has_a_ship",
                condition=~Q(status="done")
                | (
                    Q(document__isnull=False, report__isnull=False, sentences__isnull=False)
                    & has_format("document", STARSHIP_FORMAT)
                    & has_format("report", TUNNEL_FORMAT)
                    & has_format("sentences", SENTENCES_FORMAT)
                    & ~Q(found_theme="")
                ),
            ),
            models.CheckConstraint(
                name="suggestion_under_way_or_finished",
                condition=Q(status__in=["waiting", "flying"], finished_at__isnull=True)
                | Q(status__in=["done", "cancelled", "failed"], finished_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"suggestion {self.pk}"

    @property
    def is_under_way(self) -> bool:
        """Whether workers still look for the ship."""
        return self.status in self.UNDER_WAY
