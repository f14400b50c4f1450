"""Films of random turns end with the same board in the browser as on the server."""

import random
import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page

import rules
from games.films import selectors
from games.fleet.pictures import board_at
from games.play import stored
from games.play.models import Game
from tests.browser.signing_in import sign_in
from tests.games.at_random import new_game, person, play_turn
from tests.support.site import Site

TURNS = 12
"""The minimum number of turns to test, for each of the seven rulesets.

The browser plays the turns that have a new pair of consecutive events.
"""

Pair = tuple[str, str]

LONGEST = 6
"""The maximum number of turns from one game, so that several boards are tested."""

PICTURE = """(drawing) => {
  const round = ([text]) => Math.round(text * 20) / 20 + 0;
  const text = (part) => part?.getAttribute("transform") ?? "";
  const numbers = (part) => [...text(part).matchAll(/-?[0-9.]+/g)].map(round);
  const uses = (part) => [...part.querySelectorAll("use")].filter(seen);
  const used = (part) => uses(part).map((use) => use.getAttribute("href"));
  const seen = (element) => !element.closest("[display=none]");
  const layer = (name) => drawing.querySelector(`:scope > .${name}`);
  const robots = [...layer("robots").children].filter(seen);
  return {
    robots: robots.map((robot) => ({
      name: robot.dataset.robot,
      state: [...robot.classList].filter((name) => name !== "is-acting"),
      at: [robot.dataset.x, robot.dataset.y, robot.dataset.heading, robot.dataset.damage],
      place: [robot, ...robot.querySelectorAll(".stance, .pose, .letter")].map(numbers),
      shown: used(robot),
    })),
    checkpoints: [...drawing.querySelectorAll(".checkpoint")].map((each) => ({
      state: [...each.classList, each.dataset.number, each.dataset.left],
      shown: used(each),
    })),
    links: [...(layer("links")?.children ?? [])].map((way) => way.getAttribute("d")),
    crystal: [...drawing.querySelectorAll(".crystal")].filter(seen)
      .map((gem) => [gem.dataset.x, gem.dataset.y, numbers(gem)]),
    doors: [...drawing.querySelectorAll(".leaf")].map(numbers),
    missing: used(drawing).filter((id) => !drawing.querySelector(`[id="${id.slice(1)}"]`)),
    words: drawing.querySelector("desc").textContent,
  };
}"""
"""A script that returns the visible state of a board."""

PLAY = f"""async ({{ address, board }}) => {{
  const picture = {PICTURE};
  const {{ Stage }} = await import("/static/play/stage.js");
  const {{ filmAt }} = await import("/static/play/film.js");
  const film = await filmAt(address);
  const drawing = document.querySelector("[data-board] > svg");
  const stage = new Stage(drawing);
  stage.open(film);
  for (const [at, frame] of film.frames.entries()) await stage.play(frame, film.states[at + 1], 0);
  stage.sayEnd();
  const played = picture(drawing);
  for (const at of [0, Math.floor(film.end / 2), film.end]) stage.show(film.states[at]);
  const sought = picture(drawing);
  stage.close(false);
  const server = new DOMParser().parseFromString(board, "text/html").querySelector("svg");
  return {{ played, sought, server: picture(server) }};
}}"""
"""A script that plays a turn at full speed.

It returns the final board as drawn by the browser, and as drawn by the server.
"""


@pytest.mark.parametrize("key", rules.RULESETS)
def test_a_played_turn_ends_as_on_the_server(key: str, site: Site, page: Page) -> None:
    chance = random.Random(f"films of {key}")
    left, seen = TURNS, set[Pair]()
    while left > 0:
        game = new_game(rules.ruleset(key), chance)
        sign_in(page, person("Alice"), site)
        for _ in range(min(LONGEST, left)):
            if game.status == Game.Status.RUNNING:
                play_turn(game, chance)
        for number in played(game):
            left -= 1
            replay = selectors.replay(game=game, number=number)
            if told := pairs_in(replay) - seen:
                seen |= told
                compare(page, game, replay)


def played(game: Game) -> list[int]:
    """Return the numbers of a game's played turns."""
    return list(game.turns.filter(status="resolved").order_by("number").values_list("number", flat=True))


def pairs_in(replay: selectors.Replay) -> set[Pair]:
    """Return each pair of kinds of consecutive events in a turn."""
    kinds = ["", *(" ".join([event["type"], *sorted(event)]) for event in replay.documents)]
    return set(pairwise(kinds))


def compare(page: Page, game: Game, replay: selectors.Replay) -> None:
    """Play a turn in the browser. Compare its end with the server's drawing and view."""
    number = replay.turn
    address = f"{game.get_absolute_url()}turns/{number}/"
    if game.get_absolute_url() not in page.url:
        page.goto(address)
    goal = stored.checkpoints_of(stored.setup_of(game)) or None
    racer = "Alice" if goal else None
    board = board_at(replay.end, replay.ship, looks=replay.looks, robot=racer, own="Alice", goal=goal)
    seen = page.evaluate(PLAY, {"address": f"{address}film/", "board": str(board)})
    where = f"{game.ruleset}, {game.board_name}, turn {number}"
    assert seen["played"]["missing"] == [], where
    assert seen["played"] == seen["server"], where
    assert seen["sought"] == seen["server"], where
    check_view(seen["played"], rules.view_to_json(replay.ship, replay.end), where)


def check_view(drawn: dict[str, Any], view: dict[str, Any], where: str) -> None:
    """Check that robots and checkpoints are drawn as the server's view describes them."""
    robots = {robot["name"]: robot for robot in drawn["robots"]}
    there = {robot["name"]: robot for robot in view["robots"] if robot["at"]}
    assert robots.keys() == there.keys(), where
    for name, robot in there.items():
        x, y, heading, damage = robots[name]["at"]
        assert [int(x), int(y)] == robot["at"], where
        assert (heading or None) == robot["heading"], where
        assert int(damage) == robot["damage"], where
        assert ("virtual" in robots[name]["state"]) == robot["virtual"], where
        assert ("down" in robots[name]["state"]) == robot["down"], where
    left = {each["state"][-2]: int(each["state"][-1]) for each in drawn["checkpoints"]}
    for number, repairs in view["hull"].items():
        assert left[number] == repairs, where
    crystal = [[int(x), int(y)] for x, y, _ in drawn["crystal"]]
    assert crystal == ([view["crystal"]] if view["crystal"] else []), where
    for robot in view["robots"]:  # and so does the description in words
        assert (re.search(rf"\b{robot['name']} at column", drawn["words"]) is not None) == bool(
            robot["at"]
        ), where
