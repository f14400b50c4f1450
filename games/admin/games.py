"""Games and seats in the admin."""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.admin.documents import shown
from games.admin.intervening import CANCEL, EXTEND, REPLACE, InterveningAdmin
from games.admin.outages import outages_of
from games.admin.watching import ReadOnly, linked, listed, once_over, staff_of
from games.clocks.paces import pace_in_words
from games.fleet.models import Piece
from games.news.models import Notice
from games.play import stored
from games.play.models import Game, Hand, Intervention, Program, Replacement, Seat, Turn
from games.play.policy import absence_in_words
from games.play.selectors.naming import seat_name
from games.staff.services.interventions import cancel_as_staff, extend_turn, replace_as_staff
from rules.rulebook import outline


class SeatsOfGame(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    """The players of a game."""

    model = Seat
    fields = ["number", "user", "squad", "model", "place", "joined_at"]
    verbose_name_plural = "players"
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        """The seats, with who sits there."""
        return super().get_queryset(request).select_related("user")


@admin.register(Game)
class GameAdmin(InterveningAdmin):
    """Games; staff may put deadlines off, or cancel one.

    A game's link is its players' own, and its seed a secret until it is over.
    """

    list_display = ["name", "status", "starship", "host", "players_of_seats", "turn", "private", "moved_at"]
    list_filter = ["status", "ruleset", "private", "intervened", "created_at"]
    list_select_related = ["host", "revision__starship", "course"]
    search_fields = ["name", "host__robo_name", "players__user__robo_name", "revision__starship__name"]
    search_help_text = "The game, its host, a player or the starship."
    actions = ["extend", "cancel"]
    inlines = [SeatsOfGame]
    fieldsets = [
        (None, {"fields": ["name", "status", "starship", "host", "private", "pace_", "absence_"]}),
        ("Rules", {"fields": ["edition", "settings", "varied", "board", "rulebook"]}),
        ("Progress", {"fields": ["turn", "waits_for", "events", "winner", "secret_seed", "more"]}),
        ("Times", {"fields": ["created_at", "started_at", "moved_at", "ended_at"]}),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Games with the number of their players; board documents are left behind."""
        games: QuerySet[Game] = super().get_queryset(request)
        return (
            games.select_related("host", "revision__starship", "course")
            .annotate(taken=Count("players", distinct=True))
            .defer("revision__document", "course__document")
        )

    @admin.display(ordering="revision__starship__name")
    def starship(self, game: Game) -> SafeString:
        """The starship, with the revision that this game is played on; of a course, the first piece."""
        ship = game.revision.starship
        name = f"{game.board_name}: " if game.course else ""
        return linked(ship, f"{name}{ship.name}, revision {game.revision.number}")

    @admin.display(description="players")
    def players_of_seats(self, game: Any) -> str:
        """How many seats are taken."""
        return f"{game.taken} of {game.seats}"

    @admin.display(description="ruleset")
    def edition(self, game: Game) -> str:
        """The edition that the game is played by."""
        return f"{game.ruleset}, version {game.version}"

    @admin.display(description="options")
    def settings(self, game: Game) -> str:
        """The options that its host chose."""
        return _listed(game.options)

    @admin.display(description="house rules")
    def varied(self, game: Game) -> str:
        """What is played otherwise than in the ruleset's book."""
        book = {rule.key: rule.default for rule in stored.edition_of(game).house_rules}
        changed = {key: value for key, value in game.house_rules.items() if value != book.get(key)}
        return _listed(changed) or "none: by the book"

    @admin.display(description="board")
    def board(self, game: Game) -> str:
        """What the board is made of."""
        if game.course is None:
            return "the starship as it stands"
        pieces = game.course.pieces.select_related("revision__starship").defer("revision__document")
        return f"{game.course.width} × {game.course.height} cells: {', '.join(map(_laid, pieces))}"

    @admin.display(description="rulebook")
    def rulebook(self, game: Game) -> SafeString:
        """The ruleset as it is played, with all its steps in order."""
        text = outline(stored.setup_of(game).ruleset)
        return format_html("<details><summary>As it is played</summary>{}</details>", shown(text))

    @admin.display(description="pace")
    def pace_(self, game: Game) -> str:
        """The time for each turn."""
        return pace_in_words(stored.pace_of(game))

    @admin.display(description="missed turns")
    def absence_(self, game: Game) -> str:
        """What becomes of players who miss turns."""
        return absence_in_words(stored.absence_of(game))

    @admin.display(description="waits for")
    def waits_for(self, game: Game) -> str:
        """The players whose orders are missing."""
        missing = Hand.objects.filter(turn__game=game, turn__status=Turn.Status.OPEN, program=None)
        missing = missing.exclude(seat=None).annotate(name=seat_name("seat__"))
        if game.status != Game.Status.RUNNING:
            return self.get_empty_value_display()
        return ", ".join(missing.order_by("robot").values_list("name", flat=True)) or "nobody"

    @admin.display(description="seed")
    def secret_seed(self, game: Game) -> object:
        """The seed of all chance, once the game is over."""
        return once_over(game, lambda: game.seed)

    @admin.display(description="events so far")
    def events(self, game: Game) -> int:
        """How long the log is."""
        return game.last_seq

    @admin.display(description="all its")
    def more(self, game: Game) -> SafeString:
        """Links to what belongs to the game."""
        of_game = {"game__id__exact": game.pk}
        links = [
            listed(Turn, "turns", **of_game),
            listed(Program, "programs", hand__turn__game__id__exact=game.pk),
            listed(Notice, "notices", **of_game),
            listed(Intervention, "interventions", **of_game),
            listed(Replacement, "replacements", seat__game__id__exact=game.pk),
            outages_of(game),
        ]
        return format_html_join(" · ", "{}", ((link,) for link in links if link))

    @admin.action(permissions=["act"], description="Put the deadline off")
    def extend(self, request: HttpRequest, games: QuerySet[Game]) -> TemplateResponse | None:
        """Give those more time whose orders are missing."""
        staff, now = staff_of(request), timezone.now()

        def deed(game: Game, given: dict[str, Any]) -> object:
            return extend_turn(user=staff, game_id=game.pk, now=now, **given)

        return self.intervene(request, games, EXTEND, deed, "Put off")

    @admin.action(permissions=["act"], description="Cancel")
    def cancel(self, request: HttpRequest, games: QuerySet[Game]) -> TemplateResponse | None:
        """End games without a winner."""
        staff, now = staff_of(request), timezone.now()

        def deed(game: Game, given: dict[str, Any]) -> object:
            return cancel_as_staff(user=staff, game_id=game.pk, now=now, **given)

        return self.intervene(request, games, CANCEL, deed, "Cancelled")


@admin.register(Seat)
class SeatAdmin(InterveningAdmin):
    """Who sits where; staff may have a computer play in someone's place."""

    list_display = ["user", "number", "squad", "model", "game", "status", "place", "joined_at"]
    list_filter = ["game__status", "joined_at"]
    list_select_related = ["user", "game"]
    actions = ["replace"]
    search_fields = ["user__robo_name", "game__name"]
    search_help_text = "The player or the game."
    links = ("game__id__exact",)
    fields = ["user", "number", "squad", "model", "game", "status", "place", "joined_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        """Seats with their players and games."""
        return super().get_queryset(request).select_related("user", "game")

    @admin.display(description="status of the game", ordering="game__status")
    def status(self, seat: Seat) -> str:
        """How far the game has come."""
        return seat.game.get_status_display()

    @admin.action(permissions=["act"], description="Replace by a computer")
    def replace(self, request: HttpRequest, seats: QuerySet[Seat]) -> TemplateResponse | None:
        """Have a computer play someone's robot."""
        staff, now = staff_of(request), timezone.now()

        def deed(seat: Seat, given: dict[str, Any]) -> object:
            return replace_as_staff(user=staff, seat_id=seat.pk, now=now, **given)

        return self.intervene(request, seats, REPLACE, deed, "Replaced")

    def named(self, row: Seat) -> str:
        """A seat by its robot and game."""
        return f"{row.robo_name} in {row.game.name}"


def _listed(values: Mapping[str, object]) -> str:
    return "; ".join(f"{key.replace('_', ' ')}: {_in_words(value)}" for key, value in values.items())


def _in_words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _laid(piece: Piece) -> str:
    revision = piece.revision
    turned = f", turned {90 * piece.turned}°" if piece.turned else ""
    return f"{revision.starship.name} (revision {revision.number}) at [{piece.column}, {piece.row}]{turned}"
