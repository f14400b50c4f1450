"""Models of clubs, members and candidates."""

from typing import Final

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

LONGEST_NAME: Final = 40
LONGEST_TEXT: Final = 2000
"""Characters of a club's description."""


NAME_VECTOR: Final = SearchVector("name", config="simple")
"""The words of a club's name, as Postgres indexes them."""


class Club(models.Model):
    """A club of players. Its ``slug`` changes only if staff change its name."""

    class Entry(models.TextChoices):
        """The ways to become a member."""

        OPEN = "open", _("Everyone")
        REQUEST = "request", _("On request")
        INVITED = "invited", _("Invited players")

    slug = models.SlugField(max_length=LONGEST_NAME, unique=True)
    name = models.CharField(max_length=LONGEST_NAME)
    text = models.TextField(max_length=LONGEST_TEXT, blank=True)
    entry = models.CharField(max_length=10, choices=Entry, default=Entry.OPEN)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["name"]
        indexes = [GinIndex(NAME_VECTOR, name="clubs_by_words")]
        constraints = [models.UniqueConstraint(Lower("name"), name="club_name_once")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("clubs:club", args=[self.slug])


class Membership(models.Model):
    """A player's membership of a club. Each club has one captain."""

    class Role(models.TextChoices):
        """Rights in a club. Officers admit and remove members; captains may do everything."""

        CAPTAIN = "captain", _("Captain")
        OFFICER = "officer", _("Officer")
        MEMBER = "member", _("Member")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.MEMBER)
    since = models.DateTimeField()

    class Meta:
        ordering = ["since", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="membership_once"),
            models.UniqueConstraint(
                fields=["club"], name="club_has_one_captain", condition=Q(role="captain")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.user_id} of {self.club_id}"


class Candidate(models.Model):
    """A candidate: a player who asked to join, or was ``invited`` by an officer."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="candidates")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="candidacies")
    invited = models.BooleanField()
    since = models.DateTimeField()

    class Meta:
        ordering = ["since", "pk"]
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="candidate_once")]

    def __str__(self) -> str:
        return f"candidate {self.user_id} of {self.club_id}"


class ClubGame(models.Model):
    """A members-only game. It becomes an ordinary game if the club closes."""

    game = models.OneToOneField(
        "games.Game", on_delete=models.CASCADE, primary_key=True, related_name="club_game"
    )
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="club_games")

    def __str__(self) -> str:
        return f"game {self.game_id} of {self.club_id}"
