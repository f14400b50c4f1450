"""Tables without a room (alarms, uses of limits), and a base for rows of games."""

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
    """A row with a column for its game, in addition to the path ``known_by``.

    No query uses the column yet.
    """

    # No index or constraint: each turn would have to write both. The related row in `known_by` has a
    # constraint and is deleted with the game. In Citus its foreign key includes the game.
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
    """Return the models with a game column, each with its other path to the game."""
    every = apps.get_app_config("games").get_models()
    return [(model, model.known_by) for model in every if hasattr(model, "known_by")]


def rows_of_wrong_game(model: type[models.Model], way: str, game_id: int) -> Any:
    """Return a game's rows with a wrong or missing game column."""
    return model._default_manager.filter(**{way: game_id}).exclude(game=F(way))


class Alarm(models.Model):
    """A problem for staff. It is open until it is solved, and kept after that.

    It is about one of three things, with one alarm for each. A ``turn`` could have been played since
    ``due_at``, but was not. A ``job`` of the sweeper failed as a whole (``row`` is 0). Or one ``row`` of a
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
    """An ended game for a ``job`` of the sweeper to count (`jobs.each_ended`)."""

    # The constraint's index covers queries by game.
    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, db_index=False, related_name="+")
    job = models.CharField(max_length=30)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "job"], name="ended_game_once_a_job")]

    def __str__(self) -> str:
        return f"game {self.game_id}, not counted by {self.job}"


def failing_jobs() -> list[str]:
    """Return the names of the sweeper's failing jobs, as of their last runs."""
    failing = Alarm.objects.filter(closed_at=None, row=0).exclude(job="")
    return list(failing.order_by("job").values_list("job", flat=True))


DAY: Final = 24 * 60 * 60


class LimitedUse(models.Model):
    """A use of a limited action. It remains if the result of the action is deleted."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    limit = models.CharField(max_length=30)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["user", "limit", "at"], name="uses_of_a_limit")]

    def __str__(self) -> str:
        return f"{self.limit} of {self.user_id}"


def lock_person(user: User) -> None:
    """Lock a person's row until the transaction ends, always after the rows of games.

    Checks of a person's limits across all games need this lock.
    """
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user.pk)


def consume_limit(limit: Limit, *, user: User, detail: str, now: datetime) -> None:
    """Record one more use of a limit. Raise TooMany with ``detail`` if it is used up.

    Locks the person's row. A use does not count if the transaction is rolled back.
    """
    lock_person(user)
    time = timedelta(seconds=limit.seconds)
    uses = LimitedUse.objects.filter(user=user, limit=limit.name)
    recent = list(uses.filter(at__gt=now - time).values_list("at", flat=True)[: limit.most])
    if len(recent) >= limit.most:
        raise TooMany(detail, (recent[-1] + time - now).total_seconds())
    uses.filter(at__lte=now - time).delete()
    LimitedUse.objects.create(user=user, limit=limit.name, at=now)
