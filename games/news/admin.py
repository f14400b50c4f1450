"""Notifications in the admin."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.text import Truncator
from django.utils.translation import gettext, gettext_lazy as _

from games.news import services
from games.news.models import Notice
from games.web.admin import WatchedAdmin, staff_of
from games.work.jobs import reason_in_words


@admin.register(Notice)
class NoticeAdmin(WatchedAdmin):
    """The admin pages of notifications. Staff can retry failed notifications."""

    list_display = [
        "reader",
        "kind",
        "channel",
        "game",
        "turn",
        "starship",
        "status",
        "attempts",
        "created_at",
        "sent_at",
        "short_error",
    ]
    list_filter = ["status", "kind", "channel", "created_at"]
    related = ["user", "game", "starship"]
    search_fields = ["user__robo_name", "email", "game__name", "starship__name", "last_error"]
    search_help_text = _("Search by player, game, starship or error.")
    links = ("game__id__exact", "user__id__exact")
    actions = ["send_again"]
    fieldsets = [
        (None, {"fields": ["user", "email", "kind", "channel", "game", "turn", "starship", "status"]}),
        (
            _("Work"),
            {"fields": ["created_at", "attempts", "offered_at", "due_at", "lease_until", "sent_at", "why"]},
        ),
    ]

    @admin.display(description=_("recipient"), ordering="user")
    def reader(self, notice: Notice) -> str:
        return notice.user.robo_name if notice.user else notice.email

    @admin.display(description=_("last error"))
    def short_error(self, notice: Notice) -> str:
        return Truncator(reason_in_words(notice.last_error)).chars(80)

    @admin.display(description=_("last error"))
    def why(self, notice: Notice) -> str:
        return reason_in_words(notice.last_error) or self.get_empty_value_display()

    @admin.action(permissions=["act"], description=_("Send again"))
    def send_again(self, request: HttpRequest, notices: QuerySet[Notice]) -> None:
        """Retry failed notifications."""
        self.do_for_each(
            request,
            notices,
            lambda notice: services.send_again(user=staff_of(request), notice_id=notice.pk),
            gettext("Will be sent again"),
        )

    def named(self, row: Notice) -> str:
        of_turn = gettext("“{news}” about {topic}, turn {turn}, to {player}")
        told = of_turn if row.game else gettext("“{news}” about {topic}, to {player}")
        return told.format(
            news=row.get_kind_display(), topic=row.heading, turn=row.turn, player=self.reader(row)
        )
