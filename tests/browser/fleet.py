"""Take a ship from a draft into the fleet, on the pages of all people involved."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from accounts.models import User
from games.dock.models import Prototype
from games.shipyard.models import StarshipDraft
from tests import cast
from tests.browser.signing_in import sign_in
from tests.games.dock.promotions import green, joined, played_by, tried_out, voted
from tests.support.site import Site


class Way:
    """Takes Alice's ship into the fleet. Bob plays and reviews the ship."""

    def __init__(self, open_page: Callable[..., Page], bob: User, site: Site) -> None:
        self._open_page, self._bob, self._site = open_page, bob, site

    def __call__(self, page: Page, draft: StarshipDraft) -> None:
        """Start at the page of the draft, and end when the ship is in the fleet."""
        page.get_by_role("link", name="Publish", exact=True).click()
        page.get_by_role("checkbox").check()
        page.get_by_role("button", name="Publish", exact=True).click()
        expect(page.get_by_text("Players are testing version 1")).to_be_visible()
        prototype = Prototype.objects.get(draft=draft)
        self._review(prototype)
        green(draft.user, draft)
        tried_out(prototype)
        page.goto("/shipyard/")
        page.get_by_text("Promotion to the fleet").click()
        page.get_by_role("button", name="Request promotion").click()
        self._promote(prototype)
        page.goto(f"/starships/?q={draft.name}&section=fleet")
        page.get_by_role("link", name=draft.name, exact=True).click()
        expect(page.get_by_text("Launched")).to_be_visible()
        expect(page.get_by_text("Lovely beams.")).to_be_visible()

    def _review(self, prototype: Prototype) -> None:
        page = self._as(self._bob)
        game = played_by(prototype, self._bob, cast.person("Carol"))
        page.goto(f"/games/{game.pk}/")
        page.get_by_role("link", name=re.compile("How was")).click()
        page.get_by_role("radio", name="4 ★").check()
        page.get_by_role("checkbox", name="Fun elements").check()
        page.locator("[name=text]").fill("Lovely beams.")
        page.get_by_role("button", name="Publish your review").click()
        expect(page.get_by_text("Lovely beams.")).to_be_visible()

    def _promote(self, prototype: Prototype) -> None:
        asked = prototype.promotions.get()
        voted(joined(cast.person("Frank")), asked)
        page = self._as(joined(cast.person("Grace")))
        page.goto("/dock/promotions/")
        page.get_by_role("link", name=prototype.starship.name).click()
        expect(page.get_by_text("Lovely beams.")).to_be_visible()
        page.get_by_role("radio", name="Promote").check()
        page.get_by_role("button", name="Vote").click()
        expect(page.get_by_text("Your vote is saved. It was the deciding vote.")).to_be_visible()

    def _as(self, person: User) -> Page:
        page = self._open_page()
        sign_in(page, person, self._site)
        return page
