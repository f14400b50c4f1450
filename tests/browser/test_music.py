"""Music: quiet, without gaps, and only after it is switched on.

tests/scripts/composer.test.js checks the notes.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests import cast
from tests.browser.signing_in import sign_in
from tests.browser.waiting import comes_true
from tests.games.support import Table
from tests.games.together import wait_until
from tests.support.site import Site

OpenPage = Callable[..., Page]

PATH = "/settings/"
HEARD = """() => Promise.all(['composer', 'music'].map((name) => import(`/static/site/${name}.js`)))
    .then(async ([{ compose }, { perform, hall }]) => {
        const rate = 22050;
        const context = new OfflineAudioContext(1, 60 * rate, rate);
        const entry = hall(context, context.destination);
        let at = 0.1;
        for (const bar of compose()) {
            if (at > 60) break;
            perform(bar, context, entry, at);
            at += bar.length;
        }
        const samples = (await context.startRendering()).getChannelData(0);
        const second = (n) => samples.slice(n * rate, (n + 1) * rate);
        return Array.from({ length: 60 }, (_, n) => Math.max(...second(n).map(Math.abs)));
    })"""
COUNT = """
    window.sources = 0;
    const start = AudioScheduledSourceNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
        window.sources += 1;
        return start.apply(this, when);
    };
"""
BAR = 7
"""The minimum number of oscillators in a bar.

They are one drone, and three doubled tones of the pad.
"""


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A stranger's page with the switch for music."""
    page = open_page()
    page.add_init_script(COUNT)
    page.goto(PATH)
    return page


def test_the_music_is_quiet_and_never_stops(page: Page) -> None:
    peaks = page.evaluate(HEARD)
    assert max(peaks) < 0.6, "it leaves room for the effects"
    assert min(peaks[4:]) > 0.005, "no second is silent once it has begun"


def test_music_is_off_by_default_and_switches_sound_on(page: Page) -> None:
    page.get_by_label("Programming aid").click()
    assert page.evaluate("sources") == 0
    page.get_by_label("Music", exact=True).check()
    comes_true(page, f"sources >= {BAR}")
    assert page.get_by_label("Sound", exact=True).is_checked(), "music without sound would be silence"


def test_music_continues_on_the_next_page_and_pauses_on_hidden_ones(
    open_page: OpenPage, site: Site, table: Table
) -> None:
    alice = cast.alice()
    game = table.game(alice, cast.bob())
    page = open_page()
    page.add_init_script(COUNT)
    sign_in(page, alice, site)
    page.goto(PATH)
    page.get_by_label("Music", exact=True).check()
    page.get_by_text("Saved for all your devices.").wait_for()
    page.goto(f"/games/{game.pk}/")
    page.keyboard.press("Tab")
    comes_true(page, f"sources >= {BAR}")
    page.evaluate(
        "Object.defineProperty(document, 'hidden', { get: () => true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    before = page.evaluate("sources")
    page.wait_for_timeout(1500)
    assert page.evaluate("sources") == before, "a hidden page composes nothing"


def test_a_changed_volume_is_heard_at_once(page: Page) -> None:
    page.get_by_label("Music", exact=True).check()
    comes_true(page, f"sources >= {BAR}")
    page.get_by_label("Music volume").fill("10")
    fader = "import('/static/site/mixer.js').then(({ mixer }) => mixer().music.gain.value)"
    wait_until(lambda: page.evaluate(fader) == pytest.approx(0.01, abs=0.001))
