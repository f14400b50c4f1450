"""The kinds of notification about running games, and their contents."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any, Final

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _

import rules
from accounts.models import REMINDER_HOURS, Frequency
from games.clocks.models import Outage
from games.clocks.selectors import days_left, on_vacation
from games.news.kinds import Content, Draw, Event, Kind, board_picture, digest, empty_board_picture
from games.news.models import Notice
from games.news.services import RECHECK_AFTER
from games.news.timing import REQUESTED, reminder_kind
from games.play import stored
from games.play.deadlines import when_to_send
from games.play.heads import head_of
from games.play.models import Game, Hand, Program, Seat, Turn
from games.play.reminders import offered_reminder, when_to_send_requested
from games.play.selectors import deadline_of, early_end_in_words, missed_turn_of_seat, program_of
from games.play.stored import TurnRecord, turn_record
from games.wording import names_in_words

YOU_WON: Final = {
    "": _("you won"),
    Game.Ending.CONCEDED.value: _("you won: the others conceded"),
    Game.Ending.RESIGNED.value: _("you won by resignation"),
}
ROBOT_WON: Final = {
    "": _("{winner} won"),
    Game.Ending.CONCEDED.value: _("{winner} won: the others conceded"),
    Game.Ending.RESIGNED.value: _("{winner} won by resignation"),
}
OUR_SQUAD_WON: Final = {
    "": _("your squad won"),
    Game.Ending.CONCEDED.value: _("your squad won: the others conceded"),
    Game.Ending.RESIGNED.value: _("your squad won by resignation"),
}
SQUAD_WON: Final = {
    "": _("the other squad won"),
    Game.Ending.CONCEDED.value: _("the other squad won: the others conceded"),
    Game.Ending.RESIGNED.value: _("the other squad won by resignation"),
}
"""Phrases for a player who lost to another squad, by the game's ending.

"" stands for an end by the rules.
"""


def about_turn(notice: Notice, *, ended: bool = False, **more: Any) -> Content:
    """Return the facts of a notification about a turn, with a picture of the board.

    By default, the facts cover the turns since the player's last orders, and the picture shows the board at
    the start of the notification's turn. If this turn has ``ended``, the facts cover only this turn, and the
    picture shows the board at its end.
    """
    game, seat = notice.game, notice.seat
    assert game and notice.user and seat
    turn = game.turns.get(number=notice.turn)
    setup = stored.setup_of(game)
    ship = stored.drawn_board(setup)
    first = stored.first_turn(game)
    seen = rules.view(_state(turn, ship, ended=ended))
    hand = turn.hands.select_related("program", "seat").filter(seat=seat).first()
    waits = not ended and hand is not None and program_of(hand) is None
    if ended:
        played_turns = {turn.number: turn_record(turn) if turn.status == Turn.Status.RESOLVED else None}
    else:
        played_turns = _since_last_orders(notice, seat) or {notice.turn - 1: None}
    events = [event for played in played_turns.values() if played for event in played.events]
    context = {
        "game": game.name,
        "name": notice.user.robo_name,
        "turn": notice.turn - (ended and turn.status == Turn.Status.OPEN and notice.turn > 0),
        "turn_count": len(played_turns),
        "turns": names_in_words([str(number) for number in played_turns]),
        "begun": turn.number == first,
        "robots": seen.robots,
        "players": names_in_words(
            [robot.name for robot in seen.robots if not (robot.scanner or robot.crystal)]
        ),
        "robot": seen.robots[seat.number - 1],
        "checkpoints": stored.checkpoints_of(setup),
        "missed": missed_turn_of_seat(seat=seat, turn=max(played_turns)),
        "head": head_of(turn, first=first),
        "lines": digest(events, robot=seat.robo_name),
        "deadline": deadline_of(turn=turn, hand=hand),
        "short_clock": seat.short_clock,
        "time_zone": notice.user.time_zone,
        "lost": not game.winner,
        "ending": _ending(game, seat),
        "hand": chips_in_view(hand, setup.ruleset) if waits and hand else None,
        "reminder_url": offered_reminder(notice, turn, hand) if waits and hand else "",
        "url": move_url_of(game) if waits else url_of(game),
        "board_name": ship.name,
        "manner": seat.manner or notice.user.manner,
        **more,
    }
    last = played_turns[max(played_turns)]
    tracks = tracks_of(last.events, seen.robots, ship) if last else {}
    return Content(context, partial(_board(game, ship, seen, seat), tracks=tracks))


def about_now(notice: Notice, **more: Any) -> Content:
    """Return the facts of a notification to a player about the present state of a game.

    The picture shows the present board or, before the start, the board without robots.
    """
    game, seat = notice.game, notice.seat
    assert game and notice.user and seat
    context = {
        "game": game.name,
        "name": notice.user.robo_name,
        "time_zone": notice.user.time_zone,
        "url": url_of(game),
        "board_name": game.board_name,
        "manner": seat.manner or notice.user.manner,
        **more,
    }
    return Content(context, empty_board(game) if game.turn is None else present_board(game, seat))


def about_game(notice: Notice, **more: Any) -> Content:
    """Return the facts of a notification to a person who has no seat in the game.

    Its picture shows the board without robots.
    """
    game = notice.game
    assert game
    turn = None if game.turn is None else game.turns.get(number=game.turn)
    context = {
        "game": game.name,
        "name": notice.user.robo_name if notice.user else "",
        "host": game.host.robo_name,
        # the same head as in their last email about the game
        "head": head_of(turn, first=stored.first_turn(game)),
        "url": url_of(game),
        "board_name": game.board_name,
        **more,
    }
    return Content(context, empty_board(game))


def turn_to_play(notice: Notice) -> dict[str, Any]:
    """Return the facts of the open turn that waits for a player, or an empty dictionary.

    A template shows them with `play/mail/waits.html`. They replace the ``url`` of a notification by the
    address of the console.
    """
    assert notice.game and notice.user
    programs = Program.objects.filter(hand=OuterRef("pk"))
    hands = Hand.objects.filter(~Exists(programs), turn__status=Turn.Status.OPEN, seat=notice.seat)
    hand = hands.select_related("turn").filter(turn__game=notice.game).first() if notice.seat else None
    if hand is None:
        return {}
    return {
        "waits": True,
        "turn": hand.turn.number,
        "hand": chips_in_view(hand, stored.setup_of(notice.game).ruleset),
        "reminder_url": offered_reminder(notice, hand.turn, hand),
        "url": move_url_of(notice.game),
        "deadline": deadline_of(turn=hand.turn, hand=hand),
        "short_clock": notice.seat.short_clock if notice.seat else 0,
        "time_zone": notice.user.time_zone,
    }


def url_of(game: Game) -> str:
    """Return the absolute URL of a game."""
    return f"{settings.BASE_URL}{game.get_absolute_url()}"


def move_url_of(game: Game) -> str:
    """Return the absolute URL that opens a game's console at the orders, after a login if necessary."""
    return settings.BASE_URL + reverse("games:move", args=[game.pk])


def chips_in_view(hand: Hand, ruleset: rules.Ruleset) -> list[dict[str, Any]] | None:
    """Return the chips of a player's hand, or None if the player sees none.

    ``label`` is a chip's number, or empty in rulesets with ranks, where numbers decide nothing.
    """
    if hand.face_down:
        return None
    chips = stored.chips_of(hand)
    view = [
        {"number": chip.number, "kind": chip.kind, "label": "" if ruleset.ranks else str(chip.number)}
        for chip in chips
    ]
    return view or None


def tracks_of(
    events: Iterable[Event], robots: Sequence[Any], ship: rules.Starship
) -> dict[int, list[list[int]]]:
    """Return the ways of robots in a turn, as lists of cells, by the index of the robot.

    A robot that comes back elsewhere starts a new way.
    """
    index = {robot.name: number for number, robot in enumerate(robots)}
    ways: dict[int, list[list[int]]] = {}
    for event in events:
        if event["type"] != "move" or event["robot"] not in index:
            continue
        origin, to = ship.cell(*event["from"]), ship.cell(*event["to"])
        own = ways.setdefault(index[event["robot"]], [])
        if own and own[-1][-1] == origin:
            own[-1].append(to)
        else:
            own.append([origin, to])
    return ways


def empty_board(game: Game) -> Draw:
    """Return a function that draws a game's board without robots."""
    return lambda: empty_board_picture(stored.drawn_board(stored.setup_of(game)))


def present_board(game: Game, seat: Seat) -> Draw:
    """Return a function that draws the present board of a game that has started."""
    turn = game.turns.get(number=game.turn or 0)
    ship = stored.drawn_board(stored.setup_of(game))
    return _board(game, ship, rules.view(_state(turn, ship, ended=True)), seat)


def is_open(notice: Notice) -> bool:
    assert notice.game
    return notice.game.turns.filter(number=notice.turn, status=Turn.Status.OPEN).exists()


def _board(game: Game, ship: rules.Starship, seen: rules.View, seat: Seat) -> partial[bytes]:
    looks = stored.looks_of(game)
    return partial(board_picture, ship=ship, seen=seen, looks=looks, robot=seat.number - 1)


def _state(turn: Turn, ship: rules.Starship, *, ended: bool) -> rules.State:
    return stored.state_of(turn, ship) if ended else stored.start_of(turn, ship)


def _since_last_orders(notice: Notice, seat: Seat) -> dict[int, TurnRecord | None]:
    """Return the records of the turns between a player's last orders and the turn of a notification.

    The turn of the last orders is included. Usually it is the only one. Turns without notifications are also
    included: turns when the robot needed no orders. If the last orders are not found, only the latest turn is
    returned.
    """
    assert notice.game
    found: dict[int, TurnRecord | None] = {}
    resolved = notice.game.turns.filter(status=Turn.Status.RESOLVED)
    for number in range(notice.turn - 1, -1, -1):
        if (turn := resolved.filter(number=number).first()) is None:
            break
        found[number] = played = turn_record(turn)
        if any(hand.robot == seat.number and hand.program for hand in played.hands):
            return dict(sorted(found.items()))
    return dict(islice(found.items(), 1))


def _ending(game: Game, seat: Seat) -> str:
    if not game.winner:
        return gettext("the game is lost")
    if seat.squad:
        won = OUR_SQUAD_WON if seat.squad == game.winner else SQUAD_WON
    else:
        won = YOU_WON if game.winner == seat.robo_name else ROBOT_WON
    return str(won.get(game.ending, won[""])).format(winner=game.winner)


def _away(notice: Notice) -> Content:
    content = about_turn(notice)
    numbers = _on_vacation(notice).order_by("robot").values_list("robot", flat=True)
    robots = content.context["robots"]
    content.context["away"] = names_in_words([robots[number - 1].name for number in numbers])
    return content


def _day_taken(notice: Notice) -> Content:
    assert notice.user
    return about_turn(notice, left=days_left(user=notice.user, now=notice.created_at))


def _day_taken_settled(notice: Notice) -> str | None:
    """Return the final status of a notification about a spent vacation day, or None if it must be sent."""
    if notice.seat is None:
        return Notice.Status.OUTDATED
    return Notice.Status.SEEN if notice.came else _turn_settled(notice)


def _outage(notice: Notice) -> Content:
    return about_turn(notice, outage=Outage.objects.filter(ended_at__lte=notice.created_at).first())


def _expired(game: Game) -> bool:
    """Return whether a game was cancelled because too few players had joined after `LOBBY_DAYS`."""
    waited = timedelta(days=settings.LOBBY_DAYS)
    return game.started_at is None and game.ended_at is not None and game.ended_at - game.created_at >= waited


def _cancelled(notice: Notice) -> Content:
    game = notice.game
    assert game
    by_staff = game.interventions.filter(action="cancel").values_list("reason", flat=True)
    return about_game(
        notice,
        days=settings.LOBBY_DAYS,
        expired=_expired(game),
        broke_off=early_end_in_words(game) if game.ended_early else "",
        reason=by_staff.first() or "",
    )


def _turn_settled(notice: Notice) -> str | None:
    """Return the final status of a notification about missing orders, or None if it must be sent."""
    assert notice.game
    if notice.seat is None:
        return Notice.Status.OUTDATED
    programs = Program.objects.filter(hand__turn=OuterRef("pk"), hand__seat=notice.seat)
    turns = notice.game.turns.filter(number=notice.turn, status=Turn.Status.OPEN)
    ordered = turns.values_list(Exists(programs), flat=True).first()
    if notice.game.status != Game.Status.RUNNING or ordered is None:
        return Notice.Status.OUTDATED
    return Notice.Status.SEEN if ordered else None


def _requested_settled(notice: Notice) -> str | None:
    """Return the final status of a requested reminder, or None if it must be sent."""
    settled = _turn_settled(notice)
    unwanted = notice.seat is not None and notice.seat.manner == Frequency.NONE
    return Notice.Status.UNWANTED if unwanted and not settled else settled


def _reminder_settled(notice: Notice) -> str | None:
    """Return the final status of a reminder of a turn, or None if it must be sent.

    A player must not get two messages about one turn in a row. A reminder is out of date if the notification
    about the turn is still queued, or was sent after the reminder was created.
    """
    if settled := _turn_settled(notice):
        return settled
    if notice.user and REMINDER.name in notice.user.silenced:
        return Notice.Status.UNWANTED
    turns = Notice.objects.filter(
        game=notice.game_id, turn=notice.turn, user=notice.user_id, channel=notice.channel, kind=TURN.name
    )
    waiting = Q(status__in=(Notice.Status.PENDING, Notice.Status.HELD))
    tells_it = turns.filter(waiting | Q(sent_at__gte=notice.created_at)).exists()
    return Notice.Status.OUTDATED if tells_it else None


def _away_settled(notice: Notice) -> str | None:
    assert notice.game
    if notice.game.status != Game.Status.RUNNING or not is_open(notice):
        return Notice.Status.OUTDATED
    return None if _on_vacation(notice).exists() else Notice.Status.OUTDATED


def _on_vacation(notice: Notice) -> QuerySet[Hand]:
    return Hand.objects.filter(on_vacation(), turn__game=notice.game_id, turn__number=notice.turn)


def _over_settled(notice: Notice) -> str | None:
    seat = notice.seat
    seen = seat is not None and seat.seen_turn is not None and seat.seen_turn >= notice.turn
    return Notice.Status.SEEN if seen else None


def _when_to_remind(notice: Notice, now: datetime, *, step: int | None = None) -> datetime | None:
    """Return the time to send a reminder, or None to drop it.

    It is dropped if the player asked for a reminder that was sent less than an hour before. It waits while
    such a reminder is to come, because that one is dropped if the deadline moves too close.
    """
    hands = Hand.objects.select_related("turn__game", "seat__user")
    turn = {"turn__game": notice.game_id, "turn__number": notice.turn}
    hand = hands.filter(**turn, seat=notice.seat).first()
    at = when_to_send(turn=hand.turn, hand=hand, step=step, now=now) if hand else None
    if at is None:
        return None
    before = at - timedelta(hours=1)
    requested = Notice.objects.filter(
        game=notice.game_id,
        turn=notice.turn,
        user=notice.user_id,
        channel=notice.channel,
        kind=REQUESTED,
    )
    if requested.filter(sent_at__gt=before).exists():
        return None
    waits = Q(status=Notice.Status.PENDING) | Q(status=Notice.Status.HELD, due_at__gt=before)
    asked = requested.filter(waits).select_related("user").first()
    comes = asked is not None and when_to_send_requested(asked, now) is not None
    return max(at, now + RECHECK_AFTER) if comes else at


TURN: Final = Kind(
    name="turn",
    label=_("It’s your turn"),
    template="play/mail/turn.html",
    content=about_turn,
    settled=_turn_settled,
    daily=1,
    game_waits=True,
    turn_of_events=lambda notice: notice.turn - 1 if notice.turn else None,
)

OVER: Final = Kind(
    name="over",
    label=_("The game is over"),
    template="play/mail/over.html",
    content=partial(about_turn, ended=True),
    settled=_over_settled,
    daily=2,
    turn_of_events=lambda notice: notice.turn,
)

REMINDER: Final = Kind(
    name="reminder",
    label=_("Time is running out"),
    template="play/mail/reminder.html",
    content=about_turn,
    settled=_reminder_settled,
    urgent=True,
    send_at=_when_to_remind,
)

STEP_LABELS: Final = {24: _("24 hours left"), 6: _("6 hours left"), 1: _("1 hour left")}

STEPS: Final = tuple(
    replace(
        REMINDER,
        name=reminder_kind(step),
        label=STEP_LABELS[step],
        content=partial(about_turn, chosen=True),
        send_at=partial(_when_to_remind, step=step),
        chosen_by_steps=True,
    )
    for step in REMINDER_HOURS
)
"""The reminders at the steps that a player chose. A player who turns off reminders gets none of them."""

LATER: Final = Kind(
    name=REQUESTED,
    label=_("The reminder that you asked for"),
    template="play/mail/reminder.html",
    content=partial(about_turn, requested=True),
    settled=_requested_settled,
    to_players=False,
    requested=True,
    urgent=True,
    send_at=when_to_send_requested,
)
"""The kind of reminders that players asked for. They come even to players who want one daily email."""

AWAY: Final = Kind(
    name="away",
    label=_("A player is on vacation"),
    template="play/mail/away.html",
    content=_away,
    settled=_away_settled,
)

DAY_TAKEN: Final = Kind(
    name="day-taken",
    label=_("A vacation day was used"),
    template="play/mail/day_taken.html",
    content=_day_taken,
    settled=_day_taken_settled,
    to_players=False,
)

OUTAGE: Final = Kind(
    name="outage",
    label=_("The site was down"),
    template="play/mail/outage.html",
    content=_outage,
    settled=_turn_settled,
)

CANCELLED: Final = Kind(
    name="cancelled",
    label=_("The game was cancelled"),
    template="play/mail/cancelled.html",
    content=_cancelled,
    settled=lambda notice: None,
    to_players=False,
)

KINDS: Final = (TURN, OVER, REMINDER, *STEPS, LATER, AWAY, DAY_TAKEN, OUTAGE, CANCELLED)
