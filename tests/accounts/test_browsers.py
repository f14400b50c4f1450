"""Names of browsers for people, from the header User-Agent."""

from accounts import sessions

SAID = {
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": "Firefox on Linux",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1": "Safari on iPhone",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18 Safari/604.1": "Safari on Mac",
    "Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0": "Edge on Windows",
    "Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile Safari/537.36": "Chrome on Android",
    "Mozilla/5.0 (Windows NT 10.0)": "Unknown browser on Windows",
    "Firefox/140.0": "Firefox",
    "curl/8.9": "Unknown browser",
    "": "Unknown browser",
}


def test_a_browser_is_described_in_words() -> None:
    assert {each: sessions.browser_in_words(sessions.browser_and_system(each)) for each in SAID} == SAID
