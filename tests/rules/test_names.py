"""The characters allowed in names and texts."""

import unicodedata

import pytest

from rules.document import NotationError
from rules.names import fault_of_name, fault_of_text
from rules.notation import check_starship, read_starship, write_starship
from rules.scenario import read_scenario
from rules.sketch import read_sketch

GOOD = (
    *("Tin Canoe", "Zoë’s Barge", "1.5 × 2", "***", "Клуб 7", "日本\u3000語", "東京", "ﷺ", "ᾧδή"),
    *("Việt ế", unicodedata.normalize("NFD", "Việt ế"), "No\u00a0break", "葛\U000e0100"),
    *("می\u200cخواهم", "अवन्\u200d", "മലയാളം അവന്\u200d", "ක්\u200dරි", "র\u200d্য", "मेज़ों", "မြို့", "ส้มตำ", "אִשָּׁה"),
    *("བརྒྱུད", "ᠮᠣᠩᠭᠣᠯ\u180b", "Nº ٪\u0600٤"),
    *("👍🏽", "👩🏽\u200d🚀 Crew", "🏴\u200d☠\ufe0f", "🏳\ufe0f\u200d🌈", "🙂\u200d↔\ufe0f", "1\ufe0f⃣", "🇩🇪"),
    *("🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", "new in 2030: \U0001facf"),
)

BAD = {
    "": "no visible character",
    " \u00a0 ": "no visible character",
    "\u3164\u3164": "U+3164 (HANGUL FILLER) is invisible",
    "\u2800": "U+2800 (BRAILLE PATTERN BLANK) is invisible",
    "Ca\u200bnoe": "U+200B (ZERO WIDTH SPACE) is invisible",
    "Al\u200cice": "U+200C (ZERO WIDTH NON-JOINER) is invisible",
    "🚀\u200d": "U+200D (ZERO WIDTH JOINER) is invisible",
    "a\ufe0f\ufe0f": "U+FE0F (VARIATION SELECTOR-16) is invisible",
    "Ca\u00adnoe": "U+00AD (SOFT HYPHEN) is invisible",
    "a\u200eb": "U+200E (LEFT-TO-RIGHT MARK) is invisible",
    "a\U000e0041": "U+E0041 (TAG LATIN CAPITAL LETTER A) is invisible",
    "a\u2028b": "U+2028 (LINE SEPARATOR) is invisible",
    "a\nb": "U+000A (control character) is invisible",
    "a\x7fb": "U+007F (control character) is invisible",
    "a\ud800": "U+D800 is invisible",
    "a\ue000": "U+E000 is invisible",
    "a\ufdd0": "U+FDD0 is invisible",
    "\u202eonaC": "U+202E (RIGHT-TO-LEFT OVERRIDE) changes the direction",
    "a\u2066b": "U+2066 (LEFT-TO-RIGHT ISOLATE) changes the direction",
    "e\u0301\u0302\u0303": "U+0303 (COMBINING TILDE) is one mark too many",
    "é\u0301\u0301": "U+0301 (COMBINING ACUTE ACCENT) is one mark too many",
    "ก\u0e49\u0e49\u0e49": "U+0E49 (THAI CHARACTER MAI THO) is one mark too many",
    "ɑ\u0489\u0489\u0489": "U+0489 (COMBINING CYRILLIC MILLIONS SIGN) is one mark too many",
    "\u0301a": "U+0301 (COMBINING ACUTE ACCENT) is a mark without a letter",
}


@pytest.mark.parametrize("name", GOOD)
def test_names_in_every_script_and_emoji_are_welcome(name: str) -> None:
    assert fault_of_name(name) is None
    assert fault_of_text(f"{name}\n\t{name}") is None


@pytest.mark.parametrize(("name", "told"), BAD.items(), ids=ascii)
def test_a_refusal_of_a_name_shows_the_forbidden_character(name: str, told: str) -> None:
    assert told in str(fault_of_name(name))


def test_texts_may_have_lines_and_layout_marks_but_no_overrides() -> None:
    assert fault_of_text("") is None
    assert fault_of_text("שלום\u200f!\r\n\tLong\u00adword\ufeff") is None
    for text in ("a\x07b", "a\u2028b", "a\u202eb", "e\u0301\u0301\u0301", "a\ud800"):
        assert fault_of_text(text)


def test_documents_accept_the_same_names() -> None:
    def document(**texts: str) -> dict[str, object]:
        return {"format": "starship/1", "rows": ["a .+i1"], **texts}

    for name in GOOD:
        drawn = document(name=name, builder=name, description=name)
        assert write_starship(read_starship(drawn))["name"] == read_sketch(drawn).name == name
    for name, told in BAD.items():
        for key in ("name", "builder") if name.strip() else ():
            drawn = document(**{key: name})
            assert told in str(check_starship(drawn).errors[0])
            for read in (read_starship, read_sketch):
                with pytest.raises(NotationError, match=f"“{key}”: "):
                    read(drawn)
                read(drawn, known=True)
            robots = [{"name": name, "at": [0, 0], "chips": []}]
            scenario = {"format": "scenario/1", "ruleset": "robo-runner", "starship": document()}
            with pytest.raises(NotationError, match="name of robot 1"):
                read_scenario({**scenario, "robots": robots})
    assert check_starship(document(name="", description="Two\r\n\tlines.")).errors == ()
    assert "U+202E" in str(check_starship(document(description="a\u202eb")).errors[0])
