"""Lists of starships that people make."""

from typing import Final

from django.db import models
from django.db.models import Deferrable, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

MOST_SHIPS: Final = 50
"""Starships in one list."""

LONGEST_NAME: Final = 60
LONGEST_TEXT: Final = 500


class StarshipList(models.Model):
    """Starships that a person put together, with a name and a few words about them.

    ``link_token`` opens a list that is seen by those who have its link, and is empty in all others.
    ``changed_at`` tells when its words, its ships or their order changed last. ``size`` is the number of its
    ships, with those that people may not see; ``ships`` is the number of the others, once a selector has
    counted them.
    """

    ships: int

    class SeenBy(models.TextChoices):
        """Who sees a list."""

        OWNER = "owner", _("Only you")
        LINK = "link", _("Anyone who has its link")
        EVERYONE = "everyone", _("Everyone: it is in the library")

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="starship_lists")
    name = models.CharField(max_length=LONGEST_NAME)
    text = models.TextField(max_length=LONGEST_TEXT, blank=True)
    seen_by = models.CharField(max_length=10, choices=SeenBy, default=SeenBy.OWNER)
    link_token = models.CharField(max_length=64, blank=True)
    size = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["-changed_at", "-pk"]
        constraints = [
            models.UniqueConstraint("user", Lower("name"), name="starship_list_name_once"),
            models.UniqueConstraint(
                fields=["link_token"], condition=~Q(link_token=""), name="starship_list_link_unique"
            ),
            models.CheckConstraint(
                name="starship_list_link_where_seen_by_it",
                condition=Q(seen_by="link") & ~Q(link_token="") | ~Q(seen_by="link") & Q(link_token=""),
            ),
        ]
        indexes = [
            models.Index(
                fields=["-changed_at", "-id"], condition=Q(seen_by="everyone"), name="starship_list_public"
            ),
            models.Index(
                fields=["-size", "-changed_at", "-id"],
                condition=Q(seen_by="everyone"),
                name="starship_list_largest",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_public(self) -> bool:
        """Whether everyone sees it."""
        return self.seen_by == self.SeenBy.EVERYONE


class StarshipListEntry(models.Model):
    """A starship in a list, at a place, counted from 0: so there is room for `MOST_SHIPS`."""

    list = models.ForeignKey(StarshipList, on_delete=models.CASCADE, related_name="entries")
    starship = models.ForeignKey("Starship", on_delete=models.CASCADE, related_name="list_entries")
    place = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["list", "place"]
        constraints = [
            models.UniqueConstraint(fields=["list", "starship"], name="starship_once_in_a_list"),
            models.UniqueConstraint(
                fields=["list", "place"], name="starship_list_place_once", deferrable=Deferrable.DEFERRED
            ),
            models.CheckConstraint(name="starship_list_has_room", condition=Q(place__lt=MOST_SHIPS)),
        ]

    def __str__(self) -> str:
        return f"starship {self.starship_id} in list {self.list_id}"
