"""What a report is about, as the reporter and staff see it."""

from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.chat.models import ChatLine
from games.chat.selectors import line_for
from games.clubs.models import Club, Membership
from games.conduct.models import PlayerReport
from games.errors import NotFound, number_in
from games.play.models import Game
from games.play.selectors.viewers import game_for

About = PlayerReport.About

MOST_GAMES: Final = 20
"""Games of two players in which one may have behaved badly, to choose from."""


@dataclass(frozen=True, slots=True)
class ReportedThing:
    """A ``line`` of chat or a ``club``, as ``about`` says; it is empty where the reporter has to say."""

    about: str = ""
    line: ChatLine | None = None
    club: Club | None = None


def reported_thing(*, viewer: User, person: User, line: str = "", club: str = "") -> ReportedThing:
    """Return what a report of a player is about; raises NotFound for what is not theirs, or hidden."""
    if line:
        return ReportedThing(About.CHAT, line=said_line(viewer=viewer, person=person, number=number_in(line)))
    if club:
        return ReportedThing(About.CLUB, club=led_club(person=person, slug=club))
    return ReportedThing()


def said_line(*, viewer: User, person: User, number: int | None) -> ChatLine:
    """Return a line of chat that a player wrote and the viewer may read; raises NotFound."""
    line = line_for(viewer=viewer, line_id=number or 0)
    if line is None or line.user_id != person.pk:
        raise NotFound("no-line", _("There is no such line of this player."))
    return line


def led_club(*, person: User, slug: str) -> Club:
    """Return a club whose captain a player is; raises NotFound."""
    led = Membership.objects.filter(user=person, role=Membership.Role.CAPTAIN, club__slug=slug)
    found = led.select_related("club").first()
    if found is None:
        raise NotFound("no-club", _("This player leads no such club."))
    return found.club


def shared_game(*, viewer: User, person: User, number: int) -> Game:
    """Return a game that a player plays or hosts and the viewer may see; raises NotFound."""
    game = game_for(viewer=viewer, game_id=number)
    if game.host_id != person.pk and not game.players.filter(user=person).exists():
        raise NotFound("no-game", _("This player is not in that game."))
    return game


def games_of_both(*, viewer: User, person: User) -> QuerySet[Game]:
    """Return the latest games that two players play or played together."""
    both = Game.objects.filter(players__user=viewer).filter(players__user=person)
    return both.order_by("-pk")[:MOST_GAMES]
