"""Takedowns at the same moment as other actions, on separate connections."""

from functools import partial
from typing import Any

import pytest

from accounts.models import User
from games.dock.models import Promotion, Prototype
from games.dock.services import publish_draft
from games.errors import Conflict, Gone, Invalid, NotFound
from games.fleet.models import Starship
from games.lobby.practice import solo_game
from games.moderation.models import Case, Moderation, Report
from games.moderation.services.reports import report_starship
from games.moderation.services.takedown import dismiss_reports, take_down_reported, take_down_starship
from games.play.models import Game
from games.shipyard.models import StarshipDraft
from games.shipyard.services import make_link
from tests import cast
from tests.games.dock.promotions import asks_for_the_fleet, member, voted
from tests.games.dock.prototypes import called, published, redrawn
from tests.games.shipyard.tunnels import LANE
from tests.games.support import NOW
from tests.games.together import together

pytestmark = pytest.mark.django_db(transaction=True)

WHY: dict[str, Any] = {"reason": "Copied from the Tin Canoe.", "now": NOW}


def made() -> tuple[Prototype, User]:
    """Return a prototype by Alice, and the staff member Erin."""
    alice = cast.alice()
    return published(alice, called(alice, "Canoe", *LANE)), cast.erin()


def raised(answers: list[Any]) -> list[type[Any]]:
    return [type(answer) for answer in answers if isinstance(answer, Exception)]


def test_of_two_simultaneous_decisions_the_first_counts() -> None:
    prototype, erin = made()
    given: dict[str, Any] = {"reason": "copied", "now": NOW}
    report = report_starship(user=cast.bob(), starship_id=prototype.starship_id, **given)
    decide = [partial(deed, user=erin, case_id=report.case_id, **WHY) for deed in (dismiss_reports,) * 2]
    answers = together(*decide, partial(take_down_reported, user=erin, case_id=report.case_id, **WHY))
    assert raised(answers) == [Conflict, Conflict]
    (kept,) = Moderation.objects.all()
    assert Case.objects.get().dismissed == (kept.action == "dismiss")
    taken = Starship.objects.get(pk=prototype.starship_id).taken_down_at
    assert (taken is not None) == (kept.action == "take-down")


def test_a_simultaneous_report_does_not_stay_open() -> None:
    prototype, erin = made()
    ship = prototype.starship_id
    report = partial(report_starship, user=cast.bob(), starship_id=ship, reason="copied", now=NOW)
    answers = together(report, partial(take_down_starship, user=erin, starship_id=ship, **WHY))
    assert raised(answers) in ([], [Gone])
    assert not Case.objects.filter(decided_at=None).exists()


def test_a_double_click_reports_once() -> None:
    prototype, _erin = made()
    report = partial(
        report_starship, user=cast.bob(), starship_id=prototype.starship_id, reason="copied", now=NOW
    )
    assert raised(together(report, report, report)) == [Conflict, Conflict]
    assert Report.objects.count() == 1


def test_a_game_created_simultaneously_is_complete_or_missing() -> None:
    prototype, erin = made()
    ship = prototype.starship_id
    fly = partial(solo_game, user=cast.bob(), name="Alone", starship_id=ship, ruleset="robo-runner", now=NOW)
    answers = together(fly, partial(take_down_starship, user=erin, starship_id=ship, **WHY))
    assert raised(answers) in ([], [NotFound], [Conflict])
    assert Game.objects.count() == (0 if raised(answers) else 1)
    assert all(game.status == Game.Status.RUNNING for game in Game.objects.all())


def test_a_promoting_vote_and_a_takedown_do_not_overlap() -> None:
    prototype, erin = made()
    promotion = asks_for_the_fleet(prototype)
    mia, max_ = member("Mia"), member("Max")
    voted(mia, promotion)
    takes_down = partial(take_down_starship, user=erin, starship_id=prototype.starship_id, **WHY)
    answers = together(partial(voted, max_, promotion), takes_down)
    promotion.refresh_from_db()
    prototype.refresh_from_db()
    assert prototype.status == Prototype.Status.TAKEN_DOWN
    if raised(answers):
        assert (promotion.status, prototype.taken_from) == (Promotion.Status.TAKEN_DOWN, "ready")
    else:
        assert (promotion.status, prototype.taken_from) == (Promotion.Status.PROMOTED, "launched")


def test_a_version_published_simultaneously_does_not_restore_it() -> None:
    prototype, erin = made()
    draft = prototype.draft
    assert draft
    redrawn(draft, "a a . .+i1")
    publish = partial(publish_draft, user=draft.user, draft_id=draft.pk, now=NOW)
    link = partial(make_link, user=draft.user, draft_id=draft.pk, now=NOW)
    takes_down = partial(take_down_starship, user=erin, starship_id=prototype.starship_id, **WHY)
    answers = together(publish, takes_down, link)
    assert set(raised(answers)) <= {Conflict, Invalid}
    assert not Starship.objects.filter(taken_down_at=None).exists()
    assert StarshipDraft.objects.get().link_token == ""
