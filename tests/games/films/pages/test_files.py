"""The proof that a game was fair, on its page, and the file to download."""

import json

import rules
from accounts.models import User
from games.play.models import Game
from tests.games.reader import ReaderOf
from tests.games.support import Table


def test_the_page_shows_the_hash_of_the_seed_from_the_start(
    table: Table, alice: User, read: ReaderOf
) -> None:
    game = table.game(alice, seats=2)
    for viewer in (alice, None):
        page = read(viewer).get(game.get_absolute_url())
        assert "Provably fair" in page
        assert game.commitment in page.html
        assert f"{game.get_absolute_url()}file/" not in page.links
        assert "ead after turn" not in page and "First head" not in page
    page = read(None).get(f"{game.get_absolute_url()}file/")
    assert page.status == 409
    assert "You can’t download a game until it is over." in page


def test_anyone_can_download_a_finished_game(solo_loss: Game, read: ReaderOf) -> None:
    address = f"{solo_loss.get_absolute_url()}file/"
    page = read(None).get(solo_loss.get_absolute_url())
    assert address in page.links
    assert solo_loss.seed in page
    assert "Provably fair" not in read(None).get(f"{solo_loss.get_absolute_url()}turns/0/")
    answer = read(None).client.get(address)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="robo-runner-{solo_loss.pk}.json"'
    assert rules.verify(rules.read_game_file(json.loads(answer.content))) == []


def test_the_page_shows_the_head_in_short_and_in_full(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    game = table.game(alice, bob)
    first = game.turns.get().head_before
    page = read(alice).get(game.get_absolute_url())
    assert "First head" in page
    assert first in page.html
    head = table.play(game, alice, bob).head
    for viewer in (alice, None):
        page = read(viewer).get(game.get_absolute_url())
        assert "Head after turn 0" in page
        assert f"<summary><code>{head[:12]}…</code></summary>" in page.html
        assert f"<code>{head}</code>" in page.html
        assert "before Robo Runner had heads" not in page


def test_a_game_older_than_heads_names_the_first_turn_with_one(duel: Game, read: ReaderOf) -> None:
    Game.objects.update(heads_from=12)
    assert "This game started before Robo Runner had heads. Its heads are shown from turn 12 on." in read(
        None
    ).get(duel.get_absolute_url())
