"""Sounds: made in the browser, quiet, and only after they are switched on."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests import cast
from tests.browser.signing_in import sign_in
from tests.browser.waiting import comes_true
from tests.games.together import wait_until
from tests.support.site import Site

OpenPage = Callable[..., Page]

PATH = "/settings/"
NAMES = (
    "step",
    "push",
    "beam",
    "laser",
    "hit",
    "destroyed",
    "repair",
    "inspect",
    "phase",
    "my-turn",
    "win",
    "chip",
)
HEARD = """(name) => import('/static/site/loudspeaker.js').then(async ({ perform }) => {
    const context = new OfflineAudioContext(1, 2 * 44100, 44100);
    const seconds = perform(name, context, context.destination, 0);
    const samples = (await context.startRendering()).getChannelData(0);
    const loudest = (some) => some.reduce((most, now) => Math.max(most, Math.abs(now)), 0);
    const peak = (from, to) => loudest(samples.slice(from * 44100, to * 44100));
    const mean = samples.reduce((sum, now) => sum + now, 0) / samples.length;
    return { seconds, mean, loudest: peak(0, 2), first: peak(0, 0.04), after: peak(seconds + 0.01, 2) };
})"""
COUNT = """
    window.sources = 0;
    for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
        const start = AudioScheduledSourceNode.prototype.start;
        kind.prototype.start = function (...when) { window.sources += 1; return start.apply(this, when); };
    }
"""


def play(page: Page, name: str) -> bool:
    """Play a sound by script. Return whether it can be heard."""
    return bool(
        page.evaluate("(name) => import('/static/site/sound.js').then(({ sound }) => sound.play(name))", name)
    )


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A stranger's page with the switch for sound."""
    page = open_page()
    page.add_init_script(COUNT)
    page.goto(PATH)
    return page


def switch_on(page: Page) -> None:
    page.get_by_label("Sound", exact=True).check()
    comes_true(page, "sources > 0")


def test_every_effect_is_short_quiet_and_immediate(page: Page) -> None:
    for name in NAMES:
        heard = page.evaluate(HEARD, name)
        assert heard["seconds"] <= 1.4, name
        assert 0.02 < heard["loudest"] < 0.75, name
        assert heard["first"] > 0.004, f"{name} begins when it is played"
        assert heard["after"] < 0.001, f"nothing goes on when {name} is over"
        assert abs(heard["mean"]) < 0.01, name


def test_sound_is_off_by_default(page: Page) -> None:
    page.get_by_label("Programming aid").click()
    assert not play(page, "step")
    assert page.evaluate("sources") == 0
    switch_on(page)
    assert play(page, "step")
    page.get_by_label("Sound", exact=True).uncheck()
    assert not play(page, "step")


def test_switching_sound_on_or_moving_a_volume_plays_a_sound(page: Page) -> None:
    switch_on(page)
    before = page.evaluate("sources")
    page.wait_for_timeout(100)
    page.get_by_label("Effects volume").press("ArrowLeft")
    comes_true(page, f"sources > {before}")


def test_a_reloaded_page_waits_for_a_gesture(page: Page) -> None:
    switch_on(page)
    page.reload()
    session = page.context.new_cdp_session(page)

    def is_heard() -> bool:
        # Asks the browser directly, since Playwright's evaluation counts as a gesture.
        script = "import('/static/site/loudspeaker.js').then(({ play }) => play('step'))"
        answer = session.send("Runtime.evaluate", {"expression": script, "awaitPromise": True})
        return bool(answer["result"]["value"])

    assert not is_heard(), "browsers want a click or a key first"
    page.keyboard.press("Tab")
    wait_until(is_heard)


def test_a_hidden_page_only_plays_calls(page: Page) -> None:
    switch_on(page)
    page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
    assert not play(page, "laser")
    assert play(page, "my-turn")


def test_eight_simultaneous_steps_are_one_sound(page: Page) -> None:
    switch_on(page)
    page.wait_for_timeout(100)
    heard = page.evaluate(
        "import('/static/site/sound.js').then(({ sound }) => [1, 2, 3].map(() => sound.play('step')))"
    )
    assert heard == [True, False, False]


def test_an_unknown_sound_breaks_nothing(page: Page) -> None:
    switch_on(page)
    assert not play(page, "trumpet")


def test_sound_is_on_for_the_person_on_every_device(open_page: OpenPage, site: Site) -> None:
    alice = cast.alice()
    desk, phone = open_page(), open_page()
    for page in (desk, phone):
        page.add_init_script(COUNT)
        sign_in(page, alice, site)
    desk.goto(PATH)
    switch_on(desk)
    desk.get_by_text("Saved for all your devices.").wait_for()
    phone.goto("/nowhere/")
    phone.keyboard.press("Tab")
    assert phone.evaluate("import('/static/site/settings.js').then(({ settings }) => settings.sound)")
