"""What mails about a game that has started tell its players, and those who were replaced in it."""

from functools import partial
from typing import Any

from django.conf import settings
from django.db.models import Max
from django.urls import reverse

import rules
from accounts.models import User
from games import stored
from games.absence.models import Replacement
from games.absence.selectors.missed_turns import missed_in_words
from games.absence.selectors.open_seats import seat_to_return_to
from games.chat.selectors import mentions_unread
from games.clocks.models import Outage
from games.clocks.selectors.vacations import on_vacation
from games.news.digest import digest
from games.news.links import ballot_url
from games.news.lobby_texts import of_lobby
from games.news.models import Notice
from games.news.picture import Draw, board_picture
from games.play.models import Game, Hand, LogEntry, Seat, Turn
from games.play.selectors.deadlines import deadline_of
from games.play.selectors.heads import head_of
from games.staff.models import Intervention
from games.votes.selectors import MAJORITIES, question_of, unanswered
from rules.sentences import joined

AT_THE_END = frozenset({Notice.Kind.OVER, Notice.Kind.MENTION})
"""Notices for which a turn is looked at as it ended, where it has."""

WHY = {
    Replacement.Reason.MISSED: "Your time ran out too often.",
    Replacement.Reason.VOTED: "The players have voted so.",
    Replacement.Reason.STAFF: "Staff have settled it so.",
}
"""Why somebody was replaced, as they are told."""


WON_BY = {
    Game.Ending.CONCEDED.value: ", since the others have conceded",
    Game.Ending.RESIGNED.value: " by resignation",
}
"""How a game was won that its rules did not end, as its players are told."""


def of_game(notice: Notice, user: User) -> tuple[dict[str, Any], Draw]:
    """Return what the templates tell one who plays, and what draws the picture of the board."""
    seat = Seat.objects.select_related("user", "game").get(game=notice.game, user=user)
    if notice.kind == Notice.Kind.MENTION:
        return _of_mention(notice, user, seat)
    if notice.kind == Notice.Kind.VOTE:
        return _of_vote(notice, user, seat)
    return _of_turn(notice, user, seat)


def of_replaced(notice: Notice, user: User) -> tuple[dict[str, Any], Draw]:
    """Return what the templates tell somebody for whom a computer plays, with the board as it is now."""
    game = notice.game
    replaced = Replacement.objects.select_related("seat").filter(seat__game=game, was=user).last()
    context, draw = of_lobby(notice)
    if replaced is None:
        return context, draw
    context["why"] = WHY.get(Replacement.Reason(replaced.reason), "")
    context["reason"] = _reason_of_staff(replaced)
    context["may_return"] = seat_to_return_to(user=user, game=game) is not None
    return context, _present_board(game, replaced.seat)


def _reason_of_staff(replaced: Replacement) -> str:
    """Return why staff had somebody replaced, if it was they."""
    if replaced.reason != Replacement.Reason.STAFF:
        return ""
    done = Intervention.objects.filter(seat=replaced.seat_id, action=Intervention.Action.REPLACE)
    return done.values_list("reason", flat=True).first() or ""


def _of_turn(notice: Notice, user: User, seat: Seat) -> tuple[dict[str, Any], Draw]:
    """Return it for a turn: the board as it was when the notice was left."""
    game = notice.game
    turn = Turn.objects.get(game=game, number=notice.turn)
    setup = stored.setup_of(game)
    ship = stored.drawn_board(game)
    seen = rules.view(_state(turn, ship, ended=notice.kind in AT_THE_END))
    told = _told_of(notice, seat)
    context = {
        "game": game.name,
        "name": user.robo_name,
        "turn": notice.turn,
        "happened_in": f"turn{'s' if len(told) > 1 else ''} {joined([str(number) for number in told])}",
        "begun": turn.number == (0 if setup.ruleset.opening else 1),
        "players": joined([robot.name for robot in seen.robots if not (robot.scanner or robot.crystal)]),
        "robot": seen.robots[seat.number - 1],
        "checkpoints": stored.checkpoints_of(setup),
        "missed": missed_in_words(seat=seat, turn=_missed_turn(notice)),
        "head": head_of(turn, opening=bool(setup.ruleset.opening)),
        "lines": [] if notice.kind == Notice.Kind.MISSED else _happened(notice, seat, told),
        "deadline": deadline_of(turn=turn, seat_id=seat.pk),
        "time_zone": user.time_zone,
        "outage": _outage(notice),
        "away": _away(notice, turn, seen),
        "lost": not game.winner,
        "ending": _ending(game, seat),
        "url": _url_of(game),
        "board_name": ship.name,
        "manner": seat.manner or user.manner,
    }
    return context, _board(game, ship, seen, seat)


def _away(notice: Notice, turn: Turn, seen: rules.View) -> str:
    """Return who is on vacation, where a notice is about that."""
    if notice.kind != Notice.Kind.AWAY:
        return ""
    numbers = turn.hands.filter(on_vacation()).order_by("robot").values_list("robot", flat=True)
    return joined([seen.robots[number - 1].name for number in numbers])


def _outage(notice: Notice) -> Outage | None:
    """Return the outage that a notice is about."""
    if notice.kind != Notice.Kind.OUTAGE:
        return None
    return Outage.objects.filter(ended_at__lte=notice.created_at).first()


def _of_mention(notice: Notice, user: User, seat: Seat) -> tuple[dict[str, Any], Draw]:
    """Return it for what was said to somebody in the chat, with the board as it is now."""
    game = notice.game
    said = mentions_unread(seat=seat)
    context = {
        "game": game.name,
        "name": user.robo_name,
        "said": [{"name": line.name, "text": line.text} for line in said],
        "speakers": joined(list(dict.fromkeys(line.name for line in said))),
        "url": f"{_url_of(game)}#chat",
        "board_name": game.board_name,
        "manner": seat.manner or user.manner,
    }
    return context, of_lobby(notice)[1] if game.turn is None else _present_board(game, seat)


def _of_vote(notice: Notice, user: User, seat: Seat) -> tuple[dict[str, Any], Draw]:
    """Return it for votes that somebody has not given, with the board as it is now."""
    game = notice.game
    votes = [
        {
            "question": question_of(vote),
            "asked_by": vote.asked_by.robo_name,
            "takes": str(MAJORITIES[vote.kind]),
            "closes_at": vote.closes_at,
            "url": ballot_url(user_id=user.pk, vote_id=vote.pk),
        }
        for vote in unanswered(seat=seat)
    ]
    context = {
        "game": game.name,
        "name": user.robo_name,
        "votes": votes,
        "time_zone": user.time_zone,
        "url": f"{settings.BASE_URL}{reverse('games:votes', args=[game.pk])}",
        "board_name": game.board_name,
        "manner": seat.manner or user.manner,
    }
    return context, _present_board(game, seat)


def _present_board(game: Game, seat: Seat) -> Draw:
    """Return what draws the board of a game that has started, as it is now."""
    turn = game.turns.get(number=game.turn or 0)
    ship = stored.drawn_board(game)
    seen = rules.view(_state(turn, ship, ended=True))
    return _board(game, ship, seen, seat)


def _board(game: Game, ship: rules.Starship, seen: rules.View, seat: Seat) -> Draw:
    """Return what draws the board as the player on a seat sees it."""
    looks = stored.looks_of(game)
    return partial(board_picture, ship=ship, seen=seen, looks=looks, robot=seat.number - 1)


def _state(turn: Turn, ship: rules.Starship, *, ended: bool) -> rules.State:
    resolved = turn.status == Turn.Status.RESOLVED
    return stored.end_of(turn, ship) if ended and resolved else stored.start_of(turn, ship)


def _url_of(game: Game) -> str:
    return f"{settings.BASE_URL}{game.get_absolute_url()}"


def _ending(game: Game, seat: Seat) -> str:
    """Say for one reader how a game ended."""
    if not game.winner:
        return "the game is lost"
    why = WON_BY.get(game.ending, "")
    if seat.squad:
        mine = seat.squad == game.winner
        return f"your squad, {seat.squad}, has won{why}" if mine else f"the {game.winner} squad has won{why}"
    return f"you have won{why}" if game.winner == seat.robo_name else f"{game.winner} has won{why}"


def _missed_turn(notice: Notice) -> int:
    """Return the turn that the reader may have missed: this one, or the one before that is told of."""
    return notice.turn if notice.kind in (Notice.Kind.MISSED, Notice.Kind.OVER) else notice.turn - 1


def _told_of(notice: Notice, seat: Seat) -> range:
    """Return of which turns a notice tells what happened: of those since the reader had last orders to give.

    Mostly that is one; of a turn in which there is nothing to order nobody gets a notice of its own.
    """
    if notice.kind == Notice.Kind.OVER:
        return range(notice.turn, notice.turn + 1)
    earlier = Hand.objects.filter(seat=seat, turn__game=notice.game_id, turn__number__lt=notice.turn)
    last = earlier.aggregate(last=Max("turn__number"))["last"]
    return range(notice.turn - 1 if last is None else last, notice.turn)


def _happened(notice: Notice, seat: Seat, told: range) -> list[str]:
    """Return the digest of the turns that led to the notice."""
    entries = LogEntry.objects.filter(game=notice.game_id, turn__number__in=told).order_by("seq")
    return digest((entry.event for entry in entries), robot=seat.robo_name)
