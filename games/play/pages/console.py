"""The game page: the board, the crew, what I may do, and the last turn, put together for one viewer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any
from zlib import crc32

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

import rules
from accounts.navigation import show_as
from games import live
from games.clocks.selectors import lets_vacation, vacation_of
from games.errors import ServiceError
from games.fleet.pictures import board_at, board_of, legend_of, robot_picture
from games.play import stored
from games.play.models import Game, Seat
from games.play.pages import sight as sights
from games.play.pages.crew import crew_of, races, readiness, with_reasons
from games.play.pages.lessons import teaching_of, with_pins
from games.play.pages.missed_turns import lost_by, missed_by
from games.play.pages.orders import WAYS, Panel, is_late, panel_of
from games.play.pages.outlook import outlook_of, with_outlook
from games.play.pages.parts import Asked, answer_parts
from games.play.pages.power import power_of
from games.play.pages.ranks import reasons_for_ranks
from games.play.pages.reels import reel_of
from games.play.pages.requests import game_in, query_in
from games.play.pages.virtual import said_of_state
from games.play.selectors.games import GameView, game_view
from games.play.selectors.gathering import gather, seats_of
from games.play.selectors.health import resolution_is_delayed
from games.play.selectors.interventions import Intervened
from games.play.selectors.missed_turns import missed_in_words
from games.play.selectors.naming import how_it_broke_off
from games.play.selectors.orders import mark_of
from games.play.selectors.pauses import is_paused
from games.play.selectors.preview import ForeseenTurn
from games.play.selectors.replay import Replay
from games.play.selectors.viewers import Viewer, seat_of
from games.reading import snapshot
from games.web.pages import viewer_of
from games.wording import choice, choice_name, option_in_words, sentence_of

Context = dict[str, Any]


def game_page(
    request: HttpRequest,
    game_id: int,
    *,
    refusal: ServiceError | None = None,
    entered: Context | None = None,
    foreseen: ForeseenTurn | None = None,
    asked: Asked | None = None,
) -> HttpResponse:
    """Show a game as it is now, in one state, with orders that were ``entered`` but not kept.

    After a ``refusal`` it says why, and has its status; ``foreseen`` is where they would lead. What is
    ``asked`` for by a script are parts of the page. Raises NotFound as `game_in` does.
    """
    with snapshot():
        game = game_in(request, game_id)
        context = _now(request, game, refusal=refusal, entered=entered, foreseen=foreseen)
        by_person = asked is None or request.method == "POST"  # a page fetches its parts unasked
        if by_person and (seat := context["seat"]) is not None and seat.user_id is not None:
            live.note_looking([(game.pk, seat.user_id)])
        if asked is not None:
            return answer_parts(request, asked, context)
        return render(request, "play/game.html", context, status=refusal.status if refusal else 200)


def _now(
    request: HttpRequest,
    game: Game,
    *,
    refusal: ServiceError | None,
    entered: Context | None,
    foreseen: ForeseenTurn | None,
) -> Context:
    """Return what the page of a game shows."""
    last = last_turn(game)
    rows = gather(game=game, played=last)
    viewer = viewer_of(request)
    seen = game_view(viewer=viewer, game=game, turn=rows.current)
    now = timezone.now()
    setup = stored.setup_of(game)
    context = _frame(request, viewer, game, setup, last, seen.robots, seen)
    show_as(request, "games:game", game.pk, query=context["query"])
    context |= {
        "seen": seen,
        "board": _board_now(game, seen, context),
        "delayed": resolution_is_delayed(game=game, now=now, turn=rows.current),
        "paused": is_paused(game=game, now=now),
        "intervened": _intervened(game, seen),
        "all_in": game.status == Game.Status.RUNNING and not seen.waiting_for,
        "version": version_of(seen),
        "film": None,
    }
    if foreseen is not None:
        outlook = outlook_of(foreseen)
        context |= {
            "outlook": outlook,
            "despite": mark_of(entered) if outlook.warning else "",
            "board": with_outlook(context["board"], outlook),
        }
    late = is_late(seen, now)
    panel = panel_of(seen, setup, open_=not (context["all_in"] or late), entered=entered, refusal=refusal)
    sight = sights.Sight(request, viewer, game, seen, context["seat"], setup.ruleset)
    for shown_of in sights.panels:
        context |= shown_of(sight)
    my_move = panel is not None and panel.open and not panel.submitted
    says = context.get("says") or _says(seen, setup.ruleset, panel) or _missed(context["seat"], seen)
    ready, among = readiness(context["crew"])
    context |= {
        "panel": panel,
        "ready_in": ready,
        "ready_of": among,
        "panel_version": panel.version if panel else _version_without(seen, context),
        "my_move": my_move,
        "panel_first": panel is not None or (not says and bool(context.get("own"))),
        "too_late": late,
        "says": says,
        "refusal": refusal,
        "ways": WAYS,
        "my_picture": robot_picture(context["seat"].look) if context["seat"] else "",
    }
    replay = None
    if last is not None:
        reel = reel_of(game=game, number=last, turn=rows.played, setup=setup)
        replay = reel.replay
        context |= {
            "film": reel.told,
            "crew": with_reasons(context["crew"], reasons_for_ranks(replay, me=context["me"])),
            "missed": missed_by(context["seat"], last),
            "lost": lost_by(context["seat"], last, replay.missed) if panel is None or my_move else "",
            "ending": _ending(replay),
        }
    context["state"] = said_of_state(seen, setup.ruleset, replay)
    if game.broke_off:
        context["ending"] = how_it_broke_off(game)
    if (teaching := teaching_of(game, seen)) is not None:
        context |= {"lesson": teaching, "board": with_pins(context["board"], teaching)}
        context["panel_first"] |= bool(teaching.outcome)
    return context


def turn_page(request: HttpRequest, game: Game, number: int) -> HttpResponse:
    """Show a turn that was played; raises NotFound for one that was not."""
    setup = stored.setup_of(game)
    reel = reel_of(game=game, number=number, setup=setup)
    replay = reel.replay
    robots = rules.view_to_json(replay.ship, replay.end)["robots"]
    context = _frame(request, viewer_of(request), game, setup, last_turn(game), robots) | {
        "film": reel.told,
        "number": number,
    }
    context |= {
        "crew": with_reasons(context["crew"], reasons_for_ranks(replay, me=context["me"])),
        "board": board_at(replay.end, replay.ship, looks=replay.looks, robot=context["racer"]),
        "previous": number - 1 if number > first_turn(context["ruleset"]) else None,
        "following": number + 1 if number != context["last"] else None,
    }
    return render(request, "play/turn.html", context)


def last_turn(game: Game) -> int | None:
    """Return the number of the last turn that was played."""
    last = game.last_played
    return last if last is not None and last >= first_turn(rules.ruleset(game.ruleset)) else None


def first_turn(ruleset: rules.Ruleset) -> int:
    """Return the number of a game's first turn: 0 where headings are chosen before the first hand."""
    return 0 if ruleset.opening else 1


def version_of(seen: GameView) -> str:
    """Return what changes when the page is out of date; while a game runs, lamps alone do not count."""
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
    """Return what both pages need: who looks at what, and how to get about.

    ``last`` is the last turn that was played. ``seen`` is the game as it is now, on the page that shows that.
    """
    seat = seat_of(viewer=viewer, game=game)
    me = seat.robo_name if seat else None
    seats = seats_of(game)
    looks = {other.number - 1: other.look for other in seats}
    ruleset, ship = setup.ruleset, stored.drawn_board(setup)
    return {
        "layout": "base.html",
        "game": game,
        "setup": setup,
        "ruleset": ruleset,
        "ship": ship,
        "starship": game.revision and game.revision.starship,
        "wide": ship.width > 14 or ship.height > 18,
        "legend": legend_of(ship, ruleset),
        "me": me,
        "looks": looks,
        "racer": me if races(ruleset) else None,
        "seat": seat,
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
        "house_rules": _departures(setup),
        "boards": seen.boards if seen else [],
        "query": "" if seat else query_in(request),
        "last": last,
        "turns": [] if last is None else range(first_turn(ruleset), last + 1),
    }


def _vacations(game: Game, seats: Iterable[Seat]) -> dict[int, tuple[date, date]]:
    """Return who is, or will soon be, on vacation, by seat; no one where that makes no difference."""
    if game.status != Game.Status.RUNNING or not lets_vacation(stored.pace_of(game)):
        return {}
    return {seat.number: found for seat in seats if (found := vacation_of(seat))}


def _board_now(game: Game, seen: GameView, context: Context) -> SafeString:
    """Draw the board as it is; before the start with the damage that it will have."""
    ship, looks = context["ship"], context["looks"]
    if not seen.robots:
        damaged = game.options.get("hull_damage", False)
        return board_of(ship, replace(seen, hull=ship.hull_damage if damaged else {}), looks=looks)
    return board_of(ship, seen, looks=looks, robot=context["racer"])


def _options(setup: rules.Setup) -> list[str]:
    """Return what was chosen for a game, in a few words each."""
    said = [option_in_words(option.word, setup.options[option.key]) for option in setup.ruleset.options]
    return [words for words in said if words]


def _departures(setup: rules.Setup) -> list[str]:
    """Return the house rules by which a game is played otherwise than in the book."""
    return [
        f"{choice_name(rule.key)}: {choice(value)}"
        for rule in setup.ruleset.house_rules
        if (value := setup.house_rules[rule.key]) != rule.default
    ]


def _version_without(seen: GameView, context: Context) -> str:
    """Return what changes with what stands on an open page in place of a panel of orders: the seats that
    may be taken over, or that there are none for the viewer.
    """
    numbers = "".join(f"-{seat.number}" for seat in context.get("offers", ()))
    own, away = context.get("own"), context.get("says")
    return f"{seen.status}-{seen.turn}{numbers}{'-own' if own else ''}{'-away' if away else ''}"


def _says(seen: GameView, ruleset: rules.Ruleset, panel: Panel | None) -> str:
    """Say why the viewer has nothing to order, where they play and have not."""
    me = seen.me
    if me is None or panel or seen.status != "running":
        return ""
    robot = seen.robots[me.seat - 1]
    if robot["place"] and robot["at"] is None:
        return _("Your robot has finished and has left the board. You can watch the others.")
    if not robot["alive"]:
        return _("Your robot has lost its last life. You can watch how the game ends.")
    if robot["down"]:
        return str(power_of(ruleset).while_down)
    return ""


def _intervened(game: Game, seen: GameView) -> list[Intervened]:
    """Return what staff did in the turn under way, or to end the game: that is said before all else."""
    if game.status not in (Game.Status.RUNNING, Game.Status.CANCELLED):
        return []
    return [each for each in seen.interventions if each["turn"] == game.turn]


def _missed(seat: Seat | None, seen: GameView) -> str:
    """Say what was played for a viewer who has missed the turn under way."""
    running = seen.status == Game.Status.RUNNING
    if seat is None or seen.me is None or seen.turn is None or not (running and seen.me.missed):
        return ""
    return missed_in_words(seat=seat, turn=seen.turn)


def _ending(replay: Replay) -> str:
    return next((sentence_of(event) for event in replay.documents if event["type"] == "over"), "")
