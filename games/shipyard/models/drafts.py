"""Starships that people draw."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.documents import has_format
from games.play.models import Game
from rules.notation import LARGEST, STARSHIP_FORMAT, TEXTS

MOST_PLAYERS = 8


class Drawing(models.Model):
    """What was drawn: a document whose cells may say anything yet, for a ruleset and a number of players.

    ``ruleset`` is empty where the ship is for any that it will suit. ``name`` is that of the document, kept
    here for lists; ``width`` is the length of its longest row.
    """

    name = models.CharField(max_length=TEXTS["name"], blank=True)
    ruleset = models.CharField(max_length=40, blank=True)
    players = models.PositiveSmallIntegerField(default=4)
    document = models.JSONField(help_text=_("A starship/1 document, in which cells may be wrong."))
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    saved_at = models.DateTimeField()

    class Meta:
        abstract = True


class StarshipDraft(Drawing):
    """A starship that a person is drawing, as it was saved last.

    ``version`` counts how often it was saved, from 1. A fork names its parent: a starship of the library, in
    a revision, or another draft, in a version. ``parent_name`` is what another person's draft was called when
    it was copied. ``link_token`` opens the draft to everyone who has the link; it is empty without a link.
    A draft that staff have taken down, at ``taken_down_at``, is its owner's alone: it gets no link, no bay.
    """

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="starship_drafts")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    parent_revision = models.ForeignKey(
        "StarshipRevision", on_delete=models.SET_NULL, null=True, related_name="+"
    )
    parent_draft = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")
    parent_version = models.PositiveIntegerField(null=True)
    parent_name = models.CharField(max_length=TEXTS["name"], blank=True, default="", db_default="")
    link_token = models.CharField(max_length=64, blank=True, default="", db_default="")
    taken_down_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-saved_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["link_token"], name="starship_draft_link_unique", condition=~Q(link_token="")
            ),
            models.CheckConstraint(
                name="starship_draft_taken_down_has_no_link",
                condition=Q(taken_down_at=None) | Q(link_token=""),
            ),
            models.CheckConstraint(
                name="starship_draft_has_its_format", condition=has_format("document", STARSHIP_FORMAT)
            ),
            models.CheckConstraint(
                name="starship_draft_has_a_size",
                condition=Q(width__range=(1, LARGEST), height__range=(1, LARGEST)),
            ),
            models.CheckConstraint(
                name="starship_draft_has_players", condition=Q(players__range=(1, MOST_PLAYERS))
            ),
            models.CheckConstraint(name="starship_draft_counted_from_1", condition=Q(version__gte=1)),
            models.CheckConstraint(
                name="starship_draft_has_one_parent",
                condition=Q(parent_revision=None) | Q(parent_draft=None),
            ),
        ]

    def __str__(self) -> str:
        return self.name or f"draft {self.pk}"


class DraftVersion(Drawing):
    """A draft as it was saved once, before the last time: for good, until versions are thinned out."""

    draft = models.ForeignKey(StarshipDraft, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()

    class Meta:
        ordering = ["draft", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["draft", "number"], name="draft_version_unique"),
            models.CheckConstraint(
                name="draft_version_has_its_format", condition=has_format("document", STARSHIP_FORMAT)
            ),
            models.CheckConstraint(
                name="draft_version_has_a_size",
                condition=Q(width__range=(1, LARGEST), height__range=(1, LARGEST)),
            ),
            models.CheckConstraint(
                name="draft_version_has_players", condition=Q(players__range=(1, MOST_PLAYERS))
            ),
            models.CheckConstraint(name="draft_version_counted_from_1", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"version {self.number} of draft {self.draft_id}"


class DraftFlight(models.Model):
    """A test flight of a draft, in the version that it had; the game keeps the board itself."""

    draft = models.ForeignKey(StarshipDraft, on_delete=models.CASCADE, related_name="flights")
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="draft_flight")
    version = models.PositiveIntegerField()

    class Meta:
        ordering = ["-pk"]
        constraints = [models.CheckConstraint(name="draft_flight_of_a_version", condition=Q(version__gte=1))]

    def __str__(self) -> str:
        return f"flight {self.game_id} of draft {self.draft_id}"
