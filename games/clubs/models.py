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
"""The maximum number of characters in a club's description."""


NAME_VECTOR: Final = SearchVector("name", config="simple")
"""The words of a club's name as a Postgres search vector."""


class Club(models.Model):
    """A club of players. Its ``slug`` changes only if staff change its name.

    ``link_token`` is the token of its invitation link, or empty if it has none.
    """

    class Entry(models.TextChoices):
        """The ways to become a member of a club."""

        OPEN = "open", _("Everyone")
        REQUEST = "request", _("On request")
        INVITED = "invited", _("Invited players")

    slug = models.SlugField(max_length=LONGEST_NAME, unique=True)
    name = models.CharField(max_length=LONGEST_NAME)
    text = models.TextField(max_length=LONGEST_TEXT, blank=True)
    entry = models.CharField(max_length=10, choices=Entry, default=Entry.OPEN)
    link_token = models.CharField(max_length=64, blank=True, default="", db_default="")
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
        """The role of a member. Officers invite, admit and remove members. Captains may do everything."""

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


BY_MAIL: Final = ~Q(email="")
"""The condition for a `Candidate` whom an officer has invited by mail."""


class Candidate(models.Model):
    """A candidate for a club: a player who asked to join, or was ``invited`` by an officer.

    An officer, ``invited_by``, can also invite the reader of an ``email`` address. If the address belongs to
    an account, ``user`` is its owner while they can accept. Such a row stays until it is too old, whatever
    its reader does, so that it does not reveal who that is.
    """

    class Status(models.TextChoices):
        """The state of an invitation by mail. Other rows are deleted instead."""

        OPEN = "open", _("Open")
        ACCEPTED = "accepted", _("Accepted")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="candidates")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, null=True, related_name="candidacies")
    email = models.EmailField(blank=True, default="", db_default="")
    invited = models.BooleanField()
    invited_by = models.ForeignKey("accounts.User", on_delete=models.CASCADE, null=True, related_name="+")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN, db_default=Status.OPEN)
    since = models.DateTimeField()

    class Meta:
        ordering = ["since", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="candidate_once"),
            models.UniqueConstraint(
                fields=["club", "email"], name="candidate_once_by_mail", condition=BY_MAIL
            ),
            models.CheckConstraint(
                name="candidate_is_a_person_or_an_address",
                condition=Q(email="", user__isnull=False, invited_by=None)
                | BY_MAIL & Q(invited=True, invited_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"candidate {self.user_id or self.email} of {self.club_id}"


class ClubGame(models.Model):
    """A game only for members of a club. It becomes an ordinary game if the club closes."""

    game = models.OneToOneField(
        "games.Game", on_delete=models.CASCADE, primary_key=True, related_name="club_game"
    )
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="club_games")

    def __str__(self) -> str:
        return f"game {self.game_id} of {self.club_id}"
