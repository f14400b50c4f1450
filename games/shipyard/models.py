"""Drafts and their versions, wind tunnel runs, and the generator's searches."""

from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.errors import has_format
from games.play.models import Game
from roborunner.leases import Leased, LeasedWork
from rules.design.proposal import MAX_SIDE, MIN_SIDE
from rules.design.search import SEARCH_FORMAT
from rules.notation import MAX_BOARD_SIDE, STARSHIP_FORMAT, TEXTS
from rules.tunnel.flying import MAX_FLIGHTS
from rules.tunnel.report import TUNNEL_FORMAT

MOST_PLAYERS = 8


class Drawing(models.Model):
    """A drawing of a starship, for a ruleset and a number of players.

    Its cells may be faulty. An empty ``ruleset`` means any suitable ruleset. ``name`` repeats the name in
    ``document``, for lists. ``width`` is the number of cells in the longest row.
    """

    name = models.CharField(max_length=TEXTS["name"], blank=True)
    ruleset = models.CharField(max_length=40, blank=True)
    players = models.PositiveSmallIntegerField(default=4)
    document = models.JSONField(help_text=_("A starship/1 document, whose cells may contain errors."))
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    saved_at = models.DateTimeField()

    class Meta:
        abstract = True


class StarshipDraft(Drawing):
    """A person's draft of a starship, as last saved.

    ``version`` counts the saves, from 1. A copied draft has a parent: a revision of a library starship, or a
    version of another draft. If that draft belongs to another person, ``parent_name`` is its name at the time
    of copying. ``link_token`` is the draft's secret link, or empty.

    ``taken_down_at`` is the time when staff took the draft down. After that, only the owner sees the draft,
    and cannot share it by link or show it in the Space Dock.
    """

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="starship_drafts")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    parent_revision = models.ForeignKey(
        "StarshipRevision", on_delete=models.SET_NULL, null=True, related_name="+"
    )
    parent_draft = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")
    parent_version = models.PositiveIntegerField(null=True)
    parent_name = models.CharField(max_length=TEXTS["name"], blank=True, default="", db_default="")
    link_token = models.CharField(max_length=64, blank=True, default="", db_default="")
    taken_down_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-saved_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["link_token"], name="starship_draft_link_unique", condition=~Q(link_token="")
            ),
            models.CheckConstraint(
                name="starship_draft_taken_down_has_no_link",
                condition=Q(taken_down_at=None) | Q(link_token=""),
            ),
            models.CheckConstraint(
                name="starship_draft_has_its_format", condition=has_format("document", STARSHIP_FORMAT)
            ),
            models.CheckConstraint(
                name="starship_draft_has_a_size",
                condition=Q(width__range=(1, MAX_BOARD_SIDE), height__range=(1, MAX_BOARD_SIDE)),
            ),
            models.CheckConstraint(
                name="starship_draft_has_players", condition=Q(players__range=(1, MOST_PLAYERS))
            ),
            models.CheckConstraint(name="starship_draft_counted_from_1", condition=Q(version__gte=1)),
            models.CheckConstraint(
                name="starship_draft_has_one_parent", condition=Q(parent_revision=None) | Q(parent_draft=None)
            ),
        ]

    def __str__(self) -> str:
        return self.name or f"draft {self.pk}"


class DraftVersion(Drawing):
    """An earlier version of a draft. As versions grow old, most of them are deleted."""

    draft = models.ForeignKey(StarshipDraft, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()

    class Meta:
        ordering = ["draft", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["draft", "number"], name="draft_version_unique"),
            models.CheckConstraint(
                name="draft_version_has_its_format", condition=has_format("document", STARSHIP_FORMAT)
            ),
            models.CheckConstraint(
                name="draft_version_has_a_size",
                condition=Q(width__range=(1, MAX_BOARD_SIDE), height__range=(1, MAX_BOARD_SIDE)),
            ),
            models.CheckConstraint(
                name="draft_version_has_players", condition=Q(players__range=(1, MOST_PLAYERS))
            ),
            models.CheckConstraint(name="draft_version_counted_from_1", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"version {self.number} of draft {self.draft_id}"


class DraftFlight(models.Model):
    """A test flight: a game on one version of a draft.

    The game has its own copy of the board.
    """

    draft = models.ForeignKey(StarshipDraft, on_delete=models.CASCADE, related_name="flights")
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="draft_flight")
    version = models.PositiveIntegerField()

    class Meta:
        ordering = ["-pk"]
        constraints = [models.CheckConstraint(name="draft_flight_of_a_version", condition=Q(version__gte=1))]

    def __str__(self) -> str:
        return f"flight {self.game_id} of draft {self.draft_id}"


FLIGHTS_FORMAT: Final = "flights/1"
"""The format of a batch's flights: `{"format", "flights"}`.

Each flight is written by `rules.tunnel.figures.flight_to_json`.
"""

SENTENCES_FORMAT: Final = "sentences/1"
"""The format of a report's sentences, for translation: `{"format", "findings"}`.

Each sentence is stored as a form with placeholders and their values.
"""


FIX_FORMAT: Final = "fix/1"
"""The format of a fix: `{"format", "kind", "label", "cells"}`.

``kind`` is the kind of finding to remove, and each cell is [x, y, token].
"""


WINS_FORMAT: Final = "wins/1"
"""The format of a run's wins: `{"format", "starts"}`.

Each item of ``starts`` is a start cell: [x, y, number of robots that start there, wins of Pilots].
"""


class TunnelRun(models.Model):
    """A wind tunnel run: games between computers on a version of a draft.

    ``document`` is a copy of that version. ``edition`` is the ruleset version. ``flights`` is the
    maximum number of flights, and ``flown`` the number so far. ``report`` is the last report, and
    ``sentences`` has the report's sentences for translation. ``wins`` has the wins so far by start cell, and
    is null before the first flights.
    ``attempts`` counts the workers' attempts at the next verdict. ``failure`` is the reason why a run has
    failed, encoded by `games.work.jobs`.

    A run with ``fix_of`` tests a ``fix`` for a finding of the run ``fix_of``. Its ``document`` includes the
    fix. The builder is offered the fix only if it removes the finding.
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
                condition=Q(flights__range=(1, MAX_FLIGHTS), flown__lte=F("flights")),
            ),
            models.CheckConstraint(
                name="tunnel_run_under_way_or_finished",
                condition=Q(status__in=["waiting", "flying"], finished_at__isnull=True)
                | Q(status__in=["done", "cancelled", "failed"], finished_at__isnull=False),
            ),
            models.CheckConstraint(
                name="tunnel_run_done_has_a_report", condition=~Q(status="done") | Q(report__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.pk} of draft {self.draft_id}"

    @property
    def is_under_way(self) -> bool:
        """Whether the wind tunnel run is waiting or flying."""
        return self.status in self.UNDER_WAY


class TunnelBatch(Leased):
    """A part of a run for one worker: ``count`` flights, from number ``first``.

    ``flights`` has the results of the flights, or null before they are flown. When a run ends, its batches
    are deleted.
    """

    run = models.ForeignKey(TunnelRun, on_delete=models.CASCADE, related_name="batches")
    first = models.PositiveSmallIntegerField()
    count = models.PositiveSmallIntegerField()
    flights = models.JSONField(null=True)

    OPEN = Q(flights__isnull=True)

    class Meta:
        ordering = ["run", "first"]
        indexes = [
            models.Index(
                fields=["run", "lease_until"], name="tunnel_batches_to_fly", condition=Q(flights__isnull=True)
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


class ShipSuggestion(LeasedWork):
    """A person's order for a starship from the generator, and its result.

    ``edition`` is the ruleset version. An empty ``theme`` or ``symmetry`` means any theme or symmetry.
    ``document`` is the ship found, and ``found_theme`` is the theme of that ship. ``report`` and
    ``sentences`` are from the ship's wind tunnel run, as in a `TunnelRun`.

    Workers continue a search in pieces, one worker at a time. ``search`` is the record of the ships drawn and
    the flights so far. ``attempts`` counts the claims since the last finished piece, and ``pieces`` counts
    the finished pieces. ``ships`` is the number of ships judged. ``flown`` is the number of all flights so
    far, and ``last_flights`` is the number of those flights in the full run of the best ship.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        FLYING = "flying"
        DONE = "done"
        CANCELLED = "cancelled"
        FAILED = "failed"

    UNDER_WAY = (Status.WAITING, Status.FLYING)
    OPEN = Q(status__in=UNDER_WAY)
    CLEARED = ("search",)

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
    pieces = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()

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
                condition=Q(width__range=(MIN_SIDE, MAX_SIDE), height__range=(MIN_SIDE, MAX_SIDE)),
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
