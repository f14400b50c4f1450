"""The page of the wind tunnel, as forms without scripts."""

from accounts.models import User
from games.shipyard.flying import fly_batch
from games.shipyard.models import TunnelRun
from games.shipyard.services import save_draft
from games.shipyard.tunnel import cancel_run
from tests.games.reader import ReaderOf
from tests.games.shipyard.drawing import WRECK, document, drafted
from tests.games.shipyard.tunnels import CORNER, POT, flown, lane, started
from tests.games.support import NOW


def test_it_offers_suitable_rulesets_and_numbers_of_players(alice: User, read: ReaderOf) -> None:
    draft = lane(alice)
    page = read(alice).get(f"/shipyard/{draft.pk}/tunnel/")
    assert "This ship hasn’t flown yet." in page and "Fly version 1" in page
    assert '<option value="robo-runner" selected>' in page.html and 'value="robo-recon"' not in page.html
    assert f"/shipyard/{draft.pk}/tunnel/" in read(alice).get(f"/shipyard/{draft.pk}/").links


def test_a_run_is_started_and_followed(alice: User, read: ReaderOf) -> None:
    draft = lane(alice, *CORNER)
    page = read(alice).post(f"/shipyard/{draft.pk}/tunnel/", ruleset="robo-runner", players="", flights="200")
    run = TunnelRun.objects.get()
    assert (run.players, run.flights) == (2, 200)
    assert "Waiting in the queue." in page and "0 of at most 200 flights" in page
    assert f'data-followed="/api/v1/shipyard/tunnel/{run.pk}"' in page.html and "tunnel.js" in page.html
    fly_batch(run_id=run.pk, now=NOW)
    page = read(alice).get(f"/shipyard/{draft.pk}/tunnel/")
    assert "20 of at most 200 flights" in page and "Waiting in the queue." not in page


def test_a_verdict_names_problems_places_and_changes(alice: User, read: ReaderOf) -> None:
    run = flown(started(alice, lane(alice, *POT), flights=40))
    run.fixes.all().delete()
    page = read(alice).get(f"/shipyard/{run.draft_id}/tunnel/")
    assert "Red: fix this first. After 40 flights." in page
    assert "column 6, row 1." in page and "Certain: the board shows it." in page
    assert page.html.count('class="heat-name"') >= 1
    assert "How many robots were destroyed in each cell, in all flights." in page
    assert "Median length with Pilots, in turns" in page
    assert "How often robots entered each cell" in page and "tunnel.js" not in page.html


def test_a_fix_is_shown_after_its_flights_and_can_be_applied(alice: User, read: ReaderOf) -> None:
    run = flown(started(alice, lane(alice, *CORNER)))
    path = f"/shipyard/{run.draft_id}/tunnel/{run.pk}/"
    page = read(alice).get(path)
    assert "Testing 1 fix in 40 flights." in page and "Apply this fix" not in page
    assert f'data-followed="/api/v1/shipyard/tunnel/{run.pk}"' in page.html
    fix = flown(run.fixes.get())
    page = read(alice).get(path)
    assert "Remove a rail beside the checkpoint" in page and "1 cell changes. Where: column 5, row 1." in page
    assert page.html.count("is-different") == 1 and "data-followed" not in page.html
    page = read(alice).post(f"{path}fix/", fix=str(fix.pk))
    assert "The fix was applied in version 2." in page
    run.draft.refresh_from_db()
    assert run.draft.document["rows"] == ["a a . . .+i1+wE"]


def test_an_unknown_fix_is_reported(alice: User, read: ReaderOf) -> None:
    run = flown(started(alice))
    for fix in ("", "seven", "9" * 30):
        page = read(alice).post(f"/shipyard/{run.draft_id}/tunnel/{run.pk}/fix/", fix=fix)
        assert "There is no such fix." in page


def test_a_bar_shows_the_winners_during_the_run(alice: User, read: ReaderOf) -> None:
    run = started(alice, flights=200)
    path = f"/shipyard/{run.draft_id}/tunnel/{run.pk}/"
    assert "Pilots’ wins so far" not in read(alice).get(path)
    fly_batch(run_id=run.pk, now=NOW)
    page = read(alice).get(path)
    assert "Pilots’ wins so far, by start" in page and page.html.count("tunnel-won") == 2
    assert "fair: 50 %" in page
    wins = {"format": "wins/1", "starts": [[0, 0, 1, 60.0], [1, 0, 1, 10.0]]}
    TunnelRun.objects.update(wins=wins)
    assert "Some starts win more often than chance would explain." in read(alice).get(path)
    TunnelRun.objects.update(wins={"format": "wins/1", "starts": [[0, 0, 2, 60.0]]})
    page = read(alice).get(path)
    assert "Fair: all robots share one start." in page and "tunnel-won" not in page.html


def test_the_ship_is_shown_as_it_was_flown(alice: User, read: ReaderOf) -> None:
    run = flown(started(alice))
    other = document("a a . . . . . .+i1+wE")
    save_draft(user=alice, draft_id=run.draft_id, expected_version=1, document=other, now=NOW)
    page = read(alice).get(f"/shipyard/{run.draft_id}/tunnel/{run.pk}/")
    assert "Version 1" in page and "The ship is now version 2." in page and "Fly version 2" in page


def test_a_run_is_cancelled(alice: User, read: ReaderOf) -> None:
    run = started(alice)
    path = f"/shipyard/{run.draft_id}/tunnel/{run.pk}/"
    page = read(alice).post(f"{path}cancel/")
    assert "The flights were cancelled." in page and "Cancelled after 0 flights." in page
    over = flown(started(alice, run.draft))
    page = read(alice).post(f"/shipyard/{run.draft_id}/tunnel/{over.pk}/cancel/")
    assert "These flights are already over." in page


def test_a_refused_run_is_reported_beside_the_form(alice: User, read: ReaderOf) -> None:
    started(alice)
    other = lane(alice, *CORNER)
    page = read(alice).post(f"/shipyard/{other.pk}/tunnel/", ruleset="robo-runner", flights="200")
    assert page.status == 409 and "Another of your ships is in the wind tunnel." in page


def test_earlier_results_are_shown_immediately(alice: User, read: ReaderOf) -> None:
    run = flown(started(alice, lane(alice, *POT), flights=200))
    page = read(alice).post(
        f"/shipyard/{run.draft_id}/tunnel/", ruleset="robo-runner", players="2", flights="200"
    )
    assert "You flew this version with these settings before." in page
    assert TunnelRun.objects.filter(fix_of=None).count() == 1


def test_a_ship_with_errors_lists_their_places(alice: User, read: ReaderOf) -> None:
    page = read(alice).get(f"/shipyard/{drafted(alice, *WRECK).pk}/tunnel/")
    assert "Before computers can fly this ship, fix the errors on its page" in page


def test_a_run_is_found_only_under_its_own_ship(alice: User, read: ReaderOf) -> None:
    run = started(alice)
    assert read(alice).get(f"/shipyard/{lane(alice).pk}/tunnel/{run.pk}/").status == 404
    cancel_run(user=alice, run_id=run.pk, now=NOW)
