"""Robo Names that look like another player's name or a staff title are refused."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client

from accounts import robo_names
from accounts.models import User
from accounts.services import open_account
from tests.games.together import together
from tests.support.accounts import PASSWORD

SignUp = Callable[..., Any]

SENTENCE = "This looks too much like another player’s Robo Name. Choose another."


def skeleton_of(name: str) -> str:
    """Return a name as the database folds it to find lookalikes."""
    user = User.objects.create_user(name, f"{name}@example.org")
    return str(User.objects.values_list("skeleton", flat=True).get(pk=user.pk))


def test_the_database_folds_names_as_the_site_does(db: None) -> None:
    for name in ("Alice", "Mummy", "rnrnrn", "O0oO", "Tin-Lizzy_7", "x" * 20, "mMmMmMmMmMmMmMmMmMmM"):
        assert skeleton_of(name) == robo_names.skeleton(name)


def test_a_name_that_looks_like_another_player_s_is_refused(alice: User, sign_up: SignUp) -> None:
    for name in ("AIice", "A1ice", "AL1CE", "aiice", "Alice_", "Alice--", "A_l_i_c_e", "ALICE-", "Al-ice_"):
        with pytest.raises(ValidationError, match="looks too much like"):
            open_account(robo_name=name, email="bob@example.org", password=PASSWORD)
    page = sign_up(username="A1ice")
    assert page.context["form"].errors["username"] == [SENTENCE]
    assert not User.objects.exclude(pk=alice.pk).exists()


def test_two_letters_that_look_like_one_are_recognised(db: None) -> None:
    for taken, name in (("Tommy", "Tornrny"), ("Barney", "Bamey"), ("Bob", "B0b")):
        open_account(robo_name=taken, email=f"{taken}@example.org", password=PASSWORD)
        with pytest.raises(ValidationError, match="looks too much like"):
            open_account(robo_name=name, email="other@example.org", password=PASSWORD)


def test_a_name_that_reads_differently_is_accepted(alice: User) -> None:
    for name in ("Alice2", "Malice"):
        assert open_account(robo_name=name, email=f"{name}@example.org", password=PASSWORD).pk


def test_an_identical_name_gets_its_own_message(alice: User, sign_up: SignUp) -> None:
    errors = sign_up(username="ALICE").context["form"].errors["username"]
    assert errors == ["This Robo Name is taken. Choose another."]


def test_a_name_that_looks_like_staff_is_refused() -> None:
    for name in ("Adrnin", "adrn1n", "Ad-min_", "Adrninistrator", "M0derator-", "St-aff--", "R00t"):
        assert "reserved word" in " ".join(robo_names.problems(name))


def test_the_message_says_that_a_name_looks_like_staff(alice: User) -> None:
    browser = Client()
    browser.force_login(User.objects.create_superuser("Erin", "erin@example.org", PASSWORD))
    form = {"robo_name": "AIice", "email": "bob@example.org", "usable_password": "true"}
    page = browser.post("/admin/accounts/user/add/", form | {"password1": PASSWORD, "password2": PASSWORD})
    assert SENTENCE in page.content.decode()
    assert not User.objects.filter(robo_name="AIice").exists()


def test_a_deleted_player_has_no_lookalike(alice: User, sign_up: SignUp) -> None:
    robo_names.retire("Carol")
    for name in ("Carol", "CaroI", "Carol_"):
        errors = sign_up(username=name).context["form"].errors["username"]
        assert "can’t be used again" in errors[0]


def test_a_name_deleted_earlier_stays_retired(db: None, sign_up: SignUp) -> None:
    from accounts.models import RetiredName

    RetiredName.objects.create(digest=robo_names.digest_of("Mallory"))
    assert "can’t be used again" in sign_up(username="MALLORY").context["form"].errors["username"][0]


@pytest.mark.django_db(transaction=True)
def test_of_two_simultaneous_sign_ups_one_gets_the_name() -> None:
    names = ["Alice", "AIice", "A1ice", "Alice_"]

    def one(name: str) -> Callable[[], Any]:
        form = {"username": name, "email": f"{name}@example.org", "password1": PASSWORD}
        return lambda: Client().post("/accounts/signup/", form)

    answers = together(*(one(name) for name in names))
    assert User.objects.count() == 1
    refused = [answer for answer in answers if answer.status_code == 200]
    assert len(refused) == 3
    assert all(answer.context["form"].errors["username"] == [SENTENCE] for answer in refused)


def test_the_database_refuses_a_lookalike_without_earlier_checks(alice: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("AIice", "bob@example.org")
