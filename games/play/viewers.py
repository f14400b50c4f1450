"""Access to games and profiles, and limits for newcomers and muted players."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from accounts.models import Audience, User
from games.errors import DeadLink, Forbidden, Invalid, NoLongerIn, NotFound
from games.lobby.models import Invitation
from games.moderation.sanctions import refuse_muted
from games.play.models import Game, LobbyEntry, Replacement, Seat
from games.rights import Right, may
from roborunner.postgres.queries import PreparedQuery

Viewer = User | AnonymousUser
"""A person with an account, or an anonymous visitor."""

_GAME: Final = PreparedQuery(lambda game_id: _games().annotate(**_noted_of_game()).filter(pk=game_id), int)


def visible_games(*, viewer: Viewer) -> QuerySet[Game]:
    """Return a query for the games that a viewer may see.

    These are public games, and private games that they host, play or played in, or are invited to. Staff with
    the right to see games see all of them.
    """
    games = _games()
    if may(viewer, Right.SEE_GAMES):
        return games
    known = Q(private=False)
    if isinstance(viewer, User):
        known |= Q(host=viewer)
        for rows, game, person in _rows_of_insiders():
            known |= Q(pk__in=rows.filter(**{person: viewer}).values(game))
    return games.filter(known)


def visible_pairs(*, people: Iterable[User], game_ids: Iterable[int]) -> set[tuple[int, int]]:
    """Return pairs of a private game and a person who may see it without its link.

    Each pair holds the IDs of a game and of a person. The same rules apply as in `visible_games`. The number
    of queries does not depend on the number of games or people.
    """
    viewers, ids = {each.pk: each for each in people}, list(game_ids)
    hosts = Game.objects.filter(pk__in=ids, host__in=[*viewers]).order_by().values_list("pk", "host")
    found = set(hosts)
    for rows, game, person in _rows_of_insiders():
        within = rows.filter(**{f"{game}__in": ids, f"{person}__in": [*viewers]})
        found.update(within.order_by().values_list(game, person))
    staff = [pk for pk, each in viewers.items() if may(each, Right.SEE_GAMES)]
    return found | {(game_id, pk) for game_id in ids for pk in staff}


def _rows_of_insiders() -> list[tuple[QuerySet[Any], str, str]]:
    """Return queries for the rows that let people see private games of other hosts.

    Each query comes with the names of its fields for the game and for the person.
    """
    return [
        (Seat.objects.all(), "game", "user"),
        (Invitation.objects.filter(answer="pending"), "game", "user"),
        (Replacement.objects.all(), "seat__game", "was"),
    ]


def _games() -> QuerySet[Game]:
    return Game.objects.select_related("host", "revision__starship", "course", "mission")


def game_for(*, viewer: Viewer, game_id: int, link: str = "") -> Game:
    """Return a game. Raises NotFound if the viewer may not see it.

    ``link`` is the token of a private game's link, which lets anyone see the game. If it is wrong, the error
    is DeadLink instead. For a person who left the game, it is NoLongerIn. The game has two annotations:
    ``votes_open``, whether it has an open vote, and ``noted``, the number of entries in its history.
    """
    game = _GAME.first(game_id)
    if game is None or not (_is_known(game, viewer) or constant_time_compare(game.link_token, link)):
        if _has_joined(game_id, viewer):
            raise NoLongerIn
        raise DeadLink("no-game") if link else NotFound("no-game", _("There is no such game."))
    return game


def _has_joined(game_id: int, viewer: Viewer) -> bool:
    joined = LobbyEntry.objects.filter(game=game_id, kind="joined")
    return isinstance(viewer, User) and joined.filter(by=viewer).exists()


def _noted_of_game() -> dict[str, Any]:
    votes = Exists(Game.objects.filter(pk=OuterRef("pk"), votes__status="open"))
    return {"votes_open": votes, "noted": history_length()}


def _is_known(game: Game, viewer: Viewer) -> bool:
    """Return whether the viewer may see a game without its private link."""
    return not game.private or visible_games(viewer=viewer).filter(pk=game.pk).exists()


def seat_of(*, viewer: Viewer, game: Game) -> Seat | None:
    """Return the viewer's seat in a game, or None if they have no seat."""
    if not isinstance(viewer, User):
        return None
    return next((seat for seat in game.players.all() if seat.user_id == viewer.pk), None)


def missed_start(*, viewer: Viewer, game: Game) -> bool:
    """Return whether a viewer was invited to a game that started before they answered."""
    if not isinstance(viewer, User) or game.started_at is None:
        return False
    return game.invitations.filter(user=viewer, answer=Invitation.Answer.PENDING).exists()


def own_seat(*, user: User, game: Game) -> Seat:
    """Return a player's seat in a game. Raises Forbidden if they have no seat."""
    seat = game.players.filter(user=user).first()
    if seat is None:
        raise no_seat()
    seat.user = user
    return seat


def no_seat() -> Forbidden:
    """Return the error for a person who has no seat in a game."""
    return Forbidden("no-seat", _("You have no seat in this game."))


def link_of(*, viewer: Viewer, game: Game) -> str | None:
    """Return the token of a private game's link for its host and players, or None for guests and others."""
    if not game.private or not isinstance(viewer, User) or viewer.is_guest:
        return None
    knows = game.host_id == viewer.pk or seat_of(viewer=viewer, game=game) is not None
    return game.link_token if knows else None


def history_length() -> Coalesce:
    """Return a database expression for the number of entries in a game's history (`play.history`)."""
    entries = LobbyEntry.objects.filter(game=OuterRef("pk")).order_by().values("game")
    return Coalesce(Subquery(entries.annotate(number=Count("*")).values("number")), Value(0))


# --- Profiles -----------------------------------------------------------------------------------------------


class Audiences:
    """Decides which parts of a person's profile one viewer may see.

    The person's settings decide. Staff have no special rights here. People see everything on their own
    profile.
    """

    def __init__(self, *, viewer: Viewer, person: User) -> None:
        self.viewer = viewer
        self.person = person
        self.is_own_profile = isinstance(viewer, User) and viewer.pk == person.pk
        self._played_together: bool | None = None

    def sees(self, audience: str) -> bool:
        if self.is_own_profile or audience == Audience.EVERYBODY:
            return True
        return audience == Audience.PLAYERS and self._have_played_together()

    def _have_played_together(self) -> bool:
        if self._played_together is None:
            self._played_together = isinstance(self.viewer, User) and has_played_with(
                viewer=self.viewer, person=self.person
            )
        return self._played_together

    def games(self) -> QuerySet[Game]:
        """Return a query for the person's games that the profile shows to the viewer.

        These are public games, and games with the viewer as host or player. On their own profile, people see
        all games.
        """
        if self.is_own_profile:
            return Game.objects.all()
        public = Q(private=False)
        if not isinstance(self.viewer, User):
            return Game.objects.filter(public)
        seated = Seat.objects.filter(user=self.viewer).values("game")
        return Game.objects.filter(public | Q(host=self.viewer) | Q(pk__in=seated))


def has_played_with(*, viewer: User, person: User) -> bool:
    """Return whether two people hold seats in the same started game, even if it is over by now."""
    others = Seat.objects.filter(user=person, game=OuterRef("game"), game__started_at__isnull=False)
    return Seat.objects.filter(Exists(others), user=viewer).exists()


# --- Newcomers ----------------------------------------------------------------------------------------------


TURNS_TO_COUNT: Final = 3
"""The number of turns that a running game needs to count towards the end of a newcomer's limits."""

MAX_NEWCOMER_GAMES: Final = 3
"""The maximum number of games with other people that a newcomer can play at the same time."""


def is_newcomer(*, user: User, now: datetime) -> bool:
    """Return whether a player signed up recently, or has played few games with other people."""
    days = timedelta(days=settings.NEWCOMER_DAYS)
    if days and now - user.date_joined < days:
        return True
    if not settings.NEWCOMER_GAMES:
        return False
    played = Q(game__turn__gt=TURNS_TO_COUNT) | Q(game__status=Game.Status.OVER)
    known = Seat.objects.filter(played, _with_others(), user=user).order_by().values("pk")
    return known[: settings.NEWCOMER_GAMES].count() < settings.NEWCOMER_GAMES


def refuse_busy_newcomer(*, user: User) -> None:
    """Raise Forbidden if a newcomer already plays the maximum number of games with other people."""
    if games_at_once(user=user) >= MAX_NEWCOMER_GAMES:
        raise Forbidden("newcomer", _limit_of_games())


def games_at_once(*, user: User) -> int:
    """Return the number of a person's unfinished games with other people.

    All open games with a seat of the person count, even if no other person has joined yet.
    """
    shared = _with_others() | Q(game__status=Game.Status.OPEN)
    return Seat.objects.filter(shared, user=user, game__ended_at=None).count()


def newcomer_limit(*, user: User, now: datetime) -> tuple[str, int, int] | None:
    """Return a newcomer's limit as a sentence, their number of games, and the maximum number.

    Return None for players who are not newcomers.
    """
    if not is_newcomer(user=user, now=now):
        return None
    return _limit_of_games(), games_at_once(user=user), MAX_NEWCOMER_GAMES


def _limit_of_games() -> str:
    return with_end_of_limit(
        _("New players can be in up to {most} games with other players at the same time.")
    )


def _with_others() -> Q:
    """Return a query condition for seats of people in games where another person has a seat too."""
    others = Seat.objects.filter(game=OuterRef("game"), user__isnull=False).exclude(user=OuterRef("user"))
    return Q(Exists(others))


def with_end_of_limit(sentence: str) -> str:
    """Return a sentence about a newcomer's limit, followed by a sentence about when the limit ends."""
    ends = _("This limit ends once you have played {games} games and your account is {days} days old.")
    sentence = sentence.format(most=MAX_NEWCOMER_GAMES)
    return f"{sentence} {ends.format(games=settings.NEWCOMER_GAMES, days=settings.NEWCOMER_DAYS)}"


LINK_SIGNS: Final = ("http://", "https://", "www.")
"""The strings that mark a text as containing a link."""


def refuse_words(*, user: User, words: Iterable[str], before: Iterable[str] = (), now: datetime) -> None:
    """Refuse new texts from muted players, and new texts with links from newcomers.

    Empty texts, and texts that are published already (``before``), are not checked. Raises Forbidden for a
    muted or suspended player, and Invalid for a newcomer's link.
    """
    known = set(before)
    new = [text for text in words if text.strip() and text not in known]
    if not new:
        return
    refuse_muted(user=user, now=now)
    if any(_has_link(text) for text in new) and is_newcomer(user=user, now=now):
        raise Invalid("link", with_end_of_limit(_("New players cannot post links.")))


def _has_link(text: str) -> bool:
    low = text.lower()
    return any(mark in low for mark in LINK_SIGNS)
