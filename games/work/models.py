"""Tables that belong to no room (alarms, uses of limits), and rows that carry the number of their game."""

from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from django.apps import apps
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext, gettext_lazy as _

from accounts.limits import Limit
from accounts.models import User
from games.errors import TooMany


class BelongsToGame(models.Model):
    """A row whose game is known by another row: ``known_by`` leads to the game's number.

    Nothing looks rows up by it yet.
    """

    # Neither index nor constraint: each turn would write both. The row
    # that `known_by` leads over is constrained, and is deleted with the game. In Citus the key to that row
    # has the game in it, as (game, turn) refers to (game, id): one more constraint would say it twice.
    game = models.ForeignKey(
        "games.Game",
        on_delete=models.DO_NOTHING,
        null=True,
        db_index=False,
        db_constraint=False,
        related_name="+",
    )

    known_by: ClassVar[str]

    class Meta:
        abstract = True


def tables_of_games() -> list[tuple[type[models.Model], str]]:
    """Return the tables whose rows know their game twice, with the other way to its number."""
    every = apps.get_app_config("games").get_models()
    return [(model, model.known_by) for model in every if hasattr(model, "known_by")]


def contradictions(model: type[models.Model], way: str, game_id: int) -> Any:
    """Return the rows of a game in such a table that do not name it, or that name another game."""
    return model._default_manager.filter(**{way: game_id}).exclude(game=F(way))


class Alarm(models.Model):
    """A problem that staff should look at: open until it is solved, kept after that.

    It is about one of three things, with one alarm for each. A ``turn`` was not played in time, though it
    could be, since ``due_at``. A ``job`` of the sweeper failed as a whole (``row`` is 0). Or one ``row`` of a
    job was set aside, so that it holds up no other: ``kind`` is its model. ``game`` is the game of the turn
    or the row, if any. ``error`` is the reason, ``attempts`` the number of attempts, and the job tries the
    row again at ``retry_at``. A closed alarm opens again when the same thing fails again.
    """

    known_by = "turn__game_id"

    turn = models.OneToOneField("Turn", on_delete=models.CASCADE, null=True, related_name="alarm")
    job = models.CharField(_("job of the sweeper"), max_length=30, blank=True, default="", db_default="")
    kind = models.CharField(max_length=30, blank=True, default="", db_default="")
    row = models.PositiveBigIntegerField(default=0, db_default=0)
    game = models.ForeignKey("Game", on_delete=models.CASCADE, null=True, related_name="+")
    error = models.TextField(blank=True, default="", db_default="")
    attempts = models.PositiveIntegerField(default=0, db_default=0)
    due_at = models.DateTimeField()
    raised_at = models.DateTimeField()
    retry_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-raised_at", "-pk"]
        indexes = [models.Index(fields=["raised_at"], name="alarms_open", condition=Q(closed_at=None))]
        constraints = [
            models.UniqueConstraint(fields=["job", "row"], name="alarm_once_a_row", condition=~Q(job="")),
            models.CheckConstraint(
                name="alarm_of_a_turn_or_a_job",
                condition=Q(turn__isnull=False, job="") | Q(turn=None) & ~Q(job=""),
            ),
        ]

    def __str__(self) -> str:
        return gettext("alarm {number}").format(number=self.pk)


class EndedGame(models.Model):
    """A game that has ended, and that a ``job`` of the sweeper has not counted yet (`jobs.each_ended`)."""

    # The constraint's index leads from a game to its rows.
    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, db_index=False, related_name="+")
    job = models.CharField(max_length=30)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "job"], name="ended_game_once_a_job")]

    def __str__(self) -> str:
        return f"game {self.game_id}, not counted by {self.job}"


def failing_jobs() -> list[str]:
    """Return the names of the sweeper's jobs that failed as a whole when they last ran."""
    failing = Alarm.objects.filter(closed_at=None, row=0).exclude(job="")
    return list(failing.order_by("job").values_list("job", flat=True))


DAY: Final = 24 * 60 * 60


class LimitedUse(models.Model):
    """A use of a limited action. It stays if the person's creation is deleted."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    limit = models.CharField(max_length=30)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["user", "limit", "at"], name="uses_of_a_limit")]

    def __str__(self) -> str:
        return f"{self.limit} of {self.user_id}"


def hold_person(user: User) -> None:
    """Hold a person's row until the transaction ends: always after the rows of games.

    A limit on what a person has or does, in all games together, is checked while their row is held.
    """
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user.pk)


def spend(limit: Limit, *, user: User, detail: str, now: datetime) -> None:
    """Note one more use of a limit; raise TooMany with the ``detail`` if it is used up.

    The person's row is held from then on. If the transaction is rolled back, the use does not count.
    """
    hold_person(user)
    time = timedelta(seconds=limit.seconds)
    uses = LimitedUse.objects.filter(user=user, limit=limit.name)
    recent = list(uses.filter(at__gt=now - time).values_list("at", flat=True)[: limit.most])
    if len(recent) >= limit.most:
        raise TooMany(detail, (recent[-1] + time - now).total_seconds())
    uses.filter(at__lte=now - time).delete()
    LimitedUse.objects.create(user=user, limit=limit.name, at=now)
