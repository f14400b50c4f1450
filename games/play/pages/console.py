"""The game page for one viewer: the board, the list of robots, the orders panel and the last turn."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import partial
from hashlib import blake2s
from typing import Any, Final
from urllib.parse import urlencode
from zlib import crc32

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy as _

import rules
from accounts.navigation import show_as
from games import live
from games.clocks.selectors import allows_vacation, vacation_of
from games.errors import Malformed, ServiceError
from games.films.moments import moments_of
from games.films.pages.film import TurnFilms, turn_films
from games.films.selectors import Replay
from games.fleet import missions
from games.fleet.missions import lesson_of, mission_after
from games.fleet.models import Mission
from games.fleet.pictures import board_at, board_of, lay_over, legend_of, robot_picture
from games.play import selectors, stored
from games.play.game_view import GameView, game_view
from games.play.history import history_in_play
from games.play.models import Game, Seat
from games.play.pages.crew import crew_of, has_checkpoints, readiness, reasons_for_ranks, with_reasons
from games.play.pages.panel import HEADING_CHOICES, Panel, is_late, panel_of, power_of
from games.play.preview import ForeseenTurn
from games.play.viewers import Viewer, game_for, missed_start, origin_of, played_seat, seat_of, sitting_in
from games.reading import snapshot
from games.web.pages import viewer_of
from games.wording import WORDS, option_in_words, option_name, value_in_words
from rules.drawing import pin
from rules.events import Real


def link_in(request: HttpRequest) -> str:
    """Return the token of a private game's link in a request, or an empty string."""
    return request.GET.get("link") or request.POST.get("link") or ""


def query_in(request: HttpRequest) -> str:
    """Return the query string of a game's page, which carries the private link if the request has one."""
    link = link_in(request)
    return f"?{urlencode({'link': link})}" if link else ""


def path_of(request: HttpRequest, game_id: int) -> str:
    """Return the URL path of a game's page with the query string of `query_in`."""
    return reverse("games:game", args=[game_id]) + query_in(request)


def game_in(request: HttpRequest, game_id: int) -> Game:
    """Return a game if the viewer or the request's private link has access to it, else raise NotFound."""
    return game_for(viewer=viewer_of(request), game_id=game_id, link=link_in(request))


@dataclass(frozen=True, slots=True)
class PageContext:
    """The arguments of a panel function: the viewer, the game, its ruleset, and the viewer's seat or None."""

    request: HttpRequest
    viewer: Viewer
    game: Game
    seen: GameView
    seat: Seat | None
    ruleset: rules.Ruleset


panels: Sequence[Callable[[PageContext], dict[str, Any]]] = ()
"""Functions from other rooms (packages of `games`) that add to the context of the game page, in order."""


PARTS: Final = ("board", "player", "recap", "panel", "crew", "log", "chat", "statistics")
"""The names of the page parts that a script can request. All other parts are short and always sent."""


@dataclass(frozen=True, slots=True)
class RequestedParts:
    """The parts of a game page that a script has requested.

    ``only`` names the wanted parts. ``has`` holds a mark for each part that is already on the page, by name.
    A mark identifies the part's content.
    """

    only: frozenset[str]
    has: Mapping[str, str]

    def wants(self, name: str, mark: str) -> bool:
        """Return whether to send a part of the page. ``mark`` identifies its current content.

        A requested part is sent unless the browser already has it with the same mark. An empty ``mark`` means
        that the part is always sent if it is requested.
        """
        return name in self.only and not (mark and self.has.get(name) == mark)


def requested_parts(request: HttpRequest) -> RequestedParts:
    """Return the parts that a request names. Raises Malformed for an unknown part."""
    only = [name for name in request.GET.get("only", "").split(",") if name]
    pairs = [pair.partition(":") for pair in request.GET.get("has", "").split(",") if pair]
    for name in (*only, *(pair[0] for pair in pairs)):
        if name not in PARTS:
            detail = gettext("A game’s page has no part “{name}”. Its parts are: {parts}.")
            raise Malformed("part", detail.format(name=name[:40], parts=", ".join(PARTS)))
    return RequestedParts(frozenset(only or PARTS), {pair[0]: pair[2] for pair in pairs})


def answer_parts(request: HttpRequest, asked: RequestedParts, context: Mapping[str, Any]) -> HttpResponse:
    """Return the requested parts of a game page, or 304 if the page has not changed.

    Before a game starts, there is no 304, because the ETag does not cover the forms of that page.
    """
    etag = "" if context["game"].status == Game.Status.OPEN else _etag(request, context)
    unchanged = get_conditional_response(request, etag=etag) if etag else None
    if unchanged is not None:
        return unchanged
    response = render(request, "play/game.html", {**context, "asked": asked, "layout": "play/parts.html"})
    if etag:
        response.headers["ETag"] = etag
    return response


_MADE_FROM: Final = (
    "crew",
    "panel",
    "votes",
    "status_message",
    "own",
    "sitting",
    "offers",
    "delayed",
    "paused",
    "intervened",
    "missed",
    "ending",
    "state",
    "query",
    "last",
    "lesson",
    "coached",
    "too_late",
)


_LEFT_OUT: Final = ("starship", "head")
"""Fields of `GameView` that the ETag leaves out: they never change, or only together with the turn."""


def _etag(request: HttpRequest, context: Mapping[str, Any]) -> str:
    """Return an ETag for everything that the viewer sees on the game page.

    It also changes every minute, because some texts depend on the time.
    """
    seen, chat, user = context["seen"], context["chat"], request.user
    view_values = [getattr(seen, each.name) for each in fields(seen) if each.name not in _LEFT_OUT]
    shown = [context.get(name) for name in _MADE_FROM]
    talk = chat and (chat.version, chat.talk.last, chat.talk.unread)
    reader = (user.pk, get_language(), timezone.get_current_timezone_name(), f"{timezone.now():%d%H%M}")
    return f'"{blake2s(repr((view_values, shown, talk, reader)).encode(), digest_size=12).hexdigest()}"'


PASSES = _("Robots pass through it, and it cannot push, shoot or be shot.")
BECOMES_REAL = _("It becomes real when it ends a turn alone in its cell.")
CAMPS = _("After 2 turns on an airlock, it always becomes real.")
REAL = _("Your robot is real now: it can push and shoot other robots, and they can push and shoot it.")


def meaning_of_virtual(ruleset: rules.Ruleset) -> str:
    """Explain the abilities of virtual robots in a ruleset."""
    camps = (CAMPS,) if any(step.name == "camping" for step in ruleset.end) else ()
    return " ".join(map(str, (PASSES, BECOMES_REAL, *camps)))


def virtual_state_in_words(seen: GameView, ruleset: rules.Ruleset, replay: Replay | None) -> str:
    """Return a sentence if the player's robot is virtual or has just become real, else an empty string.

    ``seen`` is the game as the viewer may see it. ``replay`` is the last turn played, or None.
    """
    if seen.me is None or seen.status != "running" or not seen.turn:
        return ""
    index = seen.me.seat - 1
    robot = seen.robots[index]
    if robot["virtual"] and robot["at"] is not None:
        who = (
            gettext("Robots start virtual, and so does yours.")
            if seen.turn == 1
            else gettext("Your robot is virtual.")
        )
        return f"{who} {meaning_of_virtual(ruleset)}"
    turned = replay is not None and any(
        isinstance(event, Real) and event.robot == index for event in replay.events
    )
    return str(REAL) if turned else ""


@dataclass(frozen=True, slots=True)
class LessonView:
    """A mission's lesson on the game page, with the ``hints`` for the present turn.

    Once the mission is over, ``outcome`` is "won" or "lost", and ``following`` is the next mission, if there
    is one.
    """

    mission: Mission
    lesson: missions.Lesson
    hints: tuple[str, ...] = ()
    outcome: str = ""
    following: Mission | None = None

    @property
    def notes(self) -> list[tuple[str, missions.Note]]:
        """The notes pinned on the board, each with its letter. Empty once the mission is over."""
        return [] if self.outcome else list(zip(missions.NOTE_LETTERS, self.lesson.notes, strict=False))


def lesson_view(game: Game, seen: GameView) -> LessonView | None:
    """Return the lesson of a game, or None if the game has no lesson or has not started."""
    if game.mission is None or (lesson := lesson_of(game.mission, ship=stored.ship_of(game))) is None:
        return None
    if game.status == Game.Status.OVER:
        following = mission_after(mission=game.mission)
        return LessonView(game.mission, lesson, (), "won" if game.winner else "lost", following)
    if game.status != Game.Status.RUNNING or game.turn is None:
        return None
    draft = seen.me is not None and seen.me.draft is not None
    return LessonView(game.mission, lesson, lesson.hints_for(game.turn, seen.robots[0], draft=draft))


def with_pins(board: SafeString, teaching: LessonView) -> SafeString:
    """Add pins with the letters of notes to the drawing of a board. Each cell of a note gets a pin.

    A pin stands left of the middle of its cell, so that it does not hide the middle.
    """
    pins = "".join(pin(letter, cell) for letter, note in teaching.notes for cell in note.cells)
    return lay_over(board, f'<g class="pins" transform="translate(-13.5 3)">{pins}</g>') if pins else board


@dataclass(frozen=True, slots=True)
class UnseenTurns:
    """A range of turns that were played while the player was away. ``str`` describes it in a sentence."""

    first: int
    last: int

    def __str__(self) -> str:
        if self.first == self.last:
            return gettext("Turn {number} was played while you were away.").format(number=self.last)
        turns = gettext("Turns {first} to {last} were played while you were away.")
        return turns.format(first=self.first, last=self.last)


def unseen_turns(seat: Seat | None, last: int | None) -> UnseenTurns | None:
    """Return the turns up to ``last`` that a player has not seen, or None if there are none.

    Turn 0 is never included, because players only choose headings in it.
    """
    if seat is None or last is None:
        return None
    first = 1 if seat.seen_turn is None else max(1, seat.seen_turn + 1)
    return UnseenTurns(first, last) if first <= last else None


def missed_turn_of_viewer(seat: Seat | None, last: int, given: Mapping[int, str]) -> str:
    """Tell a player who missed the ``last`` turn what was played, and how many more turns they may miss.

    ``given`` holds the authors of substitute orders, by robot index. Returns an empty string for other
    viewers, for a player who has taken the seat over since, and once the game is over.
    """
    by = given.get(seat.number - 1) if seat and seat.game.status == Game.Status.RUNNING else None
    if seat is None or by is None or seat.replacements.filter(became=seat.user_id, turn__gt=last).exists():
        return ""
    return selectors.missed_turn_in_words(seat=seat, turn=last, by=by)


Context = dict[str, Any]


def game_page(
    request: HttpRequest,
    game_id: int,
    *,
    refusal: ServiceError | None = None,
    document: Context | None = None,
    foreseen: ForeseenTurn | None = None,
    more: Context | None = None,
    asked: RequestedParts | None = None,
) -> HttpResponse:
    """Show the page of a game as it is now.

    All data comes from one database snapshot. ``document`` holds orders to show in the form instead of the
    saved ones, and ``foreseen`` is their preview. ``more`` is added to the template context. ``refusal`` is
    an error to show, which also sets the status. If a script has ``asked`` for parts of the page, only these
    are returned. Raises NotFound if the viewer may not see the game.
    """
    with snapshot():
        game = game_in(request, game_id)
        context = _game_context(request, game, refusal=refusal, document=document, foreseen=foreseen)
        context |= more or {}
        by_person = asked is None or request.method == "POST"  # pages fetch their parts automatically
        if by_person and (seat := context["seat"]) is not None and seat.user_id is not None:
            live.record_viewers([(game.pk, seat.user_id)])
        if asked is not None:
            return answer_parts(request, asked, context)
        return render(request, "play/game.html", context, status=refusal.status if refusal else 200)


def _game_context(
    request: HttpRequest,
    game: Game,
    *,
    refusal: ServiceError | None,
    document: Context | None,
    foreseen: ForeseenTurn | None,
) -> Context:
    """Return the template context of a game's page."""
    last = last_turn(game)
    rows = selectors.prefetch_page(game=game, played=last)
    viewer = viewer_of(request)
    seen = game_view(viewer=viewer, game=game, turn=rows.current)
    now = timezone.now()
    setup = stored.setup_of(game)
    context = _frame(request, viewer, game, setup, last, seen.robots, seen)
    show_as(request, "games:game", game.pk, query=context["query"])
    context |= {
        "seen": seen,
        "board": _board_now(game, seen, context),
        "delayed": selectors.resolution_is_delayed(game=game, now=now, turn=rows.current),
        "paused": selectors.is_paused(game=game, now=now),
        "intervened": _intervened(game, seen),
        "all_in": game.status == Game.Status.RUNNING and not seen.waiting_for,
        "version": version_of(seen),
        "film": None,
    }
    if foreseen is not None:
        context |= {
            "outlook": foreseen,
            "despite": stored.mark_of(document) if foreseen.warning else "",
            "board": lay_over(context["board"], foreseen.drawing),
        }
    late = is_late(seen, now)
    panel = panel_of(seen, setup, open_=not (context["all_in"] or late), document=document, refusal=refusal)
    page = PageContext(request, viewer, game, seen, context["seat"], setup.ruleset)
    for shown_of in panels:
        context |= shown_of(page)
    my_move = panel is not None and panel.open and not panel.submitted
    status_message = (
        context.get("status_message")
        or _idle_reason(seen, setup.ruleset, panel)
        or _missed(context["played_seat"], seen)
    )
    ready, among = readiness(context["crew"])
    pass_to = _pass_to(game, seen) if context["seat"] else None
    context |= {
        "panel": panel,
        "pass_to": pass_to,
        "missed_start": partial(missed_start, viewer=viewer, game=game),
        "ready_in": ready,
        "ready_of": among,
        "panel_version": panel.version if panel else _version_without(seen, context, pass_to),
        "my_move": my_move,
        "panel_first": panel is not None
        or pass_to is not None
        or (not status_message and bool(context.get("own"))),
        "too_late": late,
        "status_message": status_message,
        "refusal": refusal,
        "ways": HEADING_CHOICES,
        "my_picture": robot_picture(context["played_seat"].look) if context["played_seat"] else "",
    }
    replay = None
    if last is not None:
        films = turn_films(game=game, number=last, turn=rows.played, setup=setup)
        replay = films.replay
        context |= {
            "film": films.text(context["mine"]),
            "recap": films.recap(context["mine"], ended=game.ended_at is not None),
            "crew": with_reasons(context["crew"], reasons_for_ranks(replay, me=context["me"])),
            "missed": unseen_turns(context["seat"], last),
            "lost": missed_turn_of_viewer(context["played_seat"], last, replay.missed)
            if panel is None or my_move
            else "",
            "ending": _ending(replay, context["me"]),
        }
    context["state"] = virtual_state_in_words(seen, setup.ruleset, replay)
    if game.ended_early:
        context["ending"] = selectors.early_end_in_words(game)
    if (teaching := lesson_view(game, seen)) is not None:
        context |= {"lesson": teaching, "board": with_pins(context["board"], teaching)}
        context["panel_first"] |= bool(teaching.outcome)
    return context


def turn_page(request: HttpRequest, game: Game, number: int) -> HttpResponse:
    """Show the page of a turn that was played. Raises NotFound if the turn was not played."""
    selectors.prefetch_seats(game=game)
    films = turn_films(game=game, number=number, setup=stored.setup_of(game))
    context = turn_context(request, game, films)
    context |= {
        "number": number,
        "recap": films.recap(context["mine"], ended=game.ended_at is not None and number == context["last"]),
        "moments": moments_of(game, viewer_of(request)),
        "previous": number - 1 if number > context["turns"][0] else None,
        "following": number + 1 if number != context["last"] else None,
    }
    return render(request, "play/turn.html", context)


def turn_context(request: HttpRequest, game: Game, films: TurnFilms) -> Context:
    """Return the template context of a page with the board, the robots and the text of one turn."""
    replay = films.replay
    robots = rules.view_to_json(replay.ship, replay.end)["robots"]
    context = _frame(request, viewer_of(request), game, films.setup, last_turn(game), robots)
    return context | {
        "film": films.text(context["mine"]),
        "crew": with_reasons(context["crew"], reasons_for_ranks(replay, me=context["me"])),
        "board": board_at(
            replay.end,
            replay.ship,
            looks=replay.looks,
            robot=context["racer"],
            own=context["me"],
            goal=context["checkpoints"] or None,
        ),
    }


def last_turn(game: Game) -> int | None:
    """Return the number of the last turn played, or None if no turn was played."""
    turns = stored.played_turns(game)
    return turns[-1] if turns else None


def version_of(seen: GameView) -> str:
    """Return the version of a game page. An open page with another version is out of date.

    While the game is running, the version does not depend on which orders are in.
    """
    if seen.status == Game.Status.OPEN:
        shown = (seen.host, seen.seats, seen.seats_total, seen.lobby, seen.invitations, seen.starts_itself)
        return f"open-{crc32(repr(shown).encode()):08x}"
    paused = seen.paused_until
    return f"{seen.status}-{seen.turn}{f'-{paused:%m%d%H%M}' if paused else ''}"


def _frame(
    request: HttpRequest,
    viewer: Viewer,
    game: Game,
    setup: rules.Setup,
    last: int | None,
    robots: Sequence[Mapping[str, Any]],
    seen: GameView | None = None,
) -> Context:
    """Return the template context that the pages of games and of turns share.

    ``last`` is the last turn played. ``seen`` is the game as the viewer may see it. Only the page of the game
    needs ``seen``.
    """
    seat, played = seat_of(viewer=viewer, game=game), played_seat(viewer=viewer, game=game)
    me = played.robo_name if played else None
    seats = selectors.seats_of(game)
    looks = {other.number - 1: other.look for other in seats}
    ruleset, ship = setup.ruleset, stored.drawn_board(setup)
    return {
        "layout": "base.html",
        "game": game,
        "origin": origin_of(viewer=viewer, game=game),
        "setup": setup,
        "ruleset": ruleset,
        "ship": ship,
        "starship": game.revision and game.revision.starship,
        "wide": ship.width > 14 or ship.height > 18,
        "legend": legend_of(ship, ruleset),
        "me": me,
        "mine": played.number - 1 if played else None,
        "sitting": None if seat else sitting_in(viewer=viewer, game=game),
        "looks": looks,
        "racer": me if has_checkpoints(ruleset) else None,
        "seat": seat,
        "played_seat": played,
        "crew": crew_of(
            robots,
            setup=setup,
            looks=looks,
            me=me,
            playing=game.status == Game.Status.RUNNING and seen is not None,
            steered={other.number: other.steered_by for other in seats},
            deadline=seen.deadline if seen else None,
            vacations=_vacations(game, seats),
        ),
        "checkpoints": stored.checkpoints_of(setup),
        "options": _options(setup),
        "house_rules": _changed_house_rules(setup),
        "boards": seen.boards if seen else [],
        "history": partial(history_in_play, game),
        "query": "" if seat else query_in(request),
        "last": last,
        "turns": stored.played_turns(game),
    }


def _vacations(game: Game, seats: Iterable[Seat]) -> dict[int, tuple[date, date]]:
    """Return present and coming vacations by seat, if the game allows vacation."""
    if game.status != Game.Status.RUNNING or not allows_vacation(stored.pace_of(game)):
        return {}
    return {seat.number: found for seat in seats if (found := vacation_of(seat))}


def _board_now(game: Game, seen: GameView, context: Context) -> SafeString:
    """Draw the present board of a game. Before the start, draw the board with its initial hull damage."""
    ship, looks, goal = context["ship"], context["looks"], context["checkpoints"] or None
    if not seen.robots:
        damaged = game.options.get("hull_damage", False)
        return board_of(ship, replace(seen, hull=ship.hull_damage if damaged else {}), looks=looks, goal=goal)
    return board_of(ship, seen, looks=looks, robot=context["racer"], own=context["me"], goal=goal)


def _options(setup: rules.Setup) -> list[str]:
    said = [option_in_words(option.name_key, setup.options[option.key]) for option in setup.ruleset.options]
    return [words for words in said if words]


def _changed_house_rules(setup: rules.Setup) -> list[str]:
    """Return the game's house rules that differ from the rulebook."""
    return [
        f"{option_name(rule.key)}: {value_in_words(value)}"
        for rule in setup.ruleset.house_rules
        if (value := setup.house_rules[rule.key]) != rule.default
    ]


def _version_without(seen: GameView, context: Context, pass_to: Seat | None) -> str:
    """Return the version of the content shown in place of the orders panel, such as open seats."""
    numbers = "".join(f"-{seat.number}" for seat in context.get("offers", ()))
    own, away = context.get("own"), context.get("status_message")
    passes = f"-pass-{pass_to.number}" if pass_to else ""
    return f"{seen.status}-{seen.turn}{numbers}{'-own' if own else ''}{'-away' if away else ''}{passes}"


def _pass_to(game: Game, seen: GameView) -> Seat | None:
    """Return the next seat that gets the screen, or None if a player has it or all their orders are in."""
    if not game.is_on_one_screen or seen.me is not None or seen.status != Game.Status.RUNNING:
        return None
    people = (seat for seat in selectors.seats_of(game) if not seat.computer)
    return next((seat for seat in people if not seen.robots[seat.number - 1]["ready"]), None)


def _idle_reason(seen: GameView, ruleset: rules.Ruleset, panel: Panel | None) -> str:
    """Return the reason why the player's robot takes no orders this turn, or an empty string."""
    me = seen.me
    if me is None or panel or seen.status != "running":
        return ""
    robot = seen.robots[me.seat - 1]
    if robot["place"] and robot["at"] is None:
        return gettext("Your robot has finished and left the board. You can watch the others.")
    if not robot["alive"]:
        return gettext("Your robot has lost its last life. You can still watch the game.")
    if robot["down"]:
        return str(power_of(ruleset).while_down)
    return ""


def _intervened(game: Game, seen: GameView) -> list[selectors.Intervened]:
    """Return the staff actions in the turn under way, or in the last turn of a cancelled game."""
    if game.status not in (Game.Status.RUNNING, Game.Status.CANCELLED):
        return []
    return [each for each in seen.interventions if each["turn"] == game.turn]


def _missed(seat: Seat | None, seen: GameView) -> str:
    """Return a sentence if the viewer has missed the turn under way, else an empty string."""
    running = seen.status == Game.Status.RUNNING
    if seat is None or seen.me is None or seen.turn is None or not (running and seen.me.missed):
        return ""
    return selectors.missed_turn_of_seat(seat=seat, turn=seen.turn)


def _ending(replay: Replay, me: str | None) -> str:
    words = rules.ToYou(me, WORDS) if me else WORDS
    return next((rules.sentence(event, words) for event in replay.documents if event["type"] == "over"), "")
