"""Admin pages for games, seats, turns, programs, staff actions, replacements and outages."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator, format_lazy
from django.utils.timezone import localtime
from django.utils.translation import gettext, gettext_lazy as _

import rules
from accounts.models import User
from games.absence.models import Replacement
from games.clocks.models import Outage
from games.clocks.paces import pace_in_words
from games.errors import describe_error
from games.fleet.admin import pretty, shown
from games.fleet.models import Piece
from games.moderation.admin.cases import HintedAdmin, OneBrowser
from games.moderation.hints import pairs_in
from games.news.models import Notice
from games.play import stored
from games.play.heads import UNREADABLE, orders_in
from games.play.models import Game, Hand, Program, Seat, Turn
from games.play.news import OUTAGE
from games.play.policy import absence_in_words
from games.play.resolution import MAX_ATTEMPTS
from games.play.selectors import seat_name, sentence_of
from games.play.stored import PlayedHand, TurnRecord, turn_record
from games.rights import Right, may
from games.staff.admin import CANCEL, EXTEND, REPLACE, RESOLVE, RESOLVE_GAME, InterveningAdmin
from games.staff.models import Intervention
from games.web.admin import (
    NEVER_PLAYED,
    Conditions,
    ReadOnly,
    WatchedAdmin,
    if_played,
    list_link,
    row_link,
    staff_of,
)
from games.wording import duration_in_words
from games.work.jobs import reason_in_words
from games.work.models import Alarm
from rules.rulebook import outline


@admin.register(Outage)
class OutageAdmin(WatchedAdmin):
    """Outages of the service. They apply to all games, and are read-only."""

    list_display = ["began_at", "ended_at", "lasted", "given_back"]
    list_filter = ["began_at", ("settled_at", admin.EmptyFieldListFilter)]
    links = ("began_at__lt", "ended_at__gt", "settled_at__isempty")
    fields = ["began_at", "ended_at", "lasted", "given_back", "more"]

    @admin.display
    def lasted(self, outage: Outage) -> str:
        """The length of the outage, in words."""
        return duration_in_words(round((outage.ended_at - outage.began_at).total_seconds()))

    @admin.display(description=_("clocks extended at"), ordering="settled_at")
    def given_back(self, outage: Outage) -> datetime | None:
        """The time when the length of the outage had been added to all running clocks. Empty until then."""
        return outage.settled_at

    @admin.display(description=_("related"))
    def more(self, outage: Outage) -> SafeString:
        mail = {"kind__exact": OUTAGE.name, "created_at__gte": outage.ended_at.isoformat()}
        return list_link(Notice, gettext("notifications since"), **mail)


def outages_of(game: Game) -> SafeString | None:
    """Return a link to the outages during a game, or None if the game has not started."""
    if game.started_at is None:
        return None
    span = {"ended_at__gt": game.started_at.isoformat()}
    if game.ended_at is not None:
        span["began_at__lt"] = game.ended_at.isoformat()
    return list_link(Outage, gettext("outages"), **span)


class SeatsOfGame(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Seat
    fields = ["number", "user", "squad", "model", "place", "joined_at"]
    verbose_name_plural = _("players")
    extra = 0
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("user")


@admin.register(Game)
class GameAdmin(HintedAdmin, InterveningAdmin):
    """Games. Staff may extend deadlines or cancel a game.

    Staff never see the link of a private game. They see the seed only once the game is over.
    """

    list_display = ["name", "status", "starship", "host", "players_of_seats", "turn", "private", "moved_at"]
    list_filter = ["status", "ruleset", "private", "intervened", OneBrowser, "created_at"]
    related = ["host", "revision__starship", "course"]
    withheld = ["revision__document", "course__document"]
    search_fields = ["name", "host__robo_name", "players__user__robo_name", "revision__starship__name"]
    search_help_text = _("Search by game, host, player or starship.")
    actions = ["resolve_again", "extend", "cancel"]
    inlines = [SeatsOfGame]
    fieldsets = [
        (None, {"fields": ["name", "status", "stuck", "starship", "host", "private", "pace_", "absence_"]}),
        (_("Rules"), {"fields": ["edition", "settings", "varied", "board", "rulebook"]}),
        (_("Progress"), {"fields": ["turn", "waits_for", "events", "winner", "secret_seed", "more"]}),
        (_("Times"), {"fields": ["created_at", "started_at", "moved_at", "ended_at"]}),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        games: QuerySet[Game] = super().get_queryset(request)
        return games.annotate(taken=Count("players", distinct=True))

    def hints_for(self, row: Game, request: HttpRequest) -> dict[str, object]:
        """Return signs that one person might be playing several seats of the game."""
        return {"pairs": pairs_in(row, viewer=staff_of(request))}

    @admin.display(ordering="revision__starship__name")
    def starship(self, game: Game) -> str:
        """The starship and its revision. For a joined board, this is its first starship."""
        if game.revision is None:
            return gettext("{board}, a test flight").format(board=game.board_name)
        ship = game.revision.starship
        name = f"{game.board_name}: {ship.name}" if game.course else ship.name
        text = gettext("{starship}, revision {number}").format(starship=name, number=game.revision.number)
        return row_link(ship, text)

    @admin.display(description=_("players"))
    def players_of_seats(self, game: Any) -> str:
        return gettext("{taken} of {seats}").format(taken=game.taken, seats=game.seats)

    @admin.display(description=_("ruleset"))
    def edition(self, game: Game) -> str:
        return gettext("{ruleset}, version {version}").format(ruleset=game.ruleset, version=game.version)

    @admin.display(description=_("options"))
    def settings(self, game: Game) -> str:
        return _listed(game.options)

    @admin.display(description=_("house rules"))
    def varied(self, game: Game) -> str:
        """The game's house rules that differ from the rulebook."""
        return _listed(stored.house_rules_of(game)) or gettext("none, as in the rulebook")

    @admin.display(description=_("board"))
    def board(self, game: Game) -> str:
        if game.course is None:
            return gettext("the whole starship")
        pieces = game.course.pieces.select_related("revision__starship").defer("revision__document")
        text = gettext("{width} × {height} cells: {boards}")
        boards = ", ".join(map(_piece_in_words, pieces))
        return text.format(width=game.course.width, height=game.course.height, boards=boards)

    @admin.display(description=_("rulebook"))
    def rulebook(self, game: Game) -> SafeString:
        """All steps of the ruleset in order, with the game's options and house rules."""
        text = outline(stored.setup_of(game).ruleset)
        return format_html(
            "<details><summary>{}</summary>{}</details>", gettext("Rules of this game"), shown(text)
        )

    @admin.display(description=_("pace"))
    def pace_(self, game: Game) -> str:
        return pace_in_words(stored.pace_of(game))

    @admin.display(description=_("missed turns"))
    def absence_(self, game: Game) -> str:
        return absence_in_words(stored.absence_of(game))

    @admin.display(description=_("waits for"))
    def waits_for(self, game: Game) -> str:
        """The players whose orders are missing."""
        missing = Hand.objects.filter(turn__game=game, turn__status=Turn.Status.OPEN, program=None)
        missing = missing.exclude(seat=None).annotate(name=seat_name("seat__"))
        if game.status != Game.Status.RUNNING:
            return self.get_empty_value_display()
        return ", ".join(missing.order_by("robot").values_list("name", flat=True)) or gettext("no one")

    @admin.display(description=_("stuck"))
    def stuck(self, game: Game) -> SafeString | str:
        """Why the open turn does not go on: its failed attempts, its error and its open alarms."""
        turn = game.turns.filter(status=Turn.Status.OPEN).defer("snapshot", "record").first()
        if game.status != Game.Status.RUNNING or turn is None:
            return self.get_empty_value_display()
        alarms = Alarm.objects.filter(Q(turn=turn) | Q(game=game), closed_at=None)
        causes = [row_link(alarm, reason_in_words(turn.error or alarm.error)) for alarm in alarms]
        if turn.attempts:
            tries = gettext("turn {number}, failed attempts: {tries}")
            causes.insert(0, row_link(turn, tries.format(number=turn.number, tries=turn.attempts)))
            if not alarms and turn.error:
                causes.append(format_html("{}", reason_in_words(turn.error)))
        if causes:
            return format_html_join(" · ", "{}", ((cause,) for cause in causes))
        if turn.ready_at:
            return gettext("no, all orders are in and a worker plays the turn")
        return gettext("no, the turn waits for players")

    @admin.display(description=_("seed"))
    def secret_seed(self, game: Game) -> object:
        """The random seed of the game. It is shown only once the game is over."""
        return if_played(game, lambda: game.seed)

    @admin.display(description=_("events so far"))
    def events(self, game: Game) -> int:
        return game.last_seq

    @admin.display(description=_("related"))
    def more(self, game: Game) -> SafeString:
        of_game = {"game__id__exact": game.pk}
        links = [
            list_link(Turn, gettext("turns"), **of_game),
            list_link(Program, gettext("programs"), hand__turn__game__id__exact=game.pk),
            list_link(Notice, gettext("notifications"), **of_game),
            list_link(Intervention, gettext("interventions"), **of_game),
            list_link(Replacement, gettext("replacements"), seat__game__id__exact=game.pk),
            outages_of(game),
        ]
        return format_html_join(" · ", "{}", ((link,) for link in links if link))

    @admin.action(permissions=["resolve"], description=_("Resolve again"))
    def resolve_again(self, request: HttpRequest, games: QuerySet[Game]) -> TemplateResponse | None:
        """Retry the open turns of the selected games."""
        return self.intervene(request, games, RESOLVE_GAME)

    def has_resolve_permission(self, request: HttpRequest) -> bool:
        return may(request.user, Right.CHANGE_TURNS)

    @admin.action(permissions=["act"], description=_("Extend the deadline"))
    def extend(self, request: HttpRequest, games: QuerySet[Game]) -> TemplateResponse | None:
        """Extend the deadlines of the players whose orders are missing, in the selected games."""
        return self.intervene(request, games, EXTEND)

    @admin.action(permissions=["act"], description=_("Cancel"))
    def cancel(self, request: HttpRequest, games: QuerySet[Game]) -> TemplateResponse | None:
        """Cancel the selected games, without a winner."""
        return self.intervene(request, games, CANCEL)


@admin.register(Seat)
class SeatAdmin(InterveningAdmin):
    """Seats. Staff may replace a player with a computer."""

    list_display = ["user", "number", "squad", "model", "game", "status", "place", "joined_at"]
    list_filter = ["game__status", "joined_at"]
    related = ["user", "game"]
    actions = ["replace"]
    search_fields = ["user__robo_name", "game__name"]
    search_help_text = _("Search by player or game.")
    links = ("game__id__exact", "user__id__exact")
    fields = ["user", "number", "squad", "model", "game", "status", "place", "joined_at"]

    @admin.display(description=_("game status"), ordering="game__status")
    def status(self, seat: Seat) -> str:
        return seat.game.get_status_display()

    @admin.action(permissions=["act"], description=_("Replace with a computer"))
    def replace(self, request: HttpRequest, seats: QuerySet[Seat]) -> TemplateResponse | None:
        return self.intervene(request, seats, REPLACE)

    def named(self, row: Seat) -> str:
        return gettext("{player} in {game}").format(player=row.robo_name, game=row.game.name)


def _listed(values: Mapping[str, object]) -> str:
    return "; ".join(f"{key.replace('_', ' ')}: {_in_words(value)}" for key, value in values.items())


def _in_words(value: object) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(value)


def _piece_in_words(piece: Piece) -> str:
    revision = piece.revision
    text = (
        gettext("{starship} (revision {number}) in column {column}, row {row}, rotated {degrees}°")
        if piece.turned
        else gettext("{starship} (revision {number}) in column {column}, row {row}")
    )
    return text.format(
        starship=revision.starship.name,
        number=revision.number,
        column=piece.column + 1,
        row=piece.row + 1,
        degrees=90 * piece.turned,
    )


UNDER_WAY = Q(status=Turn.Status.OPEN, game__status=Game.Status.RUNNING)


class Work(Conditions):
    """A filter for open turns, by whether they wait for players, for a worker, or for staff."""

    title = _("waiting for")
    parameter_name = "waits"
    conditions = {
        "players": (_("Players"), UNDER_WAY & Q(ready_at=None)),
        "worker": (_("A worker"), UNDER_WAY & Q(ready_at__isnull=False, attempts__lt=MAX_ATTEMPTS)),
        "staff": (
            format_lazy(_("Staff, after {number} failed attempts"), number=MAX_ATTEMPTS),
            UNDER_WAY & Q(attempts__gte=MAX_ATTEMPTS),
        ),
    }


@admin.register(Turn)
class TurnAdmin(InterveningAdmin):
    """Turns. Staff may retry a failed turn. States, hands and orders are secret until the game is over."""

    list_display = ["number", "game", "status", "deadline", "attempts", "short_error"]
    list_filter = ["status", Work, "opened_at"]
    search_fields = ["game__name", "error"]
    search_help_text = _("Search by game or error.")
    ordering = ["-opened_at", "-pk"]
    links = ("game__id__exact",)
    actions = ["resolve_again"]
    related = ["game"]
    withheld = ["snapshot", "record", "game__seed", "game__link_token", "game__options"]
    fieldsets = [
        (None, {"fields": ["of_game", "number", "status", "programs"]}),
        (_("Times"), {"fields": ["opened_at", "deadline", "ready_at", "resolved_at"]}),
        (_("Work"), {"fields": ["attempts", "interruptions", "offered_at", "last_error"]}),
        (_("Secrets"), {"fields": ["dealt", "ordered", "at_its_start", "at_its_end"]}),
    ]

    @admin.display(description=_("game"))
    def of_game(self, turn: Turn) -> SafeString:
        return row_link(turn.game)

    @admin.display(description=_("error"))
    def short_error(self, turn: Turn) -> str:
        return Truncator(reason_in_words(turn.error)).chars(80)

    @admin.display(description=_("error"))
    def last_error(self, turn: Turn) -> str:
        return reason_in_words(turn.error) or self.get_empty_value_display()

    @admin.display(description=_("programs"))
    def programs(self, turn: Turn) -> object:
        """A link to an open turn's programs, or the authors and times of a played turn's orders."""
        if turn.status == Turn.Status.OPEN:
            return list_link(Program, gettext("who has submitted"), hand__turn__id__exact=turn.pk)
        return _from_record(turn, lambda played: _lines("{}: {}, {} {}", _authors(played)))

    @admin.display(description=_("hands"))
    def dealt(self, turn: Turn) -> object:
        if turn.status == Turn.Status.OPEN:
            hands = [(_robot(hand), chips_of(hand)) for hand in turn.hands.select_related("seat__user")]
            return if_played(turn.game, lambda: _lines("{}: {}", hands))
        return if_played(
            turn.game, lambda: _from_record(turn, lambda played: _lines("{}: {}", _hands(played)))
        )

    @admin.display(description=_("orders"))
    def ordered(self, turn: Turn) -> object:
        """The orders of a played turn. They are shown only once the game is over."""
        return self._played_document(turn, orders_in)

    @admin.display(description=_("state at its start"))
    def at_its_start(self, turn: Turn) -> object:
        if turn.status == Turn.Status.OPEN:
            return if_played(turn.game, lambda: shown(pretty(turn.snapshot)))
        return self._played_document(turn, lambda played: played.start)

    @admin.display(description=_("state at its end"))
    def at_its_end(self, turn: Turn) -> object:
        return self._played_document(turn, lambda played: _end_of(turn.game, played))

    def _played_document(self, turn: Turn, document: Callable[[TurnRecord], object]) -> object:
        if turn.status == Turn.Status.OPEN:
            return self.get_empty_value_display()
        return if_played(
            turn.game, lambda: _from_record(turn, lambda played: shown(pretty(document(played))))
        )

    @admin.action(permissions=["act"], description=_("Resolve again"))
    def resolve_again(self, request: HttpRequest, turns: QuerySet[Turn]) -> TemplateResponse | None:
        return self.intervene(request, turns, RESOLVE)

    def named(self, row: Turn) -> str:
        return gettext("turn {number} of {game}").format(number=row.number, game=row.game.name)


@admin.register(Program)
class ProgramAdmin(WatchedAdmin):
    """Programs of turns under way. Their orders are shown only once the game is over."""

    list_display = ["player", "turn_number", "game_link", "by", "why", "submitted_at"]
    list_filter = ["by", "submitted_at"]
    search_fields = ["hand__seat__user__robo_name", "hand__turn__game__name"]
    search_help_text = _("Search by player or game.")
    ordering = ["-submitted_at", "-pk"]
    links = ("hand__turn__id__exact", "hand__turn__game__id__exact")
    related = ["hand__turn__game", "hand__seat__user"]
    withheld = ["orders", "hand__chips", "hand__turn__snapshot", "hand__turn__record"]
    fields = ["player", "turn_link", "game_link", "by", "why", "submitted_at", "dealt", "ordered"]

    @admin.display(description=_("remark"))
    def why(self, program: Program) -> str:
        """The reason why a computer's orders are random."""
        return reason_in_words(program.remark) or self.get_empty_value_display()

    @admin.display(ordering="hand__seat__user__robo_name")
    def player(self, program: Program) -> str:
        return _robot(program.hand)

    @admin.display(description=_("turn"), ordering="hand__turn__number")
    def turn_number(self, program: Program) -> int:
        return program.hand.turn.number

    @admin.display(description=_("turn"))
    def turn_link(self, program: Program) -> SafeString:
        return row_link(program.hand.turn, gettext("turn {number}").format(number=program.hand.turn.number))

    @admin.display(description=_("game"), ordering="hand__turn__game__name")
    def game_link(self, program: Program) -> SafeString:
        return row_link(program.hand.turn.game)

    @admin.display(description=_("hand"))
    def dealt(self, program: Program) -> object:
        return if_played(program.hand.turn.game, lambda: chips_of(program.hand))

    @admin.display(description=_("orders"))
    def ordered(self, program: Program) -> object:
        """The submitted orders, once the game is over. They stay secret if their turn was never played."""
        turn = program.hand.turn
        if turn.game.ended_early and turn.status == Turn.Status.OPEN:
            return NEVER_PLAYED
        return if_played(turn.game, lambda: shown(pretty(stored.plain_orders(program))))

    def named(self, row: Program) -> str:
        return gettext("{player}, turn {number}").format(player=self.player(row), number=row.hand.turn.number)


def _from_record(turn: Turn, show: Callable[[TurnRecord], object]) -> object:
    """Apply ``show`` to a played turn's record, or return the reason why the record cannot be read."""
    try:
        return show(turn_record(turn))
    except UNREADABLE as error:
        return gettext("This cannot be read: {reason}").format(reason=describe_error(error))


def _end_of(game: Game, played: TurnRecord) -> object:
    ship = stored.ship_of(game)
    return rules.state_to_json(ship, stored.end_in(played, ship))


def _lines(form: str, rows: Iterable[tuple[object, ...]]) -> SafeString:
    return format_html_join("", f"<p>{form}</p>", rows)


def _authors(played: TurnRecord) -> Iterator[tuple[object, ...]]:
    for hand in played.hands:
        if given := hand.program:
            at = date_format(localtime(given.submitted_at), "DATETIME_FORMAT")
            yield (
                played.names[hand.robot - 1],
                Program.Author(given.by).label,
                at,
                reason_in_words(given.remark),
            )


def _hands(played: TurnRecord) -> Iterator[tuple[object, ...]]:
    for hand in played.hands:
        yield played.names[hand.robot - 1], chips_of(hand)


def chips_of(hand: Hand | PlayedHand) -> str:
    """Return the chips of a hand as text: the kind of each chip (such as its movement), and its number."""
    return ", ".join(f"{chip.kind} ({chip.number})" for chip in stored.chips_of(hand)) or gettext("no chips")


def _robot(hand: Hand) -> str:
    return hand.seat.robo_name if hand.seat else gettext("robot {number}").format(number=hand.robot)


@admin.register(Intervention)
class InterventionAdmin(WatchedAdmin):
    """Staff actions on games, read-only."""

    list_display = ["at", "game", "turn", "done", "reason", "by"]
    list_filter = ["action", "at"]
    related = ["game", "by", "seat__user"]
    search_fields = ["game__name", "by__robo_name", "reason"]
    search_help_text = _("Search by game, member of staff or reason.")
    links = ("game__id__exact",)
    fields = ["at", "game", "turn", "done", "reason", "by"]

    @admin.display(description=_("action"))
    def done(self, row: Intervention) -> str:
        return sentence_of(row)


@admin.register(Replacement)
class ReplacementAdmin(WatchedAdmin):
    """Replacements of players, read-only. All viewers of a game can see them."""

    list_display = ["at", "robot", "game_link", "turn", "before", "after", "reason"]
    list_filter = ["reason", "at"]
    related = ["seat__user", "seat__game", "was", "became"]
    search_fields = ["seat__game__name", "seat__robot", "was__robo_name", "became__robo_name"]
    search_help_text = _("Search by game, robot or former player of the seat.")
    links = ("seat__game__id__exact",)
    fields = ["at", "seat_link", "game_link", "turn", "before", "after", "reason"]

    @admin.display(ordering="seat__number")
    def robot(self, row: Replacement) -> str:
        return row.seat.robo_name

    @admin.display(description=_("robot"))
    def seat_link(self, row: Replacement) -> SafeString:
        return row_link(row.seat, row.seat.robo_name)

    @admin.display(description=_("game"), ordering="seat__game__name")
    def game_link(self, row: Replacement) -> SafeString:
        return row_link(row.seat.game)

    @admin.display(description=_("replaced player"), ordering="was__robo_name")
    def before(self, row: Replacement) -> str:
        return _named(row.was)

    @admin.display(description=_("new player"), ordering="became__robo_name")
    def after(self, row: Replacement) -> str:
        return _named(row.became)


def _named(user: User | None) -> str:
    return user.robo_name if user else "a computer"
