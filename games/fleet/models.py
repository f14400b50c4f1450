"""Models of starships, courses, missions, figures, favourites and lists of starships."""

from datetime import datetime
from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Deferrable, F, Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.errors import has_format
from games.work.models import BelongsToGame
from rules.notation import MAX_BOARD_SIDE, STARSHIP_FORMAT, TEXTS


class Starship(models.Model):
    """A starship of the library. Its ``current`` revision is its present board.

    ``name`` and ``builder`` are copied from the current document, for lists. If a ship has an ``owner``, that
    person is its builder, and the builder is empty in its documents. A ``retired`` ship cannot be chosen for
    new games, but its running games continue. Only staff see a ``hidden`` ship; a ship can be hidden only
    until it is first offered. The board of a prototype may change from game to game. ``launched_at`` is the
    time when a prototype joined the fleet, or when a hidden ship was offered. ``taken_down_at`` is the time
    when staff took the ship down. Since then, players cannot see it.
    """

    class Section(models.TextChoices):
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
    seats_least = models.PositiveSmallIntegerField(_("minimum recommended players"), default=1)
    seats_most = models.PositiveSmallIntegerField(_("maximum recommended players"), default=8)
    retired = models.BooleanField(default=False, help_text=_("No longer offered for new games."))
    hidden = models.BooleanField(
        _("not offered yet"),
        default=False,
        db_default=False,
        help_text=_("Only staff see this ship. Clear this box and save to show it to players."),
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
                violation_error_message=_("The minimum number of players must be from 1 to the maximum."),
            )
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("starships:detail", args=[self.pk])

    @property
    def in_service_since(self) -> datetime:
        """The time when the ship joined the fleet or was first offered, or else when it was first saved."""
        return self.launched_at or self.created_at

    @property
    def is_prototype(self) -> bool:
        return self.section == self.Section.PROTOTYPES

    @property
    def is_offered(self) -> bool:
        """Whether new games can use the ship. In SQL, use `OFFERED`, which also requires a board."""
        return not self.retired and not self.hidden and self.taken_down_at is None


def offered_through(relation: str) -> Q:
    """Return the SQL condition for starships offered for new games.

    ``relation`` is the lookup that leads to the starship.
    """
    prefix = f"{relation}__" if relation else ""
    needed = {"retired": False, "hidden": False, "taken_down_at": None, "current__isnull": False}
    return Q(**{f"{prefix}{name}": value for name, value in needed.items()})


OFFERED: Final = offered_through("")
"""The SQL condition for starships offered for new games."""


class StarshipRevision(models.Model):
    """A revision of a starship's board. It never changes, because games refer to it.

    The games on a ``prototype`` revision do not count in the ship's record, even after the ship joins the
    fleet with a later revision.
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
                condition=Q(width__range=(1, MAX_BOARD_SIDE), height__range=(1, MAX_BOARD_SIDE)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.document['name']}, revision {self.number}"


class Course(BelongsToGame):
    """A board made for one game: joined boards, a turned board, or a board with other checkpoints.

    A course without pieces is the board of a test flight on a draft.
    """

    known_by = "of_game__id"

    name = models.CharField(max_length=TEXTS["name"])
    document = models.JSONField(help_text=_("The board as a canonical starship/1 document."))
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="course_has_its_format", condition=has_format("document", STARSHIP_FORMAT)
            ),
            models.CheckConstraint(
                name="course_has_a_size",
                condition=Q(width__range=(1, MAX_BOARD_SIDE), height__range=(1, MAX_BOARD_SIDE)),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Piece(BelongsToGame):
    """A board in a course, with its position and its number of quarter turns clockwise.

    ``column`` and ``row`` count boards, from 0. Pieces are saved in the order in which the host placed them.
    """

    known_by = "course__of_game__id"

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="pieces")
    revision = models.ForeignKey("StarshipRevision", on_delete=models.PROTECT, related_name="pieces")
    column = models.PositiveSmallIntegerField()
    row = models.PositiveSmallIntegerField()
    turned = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["course", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["course", "column", "row"], name="piece_alone_in_its_place"),
            models.CheckConstraint(name="piece_turned_by_quarters", condition=Q(turned__range=(0, 3))),
        ]

    def __str__(self) -> str:
        return f"piece of course {self.course_id}"


LESSON_FORMAT: Final = "lesson/1"
LONGEST_TITLE: Final = 80


class Mission(models.Model):
    """A training mission: a starship, and a lesson about its board.

    ``number`` is its position in the list of missions, from 1. ``lesson`` is a document with texts about
    cells of the board (``docs/formats.md``).
    """

    slug = models.SlugField(max_length=100, unique=True)
    number = models.PositiveSmallIntegerField(unique=True)
    title = models.CharField(max_length=LONGEST_TITLE)
    starship = models.ForeignKey("Starship", on_delete=models.PROTECT, related_name="missions")
    options = models.JSONField(default=dict, help_text=_("The Robo Runner options of the mission."))
    lesson = models.JSONField(help_text=_("A lesson/1 document."))
    saved_by = models.ForeignKey(
        "accounts.User",
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        help_text=_("The member of staff who saved it last. Empty for missions that come with the game."),
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.CheckConstraint(name="mission_counted_from_1", condition=Q(number__gte=1)),
            models.CheckConstraint(
                name="mission_has_a_lesson", condition=has_format("lesson", LESSON_FORMAT)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.title}"


class StarshipFacts(models.Model):
    """Facts about a starship for the library's search, derived from its ``revision``.

    ``rulesets`` are the keys of suitable rulesets, the best match first. ``edition`` identifies the versions
    of the rulesets and of the search from which the facts were derived (`facts_edition`). ``elements`` are
    keys of `games.fleet.search.ELEMENTS`. ``cells`` is the number of cells, which determines the ship's
    class. ``turns`` is the expected length of a game in turns, or None if unknown.
    """

    starship = models.OneToOneField(
        "Starship", on_delete=models.CASCADE, primary_key=True, related_name="facts"
    )
    revision = models.ForeignKey(
        "StarshipRevision", on_delete=models.CASCADE, related_name="+", db_index=False
    )
    edition = models.CharField(max_length=16)
    cells = models.PositiveIntegerField()
    turns = models.PositiveSmallIntegerField(null=True)
    elements = ArrayField(models.CharField(max_length=20))
    rulesets = ArrayField(models.CharField(max_length=40))

    def __str__(self) -> str:
        return f"facts of starship {self.starship_id}"


class StarshipFigures(models.Model):
    """Figures about the finished games on a starship. `recount_figures` can recalculate them.

    ``played`` counts its games as a ship of the library. ``prototype_played`` counts its games as a
    prototype; all other figures leave these games out. ``people`` is the number of different people in its
    games. ``among_people`` counts the games that at least two people played to the end. The other figures are
    about these games: ``lengths`` maps each number of turns to the number of games, ``median`` is the median
    number of turns, and ``starts`` maps each start cell, as “x,y”, to the numbers of robots and of winners.
    """

    starship = models.OneToOneField(
        "Starship", on_delete=models.CASCADE, primary_key=True, related_name="figures"
    )
    played = models.PositiveIntegerField(default=0)
    prototype_played = models.PositiveIntegerField(default=0)
    people = models.PositiveIntegerField(default=0)
    among_people = models.PositiveIntegerField(default=0)
    median = models.PositiveIntegerField(null=True)
    lengths = models.JSONField(default=dict)
    starts = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"figures of starship {self.starship_id}"


class Flier(models.Model):
    """A person who has finished a game on a starship."""

    starship = models.ForeignKey("Starship", on_delete=models.CASCADE, related_name="fliers")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="flown")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["starship", "user"], name="flier_once")]

    def __str__(self) -> str:
        return f"{self.user_id} on starship {self.starship_id}"


class StarshipWeek(models.Model):
    """The ship of the week, for one week from Monday in UTC. It does not change during the week.

    ``stars`` is its rating at the time of the choice, or None if it had too few reviews. ``before`` is the
    last earlier week in which the same ship was chosen, or None if there is none.
    """

    week = models.DateField(unique=True)
    starship = models.ForeignKey("Starship", on_delete=models.CASCADE, related_name="weeks")
    stars = models.DecimalField(max_digits=3, decimal_places=2, null=True)
    before = models.DateField(null=True)
    chosen_at = models.DateTimeField()

    class Meta:
        ordering = ["-week"]
        constraints = [
            models.CheckConstraint(name="starship_week_begins_on_monday", condition=Q(week__iso_week_day=1))
        ]

    def __str__(self) -> str:
        return f"starship {self.starship_id}, week of {self.week}"


class Favourite(models.Model):
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="favourites")
    starship = models.ForeignKey("Starship", on_delete=models.CASCADE, related_name="favourites")
    added_at = models.DateTimeField()

    class Meta:
        ordering = ["-added_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["user", "starship"], name="favourite_once")]

    def __str__(self) -> str:
        return f"starship {self.starship_id}, favourite of {self.user_id}"


SHIPS_IN_LIST: Final = 50

LONGEST_LIST_NAME: Final = 60
LONGEST_LIST_TEXT: Final = 500


class StarshipList(models.Model):
    """A person's list of starships, with a name and a description.

    ``link_token`` is the secret part of the link to a list that is shared by link. It is empty for other
    lists. ``changed_at`` is the time of the last change to its name, description, audience or ships. ``size``
    is the number of its ships, including ships that players cannot see. ``ships`` is the number of visible
    ships; only `counted_lists` sets it.
    """

    ships: int

    class SeenBy(models.TextChoices):
        """The audience of a list."""

        OWNER = "owner", _("Only you")
        LINK = "link", _("Anyone with the link")
        EVERYONE = "everyone", _("Everyone, in the library")

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="starship_lists")
    name = models.CharField(max_length=LONGEST_LIST_NAME)
    text = models.TextField(max_length=LONGEST_LIST_TEXT, blank=True)
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
        return self.seen_by == self.SeenBy.EVERYONE


class StarshipListEntry(models.Model):
    """A starship in a list. ``place`` is its position, from 0."""

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
            models.CheckConstraint(name="starship_list_has_room", condition=Q(place__lt=SHIPS_IN_LIST)),
        ]

    def __str__(self) -> str:
        return f"starship {self.starship_id} in list {self.list_id}"
