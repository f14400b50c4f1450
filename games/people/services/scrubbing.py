"""Names and addresses of people who are gone, taken out of what was written in words."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

from django.apps import apps
from django.contrib.admin.models import LogEntry as StaffEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, Q, QuerySet

from accounts.models import User
from games.alarms import Alarm
from games.chat.models import ChatLine
from games.dock.models import Moderation, PromotionVote, Report, Review
from games.fleet.models import Course, Starship, StarshipRevision
from games.people.models import Deletion
from games.people.services.names import rename_robot
from games.play.history import rewritten
from games.play.models import Game, Intervention, LobbyEntry, Program, Turn
from games.play.played import Played
from games.play.services.keeping import rewrite

TEXTS: Final[tuple[tuple[type[Model], str, tuple[str, ...]], ...]] = (
    (Game, "pk", ("name",)),
    (ChatLine, "game", ("text",)),
    (LobbyEntry, "game", ("text", "parameters")),
    (Intervention, "game", ("reason",)),
    (Turn, "game", ("error",)),
    (Alarm, "game", ("error",)),
    (Program, "hand__turn__game", ("remark",)),
)
"""What there is to read about a game, by the column that leads to it: names may be anywhere in it."""

OF_CONDUCT: Final = (("PlayerReport", ("text",)), ("Sanction", ("facts",)), ("Appeal", ("text", "answer")))
"""What there is to read about other people, in a room above this one."""

TAKEN_BACK: Final = "(deleted)"
"""What stands in place of what someone said who wanted it to go."""

NO_ADDRESS: Final = "(an address)"
"""What stands in place of the address of someone who is gone."""

_BEFORE: Final = r"(?<![^\W_])(?<![^\W_][-_])"
_BEHIND: Final = r"(?![^\W_]|[-_]+[^\W_])"
"""Where a name begins and ends: not within a longer one, of which hyphens and underscores are part."""


class Scrubber(NamedTuple):
    """Puts a placeholder in place of a name, where that is a word, in any case; and takes an address out."""

    name: str
    address: str
    placeholder: str

    def scrub(self, text: str, longest: int | None = None) -> str:
        """Return a text without name and address, cut where it would be longer than it may be.

        >>> scrubber = Scrubber("Bob", "bob@example.org", "Deleted-7")
        >>> scrubber.scrub("@bob: Bob-cat, Bob's mail is Bob@Example.org")
        "@Deleted-7: Bob-cat, Deleted-7's mail is (an address)"
        """
        return _cut(self._named(self._addressed(text), ""), longest)

    def scrub_mentions(self, text: str, longest: int | None = None) -> str:
        """Return a text in which no one is spoken to by the name, nor the address told.

        >>> Scrubber("Ace", "", "Deleted-7").scrub_mentions("An ace, @Ace!")
        'An ace, @Deleted-7!'
        """
        return _cut(self._named(self._addressed(text), "@"), longest)

    def _named(self, text: str, mark: str) -> str:
        found = rf"{_BEFORE}{mark}{re.escape(self.name)}{_BEHIND}"
        return re.sub(found, mark + self.placeholder, text, flags=re.IGNORECASE)

    def _addressed(self, text: str) -> str:
        if not self.address:
            return text
        return re.sub(re.escape(self.address), NO_ADDRESS, text, flags=re.IGNORECASE)


def scrubber_of(deletion: Deletion) -> Scrubber:
    """Return what takes a person who is being deleted out of texts."""
    return Scrubber(deletion.name, deletion.address, deletion.user.robo_name)


def scrub_game(*, game: Game, scrubber: Scrubber) -> None:
    """Take a person out of all that was written about a game, whose row is held, or said in it."""
    for model, path, columns in TEXTS:
        rows = model._default_manager.filter(**{path: game.pk})
        _scrub(rows, columns, scrubber, scrubber.scrub)
    rewrite(game=game, change=partial(_without_names, scrubber=scrubber))
    games = ContentType.objects.get_for_model(Game)
    deeds = StaffEntry.objects.filter(content_type=games, object_id=str(game.pk))
    _scrub(deeds, ("object_repr",), scrubber, scrubber.scrub)
    game.refresh_from_db(fields=["name"])


def rename_player(*, game: Game, user: User, scrubber: Scrubber) -> None:
    """Have a game, whose row is held, know a person by the scrubber's placeholder alone."""
    before, after = scrubber.name, scrubber.placeholder
    rename_robot(game=game, before=before, after=after)
    game.players.filter(user=user, robot=before).update(robot="")
    game.players.filter(robot=before).update(robot=after)
    game.chat.filter(user=user).update(name=after)
    scrub_game(game=game, scrubber=scrubber)


def _without_names(played: Played, scrubber: Scrubber) -> Played:
    """Return what is kept of a turn without the names in remarks about its programs."""
    hands = []
    for hand in played.hands:
        if hand.program and hand.program.remark:
            remark = scrubber.scrub(hand.program.remark)
            hand = replace(hand, program=replace(hand.program, remark=remark))
        hands.append(hand)
    return replace(played, hands=tuple(hands))


def scrub_elsewhere(*, deletion: Deletion) -> None:
    """Take a person out of what was written where they had no part: mentions, staff's log, boards."""
    scrubber = scrubber_of(deletion)
    _scrub(Moderation.objects.all(), ("reason",), scrubber, scrubber.scrub)
    _scrub(Report.objects.all(), ("text",), scrubber, scrubber.scrub)
    for name, texts in OF_CONDUCT:
        rows = apps.get_model("games", name)._default_manager.all()
        _scrub(rows, texts, scrubber, scrubber.scrub)
    for model, column in ((ChatLine, "text"), (Review, "text"), (Review, "answer"), (PromotionVote, "words")):
        _scrub(_speaking_to(deletion, model, column), (column,), scrubber, scrubber.scrub_mentions)
    _scrub(Alarm.objects.filter(game=None), ("error",), scrubber, scrubber.scrub)
    people = ContentType.objects.filter(app_label__in=("account", "accounts"))
    columns = ("object_repr", "change_message")
    _scrub(StaffEntry.objects.filter(content_type__in=people), columns, scrubber, scrubber.scrub)
    _scrub_boards(deletion.user, scrubber)
    _scrub_reviews(deletion, scrubber)
    _scrub_votes(deletion, scrubber)


def _speaking_to(deletion: Deletion, model: type[Model], column: str) -> QuerySet[Any]:
    """Return rows in whose column somebody speaks to the person, or tells their address."""
    found = Q(**{f"{column}__icontains": f"@{deletion.name}"})
    if deletion.address:
        found |= Q(**{f"{column}__icontains": deletion.address})
    return model._default_manager.filter(found)


def _scrub_boards(user: User, scrubber: Scrubber) -> None:
    """Take a person's name from the boards that they saved, where it says who built them."""
    for revision in StarshipRevision.objects.filter(saved_by=user):
        _sign(revision, scrubber)
    drawn = Q(pieces=None, of_game__host=user)
    for course in Course.objects.filter(Q(pieces__revision__saved_by=user) | drawn).distinct():
        _sign(course, scrubber)
    starships = Starship.objects.filter(revisions__saved_by=user).distinct()
    _scrub(starships, ("builder",), scrubber, scrubber.scrub)
    laid = Course.objects.filter(Q(pieces__revision__starship__owner=user) | drawn).distinct()
    _scrub(laid, ("name",), scrubber, scrubber.scrub)
    ships = ContentType.objects.get_for_model(Starship)
    mine = [str(pk) for pk in Starship.objects.filter(owner=user).values_list("pk", flat=True)]
    deeds = StaffEntry.objects.filter(content_type=ships, object_id__in=mine)
    _scrub(deeds, ("object_repr",), scrubber, scrubber.scrub)


def _scrub_votes(deletion: Deletion, scrubber: Scrubber) -> None:
    """Take a person out of votes of the design committee, their own and those about their ships."""
    cast = PromotionVote.objects.filter(user=deletion.user)
    if deletion.takes_chat:
        cast.exclude(words="").update(words=TAKEN_BACK)
    about = PromotionVote.objects.filter(promotion__prototype__starship__owner=deletion.user)
    for votes in (cast, about):
        _scrub(votes, ("words",), scrubber, scrubber.scrub)


def _scrub_reviews(deletion: Deletion, scrubber: Scrubber) -> None:
    """Take a person out of what was said about starships; stars and tags stay, the words if they are to."""
    written = Review.objects.filter(author=deletion.user)
    answered = Review.objects.filter(starship__owner=deletion.user)
    if deletion.takes_chat:
        written.exclude(text="").update(text="")
        answered.exclude(answer="").update(answer="", answered_at=None)
    for reviews in (written, answered):
        _scrub(reviews, ("text", "answer"), scrubber, scrubber.scrub)


def _sign(board: StarshipRevision | Course, scrubber: Scrubber) -> None:
    builder = board.document.get("builder", "")
    if (scrubbed := scrubber.scrub(builder, 80)) != builder:
        board.document = {**board.document, "builder": scrubbed}
        board.save(update_fields=["document"])


def _scrub(
    rows: QuerySet[Any], columns: tuple[str, ...], scrubber: Scrubber, scrub: Callable[[str, int | None], str]
) -> None:
    """Rewrite those rows in whose columns name or address can be."""
    found = Q()
    for column in columns:
        for word in filter(None, (scrubber.name, scrubber.address)):
            found |= Q(**{f"{column}__icontains": word})
    for row in rows.filter(found).only(*columns).iterator(chunk_size=500):
        before = [getattr(row, column) for column in columns]
        for column, text in zip(columns, before, strict=True):
            setattr(row, column, _scrubbed(text, scrub, row._meta.get_field(column).max_length))
        if before != [getattr(row, column) for column in columns]:
            row.save(update_fields=columns)


def _scrubbed(value: Any, scrub: Callable[[str, int | None], str], longest: int | None) -> Any:
    """Return a text, or what people wrote in the parameters of an entry, scrubbed."""
    if isinstance(value, str):
        return scrub(value, longest)
    return rewritten(value, lambda text: scrub(text, None))


def _cut(text: str, longest: int | None) -> str:
    return text if longest is None or len(text) <= longest else f"{text[: longest - 1]}…"
