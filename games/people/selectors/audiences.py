"""What people show of themselves, and to whom."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Audience, User
from games.play.models import Game, Seat
from games.play.selectors.viewers import Viewer


class Audiences:
    """What one viewer gets to see of one person, as that person's preferences have it.

    Staff are viewers like any other. Oneself sees everything.
    """

    def __init__(self, *, viewer: Viewer, person: User) -> None:
        self.viewer = viewer
        self.person = person
        self.mine = isinstance(viewer, User) and viewer.pk == person.pk
        self._played_together: bool | None = None

    def sees(self, audience: str) -> bool:
        """Return whether the viewer belongs to an audience of the person."""
        if self.mine or audience == Audience.EVERYBODY:
            return True
        return audience == Audience.PLAYERS and self._together()

    def _together(self) -> bool:
        """Return whether both have, or had, a seat in a game that has started."""
        if self._played_together is None:
            self._played_together = isinstance(self.viewer, User) and has_played_with(
                viewer=self.viewer, person=self.person
            )
        return self._played_together

    def games(self) -> QuerySet[Game]:
        """Return the games that the viewer may find: public ones, and those that they host or sit in."""
        if self.mine:
            return Game.objects.all()
        public = Q(private=False)
        if not isinstance(self.viewer, User):
            return Game.objects.filter(public)
        seated = Seat.objects.filter(user=self.viewer).values("game")
        return Game.objects.filter(public | Q(host=self.viewer) | Q(pk__in=seated))


def has_played_with(*, viewer: User, person: User) -> bool:
    """Return whether two people have, or had, seats in a game that has started."""
    others = Seat.objects.filter(user=person, game=OuterRef("game"), game__started_at__isnull=False)
    return Seat.objects.filter(Exists(others), user=viewer).exists()
