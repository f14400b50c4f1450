"""Notices in the admin."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.text import Truncator

from games.admin.watching import WatchedAdmin
from games.news.models import Notice
from games.news.services import retries


@admin.register(Notice)
class NoticeAdmin(WatchedAdmin):
    """Notices; staff may have one sent that was tried in vain to the last."""

    list_display = [
        "reader",
        "kind",
        "channel",
        "game",
        "turn",
        "status",
        "attempts",
        "created_at",
        "sent_at",
        "short_error",
    ]
    list_filter = ["status", "kind", "channel", "created_at"]
    search_fields = ["user__robo_name", "email", "game__name", "last_error"]
    search_help_text = "The player, the game or the error."
    links = ("game__id__exact",)
    actions = ["send_again"]
    fieldsets = [
        (None, {"fields": ["user", "email", "kind", "channel", "game", "turn", "status"]}),
        (
            "Work",
            {
                "fields": [
                    "created_at",
                    "attempts",
                    "offered_at",
                    "due_at",
                    "lease_until",
                    "sent_at",
                    "last_error",
                ]
            },
        ),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Notice]:
        """Notices with their readers and games."""
        return super().get_queryset(request).select_related("user", "game")

    @admin.display(description="to", ordering="user")
    def reader(self, notice: Notice) -> str:
        """Whom it tells: a player, or someone at an address."""
        return notice.user.robo_name if notice.user else notice.email

    @admin.display(description="last error")
    def short_error(self, notice: Notice) -> str:
        """The beginning of the last error."""
        return Truncator(notice.last_error).chars(80)

    @admin.action(permissions=["act"], description="Send again")
    def send_again(self, request: HttpRequest, notices: QuerySet[Notice]) -> None:
        """Have another try at notices that were given up, or that a webhook did not take."""
        self.do_for_each(
            request, notices, lambda notice: retries.send_again(notice_id=notice.pk), "To be sent again"
        )

    def named(self, row: Notice) -> str:
        """A notice by what it says, where, and to whom."""
        return f"“{row.get_kind_display()}” of {row.game.name}, turn {row.turn}, to {self.reader(row)}"
