"""The page of the browsers in which a person is logged in."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.usersessions.internal.flows.sessions import end_sessions
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _

from accounts.onward import only_by_form
from accounts.sessions import services
from accounts.users.models import User


class SessionsView(ListUserSessionsView):  # type: ignore[misc]
    """Where someone is logged in, and logging out everywhere else."""

    @method_decorator(reauthentication_required)
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        user = self.request.user
        assert isinstance(user, User)
        signed_in = services.of(user)
        told: dict[str, Any] = super().get_context_data(**kwargs)
        return told | {"sessions": signed_in, "session_count": len(signed_in)}


@only_by_form
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def end_session(request: HttpRequest, number: int) -> HttpResponse:
    """Log out in one of the browsers in which the person who asks is logged in."""
    assert isinstance(request.user, User)
    end_sessions(request, [get_object_or_404(UserSession, pk=number, user=request.user)])
    messages.success(request, _("That browser is now logged out."))
    return redirect("usersessions_list")
