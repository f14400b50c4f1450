"""The library of starships: places in it, and the boards that stood in them."""

from datetime import datetime
from typing import Final

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.documents import has_format
from rules.notation import LARGEST, STARSHIP_FORMAT, TEXTS


class Starship(models.Model):
    """A place in the library; what it looks like now is its ``current`` revision.

    ``name`` and ``builder`` are those of the current document, kept here for lists; the builder of a ship
    that has an ``owner`` is that person, whom its documents do not name. A retired starship is offered no
    more, and its games go on. Only staff see a ``hidden`` one, which was never offered. A prototype may
    still change from game to game. ``launched_at`` is when a prototype joined the fleet, or when a hidden
    ship was offered. One that staff have taken down, at ``taken_down_at``, is shown no more.
    """

    class Section(models.TextChoices):
        """A part of the library."""

        MISSIONS = "missions", _("Training missions")
        FLEET = "fleet", _("Fleet")
        PROTOTYPES = "prototypes", _("Prototypes")

    slug = models.SlugField(max_length=100, unique=True)
    name = models.CharField(max_length=TEXTS["name"])
    builder = models.CharField(max_length=TEXTS["builder"], blank=True)
    owner = models.ForeignKey(
        "accounts.User", on_delete=models.PROTECT, null=True, editable=False, related_name="starships"
    )
    section = models.CharField(max_length=20, choices=Section)
    position = models.PositiveSmallIntegerField(default=0, help_text=_("Order within the section."))
    seats_least = models.PositiveSmallIntegerField(_("recommended players, at least"), default=1)
    seats_most = models.PositiveSmallIntegerField(_("recommended players, at most"), default=8)
    retired = models.BooleanField(default=False, help_text=_("No longer offered for new games."))
    hidden = models.BooleanField(
        _("not offered yet"),
        default=False,
        db_default=False,
        help_text=_("Only staff see this ship. Players see it once you save it without this mark."),
    )
    current = models.ForeignKey(
        "StarshipRevision", on_delete=models.PROTECT, null=True, editable=False, related_name="+"
    )
    created_at = models.DateTimeField(editable=False)
    launched_at = models.DateTimeField(null=True, editable=False)
    taken_down_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["section", "position", "name"]
        constraints = [
            models.CheckConstraint(
                name="starship_seats_in_order",
                condition=Q(seats_least__gte=1, seats_least__lte=F("seats_most")),
                violation_error_message=_("The least number of players is above the most, or below one."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("starships:detail", args=[self.pk])

    @property
    def in_service_since(self) -> datetime:
        """When it joined the fleet, or the library where it was there from the start."""
        return self.launched_at or self.created_at

    @property
    def is_prototype(self) -> bool:
        """Whether people try it before it may join the fleet."""
        return self.section == self.Section.PROTOTYPES

    @property
    def is_offered(self) -> bool:
        """Whether new games may start on it, as `OFFERED` asks for many."""
        return not self.retired and not self.hidden and self.taken_down_at is None


def offered_by(relation: str) -> Q:
    """Return what is true of rows whose starship is offered; ``relation`` leads to it, such as "starship"."""
    prefix = f"{relation}__" if relation else ""
    needed = {"retired": False, "hidden": False, "taken_down_at": None, "current__isnull": False}
    return Q(**{f"{prefix}{name}": value for name, value in needed.items()})


OFFERED: Final = offered_by("")
"""Starships on which new games may start."""


class StarshipRevision(models.Model):
    """A board as it was saved once, for good: games refer to it, and nothing changes it.

    Games on a ``prototype`` leave no records, also once its ship is in the fleet, as a later revision.
    """

    starship = models.ForeignKey(Starship, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField(help_text=_("Counted from 1."))
    document = models.JSONField(help_text=_("The board as a canonical starship/1 document."))
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    prototype = models.BooleanField(default=False, db_default=False)
    saved_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["starship", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["starship", "number"], name="starship_revision_unique"),
            models.CheckConstraint(
                name="starship_revision_has_its_format", condition=has_format("document", STARSHIP_FORMAT)
            ),
            models.CheckConstraint(
                name="starship_revision_has_a_size",
                condition=Q(width__range=(1, LARGEST), height__range=(1, LARGEST)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.document['name']}, revision {self.number}"
