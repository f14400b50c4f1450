"""Conduct cases from report to decision: on pages, in the API and in the admin."""

import html
import importlib
import re
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.test import Client

from accounts.models import User
from games.chat.services import post_line
from games.clubs.services import create_club
from games.errors import NotFound
from games.moderation.inputs import OFFENCES
from games.moderation.models import Appeal, Case, Rule, Sanction
from games.moderation.services.decisions import hide_line, warn
from games.people.contacts import block
from games.play.models import Game
from tests.games.admin_pages import address, do, listing, permit
from tests.games.api_client import Api
from tests.games.moderation.staffing import WHY, case_of, line_of, reported, staffed
from tests.games.reader import ReaderOf
from tests.games.support import NOW


def text_of(answer: Any) -> str:
    return str(answer.content.decode())


def browser_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_line_is_reported_from_the_chat(client: Client, duel: Game, alice: User, bob: User) -> None:
    line = line_of(duel, bob)
    client.force_login(alice)
    way = f"/players/Bob/report/?line={line.pk}"
    assert way in text_of(client.get(f"/games/{duel.pk}/"))
    assert "You will be sorry." in text_of(client.get(way))
    assert client.post(way, {}).status_code == 422
    sent = client.post(way, {"rule": "polite", "text": "Look."}, follow=True)
    assert "staff have not decided yet" in text_of(sent)
    assert client.post(way, {"rule": "polite"}).status_code == 409
    client.force_login(bob)
    assert way not in text_of(client.get(f"/games/{duel.pk}/"))


def test_a_line_hidden_by_staff_can_be_neither_read_nor_reported(
    duel: Game, alice: User, bob: User, carol: User, erin: User
) -> None:
    line, staff = line_of(duel, bob), staffed(erin)
    reported(carol, bob)
    hide_line(user=staff, case_id=case_of(bob).pk, line_id=line.pk, **WHY)
    way = f"/players/Bob/report/?line={line.pk}"
    for reader in (alice, carol, staff):
        browser = browser_of(reader)
        for answer in (browser.get(way), browser.post(way, {"rule": "polite", "text": "Look."})):
            assert answer.status_code == 404
            assert "You will be sorry." not in text_of(answer)
    with pytest.raises(NotFound):
        reported(alice, bob, about="chat", text="", line=line.pk)


def test_a_player_and_a_club_are_reported_from_their_pages(client: Client, alice: User, bob: User) -> None:
    club = create_club(user=bob, name="The Rude Ones", now=NOW)
    client.force_login(alice)
    assert "/players/Bob/report/" in text_of(client.get("/players/Bob/"))
    way = f"/players/Bob/report/?club={club.slug}"
    assert way in text_of(client.get(club.get_absolute_url()))
    assert client.post(way, {"rule": "polite"}).status_code == 302
    assert client.post("/players/Bob/report/", {"about": "name", "rule": "polite"}).status_code == 302
    assert client.post("/players/Bob/report/", {"about": "behaviour", "rule": "polite"}).status_code == 422
    assert [each.about for each in case_of(bob).reports.order_by("pk")] == ["club", "name"]


def test_a_report_names_a_game_of_both_players(
    client: Client, duel: Game, alice: User, bob: User, carol: User
) -> None:
    way = "/players/Bob/report/"
    client.force_login(alice)
    assert "First flight" in text_of(client.get(way))
    given = {"about": "behaviour", "rule": "own-seat", "text": "Two seats."}
    assert client.post(way, {**given, "game": duel.pk + 1}).status_code == 422
    assert client.post(way, {**given, "game": duel.pk}).status_code == 302
    assert case_of(bob).reports.get().game == duel
    client.force_login(carol)
    assert "In which game?" not in text_of(client.get(way))
    assert client.post(way, {**given, "game": duel.pk}).status_code == 302
    assert case_of(bob).reports.get(reporter=carol).game is None


def test_a_report_asks_what_happened_in_the_words_of_its_reporter(
    client: Client, duel: Game, alice: User, bob: User
) -> None:
    assert [rule for rule, _words in sorted(OFFENCES)] == sorted(Rule.values)
    client.force_login(alice)
    page = text_of(client.get("/players/Bob/report/"))
    assert "What happened?" in page
    assert all(str(words) in html.unescape(page) for _rule, words in OFFENCES)
    assert not any(f">{label}<" in page for label in Rule.labels)
    assert "(optional)" not in page.partition("Details")[2]
    assert "Required for behaviour" in page
    assert "(optional)" in text_of(client.get(f"/players/Bob/report/?line={line_of(duel, bob).pk}"))


def test_an_empty_report_is_refused_by_the_page_and_not_by_the_browser(
    client: Client, alice: User, bob: User
) -> None:
    client.force_login(alice)
    assert re.search(r'<form class="form"[^>]* novalidate', text_of(client.get("/players/Bob/report/")))
    page = text_of(client.post("/players/Bob/report/", {"about": "behaviour", "text": ""}))
    assert "<title>Error: " in page
    assert "error-summary" in page
    assert "Choose what happened." in page


def test_a_blocked_player_can_be_reported(client: Client, alice: User, bob: User) -> None:
    block(user=alice, robo_name="Bob", now=NOW)
    client.force_login(alice)
    assert "/players/Bob/report/" in text_of(client.get("/players/Bob/"))
    assert client.post("/players/Bob/report/", {"about": "name", "rule": "polite"}).status_code == 302


@pytest.mark.parametrize("query", ["?line=0", "?line=x", "?line=99999999999999999999", "?club=no"])
def test_unknown_subjects_are_not_found(client: Client, alice: User, bob: User, query: str) -> None:
    client.force_login(alice)
    assert client.get(f"/players/Bob/report/{query}").status_code == 404
    assert client.get("/players/Nobody/report/").status_code == 404


def test_a_decision_is_shown_and_appealed_on_a_page(
    client: Client, alice: User, bob: User, erin: User
) -> None:
    done = warn(user=staffed(erin), case_id=reported(alice, bob).case.pk, **WHY)
    client.force_login(bob)
    page = text_of(client.get("/my-decisions/"))
    assert "You threatened Bob." in page and "Alice" not in page and "Erin" not in page
    way = f"/my-decisions/{done.pk}/appeal/"
    assert client.post(way, {"text": ""}).status_code == 422
    assert "Another member of staff will answer." in text_of(client.post(way, {"text": "No."}, follow=True))
    assert client.post(way, {"text": "No."}).status_code == 409
    client.force_login(alice)
    assert client.post(way, {"text": "No."}).status_code == 404


def test_the_api_does_the_same(duel: Game, alice: User, bob: User, erin: User) -> None:
    mine, theirs = Api(alice), Api(bob)
    line = line_of(duel, bob)
    sent = mine.post("players/Bob/reports", {"about": "chat", "rule": "polite", "line": line.pk})
    assert (sent.status, sent.body["outcome"]) == (200, "open")
    assert mine.post("players/Bob/reports", {"about": "chat", "rule": "polite"}).status == 404
    assert mine.post("players/Bob/reports", {"about": "behaviour", "rule": "polite"}).status == 422
    done = hide_line(user=staffed(erin), case_id=case_of(bob).pk, line_id=line.pk, **WHY)
    assert mine.get("me/conduct").body["reports"][0]["outcome"] == "acted"
    assert theirs.get("me/conduct").body["decisions"][0]["facts"] == "You threatened Bob."
    assert mine.get(f"games/{duel.pk}/chat").body["results"][0]["text"] == ""
    appealed = theirs.post(f"me/conduct/{done.pk}/appeal", {"text": "No."})
    assert appealed.body["appeal"]["outcome"] == ""
    assert theirs.post(f"me/conduct/{done.pk}/appeal", {"text": "No."}).status == 409
    assert mine.post(f"me/conduct/{done.pk}/appeal", {"text": "No."}).status == 404


def test_staff_decide_in_the_admin(duel: Game, alice: User, bob: User, carol: User, erin: User) -> None:
    line = line_of(duel, bob)
    post_line(user=alice, game_id=duel.pk, text="What do you mean?", now=NOW)
    reported(alice, bob, about="chat", line=line.pk)
    case = case_of(bob)
    permit(staffed(erin))
    browser = browser_of(User.objects.get(pk=erin.pk))
    page = text_of(browser.get(address(case)))
    for words in ("You will be sorry.", "What do you mean?", "Threats.", "Alice"):
        assert words in page
    assert "1 reported player" in text_of(browser.get("/admin/"))
    given = {"sure": "yes", "rule": Rule.POLITE, "facts": "You threatened Alice."}
    assert "Take this case?" in text_of(do(browser, "take", case))
    do(browser, "take", case, sure="yes")
    do(browser, "hide", case, line_id=line.pk, **given)
    do(browser, "mute", case, days=3, **given)
    assert [each.kind for each in Sanction.objects.order_by("pk")] == ["hide", "mute"]
    assert "You threatened Alice." in text_of(browser.get(address(case)))
    Appeal.objects.create(sanction=Sanction.objects.get(kind="mute"), text="No.", at=NOW)
    assert "1 appeal to answer" in text_of(browser.get("/admin/"))
    do(browser, "overturn", Appeal.objects.get(), sure="yes", answer="I was wrong.")
    assert Appeal.objects.get().answered_at is None  # the deciding moderator does not answer
    permit(staffed(carol))
    other = browser_of(User.objects.get(pk=carol.pk))
    do(other, "overturn", Appeal.objects.get(), sure="yes", answer="It was a joke.")
    assert Appeal.objects.get().outcome == "overturned"
    for model in ("sanction", "appeal", "conductentry"):
        assert browser.get(f"/admin/games/{model}/").status_code == 200


def test_staff_do_not_see_cases_that_involve_them(alice: User, bob: User, erin: User) -> None:
    reported(alice, bob)
    for member in (alice, bob):
        permit(staffed(member))
        browser = browser_of(User.objects.get(pk=member.pk))
        assert browser.get(address(case_of(bob))).status_code == 302
        assert "Bob</a>" not in text_of(browser.get(listing(Case)))


def test_staff_without_rights_to_decide_are_offered_no_decisions(alice: User, bob: User, erin: User) -> None:
    reported(alice, bob)
    staffed(erin)
    erin.user_permissions.clear()
    permit(erin, "view_case", "change_case")
    browser = browser_of(User.objects.get(pk=erin.pk))
    assert 'name="action" value="warn"' not in text_of(browser.get(address(case_of(bob))))
    do(browser, "warn", case_of(bob), sure="yes", rule="polite", facts="You threatened Alice.")
    assert not Sanction.objects.exists()


def test_pages_of_players_hide_reporters_and_decisions(
    read: ReaderOf, duel: Game, alice: User, bob: User, dave: User, erin: User
) -> None:
    warn(user=staffed(erin), case_id=reported(alice, bob, text="Secret words.").case.pk, **WHY)
    for reader in (None, alice, dave):
        client = browser_of(reader) if reader else Client()
        for way in ("/players/Bob/", f"/games/{duel.pk}/"):
            page = text_of(client.get(way))
            assert "You threatened" not in page and "Secret words." not in page


def test_each_role_has_a_group(db: None) -> None:
    importlib.import_module("games.migrations.0001_initial").make_roles(apps, None)
    held = {group.name: group.permissions.count() for group in Group.objects.all()}
    assert held["Helper"] < held["Arbiter"] < held["Moderator"]


def test_the_page_shows_all_rules(client: Client, db: None) -> None:
    page = text_of(client.get("/conduct/"))
    for rule in Rule:
        assert f'id="{rule}"' in page
