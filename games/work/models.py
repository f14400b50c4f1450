"""Models of alarms, ended games and uses of limits, and the base of models whose rows belong to a game."""

from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from django.apps import apps
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext, gettext_lazy as _

from accounts.limits import Limit
from accounts.models import User
from games.errors import NotFound, TooMany


class BelongsToGame(models.Model):
    """A base for models whose rows belong to a game. It adds a column with the game.

    ``known_by`` is the lookup path to the game through other models. No query uses the column yet.
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
    """Return the models based on `BelongsToGame`, each with its lookup path to the game (``known_by``)."""
    every = apps.get_app_config("games").get_models()
    return [(model, model.known_by) for model in every if hasattr(model, "known_by")]


def rows_of_wrong_game(model: type[models.Model], way: str, game_id: int) -> Any:
    """Return a query for a game's rows whose column for the game is wrong or empty.

    ``way`` is the model's other lookup path to the game.
    """
    return model._default_manager.filter(**{way: game_id}).exclude(game=F(way))


class Alarm(models.Model):
    """A problem that staff must solve. It is open until it is solved, and is stored after that.

    There are three kinds of alarm: a ``turn`` was not played although it was due at ``due_at``; a ``job`` of
    the sweeper failed as a whole (``row`` is 0); or a job failed for one ``row`` and has set it aside, so
    that it does not block other rows. ``kind`` is the row's model. Each turn, job or row has at most one
    alarm.

    ``game`` is the game of the turn or row, if it has one. ``error`` is the reason, and ``attempts`` is the
    number of attempts. The job tries the row again at ``retry_at``. A closed alarm opens again if the same
    turn, job or row fails again.
    """

    known_by = "turn__game_id"

    turn = models.OneToOneField("Turn", on_delete=models.CASCADE, null=True, related_name="alarm")
    job = models.CharField(_("sweeper job"), max_length=30, blank=True, default="", db_default="")
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
    """An ended game that a ``job`` of the sweeper has not counted yet (`jobs.count_ended_games`)."""

    # The constraint's index covers queries by game.
    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, db_index=False, related_name="+")
    job = models.CharField(max_length=30)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "job"], name="ended_game_once_a_job")]

    def __str__(self) -> str:
        return f"game {self.game_id}, not counted by {self.job}"


def failing_jobs() -> list[str]:
    """Return the names of the sweeper's jobs that failed when they last ran."""
    failing = Alarm.objects.filter(closed_at=None, row=0).exclude(job="")
    return list(failing.order_by("job").values_list("job", flat=True))


DAY: Final = 24 * 60 * 60


class LimitedUse(models.Model):
    """One use of an action by a person. Each person may use the action only a limited number of times.

    The use still counts if the result of the action is deleted.
    """

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    limit = models.CharField(max_length=30)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["user", "limit", "at"], name="uses_of_a_limit")]

    def __str__(self) -> str:
        return f"{self.limit} of {self.user_id}"


def lock_person(user: User) -> None:
    """Lock a person's row until the transaction ends. Lock the rows of games before the rows of people.

    Every check of a limit that applies to all of a person's games must hold this lock. Raises NotFound for a
    guest who has just logged in as another player, because the guest's row no longer exists.
    """
    if not User.objects.select_for_update(no_key=True).only("pk").filter(pk=user.pk):
        raise NotFound("no-guest", gettext("You are now logged in as another player. Reload the page."))


def consume_limit(limit: Limit, *, user: User, detail: str, now: datetime) -> None:
    """Record that a person has used an action with a limit. Raise TooMany with ``detail`` at the limit.

    This locks the person's row. If the transaction is rolled back, the use does not count.
    """
    lock_person(user)
    time = timedelta(seconds=limit.seconds)
    uses = LimitedUse.objects.filter(user=user, limit=limit.name)
    recent = list(uses.filter(at__gt=now - time).values_list("at", flat=True)[: limit.most])
    if len(recent) >= limit.most:
        raise TooMany(detail, (recent[-1] + time - now).total_seconds())
    uses.filter(at__lte=now - time).delete()
    LimitedUse.objects.create(user=user, limit=limit.name, at=now)
