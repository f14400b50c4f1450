"""Tournaments, ladders, seasons and the queue of players waiting for a game."""

from datetime import datetime
from typing import Final

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.competitions.formats import MIN_REST_INTERVAL
from games.errors import has_format
from games.play.models import ABSENCE_FORMAT, PACE_FORMAT, Game

# --- Tournaments --------------------------------------------------------------------------------------------


LONGEST_NAME: Final = 60
LONGEST_TEXT: Final = 2000

PAIRING_FORMAT: Final = "pairing/1"
SCHEDULE_FORMAT: Final = "schedule/1"


class Tournament(models.Model):
    """A tournament: its rules and its state. The rules can't change once it is open.

    ``due_at`` is when the sweeper must process it next. A marathon has no rounds: all rated games up to
    ``ends_at`` count. A division of a season has no host. Its rounds start every ``round_days`` days, up to
    ``ends_at``, and computers play in place of missing players.
    """

    class Kind(models.TextChoices):
        SWISS = "swiss", _("Swiss system")
        KNOCKOUT = "knockout", _("Knock-out")
        LEAGUE = "league", _("League: everyone plays everyone")
        MARATHON = "marathon", _("Marathon: most points in a month")

    class Status(models.TextChoices):
        DRAFT = "draft", _("Draft")
        OPEN = "open", _("Open to join")
        RUNNING = "running", _("Being played")
        FINISHED = "finished", _("Over")
        CANCELLED = "cancelled", _("Cancelled")

    class Ending(models.TextChoices):
        """The reasons why a tournament was cancelled, ended early, or ended without a winner."""

        HOST = "host", _("Cancelled by its host")
        STAFF = "staff", _("Cancelled by staff")
        FEW = "few", _("Cancelled because too few players entered")
        CLUB = "club", _("Cancelled because its club was closed")
        LEFT = "left", _("Ended early because too few players remained")
        AWAY = "away", _("Ended early because too few players confirmed the next round")
        NOBODY = "nobody", _("Ended without a winner because all players left")

    class ShipChoice(models.TextChoices):
        """The ways to choose the starship for the game at a tournament table."""

        FIXED = "fixed", _("One for each round, the same at all tables")
        DRAWN = "drawn", _("Drawn by lot for each table")
        BANNED = "banned", _("Drawn by lot for each table, without the starships that its players banned")

    name = models.CharField(max_length=LONGEST_NAME)
    text = models.TextField(max_length=LONGEST_TEXT, blank=True)
    kind = models.CharField(max_length=10, choices=Kind)
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT)
    host = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="tournaments")
    club = models.ForeignKey("Club", on_delete=models.SET_NULL, null=True, related_name="tournaments")
    members_only = models.BooleanField(
        default=False,
        db_default=False,
        help_text=_("Only members of its club can enter. If the club was closed, no one can."),
    )
    ruleset = models.CharField(max_length=40, blank=True)
    size = models.PositiveSmallIntegerField(_("players at a table"), default=4)
    rounds = models.PositiveSmallIntegerField(_("number of rounds"), null=True)
    round_days = models.PositiveSmallIntegerField(null=True)
    schedule = models.JSONField(
        null=True, help_text=_("The tables of all rounds of a league, as a schedule/1 document.")
    )
    ship_choice = models.CharField(max_length=10, choices=ShipChoice, default=ShipChoice.FIXED)
    pace = models.JSONField(help_text=_("How fast it is played, as a pace/2 document."))
    absence = models.JSONField(
        help_text=_("What happens to players who miss turns, as an absence/1 document.")
    )
    sitters = models.BooleanField(
        default=True, db_default=True, help_text=_("Players can have sitters, who order for them.")
    )
    least = models.PositiveSmallIntegerField(_("minimum number of entrants"), default=2)
    most = models.PositiveSmallIntegerField(_("maximum number of entrants"))
    seed = models.CharField(max_length=64)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True)
    due_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    opened_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    ending = models.CharField(max_length=10, choices=Ending, blank=True, default="", db_default="")
    lost_club_at = models.DateTimeField(
        null=True, help_text=_("When its entrants were notified that its club was closed.")
    )

    class Meta:
        ordering = ["-starts_at", "-pk"]
        indexes = [
            models.Index(
                fields=["status", "-starts_at", "-id"],
                name="tournaments_listed",
                condition=Q(round_days=None),
            ),
            models.Index(fields=["-starts_at", "-id"], name="tournaments_latest"),
            models.Index(
                fields=["-starts_at", "-id"],
                name="tournaments_over",
                condition=Q(round_days=None, status__in=["finished", "cancelled"]),
            ),
            models.Index(fields=["due_at"], name="tournaments_due", condition=Q(due_at__isnull=False)),
        ]
        constraints = [
            models.CheckConstraint(
                name="tournament_of_some", condition=Q(size__range=(2, 8), least__gte=2, most__gte=F("least"))
            ),
            models.CheckConstraint(name="tournament_has_its_pace", condition=has_format("pace", PACE_FORMAT)),
            models.CheckConstraint(
                name="tournament_has_its_absence", condition=has_format("absence", ABSENCE_FORMAT)
            ),
            models.CheckConstraint(
                name="tournament_has_its_schedule",
                condition=Q(schedule__isnull=True) | has_format("schedule", SCHEDULE_FORMAT),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:tournament", args=[self.pk])

    @property
    def is_division(self) -> bool:
        """Return whether this is a division of a season."""
        return self.round_days is not None

    @property
    def lost_its_club(self) -> bool:
        """Return whether the tournament is only for members of a club, and this club was closed."""
        return self.members_only and self.club_id is None

    @property
    def is_marathon(self) -> bool:
        """Return whether this is a marathon: all rated games count, and there are no rounds."""
        return self.kind == self.Kind.MARATHON


class TournamentShip(models.Model):
    """A starship of a tournament, with its position in the tournament's list of starships."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="ships")
    starship = models.ForeignKey("Starship", on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="tournament_ship_in_its_place"),
            models.UniqueConstraint(fields=["tournament", "starship"], name="tournament_ship_once"),
        ]

    def __str__(self) -> str:
        return f"ship {self.number} of tournament {self.tournament_id}"


class Entrant(models.Model):
    """A player in a tournament.

    ``strength`` is their rating at entry, which seeds a knock-out. ``confirmed`` is False after a missed
    turn, until they confirm the next round. ``place`` is their final place, None for players who left.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    user = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="entries")
    joined_at = models.DateTimeField()
    strength = models.IntegerField()
    banned = models.ForeignKey(TournamentShip, on_delete=models.SET_NULL, null=True, related_name="bans")
    confirmed = models.BooleanField(default=True)
    left_at = models.DateTimeField(null=True)
    place = models.PositiveSmallIntegerField(null=True)

    class Meta:
        ordering = ["tournament", "joined_at", "pk"]
        indexes = [
            models.Index(fields=["user", "place"], name="entrants_by_place", condition=Q(place__lte=3))
        ]
        constraints = [models.UniqueConstraint(fields=["tournament", "user"], name="entrant_once")]

    def __str__(self) -> str:
        return f"entrant {self.user_id} of tournament {self.tournament_id}"


class Round(models.Model):
    """A round of a tournament. All its tables play at the same time, until ``ends_at`` at the latest."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="all_rounds")
    number = models.PositiveSmallIntegerField()
    pairing = models.JSONField(help_text=_("How players were assigned to tables, as a pairing/1 document."))
    started_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="round_once"),
            models.CheckConstraint(
                name="round_has_its_pairing", condition=has_format("pairing", PAIRING_FORMAT)
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.number} of tournament {self.tournament_id}"

    @property
    def is_walkover(self) -> bool:
        """Return whether the round has only one player. This player wins it without a game.

        This is not a bye, which is one of several tables in a round.
        """
        tables = list(self.tables.all())
        return len(tables) == 1 and tables[0].size == 1


class Table(models.Model):
    """A table of a round. It has a game, or is a bye.

    ``size`` is the number of players, including computers. The table is scored when its game is over, or when
    the round ends. In the second case, the result after turn ``scored_turn`` counts, and the game continues.
    If no turn was played by then, ``scored_turn`` is one less than the number of the first turn.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    size = models.PositiveSmallIntegerField(_("number of players"))
    scored_at = models.DateTimeField(null=True)
    scored_turn = models.IntegerField(null=True)

    class Meta:
        ordering = ["round", "number"]
        indexes = [models.Index(fields=["round"], name="tables_to_score", condition=Q(scored_at=None))]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="table_once")]

    def __str__(self) -> str:
        return f"table {self.number} of round {self.round_id}"

    @property
    def game(self) -> Game | None:
        """Return the table's game, or None for a bye."""
        link: TableGame | None = getattr(self, "link", None)
        return link.game if link else None

    @property
    def game_id(self) -> int | None:
        """Return the ID of the table's game, or None for a bye."""
        link: TableGame | None = getattr(self, "link", None)
        return link.game_id if link else None


class TableGame(models.Model):
    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="at_table")
    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="link")

    def __str__(self) -> str:
        return f"game {self.game_id} of table {self.table_id}"


class TablePlace(models.Model):
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="places")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="places")
    seat = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField(null=True)
    points = models.PositiveSmallIntegerField(null=True, help_text=_("In units of 1/840 of a point."))
    ordered = models.BooleanField(
        null=True,
        help_text=_(
            "Whether the player had submitted orders when the table was scored with its game unfinished."
            " Null if they had lost the seat, or if the game was over."
        ),
    )

    class Meta:
        ordering = ["table", "seat"]
        constraints = [
            models.UniqueConstraint(fields=["table", "seat"], name="table_seat_once"),
            models.UniqueConstraint(fields=["table", "entrant"], name="table_entrant_once"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of table {self.table_id}"


# --- Ladders ------------------------------------------------------------------------------------------------


class Ladder(models.Model):
    """The ladder of a ruleset. Lock its row before you change any places on it."""

    ruleset = models.CharField(max_length=40, primary_key=True)

    def __str__(self) -> str:
        return self.ruleset


class Rung(models.Model):
    """A player's place on a ladder. Place 1 is the top.

    No one can challenge the player until ``protected_until``. ``absent_at`` is when they were last absent
    from a ladder game. ``resting_since`` is set while the player rests. A resting player takes no part, and
    keeps the place for 30 days. ``back_at`` is when they last came back from a rest.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="rungs")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="rungs")
    place = models.PositiveIntegerField()
    joined_at = models.DateTimeField()
    active_at = models.DateTimeField(
        help_text=_("When the player last played on the ladder, joined it or came back to it.")
    )
    protected_until = models.DateTimeField(null=True)
    absent_at = models.DateTimeField(null=True)
    resting_since = models.DateTimeField(null=True)
    back_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["ladder", "place"]
        indexes = [
            models.Index(fields=["active_at"], name="rungs_idle", condition=Q(resting_since=None)),
            models.Index(
                fields=["resting_since"], name="rungs_resting", condition=Q(resting_since__isnull=False)
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["user", "ladder"], name="rung_once"),
            models.UniqueConstraint(
                fields=["ladder", "place"], name="rung_in_its_place", deferrable=models.Deferrable.DEFERRED
            ),
        ]

    def __str__(self) -> str:
        return f"place {self.place} of {self.user_id} on {self.ladder_id}"

    @property
    def may_rest_from(self) -> datetime | None:
        """Return the earliest time of the player's next rest, or None if no earlier rest has ended."""
        return self.back_at and self.back_at + MIN_REST_INTERVAL


class LadderGame(models.Model):
    """A challenge on a ladder, and its game. The challenge is settled after the game ends."""

    class Outcome(models.TextChoices):
        CLIMBED = "climbed", _("The challenger took the place")
        DEFENDED = "defended", _("The place was defended")
        VOID = "void", _("No place changed hands")

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="ladder_game")
    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="ladder_games")
    challenger = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="challenges")
    challenged = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
        indexes = [models.Index(fields=["ladder", "-made_at"], name="ladder_games_newest")]
        constraints = [
            models.UniqueConstraint(
                fields=["challenger", "ladder"], name="one_challenge_out", condition=Q(settled_at=None)
            ),
            models.UniqueConstraint(
                fields=["challenged", "ladder"], name="one_challenge_in", condition=Q(settled_at=None)
            ),
            models.CheckConstraint(name="challenge_of_another", condition=~Q(challenger=F("challenged"))),
            models.CheckConstraint(
                name="challenge_settled_with_an_outcome",
                condition=Q(settled_at=None, outcome="") | (Q(settled_at__isnull=False) & ~Q(outcome="")),
            ),
        ]

    def __str__(self) -> str:
        return f"challenge of {self.challenged_id} by {self.challenger_id}"


# --- Seasons ------------------------------------------------------------------------------------------------


class Season(models.Model):
    """A season of a ruleset: a quarter of a year, from ``starts_at`` to ``ends_at``."""

    class Status(models.TextChoices):
        OPEN = "open", _("Open to join")
        RUNNING = "running", _("Being played")
        FINISHED = "finished", _("Over")

    ruleset = models.CharField(max_length=40)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    players = models.PositiveIntegerField(
        default=0, db_default=0, help_text=_("How many players have joined the season.")
    )

    class Meta:
        ordering = ["-starts_at", "ruleset"]
        indexes = [
            models.Index(fields=["starts_at"], name="seasons_going_on", condition=~Q(status="finished"))
        ]
        constraints = [models.UniqueConstraint(fields=["ruleset", "starts_at"], name="season_once")]

    def __str__(self) -> str:
        return f"{self.ruleset} from {self.starts_at:%Y-%m}"

    def get_absolute_url(self) -> str:
        return reverse("seasons:season", args=[self.pk])


class SeasonEntry(models.Model):
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="entries")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="season_entries")
    joined_at = models.DateTimeField()

    class Meta:
        ordering = ["season", "joined_at", "pk"]
        indexes = [models.Index(fields=["season", "-joined_at", "-id"], name="season_entries_latest")]
        constraints = [models.UniqueConstraint(fields=["season", "user"], name="season_entry_once")]

    def __str__(self) -> str:
        return f"{self.user_id} in season {self.season_id}"


class Division(models.Model):
    """A division of a season, played as a league. Number 1 is the highest."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="divisions")
    number = models.PositiveSmallIntegerField()
    tournament = models.OneToOneField("Tournament", on_delete=models.PROTECT, related_name="division")

    class Meta:
        ordering = ["season", "number"]
        constraints = [models.UniqueConstraint(fields=["season", "number"], name="division_once")]

    def __str__(self) -> str:
        return f"division {self.number} of season {self.season_id}"


# --- The queue ----------------------------------------------------------------------------------------------


class WaitingTickets(models.Manager["Ticket"]):
    """The tickets of players who are waiting for a game."""

    def get_queryset(self) -> "models.QuerySet[Ticket]":
        return super().get_queryset().filter(created_at__isnull=False)


class Ticket(models.Model):
    """A player's wish for a game (`games.competitions.matching`). It stays for their next search.

    ``created_at`` is the start of the search, or None if the player is not waiting. An empty ruleset, pace or
    size means any. ``spread`` is the largest accepted difference from the other players' ratings, or None for
    the usual limit. ``least_reliability`` is the other players' minimum reliability, in percent. The player
    accepts computers after ``computers_after`` hours. If it is None, they never do.
    """

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="ticket")
    ruleset = models.CharField(max_length=40, blank=True)
    pace = models.CharField(max_length=10, blank=True)
    size = models.CharField(max_length=10, blank=True)
    least = models.PositiveSmallIntegerField(_("minimum number of players"), default=2)
    most = models.PositiveSmallIntegerField(_("maximum number of players"), default=8)
    spread = models.PositiveSmallIntegerField(null=True)
    least_reliability = models.PositiveSmallIntegerField(
        _("minimum reliability of the other players"), default=0, db_default=0
    )
    computers_after = models.PositiveSmallIntegerField(null=True)
    created_at = models.DateTimeField(null=True)

    objects = models.Manager["Ticket"]()
    waiting = WaitingTickets()

    class Meta:
        ordering = ["created_at", "pk"]
        indexes = [
            models.Index(fields=["created_at"], name="tickets_waiting", condition=Q(created_at__isnull=False))
        ]
        constraints = [
            models.CheckConstraint(
                name="ticket_for_some_players", condition=Q(least__gte=2, most__gte=F("least"))
            ),
            models.CheckConstraint(
                name="ticket_reliability_in_percent", condition=Q(least_reliability__lte=100)
            ),
        ]

    def __str__(self) -> str:
        return f"ticket of {self.user_id}"


class Wait(models.Model):
    """The time that one player waited for a game, without the player. The wait ended ``at`` that time.

    ``computers`` says whether the wait ended because computers took the open seats.
    """

    at = models.DateTimeField()
    seconds = models.PositiveIntegerField()
    pace = models.CharField(max_length=10, blank=True)
    computers = models.BooleanField()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["at"], name="waits_by_end")]

    def __str__(self) -> str:
        return f"{self.seconds} s until {self.at}"
