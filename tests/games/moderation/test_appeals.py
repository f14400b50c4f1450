"""Appeals are possible once, within six months. Another moderator answers."""

from functools import partial

import pytest

from accounts.models import User
from games.chat.services import post_line
from games.errors import Conflict, Forbidden, NotFound
from games.moderation.models import Appeal, Sanction
from games.moderation.sanctions import TIME_TO_APPEAL
from games.moderation.selectors import decisions_about
from games.moderation.services.decisions import appeal, lift_sanction, mute, overturn, uphold
from games.news.channels.mail import compose
from games.news.models import Notice
from games.people.services.deletion import delete_account
from games.play.models import Game
from tests.games.moderation.staffing import ARBITER, WHY, case_of, reported, staffed
from tests.games.support import NOW


@pytest.fixture
def sanction(alice: User, bob: User, erin: User) -> Sanction:
    return mute(user=staffed(erin), case_id=reported(alice, bob).case.pk, days=7, **WHY)


def test_another_moderator_overturns_a_decision(
    sanction: Sanction, duel: Game, bob: User, carol: User, erin: User
) -> None:
    made = appeal(user=bob, sanction_id=sanction.pk, text="It was a quote.", now=NOW)
    assert case_of(bob).status == "appealed"
    answer = partial(overturn, appeal_id=made.pk, answer="So it was.", now=NOW)
    for refused in (erin, staffed(carol, *ARBITER)):
        with pytest.raises(Forbidden):
            answer(user=refused)
    answer(user=staffed(carol))
    post_line(user=bob, game_id=duel.pk, text="Thank you.", now=NOW)
    view = decisions_about(user=bob, now=NOW)[0].view
    assert view["appeal"] == {
        "text": "It was a quote.",
        "at": NOW,
        "outcome": "overturned",
        "answer": "So it was.",
    }
    assert (view["in_force"], view["may_appeal"], case_of(bob).status) == (False, False, "overturned")
    assert "So it was." in compose(Notice.objects.get(user=bob, kind="appeal")).body
    with pytest.raises(Conflict):
        answer(user=staffed(carol))


def test_an_upheld_decision_stays_in_force(sanction: Sanction, bob: User, carol: User) -> None:
    made = appeal(user=bob, sanction_id=sanction.pk, text="No.", now=NOW)
    uphold(user=staffed(carol), appeal_id=made.pk, answer="It was a threat.", now=NOW)
    assert decisions_about(user=bob, now=NOW)[0].view["in_force"]
    assert case_of(bob).status == "upheld"


def test_only_the_person_appeals_once_and_in_time(sanction: Sanction, alice: User, bob: User) -> None:
    with pytest.raises(NotFound):
        appeal(user=alice, sanction_id=sanction.pk, text="No.", now=NOW)
    with pytest.raises(Conflict):
        appeal(user=bob, sanction_id=sanction.pk, text="No.", now=NOW + TIME_TO_APPEAL * 1.01)
    appeal(user=bob, sanction_id=sanction.pk, text="No.", now=NOW + TIME_TO_APPEAL)
    with pytest.raises(Conflict):
        appeal(user=bob, sanction_id=sanction.pk, text="No.", now=NOW)


def test_a_lifted_sanction_cannot_be_appealed(sanction: Sanction, bob: User, erin: User) -> None:
    lift_sanction(user=erin, sanction_id=sanction.pk, now=NOW)
    with pytest.raises(Conflict):
        appeal(user=bob, sanction_id=sanction.pk, text="No.", now=NOW)
    with pytest.raises(Conflict):
        lift_sanction(user=erin, sanction_id=sanction.pk, now=NOW)


def test_appeals_are_deleted_with_the_account(sanction: Sanction, alice: User, bob: User, erin: User) -> None:
    appeal(user=bob, sanction_id=sanction.pk, text="No.", now=NOW)
    delete_account(user=bob, now=NOW)
    assert not Sanction.objects.exists() and not Appeal.objects.exists()
