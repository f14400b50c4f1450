"""A whole game as one film, with its grid, texts and buttons."""

import re
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from games.fleet.missions import save_mission
from games.lobby.practice import start_mission
from games.play.models import Game, Seat
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from tests.browser.test_watching import NOTED, after, end_of, faster, position
from tests.browser.waiting import comes_true
from tests.games.fleet.test_missions import LESSON
from tests.games.support import LANE, Table, change_robot
from tests.support.site import Site

OpenPage = Callable[..., Page]

BOX = "element => Object.values(element.getBoundingClientRect().toJSON()).map(Math.round)"
"""A script that returns the edges of an element in the window."""

TOP = "element => Math.round(element.getBoundingClientRect().top + scrollY)"
"""A script that returns the distance of an element from the top of the page."""

CHECKPOINT = (4, 0)
"""The cell of the checkpoint of `LANE`. A robot that faces east stays there."""

SIZES = [(1440, 900), (390, 844)]


@pytest.fixture
def game(table: Table, people: tuple[User, User]) -> Game:
    """A game of Alice and Bob in turn 4, with all turns seen."""
    return after(table, people, turns=4, seen=3)


def quick(page: Page, speed: int = 4000) -> None:
    """Play films almost instantly until the page is reloaded.

    The server does not offer this speed, so a reload restores the page's own speed.
    """
    page.evaluate(
        "speed => import('/static/site/settings.js').then(({ chosen }) => { chosen.speed = speed; })", speed
    )


def play(page: Page) -> None:
    """Press Play, even if the button is outside the window."""
    page.locator("[data-play]").click()
    expect(page.locator("main")).to_have_class(re.compile("is-watching"))


def test_a_whole_game_plays_on_from_its_first_turn_to_its_last(alices: OpenPage, game: Game) -> None:
    page = alices()
    page.goto(game.get_absolute_url())
    page.evaluate("window.same = true")
    page.evaluate(NOTED)
    faster(page)
    page.get_by_role("button", name="Whole game").click()
    expect(page.get_by_role("heading", name="What happened in turn 1", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"#turn-[123]$"))
    quick(page)
    expect(page.locator("main")).not_to_have_class(re.compile("is-watching"), timeout=40_000)
    watched = [f"film:{what} {turn}" for turn in range(4) for what in ("start", "watched")]
    assert page.evaluate("noted") == [*watched, "film:end 3"]
    assert page.url.endswith(game.get_absolute_url())
    assert page.evaluate("window.same")  # without a reload


def test_a_past_turn_plays_on_to_the_last_and_each_turn_has_its_address(alices: OpenPage, game: Game) -> None:
    page = alices()
    address = f"{game.get_absolute_url()}turns"
    page.goto(game.get_absolute_url())
    page.goto(f"{address}/1/")
    page.evaluate("window.same = true")
    faster(page)
    page.get_by_role("button", name="Whole game").click()
    expect(page.get_by_role("button", name="Whole game")).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("/turns/2/$"), timeout=40_000)
    expect(page.get_by_role("heading", name="Turn 2", exact=True)).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    here = position(page)
    page.wait_for_timeout(700)
    assert position(page) == here
    page.get_by_role("button", name="Play turn 2").click()
    quick(page)
    expect(page).to_have_url(re.compile("/turns/3/$"), timeout=40_000)
    expect(page.locator("main")).not_to_have_class(re.compile("is-watching"), timeout=40_000)
    expect(page.get_by_role("heading", name="Turn 3", exact=True)).to_be_visible()
    assert page.evaluate("window.same")
    page.go_back()  # to the reader's earlier page, and not through every turn
    expect(page).to_have_url(re.compile(f"{game.get_absolute_url()}$"))


def test_every_instant_has_an_address_and_one_bar_leads_through_the_whole_game(
    alices: OpenPage, game: Game
) -> None:
    page = alices()
    address = f"{game.get_absolute_url()}turns"
    page.goto(f"{address}/1/?at=3.1")
    expect(page.locator("[data-caption]")).to_contain_text("Phase 3")
    here = position(page)
    page.keyboard.press(".")
    expect(page).to_have_url(re.compile(r"/turns/1/\?at=3\.2$"))
    assert position(page) == here + 1
    page.keyboard.press("[")
    expect(page).to_have_url(re.compile(r"/turns/1/\?at=2\.\d+$"))
    bar = page.get_by_label("Position in the game")
    bar.fill("25")  # the middle of the third of turns 0 to 3
    expect(page.get_by_role("heading", name="Turn 2", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/turns/2/\?at="))
    expect(bar).to_have_attribute("aria-valuetext", "Turn 2")
    assert abs(position(page) - end_of(page) / 2) <= 1
    page.reload()
    expect(bar).to_have_value("25")
    page.go_back()
    expect(page).to_have_url(re.compile(r"/turns/1/\?at=2\.\d+$"))
    expect(page.locator("[data-caption]")).to_contain_text("Phase 2")
    page.get_by_role("button", name="Done").click()
    expect(page).to_have_url(re.compile(r"/turns/1/$"))


def test_a_whole_game_may_be_left_at_any_time(alices: OpenPage, game: Game) -> None:
    page = alices()
    page.goto(f"{game.get_absolute_url()}turns/1/#whole")
    expect(page.get_by_role("button", name="Whole game")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Whole game").click()  # this turn plays to its end, and no other
    expect(page.get_by_role("button", name="Whole game")).to_have_attribute("aria-pressed", "false")
    quick(page)
    expect(page.locator("main")).not_to_have_class(re.compile("is-watching"), timeout=40_000)
    expect(page).to_have_url(re.compile("/turns/1/$"))
    quick(page, speed=100)
    page.get_by_role("button", name="Whole game").click()
    expect(page.locator("main")).to_have_class(re.compile("is-watching"))
    page.get_by_role("button", name="Done").click()
    expect(page.locator("main")).not_to_have_class(re.compile("is-watching"))
    expect(page.get_by_role("button", name="Whole game")).to_have_attribute("aria-pressed", "false")


def test_turns_left_out_of_a_whole_game_stay_unseen(
    alices: OpenPage, table: Table, people: tuple[User, User]
) -> None:
    game = after(table, people, turns=4, seen=1)
    page = alices()
    page.goto(game.get_absolute_url())
    page.get_by_role("button", name="Whole game").click()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_text("Turns 2 to 3 were played while you were away.")).to_be_visible()
    assert game.players.get(user=people[0]).seen_turn == 1


OPEN = """() => Object.fromEntries([...document.querySelectorAll("[data-row]")].map((row) => [
  row.dataset.row,
  [...row.querySelectorAll("[data-register]")]
    .map((each) => Number(each.matches(".is-open") && each.innerText !== "")),
]))"""
"""A script that returns the registers shown face up, by robot."""


def test_registers_fill_phase_by_phase_and_empty_again_on_the_way_back(alices: OpenPage, game: Game) -> None:
    page = alices(viewport={"width": 390, "height": 844})
    page.goto(f"{game.get_absolute_url()}turns/2/")
    play(page)
    page.get_by_role("button", name="Pause").click()
    for phase in (3, 5, 1):
        page.get_by_role("button", name=f"Phase {phase}", exact=True).click()
        expect(page.locator("[data-column].is-now")).to_have_text(f"Register {phase}")
        opened = page.evaluate(OPEN)
        assert opened == {"Alice": [1] * 5, "Bob": [1] * phase + [0] * (5 - phase)}
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Done").click()
    expect(page.locator("[data-grid]")).to_be_empty()


def test_health_and_lives_belong_to_the_instant(
    alices: OpenPage, table: Table, people: tuple[User, User], site: Site
) -> None:
    game = after(table, people, turns=4, seen=3)
    page = alices()
    shown = """instants => instants.map((at) => {
      const position = document.querySelector("[data-position]");
      position.value = at;
      position.dispatchEvent(new Event("input", { bubbles: true }));
      return Object.fromEntries([...document.querySelectorAll("[data-row]")].map((row) => [
        row.dataset.row,
        [row.querySelector(".meter-value").firstChild, row.querySelector("[data-lives]")]
          .map((each) => Number(each.textContent)),
      ]));
    })"""
    changed = 0
    for turn in range(1, 4):
        film: dict[str, Any] = page.request.get(
            f"{site.url}{game.get_absolute_url()}turns/{turn}/film/"
        ).json()["film"]
        page.goto(f"{game.get_absolute_url()}turns/{turn}/")
        page.locator("[data-step='-1']").click()
        expect(page.locator("[data-row]")).to_have_count(2)
        crew, instants = film["crew"], {}
        for at, frame in enumerate(film["frames"], 1):
            if "crew" not in frame:
                continue
            crew |= frame["crew"]
            instants[at] = {name: [robot["health"], robot["lives"]] for name, robot in crew.items()}
        seen = page.evaluate(shown, list(instants))
        for at, now in zip(instants, seen, strict=True):
            assert now == instants[at], (turn, at)
        changed += len(instants)
    assert changed > 10


def test_a_caption_has_two_lines_and_keeps_its_end(alices: OpenPage, game: Game) -> None:
    page = alices(viewport={"width": 390, "height": 844})

    def with_more_to_say(route: Route) -> None:
        answer = route.fetch()
        document = answer.json()
        document["film"]["frames"][0]["yours"] = [f"Something long happens to you {n}." for n in range(9)]
        document["film"]["frames"][1]["yours"] = ["Short.", "You are pushed."]
        route.fulfill(response=answer, json=document)

    page.route("**/film/", with_more_to_say)
    page.goto(f"{game.get_absolute_url()}turns/2/")
    caption = page.locator("[data-caption]")
    play(page)
    page.get_by_role("button", name="Pause").click()
    for at, ending in ((1, "Something long happens to you 8."), (2, "Short. You are pushed.")):
        page.locator("[data-position]").fill(str(at))
        expect(caption).to_have_text(re.compile(f"{re.escape(ending)}$"))
        expect(caption).to_contain_text("hase 1")
        height, line = caption.evaluate(
            "each => [each.offsetHeight, Number.parseFloat(getComputedStyle(each).lineHeight)]"
        )
        assert height <= 2.2 * line
    expect(caption).not_to_contain_text("…")


def test_stepping_back_also_moves_the_text(alices: OpenPage, game: Game) -> None:
    page = alices(viewport={"width": 1280, "height": 640})
    page.goto(f"{game.get_absolute_url()}turns/2/")
    page.get_by_role("button", name="One step back").click()
    now, box = page.locator("[data-log] .is-now"), page.locator("[data-log]")
    last = int(now.get_attribute("data-frame") or 0)
    comes_true(page, "() => document.querySelector('[data-log]').scrollTop > 0")
    seen = []
    for _ in range(4):
        page.get_by_role("button", name="One phase back").click()
        here = position(page)
        seen.append(int(now.get_attribute("data-frame") or 0) if here else -1)
        later = page.locator("[data-log] [data-frame].is-later")
        assert all(int(each.get_attribute("data-frame") or 0) >= here for each in later.all())
    assert seen == sorted(seen, reverse=True)
    assert seen[0] < last
    for _ in range(3):
        page.get_by_role("button", name="One phase back").click()
    assert position(page) == 0
    expect(now).to_have_count(0)
    comes_true(page, "() => document.querySelector('[data-log]').scrollTop === 0")
    expect(box).to_have_attribute("tabindex", "0")  # so that keys also scroll it
    expect(box.locator("[data-frame]").first).to_be_visible()  # earlier text is faint, not hidden
    page.locator("[data-position]").fill(str(end_of(page) // 2))
    expect(now).to_have_count(1)


def test_the_text_reveals_nothing_in_advance(alices: OpenPage, game: Game) -> None:
    page = alices()
    page.goto(f"{game.get_absolute_url()}turns/2/")
    expect(page.locator("[data-log] [data-frame]").last).to_be_visible()
    play(page)
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("[data-log] [data-frame]").last).to_be_hidden()
    expect(page.get_by_role("heading", name="End of the turn")).to_be_hidden()
    page.locator("[data-position]").fill(str(end_of(page)))
    expect(page.locator("[data-log] [data-frame]").last).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_the_film_and_its_buttons_are_in_view_from_the_first_second(
    size: tuple[int, int], alices: OpenPage, game: Game
) -> None:
    page = alices(viewport={"width": size[0], "height": size[1]})
    for where in ("turns/2/", ""):
        Seat.objects.filter(game=game).update(seen_turn=2)
        film_is_in_view(page, game, where)


def film_is_in_view(page: Page, game: Game, where: str) -> None:
    """Start a film, and check that the board and all buttons are in view.

    ``where`` is the address of a turn within the game, or "" for the game's page.
    """
    size = page.evaluate("[innerWidth, innerHeight]")
    page.goto(f"{game.get_absolute_url()}{where}")
    board, top = page.locator("[data-board]").evaluate(BOX), page.locator("[data-board]").evaluate(TOP)
    start = page.locator("[data-play]") if where else page.get_by_role("link", name="Watch it")
    start.dispatch_event("click")  # a click of the mouse might scroll
    page.get_by_role("button", name="Pause").dispatch_event("click")
    for name in ("data-play", "data-position", "data-step='-1'", "data-whole", "data-done", "data-turns"):
        box = page.locator(f"[{name}]").bounding_box()
        assert box, name
        assert box["y"] >= 0, name
        assert box["y"] + box["height"] <= size[1], name
        assert box["x"] >= 0, name
        assert box["x"] + box["width"] <= size[0], name
    above = page.locator("[data-board]").evaluate(TOP)
    assert above == top or (above < top and not where), "nothing pushes the board, but for a notice that goes"
    if size[0] > 1000:
        assert page.locator("[data-board]").evaluate(BOX) == board, "nor is it scrolled, or of another size"
    grid = page.locator("[data-grid]").bounding_box()
    assert grid
    assert grid["y"] + grid["height"] <= size[1], "so are health, lives and registers"


def test_an_offer_does_not_push_the_board(
    alices: OpenPage, table: Table, people: tuple[User, User], game: Game
) -> None:
    page = alices()
    page.goto(game.get_absolute_url())
    there = page.locator("[data-board]").evaluate(BOX)
    table.play(game, *people, now=timezone.now())
    page.goto(game.get_absolute_url())
    expect(page.get_by_text("Turn 4 was played while you were away.")).to_be_visible()
    assert page.locator("[data-board]").evaluate(BOX) == there


def mission_at_its_goal(player: User) -> Game:
    """Start a mission whose robot is on the last checkpoint in turn 1, and will reach it."""
    lesson = {**LESSON, "notes": [{"cells": [[0, 0]], "text": "Here."}]}
    save_mission(slug="lane", number=1, title="Lane", starship=LANE.saved(), options={}, lesson=lesson)
    with patch("games.lobby.services.secrets.token_hex", return_value="a seed that drives forward"):
        game = start_mission(user=player, slug="lane", now=timezone.now())
    submit_orders(user=player, game_id=game.pk, turn_number=0, document={"heading": "E"}, now=timezone.now())
    assert resolve_turn(turn_id=game.turns.get(number=0).pk, now=timezone.now())
    change_robot(game, player, cell=list(CHECKPOINT), virtual=False)
    return game


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_won_mission_is_cheered_and_shows_its_end_above_the_board(
    size: tuple[int, int], motion: str, alices: OpenPage, people: tuple[User, User]
) -> None:
    game = mission_at_its_goal(people[0])
    page = alices(viewport={"width": size[0], "height": size[1]}, reduced_motion=motion)
    page.goto(game.get_absolute_url())
    Table(game.revision.starship).play(game, people[0], now=timezone.now())
    expect(page.locator(".cell-label.is-inspect")).to_have_text("✓ 1")
    expect(page.locator(".cell-label.is-win")).to_have_text("wins")
    assert page.locator(".cheer").count() == (3 if motion == "no-preference" else 0)
    expect(page.get_by_role("heading", name="Mission done")).to_be_focused()
    expect(page.get_by_role("heading", name="Mission done")).to_be_in_viewport()
    expect(page.get_by_role("link", name="All missions")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="You have inspected every checkpoint and win!")).to_be_attached()


def test_faces_and_the_light_of_the_goal_belong_to_the_instant(
    alices: OpenPage, people: tuple[User, User]
) -> None:
    game = mission_at_its_goal(people[0])
    Table(game.revision.starship).play(game, people[0], now=timezone.now())
    page = alices()
    page.goto(f"{game.get_absolute_url()}turns/1/")
    expect(page.locator(".checkpoint.goal")).to_have_attribute("data-number", "1")
    page.locator("[data-step='-1']").click()
    lit, robot = page.locator(".checkpoints.is-lit > .goal"), page.locator(".robot[data-robot]")
    for at, face, lights in ((end_of(page), "win", 1), (0, "", 0), (end_of(page), "win", 1), (1, "", 0)):
        page.locator("[data-position]").fill(str(at))
        expect(robot).to_have_attribute("data-face", face)
        expect(lit).to_have_count(lights)
        expect(page.locator(".is-driving")).to_have_count(0)
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".robot[data-face='win']")).to_have_count(0)


def test_the_film_of_a_mission_does_not_push_its_board_on_a_telephone(
    alices: OpenPage, table: Table, people: tuple[User, User]
) -> None:
    save_mission(
        slug="lane",
        number=1,
        title="Lane",
        starship=table.starship,
        options={},
        lesson={**LESSON, "goal": "Go east.", "notes": [{"cells": [[4, 0]], "text": "Here."}]},
    )
    game = start_mission(user=people[0], slug="lane", now=timezone.now())
    submit_orders(
        user=people[0], game_id=game.pk, turn_number=0, document={"heading": "E"}, now=timezone.now()
    )
    assert resolve_turn(turn_id=game.turns.get(number=0).pk, now=timezone.now())
    table.play(game, people[0], now=timezone.now())
    page = alices(viewport={"width": 390, "height": 844})
    page.goto(game.get_absolute_url())
    expect(page.locator("[data-board]")).to_be_visible()
    top = page.locator("[data-board]").evaluate(TOP)
    page.keyboard.press(",")
    expect(page.locator("main")).to_have_class(re.compile("is-watching"))
    assert page.locator("[data-board]").evaluate(TOP) <= top, "it may move up: notices make way"
    expect(page.get_by_role("heading", name="Go east.")).to_be_visible()
