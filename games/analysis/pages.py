"""The page of a game's analysis: sentences, a graph of the chances to win, and tables of figures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from accounts.limits import address_of
from accounts.models import User
from games.analysis.selectors import (
    AccuracyView,
    PlayerFigures,
    Review,
    analysis_of,
    ask_coach,
    can_continue,
    changes_in,
    decisive_turns,
    offers_coach,
    review_in,
    shown_robot,
    swings_of,
)
from games.analysis.services import ask_for_analysis, stop_analysis
from games.branches.selectors import branches_of, titled
from games.errors import Conflict, ServiceError
from games.films import moments
from games.fleet.pictures import letter_of
from games.play.game_view import can_preview
from games.play.models import Game
from games.play.pages.actions import game_action
from games.play.pages.console import PageContext, game_in, game_page, link_in, query_in
from games.play.preview import foresee
from games.play.selectors import prefetch_seats_for_orders, seats_of
from games.play.viewers import Viewer, seat_of
from games.reading import snapshot
from games.web.actions import Done
from games.web.pages import handle_missing, user_of, viewer_of
from games.wording import WORDS, direction_name, translate
from games.work.jobs import reason_in_words
from rules.grid import LETTERS
from rules.language import Sentence
from rules.review import Choice, sentences_of
from rules.review.coach import LOST
from rules.tunnel.findings import percentage, rounded

Document = Mapping[str, Any]

LINE_WIDTH: Final = 1000
"""The width of the graph's lines, in units. They are stretched to the width of the page."""
LETTER_GAP: Final = 7
"""The minimum distance of two letters beside the graph, in percent of its height."""


@dataclass(frozen=True, slots=True)
class Robot:
    """A robot on the page. ``look`` is the number of its picture, and ``mine`` whether it is the reader's."""

    name: str
    look: int
    letter: str
    mine: bool


@dataclass(frozen=True, slots=True)
class FiguresRow:
    """A robot's figures as text: the chance after the turn, its change, and its parts.

    The parts are None if the reader may not see them, or if the robot was out of the game.
    """

    robot: Robot
    chance: str
    change: str
    parts: tuple[str, str, str, str] | None
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A reviewed turn: the figures of all players, and a sentence about the robot with the greatest change.

    ``told`` are further sentences about that robot.
    """

    number: int
    decisive: bool
    headline: str
    told: tuple[str, ...]
    rows: tuple[FiguresRow, ...]

    @property
    def explained(self) -> list[FiguresRow]:
        """The rows of the robots with sentences, the reader's first."""
        rows = sorted(self.rows, key=lambda row: not row.robot.mine)
        return [row for row in rows if row.sentences]


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """The sums of a player's figures, as text."""

    robot: Robot
    accuracy: str
    luck: str
    parts: tuple[str, str, str, str]
    decisions: int


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@handle_missing
def analysis(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show the analysis of a game. On POST, start or continue it."""
    return (start_analysis if request.method == "POST" else analysis_page)(request, game_id=game_id)


def analysis_page(request: HttpRequest, game_id: int, *, refusal: ServiceError | None = None) -> HttpResponse:
    """Show the analysis of a game. If there is nothing to analyse, show the reason on the game's page."""
    game, viewer = game_in(request, game_id), viewer_of(request)
    seats = prefetch_seats_for_orders(game=game)
    try:
        found = analysis_of(game=game, viewer=viewer)
    except Conflict as reason:
        return game_page(request, game_id, refusal=refusal or reason)
    review = review_in(found, game=game, viewer=viewer)
    context: dict[str, Any] = {
        "game": game,
        "query": query_in(request),
        "own": not game.was_played,
        "analysis": found,
        "can_start": found is None or can_continue(found, game=game),
        "can_stop": found is not None and found.is_under_way and found.asked_by_id == viewer.pk,
        "failure": reason_in_words(found.failure) if found and found.failure else "",
        "refusal": refusal,
    }
    if review is not None:
        looks = {seat.number - 1: seat.look for seat in seats}
        context |= review_context(review, looks)
        if isinstance(viewer, User) and not viewer.is_guest:
            context["branches"] = titled(branches_of(user=viewer, game=game))
    return render(request, "analysis/analysis.html", context, status=refusal.status if refusal else 200)


def review_context(review: Review, looks: Mapping[int, int]) -> dict[str, Any]:
    """Return the template context of a review: its turns, players and graph."""
    robots = [
        Robot(review.names[index], look, letter_of(look), index == review.mine)
        for index, look in sorted(looks.items())
    ]
    decisive = {turn["turn"] for turn in decisive_turns(review.turns)}
    turns = [turn_row(turn, review, robots, decisive=turn["turn"] in decisive) for turn in review.turns]
    return {
        "review": review,
        "robots": robots,
        "turns": turns,
        "decisive": [turn for turn in turns if turn.decisive],
        "players": [player_row(figures, robots[figures["seat"] - 1]) for figures in review.players()],
        "graph": graph_of(review.turns, robots, decisive),
        "scale": [percent(share) for share in (1.0, 0.5, 0.0)],
    }


def percent(share: float) -> str:
    """Return a share in per cent, as text.

    >>> percent(0.256)
    '26 %'
    """
    return translate(percentage(share))


def exact_percent(share: float) -> str:
    """Return a share in per cent with one decimal place, as text.

    >>> exact_percent(0.9857), exact_percent(1.0)
    ('98.6 %', '100 %')
    """
    return translate(Sentence("{number} %", number=rounded(100 * share)))


def signed(share: float) -> str:
    """Return a change of a share in per cent, as text with its sign.

    >>> signed(0.256), signed(-0.02), signed(0.001)
    ('+26 %', '−2 %', '0 %')
    """
    sign = "" if not round(100 * share) else "+" if share > 0 else "−"
    return f"{sign}{percent(abs(share))}"


def player_row(figures: PlayerFigures, robot: Robot) -> PlayerRow:
    accuracy = figures["accuracy"]
    return PlayerRow(
        robot,
        "–" if accuracy is None else exact_percent(accuracy),
        signed(figures["luck"]),
        _parts(figures),
        figures["decisions"],
    )


def turn_row(turn: Document, review: Review, robots: Sequence[Robot], *, decisive: bool) -> TurnRow:
    figures = {each["robot"] - 1: each for each in turn["figures"]}
    changes = changes_in(turn)
    rows = tuple(
        FiguresRow(
            robot,
            percent(turn["after"][index]),
            signed(changes[index]),
            _parts(figures[index]) if index in figures else None,
            tuple(sentences_of(figures[index], review.names, WORDS, to_you=robot.mine))
            if index in figures
            else (),
        )
        for index, robot in enumerate(robots)
    )
    shown = shown_robot(turn)
    headline = _headline(turn["before"][shown], turn["after"][shown], robots[shown])
    return TurnRow(turn["turn"], decisive, headline, rows[shown].sentences, rows)


def _parts(figures: Document | PlayerFigures) -> tuple[str, str, str, str]:
    deal, decision = signed(figures["deal"]), signed(figures["decision"])
    return deal, decision, signed(figures["collision"]), signed(figures["hindsight"])


def list_swings(game: Game, viewer: Viewer) -> Iterator[moments.Swing]:
    """Yield the decisive turns of a game as moments, if it is analysed."""
    swings = swings_of(game=game, viewer=viewer)
    seats = list(seats_of(game)) if swings else []
    mine = seat_of(viewer=viewer, game=game)
    for each in swings:
        seat = seats[each.robot]
        robot = Robot(seat.robo_name, seat.look, letter_of(seat.look), seat == mine)
        sentence = _headline(each.before, each.after, robot)
        yield moments.Swing(each.turn, each.phase, each.robot, sentence)


def _headline(share_before: float, share_after: float, robot: Robot) -> str:
    """Return a sentence about the change of a robot's chance to win in a turn."""
    before, after = percent(share_before), percent(share_after)
    if before == after:
        said = (
            _("Your chance to win stayed at {after}.")
            if robot.mine
            else _("{robot}: the chance to win stayed at {after}.")
        )
    elif share_after > share_before:
        said = (
            _("Your chance to win rose from {before} to {after}.")
            if robot.mine
            else _("{robot}: the chance to win rose from {before} to {after}.")
        )
    else:
        said = (
            _("Your chance to win fell from {before} to {after}.")
            if robot.mine
            else _("{robot}: the chance to win fell from {before} to {after}.")
        )
    return said.format(robot=robot.name, before=before, after=after)


@dataclass(frozen=True, slots=True)
class OverTime:
    """A player's accuracy and luck in their latest analysed games, as text.

    ``games`` has the ID, the name, the end, the accuracy and the luck of each game, latest first.
    """

    accuracy: str
    luck: str
    games: list[tuple[int, str, datetime | None, str, str]]


def over_time(found: AccuracyView) -> OverTime:
    """Return a player's accuracy and luck over time as text."""
    return OverTime(
        exact_percent(found["accuracy"]),
        signed(found["luck"]),
        [
            (
                game["id"],
                game["name"],
                game["ended_at"],
                exact_percent(game["accuracy"]),
                signed(game["luck"]),
            )
            for game in found["games"]
        ],
    )


# --- The graph ----------------------------------------------------------------------------------------------


def graph_of(turns: Sequence[Document], robots: Sequence[Robot], decisive: set[int]) -> SafeString:
    """Draw the chances to win of all players before and after each turn, as SVG.

    The lines are stretched to the page. Letters and numbers are placed in percent, so they are not. A line is
    vertical at each of the decisive turns.
    """
    points = [turns[0]["before"], *(turn["after"] for turn in turns)]
    width = LINE_WIDTH / (len(points) - 1)
    lines = []
    for index, robot in enumerate(robots):
        path = "L".join(
            f"{round(place * width)},{round(LINE_WIDTH * (1 - chances[index]))}"
            for place, chances in enumerate(points)
        )
        for part in ("casing", "line"):
            lines.append(f'<path class="chances-{part} robot-{robot.look}" d="M{path}"/>')
    grid = "".join(f"M0,{level}H{LINE_WIDTH}" for level in range(0, LINE_WIDTH + 1, LINE_WIDTH // 4))
    marks, numbers = [], []
    for place, turn in enumerate(turns, 1):
        if turn["turn"] in decisive:
            marks.append(f"M{round(place * width)},0V{LINE_WIDTH}")
            at = round(100 * place / (len(points) - 1), 1)
            numbers.append(f'<text class="chances-turn" x="{at}%" y="100%" dy="1.3em">{turn["turn"]}</text>')
    return SafeString(
        '<svg class="chances" aria-hidden="true">'
        f'<svg width="100%" height="100%" viewBox="0 0 {LINE_WIDTH} {LINE_WIDTH}" preserveAspectRatio="none">'
        f'<path class="chances-grid" d="{grid}"/><path class="chances-mark" d="{"".join(marks)}"/>'
        f"{''.join(lines)}</svg>{''.join(numbers)}{''.join(_letters(points[-1], robots))}</svg>"
    )


def _letters(chances: Sequence[float], robots: Sequence[Robot]) -> list[str]:
    """Return the robots' letters beside the ends of their lines, from top to bottom, without overlap."""
    ordered = sorted(range(len(robots)), key=lambda index: -chances[index])
    heights: list[float] = []
    for index in ordered:
        heights.append(max([100 * (1 - chances[index]), *(each + LETTER_GAP for each in heights[-1:])]))
    for place in reversed(range(len(heights))):  # those that would be below the graph go up
        below = [each - LETTER_GAP for each in heights[place + 1 : place + 2]] or [100]
        heights[place] = min(heights[place], *below)
    return [
        f'<text class="chances-letter" x="100%" dx="0.5em" y="{round(at, 1)}%" dy="0.35em">'
        f"{escape(robots[index].letter)}</text>"
        for index, at in zip(ordered, heights, strict=True)
    ]


# --- The coach ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Advice:
    """The coach's advice on a game page, with the kinds of the chips of the next best program, if any."""

    sentences: tuple[str, ...]
    next_best: tuple[str, ...] = ()


def coach_panel(page: PageContext) -> dict[str, Any]:
    """Add the offer to ask the coach to the page of a mission's game."""
    return {"coached": offers_coach(game=page.game, seat=page.seat)}


def advice_in_words(first: Choice, other: Choice | None = None) -> Advice:
    """Explain the coach's first choice for a robot without rivals, and compare it with the next best one."""
    phases = first.phases or 0.0
    said = [_phases_in_words(phases)]
    if first.orders.heading is not None:
        way = direction_name(LETTERS[first.orders.heading])
        said.insert(0, _("The coach would face {way}.").format(way=way))
    elif first.orders.registers:
        said.insert(0, _("The coach’s program is in your registers."))
    if first.orders.power_down:
        said.append(_("Reboot afterwards, because the damage would cost you more time."))
    if other is None or other.phases is None or phases >= LOST:
        return Advice(tuple(said))
    kinds = tuple(chip.kind for chip in other.orders.registers if chip)
    if other.phases >= LOST:
        said.append(_("With the next best choice, it loses its last life."))
    elif round(other.phases) == round(phases):
        said.append(_("The next best choice is about as good."))
    else:
        number = round(other.phases)
        compared = ngettext(
            "With the next best choice, it needs about {number} phase.",
            "With the next best choice, it needs about {number} phases.",
            number,
        )
        said.append(compared.format(number=number))
    return Advice(tuple(said), kinds)


def _phases_in_words(phases: float) -> str:
    if phases == 0:
        return _("Your robot then reaches the goal in this turn.")
    if phases >= LOST:
        return _("Whatever you do, your robot loses its last life.")
    number = max(1, round(phases))
    said = ngettext(
        "Your robot then needs about {number} more phase to the goal, on average.",
        "Your robot then needs about {number} more phases to the goal, on average.",
        number,
    )
    return said.format(number=number)


# --- Actions ------------------------------------------------------------------------------------------------


@game_action(refused_on=analysis_page)
def start_analysis(request: HttpRequest, game: Game) -> Done:
    """Ask for the analysis of a game, or continue it."""
    ask_for_analysis(
        user=user_of(request),
        game_id=game.pk,
        link=link_in(request),
        address=address_of(request),
        now=timezone.now(),
    )
    return Done(then=_address(request, game))


@game_action(refused_on=analysis_page, says=gettext_lazy("The analysis was stopped."))
def stop(request: HttpRequest, game: Game) -> Done:
    """Stop an analysis."""
    stop_analysis(user=user_of(request), game_id=game.pk, link=link_in(request), now=timezone.now())
    return Done(then=_address(request, game))


def coach(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Show the orders that the coach would choose, in the form and on the board. Nothing is saved."""
    with snapshot():
        return _coach(request, game_id=game_id, number=number)


@game_action()
def _coach(request: HttpRequest, game: Game, number: int) -> HttpResponse:
    first, *others = ask_coach(user=user_of(request), game=game, turn_number=number)
    document = rules.write_orders(first.orders)
    foreseen = None
    if first.orders.registers and can_preview(game):
        foreseen = foresee(viewer=viewer_of(request), game=game, turn_number=number, document=document)
    context = {"advice": advice_in_words(first, *others[:1])}
    return game_page(request, game.pk, document=document, foreseen=foreseen, more=context)


def _address(request: HttpRequest, game: Game) -> str:
    return reverse("games:analysis", args=[game.pk]) + query_in(request)
