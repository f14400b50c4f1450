"""How people are told of their games: for all, for one, and the link that stops the mail about one."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.navigation import only_by_form
from games.errors import ServiceError
from games.news.channels import CHANNELS
from games.news.channels.mail.links import reader_in, whom_in
from games.news.channels.mail.returns import try_address_again
from games.news.feeds.links import feed_urls
from games.news.feeds.models import Feed
from games.news.forms import NewsForm
from games.news.selectors.settings import told_otherwise
from games.news.services.settings import (
    change_news,
    stop_mail_of_lobbies,
    stop_mail_of_starships,
)
from games.web.pages import for_people, user_of


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
@login_required
def news(request: HttpRequest) -> HttpResponse:
    """Show how someone is told of their games, to be changed, and of which games otherwise."""
    user = user_of(request)
    form = NewsForm(request.POST or None, user=user)
    if form.is_valid():
        change_news(user=user, **form.cleaned_data, now=timezone.now())
        messages.success(request, _("Your notification settings are saved."))
        return redirect("people:news")
    return news_page(request, form=form)


def news_page(
    request: HttpRequest,
    *,
    form: NewsForm | None = None,
    refusal: ServiceError | None = None,
    **more: object,
) -> HttpResponse:
    """Answer with the page on all channels of a person.

    If something was refused, it says so: of the form, or of a channel, with ``more`` that they typed there.
    """
    user = user_of(request)
    form = form or NewsForm(user=user)
    feed = Feed.objects.filter(user=user).first()
    context = {
        "form": form,
        "exceptions": told_otherwise(user=user),
        "feed_urls": feed_urls(feed) if feed else {},
        "refusal": refusal,
    }
    for channel in CHANNELS.values():
        context |= channel.settings_of(user)
    status = refusal.status if refusal else 422 if form.is_bound else 200
    return render(request, "news/settings.html", context | more, status=status)


@only_by_form
@for_people
@login_required
def try_address(request: HttpRequest) -> HttpResponse:
    """Send someone mail again at the address that it came back from."""
    try_address_again(user=user_of(request))
    messages.success(request, _("Mail goes to your address again, unless it bounces once more."))
    return redirect("people:news")


@csrf_exempt  # mail programs post without a cookie; the signature in the address is what counts
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe_lobby(request: HttpRequest, mark: str) -> HttpResponse:
    """Ask whether mail about games that have not started should stop; on POST stop it."""
    whom = whom_in(mark)
    if whom is None:
        return render(request, "account/unsubscribe_unknown.html", status=404)
    stopped = request.method == "POST"
    if stopped:
        stop_mail_of_lobbies(whom=whom, now=timezone.now())
    person = whom if isinstance(whom, User) else None
    return render(request, "news/unsubscribe_lobby.html", {"person": person, "stopped": stopped})


@csrf_exempt  # as above
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe_starships(request: HttpRequest, mark: str) -> HttpResponse:
    """Ask whether mail about starships should stop; on POST stop it."""
    person = reader_in(mark)
    if person is None:
        return render(request, "account/unsubscribe_unknown.html", status=404)
    if request.method == "POST":
        stop_mail_of_starships(user=person)
    return render(request, "news/unsubscribe_starships.html", {"person": person})
