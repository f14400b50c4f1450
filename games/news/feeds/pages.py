"""A person's feeds: made, renewed and taken back."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.navigation import only_by_form
from games.news.feeds.services import drop_feed, make_feed
from games.web.pages import for_people, user_of


@only_by_form
@login_required
@for_people
def change(request: HttpRequest) -> HttpResponse:
    """Give someone new addresses for their feeds, or take them back."""
    if request.POST.get("do") == "drop":
        drop_feed(user=user_of(request))
        messages.success(request, _("Your feeds are removed. Their addresses no longer work."))
    else:
        make_feed(user=user_of(request), now=timezone.now())
        messages.success(
            request, _("Here are the addresses of your feeds. Earlier addresses no longer work.")
        )
    return redirect("people:news")
