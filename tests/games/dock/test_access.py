"""Access of the design committee. The table in docs/access.md has no column for it."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.dock.models import Promotion
from tests.games.api_client import Api
from tests.games.dock.promotions import deciding, joined, member, request_promotion, voted


@pytest.fixture
def promotion(alice: User) -> Promotion:
    return deciding(alice)


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_members_see_waiting_requests_without_being_staff(promotion: Promotion) -> None:
    mia = member("Mia")
    assert not mia.is_staff
    client = client_of(mia)
    for path in ("/dock/promotions/", f"/dock/promotions/{promotion.pk}/"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert promotion.prototype.starship.name in answer.content.decode()
    assert client.get("/dock/promotions/999999/").status_code == 404


def test_the_space_dock_links_members_to_waiting_requests(promotion: Promotion, bob: User) -> None:
    link = 'href="/dock/promotions/"'
    assert link in client_of(member("Mia")).get("/shipyard/").content.decode()
    assert link not in client_of(bob).get("/shipyard/").content.decode()


def test_former_members_see_nothing(promotion: Promotion) -> None:
    mia = member("Mia")
    mia.groups.clear()
    client = client_of(mia)
    for path in ("/dock/promotions/", f"/dock/promotions/{promotion.pk}/", "/dock/promotions/999999/"):
        answer = client.get(path)
        assert answer.status_code == 403


def test_superusers_are_members_only_if_they_are_in_the_group(promotion: Promotion) -> None:
    head = User.objects.create_superuser("Head", "head@example.org", "head-likes-robots")
    assert client_of(head).get("/dock/promotions/").status_code == 403
    assert client_of(joined(head)).get("/dock/promotions/").status_code == 200


def test_members_do_not_see_the_draft_of_the_builder(alice: User) -> None:
    promotion = request_promotion(alice)
    draft, run = promotion.prototype.draft, promotion.run
    assert draft and run
    client = client_of(member("Mia"))
    assert client.get(f"/shipyard/{draft.pk}/").status_code == 404
    assert client.get(f"/shipyard/{draft.pk}/tunnel/{run.pk}/").status_code == 404


def test_only_members_vote_by_the_api(alice: User, bob: User, promotion: Promotion) -> None:
    path = f"dock/promotions/{promotion.pk}/vote"
    sent: dict[str, Any] = {"vote": "promote"}
    assert Api(bob).put(path, sent).refusal == (403, "no-member")
    assert Api(joined(alice)).put(path, sent).refusal == (403, "own-ship")
    answer = Api(member("Mia")).put(path, sent)
    assert answer.status == 200
    assert [vote["member"] for vote in answer.body["votes"]] == ["Mia"]


def test_only_members_see_open_votes(alice: User, promotion: Promotion) -> None:
    voted(member("Mia"), promotion, "close", "A secret as yet.")
    ship = promotion.prototype.starship_id
    told = [
        client_of(alice).get(f"/starships/{ship}/").content.decode(),
        Api(alice).get(f"dock/prototypes/{ship}/promotion").text,
        Client().get("/dock/decisions/").content.decode(),
        Client().get("/api/v1/dock/decisions").content.decode(),
    ]
    assert not any("A secret as yet" in each for each in told)
    assert "A secret as yet" in Api(member("Max")).get("dock/promotions").text
