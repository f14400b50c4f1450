"""Turns: the state at their start, what was dealt, what was ordered, and what happened."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.errors import has_format
from games.work.models import BelongsToGame
from rules.codec import STATE_FORMAT

ORDERS_FORMAT = "orders/1"
HAND_FORMAT = "hand/1"
ASIDE_FORMAT = "aside/1"
CALENDAR_FORMAT = "calendar/1"


class Turn(models.Model):
    """One turn of a game: open until it is resolved, once.

    ``snapshot`` is the state at its start, which holds secrets. Once it is played, its ``record`` has that
    and all else of it, as `play.played` tells it: the turn has no snapshot then, and no hands. ``first_seq``
    and ``last_seq`` are the numbers of its events in the game's log; where nothing happened the last is one
    less than the first. ``recorded`` counts all turns of all games in the order in which they were played.

    ``head_before`` binds all that was played before it, and ``head`` this turn as well; both are empty in
    games without heads. ``deadline`` is that of the player who has time
    the longest of those who are missing. ``ready_at`` says since when no orders are missing. The remaining
    fields are the work list: ``attempts`` to resolve it that failed by the turn's own fault,
    ``interruptions`` (attempts that were begun and never came to an end), the ``error`` of the last, and when
    the sweeper last offered it.
    As long as it ``asks_computers``, the sweeper looks whether computers owe orders for it.
    """

    class Status(models.TextChoices):
        """Whether a turn has been played."""

        OPEN = "open", _("Open")
        RESOLVED = "resolved", _("Resolved")

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField(help_text=_("Turn 0 is the choice of heading."))
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    snapshot = models.JSONField(null=True)
    record = models.BinaryField(null=True)
    first_seq = models.PositiveIntegerField(null=True)
    last_seq = models.PositiveIntegerField(null=True)
    recorded = models.BigIntegerField(null=True)
    head_before = models.CharField(max_length=64, blank=True, default="", db_default="")
    head = models.CharField(max_length=64, blank=True, default="", db_default="")
    opened_at = models.DateTimeField()
    deadline = models.DateTimeField(null=True)
    ready_at = models.DateTimeField(null=True)
    resolved_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    interruptions = models.PositiveIntegerField(default=0, db_default=0)
    error = models.TextField(blank=True)
    offered_at = models.DateTimeField(null=True)
    asks_computers = models.BooleanField(
        default=True, db_default=True, help_text=_("Whether computers may still owe orders for it.")
    )

    class Meta:
        ordering = ["game_id", "number"]
        indexes = [
            models.Index(
                fields=["opened_at"], name="turns_asking", condition=Q(status="open", asks_computers=True)
            ),
            models.Index(
                fields=["opened_at"], name="turns_without_head", condition=Q(status="open", head_before="")
            ),
            models.Index(
                fields=["deadline"], name="turns_due", condition=Q(status="open", deadline__isnull=False)
            ),
            models.Index(
                fields=["ready_at"], name="turns_ready", condition=Q(status="open", ready_at__isnull=False)
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="turn_unique"),
            models.UniqueConstraint(
                fields=["game"], condition=Q(status="open"), name="turn_open_one_at_a_time"
            ),
            models.CheckConstraint(
                name="turn_tells_what_was_played",
                condition=Q(status="open", resolved_at=None, record=None)
                & Q(snapshot__isnull=False)
                & has_format("snapshot", STATE_FORMAT)
                | Q(status="resolved", resolved_at__isnull=False, record__isnull=False)
                & Q(snapshot__isnull=True)
                & Q(first_seq__isnull=False, last_seq__isnull=False)
                & Q(first_seq__gte=1, last_seq__gte=F("first_seq") - 1),
            ),
        ]

    def __str__(self) -> str:
        return f"turn {self.number} of {self.game_id}"


class Hand(BelongsToGame):
    """What a robot has to program a turn from; empty in turn 0, and where all registers are locked.

    There are hands of turns under way alone, and their programs with them.

    A seat has a hand exactly in the turns for which its player has orders to give. ``robot`` is the
    robot's number in the game, counted from 1: its player's seat. Scanners have no seat, and a hand
    that no one gets to see. Nor may its player see a hand that is ``face_down``: their robot was off, and
    they have not switched it on (AM-5.2). ``redealt`` says of a hand that was redrawn the how many-th of its
    turn it was: with the game's seed, that is what it was drawn by; ``aside`` has the hands before it, those
    put aside while dealing first (AM-1.4), None where there are none: an aside/1 document. ``deadline`` is
    until when its player has time, as long as they use it: None without limit, and once there are orders.
    ``calendar`` is what stops their clock, as long as it runs, and as that was when the hand was dealt: a
    calendar/1 document, None where nothing does. ``thoughts`` counts how often its computer has begun to
    think.
    """

    known_by = "turn__game_id"

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="hands")
    robot = models.PositiveSmallIntegerField()
    seat = models.ForeignKey("Seat", on_delete=models.CASCADE, null=True, related_name="hands")
    chips = models.JSONField(help_text=_("The numbers of its chips, in the order dealt: a hand/1 document."))
    face_down = models.BooleanField(default=False, db_default=False)
    redealt = models.PositiveSmallIntegerField(null=True)
    aside = models.JSONField(null=True)
    deadline = models.DateTimeField(null=True)
    calendar = models.JSONField(null=True)
    thoughts = models.PositiveSmallIntegerField(default=0, db_default=0)
    remind_at = models.DateTimeField(
        null=True, help_text=_("When its player is reminded, unless their orders are in by then.")
    )

    class Meta:
        ordering = ["turn_id", "robot"]
        indexes = [
            models.Index(fields=["deadline"], name="hands_due", condition=Q(deadline__isnull=False)),
            models.Index(fields=["remind_at"], name="hands_to_remind", condition=Q(remind_at__isnull=False)),
        ]
        constraints = [
            models.UniqueConstraint(fields=["turn", "redealt"], name="hand_redealt_one_by_one"),
            models.UniqueConstraint(fields=["turn", "robot"], name="hand_one_each"),
            models.UniqueConstraint(fields=["turn", "seat"], name="hand_one_each_seat"),
            models.CheckConstraint(name="hand_counted_from_1", condition=Q(robot__gte=1)),
            models.CheckConstraint(
                name="hand_redealt_counted_from_1", condition=Q(redealt=None) | Q(redealt__gte=1)
            ),
            models.CheckConstraint(name="hand_has_its_format", condition=has_format("chips", HAND_FORMAT)),
            models.CheckConstraint(
                name="hand_aside_has_its_format",
                condition=Q(aside=None) | has_format("aside", ASIDE_FORMAT),
            ),
            models.CheckConstraint(
                name="hand_calendar_has_its_format",
                condition=Q(calendar=None) | has_format("calendar", CALENDAR_FORMAT),
            ),
        ]

    def __str__(self) -> str:
        return f"hand of robot {self.robot} in turn {self.turn_id}"


class Program(BelongsToGame):
    """The orders given for a hand, by its player or, when time ran out, in their place.

    ``remark`` says to staff why a computer's orders are by chance.
    """

    class Author(models.TextChoices):
        """Who gave the orders."""

        PLAYER = "player", _("Player")
        DEADLINE = "deadline", _("Deadline")
        STANDING = "standing", _("Standing orders, since time ran out")
        STAND_IN = "stand-in", _("A computer for one turn, since time ran out")
        COMPUTER = "computer", _("Computer")
        CHANCE = "chance", _("Chance, since the computer found none")

    known_by = "hand__turn__game_id"

    hand = models.OneToOneField(Hand, on_delete=models.CASCADE, related_name="program")
    orders = models.JSONField(help_text=_("An orders/1 document."))
    by = models.CharField(max_length=10, choices=Author)
    remark = models.TextField(blank=True)
    submitted_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="program_has_its_format", condition=has_format("orders", ORDERS_FORMAT)
            ),
        ]

    def __str__(self) -> str:
        return f"program for hand {self.hand_id}"


MISSED = frozenset({Program.Author.DEADLINE, Program.Author.STANDING, Program.Author.STAND_IN})
"""Who gives orders in the place of a player who missed a turn."""


class Draft(BelongsToGame):
    """A program that its player is still at: kept so that it can be finished elsewhere, and never played.

    It is one hand's, and goes once that hand has its orders, or was redrawn. Registers may be empty.
    """

    known_by = "hand__turn__game_id"

    hand = models.OneToOneField(Hand, on_delete=models.CASCADE, related_name="draft")
    orders = models.JSONField(help_text=_("An orders/1 document."))
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="draft_has_its_format", condition=has_format("orders", ORDERS_FORMAT)
            ),
        ]

    def __str__(self) -> str:
        return f"draft for hand {self.hand_id}"
