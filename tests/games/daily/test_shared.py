"""Days and results of the daily run for other people: pages, previews, embedded players, oEmbed and text."""

import gzip
import json
from datetime import date, timedelta
from io import BytesIO

import pytest
from django.conf import settings
from django.test import Client
from PIL import Image

from accounts import guests
from accounts.models import User
from games.daily.models import DailyResult
from games.daily.selectors import day_in, result_url, share_line
from games.daily.services import lay_program
from games.people.services.deletion import adopt_guest, delete_account
from games.sharing.drawing import PICTURE_SIZE
from games.site.oembed import page_at
from tests.games.daily.days import FAR, PAR, TODAY, saved_day
from tests.games.sharing.test_pages import MOST_EMBED_BYTES
from tests.games.support import NOW
from tests.roborunner.test_weight import preloads_what_it_imports, weight

YESTERDAY = TODAY - timedelta(1)

PAR_TOO = [*PAR[:3], PAR[4], PAR[3]]
"""Another program with the same result as `PAR`."""

pytestmark = pytest.mark.django_db


def played(user: User, *programs: list[int], day: date = TODAY) -> DailyResult:
    for turn, program in enumerate(programs, 1):
        result = lay_program(user=user, day=day, turn_number=turn, registers=program, now=NOW)
    return result


def key_of(result: DailyResult) -> str:
    return result_url(result).split("/")[-2]


def addresses_of(result: DailyResult) -> list[str]:
    """Return all addresses of a result."""
    key = key_of(result)
    return [
        f"/daily/results/{key}/",
        f"/daily/results/{key}/text/",
        f"/daily/results/{key}/share.png",
        f"/embed/daily/results/{key}/",
        f"/embed/daily/results/{key}/turn/1/",
        f"/oembed/?url={result_url(result)}",
    ]


def texts(client: Client, result: DailyResult) -> list[str]:
    """Return the pages of a result with their status, without what differs for each result."""
    answers = [client.get(address) for address in addresses_of(result)]
    key = key_of(result).encode()
    return [f"{each.status_code} {each.content.replace(key, b'KEY')!r}" for each in answers]


def test_a_link_to_a_result_has_it_in_its_preview(alice: User, client: Client) -> None:
    saved_day()
    result = played(alice, PAR)
    html = client.get(f"/daily/results/{key_of(result)}/").content.decode()
    assert '<meta property="og:title" content="Daily run 325: 3 phases (par: 3 phases)">' in html
    assert 'content="■■■■■ Inspect checkpoint 2 in as few phases as possible."' in html
    assert f'<meta property="og:image" content="{result_url(result)}share.png">' in html
    pictures = [client.get(f"/daily/{there}/share.png") for there in (TODAY, f"results/{key_of(result)}")]
    assert [Image.open(BytesIO(each.content)).size for each in pictures] == [PICTURE_SIZE] * 2
    assert pictures[0].content != pictures[1].content
    assert (
        '<meta property="og:image:alt" content="The board at the start, and the squares of the result.">'
        in html
    )
    assert f'<link rel="canonical" href="{result_url(result)}">' in html
    assert f'href="/daily/{TODAY}/"' in html
    assert "Alice" not in html


def test_a_result_of_a_past_day_says_that_it_was_played_later(alice: User, client: Client) -> None:
    """After its day, everyone knows the solution."""
    saved_day(YESTERDAY)
    result = played(alice, PAR, day=YESTERDAY)
    title = "Daily run 324, played later: 3 phases (par: 3 phases)"
    for address in addresses_of(result):
        answer = client.get(address)
        assert answer["Content-Type"] == "image/png" or title in answer.content.decode(), address
    assert "daily run 324, played later: ■■■■■ 3 phases" in share_line(day_in(result.run), result)


def test_before_the_day_is_over_two_programs_with_one_score_look_the_same(
    alice: User, bob: User, client: Client
) -> None:
    """No page tells anything about a program. Afterwards, each shows the film of its own."""
    saved_day()
    saved_day(YESTERDAY)
    programs = ((alice, PAR), (bob, PAR_TOO))
    today = [texts(client, played(user, program)) for user, program in programs]
    assert today[0] == today[1]
    assert [text[:3] for text in today[0]] == ["200", "200", "200", "200", "404", "200"]
    past = [texts(client, played(user, program, day=YESTERDAY)) for user, program in programs]
    same = [one == other for one, other in zip(*past, strict=True)]
    assert same == [False, False, True, False, False, True]
    for page in past[0][:1] + past[0][3:5]:
        assert page.startswith("200") and '"frames"' in page


def test_the_day_has_a_film_of_a_best_run_once_it_is_over(client: Client) -> None:
    saved_day()
    saved_day(YESTERDAY, turns=2)
    today = client.get(f"/embed/daily/{TODAY}/").content.decode()
    assert "Inspect checkpoint 2 in as few phases as possible." in today
    assert "when the day is over" in today
    assert "frames" not in today and "script" not in today
    assert client.get(f"/embed/daily/{TODAY}/turn/1/").status_code == 404
    assert "Phase" not in client.get(f"/daily/{TODAY}/text/").content.decode()
    first, second = (
        client.get(f"/embed/daily/{YESTERDAY}/{turn}").content.decode() for turn in ("", "turn/2/")
    )
    assert f'rel="next" href="/embed/daily/{YESTERDAY}/turn/2/"' in first
    assert f'rel="prev" href="/embed/daily/{YESTERDAY}/turn/1/"' in second
    assert "Result: 3 phases." not in first
    assert "Result: 3 phases." in second
    for wrong in ("0", "3"):
        assert client.get(f"/embed/daily/{YESTERDAY}/turn/{wrong}/").status_code == 404
    lines = client.get(f"/daily/{YESTERDAY}/text/").content.decode().splitlines()
    assert lines[:5] == [
        "Daily run 324",
        "=============",
        "",
        "Inspect checkpoint 2 in as few phases as possible.",
        "Par: 3 phases.",
    ]
    assert [line for line in lines if line.startswith("Turn ")] == ["Turn 1", "Turn 2"]


def test_a_coming_day_is_not_shared(client: Client) -> None:
    tomorrow = saved_day(TODAY + timedelta(1)).date
    for address in (f"/embed/daily/{tomorrow}/", f"/daily/{tomorrow}/text/", "/embed/daily/never/"):
        assert client.get(address).status_code == 404
    answer = client.get("/oembed/", {"url": f"{settings.BASE_URL}/daily/{tomorrow}/"})
    assert (answer.status_code, answer.json()["error"]) == (404, "no-daily-run")


def test_the_player_weighs_little_and_knows_no_reader(alice: User, client: Client) -> None:
    saved_day(YESTERDAY, turns=2)
    address = f"/embed/daily/results/{key_of(played(alice, FAR, PAR, day=YESTERDAY))}/turn/2/"
    answer = client.get(address)
    assert weight(answer.content.decode()) + len(gzip.compress(answer.content)) < MOST_EMBED_BYTES
    assert preloads_what_it_imports(answer.content.decode())
    assert "frame-ancestors *" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
    client.force_login(alice)
    known = client.get(address)
    assert known.content == answer.content
    assert not known.cookies and "X-Frame-Options" not in known


def test_oembed_describes_days_and_results(alice: User, client: Client) -> None:
    saved_day()
    result = played(alice, FAR)
    for url, title, embed in (
        (f"{settings.BASE_URL}/daily/{TODAY}/", "Daily run 325", f"/embed/daily/{TODAY}/"),
        (
            result_url(result),
            "Daily run 325: failed (par: 3 phases)",
            f"/embed/daily/results/{key_of(result)}/",
        ),
    ):
        found = json.loads(client.get("/oembed/", {"url": url}).content)
        assert (found["type"], found["title"]) == ("rich", title)
        assert f'src="{settings.BASE_URL}{embed}"' in found["html"]
        assert page_at(f"{settings.BASE_URL}{embed}").url == url


def test_only_its_player_gets_the_address_of_a_result(alice: User, bob: User, client: Client) -> None:
    saved_day()
    result = played(alice, PAR)
    key = key_of(result)
    for reader, known in ((None, False), (bob, False), (alice, True)):
        if reader:
            client.force_login(reader)
        pages = [client.get(address).content.decode() for address in (f"/daily/{TODAY}/", "/api/v1/daily")]
        assert [key in page for page in pages] == [known, known]
    number, _dash, signature = key.partition("-")
    for wrong in (number, f"{number}-", f"{int(number) + 1}-{signature}", f"x-{signature}", "-", "0-0"):
        for address in addresses_of(result):
            assert client.get(address.replace(key, wrong)).status_code == 404, wrong


def test_an_unfinished_result_has_no_address(alice: User, client: Client) -> None:
    saved_day(turns=2)
    result = played(alice, FAR)
    assert client.get(f"/daily/results/{key_of(result)}/").status_code == 404
    client.force_login(alice)
    assert client.get("/api/v1/daily").json()["me"]["url"] is None


def test_a_link_works_until_its_player_deletes_the_account(alice: User, client: Client) -> None:
    saved_day()
    guest = guests.make_guest()
    addresses = addresses_of(played(guest, PAR))
    assert client.get(addresses[0]).status_code == 200
    adopt_guest(guest_id=guest.pk, user=alice, now=NOW)
    assert client.get(addresses[0]).status_code == 200
    delete_account(user=alice, now=NOW)
    for address in addresses:
        assert client.get(address).status_code == 404


def test_a_result_shows_the_first_try_only(alice: User, client: Client) -> None:
    saved_day()
    played(alice, FAR)
    html = client.get(addresses_of(played(alice, PAR))[0]).content.decode()
    assert "Failed, par is 3 phases" in html
    assert "par!" not in html
