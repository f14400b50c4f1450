"""Turns and programs in the admin: whether they are played, and what was ordered once that is no secret."""

from collections.abc import Callable, Iterable, Iterator

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.formats import date_format
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator, format_lazy
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rules
from games.errors import reason_of
from games.fleet.admin import pretty, shown
from games.play import stored
from games.play.models import Game, Hand, Program, Turn
from games.play.played import Dealt, Played, kept_of
from games.play.selectors.heads import UNREADABLE, orders_in
from games.play.services.resolution import ATTEMPTS
from games.staff.admin import RESOLVE, InterveningAdmin
from games.web.admin import NEVER_PLAYED, Conditions, WatchedAdmin, linked, listed, once_over
from games.work.jobs import reason_in_words

UNDER_WAY = Q(status=Turn.Status.OPEN, game__status=Game.Status.RUNNING)


class Work(Conditions):
    """What turns under way wait for."""

    title = _("what it waits for")
    parameter_name = "waits"
    conditions = {
        "players": (_("Players"), UNDER_WAY & Q(ready_at=None)),
        "worker": (_("A worker"), UNDER_WAY & Q(ready_at__isnull=False, attempts__lt=ATTEMPTS)),
        "staff": (
            format_lazy(_("Staff: failed {number} times"), number=ATTEMPTS),
            UNDER_WAY & Q(attempts__gte=ATTEMPTS),
        ),
    }


@admin.register(Turn)
class TurnAdmin(InterveningAdmin):
    """Turns; staff may have one that failed tried again. State, hands and orders are secrets of the game."""

    list_display = ["number", "game", "status", "deadline", "attempts", "short_error"]
    list_filter = ["status", Work, "opened_at"]
    search_fields = ["game__name", "error"]
    search_help_text = _("The game or the error.")
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
        return linked(turn.game)

    @admin.display(description=_("error"))
    def short_error(self, turn: Turn) -> str:
        return Truncator(reason_in_words(turn.error)).chars(80)

    @admin.display(description=_("error"))
    def last_error(self, turn: Turn) -> str:
        return reason_in_words(turn.error) or self.get_empty_value_display()

    @admin.display(description=_("programs"))
    def programs(self, turn: Turn) -> object:
        """Who has submitted; of a turn that was played, who gave which robot's orders, and when."""
        if turn.status == Turn.Status.OPEN:
            return listed(Program, gettext("who has submitted"), hand__turn__id__exact=turn.pk)
        return _of_played(turn, lambda played: _lines("{}: {}, {} {}", _authors(played)))

    @admin.display(description=_("hands"))
    def dealt(self, turn: Turn) -> object:
        if turn.status == Turn.Status.OPEN:
            hands = [(_robot(hand), chips_of(hand)) for hand in turn.hands.select_related("seat__user")]
            return once_over(turn.game, lambda: _lines("{}: {}", hands))
        return once_over(turn.game, lambda: _of_played(turn, lambda played: _lines("{}: {}", _hands(played))))

    @admin.display(description=_("orders"))
    def ordered(self, turn: Turn) -> object:
        """What was ordered in a turn that was played."""
        return self._played_document(turn, orders_in)

    @admin.display(description=_("state at its start"))
    def at_its_start(self, turn: Turn) -> object:
        if turn.status == Turn.Status.OPEN:
            return once_over(turn.game, lambda: shown(pretty(turn.snapshot)))
        return self._played_document(turn, lambda played: played.start)

    @admin.display(description=_("state at its end"))
    def at_its_end(self, turn: Turn) -> object:
        return self._played_document(turn, lambda played: _end_of(turn.game, played))

    def _played_document(self, turn: Turn, document: Callable[[Played], object]) -> object:
        if turn.status == Turn.Status.OPEN:
            return self.get_empty_value_display()
        return once_over(turn.game, lambda: _of_played(turn, lambda played: shown(pretty(document(played)))))

    @admin.action(permissions=["act"], description=_("Resolve again"))
    def resolve_again(self, request: HttpRequest, turns: QuerySet[Turn]) -> TemplateResponse | None:
        return self.intervene(request, turns, RESOLVE)

    def named(self, row: Turn) -> str:
        return gettext("turn {number} of {game}").format(number=row.number, game=row.game.name)


@admin.register(Program)
class ProgramAdmin(WatchedAdmin):
    """Programs of turns under way: who submitted when; and what, once the game is over."""

    list_display = ["player", "turn_number", "game_link", "by", "why", "submitted_at"]
    list_filter = ["by", "submitted_at"]
    search_fields = ["hand__seat__user__robo_name", "hand__turn__game__name"]
    search_help_text = _("The player or the game.")
    ordering = ["-submitted_at", "-pk"]
    links = ("hand__turn__id__exact", "hand__turn__game__id__exact")
    related = ["hand__turn__game", "hand__seat__user"]
    withheld = ["orders", "hand__chips", "hand__turn__snapshot", "hand__turn__record"]
    fields = ["player", "turn_link", "game_link", "by", "why", "submitted_at", "dealt", "ordered"]

    @admin.display(description=_("remark"))
    def why(self, program: Program) -> str:
        """Why a computer's orders are by chance."""
        return reason_in_words(program.remark) or self.get_empty_value_display()

    @admin.display(ordering="hand__seat__user__robo_name")
    def player(self, program: Program) -> str:
        return _robot(program.hand)

    @admin.display(description=_("turn"), ordering="hand__turn__number")
    def turn_number(self, program: Program) -> int:
        return program.hand.turn.number

    @admin.display(description=_("turn"))
    def turn_link(self, program: Program) -> SafeString:
        return linked(program.hand.turn, gettext("turn {number}").format(number=program.hand.turn.number))

    @admin.display(description=_("game"), ordering="hand__turn__game__name")
    def game_link(self, program: Program) -> SafeString:
        return linked(program.hand.turn.game)

    @admin.display(description=_("hand"))
    def dealt(self, program: Program) -> object:
        return once_over(program.hand.turn.game, lambda: chips_of(program.hand))

    @admin.display(description=_("orders"))
    def ordered(self, program: Program) -> object:
        """What the player ordered; where the turn was never played, that stays theirs alone."""
        turn = program.hand.turn
        if turn.game.broke_off and turn.status == Turn.Status.OPEN:
            return NEVER_PLAYED
        return once_over(turn.game, lambda: shown(pretty(stored.plain_orders(program))))

    def named(self, row: Program) -> str:
        return gettext("{player}, turn {number}").format(player=self.player(row), number=row.hand.turn.number)


def _of_played(turn: Turn, show: Callable[[Played], object]) -> object:
    """Return what is shown of a turn that was played, or why that cannot be read."""
    try:
        return show(kept_of(turn))
    except UNREADABLE as error:
        return gettext("This cannot be read: {reason}").format(reason=reason_of(error))


def _end_of(game: Game, played: Played) -> object:
    ship = stored.ship_of(game)
    return rules.state_to_json(ship, stored.end_in(played, ship))


def _lines(form: str, rows: Iterable[tuple[object, ...]]) -> SafeString:
    return format_html_join("", f"<p>{form}</p>", rows)


def _authors(played: Played) -> Iterator[tuple[object, ...]]:
    for hand in played.hands:
        if given := hand.program:
            at = date_format(localtime(given.submitted_at), "DATETIME_FORMAT")
            yield (
                played.names[hand.robot - 1],
                Program.Author(given.by).label,
                at,
                reason_in_words(given.remark),
            )


def _hands(played: Played) -> Iterator[tuple[object, ...]]:
    for hand in played.hands:
        yield played.names[hand.robot - 1], chips_of(hand)


def chips_of(hand: Hand | Dealt) -> str:
    """Return the chips of a hand in words: kind and number of each."""
    return ", ".join(f"{chip.kind} ({chip.number})" for chip in stored.chips_of(hand)) or gettext("no chips")


def _robot(hand: Hand) -> str:
    return hand.seat.robo_name if hand.seat else gettext("robot {number}").format(number=hand.robot)
