"""Rows as answers: allow-lists, each for one kind of thing."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, TypedDict, cast

from accounts.models import Frequency, Standing, User
from games.clocks.models import Rest
from games.clocks.paces import write_calendar
from games.clocks.selectors import DAYS_A_YEAR, calendar_of, days_left, vacations_of
from games.errors import Shape, written
from games.lobby.models import Invitation
from games.lobby.selectors.invitations import invitations_for
from games.people.models import ApiToken
from games.people.selectors.records import GameNumbersView, game_numbers
from games.play import stored
from games.play.models import Game
from games.play.policy import STANDING
from games.play.selectors.facts import GameFacts, facts_of
from games.reading import read_each_safely

Document = dict[str, Any]

URL = Shape({"type": "string", "format": "uri"})
NIGHT = Shape({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2})


class PreferencesView(TypedDict):
    """What a person has chosen."""

    time_zone: str
    mail_my_turn: Annotated[bool, "Whether any mail says that a turn waits."]
    manner: Annotated[str, "How mail tells of my games: at once, daily, one, none."]
    daily_hour: Annotated[int, "The hour of the daily mail, in my time zone."]
    lobby_mail: Annotated[bool, "Whether mail tells of games that have not started."]
    starship_mail: Annotated[bool, "Whether mail tells of starships."]
    silenced: Annotated[list[str], "Kinds of notification that come by no channel."]
    chat_filter: Annotated[bool, "Whether lines of chats with rude words in them are hidden from me."]
    shows_name: Annotated[str, "Who finds me in the list of players."]
    shows_games: Annotated[str, "Who sees my games under way: everybody, players, nobody."]
    shows_history: Annotated[str, "Who sees the games that I have played."]
    shows_statistics: Annotated[str, "Who sees what my robot did."]
    shows_achievements: Annotated[str, "Who sees what I have earned."]


class MeView(TypedDict):
    """The caller."""

    robo_name: str
    look: Annotated[int | None, "My favourite of the eight robots."]
    invitations: Annotated[int, "How many wait for an answer."]
    preferences: PreferencesView
    games: GameNumbersView


def of_person(user: User) -> MeView:
    """Write what a person may know of themself."""
    return written(
        MeView,
        user,
        preferences=written(PreferencesView, user, mail_my_turn=user.manner != Frequency.NONE),
        invitations=invitations_for(user=user).count(),
        games=game_numbers(user=user),
    )


class MyStandingView(TypedDict):
    """My standing orders for all games."""

    standing: Annotated[str, Standing]


class MyGameStandingView(TypedDict):
    """My standing orders for one game."""

    standing: Annotated[str, (*Standing.values, ""), "Empty: as in all games."]
    plays: Annotated[str, Standing, "What that comes to."]
    counts: Annotated[bool, "Whether this game has standing orders played for who misses a turn."]


def of_standing(user: User, game: Game, standing: str) -> MyGameStandingView:
    """Write the standing orders of a player for a game, which are empty where they are those for all."""
    counts = stored.absence_of(game).policy == STANDING
    return {"standing": standing, "plays": standing or user.standing, "counts": counts}


class MannerView(TypedDict):
    """How mail tells a player of one game."""

    manner: Annotated[str, "at once, daily, one, none; empty: as of all games."]


class MyTimeView(TypedDict):
    """When my clocks stand still; it holds for hands that are dealt from now on."""

    time_zone: Annotated[str, "Where I live: days and nights are told by its clocks."]
    days_off: Annotated[list[int], "Days of the week, from 0 for Monday to 6."]
    night: Annotated[list[str] | None, NIGHT, "From when to when I sleep; null for never."]
    takes_vacation: Annotated[bool, "Whether days of vacation are taken that I have not planned."]


def of_rest(rest: Rest) -> MyTimeView:
    """Write when the clocks of a person stand still."""
    calendar = write_calendar(calendar_of(user=rest.user))
    times = {key: calendar[key] for key in ("days_off", "night")}
    return written(MyTimeView, rest, time_zone=rest.user.time_zone, **times)


class PlannedVacationView(TypedDict):
    """A vacation that I have planned; both days belong to it."""

    id: int
    first: date
    last: date


class VacationsView(TypedDict):
    """My vacation."""

    results: Annotated[list[PlannedVacationView], "What I have planned, the first to come first."]
    days_left: Annotated[int, "Days that I have left in this calendar year."]
    days_a_year: Annotated[int, "Days that everybody has."]


def of_vacations(user: User, *, now: datetime) -> VacationsView:
    """Write what vacation a person has."""
    planned = vacations_of(user=user, now=now)
    return {
        "results": [written(PlannedVacationView, vacation) for vacation in planned],
        "days_left": days_left(user=user, now=now),
        "days_a_year": DAYS_A_YEAR,
    }


class TokenView(TypedDict):
    """A new token. It is shown this once; keep it as you would a password."""

    token: str
    expires_at: Annotated[datetime, "When it opens nothing any more."]


class OwnTokenView(TypedDict):
    """A token of mine; the token itself is known to no one but who has it."""

    id: int
    name: Annotated[str, "What I call it; may be empty."]
    created_at: datetime
    used_at: Annotated[datetime | None, "When it was used last, to the minute."]
    expires_at: Annotated[datetime, "When it opens nothing any more."]
    shown: Annotated[bool, "It is the one that this very request has shown."]


class OwnTokensView(TypedDict):
    """My tokens, the newest first."""

    results: list[OwnTokenView]


def of_tokens(tokens: Iterable[ApiToken], *, shown: ApiToken | None) -> OwnTokensView:
    """Write a person's tokens; ``shown`` is the one that the caller has shown."""
    return {"results": [written(OwnTokenView, token, shown=token == shown) for token in tokens]}


class UnreadableView(TypedDict):
    """A game that belongs in the list and cannot be read right now: staff see why."""

    id: int
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedGame(GameFacts):
    """A game, as lists show it."""

    starship_name: Annotated[str, "What the board is called."]
    waits_for_me: bool
    unread: Annotated[int, "Lines of its chat that I have not read, where I play."]
    moved_at: Annotated[datetime, "When somebody last joined or moved, or a turn was resolved."]


class WaitingView(TypedDict):
    """Games that wait for my orders, most urgent first."""

    results: list[ListedGame]
    unreadable: list[UnreadableView]


class GamesView(WaitingView):
    """A page of games."""

    next: Annotated[str | None, URL, "Where the next page is; null on the last."]
    previous: Annotated[str | None, URL, "Where the page before is."]


class InvitationOfMineView(TypedDict):
    """What I am asked to join."""

    game: int
    name: str
    ruleset: str
    starship_name: str
    host: str
    by: str
    at: datetime


class InvitationsView(TypedDict):
    """What waits for my answer."""

    results: list[InvitationOfMineView]
    unreadable: list[UnreadableView]


def of_listed_games(games: Iterable[Game]) -> Document:
    """Write games of `selectors.games_for` or the like; those that cannot be read are named alone."""
    told, unreadable = read_each_safely(games, of_listed_game, lambda game: game)
    return {"results": told, "unreadable": unreadable}


def of_invitations(invitations: Iterable[Invitation]) -> Document:
    """Write what a person is asked to join; games that cannot be read are named alone."""
    told, unreadable = read_each_safely(invitations, of_invitation, lambda each: each.game)
    return {"results": told, "unreadable": unreadable}


def of_listed_game(game: Game) -> ListedGame:
    """Write a game of `selectors.games_for` or the like, as lists show it."""
    seats = list(game.players.all())
    listed: Any = game
    return ListedGame(
        **facts_of(game, seats),
        starship_name=game.board_name,
        deadline=listed.deadline,
        waiting_for=[seat.robo_name for seat in seats if cast("Any", seat).waited_for],
        waits_for_me=listed.waits_for_me,
        unread=listed.unread,
        moved_at=game.moved_at,
    )


def of_invitation(invitation: Invitation) -> InvitationOfMineView:
    """Write what a person is asked to join."""
    game = invitation.game
    return {
        "game": game.pk,
        "name": game.name,
        "ruleset": game.ruleset,
        "starship_name": game.board_name,
        "host": game.host.robo_name,
        "by": invitation.invited_by.robo_name,
        "at": invitation.created_at,
    }
