"""Finished public games for other sites: previews, pictures, embedded players, oEmbed and text."""

import gzip
import json
import time
from io import BytesIO
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from PIL import Image

from accounts.models import User
from accounts.sessions import EXTEND_INTERVAL, LAST_SEEN_KEY
from games.people.services.deletion import delete_account, erase
from games.play.models import Game
from games.sharing.drawing import PICTURE_SIZE
from games.sharing.selectors import text_of
from games.site.oembed import page_at
from tests.games.support import later
from tests.roborunner.test_weight import preloads_what_it_imports, weight

MOST_EMBED_BYTES = 120_000
"""The maximum transferred size of an embedded player, in bytes."""


def oembed(client: Client, **query: Any) -> Any:
    return client.get("/oembed/", query)


def url_of(game: Game, rest: str = "") -> str:
    return f"{settings.BASE_URL}{game.get_absolute_url()}{rest}"


def addresses_of(game: Game) -> list[str]:
    """Return all addresses for other sites, for a game and its turn 1."""
    turn = f"/games/{game.pk}/turns/1"
    return [
        f"/games/{game.pk}/share.png",
        f"{turn}/share.png",
        f"/games/{game.pk}/text/",
        f"{turn}/clip/",
        f"{turn}/clip.webp",
        f"/embed/game/{game.pk}/",
        f"/embed/game/{game.pk}/turn/1/",
        f"/oembed/?url={url_of(game)}",
        f"/oembed/?url={url_of(game, 'turns/1/')}",
    ]


def test_a_link_has_a_preview_with_title_result_and_picture(finished: Game, client: Client) -> None:
    html = client.get(finished.get_absolute_url()).content.decode()
    assert f'<link rel="canonical" href="{url_of(finished)}">' in html
    assert '<meta property="og:title" content="First flight">' in html
    assert '<meta property="og:description" content="Alice won. 2 turns of Robo Runner on ' in html
    assert f'<meta property="og:image" content="{url_of(finished, "share.png")}">' in html
    assert '<meta name="twitter:card" content="summary_large_image">' in html
    turn = client.get(f"{finished.get_absolute_url()}turns/1/").content.decode()
    assert f'<link rel="canonical" href="{url_of(finished, "turns/1/")}">' in turn
    assert '<meta property="og:title" content="Turn 1 of First flight">' in turn


def test_pictures_have_the_size_for_previews(finished: Game, client: Client) -> None:
    pictures = [client.get(address) for address in addresses_of(finished)[:2]]
    for answer in pictures:
        assert Image.open(BytesIO(answer.content)).size == PICTURE_SIZE
        assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert pictures[0].content != pictures[1].content


@pytest.mark.parametrize("state", ["private", "running", "unplayed"])
def test_a_game_that_is_not_shared_is_hidden_from_everyone(
    state: str, finished: Game, client: Client, alice: User
) -> None:
    changes: dict[str, dict[str, Any]] = {
        "private": {"private": True},
        "running": {"status": "running", "ended_at": None, "winner": "", "turn": 3},
        "unplayed": {"status": "cancelled", "ending": "staff", "turn": 0, "winner": ""},
    }
    Game.objects.filter(pk=finished.pk).update(**changes[state])
    for login in (False, True):
        if login:
            client.force_login(alice)
        for address in addresses_of(finished):
            answer = client.get(address)
            assert (address, answer.status_code) == (address, 404)
            assert "Bob" not in answer.content.decode()


def test_an_unplayed_turn_cannot_be_shared(finished: Game, client: Client) -> None:
    for address in addresses_of(finished):
        if "1/" in address.partition("turn")[2]:
            far = address.replace("turns/1", "turns/9").replace("turn/1", "turn/9")
            assert client.get(far).status_code == 404, far


def test_any_site_may_show_the_player_but_no_other_page(finished: Game, client: Client) -> None:
    answer = client.get(f"/embed/game/{finished.pk}/")
    assert "frame-ancestors *" in answer["Content-Security-Policy"]
    assert "default-src 'none'" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer
    assert answer["Referrer-Policy"] == "no-referrer"
    page = client.get(finished.get_absolute_url())
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
    assert page["X-Frame-Options"] == "DENY"


def test_no_cache_keeps_the_cookies_of_a_reader(finished: Game, client: Client, alice: User) -> None:
    client.force_login(alice)
    session = client.session
    session[LAST_SEEN_KEY] = int(time.time() - 2 * EXTEND_INTERVAL)
    session.save()
    picture = addresses_of(finished)[0]
    first, second = client.get(picture), client.get(picture)
    assert first.cookies and "private" in first["Cache-Control"] and "public" not in first["Cache-Control"]
    assert not second.cookies and "public" in second["Cache-Control"]


def test_the_player_knows_no_reader(finished: Game, client: Client, alice: User) -> None:
    stranger = client.get(f"/embed/game/{finished.pk}/")
    client.force_login(alice)
    alice.language = "de"
    alice.save()
    known = client.get(f"/embed/game/{finished.pk}/")
    assert known.content == stranger.content
    for answer in (stranger, known):
        assert not answer.cookies
        assert "Cookie" not in answer["Vary"]
        assert set(answer["Cache-Control"].split(", ")) == {"public", "max-age=300"}


def test_the_player_weighs_little(finished: Game, client: Client) -> None:
    html = client.get(f"/embed/game/{finished.pk}/turn/1/").content
    assert weight(html.decode()) + len(gzip.compress(html)) < MOST_EMBED_BYTES
    assert preloads_what_it_imports(html.decode())


def test_the_player_has_the_turn_in_words_and_ways_to_other_turns(finished: Game, client: Client) -> None:
    html = client.get(f"/embed/game/{finished.pk}/turn/1/").content.decode()
    assert "Turn 1 of 2" in html
    assert f'rel="next" href="/embed/game/{finished.pk}/turn/2/"' in html
    assert "Phase 5" in html
    assert "Alice won." not in html
    assert "Alice won." in client.get(f"/embed/game/{finished.pk}/").content.decode()


def test_oembed_describes_the_player(finished: Game, client: Client) -> None:
    answer = oembed(client, url=url_of(finished))
    assert answer["Access-Control-Allow-Origin"] == "*"
    found = json.loads(answer.content)
    assert (found["version"], found["type"], found["title"]) == ("1.0", "rich", "First flight")
    assert f'src="{settings.BASE_URL}/embed/game/{finished.pk}/"' in found["html"]
    assert f'width="{found["width"]}" height="{found["height"]}"' in found["html"]
    assert (found["thumbnail_width"], found["thumbnail_height"]) == PICTURE_SIZE
    link = client.get(finished.get_absolute_url()).content.decode()
    assert 'rel="alternate" type="application/json+oembed" href="' in link


def test_oembed_respects_the_largest_size(finished: Game, client: Client) -> None:
    found = json.loads(oembed(client, url=url_of(finished), maxwidth=320, maxheight=400).content)
    assert (found["width"], found["height"]) == (320, 400)
    assert "thumbnail_url" not in found


@pytest.mark.parametrize(
    ("query", "status", "error"),
    [
        ({}, 400, "url"),
        ({"url": "{page}", "maxwidth": "wide"}, 400, "maxwidth"),
        ({"url": "{page}", "maxheight": "3"}, 400, "maxheight"),
        ({"url": "{page}", "format": "xml"}, 501, "format"),
        ({"url": "https://elsewhere.example/games/1/"}, 404, "no-page"),
        ({"url": "{site}/games/"}, 404, "no-page"),
        ({"url": "//["}, 404, "no-page"),
        ({"url": "{site}/games/99999999999999999999/"}, 404, "no-game"),
    ],
)
def test_oembed_explains_errors(
    query: dict[str, str], status: int, error: str, finished: Game, client: Client
) -> None:
    values = {"page": url_of(finished), "site": settings.BASE_URL}
    answer = oembed(client, **{name: text.format(**values) for name, text in query.items()})
    assert (answer.status_code, json.loads(answer.content)["error"]) == (status, error)


def test_an_embedded_player_s_own_address_has_oembed(finished: Game) -> None:
    page = page_at(f"{settings.BASE_URL}/embed/game/{finished.pk}/turn/1")
    assert page.url == url_of(finished, "turns/1/")


def test_oembed_takes_a_host_in_capitals(finished: Game) -> None:
    assert page_at(url_of(finished).upper().replace("/GAMES/", "/games/")).url == url_of(finished)


def test_the_text_has_every_turn_in_sentences(finished: Game, client: Client) -> None:
    answer = client.get(f"/games/{finished.pk}/text/")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    lines = answer.content.decode().splitlines()
    assert lines[0] == "First flight"
    assert [line for line in lines if line.startswith("Turn ")] == ["Turn 1", "Turn 2"]
    assert sum(line.startswith("Phase 5: ") for line in lines) == 2


def test_an_erased_player_has_a_placeholder_everywhere(
    finished: Game, client: Client, alice: User, bob: User
) -> None:
    before = client.get(f"/games/{finished.pk}/share.png").content
    deletion = delete_account(user=bob, now=later(days=2))
    for hours in (1, 2, 3):
        erase(deletion_id=deletion.pk, now=later(days=2, hours=hours))
    finished.refresh_from_db()
    for address in addresses_of(finished)[5:]:
        assert "Bob" not in client.get(address).content.decode()
    assert "Bob" not in "\n".join(text_of(finished))
    assert client.get(f"/games/{finished.pk}/share.png").content == before  # it has no names


def test_the_pages_of_a_game_offer_link_and_code(finished: Game, client: Client) -> None:
    html = client.get(f"{finished.get_absolute_url()}turns/1/").content.decode()
    assert f'id="share-link" value="{url_of(finished, "turns/1/")}"' in html
    assert f"&lt;iframe src=&quot;{settings.BASE_URL}/embed/game/{finished.pk}/turn/1/&quot;" in html


def test_results_and_turns_lead_to_the_links(finished: Game, client: Client) -> None:
    for rest in ("", "turns/1/"):
        html = client.get(f"{finished.get_absolute_url()}{rest}").content.decode()
        assert html.count('href="#share">') == html.count('id="share"') == 1


def offers_nothing(client: Client, game: Game) -> bool:
    pages = [client.get(f"{game.get_absolute_url()}{rest}") for rest in ("", "turns/1/")]
    assert [page.status_code for page in pages] == [200, 200]
    return not any(
        "#share" in page.content.decode() or "share-title" in page.content.decode() for page in pages
    )


def test_a_running_game_offers_nothing_to_share(played: Game, client: Client) -> None:
    assert offers_nothing(client, played)


def test_a_private_game_offers_nothing_to_share(finished: Game, client: Client, alice: User) -> None:
    client.force_login(alice)
    assert not offers_nothing(client, finished)
    Game.objects.filter(pk=finished.pk).update(private=True)
    assert offers_nothing(client, finished)
