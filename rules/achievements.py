"""Achievements for the actions of robots, in every ruleset (GR-4.2).

The German names come from the Group 11 design document.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from rules.language import N_


@dataclass(frozen=True, slots=True)
class Definition:
    """One achievement: its names, and its condition as a sentence.

    A player earns the achievement when the sum of the ``counters`` over all games reaches the ``goal``. The
    counters are names from `rules.statistics.COUNTERS`. With ``in_one_game``, the goal is 0: the player earns
    the achievement if the counters are 0 at the end of one game.

    ``motif`` is the picture on the medal. ``step`` numbers the achievements with the same motif from 1 to 3.
    ``step`` is 0 for achievements in one game.
    """

    key: str
    german: str
    english: str
    condition: str
    counters: tuple[str, ...]
    goal: int
    motif: str
    step: int
    in_one_game: bool = False

    def value(self, counts: Mapping[str, int]) -> int:
        """Return the sum of a player's counters for the achievement, as the progress towards its goal."""
        return sum(counts.get(counter, 0) for counter in self.counters)


_OVER_ALL_GAMES: Final = (
    (
        "destroyed",
        (
            (1, "Erstes Öl", N_("First Oil"), N_("Destroy a robot.")),
            (5, "Ölrausch", N_("Oil Rush"), N_("Destroy 5 robots.")),
            (10, "Amoklauf", N_("Running Amok"), N_("Destroy 10 robots.")),
        ),
    ),
    (
        "half_turns",
        (
            (1, "Kommunalpolitiker", N_("Town Councillor"), N_("Make a half turn.")),
            (5, "Mitglied des Bundestages", N_("Member of Parliament"), N_("Make 5 half turns.")),
            (10, "Bundeskanzlerin", N_("Madam Chancellor"), N_("Make 10 half turns.")),
        ),
    ),
    (
        "damage_taken",
        (
            (5, "Aua.", N_("Ouch."), N_("Take 5 damage.")),
            (20, "Nur ein Kratzer", N_("’Tis But a Scratch"), N_("Take 20 damage.")),
            (
                50,
                "Strukturelle Integrität gefährdet",
                N_("Structural Integrity Failing"),
                N_("Take 50 damage."),
            ),
        ),
    ),
    (
        "deaths",
        (
            (1, "Für einen höheren Zweck", N_("For the Greater Good"), N_("Be destroyed once.")),
            (5, "Zombie", N_("Night of the Living Tin"), N_("Be destroyed 5 times.")),
            (10, "Ich werde weiterleben!", N_("I Will Survive!"), N_("Be destroyed 10 times.")),
        ),
    ),
    (
        "walked",
        (
            (10, "Ein Schritt nach dem anderen", N_("One Step at a Time"), N_("Drive 10 cells.")),
            (50, "Achilles", N_("Swift-Footed Achilles"), N_("Drive 50 cells.")),
            (100, "Schildkröte", N_("The Tortoise Wins"), N_("Drive 100 cells.")),
        ),
    ),
    (
        "backward",
        (
            (5, "Taktischer Rückzug", N_("Tactical Retreat"), N_("Drive 5 cells backwards.")),
            (10, "Wilde Flucht", N_("Run Away!"), N_("Drive 10 cells backwards.")),
            (
                20,
                "Vormarsch in die andere Richtung",
                N_("Advancing the Other Way"),
                N_("Drive 20 cells backwards."),
            ),
        ),
    ),
    (
        "turns",
        (
            (5, "Drehwurm", N_("In a Spin"), N_("Turn your robot 5 times, in either direction.")),
            (20, "Schwindel", N_("Vertigo"), N_("Turn your robot 20 times, in either direction.")),
            (
                50,
                "Totaler Orientierungsverlust",
                N_("Which Way Is North?"),
                N_("Turn your robot 50 times, in either direction."),
            ),
        ),
    ),
    (
        "damage_dealt",
        (
            (5, "Sylvester Stallone", N_("Action Hero"), N_("Deal 5 damage to other robots.")),
            (20, "Hulk", N_("Hulk Smash"), N_("Deal 20 damage to other robots.")),
            (50, "Godzilla", N_("King of the Monsters"), N_("Deal 50 damage to other robots.")),
        ),
    ),
    (
        "repaired",
        (
            (1, "Lackierung erneuert", N_("A Fresh Coat of Paint"), N_("Have 1 damage repaired.")),
            (5, "Öl gewechselt", N_("Oil Change"), N_("Have 5 damage repaired.")),
            (20, "Generalüberholt", N_("Good as New"), N_("Have 20 damage repaired.")),
        ),
    ),
    (
        "power_downs",
        (
            (1, "Eine Pause tut gut.", N_("A Break Does You Good."), N_("Reboot or power down once.")),
            (5, "Ausgeschlafen", N_("Bright-Eyed and Bolt-Tailed"), N_("Reboot or power down 5 times.")),
            (10, "Gut erholt", N_("Fully Recharged"), N_("Reboot or power down 10 times.")),
        ),
    ),
    (
        "pushed",
        (
            (
                10,
                "Platz da, jetzt komme ich!",
                N_("Make Way, Here I Come!"),
                N_("Push other robots 10 times."),
            ),
        ),
    ),
)
"""Achievements over all games, by motif.

Each motif has a list of steps, each with its goal, German name, English name and condition.
"""

_SUMS: Final = {"walked": ("forward", "backward"), "turns": ("left_turns", "right_turns", "half_turns")}
"""For each motif with more than one counter, the counters to add up."""

_IN_ONE_GAME: Final = (
    (
        "no_damage",
        "damage_taken",
        "Unantastbar",
        N_("Untouchable"),
        N_("Play a whole game without taking damage."),
    ),
    (
        "no_deaths",
        "deaths",
        "Wer braucht schon Backups?",
        N_("Who Needs Backups?"),
        N_("Play a whole game without being destroyed."),
    ),
    (
        "no_damage_dealt",
        "damage_dealt",
        "Pazifist",
        N_("Conscientious Objector"),
        N_("Play a whole game without dealing damage."),
    ),
)


def _definitions() -> Iterator[Definition]:
    for motif, steps in _OVER_ALL_GAMES:
        counters = _SUMS.get(motif, (motif,))
        for step, (goal, german, english, condition) in enumerate(steps, 1):
            key = f"{motif.replace('_', '-')}-{goal}"
            yield Definition(key, german, english, condition, counters, goal, motif, step)
    for motif, counter, german, english, condition in _IN_ONE_GAME:
        key = motif.replace("_", "-")
        yield Definition(key, german, english, condition, (counter,), 0, motif, 0, in_one_game=True)


ACHIEVEMENTS: Final[Mapping[str, Definition]] = {each.key: each for each in _definitions()}
"""All achievements by key, in the order of display."""


def complete(totals: Mapping[str, int]) -> Iterator[str]:
    """Yield the keys of achievements earned by a player with these counters over all games."""
    for key, each in ACHIEVEMENTS.items():
        if not each.in_one_game and each.value(totals) >= each.goal:
            yield key


def complete_in_one_game(counts: Mapping[str, int]) -> Iterator[str]:
    """Yield the keys of achievements earned by a player with these counters in one finished game."""
    for key, each in ACHIEVEMENTS.items():
        if each.in_one_game and each.value(counts) == each.goal:
            yield key
