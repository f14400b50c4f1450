"""API calls for the group channels of games, clubs and tournaments."""

from typing import Annotated, TypedDict

from django.utils import timezone
from rest_framework.request import Request

from games.groups import selectors, services
from games.groups.inputs import GroupChannelChanges, NewGroupChannel
from games.groups.selectors import GroupChannelView, Owner, channel_view
from games.web.api import Answered, Values, call, person

EXAMPLE = {"address": "https://discord.com/api/webhooks/1/secret", "news": ["turn", "played", "end"]}


class GroupChannelsView(TypedDict):
    """The group channels of a game, club or tournament, oldest first."""

    results: list[GroupChannelView]


class AddedGroupChannelView(GroupChannelView):
    """A new group channel."""

    secret: Annotated[str, "The secret to check signatures, for your own program. It is shown only once."]


@call("GET", "List a game's channels", GroupChannelsView, 403)
def list_game_channels(request: Request, game_id: int) -> Answered:
    """Returns the group channels of a game. Only its host can do this."""
    return _listed(selectors.game_to_manage(user=person(request), game_id=game_id))


@call(
    "POST",
    "Add a channel to a game",
    AddedGroupChannelView,
    409,
    422,
    status=201,
    takes=NewGroupChannel,
    guests=False,
    example=EXAMPLE,
)
def create_game_channel(request: Request, game_id: int, asked: Values) -> Answered:
    """Sends a test message to a channel, and adds the channel to a game. Only its host can do this.

    422 if the test message does not arrive.
    """
    return _added(request, selectors.game_to_manage(user=person(request), game_id=game_id), asked)


@call("GET", "List a club's channels", GroupChannelsView, 403)
def list_club_channels(request: Request, slug: str) -> Answered:
    """Returns the group channels of a club. Only its captain can do this."""
    return _listed(selectors.club_to_manage(user=person(request), slug=slug))


@call(
    "POST",
    "Add a channel to a club",
    AddedGroupChannelView,
    409,
    422,
    status=201,
    takes=NewGroupChannel,
    guests=False,
    example=EXAMPLE,
)
def create_club_channel(request: Request, slug: str, asked: Values) -> Answered:
    """Sends a test message to a channel, and adds the channel to a club. Only its captain can do this.

    422 if the test message does not arrive.
    """
    return _added(request, selectors.club_to_manage(user=person(request), slug=slug), asked)


@call("GET", "List a tournament's channels", GroupChannelsView, 403)
def list_tournament_channels(request: Request, tournament_id: int) -> Answered:
    """Returns the group channels of a tournament. Only its host can do this."""
    return _listed(selectors.tournament_to_manage(user=person(request), tournament_id=tournament_id))


@call(
    "POST",
    "Add a channel to a tournament",
    AddedGroupChannelView,
    409,
    422,
    status=201,
    takes=NewGroupChannel,
    guests=False,
    example=EXAMPLE,
)
def create_tournament_channel(request: Request, tournament_id: int, asked: Values) -> Answered:
    """Sends a test message to a channel, and adds the channel to a tournament. Only its host can do this.

    422 if the test message does not arrive.
    """
    owner = selectors.tournament_to_manage(user=person(request), tournament_id=tournament_id)
    return _added(request, owner, asked)


@call(
    "PATCH", "Change a channel", GroupChannelView, 422, takes=GroupChannelChanges, example={"news": ["end"]}
)
def update_channel(request: Request, channel_id: int, asked: Values) -> Answered:
    """Changes the language of a group channel, or the kinds of news that it gets."""
    return channel_view(services.change_channel(user=person(request), channel_id=channel_id, **asked))


@call("DELETE", "Remove a channel", GroupChannelsView)
def delete_channel(request: Request, channel_id: int) -> Answered:
    """Removes a group channel. Returns the other channels of the game, club or tournament."""
    return _listed(services.remove_channel(user=person(request), channel_id=channel_id))


@call("POST", "Test a channel", GroupChannelView, 422)
def try_channel(request: Request, channel_id: int) -> Answered:
    """Sends a test message to a group channel. If it arrives, a channel that was switched off works again."""
    return channel_view(services.try_channel(user=person(request), channel_id=channel_id, now=timezone.now()))


def _listed(owner: Owner) -> GroupChannelsView:
    return {"results": [channel_view(channel) for channel in selectors.channels_of(owner)]}


def _added(request: Request, owner: Owner, asked: Values) -> AddedGroupChannelView:
    channel = services.add_channel(user=person(request), owner=owner, **asked, now=timezone.now())
    return {**channel_view(channel), "secret": channel.secret}
