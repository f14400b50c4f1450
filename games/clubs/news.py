"""Notifications about clubs. They store the club's name, because the club may be deleted."""

from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _

import rules
from games.clocks.paces import pace_in_words
from games.clubs.models import Candidate, Club
from games.clubs.selectors import club_of_game, mail_token
from games.news.kinds import PLAIN, Content, Kind, plain, subject_of
from games.news.models import Notice
from games.people.contacts import has_blocked
from games.play import stored
from games.play.models import Game
from games.play.viewers import visible_games


def _page(notice: Notice) -> tuple[str, str]:
    """Return the name and the path of a club. For a closed club, the path leads to the club list."""
    kept = subject_of(notice)
    club = Club.objects.filter(pk=kept["club"]).first()
    return kept["name"], club.get_absolute_url() if club else reverse("clubs:list")


def _club_content(notice: Notice, *, subject: str, message: str, why: str) -> Content:
    name, path = _page(notice)
    return plain(
        notice,
        path=path,
        subject=subject.format(club=name),
        message=message.format(club=name),
        link_text=gettext("See all clubs"),
        why=why,
    )


def _closed(notice: Notice) -> Content:
    return _club_content(
        notice,
        subject=gettext("{club} was closed"),
        message=gettext("The club “{club}” was closed. Its games and running tournaments continue."),
        why=gettext(
            "You got this email because you were a member of the club, had been invited or had asked to join."
        ),
    )


def _removed(notice: Notice) -> Content:
    if subject_of(notice)["asked"]:
        return _club_content(
            notice,
            subject=gettext("{club} declined your request"),
            message=gettext("An officer of “{club}” declined your request to join."),
            why=gettext("You got this email because you asked to join this club."),
        )
    return _club_content(
        notice,
        subject=gettext("You are no longer in {club}"),
        message=gettext("An officer of “{club}” removed you from the club."),
        why=gettext("You got this email because you were a member of this club."),
    )


def _invitation(notice: Notice) -> Candidate | None:
    """Return the open invitation that a notification is about, or None if it was answered or withdrawn."""
    assert notice.about is not None
    rows = Candidate.objects.filter(club=notice.about, invited=True, status=Candidate.Status.OPEN)
    to_whom = {"user": notice.user} if notice.user else {"email": notice.email}
    return rows.filter(**to_whom).select_related("club", "invited_by").first()


def _invitation_page(notice: Notice) -> tuple[str, str]:
    assert notice.about is not None
    found = _invitation(notice)
    club = found.club if found else Club.objects.filter(pk=notice.about).first()
    if club is None:
        return gettext("Clubs"), reverse("clubs:list")
    path = club.get_absolute_url()
    if found and notice.email:
        path = f"{path}?{urlencode({'link': mail_token(club.pk, notice.email)})}"
    return club.name, path


def _invited(notice: Notice) -> Content:
    name, path = _invitation_page(notice)
    if notice.email:
        return _invited_by_mail(notice, name, path)
    return plain(
        notice,
        path=path,
        subject=gettext("You are invited to {club}").format(club=name),
        message=gettext("An officer of “{club}” invites you to join the club.").format(club=name),
        link_text=gettext("View the club and answer"),
        why=gettext(
            "An officer of the club asked us to send this email. If you don’t want to join, ignore it."
        ),
    )


def _invited_by_mail(notice: Notice, club: str, path: str) -> Content:
    found = _invitation(notice)
    names = {"club": club, "inviter": found.invited_by.robo_name if found and found.invited_by else ""}
    message = gettext(
        "{inviter} invites you to join “{club}”, a club of Robo Runner players. To join, you need an account."
        " Signing up takes a minute. Then you go straight to the club."
    )
    why = gettext(
        "{inviter} asked us to send this email. If you don’t want to join, ignore it. We won’t email you"
        " again about this invitation."
    )
    return plain(
        notice,
        path=path,
        subject=gettext("{inviter} invites you to {club}").format(**names),
        message=message.format(**names),
        link_text=gettext("View the club first"),
        why=why.format(**names),
    )


def _invited_settled(notice: Notice) -> str | None:
    return None if _invitation(notice) else Notice.Status.OUTDATED


ANNOUNCED_AFTER: Final = timedelta(minutes=3)
"""The time until members hear about a new game. Meanwhile, its host invites players or makes it private."""


def _game(notice: Notice) -> Game | None:
    assert notice.about is not None
    return Game.objects.select_related("host").filter(pk=notice.about).first()


def _game_page(notice: Notice) -> tuple[str, str]:
    """Return the name and path of a game, or the club list if the reader may not see the game any more."""
    assert notice.about is not None and notice.user
    game = visible_games(viewer=notice.user).filter(pk=notice.about).first()
    return (game.name, game.get_absolute_url()) if game else (gettext("Clubs"), reverse("clubs:list"))


def _new_game(notice: Notice) -> Content:
    game = _game(notice)
    assert game
    club = club_of_game(game.pk)
    message = gettext("{host} created “{game}” for members of {club}: {ruleset} on {starship}, {pace}.")
    return plain(
        notice,
        path=game.get_absolute_url(),
        subject=gettext("New game in your club: {game}").format(game=game.name),
        message=message.format(
            host=game.host.robo_name,
            game=game.name,
            club=club.name if club else "",
            ruleset=rules.ruleset(game.ruleset).name,
            starship=game.board_name,
            pace=pace_in_words(stored.pace_of(game)),
        ),
        link_text=gettext("View the game and join"),
        why=gettext("You got this email because you are a member of this club."),
    )


def _new_game_settled(notice: Notice) -> str | None:
    """Return OUTDATED unless the reader is a member who can join the game and knows nothing of it yet.

    It is also OUTDATED if the reader has blocked the host meanwhile.
    """
    game, reader = _game(notice), notice.user
    if game is None or reader is None or game.status != Game.Status.OPEN or game.private:
        return Notice.Status.OUTDATED
    if has_blocked(user=reader, person=game.host):
        return Notice.Status.OUTDATED
    club = club_of_game(game.pk)
    member = club is not None and club.memberships.filter(user=reader).exists()
    known = game.players.filter(user=reader).exists() or game.invitations.filter(user=reader).exists()
    full = game.players.count() >= game.seats
    return None if member and not known and not full else Notice.Status.OUTDATED


def _kind(**declared: Any) -> Kind:
    return Kind(
        template=PLAIN,
        **{"topic_page": _page, "settled": lambda notice: None, **declared},
        to_players=False,
        drawn=False,
        illustrated=False,
    )


INVITED: Final = _kind(
    name="club-in",
    label=_("You are invited to a club"),
    label_when_settled=_("You were invited. The invitation is no longer open."),
    topic_page=_invitation_page,
    content=_invited,
    settled=_invited_settled,
)


NEW_GAME: Final = _kind(
    name="club-game",
    label=_("A new game in your club"),
    topic_page=_game_page,
    content=_new_game,
    settled=_new_game_settled,
    send_at=lambda notice, now: max(now, notice.created_at + ANNOUNCED_AFTER),
)

CLOSED: Final = _kind(name="club-over", label=_("A club was closed"), content=_closed)

REMOVED: Final = _kind(
    name="club-out", label=_("A club removed you or declined your request"), content=_removed
)

KINDS: Final = (INVITED, NEW_GAME, CLOSED, REMOVED)
