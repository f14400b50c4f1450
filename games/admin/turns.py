"""Turns and programs in the admin: whether they are played, and what was ordered once that is no secret."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from games.admin.documents import pretty, shown
from games.admin.intervening import RESOLVE, InterveningAdmin
from games.admin.watching import NEVER_PLAYED, WatchedAdmin, linked, listed, once_over, staff_of
from games.play import stored
from games.play.models import Game, Hand, Program, Turn
from games.play.services.resolution import ATTEMPTS
from games.staff.services import interventions


class Work(admin.SimpleListFilter):
    """What turns under way wait for."""

    title = "what it waits for"
    parameter_name = "waits"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The choices."""
        return [("players", "Players"), ("worker", "A worker"), ("staff", f"Staff: failed {ATTEMPTS} times")]

    def queryset(self, request: HttpRequest, turns: QuerySet[Turn]) -> QuerySet[Turn]:
        """The turns of a choice."""
        under_way = Q(status=Turn.Status.OPEN, game__status=Game.Status.RUNNING)
        match self.value():
            case "players":
                return turns.filter(under_way, ready_at=None)
            case "worker":
                return turns.filter(under_way, ready_at__isnull=False, attempts__lt=ATTEMPTS)
            case "staff":
                return turns.filter(under_way, attempts__gte=ATTEMPTS)
        return turns


@admin.register(Turn)
class TurnAdmin(InterveningAdmin):
    """Turns; staff may have one that failed tried again. State, hands and orders are secrets of the game."""

    list_display = ["number", "game", "status", "deadline", "attempts", "short_error"]
    list_filter = ["status", Work, "opened_at"]
    search_fields = ["game__name", "error"]
    search_help_text = "The game or the error."
    ordering = ["-opened_at", "-pk"]
    links = ("game__id__exact",)
    actions = ["resolve_again"]
    fieldsets = [
        (None, {"fields": ["of_game", "number", "status", "programs"]}),
        ("Times", {"fields": ["opened_at", "deadline", "ready_at", "resolved_at"]}),
        ("Work", {"fields": ["attempts", "interruptions", "offered_at", "error"]}),
        ("Secrets", {"fields": ["dealt", "at_its_start", "at_its_end"]}),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Turn]:
        """Turns with their games; the states are left behind."""
        turns = super().get_queryset(request).select_related("game")
        return turns.defer("snapshot", "outcome", "game__seed", "game__link_token", "game__options")

    @admin.display(description="game")
    def of_game(self, turn: Turn) -> SafeString:
        """The game."""
        return linked(turn.game)

    @admin.display(description="error")
    def short_error(self, turn: Turn) -> str:
        """The beginning of the last error."""
        return Truncator(turn.error).chars(80)

    @admin.display(description="programs")
    def programs(self, turn: Turn) -> SafeString:
        """A link to the programs of the turn."""
        return listed(Program, "who has submitted", hand__turn__id__exact=turn.pk)

    @admin.display(description="hands")
    def dealt(self, turn: Turn) -> object:
        """What every robot was dealt."""
        hands = turn.hands.select_related("seat__user")
        return once_over(
            turn.game,
            lambda: format_html_join("", "<p>{}: {}</p>", ((_robot(hand), chips_of(hand)) for hand in hands)),
        )

    @admin.display(description="state at its start")
    def at_its_start(self, turn: Turn) -> object:
        """The state that it starts from."""
        return once_over(turn.game, lambda: shown(pretty(turn.snapshot)))

    @admin.display(description="state at its end")
    def at_its_end(self, turn: Turn) -> object:
        """The state that it led to."""
        return once_over(turn.game, lambda: shown(pretty(turn.outcome)) if turn.outcome else None)

    @admin.action(permissions=["act"], description="Resolve again")
    def resolve_again(self, request: HttpRequest, turns: QuerySet[Turn]) -> TemplateResponse | None:
        """Have another try at turns that failed."""
        staff, now = staff_of(request), timezone.now()

        def deed(turn: Turn, given: dict[str, Any]) -> object:
            return interventions.resolve_again(user=staff, turn_id=turn.pk, now=now, **given)

        return self.intervene(request, turns, RESOLVE, deed, "To be resolved again")

    def named(self, row: Turn) -> str:
        """A turn by number and game."""
        return f"turn {row.number} of {row.game.name}"


@admin.register(Program)
class ProgramAdmin(WatchedAdmin):
    """Programs: who submitted when, and what, once the game is over."""

    list_display = ["player", "turn_number", "game", "by", "remark", "submitted_at"]
    list_filter = ["by", "submitted_at"]
    search_fields = ["hand__seat__user__robo_name", "hand__turn__game__name"]
    search_help_text = "The player or the game."
    ordering = ["-submitted_at", "-pk"]
    links = ("hand__turn__id__exact", "hand__turn__game__id__exact")
    fields = ["player", "turn_link", "game", "by", "remark", "submitted_at", "dealt", "ordered"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Program]:
        """Programs with players and games; what was dealt and ordered is left behind."""
        programs = super().get_queryset(request).select_related("hand__turn__game", "hand__seat__user")
        return programs.defer("orders", "hand__chips", "hand__turn__snapshot", "hand__turn__outcome")

    @admin.display(ordering="hand__seat__user__robo_name")
    def player(self, program: Program) -> str:
        """The player."""
        return _robot(program.hand)

    @admin.display(description="turn", ordering="hand__turn__number")
    def turn_number(self, program: Program) -> int:
        """The turn's number."""
        return program.hand.turn.number

    @admin.display(description="turn")
    def turn_link(self, program: Program) -> SafeString:
        """The turn."""
        return linked(program.hand.turn, f"turn {program.hand.turn.number}")

    @admin.display(ordering="hand__turn__game__name")
    def game(self, program: Program) -> SafeString:
        """The game."""
        return linked(program.hand.turn.game)

    @admin.display(description="hand")
    def dealt(self, program: Program) -> object:
        """What the player was dealt."""
        return once_over(program.hand.turn.game, lambda: chips_of(program.hand))

    @admin.display(description="orders")
    def ordered(self, program: Program) -> object:
        """What the player ordered; where the turn was never played, that stays theirs alone."""
        turn = program.hand.turn
        if turn.game.broke_off and turn.status == Turn.Status.OPEN:
            return NEVER_PLAYED
        return once_over(turn.game, lambda: shown(pretty(stored.plain_orders(program))))

    def named(self, row: Program) -> str:
        """A program by player and turn."""
        return f"{self.player(row)}, turn {row.hand.turn.number}"


def chips_of(hand: Hand) -> str:
    """Return the chips of a hand in words: kind and number of each."""
    return ", ".join(f"{chip.kind} ({chip.number})" for chip in stored.chips_of(hand)) or "no chips"


def _robot(hand: Hand) -> str:
    return hand.seat.robo_name if hand.seat else f"robot {hand.robot}"
