"""Tokens of the API in the admin: whose, since when, and taking them back."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.staff.services import may_act_for
from games.admin.watching import WatchedAdmin
from games.api.tokens.models import ApiToken
from games.api.tokens.services import revoke_token_by_id
from games.errors import Forbidden


@admin.register(ApiToken)
class ApiTokenAdmin(WatchedAdmin):
    """Tokens; staff may revoke them. Not even the hash of one is shown."""

    list_display = ["user", "name", "created_at", "used_at", "expires_at"]
    list_filter = ["created_at", "used_at", "expires_at"]
    list_select_related = ["user"]
    search_fields = ["user__robo_name"]
    search_help_text = "Whose token it is."
    actions = ["revoke"]
    fields = ["user", "name", "created_at", "used_at", "expires_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiToken]:
        """Tokens without their hashes."""
        return super().get_queryset(request).select_related("user").defer("digest")

    def has_act_permission(self, request: HttpRequest) -> bool:
        """Whether this person may revoke tokens, which deletes them."""
        return request.user.has_perm("games.delete_apitoken")

    @admin.action(permissions=["act"], description="Revoke")
    def revoke(self, request: HttpRequest, tokens: QuerySet[ApiToken]) -> None:
        """Make tokens worthless."""

        def revoke(token: ApiToken) -> None:
            if not may_act_for(request.user, token.user):
                raise Forbidden("staff", "Only a superuser may revoke a token of the staff.")
            revoke_token_by_id(token_id=token.pk)

        self.do_for_each(request, tokens, revoke, "Revoked")

    def named(self, row: ApiToken) -> str:
        """A token by its owner and age."""
        return f"{row.user.robo_name}’s token of {row.created_at:%-d %B %Y}"
