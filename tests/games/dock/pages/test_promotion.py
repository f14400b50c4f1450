"""The promotion of a ship: its own page and the committee's page, without scripts."""

import re

import pytest
from django.test import Client

from accounts.models import User
from games.dock.models import Promotion, Prototype
from games.fleet.models import Starship
from tests.games.dock.promotions import (
    deciding,
    joined,
    member,
    played_by,
    ready,
    request_promotion,
    street,
    voted,
)
from tests.games.dock.prototypes import published


@pytest.fixture
def builder(alice: User) -> Client:
    client = Client()
    client.force_login(alice)
    return client


@pytest.fixture
def committee(db: None) -> Client:
    """A browser of Mia, a member of the design committee."""
    client = Client()
    client.force_login(member("Mia"))
    return client


def page_of(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return re.sub(r"\s+", " ", answer.content.decode())


def ship_page(client: Client, prototype: Prototype) -> str:
    return page_of(client, f"/starships/{prototype.starship_id}/")


def test_the_builder_sees_missing_requirements_with_numbers(alice: User, bob: User, builder: Client) -> None:
    prototype = published(alice, street(alice))
    played_by(prototype, bob, seats=1)
    page = ship_page(builder, prototype)
    assert "1 of 5 people has finished a game on it." in page
    assert "1 person joined without your invitation. At least 3 are needed." in page
    assert f"/shipyard/{prototype.draft_id}/tunnel/" in page
    assert "Request promotion</button>" not in page


def test_others_do_not_see_missing_requirements(alice: User, bob: User) -> None:
    prototype = published(alice, street(alice))
    assert "of 5 people" not in ship_page(Client(), prototype)


def test_the_builder_asks_and_withdraws(alice: User, builder: Client) -> None:
    prototype = ready(alice)
    path = f"/dock/prototypes/{prototype.starship_id}/promotion/"
    assert f'action="{path}"' in ship_page(builder, prototype)
    answer = builder.post(path, follow=True)
    assert "You requested promotion" in answer.content.decode()
    answer = builder.post(f"{path}take-back/", follow=True)
    assert "You withdrew your request." in answer.content.decode()


def test_a_member_sees_all_evidence_on_one_page(alice: User, committee: Client) -> None:
    prototype = ready(alice)
    tess, tim = (User.objects.get(robo_name=name) for name in ("Tess", "Tim"))
    played_by(prototype, tess, tim)
    played_by(prototype, alice, tim, private=True, name="A secret flight")
    promotion = request_promotion(alice, prototype)
    listed = page_of(committee, "/dock/promotions/")
    assert "needs your vote" in listed
    page = page_of(committee, f"/dock/promotions/{promotion.pk}/")
    for told in (
        (
            "5 people other than the builder finished a game on this ship, "
            "4 of them without the builder’s invitation"
        ),
        "How often robots entered each cell",
        "Tess",
        "/games/",
        "Film",
        'name="vote"',
        f"/starships/{prototype.starship_id}/",
    ):
        assert told in page
    assert "A secret flight" not in page


def test_a_member_votes_and_the_second_vote_decides(alice: User, committee: Client) -> None:
    promotion = deciding(alice)
    path = f"/dock/promotions/{promotion.pk}/"
    answer = committee.post(path, {"vote": "promote", "words": "Fun!"}, follow=True)
    page = answer.content.decode()
    assert "Your vote is saved." in page and "Fun!" in page and "Change your vote" in page
    max_ = Client()
    max_.force_login(member("Max"))
    page = max_.post(path, {"vote": "promote"}, follow=True).content.decode()
    assert "Your vote is saved. It was the deciding vote." in page and "Fun!" in page
    assert Starship.objects.get(pk=promotion.prototype.starship_id).section == "fleet"
    assert "Promoted" in page_of(max_, path)


def test_a_vote_without_reasons_is_refused_and_keeps_the_choice(alice: User, committee: Client) -> None:
    answer = committee.post(f"/dock/promotions/{deciding(alice).pk}/", {"vote": "close", "words": " "})
    assert answer.status_code == 422
    assert "Give a reason." in answer.content.decode()
    assert re.search(r'value="close" required checked', answer.content.decode())


def test_a_builder_on_the_committee_reads_that_others_decide(alice: User, builder: Client) -> None:
    promotion = deciding(alice)
    joined(alice)
    page = page_of(builder, f"/dock/promotions/{promotion.pk}/")
    assert "This is your ship." in page and 'name="vote"' not in page


def test_words_are_shown_as_text(alice: User, committee: Client) -> None:
    promotion = deciding(alice)
    words = "<script>alert(1)</script>"
    for name in ("Max", "Mo"):
        voted(member(name), promotion, "send-back", words)
    for path in ("/dock/decisions/", f"/starships/{promotion.prototype.starship_id}/"):
        page = page_of(Client(), path)
        assert words not in page and "&lt;script&gt;" in page


def test_a_deleted_run_leaves_the_drawing(alice: User, committee: Client) -> None:
    promotion = request_promotion(alice)
    assert promotion.run
    promotion.run.delete()
    page = page_of(committee, f"/dock/promotions/{promotion.pk}/")
    assert "The builder deleted the wind tunnel results" in page and "<svg" in page


def test_too_few_members_read_that_no_decision_is_possible(alice: User, committee: Client) -> None:
    path = f"/dock/promotions/{deciding(alice).pk}/"
    assert "Only 1 member can vote" in page_of(committee, path)
    member("Max")
    assert "can vote on this ship" not in page_of(committee, path)


def test_decisions_are_public_and_linked(alice: User) -> None:
    assert "No decisions yet." in page_of(Client(), "/dock/decisions/")
    promotion = deciding(alice)
    for name in ("Max", "Mo"):
        voted(member(name), promotion, "send-back", f"{name} finds it too long.")
    page = page_of(Client(), "/dock/decisions/")
    assert "Sent back" in page and "Max finds it too long." in page and "built by Alice" in page
    assert "/dock/decisions/" in page_of(Client(), "/starships/")
    assert "Mo finds it too long." in ship_page(Client(), promotion.prototype)


def test_the_number_of_queries_does_not_grow_with_decisions(
    alice: User, django_assert_max_num_queries: object
) -> None:
    promotion = deciding(alice)
    for name in ("Max", "Mo"):
        voted(member(name), promotion, "send-back", "Longer.")
    decided = Promotion.objects.get(pk=promotion.pk)
    client = Client()
    with django_assert_max_num_queries(6):  # type: ignore[operator] # a fixture
        client.get("/dock/decisions/")
    for _ in range(3):
        decided.pk = None
        decided.save()
    with django_assert_max_num_queries(6):  # type: ignore[operator] # a fixture
        client.get("/dock/decisions/")
