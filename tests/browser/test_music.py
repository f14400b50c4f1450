"""Music: composed by the page, calm, never the same minute twice, and only where it is wanted."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page

from tests import cast
from tests.browser.signing_in import sign_in
from tests.games.support import Table
from tests.games.together import wait_until
from tests.support.site import Site

OpenPage = Callable[..., Page]

PATH = "/accounts/settings/"
HOURS = """(seed) => import('/static/site/composer.js').then(({ compose }) => {
    let state = seed;
    const random = () => {  // mulberry32
        state = (state + 0x6D2B79F5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
    const bars = [];
    let seconds = 0;
    for (const bar of compose(random)) {
        bars.push(bar);
        seconds += bar.length;
        if (seconds > 3 * 3600) return bars;
    }
})"""
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
"""Oscillators that one bar of music takes at least: a drone, and three doubled tones of the pad."""


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A stranger's page with the switch for music."""
    page = open_page()
    page.add_init_script(COUNT)
    page.goto(PATH)
    return page


def test_no_minute_of_three_hours_is_like_another(page: Page) -> None:
    bars = page.evaluate(HOURS, 1)
    minutes: dict[int, list[tuple[object, ...]]] = {}
    seconds = 0.0
    for bar in bars:
        told = tuple((note["voice"], note["pitch"], round(note["at"], 1)) for note in bar["notes"])
        minutes.setdefault(int(seconds // 60), []).append(told)
        seconds += bar["length"]
    assert len(minutes) >= 180
    assert len({tuple(told) for told in minutes.values()}) == len(minutes)
    assert page.evaluate(HOURS, 2) != bars, "another time it is other music"


def test_the_music_is_calm(page: Page) -> None:
    bars = page.evaluate(HOURS, 3)
    for bar in bars:
        notes = bar["notes"]
        assert bar["length"] >= 8, "chords change slowly"
        assert len([note for note in notes if note["voice"] == "bell"]) <= 4
        assert sum(note["level"] for note in notes) < 3
        assert all(28 <= note["pitch"] <= 100 for note in notes)
        tones = sorted({note["pitch"] % 12 for note in notes})
        rubbing = [pair for pair in pairwise([*tones, tones[0] + 12]) if pair[1] - pair[0] == 1]
        assert not rubbing, f"no two tones of a bar are a semitone apart: {notes}"


def test_the_music_is_quiet_and_never_stops(page: Page) -> None:
    peaks = page.evaluate(HEARD)
    assert max(peaks) < 0.6, "it leaves room for the effects"
    assert min(peaks[4:]) > 0.005, "no second is silent once it has begun"


def test_music_is_off_until_it_is_switched_on_and_brings_sound_along(page: Page) -> None:
    page.get_by_label("Programming aid").click()
    assert page.evaluate("sources") == 0
    page.get_by_label("Music", exact=True).check()
    wait_until(lambda: page.evaluate("sources") >= BAR)
    assert page.get_by_label("Sound", exact=True).is_checked(), "music without sound would be silence"


def test_music_goes_on_with_the_next_page_and_rests_where_nobody_looks(
    open_page: OpenPage, site: Site, table: Table
) -> None:
    alice = cast.alice()
    game = table.game(alice, cast.bob())
    page = open_page()
    page.add_init_script(COUNT)
    sign_in(page, alice, site)
    page.goto(PATH)
    page.get_by_label("Music", exact=True).check()
    page.get_by_text("Kept, on every device of yours.").wait_for()
    page.goto(f"/games/{game.pk}/")
    page.keyboard.press("Tab")
    wait_until(lambda: page.evaluate("sources") >= BAR)
    page.evaluate(
        "Object.defineProperty(document, 'hidden', { get: () => true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    before = page.evaluate("sources")
    page.wait_for_timeout(1500)
    assert page.evaluate("sources") == before, "a hidden page composes nothing"


def test_a_moved_volume_is_heard_at_once(page: Page) -> None:
    page.get_by_label("Music", exact=True).check()
    wait_until(lambda: page.evaluate("sources") >= BAR)
    page.get_by_label("Music volume").fill("10")
    fader = "import('/static/site/desk.js').then(({ desk }) => desk().music.gain.value)"
    wait_until(lambda: page.evaluate(fader) == pytest.approx(0.01, abs=0.001))
