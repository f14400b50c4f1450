"""Deletions of accounts, records, achievements and API tokens in the admin."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _

from games.people.models import Achievement, ApiToken, Deletion, Forgetting, Tally
from games.people.selectors.records import ACHIEVEMENTS
from games.people.services.deletion import ATTEMPTS, erase_again
from games.people.tokens import revoke_token_as_staff
from games.rights import Right, may
from games.web.admin import WatchedAdmin, row_link, staff_of
from games.work.jobs import reason_in_words
from rules.statistics import COUNTERS


class GamesOfDeletion(admin.TabularInline):  # type: ignore[type-arg]
    """The games that could not be rewritten during the deletion of an account, with their errors."""

    model = Forgetting
    fields = ("game", "attempts", "done_at", "why")
    readonly_fields = ("game", "attempts", "done_at", "why")
    verbose_name_plural = _("games")
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Forgetting]:
        return super().get_queryset(request).exclude(error="").select_related("game")

    @admin.display(description=_("error"))
    def why(self, forgetting: Forgetting) -> str:
        return reason_in_words(forgetting.error)


@admin.register(Deletion)
class DeletionAdmin(WatchedAdmin):
    """Deletions of accounts. Staff can retry the games whose rewriting failed."""

    list_display = ["user", "asked_at", "done_at", "stuck"]
    list_filter = ["asked_at"]
    related = ["user"]
    actions = ["go_on"]
    inlines = [GamesOfDeletion]
    fields = ["user", "by", "takes_chat", "asked_at", "done_at", "stuck"]

    @admin.display(description=_("failed games"))
    def stuck(self, deletion: Deletion) -> int:
        """Return the number of games that wait for staff because all attempts to rewrite them failed."""
        return deletion.games.filter(attempts__gte=ATTEMPTS).count()

    @admin.action(permissions=["act"], description=_("Continue"))
    def go_on(self, request: HttpRequest, deletions: QuerySet[Deletion]) -> None:
        """For the chosen deletions, try again to rewrite the games that could not be rewritten before."""
        self.do_for_each(
            request,
            deletions,
            lambda deletion: erase_again(user=staff_of(request), deletion_id=deletion.pk),
            gettext("Will be continued"),
        )


@admin.register(Tally)
class TallyAdmin(WatchedAdmin):
    """Counters of players' robots. Each row is about one robot in one game."""

    list_display = ["robot", "game_link", *COUNTERS]
    list_filter = ["seat__game__status", "seat__game__ruleset"]
    related = ["seat__user", "seat__game"]
    search_fields = ["seat__user__robo_name", "seat__name", "seat__game__name"]
    search_help_text = _("Search by player or game.")
    ordering = ["-seat__game__created_at", "seat__number"]
    fields = ["robot", "game_link", *COUNTERS]

    @admin.display(ordering="seat__user__robo_name")
    def robot(self, tally: Tally) -> str:
        return tally.seat.robo_name

    @admin.display(description=_("game"), ordering="seat__game__name")
    def game_link(self, tally: Tally) -> SafeString:
        return row_link(tally.seat.game)


@admin.register(Achievement)
class AchievementAdmin(WatchedAdmin):
    list_display = ["user", "achievement", "game", "turn", "earned_at", "seen_at"]
    list_filter = ["key", "earned_at"]
    related = ["user", "game"]
    search_fields = ["user__robo_name", "game__name", "key"]
    search_help_text = _("Search by player, game or key.")
    fields = ["user", "achievement", "game", "turn", "earned_at", "seen_at"]

    @admin.display(ordering="key")
    def achievement(self, achievement: Achievement) -> str:
        known = ACHIEVEMENTS.get(achievement.key)
        return known.english if known else achievement.key


@admin.register(ApiToken)
class ApiTokenAdmin(WatchedAdmin):
    """API tokens. Staff can revoke tokens, but cannot see their hashes."""

    list_display = ["user", "name", "created_at", "used_at", "expires_at"]
    list_filter = ["created_at", "used_at", "expires_at"]
    links = ("user__id__exact",)
    related = ["user"]
    withheld = ["digest"]
    search_fields = ["user__robo_name"]
    search_help_text = _("Search by owner.")
    actions = ["revoke"]
    fields = ["user", "name", "created_at", "used_at", "expires_at"]

    def has_act_permission(self, request: HttpRequest) -> bool:
        return may(request.user, Right.DELETE_TOKENS)

    @admin.action(permissions=["act"], description=_("Revoke"))
    def revoke(self, request: HttpRequest, tokens: QuerySet[ApiToken]) -> None:
        def revoke(token: ApiToken) -> None:
            revoke_token_as_staff(user=staff_of(request), token_id=token.pk)

        self.do_for_each(request, tokens, revoke, gettext("Revoked"))

    def named(self, row: ApiToken) -> str:
        return gettext("Token of {player}, created on {date}").format(
            player=row.user.robo_name, date=date_format(row.created_at, "DATE_FORMAT")
        )
