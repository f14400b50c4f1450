"""Models of a game: seats, turns, hands, programs and drafts."""

from datetime import datetime
from typing import Final

from django.db import models
from django.db.models import F, Q, Value
from django.urls import reverse
from django.utils.translation import gettext_lazy as _, pgettext

from accounts.models import LOOKS, Frequency, Standing
from games.errors import has_format
from games.fleet.models import Course, StarshipRevision
from games.work.models import BelongsToGame
from rules.codec import STATE_FORMAT
from rules.position import POSITION_FORMAT

PACE_FORMAT = "pace/2"
PACE_FORMAT_BEFORE = "pace/1"
"""The previous release's format of a pace. A worker of that release may still write it."""

ABSENCE_FORMAT = "absence/1"


def usual_absence() -> dict[str, object]:
    return {"format": ABSENCE_FORMAT, "policy": "random", "excused": None}


class Game(models.Model):
    """One game, from the invitation to its end.

    The game stays on its ``version`` of the ruleset and on its starship ``revision``. If its board is joined
    from several pieces, ``course`` is the board, and ``revision`` is the first piece. A test flight has only
    a ``course``. ``turn`` is the turn under way or the last one.

    ``seed`` is secret until the game is over. Everyone sees its hash, the ``commitment``. The heads, hashes
    of the turns so far (`play.heads`), are shown from turn ``heads_from`` on. If that is None, they are shown
    from the first turn on.

    ``link_token`` opens a private game. A game that ``starts_itself`` starts once it is full and everyone is
    ready. ``paused_at`` and ``paused_until`` are the start and end of its last pause. ``last_seq`` is the
    number of events in the log. ``winner`` is a robot's name or a squad. ``ending`` is the reason if the game
    did not end by its rules. In that case, its open turn is never played.

    A game that is played on begins at a ``position``, a position/1 document without the setup. It may be from
    the turn ``origin_turn`` of another game, the ``origin``.

    In a game on one screen, one account plays with companions, and ``at_screen`` is the seat of the player at
    the screen. It is 0 while the screen shows no hand. In all other games, it is None.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("Open to join")
        RUNNING = "running", _("Being played")
        OVER = "over", _("Over")
        CANCELLED = "cancelled", _("Cancelled")

    class Ending(models.TextChoices):
        """The reasons for an early end, with the same values as in game/1 files."""

        VOTED = "voted", _("Cancelled by vote")
        CONCEDED = "conceded", _("Conceded by vote")
        STAFF = "staff", _("Cancelled by staff")
        DESERTED = "deserted", _("Cancelled: no players were left")
        RESIGNED = "resigned", _("Ended by resignation")

    class Rated(models.TextChoices):
        """The host's setting for ratings. By default, only public games between people change ratings."""

        USUAL = "usual", _("If the game is public and only people play")
        YES = "yes", _("Yes, always")
        NO = "no", _("No")

    name = models.CharField(max_length=80)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    ruleset = models.CharField(max_length=40)
    version = models.PositiveSmallIntegerField(_("ruleset version"))
    options = models.JSONField(help_text=_("All options of the ruleset's version, with their values."))
    house_rules = models.JSONField(
        default=dict, help_text=_("All house rules of the ruleset, with their values.")
    )
    revision = models.ForeignKey(
        "StarshipRevision", on_delete=models.PROTECT, null=True, related_name="games"
    )
    course = models.OneToOneField("Course", on_delete=models.PROTECT, null=True, related_name="of_game")
    seats = models.PositiveSmallIntegerField(_("number of seats"))
    host = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="hosted_games")
    private = models.BooleanField(default=False, help_text=_("Not listed. Players join with its link."))
    least_reliability = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text=_("The reliability that players need to join, in percent.")
    )
    rated = models.CharField(
        max_length=10,
        choices=Rated,
        default=Rated.USUAL,
        db_default=Rated.USUAL,
        help_text=_("Whether it changes ratings."),
    )
    sitters = models.BooleanField(
        default=True, db_default=True, help_text=_("Players can have sitters, who order for them.")
    )
    shorter_clock = models.BooleanField(
        default=False,
        db_default=False,
        help_text=_("Players who miss turns in a row get half the time."),
    )
    link_token = models.CharField(max_length=64, unique=True)
    starts_itself = models.BooleanField(
        default=True,
        help_text=_(
            "Starts automatically once all seats are taken and all players are ready. Otherwise,"
            " the host starts it."
        ),
    )
    mission = models.ForeignKey("Mission", on_delete=models.PROTECT, null=True, related_name="games")
    rematch_of = models.OneToOneField("self", on_delete=models.SET_NULL, null=True, related_name="rematch")
    position = models.JSONField(
        null=True, help_text=_("The position at which it began, as a position/1 document.")
    )
    origin = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="played_on")
    origin_turn = models.PositiveIntegerField(null=True)
    at_screen = models.PositiveSmallIntegerField(
        null=True,
        help_text=_("The seat of the player at the screen, in a game on one screen; 0 if no hand is shown."),
    )
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
        help_text=_("The last time that a player joined or submitted orders, or that a turn was resolved.")
    )

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["status", "-moved_at"], name="games_by_status"),
            # an index-only scan counts the games on a board
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
                name="game_position_has_its_format",
                condition=Q(position__isnull=True) | has_format("position", POSITION_FORMAT),
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
        return reverse("games:game", args=[self.pk])

    @property
    def is_live(self) -> bool:
        """Whether the game's pace gives minutes, not hours, for each turn."""
        return "minutes" in self.pace

    @property
    def has_deadlines(self) -> bool:
        return any(self.pace.get(key) is not None for key in ("hours", "minutes", "bank"))

    @property
    def board_name(self) -> str:
        if self.course:
            return self.course.name
        assert self.revision
        return self.revision.starship.name

    @property
    def board(self) -> Course | StarshipRevision:
        """The game's board: a joined board or draft ship made for it, or else a starship revision."""
        board = self.course or self.revision
        assert board
        return board

    @property
    def is_test_flight(self) -> bool:
        """Whether the board is a draft ship. Test flights change no records or ratings."""
        return self.revision_id is None and not self.is_played_on

    @property
    def is_played_on(self) -> bool:
        """Whether the game began at a position. Such games change no records or ratings."""
        return self.position is not None

    @property
    def is_on_one_screen(self) -> bool:
        """Whether several people play at the screen of one account, and pass it on."""
        return self.at_screen is not None

    @property
    def prototype_version(self) -> int | None:
        """The version of the prototype that is the board, or None for other boards."""
        return self.revision.number if self.revision and self.revision.prototype else None

    @property
    def leaves_records(self) -> bool:
        """Whether the game counts in statistics and achievements. In queries, use `LEAVES_RECORDS`."""
        return not self.is_test_flight and self.prototype_version is None and not self.is_played_on

    @property
    def is_practice(self) -> bool:
        """Whether the game is a mission or a test flight. The players of such games get no reminders."""
        return self.mission_id is not None or self.is_test_flight

    @property
    def was_played(self) -> bool:
        """Whether the game started and has ended. Its seed and hands are public after that."""
        return self.started_at is not None and self.ended_at is not None

    @property
    def ended_early(self) -> bool:
        """Whether the game started but did not end by its rules."""
        return self.was_played and (self.status == self.Status.CANCELLED or self.ending != "")

    @property
    def may_be_rated(self) -> bool:
        """Whether the host's settings allow the game to change ratings."""
        return self.rated == self.Rated.YES or (self.rated == self.Rated.USUAL and not self.private)

    @property
    def in_competition(self) -> bool:
        """Whether the game belongs to a tournament or a ladder. All such games are rated."""
        rated = self.rated == self.Rated.YES
        return rated and (hasattr(self, "at_table") or hasattr(self, "ladder_game"))

    @property
    def last_played(self) -> int | None:
        """The last turn played. None before the start; during the first turn, one less than its number."""
        whole = self.status == self.Status.OVER and not self.ending
        return self.turn if self.turn is None or whole else self.turn - 1


LEAVES_RECORDS: Final = Q(revision__isnull=False, revision__prototype=False, position__isnull=True)
"""The condition for games in statistics and achievements.

It excludes test flights, games on prototypes, and games that began at a position.
"""


class Seat(models.Model):
    """A place in a game, for a person or a computer. ``name`` is the computer's name.

    In a game on one screen, a seat may also be for a companion: a person without an account, who has a
    ``name`` and plays at the host's screen.

    ``number`` and ``look`` (one of eight pictures) count from 1. Some rulesets have a ``squad`` and a robot
    ``model``. ``ready`` means that the player agrees to the terms. It is always true for computers. ``out``
    means that the robot has no lives left. ``place`` is the robot's result.

    ``robot`` is empty until the player is replaced. Then it stores the robot's name, which does not change.
    If anyone can take the seat over from its computer, ``offered_at`` is the time when that became possible.
    The record of a ``shared`` seat's robot is split among its players (`Share`).
    """

    class Level(models.TextChoices):
        ROOKIE = "rookie", _("Rookie")
        PILOT = "pilot", _("Pilot")
        ACE = "ace", _("Ace")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="players")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="seats")
    computer = models.CharField(_("level of the computer"), max_length=10, choices=Level, blank=True)
    name = models.CharField(_("name of the computer or companion"), max_length=40, blank=True)
    robot = models.CharField(
        _("name of the robot"),
        max_length=40,
        blank=True,
        default="",
        db_default="",
        help_text=_("If it differs from the name of its player."),
    )
    offered_at = models.DateTimeField(
        null=True, blank=True, help_text=_("When the seat became free to take over from its computer.")
    )
    shared = models.BooleanField(
        default=False, db_default=False, help_text=_("The seat has had several players.")
    )
    look = models.PositiveSmallIntegerField()
    ready = models.BooleanField(default=False)
    squad = models.CharField(max_length=10, blank=True)
    model = models.CharField(max_length=20, blank=True)
    bank = models.DurationField(null=True, help_text=_("The time left in the player's time bank."))
    excused = models.PositiveSmallIntegerField(
        default=0,
        db_default=0,
        help_text=_("The number of turns that the player can still miss without being replaced."),
    )
    clean_turns = models.PositiveSmallIntegerField(
        default=0,
        db_default=0,
        help_text=_("Turns in a row with orders on time. A few of these earn back one missed turn."),
    )
    missed_in_row = models.PositiveSmallIntegerField(
        default=0,
        db_default=0,
        help_text=_("Missed turns in a row, in games with a shorter clock. It stops at two."),
    )
    short_clock = models.PositiveSmallIntegerField(
        default=0,
        db_default=0,
        help_text=_("Turns in a row with orders on time until the player gets the full time again."),
    )
    standing = models.CharField(
        _("standing orders"),
        max_length=10,
        choices=Standing,
        blank=True,
        default="",
        db_default="",
        help_text=_("If they differ from the player’s standing orders for all games."),
    )
    out = models.BooleanField(default=False)
    place = models.PositiveSmallIntegerField(null=True)
    joined_at = models.DateTimeField()
    seen_turn = models.PositiveIntegerField(
        null=True, help_text=_("The last turn that the player has watched.")
    )
    read_chat = models.PositiveBigIntegerField(
        default=0, help_text=_("The last chat line that the player has read.")
    )
    manner = models.CharField(
        _("mail about this game"),
        max_length=10,
        choices=Frequency,
        blank=True,
        default="",
        db_default="",
        help_text=_("If it differs from the player’s setting for all games."),
    )
    visited_at = models.DateTimeField(
        null=True, help_text=_("The last time that the player looked at the game, to the minute.")
    )
    ordered_at = models.DateTimeField(
        null=True, help_text=_("The last time that the player submitted orders.")
    )

    class Meta:
        ordering = ["game_id", "number"]
        indexes = [
            models.Index(fields=["-offered_at"], name="seats_offered", condition=Q(offered_at__isnull=False))
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
                | Q(user=None, ready=True) & ~Q(name=""),
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.game_id}"

    @property
    def robo_name(self) -> str:
        """The name of the seat's robot."""
        return self.robot or (self.user.robo_name if self.user else self.name)

    @property
    def is_companion(self) -> bool:
        """Whether a person without an account plays it, at the host's screen."""
        return self.user_id is None and not self.computer

    @property
    def is_offered(self) -> bool:
        """Whether anyone can take the seat over from its computer."""
        return self.offered_at is not None and self.user_id is None and not self.out and self.place is None

    @property
    def last_active_at(self) -> datetime | None:
        """The time of the player's last visit or last orders in this game, whichever is later, or None."""
        return max(filter(None, (self.visited_at, self.ordered_at)), default=None)

    @property
    def steered_by(self) -> str:
        """The player's name or computer's level if the robot is named after an earlier player, else empty."""
        if not self.robot:
            return ""
        if self.user:
            return self.user.robo_name
        return pgettext("plays a robot", "a {level}").format(level=self.get_computer_display())


ORDERS_FORMAT = "orders/1"
HAND_FORMAT = "hand/1"
ASIDE_FORMAT = "aside/1"
CALENDAR_FORMAT = "calendar/1"


class Turn(models.Model):
    """One turn of a game. It is open until it is resolved.

    ``snapshot`` is the state at its start, including secrets. A resolved turn has no snapshot and no hands.
    Its ``record`` replaces them (`play.stored`). ``first_seq`` and ``last_seq`` are the numbers of the turn's
    first and last event in the game's log. If the turn has no events, ``last_seq`` is one less than
    ``first_seq``. ``recorded`` numbers the resolved turns of all games in the order of their resolution.

    ``head_before`` is the hash of all earlier turns. ``head`` also covers this turn. Both are empty in games
    without heads. ``deadline`` is the latest deadline of the players whose orders are missing. ``ready_at``
    is the time when the last orders came in.

    The other fields are for workers. ``attempts`` counts failures to resolve the turn that the turn itself
    caused. ``interruptions`` counts attempts to resolve it that did not finish. ``error`` is the last error.
    ``offered_at`` is the time when the sweeper last sent the turn to workers. While ``asks_computers`` is
    true, the sweeper checks whether computers' orders are missing.
    """

    class Status(models.TextChoices):
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
        default=True, db_default=True, help_text=_("Whether orders from computers may still be missing.")
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
    """The chips of a robot for the turn under way.

    A seat has a hand in each turn that needs its orders. The hand has no chips in turn 0, or if all registers
    are locked. ``robot`` is the number of the robot and of its seat, from 1. The hand of a scanner has no
    seat, and no player sees it. A hand is ``face_down`` if the robot was off and its player has not switched
    it on (AM-5.2). Until they do, they cannot see the chips.

    ``redealt`` is None until the hand is redrawn. Then it numbers the hand among all redrawn hands of the
    turn. That number and the game's seed determine the chips. ``aside`` holds the hands that this one
    replaced, as an aside/1 document, or None. Hands put aside while dealing come first (AM-1.4).

    ``deadline`` is None if the game has no time limit, and once the orders are in. ``calendar`` holds the
    player's days off, quiet hours and pauses for this hand, as a calendar/1 document, or None. ``thoughts``
    counts the attempts of a computer to choose its orders.
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
        null=True, help_text=_("The time to send a reminder, unless the orders are in by then.")
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
                name="hand_aside_has_its_format", condition=Q(aside=None) | has_format("aside", ASIDE_FORMAT)
            ),
            models.CheckConstraint(
                name="hand_calendar_has_its_format",
                condition=Q(calendar=None) | has_format("calendar", CALENDAR_FORMAT),
            ),
        ]

    def __str__(self) -> str:
        return f"hand of robot {self.robot} in turn {self.turn_id}"


class Program(BelongsToGame):
    """The orders for a hand, from its player or, after the deadline, from a substitute.

    If a computer's orders are random, ``remark`` tells staff why.
    """

    class Author(models.TextChoices):
        PLAYER = "player", _("Player")
        DEADLINE = "deadline", _("Deadline")
        STANDING = "standing", _("Standing orders, because time ran out")
        STAND_IN = "stand-in", _("A computer for one turn, because time ran out")
        COMPUTER = "computer", _("Computer")
        CHANCE = "chance", _("Random orders, because the computer found none")

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
            )
        ]

    def __str__(self) -> str:
        return f"program for hand {self.hand_id}"


SUBSTITUTE_AUTHORS = frozenset({Program.Author.DEADLINE, Program.Author.STANDING, Program.Author.STAND_IN})
"""The authors of substitute orders for a player who missed the turn."""


class Draft(BelongsToGame):
    """Orders that a player has saved but not submitted. They are never played.

    A draft belongs to one hand. It is deleted when orders for the hand are submitted, or when the hand is
    redrawn. Registers may be empty.
    """

    known_by = "hand__turn__game_id"

    hand = models.OneToOneField(Hand, on_delete=models.CASCADE, related_name="draft")
    orders = models.JSONField(help_text=_("An orders/1 document."))
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="draft_has_its_format", condition=has_format("orders", ORDERS_FORMAT))
        ]

    def __str__(self) -> str:
        return f"draft for hand {self.hand_id}"
