"""Access to games and profiles, and limits for newcomers and muted players."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Least
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from accounts.models import Audience, User
from games.absence.models import Replacement, Sitting
from games.errors import Conflict, DeadLink, Forbidden, Invalid, NoLongerIn, NotFound
from games.lobby.models import Invitation, LobbyEntry
from games.moderation.models import Sanction
from games.moderation.sanctions import refuse_muted
from games.people.models import Block
from games.play.models import Game, Seat, Turn
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

    Each pair holds the IDs of a game and of a person. The same rules apply as in `visible_games`, and sitters
    may see their games. The number of queries does not depend on the number of games or
    people.
    """
    viewers, ids = {each.pk: each for each in people}, list(game_ids)
    hosts = Game.objects.filter(pk__in=ids, host__in=[*viewers]).order_by().values_list("pk", "host")
    found = set(hosts)
    for rows, game, person in _rows_of_insiders():
        within = rows.filter(**{f"{game}__in": ids, f"{person}__in": [*viewers]})
        found.update(within.order_by().values_list(game, person))
    found.update(sittings_in(people=viewers, game_ids=ids, now=timezone.now()))
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


def origin_of(*, viewer: Viewer, game: Game) -> Game | None:
    """Return the game at whose position a game begins, or None if there is none that the viewer may see."""
    if game.origin_id is None:
        return None
    origin = _GAME.first(game.origin_id)
    return origin if origin is not None and _is_known(origin, viewer) else None


def _has_joined(game_id: int, viewer: Viewer) -> bool:
    joined = LobbyEntry.objects.filter(game=game_id, kind="joined")
    return isinstance(viewer, User) and joined.filter(by=viewer).exists()


def _noted_of_game() -> dict[str, Any]:
    votes = Exists(Game.objects.filter(pk=OuterRef("pk"), votes__status="open"))
    return {"votes_open": votes, "noted": history_length()}


def _is_known(game: Game, viewer: Viewer) -> bool:
    """Return whether the viewer may see a game without its private link."""
    if not game.private or visible_games(viewer=viewer).filter(pk=game.pk).exists():
        return True
    return sitting_in(viewer=viewer, game=game) is not None


def seat_of(*, viewer: Viewer, game: Game) -> Seat | None:
    """Return the viewer's seat in a game, or None if they have no seat."""
    if not isinstance(viewer, User):
        return None
    return next((seat for seat in game.players.all() if seat.user_id == viewer.pk), None)


# --- Sitters ------------------------------------------------------------------------------------------------


def lasting_sittings(*, now: datetime) -> QuerySet[Sitting]:
    """Return the sittings that have not ended, accepted or not.

    A sitting ends if either person is locked, suspended or deleted, or blocks the other.
    """
    blocks = Block.objects.filter(
        Q(user=OuterRef("owner"), blocked=OuterRef("sitter"))
        | Q(user=OuterRef("sitter"), blocked=OuterRef("owner"))
    )
    suspended = Sanction.objects.filter(
        Q(user=OuterRef("owner")) | Q(user=OuterRef("sitter")),
        kind=Sanction.Kind.SUSPENSION,
        ends_at__gt=now,
        lifted_at=None,
    )
    active = Sitting.objects.filter(ended_at=None, ends_at__gt=now, owner__is_active=True)
    return active.filter(~Exists(blocks), ~Exists(suspended), sitter__is_active=True)


def sittings_in_force(*, now: datetime) -> QuerySet[Sitting]:
    """Return the sittings whose sitter may submit orders now."""
    return lasting_sittings(now=now).filter(accepted_at__isnull=False, begins_at__lte=now)


def sittings_in(
    *, people: Iterable[int], game_ids: Iterable[int], now: datetime
) -> dict[tuple[int, int], Sitting]:
    """Return the sittings in force by pairs of a game and a sitter, with their IDs.

    This is the only rule about games with sitters. The game is running, its host allows sitters, and it is no
    mission or test flight. A sitter never sees two hands of a turn: the sitter has never had a seat in the
    game, and has sat for only one of its players in the turn under way. The number of queries does not depend
    on the arguments.
    """
    force = sittings_in_force(now=now).filter(sitter__in=[*people]).select_related("owner", "sitter")
    by_owner: dict[int, list[Sitting]] = {}
    for each in force:
        by_owner.setdefault(each.owner_id, []).append(each)
    if not by_owner:
        return {}
    sitters = {each.sitter_id for found in by_owner.values() for each in found}
    games = Game.objects.filter(pk__in=[*game_ids], sitters=True, status=Game.Status.RUNNING, mission=None)
    seats = Seat.objects.filter(game__in=games.filter(Q(revision__isnull=False) | Q(position__isnull=False)))
    seated = set(seats.filter(user__in=[*by_owner, *sitters]).values_list("game", "user"))
    played = set(
        Replacement.objects.filter(was__in=sitters, seat__game__in=games).values_list("seat__game", "was")
    )
    found = {
        (game_id, sitting.sitter_id): sitting
        for game_id, owner in seated
        for sitting in by_owner.get(owner, ())
    }
    known = known_hands(people=sitters, game_ids={game_id for game_id, _sitter in found}, now=now)
    barred = {pair for pair, owners in known.items() if len(owners) > 1}
    return {pair: found[pair] for pair in found.keys() - seated - played - barred}


def known_hands(
    *, people: Iterable[int], game_ids: Iterable[int], now: datetime
) -> dict[tuple[int, int], set[int]]:
    """Return the players whose hands in the turn under way people may have seen as their sitters.

    The keys are pairs of the IDs of a game and a sitter. A hand stays known until the turn is over, even if
    the sitting ends, or if the player leaves the game.
    """
    games = Game.objects.filter(pk__in=[*game_ids], sitters=True)
    turns = Turn.objects.filter(game__in=games, status=Turn.Status.OPEN).order_by()
    opened = dict(turns.values_list("game", "opened_at"))
    sat = Sitting.objects.filter(sitter__in=[*people], accepted_at__isnull=False, begins_at__lte=now)
    sittings = list(sat.annotate(until=Least("ended_at", "ends_at")).order_by() if opened else ())
    owners = {each.owner_id for each in sittings}
    here = set(Seat.objects.filter(game__in=opened, user__in=owners).values_list("game", "user"))
    left = Replacement.objects.filter(seat__game__in=opened, was__in=owners)
    here |= {(pk, was) for pk, was, at in left.values_list("seat__game", "was", "at") if at >= opened[pk]}
    known: dict[tuple[int, int], set[int]] = {}
    for game_id, owner in here:
        for each in sittings:
            if each.owner_id == owner and each.until >= opened[game_id]:
                known.setdefault((game_id, each.sitter_id), set()).add(owner)
    return known


def has_sitter(*, owner: User, game: Game, now: datetime) -> bool:
    """Return whether a sitter may submit orders for a player of a game."""
    sitters = sittings_in_force(now=now).filter(owner=owner).values_list("sitter", flat=True)
    found = sittings_in(people=list(sitters), game_ids=[game.pk], now=now)
    return any(sitting.owner_id == owner.pk for sitting in found.values())


def sitting_in(*, viewer: Viewer, game: Game, now: datetime | None = None) -> Sitting | None:
    """Return the sitting that lets a viewer order in a game now, or None.

    The result is stored with ``game``, as a page asks for it several times.
    """
    if not isinstance(viewer, User) or viewer.is_guest:
        return None
    if game.status != Game.Status.RUNNING or not game.sitters:
        return None
    known: dict[int, Sitting | None] = game.__dict__.setdefault("_sittings", {})
    if viewer.pk not in known:
        found = sittings_in(people=[viewer.pk], game_ids=[game.pk], now=now or timezone.now())
        known[viewer.pk] = found.get((game.pk, viewer.pk))
    return known[viewer.pk]


def played_seat(*, viewer: Viewer, game: Game) -> Seat | None:
    """Return the seat that a viewer may play: their own, or the seat of a player they represent.

    In a game on one screen, it is the seat of the player at the screen. It is None while the screen shows no
    hand, and once the game has ended, because all players watch the screen then.
    """
    if seat := seat_of(viewer=viewer, game=game):
        if not game.is_on_one_screen:
            return seat
        return _seat_at_screen(game) if game.status == Game.Status.RUNNING else None
    sitting = sitting_in(viewer=viewer, game=game)
    if sitting is None:
        return None
    return next((seat for seat in game.players.all() if seat.user_id == sitting.owner_id), None)


def _seat_at_screen(game: Game) -> Seat | None:
    return next((seat for seat in game.players.all() if seat.number == game.at_screen), None)


def check_screen(*, game: Game, screen: int | None) -> None:
    """Raise Conflict if the player of the seat ``screen`` is not at the screen of a game on one screen.

    If it is None, any player may be there, but not none.
    """
    if not game.is_on_one_screen:
        if screen is not None:
            raise no_screen()
        return
    if not game.at_screen:
        raise Conflict("no-screen", _("No player is at the screen. Press Ready first."))
    if screen not in (None, game.at_screen):
        raise Conflict("no-screen", _("Another player is at the screen now."))


def no_screen() -> Conflict:
    """Return the error for a game whose players do not pass one screen on."""
    return Conflict("no-screen", _("In this game, each player has a screen of their own."))


def seat_to_play(
    *, user: User, game: Game, screen: int | None = None, now: datetime | None = None
) -> tuple[Seat, Sitting | None]:
    """Return the seat that a person may play now, and the sitting if it is not their own.

    The sitting's row stays locked until the end of a transaction, so that it cannot end before. Raises
    NotFound if the person may not see the game, and Forbidden if they have no seat, or sit for no player any
    more. In a game on one screen, ``screen`` is the seat that the person means, and the errors of
    `check_screen` apply.
    """
    seat = game.players.filter(user=user).first()
    if seat is not None:
        check_screen(game=game, screen=screen)
        if game.at_screen is not None:
            return game.players.select_related("user").get(number=game.at_screen), None
        seat.user = user
        return seat, None
    sitting = sitting_in(viewer=user, game=game, now=now)
    if sitting is not None and connection.in_atomic_block:
        held = Sitting.objects.select_for_update(of=("self",)).filter(pk=sitting.pk, ended_at=None)
        sitting = sitting if held.exists() else None
    if sitting is None:
        _refuse_former_sitter(user, game)
        game_for(viewer=user, game_id=game.pk)
        raise no_seat()
    found = game.players.get(user=sitting.owner_id)
    found.user = sitting.owner
    return found, sitting


def _refuse_former_sitter(user: User, game: Game) -> None:
    """Raise Forbidden if a person no longer sits for a player of a game.

    People who stopped sitting before the game started get no answer about it here: it may be private.
    """
    if not game.sitters or game.started_at is None:
        return
    owners = Seat.objects.filter(game=game, user__isnull=False).values("user")
    sat = Sitting.objects.filter(sitter=user, accepted_at__isnull=False, owner__in=owners)
    sat = sat.alias(until=Least("ended_at", "ends_at")).filter(until__gte=game.started_at)
    if last := sat.filter(until__gte=F("begins_at")).select_related("owner").order_by("-pk").first():
        detail = _("You don’t sit for {player} in this game any more, so your orders don’t count.")
        raise Forbidden("sitting-over", detail.format(player=last.owner.robo_name))


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
