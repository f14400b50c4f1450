"""Secrets do not affect the answers for people without access to them.

Two worlds with different secrets look the same, byte by byte. The secrets are: the other players' hands,
orders, equipment orders, drafts and standing orders; the player's own hand while it lies face down; the seed;
and the links of transporters. Pages show a hash of the seed, which is the same in both worlds, so it reveals
nothing here.

A head is a hash that binds the turns with a salt from the seed, so it differs between the worlds. Without the
seed it looks random, so this test replaces every head with HEAD. Two other tests show that this is fair: no
answer contains a salt, and another seed gives other heads for the same turns.
"""

import random
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.contenttypes.models import ContentType

import rules
from accounts.models import Standing, User
from games.chat.services import post_line
from games.films import moments
from games.films.pages import film
from games.news.channels.mail import compose
from games.news.models import Notice
from games.play import stored
from games.play.computers import play_computers
from games.play.heads import first_head_of, heads_after
from games.play.models import Draft, Game, Hand, Program, Seat, Turn
from games.play.orders import save_draft, submit_orders, wake_robot
from games.play.stored import each_played
from rules.game_file import salt_of
from tests.access.requests import request_for
from tests.access.table import rows
from tests.access.walking import MILLIONS, Outcome, Walker, number_rows_from, undone
from tests.access.world import WALKERS, asleep
from tests.games.support import HALL, NOW, Board, Table, hand_of, open_turn, orders_for

pytestmark = pytest.mark.django_db

MAZE = Board(
    "Maze",
    (
        "t:red . . . .+i1 . . t:red",
        ". a . h1 . . . .",
        ". . . . . . . .",
        "t:red . . t:blue . . . t:blue",
    ),
)
"""A board with transporters. Their links are secret."""

SITUATION = "secrets"


@pytest.fixture
def game(walker: Walker) -> Iterator[Game]:
    """A game in turn 1 with three people, a computer and a scanner.

    Alice and the computer have submitted orders.
    """
    alice, bob, carol = (walker.world.people[name] for name in ("Alice", "Bob", "Carol"))
    options = {"scanners": 1, "equipment": True}
    table = Table(MAZE.saved())
    game = table.game(alice, bob, carol, seats=4, options=options, computers=["rookie"], starts_itself=True)
    _play_computer(game)
    table.play(game, alice, bob, carol)
    table.move(game, alice)
    _play_computer(game)
    post_line(user=carol, game_id=game.pk, text="Good luck!", now=NOW)
    game.refresh_from_db()
    walker.world.games[SITUATION] = game
    walker.world.values["million"] = next(MILLIONS)
    yield game
    del walker.world.games[SITUATION]


def _play_computer(game: Game) -> None:
    hand = Hand.objects.get(turn=open_turn(game), seat__computer="rookie")
    document = {"heading": "N"} if game.turn == 0 else {"registers": hand.chips["chips"][:5]}
    orders = stored.write_orders(rules.read_orders(document))
    computer = Program.Author.COMPUTER
    Program.objects.create(game_id=hand.game_id, hand=hand, orders=orders, by=computer, submitted_at=NOW)


def change_secrets(game: Game, own: str | None, *, seed: bool = True) -> None:
    """Change the seed, transporter links, and secrets of players other than ``own``."""
    User.objects.exclude(robo_name=own or "").update(standing=Standing.DOWN)
    Seat.objects.filter(game=game).exclude(user__robo_name=own or "").update(standing=Standing.AHEAD)
    chance = random.Random(1)
    turn = open_turn(game)
    hands = list(turn.hands.select_related("seat__user"))
    mine = [hand for hand in hands if hand.seat and hand.seat.robo_name == own]
    kept = {chip for hand in mine for chip in hand.chips["chips"]}
    pool = sorted(set(rules.CHIPS) - kept)
    chance.shuffle(pool)
    for hand in hands:
        if hand in mine:
            continue
        count = len(hand.chips["chips"])
        hand.chips["chips"], pool = pool[:count], pool[count:]
        hand.redealt = 1 + hands.index(hand)
        hand.save()
        if program := Program.objects.filter(hand=hand).first():
            program.orders |= {"registers": hand.chips["chips"][:5], "power_down": True, "equipment": [2, 4]}
            program.save()
        elif hand.seat:
            orders = {"registers": [*hand.chips["chips"][:2], None, None, None]}
            document = stored.write_orders(rules.read_orders(orders))
            Draft.objects.create(game=game, hand=hand, orders=document, saved_at=NOW)
    links = [to for _, to in turn.snapshot["links"]]
    turn.snapshot["links"] = [
        [origin, to] for (origin, _), to in zip(turn.snapshot["links"], links[::-1], strict=True)
    ]
    turn.save()
    if seed:
        Game.objects.filter(pk=game.pk).update(seed=game.seed[::-1] + "0")
        bind_again(Game.objects.get(pk=game.pk))


def bind_again(game: Game) -> None:
    """Recompute the heads (hashes) of a game for its current seed."""
    head = first_head_of(game, game.players.order_by("number"))
    played = each_played(game.turns.filter(status=Turn.Status.RESOLVED).order_by("number"))
    for turn, after in heads_after(head, game=game, turns=played):
        Turn.objects.filter(pk=turn.pk).update(head_before=head, head=after)
        head = after
    Turn.objects.filter(pk=open_turn(game).pk).update(head_before=head)


def heads_in_use() -> set[str]:
    rows = Turn.objects.values_list("head_before", "head")
    return {head for row in rows for head in row if head}


def without_heads(outcome: Outcome, heads: Collection[str]) -> Outcome:
    """Replace each of the given heads in a response with the word HEAD."""
    body = outcome.body
    for head in heads:
        if head[:12].encode() in body:
            body = body.replace(head.encode(), b"HEAD").replace(f"{head[:12]}…".encode(), b"HEAD")
    return replace(outcome, body=body)


@contextmanager
def without_chance(walker: Walker) -> Iterator[None]:
    """Fix random values, the secrets of new games, and the IDs of new rows."""
    number_rows_from(walker.world.values["million"])
    with (
        patch("django.middleware.csrf._get_new_csrf_string", return_value="a" * 32),
        patch("fido2.server.os.urandom", side_effect=lambda size: b"a" * size),
        patch("secrets.token_hex", side_effect=lambda size: "ab" * size),
        patch("secrets.token_urlsafe", side_effect=lambda size: "a" * size),
    ):
        yield


OF_THE_GAME = ("GET /games/{game_id}/", "GET /api/v1/games/{game_id}")


ELSEWHERE = re.compile(
    r"\w* ?/(accounts|settings|preferences|unsubscribe|mail|missions|starships|rules|rulebook|docs|help|story"
    r"|about|conduct|privacy|terms|contact|worker|healthz|readyz|metrics|\.well-known|admin/(?!games/)"
    r"|shipyard|dock|awards|ratings|my-people|my-decisions"
    r"|api/v1/(me/(?!waiting)|tokens|achievements|rulesets|starships|schema|docs|shipyard|dock|awards|ratings))"
)
"""Pages without data of running games. They share the menu of all pages."""


def is_near(name: str, who: str) -> bool:
    """Return whether a response may contain data of a running game.

    For a player, every page may contain such data, even pages about the player's account.
    """
    looks = name.startswith("GET ") and (who == "player" or not ELSEWHERE.match(name))
    return looks or "{game_id}" in name


def answers(
    walker: Walker, who: str, *, only: Collection[str] = (), of_games: bool = False
) -> dict[str, Outcome]:
    """Return a person's responses from all addresses near running games, by request.

    ``only`` limits the requests to these names, and ``of_games`` to addresses of one game.
    """
    found = {}
    heads = heads_in_use()
    with without_chance(walker):
        for name, method, path, body in questions(walker, who):
            if (only and name not in only) or (of_games and "{game_id}" not in name):
                continue
            if not name.startswith("/") and not is_near(name, who):
                continue
            ContentType.objects.clear_cache()  # caches would save queries in the second world
            film.FILM_CACHE.clear()
            moments.MARKS.clear()
            found[name] = without_heads(walker.ask(who, method, path, body), heads)
    return found


FORMS = re.compile("/(add|delete)/$")
"""Admin pages that the test skips.

They are forms to add a row, which show no row, and forms to delete a row, which also has a change page.
"""


def questions(walker: Walker, who: str) -> Iterator[tuple[str, str, str, Any]]:
    """Yield the name, method, path and body of each request that a person can send."""
    for row in rows():
        if who == "player" or row.method == "GET":
            asked = request_for(walker.world, who, row.method, row.address, SITUATION)
            yield str(row), row.method, asked.path, asked.body
    game = walker.world.games[SITUATION]
    paths = [f"/games/{game.pk}/turns/1/", f"/games/{game.pk}/turns/1/film/"]
    paths += ["/games/?status=running", "/players/?name=b"]
    if who == "staff":
        shown = ("/admin/games/", "/admin/accounts/user/")
        paths += [
            path for path in walker.paths_of_admin() if path.startswith(shown) and not FORMS.search(path)
        ]
        for model in (Turn, Program, Notice):
            numbers = model.objects.filter(game=game).values_list("pk", flat=True)
            paths += [f"/admin/games/{model._meta.model_name}/{number}/change/" for number in numbers]
    for path in paths:
        yield path, "GET", path, None


def difference(before: Outcome, after: Outcome) -> str:
    """Return the first difference between two responses, or "" if they are equal."""
    for one, other in (
        (before.status, after.status),
        (before.headers, after.headers),
        (before.questions, after.questions),
    ):
        if one != other:
            return f"{one} and {other}"
    if before.body == after.body:
        return ""
    place = next((i for i, (a, b) in enumerate(zip(before.body, after.body, strict=False)) if a != b), 0)
    return f"{before.body[place - 40 : place + 60]!r} and {after.body[place - 40 : place + 60]!r}"


def unequal(before: dict[str, Outcome], after: dict[str, Outcome]) -> dict[str, str]:
    """Return the differences between the responses in two worlds, by request."""
    assert before.keys() == after.keys()
    return {name: said for name in before if (said := difference(before[name], after[name]))}


@pytest.mark.parametrize("who", ["player", "spectator", "staff"])
def test_answers_are_the_same_in_both_worlds(walker: Walker, game: Game, who: str) -> None:
    before = answers(walker, who)
    with undone():
        change_secrets(game, WALKERS[who])
        after = answers(walker, who)
    assert unequal(before, after) == {}


def guesses(game: Game, bob: User) -> Iterator[tuple[str, str, Any]]:
    """Yield Bob's attempts to learn hands, as orders, drafts and previews."""
    turn = f"/api/v1/games/{game.pk}/turns/{game.turn}"
    every = sorted(rules.CHIPS)
    for first in range(0, len(every), 5):
        registers = [*every[first : first + 5], None, None, None, None][:5]
        for method, path in (("POST", "orders"), ("PUT", "draft"), ("POST", "preview")):
            yield method, f"{turn}/{path}", {"registers": registers, "equipment": [1, 2]}
    chance = random.Random(2)
    hand = hand_of(game, bob).chips["chips"]
    for _ in range(20):
        yield "POST", f"{turn}/preview", {"registers": chance.sample(hand, 5)}


def test_asking_for_every_chip_reveals_only_the_player_s_own_hand(walker: Walker, game: Game) -> None:
    bob = walker.world.people["Bob"]
    turn = open_turn(game)
    turn.snapshot["robots"][0] |= {"cell": [1, 0], "heading": "W"}  # in front of a transporter
    turn.save()

    def told() -> list[Outcome]:
        with without_chance(walker):
            return [walker.ask("player", *asked) for asked in guesses(game, bob)]

    before = told()
    assert {outcome.status for outcome in before} == {200, 422}
    with undone():
        change_secrets(game, "Bob")
        after = told()
    assert [said for one, other in zip(before, after, strict=True) if (said := difference(one, other))] == []


CHIP = re.compile(rb'\{"number":\d+,"kind":"\w+"\}')


@pytest.fixture
def sleepers(walker: Walker) -> Iterator[Game]:
    """A game after a turn with all robots off. Three players may keep theirs off."""
    people = (walker.world.people[name] for name in ("Alice", "Bob", "Carol"))
    game = asleep(Table(Board("Dormitory", HALL.rows).saved()), *people)
    walker.world.games[SITUATION] = game
    walker.world.values["million"] = next(MILLIONS)
    yield game
    del walker.world.games[SITUATION]


def test_a_hand_lying_face_down_is_hidden_from_its_own_player(walker: Walker, sleepers: Game) -> None:
    """Only the response to switching the robot on shows the hand.

    The test asks only addresses of this game, as pages about several games show no hand.
    """
    turn = open_turn(sleepers)
    hand = hand_of(sleepers, walker.world.people["Bob"])

    def told() -> dict[str, Outcome]:
        found = answers(walker, "player", of_games=True)
        return {name: said for name, said in found.items() if not name.rstrip("/").endswith("wake")}

    answers(walker, "player", only=OF_THE_GAME)  # fills the caches of the process, which saves queries later
    before = told()
    with undone():
        dealt = {number for each in turn.hands.all() for number in each.chips["chips"]}
        hand.chips["chips"] = sorted(set(rules.CHIPS) - dealt)[:2]
        hand.save()
        assert unequal(before, told()) == {}


@pytest.mark.parametrize("who", ["player", "spectator", "staff"])
def test_others_cannot_see_whose_robot_is_on_or_stays_off(walker: Walker, sleepers: Game, who: str) -> None:
    alice, carol = (walker.world.people[name] for name in ("Alice", "Carol"))
    given = {"game_id": sleepers.pk, "turn_number": sleepers.turn, "now": NOW}

    def told(*, awake: bool) -> dict[str, Outcome]:
        with undone():
            if awake:
                wake_robot(user=alice, **given)
                wake_robot(user=carol, **given)
                submit_orders(user=alice, document=orders_for(sleepers, alice), **given)
            else:
                submit_orders(user=alice, document={"stay_down": True}, **given)
            number = walker.world.values["million"]  # the same row number for staff in both worlds
            Program.objects.filter(hand__turn=open_turn(sleepers)).update(id=number)
            found = answers(walker, who, of_games=True)
            for name, answer in found.items():
                if name.endswith("/wake"):  # the own hand depends on the chips that the others hold
                    found[name] = replace(answer, body=CHIP.sub(b"{}", answer.body))
            return found

    assert unequal(told(awake=True), told(awake=False)) == {}


@pytest.mark.parametrize("strength", ["rookie", "pilot", "ace"])
def test_a_computer_thinks_the_same_in_both_worlds(game: Game, strength: str) -> None:
    seat = game.players.get(computer="rookie")
    Program.objects.filter(hand__seat=seat, hand__turn=open_turn(game)).delete()
    Seat.objects.filter(pk=seat.pk).update(computer=strength)

    def thought() -> Any:
        assert play_computers(turn_id=open_turn(game).pk, now=NOW) == 1
        return Program.objects.get(hand__seat=seat, hand__turn=open_turn(game)).orders

    with undone():
        before = thought()
    with undone():
        change_secrets(game, seat.robo_name, seed=False)
        assert thought() == before


def test_headings_are_secret_until_all_have_chosen(walker: Walker, game: Game) -> None:
    alice, bob, carol = (walker.world.people[name] for name in ("Alice", "Bob", "Carol"))
    begun = Table(game.revision.starship).game(alice, bob, carol, starts_itself=True)
    walker.world.games[SITUATION] = begun
    of_game = [row for row in rows() if "{game_id}" in row.address]
    shown = [str(row) for row in of_game if row.method == "GET" or "turns/" in row.address]

    def told(heading: str) -> dict[str, Outcome]:
        with undone():
            submit_orders(user=alice, game_id=begun.pk, turn_number=0, document={"heading": heading}, now=NOW)
            save_draft(user=carol, game_id=begun.pk, turn_number=0, document={"heading": heading}, now=NOW)
            return answers(walker, "player", only=shown)

    assert unequal(told("N"), told("W")) == {}


def test_the_two_worlds_differ_for_the_owner_of_the_secrets(walker: Walker, game: Game) -> None:
    before = answers(walker, "other player", only=OF_THE_GAME)
    with undone():
        change_secrets(game, "Bob")
        after = answers(walker, "other player", only=OF_THE_GAME)
    assert all(before[each].body != after[each].body for each in OF_THE_GAME)


def test_emails_are_the_same_in_both_worlds(walker: Walker, game: Game) -> None:
    def mails() -> list[Any]:
        composed = [compose(notice) for notice in Notice.objects.filter(game=game, user__robo_name="Bob")]
        return [
            (mail.subject, mail.body, mail.alternatives, [part.as_bytes() for part in mail.attachments])
            for mail in composed
        ]

    before, heads = mails(), heads_in_use()
    assert before
    assert any(head in mail[1] for mail in before for head in heads)
    with undone():
        change_secrets(game, "Bob", seed=False)
        assert mails() == before


@pytest.mark.parametrize("who", ["player", "spectator", "staff"])
def test_no_answer_contains_the_seed_or_a_salt_and_heads_depend_on_the_seed(
    walker: Walker, game: Game, who: str
) -> None:
    secrets = [game.seed, *(salt_of(game.seed, turn) for turn in range(5))]
    before = heads_in_use()
    told = [outcome.body for outcome in answers(walker, who, only=OF_THE_GAME).values()]
    assert [secret for secret in secrets for body in told if secret.encode() in body] == []
    with undone():
        Game.objects.filter(pk=game.pk).update(seed="another")
        bind_again(Game.objects.get(pk=game.pk))
        first, after = game.turns.order_by("number").values_list("head_before", flat=True)
    assert first in before, "what all know from the start is bound without a salt"
    assert after not in before


def test_players_see_whose_orders_are_missing(walker: Walker, game: Game) -> None:
    before = answers(walker, "player", only=OF_THE_GAME)[OF_THE_GAME[1]].body
    carol = walker.world.people["Carol"]
    with undone():
        submit_orders(user=carol, game_id=game.pk, turn_number=1, document=orders_for(game, carol), now=NOW)
        after = answers(walker, "player", only=OF_THE_GAME)[OF_THE_GAME[1]].body
    assert b'"waiting_for":["Bob","Carol"]' in before
    assert b'"waiting_for":["Bob"]' in after
