"""The admin reveals no secrets of running games, since staff may play too."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.test import Client, RequestFactory

from accounts.models import User
from games.fleet.models import Starship
from games.fleet.services import save_starship
from games.news.models import Notice
from games.people.models import ApiToken
from games.people.tokens import make_token
from games.play.models import Game, Hand, Program, Seat, Turn
from games.play.orders import save_draft
from games.play.stored import turn_record
from games.staff.services import cancel_as_staff
from tests.games.admin_pages import address, listing
from tests.games.support import LANE, NOW, Table

MODELS = [Starship, Game, Seat, Turn, Program, Notice, ApiToken]


def pages(browser: Client) -> str:
    """Return the pages of all lists, rows and histories as one text."""
    addresses = ["/admin/", "/admin/games/"]
    for model in MODELS:
        addresses.append(listing(model))
        for row in model.objects.all():
            addresses += [address(row), address(row).replace("/change/", "/history/")]
    answers = [browser.get(each) for each in addresses]
    assert all(answer.status_code == 200 for answer in answers)
    return "\n".join(answer.content.decode() for answer in answers)


def secrets_of(game: Game) -> dict[str, list[str]]:
    """Return a game's secrets, as texts that a page could contain."""
    played = [hand for turn in game.turns.filter(status="resolved") for hand in turn_record(turn).hands]
    hands = [*played, *Hand.objects.filter(turn__game=game)]
    chips = [chip for hand in hands for chip in hand.chips["chips"]]
    orders = [hand for hand in hands if getattr(hand, "program", None)]
    return {
        "seed": [game.seed],
        "chips": [f" ({chip})" for chip in chips],
        "orders": ["&quot;orders&quot;", "&quot;registers&quot;", "&quot;heading&quot;"] if orders else [],
        "states": ["&quot;robots&quot;"],
    }


@pytest.fixture
def under_way(duel: Game, table: Table, alice: User, bob: User) -> Game:
    """A private game in turn 1 with Alice's orders."""
    Game.objects.filter(pk=duel.pk).update(private=True)
    table.play(duel, alice, bob)
    table.move(duel, alice)
    duel.refresh_from_db()
    return duel


def flown(table: Table, pilot: User) -> Game:
    lane = save_starship(document=LANE.document, section="missions", now=NOW)
    game = Table(lane).game(pilot, options={"lives": 1})
    for _ in range(60):
        if game.status == Game.Status.OVER:
            break
        Table(lane).play(game, pilot)
    assert game.status == Game.Status.OVER
    return game


def test_no_page_reveals_a_secret_of_a_running_game_or_a_draft(
    staff: Client, under_way: Game, bob: User, erin: User, table: Table
) -> None:
    token = make_token(user=bob, now=NOW)
    own = table.game(erin, bob)  # staff who play see no more
    table.play(own, erin, bob)
    seen = pages(staff)
    for game in (under_way, own):
        for what, secrets in secrets_of(game).items():
            assert secrets, what
            assert not [secret for secret in secrets if secret in seen], what
    hands = Hand.objects.filter(turn__game=under_way, turn__number=1)
    assert not [hand for hand in hands if str(hand.chips["chips"])[1:-1] in seen]
    assert under_way.link_token not in seen
    assert token not in seen and ApiToken.objects.get().digest not in seen
    first = hands.get(seat__user=bob).chips["chips"][0]
    document = {"registers": [first, None, None, None, None]}
    save_draft(user=bob, game_id=under_way.pk, turn_number=1, document=document, now=NOW)
    assert without_tokens(pages(staff)) == without_tokens(seen)


def without_tokens(seen: str) -> str:
    return re.sub(r'csrfmiddlewaretoken" value="\w+"', "", seen)


def test_a_cancelled_game_reveals_its_seed_but_no_unplayed_orders(
    staff: Client, under_way: Game, alice: User, erin: User
) -> None:
    cancel_as_staff(user=erin, game_id=under_way.pk, reason="So.", now=NOW)
    assert under_way.seed in staff.get(address(under_way)).content.decode()
    not_played = "Hidden because the game ended before the turn was played."
    seen = staff.get(address(Program.objects.get(hand__turn__game=under_way))).content.decode()
    assert not ("registers" in seen or "&quot;heading&quot;" in seen)
    assert not_played in seen
    for turn in under_way.turns.all():
        seen = staff.get(address(turn)).content.decode()
        played = turn.status == Turn.Status.RESOLVED
        assert ("&quot;orders&quot;" in seen) == played
        assert not_played not in seen


def test_a_finished_game_reveals_everything_except_its_link(staff: Client, table: Table, alice: User) -> None:
    game = flown(table, alice)
    seen = pages(staff)
    for what, secrets in secrets_of(game).items():
        assert all(secret in seen for secret in secrets), what
    assert game.link_token not in seen


GUESSES: list[tuple[Any, str, Callable[[Game], str]]] = [
    (Game, "seed__startswith", lambda game: game.seed[:2]),
    (Game, "link_token__startswith", lambda game: game.link_token[:2]),
    (Game, "link_token", lambda game: game.link_token),
    (Turn, "snapshot__icontains", lambda game: "robots"),
    (Turn, "record__startswith", lambda game: "x"),
    (Turn, "game__seed__startswith", lambda game: game.seed[:2]),
    (Turn, "game__id__exact__seed", lambda game: game.seed[:2]),
    (Turn, "hands__chips__chips__contains", lambda game: "[1]"),
    (Program, "orders__heading", lambda game: '"N"'),
    (Program, "hand__chips__icontains", lambda game: "1"),
    (Seat, "hands__chips__icontains", lambda game: "1"),
    (Seat, "game__link_token__startswith", lambda game: game.link_token[:2]),
    (Notice, "game__seed__startswith", lambda game: game.seed[:2]),
    (ApiToken, "digest__startswith", lambda game: "a"),
    (ApiToken, "user__password__startswith", lambda game: "a"),
    (Starship, "revisions__games__seed__startswith", lambda game: game.seed[:2]),
]


def test_no_address_lets_a_secret_be_guessed(staff: Client, under_way: Game) -> None:
    for model, lookup, value in GUESSES:
        assert staff.get(listing(model), {lookup: value(under_way)}).status_code == 400, lookup


def test_keys_of_sessions_and_factors_cannot_be_guessed() -> None:
    for model, lookup in (
        (UserSession, "session_key__startswith"),
        (Authenticator, "data__icontains"),
        (User, "standing"),
        (User, "password__startswith"),
    ):
        assert not admin.site._registry[model].lookup_allowed(lookup, "a", RequestFactory().get("/")), lookup


def test_lists_are_filtered_only_by_fields_on_their_pages() -> None:
    for pages in admin.site._registry.values():
        _shows_what_it_asks_for(pages)


def _shows_what_it_asks_for(pages: Any) -> None:
    shown = {*pages.list_display, *(pages.fields or ()), *pages.search_fields, "id"}
    for _, part in pages.fieldsets or ():
        shown.update(part["fields"])
    if not (pages.fields or pages.fieldsets):
        shown.update(pages.form.base_fields or (column.name for column in pages.opts.get_fields()))
    hidden = {column.name for column in pages.opts.get_fields() if column.concrete} - shown
    offered = {each for each in pages.list_filter if isinstance(each, str)}
    for column in hidden - offered:
        for lookup in (column, f"{column}__startswith", f"{column}__icontains"):
            assert not pages.lookup_allowed(lookup, "a", RequestFactory().get("/")), f"{pages} {lookup}"


def test_the_links_between_pages_work(staff: Client, under_way: Game, table: Table, alice: User) -> None:
    table.move(table.game(alice, name="Another"), alice)
    turn = under_way.turns.get(number=1)
    for model, lookup, key, count in (
        (Turn, "game__id__exact", under_way.pk, 2),
        (Notice, "game__id__exact", under_way.pk, Notice.objects.filter(game=under_way).count()),
        (Program, "hand__turn__game__id__exact", under_way.pk, 1),
        (Program, "hand__turn__id__exact", turn.pk, 1),
    ):
        assert staff.get(listing(model), {lookup: key}).context["cl"].result_count == count
    assert f"?game__id__exact={under_way.pk}" in staff.get(address(under_way)).content.decode()
