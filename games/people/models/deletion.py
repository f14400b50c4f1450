"""Accounts that are being deleted, and the games that still have to forget them."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class Deletion(models.Model):
    """The end of an account: its row is a placeholder from the start, and workers see to the rest.

    ``name`` and ``address`` are what has to be found in games and elsewhere; they are empty once it is done.
    ``takes_chat`` says that what the person said goes as well, in chats and in reviews. ``by`` is the member
    of staff who did it, None where it was the person.
    """

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="deletion")
    by = models.ForeignKey("accounts.User", on_delete=models.SET_NULL, null=True, related_name="+")
    name = models.CharField(_("Robo Name"), max_length=40, blank=True)
    address = models.EmailField(blank=True)
    takes_chat = models.BooleanField(default=False)
    asked_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)
    offered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-asked_at", "-pk"]
        indexes = [models.Index(fields=["asked_at"], name="deletions_under_way", condition=Q(done_at=None))]
        constraints = [
            models.CheckConstraint(
                name="deletion_forgets_in_the_end",
                condition=Q(done_at=None) & ~Q(name="") | Q(done_at__isnull=False, name="", address=""),
            ),
        ]

    def __str__(self) -> str:
        return gettext("deletion of person {person}").format(person=self.user_id)


class Forgetting(models.Model):
    """A game in which a person who is being deleted had a part; since ``done_at`` it knows nothing of them.

    ``attempts`` to rewrite it are counted before each, and ``error`` tells of the last.
    """

    deletion = models.ForeignKey(Deletion, on_delete=models.CASCADE, related_name="games")
    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="+")
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["deletion", "game"], name="forgetting_once")]

    def __str__(self) -> str:
        return gettext("game {game} in deletion {deletion}").format(
            game=self.game_id, deletion=self.deletion_id
        )
