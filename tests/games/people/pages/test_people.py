"""A player's page: medals, statistics of robots, and robots' cards."""

import json
import re
from datetime import timedelta
from html import escape

import pytest

from accounts.models import User
from games.people.models import Achievement, Tally
from games.people.pages import MEDALS_SHOWN
from games.people.selectors import profiles
from games.people.selectors.records import ACHIEVEMENTS
from games.play.models import Game
from rules.statistics import COUNTERS
from tests.games.reader import ReaderOf, plain
from tests.games.support import NOW, Table, later

PARTS = {
    "games": "running games",
    "history": "history",
    "statistics": "statistics",
    "achievements": "achievements",
}


@pytest.fixture
def past(table: Table, alice: User, bob: User) -> Game:
    """A finished game of Alice and Bob. Alice came second and earned an achievement."""
    game = table.game(alice, bob, name="Past race")
    Game.objects.filter(pk=game.pk).update(status="over", ended_at=later(hours=3), winner="Bob")
    seat = game.players.get(user=alice)
    seat.place = 2
    seat.save()
    Tally.objects.update_or_create(seat=seat, defaults={"game": game, "half_turns": 3, "damage_taken": 7})
    earn(alice, game, "half-turns-1")
    game.refresh_from_db()
    return game


def earn(user: User, game: Game, key: str, minutes: int = 0) -> None:
    Achievement.objects.create(
        user=user, key=key, game=game, turn=1, earned_at=NOW + timedelta(minutes=minutes)
    )


def test_a_page_is_found_by_name_in_any_case_and_shows_the_favourite_robot(
    read: ReaderOf, alice: User
) -> None:
    User.objects.filter(pk=alice.pk).update(look=5)
    page = read(None).get("/players/ALICE/")
    assert page.status == 200
    assert "<h1>Alice</h1>" in page.html
    assert f"since {alice.date_joined:%-d %B %Y}" in page.html
    assert "Drives the spider. Here since" in page.html
    assert "site/robots.svg#robot-5" in page.html


def test_a_new_page_suggests_first_steps(read: ReaderOf, alice: User, dave: User) -> None:
    own = plain(read(alice).get("/players/Alice/").html)
    assert "You have no running games." in own
    assert "0 of 35 earned" in own
    assert "Your statistics start with" in own
    assert "You haven’t finished a game yet." in own
    seen = plain(read(dave).get("/players/Alice/").html)
    assert "Alice has no public games running." in seen
    assert "Alice has not finished a public game yet." in seen
    for reader, mine in ((alice, True), (dave, False), (None, False)):
        page = read(reader).get("/players/Alice/").html.partition("<main")[2].partition("</main>")[0]
        assert ('href="/settings/profile/"' in page) == mine


def test_running_and_past_games_are_listed_with_places(
    read: ReaderOf, past: Game, duel: Game, dave: User
) -> None:
    html = read(dave).get("/players/Alice/").html
    under_way, history = (
        re.search(rf'(?s)id="{part}-title".*?</section>', html) for part in ("games", "history")
    )
    assert under_way and f'href="/games/{duel.pk}/"' in under_way.group()
    assert history and f'href="/games/{past.pk}/"' in history.group()
    assert "place 2" in plain(history.group())
    assert '<a class="robo-name" href="/players/Bob/">Bob</a>' in history.group()
    assert "won" in plain(
        re.search(r'(?s)id="history-title".*?</section>', read(dave).get("/players/Bob/").html)[0]
    )  # type: ignore[index]


def test_the_history_is_paginated(
    read: ReaderOf, past: Game, table: Table, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profiles, "GAMES_PER_PAGE", 2)
    for number in range(3):
        Game.objects.filter(pk=table.game(alice, name=f"Alone {number}").pk).update(
            status="over", ended_at=later(minutes=number)
        )
    first = read(None).get("/players/Alice/").html
    assert 'href="?start=2#history-title"' in first
    assert "Past race" in first
    second = read(None).get("/players/Alice/?start=2").html
    assert "Alone 0" in second
    assert "Alone 2" not in second
    assert "Latest games" in second
    for nonsense in ("-1", "x", "9" * 30, "²"):
        assert "Past race" in read(None).get(f"/players/Alice/?start={nonsense}").html


def test_statistics_show_sums_and_best_games_separately_for_people_and_computers(
    read: ReaderOf, past: Game, dave: User
) -> None:
    html = read(dave).get("/players/Alice/").html
    table = re.search(r'(?s)<table class="sums">.*?</table>', html)
    assert table
    said = plain(table.group())
    assert "With people 1 game With computers 0 games" in said
    assert "Half turns 3 3 0 0" in said
    assert len(re.findall('<th scope="row">', table.group())) == len(COUNTERS)
    records = plain(re.search(r'(?s)<ul class="records">.*?</ul>', html)[0])  # type: ignore[index]
    assert "Robo Runner With people 0 of 1 won 1 × place 2" in records


def test_every_achievement_has_picture_names_condition_and_progress(
    read: ReaderOf, past: Game, dave: User
) -> None:
    html = read(dave).get("/players/Alice/").html
    cards = re.findall(r'(?s)<li class="medal-card.*?</li>', html)
    assert len(cards) == len(ACHIEVEMENTS) == 35
    by_key = {re.search(r'id="([^"]+)"', card)[1]: card for card in cards}  # type: ignore[index]
    for key, definition in ACHIEVEMENTS.items():
        card = by_key[key]
        said = plain(card).replace("&#x27;", "'")
        assert "<svg" in card
        assert f'<h3 class="medal-name">{escape(definition.english)}</h3>' in card
        assert definition.german not in card or definition.german in definition.english
        if definition.german:
            assert f'<dd lang="de">{definition.german}</dd>' in html, "the source's title is a note"
        assert definition.condition in said
    assert "1 of 35 earned" in html
    earned = next(card for card in cards if 'id="half-turns-1"' in card)
    assert "is-earned" in earned
    assert f'<a href="/games/{past.pk}/">Past race</a>' in earned
    assert "21 Nov 2026" in earned
    assert "<progress" not in earned
    open_ = next(card for card in cards if 'id="half-turns-5"' in card)
    assert "is-earned" not in open_
    assert '<progress value="3" max="5"' in open_
    assert "3 of 5" in open_
    assert "<progress" not in next(card for card in cards if 'id="no-damage"' in card)


def test_the_latest_and_the_nearest_achievements_are_shown_first_and_the_others_folded(
    read: ReaderOf, past: Game, alice: User, dave: User
) -> None:
    earn(alice, past, "no-damage", minutes=1)
    html = read(dave).get("/players/Alice/").html
    foremost, folded = html.split("Show 29 more achievements")
    shown = re.findall(r'<li class="medal-card[^>]* id="([^"]+)"', foremost)
    assert shown[:2] == ["no-damage", "half-turns-1"]
    assert "half-turns-5" in shown, "she has made 3 of 5"
    assert len(shown) == MEDALS_SHOWN
    others = re.findall(r'<li class="medal-card[^>]* id="([^"]+)"', folded)
    assert others == [key for key in ACHIEVEMENTS if key not in shown]


def test_all_but_the_first_games_are_folded_on_the_first_page_of_the_history(
    read: ReaderOf, table: Table, alice: User
) -> None:
    for number in range(7):
        Game.objects.filter(pk=table.game(alice, name=f"Alone {number}").pk).update(
            status="over", ended_at=later(minutes=number)
        )
    shown, folded = read(None).get("/players/Alice/").html.split("Show 2 more games")
    assert "Alone 2" in shown
    assert '<details class="more">' in shown.partition('id="history-title"')[2]
    assert "Alone 1" in folded
    later_page = read(None).get("/players/Alice/?start=1").html
    assert '<details class="more" open>' in later_page.partition('id="history-title"')[2]


def test_hidden_parts_say_that_they_are_hidden(
    read: ReaderOf, past: Game, alice: User, bob: User, dave: User
) -> None:
    for part, name in PARTS.items():
        shown = dict.fromkeys((f"shows_{each}" for each in PARTS), "everybody") | {f"shows_{part}": "players"}
        User.objects.filter(pk=alice.pk).update(**shown)
        page = plain(read(dave).get("/players/Alice/").html)
        assert f"Alice keeps their {name} private." in page
        assert page.count(" private.") == 1
        assert " private." not in plain(read(bob).get("/players/Alice/").html)


def test_private_games_are_hidden_from_outsiders(
    read: ReaderOf, table: Table, alice: User, bob: User, dave: User
) -> None:
    game = table.game(alice, bob, name="Behind doors", private=True)
    earn(alice, game, "deaths-1")
    for reader, knows in ((None, False), (dave, False), (bob, True), (alice, True)):
        html = read(reader).get("/players/Alice/").html
        assert ("Behind doors" in html) == knows
        assert f"/games/{game.pk}/" not in html or knows
        assert "1 of 35 earned" in html, "the achievement itself is no secret"


def test_new_achievements_are_announced_on_every_page_until_dismissed(
    read: ReaderOf, past: Game, alice: User, bob: User
) -> None:
    reader = read(alice)
    note = plain(reader.get("/games/").html)
    assert "You earned an achievement Town Councillor Make a half turn." in note
    assert "Kommunalpolitiker" not in note
    assert "Town Councillor" not in read(bob).get("/games/").html
    assert "Town Councillor" not in read(None).get("/games/").html
    back = reader.post("/achievements/seen/", key="half-turns-1", next="/my-room/")
    assert back.address == "/my-room/"
    assert "Town Councillor" not in back.html
    assert Achievement.objects.get().seen_at == NOW


def test_at_most_five_are_announced_together_and_the_rest_counted(
    read: ReaderOf, past: Game, alice: User
) -> None:
    keys = ("deaths-1", "turns-5", "walked-10", "destroyed-1")
    for minutes, key in enumerate(keys, 1):
        earn(alice, past, key, minutes)
    html = read(alice).get("/games/").html
    assert "You earned 5 achievements First Oil" in plain(html), "the latest comes first"
    assert "Town Councillor" in plain(html) and " more" not in card_of(html)
    for minutes, key in enumerate(("repaired-1", "pushed-10", "deaths-5"), 9):
        earn(alice, past, key, minutes)
    html = read(alice).get("/games/").html
    assert html.count('class="earned"') == 1
    assert "You earned 8 achievements Night of the Living Tin" in plain(html)
    assert card_of(html).count("<li>") == 5
    assert '<a href="/players/Alice/#achievements-title">and 3 more</a>' in html
    read(alice).post("/achievements/seen/", key=[*keys, "half-turns-1"])
    assert "You earned 3 achievements" in plain(read(alice).get("/games/").html)


def test_a_running_game_does_not_announce_its_achievements(
    read: ReaderOf, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob)
    earn(alice, game, "half-turns-1")
    for path in ("/games/", game.get_absolute_url()):
        assert "Town Councillor" not in read(alice).get(path).html
    Game.objects.filter(pk=game.pk).update(status="over", ended_at=later(hours=3), winner="Bob")
    assert "You earned an achievement Town Councillor" in plain(read(alice).get("/games/").html)


def test_nothing_is_announced_beside_another_running_game(
    read: ReaderOf, table: Table, past: Game, alice: User, bob: User
) -> None:
    """The card of new achievements could cover the button Run."""
    for status in ("running", "open"):
        seats = {"seats": 3} if status == "open" else {}
        game = table.game(alice, bob, **seats)
        assert game.status == status
        assert "data-earned" not in read(alice).get(game.get_absolute_url()).html


def card_of(html: str) -> str:
    return html.partition('class="earned"')[2].partition("</section>")[0]


def test_achievements_earned_meanwhile_stay_new(read: ReaderOf, past: Game, alice: User) -> None:
    earn(alice, past, "deaths-1", 1)
    html = read(alice).post("/achievements/seen/", key="half-turns-1", next="/games/").html
    assert "For the Greater Good" in html
    assert "Town Councillor" not in html


def test_no_one_dismisses_the_achievements_of_another(read: ReaderOf, past: Game, bob: User) -> None:
    read(bob).post("/achievements/seen/", key="half-turns-1", next="/games/")
    assert Achievement.objects.get().seen_at is None
    assert read(None).post("/achievements/seen/", key="half-turns-1").address.startswith("/accounts/login/")


def test_the_return_address_never_leads_to_another_site(read: ReaderOf, past: Game, alice: User) -> None:
    for there in ("https://example.org/", "//example.org/", ""):
        assert read(alice).post("/achievements/seen/", next=there).address == "/players/Alice/"


def test_an_open_page_is_notified_of_achievements_at_the_end_of_its_game(
    read: ReaderOf, duel: Game, past: Game, alice: User, bob: User
) -> None:
    def news(person: User | None) -> str:
        return str(json.loads(read(person).get(f"/games/{duel.pk}/pulse/?seen=old").html)["news"])

    assert news(alice) == "The game has started.", "another game has brought her something"
    earn(alice, duel, "deaths-1")
    assert news(alice) == "The game has started.", "what it brings is told once it is over"
    Game.objects.filter(pk=duel.pk).update(status="over", ended_at=NOW, winner="Bob")
    assert news(alice) == "The game is over. You earned an achievement."
    assert news(bob) == news(None) == "The game is over."


def test_my_room_and_the_player_s_page_show_the_same_numbers(
    read: ReaderOf, table: Table, lane: Table, past: Game, alice: User, bob: User
) -> None:
    mission = lane.game(alice)
    Game.objects.filter(pk=mission.pk).update(status="over", ended_at=later(hours=1), winner="Alice")
    table.game(alice, bob)
    told = [
        plain(re.search(r"(?s)<dl[^>]* data-numbers>.*?</dl>", read(alice).get(path).html)[0])  # type: ignore[index]
        for path in ("/my-room/", "/players/Alice/")
    ]
    assert [each.split() for each in told] == [["Running", "1", "Finished", "1", "Won", "0"]] * 2


def test_a_card_shows_its_player_s_achievements_unless_they_are_hidden(
    read: ReaderOf, past: Game, duel: Game, alice: User, dave: User
) -> None:
    address = f"/games/{duel.pk}/robots/1/"
    html = read(dave).get(address).html
    assert 'aria-label="Town Councillor"' in html
    assert "1 of 35" in html
    User.objects.filter(pk=alice.pk).update(shows_achievements="nobody")
    html = read(dave).get(address).html
    assert 'aria-label="Town Councillor"' not in html
    assert "Alice keeps these private" in html
