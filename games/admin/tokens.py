"""Tokens of the API in the admin: whose, since when, and taking them back."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.rights import Right, may
from games.tokens.models import ApiToken
from games.tokens.services import revoke_token_as_staff
from games.web.admin import WatchedAdmin, staff_of


@admin.register(ApiToken)
class ApiTokenAdmin(WatchedAdmin):
    """Tokens; staff may revoke them. Not even the hash of one is shown."""

    list_display = ["user", "name", "created_at", "used_at", "expires_at"]
    list_filter = ["created_at", "used_at", "expires_at"]
    related = ["user"]
    withheld = ["digest"]
    search_fields = ["user__robo_name"]
    search_help_text = _("The owner of the token.")
    actions = ["revoke"]
    fields = ["user", "name", "created_at", "used_at", "expires_at"]

    def has_act_permission(self, request: HttpRequest) -> bool:
        """Whether this person may revoke tokens, which deletes them."""
        return may(request.user, Right.DELETE_TOKENS)

    @admin.action(permissions=["act"], description=_("Revoke"))
    def revoke(self, request: HttpRequest, tokens: QuerySet[ApiToken]) -> None:
        def revoke(token: ApiToken) -> None:
            revoke_token_as_staff(user=staff_of(request), token_id=token.pk)

        self.do_for_each(request, tokens, revoke, gettext("Revoked"))

    def named(self, row: ApiToken) -> str:
        return gettext("{player}’s token of {date}").format(
            player=row.user.robo_name, date=date_format(row.created_at, "j F Y")
        )
