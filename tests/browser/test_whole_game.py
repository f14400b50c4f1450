"""Two people play a whole game in the browser, from sign-up to victory."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

import rules
from games.play import stored
from games.play.models import Game, Hand, Turn
from tests.browser.test_whole_film import quick
from tests.cast import address_of, password_of
from tests.games.support import Board
from tests.support.loaded import ForkedWorker
from tests.support.mailbox import Mailbox

POND = Board(
    "Duck Pond",
    (
        ".+wNW   .+wN   .+wN   .+wN   .+wN   .+wNE",
        ".+wW     .      b1:E   b1:WS  .      .+wE",
        ".+wW     g+     .      b1:S   h1     .+i1+wE",
        ".+wW     .      .+wE   .      .      .+wE",
        "a+wSW    .+wS   .+i2+wS .+wS  .+wS   .+wES",
    ),
)
"""A small ship with rails all around: robots survive, and games end soon."""

SEED = "a game that is the same each time"
LONGEST = 15
"""The maximum number of turns in the game."""

TRIES = 250
"""The number of programs that a player tries before choosing the best."""


@dataclass
class Player:
    """A player with a browser and a mailbox."""

    name: str
    page: Page
    mailbox: Mailbox

    @property
    def address(self) -> str:
        return address_of(self.name)

    @property
    def subjects(self) -> list[str]:
        return [str(mail["Subject"]) for mail in self.mailbox.to(self.address)]

    def newest_mail(self, count: int) -> str:
        """Wait until the player has ``count`` emails. Return the text of the newest."""
        body = self.mailbox.wait_for(count, to=self.address)[-1].get_body(("plain",))
        assert body
        return str(body.get_content())

    def sign_up(self) -> None:
        """Create an account, and confirm its address with the link in the email."""
        self.page.goto("/")
        self.page.get_by_role("link", name="Sign up").first.click()
        self.page.get_by_label("Robo Name").fill(self.name)
        self.page.get_by_label("Email").fill(self.address)
        self.page.get_by_label("Password").fill(password_of(self.name))
        self.page.get_by_role("button", name="Sign up").click()
        expect(self.page.get_by_role("heading", name="Check your email")).to_be_visible()
        self.page.goto(link_in(self.newest_mail(1), "confirm"))
        self.page.get_by_role("button", name="Yes, confirm").click()
        expect(self.page.locator(".site-account summary")).to_have_text(self.name)

    def run(self, game: Game) -> None:
        """Put the best program found into the registers, and press Run."""
        for number in best_program(game, self.name):
            self.page.locator(f"[data-chip='{number}'] .chip-key").click()
        self.page.get_by_role("button", name="Run").click()


def link_in(text: str, word: str) -> str:
    """Return the first web address in a text that contains the given word."""
    found = next(link for link in re.findall(r"https?://\S+", text) if word in link)
    return str(found)


def best_program(game: Game, name: str) -> list[int]:
    """Return the chips that bring the player's robot nearest to its next checkpoint."""
    turn = game.turns.get(status=Turn.Status.OPEN)
    hand = Hand.objects.get(turn=turn, seat__user__robo_name=name)
    setup = stored.setup_of(game)
    state, index = stored.start_of(turn, setup.starship), hand.robot - 1
    chips = stored.chips_of(hand)
    tried = [rules.complete(setup, state, index, chips, None, f"{name} {number}") for number in range(TRIES)]

    def merit(orders: rules.Orders) -> tuple[int, int]:
        robot = rules.preview(setup, state, index, orders).state.robots[index]
        goal = setup.starship.checkpoints.get(robot.next)
        if goal is None:
            return robot.next, 0
        (x, y), (goal_x, goal_y) = setup.starship.pos(robot.cell), setup.starship.pos(goal)
        return robot.next, -abs(goal_x - x) - abs(goal_y - y)

    return [chip.number for chip in max(tried, key=merit).registers if chip]


@pytest.mark.long
def test_two_people_play_from_sign_up_to_victory(
    open_page: Callable[..., Page], mailbox: Mailbox, worker: ForkedWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "token_hex", lambda *_: SEED)
    starship = POND.saved()
    alice, bob = (Player(name, open_page(), mailbox) for name in ("Alice", "Bob"))
    for player in (alice, bob):
        player.sign_up()

    alice.page.goto("/starships/")
    alice.page.get_by_role("link", name="Duck Pond", exact=True).click()
    alice.page.get_by_role("link", name="Start a game here").click()
    expect(alice.page.locator(f"[type=radio][value='{starship.pk}']")).to_be_checked()
    alice.page.get_by_label("Game name").fill("Ducks in a row")
    alice.page.get_by_role("button", name="Create game").last.click()
    expect(alice.page.get_by_text("Players can find it in the Game Room.")).to_be_visible()

    bob.page.goto("/games/")
    bob.page.get_by_role("link", name="Ducks in a row").click()
    bob.page.get_by_role("button", name="Join this game").click()
    expect(bob.page.get_by_text("You joined, and the game has started.")).to_be_visible()
    game = Game.objects.get()

    alice.page.get_by_role("button", name="East").click()
    expect(alice.page.get_by_role("heading", name="Your heading is in")).to_be_visible()
    bob.page.get_by_role("button", name="North").click()
    for player in (alice, bob):
        quick(player.page)

    first, last = alice, bob
    for turn in range(1, LONGEST + 1):
        # Both pages show the turn without a click.
        expect(last.page.locator(".status-word")).to_have_text(
            re.compile(rf"^(Turn {turn}|Over)$"), timeout=20_000
        )
        game.refresh_from_db()
        if game.status == Game.Status.OVER:
            break
        assert game.turn == turn
        expect(first.page.get_by_role("heading", name="Your move")).to_be_visible()
        first, last = last, first  # the players alternate in being first
        first.run(game)
        expect(first.page.get_by_role("heading", name="Your program is submitted")).to_be_visible()
        last.run(game)
    else:
        pytest.fail(f"nobody has won after {LONGEST} turns")

    winner = alice if game.winner == "Alice" else bob
    assert game.winner == winner.name
    for player in (alice, bob):
        told = "You have inspected every checkpoint and win!"
        if player is not winner:
            told = f"{winner.name} has inspected every checkpoint and wins."
        # The last turn plays before the end is announced.
        expect(player.page.get_by_text(told).first).to_be_visible(timeout=60_000)
        expect(player.page.locator(f"[data-mate='{winner.name}']")).to_contain_text("first")
        assert len(player.subjects) == 1, "nobody is mailed about what they look at"

    winner.page.goto("/my-room/")
    expect(winner.page.get_by_text(f"won by {winner.name} in turn {game.turn}")).to_be_visible()
