"""The tables of records, achievements, contacts, API tokens and deletions of accounts."""

from datetime import timedelta
from typing import Final

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext, gettext_lazy as _

from games.work.models import BelongsToGame

# --- Records ------------------------------------------------------------------------------------------------


class Counters(models.Model):
    """The columns that count a robot's actions (GR-4.1). `Tally` and `Share` inherit them."""

    forward = models.PositiveIntegerField(_("cells moved forward"), default=0)
    backward = models.PositiveIntegerField(_("cells moved backward"), default=0)
    left_turns = models.PositiveIntegerField(_("left turns"), default=0)
    right_turns = models.PositiveIntegerField(_("right turns"), default=0)
    half_turns = models.PositiveIntegerField(_("half turns"), default=0)
    damage_taken = models.PositiveIntegerField(_("damage taken"), default=0)
    deaths = models.PositiveIntegerField(_("times destroyed"), default=0)
    damage_dealt = models.PositiveIntegerField(_("damage dealt"), default=0)
    destroyed = models.PositiveIntegerField(_("robots destroyed"), default=0)
    repaired = models.PositiveIntegerField(_("damage repaired"), default=0)
    power_downs = models.PositiveIntegerField(_("power downs"), default=0)
    pushed = models.PositiveIntegerField(_("robots pushed"), default=0)

    class Meta:
        abstract = True


class Tally(BelongsToGame, Counters):
    """The counters of one player's robot in one game so far (GR-4.1)."""

    known_by = "seat__game_id"

    seat = models.OneToOneField("Seat", on_delete=models.CASCADE, related_name="tally")

    class Meta:
        verbose_name_plural = _("tallies")

    def __str__(self) -> str:
        return gettext("tally of seat {seat}").format(seat=self.seat_id)


class Share(BelongsToGame, Counters):
    """The counters of a robot in one game, for the turns of one of its players.

    Only seats that have had several players have rows in this table. A turn counts for the player who had the
    seat in that turn.
    """

    known_by = "seat__game_id"

    seat = models.ForeignKey("Seat", on_delete=models.CASCADE, related_name="shares")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="shares")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "user"], name="share_one_each")]

    def __str__(self) -> str:
        return gettext("share of {player} in seat {seat}").format(player=self.user_id, seat=self.seat_id)


class Achievement(models.Model):
    """An achievement earned by a player (GR-4.2), with the game and turn that completed it.

    ``key`` is the key of the achievement's definition. ``seen_at`` is the time when the player saw the
    announcement, or None if the player has not seen it.
    """

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="achievements")
    key = models.SlugField(max_length=40)
    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="achievements")
    turn = models.PositiveIntegerField(_("turn number"))
    earned_at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-earned_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="achievement_earned_once")]

    def __str__(self) -> str:
        return f"{self.key} of {self.user_id}"


# --- Contacts -----------------------------------------------------------------------------------------------


LONGEST_NOTE: Final = 1000
"""The maximum length of a note about a player, in characters."""


class Follow(models.Model):
    """The fact that a player follows another player. Both players can see it."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="follows")
    followed = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="followers")
    since = models.DateTimeField()

    class Meta:
        ordering = ["user", "-since", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "followed"], name="follow_once"),
            models.CheckConstraint(name="follow_of_another", condition=~Q(user=F("followed"))),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} follows {self.followed_id}"


class Block(models.Model):
    """The fact that a player has blocked another player. Only the player who blocked can see it."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()

    class Meta:
        ordering = ["user", "-since", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "blocked"], name="block_once"),
            models.CheckConstraint(name="block_of_another", condition=~Q(user=F("blocked"))),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} blocks {self.blocked_id}"


class Housemate(models.Model):
    """A player's claim to live with another player. It takes effect once the other player makes it too."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="housemates")
    person = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()

    class Meta:
        ordering = ["user", "-since", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "person"], name="housemate_once"),
            models.CheckConstraint(name="housemate_of_another", condition=~Q(user=F("person"))),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} lives with {self.person_id}"


class PlayerNote(models.Model):
    """A player's private note about another player."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="player_notes")
    about = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    text = models.CharField(max_length=LONGEST_NOTE)
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["user", "-changed_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "about"], name="player_note_once"),
            models.CheckConstraint(name="player_note_of_another", condition=~Q(user=F("about"))),
            models.CheckConstraint(name="player_note_says_something", condition=~Q(text="")),
        ]

    def __str__(self) -> str:
        return f"note of {self.user_id} about {self.about_id}"


# --- API tokens ---------------------------------------------------------------------------------------------


LONGEST_TOKEN_NAME: Final = 40
"""The maximum length of an API token's name, in characters."""


TOKEN_LIFETIME: Final = 90
"""The default lifetime of an API token, in days."""


class ApiToken(models.Model):
    """A token of the API. Only the token's hash is stored, so reading the database gives no access."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="api_tokens")
    digest = models.CharField(_("SHA-256 of the token"), max_length=64, unique=True)
    name = models.CharField(
        max_length=LONGEST_TOKEN_NAME,
        blank=True,
        default="",
        db_default="",
        help_text=_("The name that the owner gave the token."),
    )
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(_("last used"), null=True)
    expires_at = models.DateTimeField(
        _("expires"),
        db_index=True,
        db_default=Now() + timedelta(days=TOKEN_LIFETIME),
        help_text=_("When the token stops working."),
    )

    class Meta:
        ordering = ["-created_at"]
        verbose_name = _("API token")

    def __str__(self) -> str:
        return f"token {self.pk} of {self.user_id}"


# --- Deletion -----------------------------------------------------------------------------------------------


class Deletion(models.Model):
    """The deletion of an account. Workers complete the deletion game by game.

    The account becomes a placeholder as soon as this row exists. Workers search games and other texts for
    ``name`` and ``address``, which are emptied when the deletion is complete. If ``takes_chat`` is set, the
    person's words in chats and reviews are deleted too. ``by`` is the member of staff who deleted the
    account, or None if the person deleted it.
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
            )
        ]

    def __str__(self) -> str:
        return gettext("deletion of person {person}").format(person=self.user_id)


class Forgetting(models.Model):
    """A game to rewrite without a deleted person's name. From ``done_at`` on, it no longer names the person.

    ``attempts`` counts the attempts to rewrite the game. It increases before each attempt. ``error`` is the
    reason why the last attempt failed.
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
