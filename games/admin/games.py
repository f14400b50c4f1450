"""Games and seats in the admin."""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.admin.outages import outages_of
from games.clocks.paces import pace_in_words
from games.fleet.admin import shown
from games.fleet.models import Piece
from games.moderation.admin.cases import HintedAdmin, OneBrowser
from games.moderation.hints import pairs_in
from games.news.models import Notice
from games.play import stored
from games.play.models import Game, Hand, Intervention, Program, Replacement, Seat, Turn
from games.play.policy import absence_in_words
from games.play.selectors.naming import seat_name
from games.staff.admin import CANCEL, EXTEND, REPLACE, InterveningAdmin
from games.web.admin import ReadOnly, linked, listed, once_over, staff_of
from rules.rulebook import outline


class SeatsOfGame(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    """The players of a game."""

    model = Seat
    fields = ["number", "user", "squad", "model", "place", "joined_at"]
    verbose_name_plural = _("players")
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("user")


@admin.register(Game)
class GameAdmin(HintedAdmin, InterveningAdmin):
    """Games; staff may put deadlines off, or cancel one.

    A game's link is its players' own, and its seed a secret until it is over.
    """

    list_display = ["name", "status", "starship", "host", "players_of_seats", "turn", "private", "moved_at"]
    list_filter = ["status", "ruleset", "private", "intervened", OneBrowser, "created_at"]
    related = ["host", "revision__starship", "course"]
    withheld = ["revision__document", "course__document"]
    search_fields = ["name", "host__robo_name", "players__user__robo_name", "revision__starship__name"]
    search_help_text = _("The game, its host, a player or the starship.")
    actions = ["extend", "cancel"]
    inlines = [SeatsOfGame]
    fieldsets = [
        (None, {"fields": ["name", "status", "starship", "host", "private", "pace_", "absence_"]}),
        (_("Rules"), {"fields": ["edition", "settings", "varied", "board", "rulebook"]}),
        (_("Progress"), {"fields": ["turn", "waits_for", "events", "winner", "secret_seed", "more"]}),
        (_("Times"), {"fields": ["created_at", "started_at", "moved_at", "ended_at"]}),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Games with the number of their players."""
        games: QuerySet[Game] = super().get_queryset(request)
        return games.annotate(taken=Count("players", distinct=True))

    def hints_for(self, row: Game, request: HttpRequest) -> dict[str, object]:
        """What may tell that one person has several seats."""
        return {"pairs": pairs_in(row, viewer=staff_of(request))}

    @admin.display(ordering="revision__starship__name")
    def starship(self, game: Game) -> str:
        """The starship, with the revision that this game is played on; of a course, the first piece."""
        if game.revision is None:
            return gettext("{board}, a test flight").format(board=game.board_name)
        ship = game.revision.starship
        name = f"{game.board_name}: {ship.name}" if game.course else ship.name
        told = gettext("{starship}, revision {number}").format(starship=name, number=game.revision.number)
        return linked(ship, told)

    @admin.display(description=_("players"))
    def players_of_seats(self, game: Any) -> str:
        return gettext("{taken} of {seats}").format(taken=game.taken, seats=game.seats)

    @admin.display(description=_("ruleset"))
    def edition(self, game: Game) -> str:
        return gettext("{ruleset}, version {version}").format(ruleset=game.ruleset, version=game.version)

    @admin.display(description=_("options"))
    def settings(self, game: Game) -> str:
        """The options that its host chose."""
        return _listed(game.options)

    @admin.display(description=_("house rules"))
    def varied(self, game: Game) -> str:
        """What is played otherwise than in the ruleset's book."""
        book = {rule.key: rule.default for rule in stored.edition_of(game).house_rules}
        changed = {key: value for key, value in game.house_rules.items() if value != book.get(key)}
        return _listed(changed) or gettext("none: as in the rulebook")

    @admin.display(description=_("board"))
    def board(self, game: Game) -> str:
        if game.course is None:
            return gettext("the starship as it is")
        pieces = game.course.pieces.select_related("revision__starship").defer("revision__document")
        told = gettext("{width} × {height} cells: {boards}")
        boards = ", ".join(map(_laid, pieces))
        return told.format(width=game.course.width, height=game.course.height, boards=boards)

    @admin.display(description=_("rulebook"))
    def rulebook(self, game: Game) -> SafeString:
        """The ruleset as it is played, with all its steps in order."""
        text = outline(stored.setup_of(game).ruleset)
        return format_html(
            "<details><summary>{}</summary>{}</details>", gettext("As it is played"), shown(text)
        )

    @admin.display(description=_("pace"))
    def pace_(self, game: Game) -> str:
        return pace_in_words(stored.pace_of(game))

    @admin.display(description=_("missed turns"))
    def absence_(self, game: Game) -> str:
        """What becomes of players who miss turns."""
        return absence_in_words(stored.absence_of(game))

    @admin.display(description=_("waits for"))
    def waits_for(self, game: Game) -> str:
        """The players whose orders are missing."""
        missing = Hand.objects.filter(turn__game=game, turn__status=Turn.Status.OPEN, program=None)
        missing = missing.exclude(seat=None).annotate(name=seat_name("seat__"))
        if game.status != Game.Status.RUNNING:
            return self.get_empty_value_display()
        return ", ".join(missing.order_by("robot").values_list("name", flat=True)) or gettext("no one")

    @admin.display(description=_("seed"))
    def secret_seed(self, game: Game) -> object:
        """The seed of all chance, once the game is over."""
        return once_over(game, lambda: game.seed)

    @admin.display(description=_("events so far"))
    def events(self, game: Game) -> int:
        return game.last_seq

    @admin.display(description=_("related"))
    def more(self, game: Game) -> SafeString:
        of_game = {"game__id__exact": game.pk}
        links = [
            listed(Turn, gettext("turns"), **of_game),
            listed(Program, gettext("programs"), hand__turn__game__id__exact=game.pk),
            listed(Notice, gettext("notifications"), **of_game),
            listed(Intervention, gettext("interventions"), **of_game),
            listed(Replacement, gettext("replacements"), seat__game__id__exact=game.pk),
            outages_of(game),
        ]
        return format_html_join(" · ", "{}", ((link,) for link in links if link))

    @admin.action(permissions=["act"], description=_("Put the deadline off"))
    def extend(self, request: HttpRequest, games: QuerySet[Game]) -> TemplateResponse | None:
        """Give those more time whose orders are missing."""
        return self.intervene(request, games, EXTEND)

    @admin.action(permissions=["act"], description=_("Cancel"))
    def cancel(self, request: HttpRequest, games: QuerySet[Game]) -> TemplateResponse | None:
        """End games without a winner."""
        return self.intervene(request, games, CANCEL)


@admin.register(Seat)
class SeatAdmin(InterveningAdmin):
    """Who sits where; staff may have a computer play in someone's place."""

    list_display = ["user", "number", "squad", "model", "game", "status", "place", "joined_at"]
    list_filter = ["game__status", "joined_at"]
    related = ["user", "game"]
    actions = ["replace"]
    search_fields = ["user__robo_name", "game__name"]
    search_help_text = _("The player or the game.")
    links = ("game__id__exact",)
    fields = ["user", "number", "squad", "model", "game", "status", "place", "joined_at"]

    @admin.display(description=_("status of the game"), ordering="game__status")
    def status(self, seat: Seat) -> str:
        """How far the game has come."""
        return seat.game.get_status_display()

    @admin.action(permissions=["act"], description=_("Replace by a computer"))
    def replace(self, request: HttpRequest, seats: QuerySet[Seat]) -> TemplateResponse | None:
        """Have a computer play someone's robot."""
        return self.intervene(request, seats, REPLACE)

    def named(self, row: Seat) -> str:
        return gettext("{player} in {game}").format(player=row.robo_name, game=row.game.name)


def _listed(values: Mapping[str, object]) -> str:
    return "; ".join(f"{key.replace('_', ' ')}: {_in_words(value)}" for key, value in values.items())


def _in_words(value: object) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(value)


def _laid(piece: Piece) -> str:
    revision = piece.revision
    told = (
        gettext("{starship} (revision {number}) in column {column}, row {row}, turned {degrees}°")
        if piece.turned
        else gettext("{starship} (revision {number}) in column {column}, row {row}")
    )
    return told.format(
        starship=revision.starship.name,
        number=revision.number,
        column=piece.column + 1,
        row=piece.row + 1,
        degrees=90 * piece.turned,
    )
