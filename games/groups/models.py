"""Models of group channels and their announcements."""

from typing import TYPE_CHECKING, Final, Union
from urllib.parse import urlsplit

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.news.models import Queued
from games.work import enqueue

if TYPE_CHECKING:
    from games.clubs.models import Club
    from games.play.models import Game

LONGEST_ADDRESS: Final = 1000
LONGEST_ROOM: Final = 255


class Service(models.TextChoices):
    """A service with channels for groups."""

    DISCORD = "discord", "Discord"
    SLACK = "slack", "Slack"
    MATRIX = "matrix", "Matrix"
    WEBHOOK = "webhook", _("Webhook")


class News(models.TextChoices):
    """A kind of news in a group channel."""

    TURN = "turn", _("Whose turn it is")
    PLAYED = "played", _("A turn was played, with a picture")
    DEADLINE = "deadline", _("A deadline is near")
    ROUND = "round", _("A round of a tournament was drawn")
    END = "end", _("The end of a game or tournament")


def all_news() -> list[str]:
    return list(News.values)


class GroupChannel(Queued):
    """A channel at a chat service that gets the news of a game, a club or a tournament.

    ``address`` is secret: the address of a Discord or Slack webhook lets anyone post. For Matrix, it is the
    homeserver, and ``room`` is the ID of the room, and ``token`` the access token of the account that posts.
    For a program, ``secret`` is the key of the signatures. ``language`` is the language of the messages.

    A worker claims the channel, not its announcements, so they are posted in order. ``attempts`` counts the
    failures in a row. All posts since ``failing_since`` have failed. After some days of failures, the channel
    is switched off. ``failure`` is the reason for the last failure, encoded by `games.work.jobs`.
    """

    OPEN = Q(switched_off_at=None)

    game = models.ForeignKey("Game", on_delete=models.CASCADE, null=True, related_name="group_channels")
    club = models.ForeignKey("Club", on_delete=models.CASCADE, null=True, related_name="group_channels")
    tournament = models.ForeignKey(
        "Tournament", on_delete=models.CASCADE, null=True, related_name="group_channels"
    )
    service = models.CharField(max_length=10, choices=Service)
    address = models.CharField(max_length=LONGEST_ADDRESS)
    room = models.CharField(max_length=LONGEST_ROOM, blank=True)
    token = models.CharField(max_length=1000, blank=True)
    secret = models.CharField(max_length=64, blank=True)
    language = models.CharField(max_length=10)
    news = ArrayField(models.CharField(max_length=10, choices=News), default=all_news)
    made_by = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="group_channels")
    made_at = models.DateTimeField()
    answered_at = models.DateTimeField(_("last success"), null=True)
    failing_since = models.DateTimeField(null=True)
    failure = models.CharField(max_length=300, blank=True)
    switched_off_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="group_channel_of_one_thing",
                condition=Q(game__isnull=False, club=None, tournament=None)
                | Q(game=None, club__isnull=False, tournament=None)
                | Q(game=None, club=None, tournament__isnull=False),
            ),
            models.CheckConstraint(
                name="group_channel_off_for_a_reason",
                condition=Q(switched_off_at=None) | Q(failing_since__isnull=False) & ~Q(failure=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.service} channel {self.pk}"

    @property
    def channel_name(self) -> str:
        return "group"

    @property
    def task(self) -> str:
        return enqueue.POST_ANNOUNCEMENTS

    @property
    def owner(self) -> Union["Game", "Club", models.Model]:
        """The game, club or tournament that the channel belongs to."""
        owner = self.game or self.club or self.tournament
        assert owner
        return owner

    @property
    def hint(self) -> str:
        """The address without its secret part: the host, and the last four characters."""
        host = urlsplit(self.address).netloc
        return f"{host}/…{self.address[-4:]}" if self.service != Service.MATRIX else f"{host} {self.room}"


class Announcement(models.Model):
    """A piece of news for a group channel. The row is an entry of the channel's queue.

    Its topic is a game's turn, or the end of a game; or a round or the end of a tournament. ``number`` is the
    number of the turn or round, and 0 for the end. ``message`` is the ID of the first announcement of the
    message that contains this one. It is set right before the message is sent.
    """

    class Status(models.TextChoices):
        PENDING = "pending", _("Waiting")
        SENT = "sent", _("Sent")
        OUTDATED = "outdated", _("Outdated")
        UNCERTAIN = "uncertain", _("Interrupted while it was sent")
        REFUSED = "refused", _("Refused by the service")

    channel = models.ForeignKey(GroupChannel, on_delete=models.CASCADE, related_name="announcements")
    kind = models.CharField(max_length=10, choices=News)
    game = models.ForeignKey("Game", on_delete=models.CASCADE, null=True, related_name="+")
    tournament = models.ForeignKey("Tournament", on_delete=models.CASCADE, null=True, related_name="+")
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    message = models.BigIntegerField(null=True)
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["channel", "id"], name="announcements_pending", condition=Q(status="pending")
            ),
            models.Index(fields=["created_at"], name="announcements_by_age"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["game", "number", "kind", "channel"], name="announced_once"),
            models.UniqueConstraint(
                fields=["tournament", "number", "kind", "channel"], name="announced_once_of_a_tournament"
            ),
            models.CheckConstraint(
                name="announcement_of_one_thing",
                condition=Q(game__isnull=False, tournament=None) | Q(game=None, tournament__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number} of {self.game_id or self.tournament_id} in {self.channel_id}"
