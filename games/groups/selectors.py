"""Read group channels, and decide who may change them."""

from datetime import datetime
from typing import Annotated, Any, TypedDict

from django.utils.translation import gettext

from accounts.models import User
from games.clubs.models import Club, Membership
from games.clubs.selectors import club_named
from games.errors import Forbidden, NotFound, refuse_guests, view_of_row
from games.groups.models import GroupChannel, News, Service
from games.play.models import Game
from games.play.viewers import game_for
from games.work.jobs import reason_in_words

Owner = Any
"""A game, a club or a tournament. This room does not know the model of tournaments."""


class GroupChannelView(TypedDict):
    """A group channel, without its secret address and keys."""

    id: int
    service: Annotated[str, Service]
    hint: Annotated[str, "The host of the address, and its last four characters."]
    language: Annotated[str, "The language of the messages."]
    news: Annotated[list[str], "The kinds of news that are posted."]
    made_by: Annotated[str, "The Robo Name of the person who added the channel."]
    made_at: datetime
    answered_at: Annotated[datetime | None, "The last time that a message was accepted."]
    failing_since: Annotated[datetime | None, "The time since which no message has been accepted."]
    failure: Annotated[str, "The reason for the last failure; empty without one."]
    switched_off_at: Annotated[datetime | None, "The time when the channel was switched off after failures."]


def channel_view(channel: GroupChannel) -> GroupChannelView:
    made_by, failure = channel.made_by.robo_name, reason_in_words(channel.failure)
    return view_of_row(GroupChannelView, channel, made_by=made_by, failure=failure)


def channels_of(owner: Owner) -> list[GroupChannel]:
    """Return the channels of a game, club or tournament, oldest first."""
    return list(owner.group_channels.select_related("made_by").order_by("pk"))


def news_of(owner: Owner) -> list[str]:
    """Return the kinds of news that a channel of a game, club or tournament can get."""
    return [each for each in News.values if each != News.ROUND or not isinstance(owner, Game)]


def game_with_channels(game_id: int) -> Game | None:
    """Return a game with its ship, or None if it has no channels. Its channels show its turns to anyone."""
    games = Game.objects.select_related("revision__starship", "course")
    return games.filter(pk=game_id, group_channels__isnull=False).distinct().first()


def game_to_manage(*, user: User, game_id: int) -> Game:
    """Return a game whose channels a person may change: its host.

    Raises NotFound if they may not see it, and Forbidden for anyone else and for practice games.
    """
    refuse_guests(user)
    game = game_for(viewer=user, game_id=game_id)
    if game.host_id != user.pk:
        raise Forbidden("not-host", gettext("Only the host can do this."))
    if game.is_practice:
        raise Forbidden("practice", gettext("Missions and test flights have no group channels."))
    return game


def club_to_manage(*, user: User, slug: str) -> Club:
    """Return a club whose channels a person may change: its captain.

    Raises NotFound if there is no such club, and Forbidden for anyone else.
    """
    refuse_guests(user)
    club = club_named(slug)
    if not club.memberships.filter(user=user, role=Membership.Role.CAPTAIN).exists():
        raise Forbidden("not-captain", gettext("Only the captain can do this."))
    return club


def tournament_to_manage(*, user: User, tournament_id: int) -> Owner:
    """Return a tournament whose channels a person may change: its host.

    Raises NotFound if they may not see it, and Forbidden for anyone else.
    """
    refuse_guests(user)
    tournaments: Any = GroupChannel._meta.get_field("tournament").related_model
    found = tournaments.objects.filter(pk=tournament_id).first()
    if found is None or (found.status == "draft" and found.host_id != user.pk):
        raise NotFound("no-tournament", gettext("There is no such tournament."))
    if found.host_id != user.pk:
        raise Forbidden("not-host", gettext("Only the host can do this."))
    return found


def channel_to_manage(*, user: User, channel_id: int) -> GroupChannel:
    """Return a channel that a person may change. Raises NotFound for anyone else."""
    refuse_guests(user)
    rows = GroupChannel.objects.select_related("made_by", "game__host", "club", "tournament__host")
    channel = rows.filter(pk=channel_id).first()
    if channel is None or manager_of(channel) != user:
        raise NotFound("no-channel", gettext("There is no such channel."))
    return channel


def manager_of(channel: GroupChannel) -> User | None:
    """Return the person who can change a channel: the host, or the captain of the club."""
    if channel.club is not None:
        captain = channel.club.memberships.filter(role=Membership.Role.CAPTAIN).select_related("user").first()
        return captain.user if captain else None
    owner: Owner = channel.owner
    host: User | None = owner.host
    return host
