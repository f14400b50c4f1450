"""The API of the wind tunnel."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.shipyard.flying import fly_batch
from games.shipyard.models import TunnelRun
from tests.games.api_client import Answer, Api
from tests.games.shipyard.drawing import WRECK, drafted
from tests.games.shipyard.searches import found
from tests.games.shipyard.tunnels import CORNER, POT, flown, lane, started
from tests.games.support import NOW
from tests.support.languages import BOTH


@pytest.fixture
def api(alice: User) -> Api:
    return Api(alice)


def start(api: Api, draft: int, **asked: Any) -> Answer:
    return api.post(f"shipyard/drafts/{draft}/tunnel", asked or None)


def test_a_run_is_started_without_parameters(api: Api, alice: User) -> None:
    draft = lane(alice)
    made = start(api, draft.pk)
    assert made.status == 201
    assert made.body.pop("created_at") and made.body.pop("seed")
    assert made.body == {
        "id": TunnelRun.objects.get().pk,
        "draft": draft.pk,
        "version": 1,
        "ruleset": "robo-runner",
        "players": 2,
        "flights": 200,
        "flown": 0,
        "status": "waiting",
        "verdict": None,
        "finished_at": None,
        "failure": None,
        "report": None,
        "wins": None,
        "fixes": [],
        "fixes_under_way": 0,
    }


def test_a_running_run_shows_the_winners(api: Api, alice: User) -> None:
    run = start(api, lane(alice).pk).body["id"]
    fly_batch(run_id=run, now=NOW)
    told = api.get(f"shipyard/tunnel/{run}").body
    assert told["flown"] == 20 and told["verdict"] is None
    starts = [(each["at"], each["robots"], each["fair"]) for each in told["wins"]["starts"]]
    assert starts == [([0, 0], 1, 0.5), ([1, 0], 1, 0.5)]
    assert sum(each["wins"] for each in told["wins"]["starts"]) == 14 and told["wins"]["odds"] > 0
    fly_batch(run_id=run, now=NOW)
    assert sum(each["wins"] for each in api.get(f"shipyard/tunnel/{run}").body["wins"]["starts"]) == 28


def test_a_fix_is_shown_after_its_flights(api: Api, alice: User) -> None:
    run = flown(started(alice, lane(alice, *CORNER)))
    before = api.get(f"shipyard/tunnel/{run.pk}")
    assert (before.body["fixes"], before.body["fixes_under_way"]) == ([], 1)
    fix = flown(run.fixes.get())
    after = api.get(f"shipyard/tunnel/{run.pk}")
    assert after.headers["ETag"] != before.headers["ETag"]
    assert after.body["fixes_under_way"] == 0
    assert after.body["fixes"] == [
        {
            "id": fix.pk,
            "finding": "corner",
            "label": "Remove a rail beside the checkpoint",
            "cells": [{"row": 1, "column": 5, "token": ".+i1+wE"}],
        }
    ]


def test_progress_is_shown_and_then_the_report(api: Api, alice: User) -> None:
    run = start(api, lane(alice, *POT).pk, flights=200, players=3).body["id"]
    ended = flown(TunnelRun.objects.get(pk=run))
    told = api.get(f"shipyard/tunnel/{run}")
    assert (told.body["status"], told.body["flown"], told.body["verdict"]) == ("done", 40, "red")
    assert told.body["report"] == ended.report
    listed = api.get(f"shipyard/drafts/{ended.draft_id}/tunnel").body["results"]
    assert [each["id"] for each in listed] == [run]


def test_an_unchanged_run_is_not_sent_again(api: Api, alice: User) -> None:
    run = started(alice)
    first = api.get(f"shipyard/tunnel/{run.pk}")
    mark = first.headers["ETag"]
    headers = {**api.headers, "If-None-Match": mark}
    same = api.client.get(f"/api/v1/shipyard/tunnel/{run.pk}", headers=headers)
    assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", mark)
    flown(run)
    assert api.client.get(f"/api/v1/shipyard/tunnel/{run.pk}", headers=headers).status_code == 200


def test_answers_in_another_language_are_sent_again(client: Client, settings: Any, alice: User) -> None:
    settings.LANGUAGES = BOTH
    client.force_login(alice)
    addresses = [
        f"/api/v1/shipyard/tunnel/{started(alice).pk}",
        f"/api/v1/shipyard/suggestions/{found(alice).pk}",
    ]
    marks = [client.get(address).headers["ETag"] for address in addresses]
    for language, status in (("en", 304), ("de", 200)):
        User.objects.update(language=language)
        for address, mark in zip(addresses, marks, strict=True):
            assert client.get(address, headers={"If-None-Match": mark}).status_code == status


def test_a_run_is_cancelled_once(api: Api, alice: User) -> None:
    run = started(alice)
    assert api.delete(f"shipyard/tunnel/{run.pk}").body["status"] == "cancelled"
    assert api.delete(f"shipyard/tunnel/{run.pk}").status == 200
    over = flown(started(alice))
    assert api.delete(f"shipyard/tunnel/{over.pk}").refusal == (409, "over")


def test_an_impossible_run_is_refused_problem_by_problem(api: Api, alice: User) -> None:
    refused = start(api, drafted(alice, *WRECK).pk, ruleset="robo-runner")
    assert refused.refusal == (422, "unfinished")
    assert {"code", "detail", "row", "column"} <= set(refused.body["problems"][0])


def test_a_failed_run_gives_the_reason(api: Api, alice: User) -> None:
    run = started(alice)
    TunnelRun.objects.update(document={"format": "starship/1", "rows": ["?"]})
    flown(run)
    told = api.get(f"shipyard/tunnel/{run.pk}").body
    assert told["status"] == "failed" and told["failure"].startswith("This ship couldn’t be flown")


def test_others_do_not_find_a_run(alice: User, bob: User, erin: User) -> None:
    run = started(alice)
    User.objects.filter(pk=erin.pk).update(is_superuser=True)
    for other in (bob, User.objects.get(pk=erin.pk)):
        for there, number in ((run.pk, run.draft_id), (run.pk + 1000, run.draft_id + 1000)):
            assert Api(other).get(f"shipyard/tunnel/{there}").refusal == (404, "no-run")
            assert Api(other).delete(f"shipyard/tunnel/{there}").refusal == (404, "no-run")
            assert Api(other).get(f"shipyard/drafts/{number}/tunnel").refusal == (404, "no-draft")
            assert start(Api(other), number).refusal == (404, "no-draft")
    run.refresh_from_db()
    assert run.status == "waiting"
