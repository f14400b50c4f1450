"""Games and the people in them."""

from datetime import datetime
from typing import Final

from django.db import models
from django.db.models import F, Q, Value
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import LOOKS, Frequency, Standing
from games.errors import has_format
from games.fleet.models import Course, StarshipRevision

PACE_FORMAT = "pace/2"
PACE_FORMAT_BEFORE = "pace/1"
"""What processes of the version before write, while a deploy is under way: a pace/2 with hours alone."""


ABSENCE_FORMAT = "absence/1"


def usual_absence() -> dict[str, object]:
    """Return what becomes of players who miss turns where nothing else is settled, as a document."""
    return {"format": ABSENCE_FORMAT, "policy": "random", "excused": None}


class Game(models.Model):
    """One game, from the invitation to its end.

    It pins ruleset, version and starship revision, so that nothing published later changes it. Where a
    board was put together for it, that is its ``course``, and ``revision`` the first piece of it. A test
    flight has no ``revision``: its board is none of the library, but drawn by its player.
    ``turn`` is the number of the turn under way, or of the last one. ``seed`` is a secret until the
    game is over; the ``commitment`` to it is for all to see from the start (`rules.commitment`).
    ``heads_from`` is the first turn in which players could see a head, if that was not the
    first turn of all. ``link_token`` opens a private game to anyone who was
    given it. A game that ``starts_itself`` does so once all seats are taken and all players ready. A training
    ``mission`` is played alone, to learn. From ``paused_at`` to ``paused_until`` its clocks stand still: that
    is the last pause, which may be over. ``last_seq`` counts the log. ``intervened`` says that staff did
    something about it. ``winner`` is the winning robot's name, or the squad; empty while there is none or the
    game was lost. ``ending`` says what ended a game that had started and that its rules did not end; the turn
    that was under way then stays open, and is never played.
    """

    class Status(models.TextChoices):
        """How far a game has come."""

        OPEN = "open", _("Open to join")
        RUNNING = "running", _("Being played")
        OVER = "over", _("Over")
        CANCELLED = "cancelled", _("Cancelled")

    class Ending(models.TextChoices):
        """What ended a game before its rules did: the words of `game/1` files."""

        VOTED = "voted", _("Called off by vote")
        CONCEDED = "conceded", _("Conceded by vote")
        STAFF = "staff", _("Called off by staff")
        DESERTED = "deserted", _("Called off: no player was left")
        RESIGNED = "resigned", _("Ended by resignation")

    class Rated(models.TextChoices):
        """Whether a game changes ratings: usually it does if it is public, and among people alone."""

        USUAL = "usual", _("If it is public and among people")
        YES = "yes", _("Yes, in any case")
        NO = "no", _("No")

    name = models.CharField(max_length=80)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    ruleset = models.CharField(max_length=40)
    version = models.PositiveSmallIntegerField(_("version of the ruleset"))
    options = models.JSONField(help_text=_("Every option of the ruleset's version, with its value."))
    house_rules = models.JSONField(
        default=dict, help_text=_("Every house rule that it knows, with its value.")
    )
    revision = models.ForeignKey(
        "StarshipRevision", on_delete=models.PROTECT, null=True, related_name="games"
    )
    course = models.OneToOneField("Course", on_delete=models.PROTECT, null=True, related_name="of_game")
    seats = models.PositiveSmallIntegerField(_("number of seats"))
    host = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="hosted_games")
    private = models.BooleanField(default=False, help_text=_("Found only by its link."))
    least_reliability = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text=_("How reliable players must be to join, in percent.")
    )
    rated = models.CharField(
        max_length=10,
        choices=Rated,
        default=Rated.USUAL,
        db_default=Rated.USUAL,
        help_text=_("Whether it changes ratings."),
    )
    link_token = models.CharField(max_length=64, unique=True)
    starts_itself = models.BooleanField(
        default=True, help_text=_("Starts when it is full and all are ready; otherwise its host starts it.")
    )
    mission = models.ForeignKey("Mission", on_delete=models.PROTECT, null=True, related_name="games")
    rematch_of = models.OneToOneField("self", on_delete=models.SET_NULL, null=True, related_name="rematch")
    pace = models.JSONField(help_text=_("How fast it is played, as a pace/2 document."))
    absence = models.JSONField(
        default=usual_absence,
        db_default=Value(usual_absence(), models.JSONField()),
        help_text=_("What happens to players who miss turns, as an absence/1 document."),
    )
    seed = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64, blank=True, db_default="", default="")
    heads_from = models.PositiveIntegerField(null=True)
    paused_at = models.DateTimeField(null=True)
    paused_until = models.DateTimeField(null=True)
    turn = models.PositiveIntegerField(null=True)
    last_seq = models.PositiveIntegerField(default=0)
    intervened = models.BooleanField(_("staff intervened"), default=False, db_default=False)
    winner = models.CharField(max_length=40, blank=True)
    ending = models.CharField(max_length=10, choices=Ending, blank=True, default="", db_default="")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    moved_at = models.DateTimeField(
        help_text=_("When a player last joined or moved, or a turn was resolved.")
    )

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["status", "-moved_at"], name="games_by_status"),
            # For counts of the games on a board: they need no row of a game.
            models.Index(
                fields=["revision"], include=["id", "status", "ending", "started_at"], name="games_by_board"
            ),
            models.Index(fields=["created_at"], name="games_open", condition=Q(status="open")),
        ]
        constraints = [
            models.CheckConstraint(name="game_has_seats", condition=Q(seats__gte=1)),
            models.CheckConstraint(
                name="game_has_a_board", condition=Q(revision__isnull=False) | Q(course__isnull=False)
            ),
            models.CheckConstraint(
                name="game_least_reliability_in_percent", condition=Q(least_reliability__lte=100)
            ),
            models.CheckConstraint(
                name="game_has_its_pace",
                condition=has_format("pace", PACE_FORMAT) | has_format("pace", PACE_FORMAT_BEFORE),
            ),
            models.CheckConstraint(
                name="game_has_its_absence", condition=has_format("absence", ABSENCE_FORMAT)
            ),
            models.CheckConstraint(
                name="game_status_fits_its_times",
                condition=Q(status="open", turn=None, started_at=None, ended_at=None)
                | Q(status="running", turn__isnull=False, started_at__isnull=False, ended_at=None)
                | Q(status="over", turn__isnull=False, started_at__isnull=False, ended_at__isnull=False)
                | Q(status="cancelled", ended_at__isnull=False),
            ),
            models.CheckConstraint(
                name="game_paused_for_a_while",
                condition=Q(paused_at=None, paused_until=None)
                | Q(paused_at__isnull=False, paused_until__isnull=False, paused_until__gt=F("paused_at")),
            ),
            models.CheckConstraint(name="game_won_only_when_over", condition=Q(winner="") | Q(status="over")),
            models.CheckConstraint(
                name="game_ending_fits_its_status",
                condition=Q(ending="")
                | Q(ending="conceded", status="over") & ~Q(winner="")
                | Q(ending="resigned", status__in=["over", "cancelled"], started_at__isnull=False)
                | Q(ending__in=["voted", "staff", "deserted"], status="cancelled", started_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The address of the game's page."""
        return reverse("games:game", args=[self.pk])

    @property
    def is_live(self) -> bool:
        """Whether its turns last minutes."""
        return "minutes" in self.pace

    @property
    def has_deadlines(self) -> bool:
        """Whether the time for a turn is limited."""
        return any(self.pace.get(key) is not None for key in ("hours", "minutes", "bank"))

    @property
    def board_name(self) -> str:
        """What the board is called that the game is played on."""
        if self.course:
            return self.course.name
        assert self.revision
        return self.revision.starship.name

    @property
    def board(self) -> Course | StarshipRevision:
        """What it is played on: a board that was put together or drawn for it, or one of the library."""
        board = self.course or self.revision
        assert board
        return board

    @property
    def is_test_flight(self) -> bool:
        """Whether its board is none of the library: then it counts for nothing."""
        return self.revision_id is None

    @property
    def prototype_version(self) -> int | None:
        """Which version of a prototype it is played on, whatever became of it since; None on others."""
        return self.revision.number if self.revision and self.revision.prototype else None

    @property
    def leaves_records(self) -> bool:
        """Whether anything of it is counted, as `LEAVES_RECORDS` asks for many games."""
        return not self.is_test_flight and self.prototype_version is None

    @property
    def is_practice(self) -> bool:
        """Whether it is flown to learn, or to try a board: its player comes back unasked."""
        return self.mission_id is not None or self.is_test_flight

    @property
    def was_played(self) -> bool:
        """Whether it had started and has ended, in whatever way: then nothing of it is a secret any more."""
        return self.started_at is not None and self.ended_at is not None

    @property
    def broke_off(self) -> bool:
        """Whether it had started, and something else than its rules has ended it."""
        return self.was_played and (self.status == self.Status.CANCELLED or self.ending != "")

    @property
    def may_be_rated(self) -> bool:
        """Whether it changes ratings, as far as its host has chosen: usually a public game does."""
        return self.rated == self.Rated.YES or (self.rated == self.Rated.USUAL and not self.private)

    @property
    def in_competition(self) -> bool:
        """Whether it belongs to a tournament or a ladder: its rules are not for its players to change.

        All such games are rated, so that of others nothing is asked.
        """
        rated = self.rated == self.Rated.YES
        return rated and (hasattr(self, "at_table") or hasattr(self, "ladder_game"))

    @property
    def last_played(self) -> int | None:
        """The number of the last turn that was played; one less than the first while there is none."""
        whole = self.status == self.Status.OVER and not self.ending
        return self.turn if self.turn is None or whole else self.turn - 1


LEAVES_RECORDS: Final = Q(revision__isnull=False, revision__prototype=False)
"""Games that count: statistics and achievements leave out test flights, and games on prototypes."""


class Seat(models.Model):
    """A player's place in a game, ``number`` counted from 1: a person's, or a computer's with its ``name``.

    ``look`` is what its robot looks like: one of eight, counted from 1. ``squad`` and ``model`` are those of
    its robot, in rulesets that have them. ``ready`` says in the lobby that the player agrees to how the game
    is set up; computers always do. ``out`` says that the robot has lost its last life; ``place`` is the one
    that it took.

    A seat may pass on while its game goes on. Its robot is called as before, in the log and on all pages:
    that name is ``robot`` then, empty as long as it is its player's own. ``offered_at`` says since when
    a computer holds the seat for anyone who takes it over. What the robot of a ``shared`` seat did is counted
    for each of those who have had it (`Share`).
    """

    class Strength(models.TextChoices):
        """How well a computer plays."""

        ROOKIE = "rookie", _("Rookie")
        PILOT = "pilot", _("Pilot")
        ACE = "ace", _("Ace")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="players")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="seats")
    computer = models.CharField(_("level of the computer"), max_length=10, choices=Strength, blank=True)
    name = models.CharField(_("name of the computer"), max_length=40, blank=True)
    robot = models.CharField(
        _("name of the robot"),
        max_length=40,
        blank=True,
        default="",
        db_default="",
        help_text=_("Where it is not the name of its player."),
    )
    offered_at = models.DateTimeField(
        null=True, blank=True, help_text=_("Since when anyone can take the seat over from its computer.")
    )
    shared = models.BooleanField(default=False, db_default=False, help_text=_("Has had several players."))
    look = models.PositiveSmallIntegerField()
    ready = models.BooleanField(default=False)
    squad = models.CharField(max_length=10, blank=True)
    model = models.CharField(max_length=20, blank=True)
    bank = models.DurationField(
        null=True, help_text=_("Time in the player's bank, in games that have banks.")
    )
    excused = models.PositiveSmallIntegerField(
        default=0,
        db_default=0,
        help_text=_("How many more turns its player may miss without being replaced."),
    )
    clean_turns = models.PositiveSmallIntegerField(
        default=0,
        db_default=0,
        help_text=_("How many turns in a row were in time. A few of them allow one more missed turn."),
    )
    standing = models.CharField(
        _("standing orders"),
        max_length=10,
        choices=Standing,
        blank=True,
        default="",
        db_default="",
        help_text=_("Where they differ from the player’s orders for all games."),
    )
    out = models.BooleanField(default=False)
    place = models.PositiveSmallIntegerField(null=True)
    joined_at = models.DateTimeField()
    seen_turn = models.PositiveIntegerField(
        null=True, help_text=_("The last turn whose outcome its player has seen.")
    )
    read_chat = models.PositiveBigIntegerField(
        default=0, help_text=_("The last line of the chat that its player has read.")
    )
    manner = models.CharField(
        _("mail about this game"),
        max_length=10,
        choices=Frequency,
        blank=True,
        default="",
        db_default="",
        help_text=_("Where it differs from the player’s setting for all games."),
    )
    visited_at = models.DateTimeField(
        null=True, help_text=_("When its player last looked at the game, to the minute.")
    )
    ordered_at = models.DateTimeField(null=True, help_text=_("When its player last gave orders."))

    class Meta:
        ordering = ["game_id", "number"]
        indexes = [
            models.Index(fields=["-offered_at"], name="seats_offered", condition=Q(offered_at__isnull=False)),
        ]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="seat_taken_once"),
            models.UniqueConstraint(fields=["game", "user"], name="seat_one_each"),
            models.UniqueConstraint(fields=["game", "look"], name="seat_looks_like_no_other"),
            models.CheckConstraint(name="seat_counted_from_1", condition=Q(number__gte=1)),
            models.CheckConstraint(name="seat_has_a_look", condition=Q(look__range=(1, LOOKS))),
            models.CheckConstraint(
                name="seat_of_a_person_or_a_computer",
                condition=Q(user__isnull=False, computer="", name="")
                | Q(user=None, ready=True) & ~Q(computer="") & ~Q(name=""),
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.game_id}"

    @property
    def robo_name(self) -> str:
        """What its robot is called in the game."""
        return self.robot or (self.user.robo_name if self.user else self.name)

    @property
    def is_offered(self) -> bool:
        """Whether a computer holds it for others; a robot that is out or has finished plays no more."""
        return self.offered_at is not None and self.user_id is None and not self.out and self.place is None

    @property
    def last_active_at(self) -> datetime | None:
        """When its player last looked at the game, or gave orders."""
        return max(filter(None, (self.visited_at, self.ordered_at)), default=None)

    @property
    def steered_by(self) -> str:
        """Who plays a robot that bears another's name; empty where it bears its player's."""
        if not self.robot:
            return ""
        return self.user.robo_name if self.user else f"a {self.get_computer_display()}"
