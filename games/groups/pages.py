"""The page with the channels of a game, club or tournament, and pictures for chat services."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import resolve
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.languages import are_several
from accounts.navigation import show_as
from games.errors import Invalid, NotFound, ServiceError
from games.fleet.pages.drawings import cache_permanently
from games.groups.inputs import GroupChannelForm, NewGroupChannelForm
from games.groups.messages import draw_turn, turn_of_picture
from games.groups.models import GroupChannel, News, Service
from games.groups.news import channels_path
from games.groups.selectors import (
    Owner,
    channel_to_manage,
    channel_view,
    channels_of,
    club_to_manage,
    game_to_manage,
    game_with_channels,
    news_of,
    tournament_to_manage,
)
from games.groups.services import MOST_CHANNELS, add_channel, change_channel, remove_channel, try_channel
from games.play.selectors import played_turn
from games.web.actions import Done, Outcome, action
from games.web.pages import handle_missing, user_of


class NewChannelForm(NewGroupChannelForm):  # type: ignore[misc,valid-type]
    """The form for a new channel, with the kinds of news of a game, club or tournament."""

    def __init__(self, *args: Any, owner: Owner, **more: Any) -> None:
        super().__init__(*args, **more)
        _offer(self, owner)


def _offer(form: Any, owner: Owner) -> None:
    """Offer only the news of a game, club or tournament, and no language if the site has only one."""
    wanted = news_of(owner)
    form.fields["news"].choices = [each for each in News.choices if each[0] in wanted]
    if not are_several():
        del form.fields["language"]


def _form_of(channel: GroupChannel, owner: Owner, sent: Any = None) -> Any:
    """Return the form of a channel, filled with the data ``sent`` if it is given."""
    form = GroupChannelForm(
        sent,
        initial={"language": channel.language, "news": channel.news},
        auto_id=f"channel-{channel.pk}-%s",
    )
    _offer(form, owner)
    return form


def _shown(owner: Owner, filled: Mapping[int, Any] | None = None) -> dict[str, Any]:
    """Return the context of the page with the channels of a game, club or tournament.

    ``filled`` has forms to show again, by the IDs of their channels.
    """
    rows = []
    for channel in channels_of(owner):
        form = (filled or {}).get(channel.pk) or _form_of(channel, owner)
        rows.append({"row": channel, "form": form, **channel_view(channel)})
    return {
        "owner": owner,
        "address": channels_path(owner),
        "channels": rows,
        "is_full": len(rows) >= MOST_CHANNELS,
        "most": MOST_CHANNELS,
        "initial": {"news": news_of(owner)},
        "given": {"owner": owner},
    }


def _of_game(request: HttpRequest, game_id: int) -> dict[str, Any]:
    return _shown(game_to_manage(user=user_of(request), game_id=game_id))


def _of_club(request: HttpRequest, slug: str) -> dict[str, Any]:
    return _shown(club_to_manage(user=user_of(request), slug=slug))


def _of_tournament(request: HttpRequest, tournament_id: int) -> dict[str, Any]:
    return _shown(tournament_to_manage(user=user_of(request), tournament_id=tournament_id))


def _refuse(request: HttpRequest, refusal: ServiceError, **place: object) -> HttpResponse:
    """Show why a person may not change the channels. Raises NotFound if they may not see the owner."""
    if isinstance(refusal, NotFound):
        raise refusal
    return render(request, "403.html", {"exception": refusal.detail}, status=refusal.status)


def _page(context: Callable[..., dict[str, Any]]) -> Callable[..., Any]:
    return action(NewChannelForm, template="groups/channels.html", context=context, refused_on=_refuse)


@_page(_of_game)
def game_channels(request: HttpRequest, game_id: int, asked: dict[str, Any]) -> Outcome:
    """Add a channel to a game."""
    return _add(request, game_to_manage(user=user_of(request), game_id=game_id), asked)


@_page(_of_club)
def club_channels(request: HttpRequest, slug: str, asked: dict[str, Any]) -> Outcome:
    """Add a channel to a club."""
    return _add(request, club_to_manage(user=user_of(request), slug=slug), asked)


@_page(_of_tournament)
def tournament_channels(request: HttpRequest, tournament_id: int, asked: dict[str, Any]) -> Outcome:
    """Add a channel to a tournament."""
    return _add(request, tournament_to_manage(user=user_of(request), tournament_id=tournament_id), asked)


def _add(request: HttpRequest, owner: Owner, asked: dict[str, Any]) -> Outcome:
    channel = add_channel(user=user_of(request), owner=owner, **asked, now=timezone.now())
    if channel.service == Service.WEBHOOK:
        shown = _shown(owner)
        given = {"initial": shown.pop("initial"), **shown.pop("given")}
        context = {**shown, "form": NewChannelForm(**given), "secret": channel.secret}
        return render(request, "groups/channels.html", context)
    return Done(_("The channel is ready. The test message has arrived there."), then=channels_path(owner))


@action()
def edit_channel(request: HttpRequest, channel_id: int) -> Outcome:
    """Change, test or remove a channel.

    If the form is refused, the page shows it again as the person filled it in. Other refusals are messages.
    """
    user = user_of(request)
    channel = channel_to_manage(user=user, channel_id=channel_id)
    do, then = request.POST.get("do"), channels_path(channel.owner)
    try:
        if do == "test":
            try_channel(user=user, channel_id=channel_id, now=timezone.now())
            return Done(_("The test message has arrived."), then=then)
        if do == "remove":
            remove_channel(user=user, channel_id=channel_id)
            return Done(_("The channel was removed."), then=then)
        form = _form_of(channel, channel.owner, request.POST)
        if not form.is_valid():
            return _show_again(request, channel, form)
        change_channel(user=user, channel_id=channel_id, **form.cleaned_data)
    except ServiceError as refusal:
        messages.error(request, refusal.detail)
        return redirect(then)
    return Done(_("The channel is saved."), then=then)


def _show_again(request: HttpRequest, channel: GroupChannel, filled: Any) -> HttpResponse:
    """Return the page with the channels and a refused form."""
    page = resolve(channels_path(channel.owner))
    show_as(request, page.view_name, *page.kwargs.values())
    shown = _shown(channel.owner, {channel.pk: filled})
    given = {"initial": shown.pop("initial"), **shown.pop("given")}
    context = {**shown, "form": NewChannelForm(**given)}
    return render(request, "groups/channels.html", context, status=Invalid.status)


@require_safe
@handle_missing
def picture(request: HttpRequest, key: str) -> HttpResponse:
    """Return the picture of a played turn of a private game as PNG, by a signed address.

    Chat services fetch it without a login. The address is only in messages to the game's channels.
    """
    found = turn_of_picture(key)
    game = game_with_channels(found[0]) if found else None
    if found is None or game is None:
        raise Http404(gettext("This picture does not exist."))
    answer = HttpResponse(draw_turn(game, played_turn(game, found[1])), content_type="image/png")
    answer.headers["X-Robots-Tag"] = "noindex"
    return cache_permanently(answer, public=False)
